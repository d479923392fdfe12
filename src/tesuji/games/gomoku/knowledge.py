"""Knowledge of Gomoku: native hooks based on patterns, callable from Python.

Each has an attribute `native`, which the searches use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tesuji import _core
from tesuji.features import NativeFeatures, NativeMoveFeatures, WeightedFeatures
from tesuji.games.native import NativeOrdering, NativePolicy, NativeProximity, NativeThreats
from tesuji.knowledge import Deferred, Knowledge

if TYPE_CHECKING:
    from tesuji.models.linear import TrainedLinearPrior, TrainedLinearValue

OPENING_STONES = 5
"""With fewer stones on the board, hard proximity keeps all moves."""

SETTINGS = {
    "proximity": "hard",
    "playout_depth": 0,
    "exploration": 0.1,
    "first_play": 0.5,
    "prior_weight": 0.5,
    "futility": True,
}
"""For the searches; the matches are in docs/games/gomoku.md."""

KINDS = ("two", "open_two", "three", "double_two", "open_three", "four", "double_three", "four_three")
HAND_WEIGHTS = {
    **dict(zip((f"my_{kind}" for kind in KINDS), (1, 3, 3, 7, 14, 12, 50, 200), strict=True)),
    **{"my_open_four": 500, "my_five": 10_000},
    **dict(zip((f"their_{kind}" for kind in KINDS), (-1, -2, -2, -5, -10, -8, -25, -60), strict=True)),
    **{"their_open_four": -100, "their_five": -1000},
}
"""Points per cell, chosen by hand, by the threat that a stone there would make."""

HAND_SCALE = 100.0
"""Points per unit of log-odds."""


@cache
def hand_value() -> WeightedFeatures:
    """The hand weights as a value: `tesuji.bot("greedy:value=hand", "gomoku")`.

    >>> import tesuji
    >>> hand_value().value(tesuji.replay("gomoku", "h8 a1 h9 a2 h10 a3"), 0) > 0.9
    True
    """
    weights = {name: points / HAND_SCALE for name, points in HAND_WEIGHTS.items()}
    return WeightedFeatures(threat_counts(), weights)


@cache
def learned_value() -> TrainedLinearValue:
    """The weights of pattern codes, learned from games; see docs/games/gomoku.md.

    >>> import tesuji
    >>> learned_value().value(tesuji.replay("gomoku", "h8 a1 h9 a2 h10 o15"), 0) > 0.8
    True
    """
    from tesuji.models.linear import TrainedLinearValue  # here: numpy is slow to import

    return TrainedLinearValue.load(Path(__file__).with_name("value.json.gz"))


@cache
def learned_prior() -> TrainedLinearPrior:
    """The weights of moves' pattern codes, learned from games of the network; see docs/games/gomoku.md.

    >>> import tesuji
    >>> state = tesuji.replay("gomoku", "h8 a1 h9 a2 h10 o15")
    >>> [state.text(move) for move in learned_prior()(state, 0, state.moves())][0] in ("h7", "h11")
    True
    """
    from tesuji.models.linear import TrainedLinearPrior  # here: numpy is slow to import

    return TrainedLinearPrior.load(Path(__file__).with_name("prior.json.gz"))


VALUES: Mapping[str, Callable[[], object]] = {"hand": hand_value}
"""Further values by name, for the bots' option `value`."""


class PatternOrdering(NativeOrdering):
    """A hand-written order: by the threats that moves make, and with less weight by those they prevent."""

    def __init__(self) -> None:
        super().__init__(_core.GomokuPatternOrdering())


PRIORS: Mapping[str, Callable[[], object]] = {"hand": PatternOrdering}
"""Further priors by name, for the bots' option `move_ordering`."""


class PatternThreats(NativeThreats):
    """Making five, stopping five, making an open four, stopping an open four: in this order."""

    def __init__(self) -> None:
        super().__init__(_core.GomokuPatternThreats())


class PatternPolicy(NativePolicy):
    """Answers threats; otherwise plays a random move near the stones."""

    def __init__(self) -> None:
        super().__init__(_core.GomokuPatternPolicy())


class StoneProximity(NativeProximity):
    """Weights moves by their distance to the stones; `hard` excludes those beyond `max_distance` steps.

    With fewer than `opening_stones` stones on the board, none is excluded. With `scale_priors=False`, `hard`
    leaves the priors of the other moves as they are.

    >>> import tesuji
    >>> state = tesuji.replay("gomoku", "h8 i8 h9 i9 g7 g8")
    >>> hooks = StoneProximity(), NARROW, FILTER
    >>> [sum(weight > 0 for weight in hook(state, 0, state.moves(), True)) for hook in hooks]
    [40, 19, 72]
    """

    def __init__(
        self, opening_stones: int = OPENING_STONES, *, max_distance: int = 2, scale_priors: bool = True
    ) -> None:
        if max_distance not in (1, 2, 3):
            raise ValueError(f"max_distance must be 1, 2 or 3, not {max_distance!r}")
        super().__init__(_core.GomokuStoneProximity(opening_stones, max_distance, scale_priors))

    @property
    def variants(self) -> Mapping[str, NativeProximity]:
        """Other forms of proximity, for the searches' option `proximity`."""
        return PROXIMITIES


class EdgePenalty(NativeProximity):
    """Lowers the priors of the outermost two lines, for comparison with proximity."""

    def __init__(self) -> None:
        super().__init__(_core.GomokuEdgePenalty())


FILTER = StoneProximity(opening_stones=6, max_distance=3, scale_priors=False)
"""A mere filter: from the sixth stone on, cells four or more steps away are excluded, priors unchanged."""
NARROW = StoneProximity(max_distance=1)
"""Only cells next to a stone, and those where either side would make an open three or more."""
PROXIMITIES: Mapping[str, NativeProximity] = {"filter": FILTER, "narrow": NARROW, "edge": EdgePenalty()}


class ThreatProver:
    """The threat solver for the searches: fours and threes at the root, only fours at other positions."""

    def __init__(self) -> None:
        self.native = _core.GomokuThreatProver()


@cache
def gomoku_knowledge() -> Knowledge:
    """All hooks of Gomoku, and the settings that measured best with them."""
    return Knowledge(
        objectives=Deferred(learned_value),
        threat_response=PatternThreats(),
        playout_policy=PatternPolicy(),
        move_ordering=Deferred(learned_prior),
        proximity=StoneProximity(),
        prover=ThreatProver(),
        settings=SETTINGS,
    )


@cache
def gomoku_features() -> NativeFeatures:
    """The codes of a position: the shape of every empty cell for both sides, and the threats of both.

    >>> features = gomoku_features()
    >>> features.names, features.code_count
    ((), 34145)
    """
    return NativeFeatures(_core.GomokuPatternFeatures(), general=True)


@cache
def gomoku_move_features() -> NativeMoveFeatures:
    """The codes of moves: the cell's shape for both sides, what it threatens, and where it lies."""
    return NativeMoveFeatures(_core.GomokuMoveCodes(), general=True)


@cache
def threat_counts() -> NativeFeatures:
    """The number of cells that make each threat, for either side.

    >>> threat_counts().names[:3]
    ('my_two', 'my_open_two', 'my_three')
    """
    return NativeFeatures(_core.GomokuFeatures(), general=True)
