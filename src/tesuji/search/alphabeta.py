"""Alpha-beta: one native search for native and Python games of two players, and its options."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from tesuji import _core
from tesuji.any_game import Game
from tesuji.full_game import CHANCE, FullState
from tesuji.knowledge import ThreatResponse, native_form
from tesuji.options import Options, option, takes
from tesuji.search.bot import (
    GameOrOff,
    ProximityOption,
    SearchBot,
    common_hooks,
    core_options,
    settings_of,
)
from tesuji.search.priors import OrderingOption, find_ordering
from tesuji.search.tablebase import TablebaseOption
from tesuji.search.values import ValueOption, find_value

DEFAULT_NODES = 100_000
PROBED_PLIES = 200

HOOKS = ("threat_response", "move_ordering", "prover")


@dataclass(frozen=True, kw_only=True)
class AlphaBetaOptions(Options):
    """Options of `AlphaBeta`. A hook is the game's own, off, or (from Python) a function."""

    removed: ClassVar[Mapping[str, str]] = {"move_count": "futility=on prunes by the number of moves too"}

    depth: int | None = option(None, "maximum search depth in plies", minimum=1, maximum=1000)
    nodes: int | None = option(
        None,
        f"nodes per move; auto: {DEFAULT_NODES:,}, with depth or seconds no limit",
        minimum=1,
        maximum=10**15,
        none="auto",
    )
    seconds: float | None = option(None, "seconds per move", minimum=0.001)
    value: ValueOption = option(
        "game", "leaf evaluation: the game's objectives or a model file; off: every leaf is 0.5"
    )
    move_ordering: OrderingOption = option(
        "game", "order in which moves are first tried: the game's own or a prior file", visibility="expert"
    )
    threat_response: GameOrOff | ThreatResponse = option(
        "game", "search answers to a threat first, or only those if it is urgent", visibility="expert"
    )
    prover: GameOrOff = option("game", "search for forced wins at the root", visibility="expert")
    proximity: ProximityOption = option(
        "off",
        "distant moves: soft orders them last, hard skips them unless all others lose; in Gomoku also "
        "filter, narrow, edge",
        visibility="expert",
    )
    quiescence: int | None = option(
        16,
        "maximum plies of quiescence search, for games that define noisy moves",
        minimum=1,
        maximum=64,
        visibility="expert",
    )
    tablebase: TablebaseOption = option(None, "endgame tablebase file, for games that support one")
    lines: int = option(
        1, "number of best moves with exact values; the others get a bound", minimum=1, visibility="expert"
    )
    memory: int | None = option(
        64,
        "MiB for the transposition table (half of it for states of Python games); off: no table",
        minimum=1,
        maximum=131_072,
    )
    threads: int = option(
        1, "search threads; 1 makes a search repeatable and is needed for Python code", minimum=1, maximum=256
    )
    reuse: bool = option(True, "keep the transposition table between moves", visibility="expert")
    pvs: bool = option(
        True, "principal variation search: zero-window search of later moves", visibility="study"
    )
    aspiration: bool = option(
        True,
        "aspiration window: determine how long a win or loss takes only if the root is won or lost",
        visibility="study",
    )
    killers: bool = option(
        True, "killer heuristic: try moves early that refuted a sibling position", visibility="study"
    )
    history: bool = option(
        True, "history heuristic: try moves early that refuted other positions", visibility="study"
    )
    reductions: bool = option(
        True,
        "search late quiet moves, and positions without a known best move, less deeply first",
        visibility="expert",
    )
    futility: bool = option(
        False,
        "futility and move-count pruning: trust the value of quiet positions far outside the window, and "
        "search only the first quiet moves at low depth",
        visibility="study",
    )
    seed: int | None = option(
        None,
        "seed for ties between equal moves; auto: a new one each time",
        minimum=0,
        maximum=2**64 - 1,
        none="auto",
    )


class AlphaBeta(SearchBot):
    """Alpha-beta search with iterative deepening: `AlphaBeta(Hex(size=5), depth=6).choose(state)`.

    Options as in `AlphaBetaOptions`; by spec, `tesuji.bot("alphabeta:depth=6", game)`. For games of two
    players without chance moves and hidden cards.

    >>> import tesuji
    >>> game = tesuji.game("hex:size=3")
    >>> analysis = AlphaBeta(game, value="off", seed=1).analyse(tesuji.replay(game, "a1"))
    >>> analysis.proven, analysis.plies, analysis.stopped
    (1.0, 5, 'proven')
    """

    Options = AlphaBetaOptions
    options: AlphaBetaOptions
    _searcher: _core.AlphaBetaSearcher

    @takes(AlphaBetaOptions, "alphabeta")
    def __init__(self, game: Game | str, options: AlphaBetaOptions) -> None:
        super().__init__(game)
        self.options = self._with_settings(options, settings_of(self.game.knowledge, AlphaBetaOptions))
        if (players := self.game.players) != 2:
            raise ValueError(
                f"alphabeta plays two-player games; {self.game.display_name} has {players} players"
            )
        if (what := _unsupported(self.game.start())) is not None:
            raise ValueError(f"alphabeta cannot search a game with {what}, such as {self.game.display_name}")
        self._searcher = self._make_searcher()

    def _search(
        self, root: object, options: AlphaBetaOptions, report: Callable[[], None] | None
    ) -> Mapping[str, object]:
        unlimited = not (options.depth or options.nodes or options.seconds)
        nodes = DEFAULT_NODES if unlimited else options.nodes or 0
        return self._searcher.search(root, options.depth or 0, nodes, options.seconds or 0.0, report)

    def _make_searcher(self) -> _core.AlphaBetaSearcher:
        options = self.options
        native = core_options(
            _core.AlphaBetaOptions,
            options,
            quiescence=options.quiescence or 0,
            memory=(options.memory or 0) << 20,
            lines=min(options.lines, 2**31 - 1),
        )
        return _core.AlphaBetaSearcher(native, self._from_core(), self._hooks())

    def _hooks(self) -> dict[str, object]:
        """The hooks that are on; a hook's native version where it has one."""
        hooks = common_hooks(self.options.proximity, self.options.tablebase, self.game.knowledge, self.game)
        value = find_value(self.options.value, self.game)
        if value is not None:
            hooks["value"] = value
        knowledge = self.game.knowledge
        for name in HOOKS:
            hook: object = vars(self.options)[name]
            if name == "move_ordering":
                hook = find_ordering(self.options.move_ordering, knowledge, self.game)
            elif hook == "game":
                hook = getattr(knowledge, name)
            if hook is not None and hook != "off":
                hooks[name] = native_form(hook)
        return hooks


def _unsupported(state: FullState) -> str | None:
    """The feature of a game that alpha-beta cannot search; chance moves are looked for in one random game."""
    if state.hidden:
        return "hidden cards"
    rng = random.Random(0)
    for _ in range(PROBED_PLIES if state.offers("chances") else 0):
        if state.scores() is not None:
            break
        if state.player == CHANCE:
            return "chance moves"
        state = state.play(rng.choice(state.moves()))
    return None
