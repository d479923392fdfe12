"""Alpha-beta: one native search for native and Python games of two players, and its options."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from tesuji import _core
from tesuji.game import Game, Move, State, players_of
from tesuji.game import game as as_game
from tesuji.games.native import NativeState, is_position_of
from tesuji.knowledge import MoveOrdering
from tesuji.options import Options, option, to_text
from tesuji.search.analysis import Analysis, Candidate
from tesuji.search.values import GivenValue, find_value

DEFAULT_NODES = 100_000

Switch: TypeAlias = Literal["game", "off"]


@dataclass(frozen=True, kw_only=True)
class AlphaBetaOptions(Options):
    """What `AlphaBeta` can be told. A hook is the game's own, off, or (from Python) a function of yours."""

    depth: int | None = option(None, "plies to look ahead", minimum=1, maximum=1000)
    nodes: int | None = option(
        None,
        f"positions to visit; {DEFAULT_NODES:,} where neither these nor depth nor seconds are given",
        minimum=1,
        maximum=10**15,
    )
    seconds: float | None = option(None, "time per move", minimum=0.001)
    value: GivenValue = option(
        "game", "judges where the depth ends: the game's objectives; off: all are even"
    )
    move_ordering: Switch | MoveOrdering = option("game", "the order in which moves are first tried")
    quiescence: int | None = option(
        16,
        "plies of noisy moves after the last full one, where the game names such moves",
        minimum=1,
        maximum=64,
    )
    lines: int = option(1, "so many of the best moves get exact values, the others a bound", minimum=1)
    memory: int | None = option(64, "MiB for the transposition table; off: none", minimum=1, maximum=131_072)
    reuse: bool = option(True, "keep the table when the game goes on")
    pvs: bool = option(True, "ask with a window of width one whether a later move is better at all")
    killers: bool = option(True, "moves that refuted a neighbouring position come early")
    history: bool = option(True, "moves that refuted other positions come early")
    seed: int | None = option(
        None,
        "decides among equally good moves; off: a new one each time",
        minimum=0,
        maximum=2**64 - 1,
    )


class AlphaBeta:
    """A bot that searches to a depth: `AlphaBeta(Hex(size=5), depth=6).choose(state)`.

    Options as in `AlphaBetaOptions`; by spec, `tesuji.bot("alphabeta:depth=6", game)`. For games of two
    players without chance and hidden cards.

    >>> import tesuji
    >>> game = tesuji.game("hex:size=3")
    >>> analysis = AlphaBeta(game, value="off", seed=1).analyse(tesuji.replay(game, "a1"))
    >>> analysis.proven, analysis.plies, analysis.stopped
    (1.0, 5, 'proven')
    """

    Options = AlphaBetaOptions

    def __init__(self, game: Game | str, **options: Any) -> None:
        self.game = as_game(game)
        self.options = AlphaBetaOptions.of(options, thing="alphabeta")
        self.given = tuple(options)
        """The options that were given; the others are defaults."""
        if (players := players_of(self.game)) != 2:
            raise ValueError(f"alphabeta plays games of two players, and {self.game!r} has {players}")
        self._searcher = self._make_searcher()

    def choose(self, state: State) -> Move:
        """The move to play; without a search where there is only one."""
        moves = state.moves()
        return moves[0] if len(moves) == 1 else self.analyse(state).move

    def analyse(self, state: State, *, progress: Callable[[Analysis], object] | None = None) -> Analysis:
        """Search the position. `progress` gets the analysis so far, ten times a second."""
        options = self.options
        unlimited = not (options.depth or options.nodes or options.seconds)
        nodes = DEFAULT_NODES if unlimited else options.nodes or 0
        report = None
        if progress is not None:

            def report() -> None:
                progress(_analysis(state, self._searcher.report()))

        found = self._searcher.search(
            self._root(state), options.depth or 0, nodes, options.seconds or 0.0, report
        )
        return _analysis(state, found)

    def cancel(self) -> None:
        """End a running search soon, with what it has; from any thread or a signal handler.

        A search that has not begun yet is not affected.
        """
        self._searcher.cancel()

    def reset(self) -> None:
        """Forget the table, as before a new game."""
        self._searcher.forget()

    def __repr__(self) -> str:
        given = to_text(self.options, keep=True, only=self.given)
        options = (f"{key}={value}" for key, value in given.items())
        return f"AlphaBeta({', '.join([repr(self.game), *options])})"

    def _root(self, state: State) -> object:
        """What the search starts from, if the position is one of this bot's game."""
        if not is_position_of(self.game, state):
            raise ValueError(f"this bot plays {self.game!r}, and the position is not one of it: {state!r}")
        if hasattr(state, "determinize"):
            raise ValueError(f"alphabeta cannot search a game with hidden cards, as {self.game!r} is")
        return state.core if isinstance(state, NativeState) else state

    def _make_searcher(self) -> _core.AlphaBetaSearcher:
        given = self.options
        native = _core.AlphaBetaOptions()
        native.pvs = given.pvs
        native.killers = given.killers
        native.history = given.history
        native.quiescence = given.quiescence or 0
        native.lines = min(given.lines, 2**31 - 1)
        native.reuse = given.reuse
        native.seed = secrets.randbits(64) if given.seed is None else given.seed
        native.memory = (given.memory or 0) << 20
        return _core.AlphaBetaSearcher(native, getattr(self.game, "wrap", None), self._hooks())

    def _hooks(self) -> dict[str, Any]:
        """Every hook that is on, native where it can be."""
        hooks: dict[str, Any] = {}
        value = find_value(self.options.value, self.game)
        if value is not None:
            hooks["value"] = value
        ordering: Any = self.options.move_ordering
        if ordering == "game":
            ordering = getattr(getattr(self.game, "knowledge", None), "move_ordering", None)
        if ordering is not None and ordering != "off":
            hooks["move_ordering"] = getattr(ordering, "native", ordering)
        return hooks


def _analysis(state: State, found: Mapping[str, Any]) -> Analysis:
    """Positions visited count as the iterations of the search and as the visits of its root."""
    candidates = tuple(Candidate(*candidate) for candidate in cast(list[Any], found["candidates"]))
    counts = {"iterations": found["nodes"], "visits": found["nodes"], "memory_full": False}
    return Analysis(state=state, **{**found, **counts, "candidates": candidates})
