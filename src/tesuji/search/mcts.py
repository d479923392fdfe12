"""Monte-Carlo tree search: one native search for native and Python games, and its options."""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias, cast

from tesuji import _core
from tesuji._helpers.seeds import derived_seed
from tesuji.any_game import Game
from tesuji.full_game import FullState
from tesuji.knowledge import Exploration, Knowledge, ThreatResponse, native_form
from tesuji.options import Options, option, takes
from tesuji.search.analysis import Analysis, Candidate
from tesuji.search.bot import ProximityOption, SearchBot, find_proximity, settings_of
from tesuji.search.priors import OrderingOption, PolicyOption, find_ordering, find_policy
from tesuji.search.tablebase import TablebaseOption, find_tablebase
from tesuji.search.values import ValueHook, ValueOption, find_value

DEFAULT_ITERATIONS = 10_000
LARGEST = 1_000_000

SOFT_PRIOR_WEIGHT = 0.5
"""Default of `prior_weight` with `proximity=soft`, which acts through the priors."""

Switch: TypeAlias = Literal["game", "off"]

HOOKS = ("threat_response", "playout_policy", "move_ordering", "exploration", "prover")


@dataclass(frozen=True, kw_only=True)
class MCTSOptions(Options):
    """Options of `MCTS`. A hook is the game's own, off, or (from Python) a function."""

    removed: ClassVar[Mapping[str, str]] = {
        "trees": "a search chooses how many trees share its threads",
        "processes": "use threads for a native game; play several games at once with --processes",
        "when_full": "a full tree stops growing, and the search goes on",
    }

    iterations: int | None = option(
        None,
        f"simulations per move; {DEFAULT_ITERATIONS:,} unless iterations or seconds is set",
        minimum=1,
        maximum=4_000_000_000,
    )
    seconds: float | None = option(None, "seconds per move", minimum=0.001)
    memory: int = option(
        1024,
        "MiB for the tree, including the states of Python games",
        minimum=1,
        maximum=131_072,
    )
    threads: int = option(
        1,
        "search threads",
        minimum=1,
        maximum=256,
    )
    seed: int | None = option(
        None,
        "random seed (reproducible with one thread and iterations); off: a new one each time",
        minimum=0,
        maximum=2**64 - 1,
    )
    reuse: bool = option(True, "keep the search tree between moves", visibility="expert")
    exploration: float | Switch | Exploration = option(
        "game",
        "C in Q + C·√(ln(N+1)/n); game: the game's own, √2 if it has none; off: √2",
        minimum=0,
        maximum=LARGEST,
    )
    first_play: float | None = option(
        None,
        "first-play urgency: value of an untried move; off: try every move once first",
        minimum=0,
        maximum=LARGEST,
        visibility="expert",
    )
    prior_weight: float = option(
        0.0,
        "w in w·P·√N/(1+n), the bonus for the move ordering's weights; 0.5 with proximity=soft",
        minimum=0,
        maximum=LARGEST,
        visibility="expert",
    )
    revisit: float = option(
        0.2,
        "u in u·R/(m·n), which visits every move again as N grows; 0: off",
        minimum=0,
        maximum=LARGEST,
        visibility="study",
    )
    expand_after: int = option(
        1, "visits before a node is expanded", minimum=1, maximum=LARGEST, visibility="study"
    )
    rave: Literal["node", "global", "off"] = option(
        "off", "all-moves-as-first statistics: per node or in one global table"
    )
    rave_k: float = option(
        500.0, "k in β = √(k/(3n+k)), the weight of RAVE", minimum=0.001, maximum=1e9, visibility="expert"
    )
    solver: bool = option(
        True, "propagate proven results up the tree, and stop when the root is proven", visibility="expert"
    )
    tablebase: TablebaseOption = option(None, "endgame tablebase file, for games that support one")
    playout_depth: int | None = option(
        None,
        "plies of a playout before evaluation; off: play to the end of the game",
        minimum=0,
        maximum=LARGEST,
    )
    knowledge: Switch | Knowledge = option(
        "game", "knowledge hooks to use; off: none, which overrides the options below", visibility="expert"
    )
    value: Literal["boolean"] | ValueOption = option(
        "game",
        "evaluation where a playout is cut: the game's objectives (boolean: as 0 or 1) or a model file",
    )
    threat_response: Literal["root"] | Switch | ThreatResponse = option(
        "game",
        "search answers to a threat first, or only those if it is urgent; root: at the root only",
        visibility="expert",
    )
    playout_policy: PolicyOption = option(
        "game",
        "playout policy: the game's own or drawn from a prior file; off: uniformly random",
        visibility="expert",
    )
    move_ordering: OrderingOption = option(
        "game", "order in which moves are first tried, and their priors: the game's own or a prior file"
    )
    prover: Switch = option(
        "game", "search for forced wins at the root and at every new node", visibility="expert"
    )
    study_after: int | None = option(
        None,
        "visits after which the prover studies a node, in some games; 0: never; off: the game's own",
        minimum=0,
        maximum=4_000_000_000,
        visibility="study",
    )
    proximity: ProximityOption = option(
        "off",
        "distant moves: soft lowers their priors, hard skips them unless all others lose; in Gomoku also "
        "filter, narrow, edge",
    )


class MCTS(SearchBot):
    """Monte Carlo tree search: `MCTS(Hex(size=9), iterations=5000).choose(state)`.

    Options as in `MCTSOptions`; by spec, `tesuji.bot("mcts:iterations=5000,rave=off", game)`.

    >>> import tesuji
    >>> game = tesuji.game("hex:size=9")
    >>> bot = MCTS(game, iterations=500, seed=1)
    >>> analysis = bot.analyse(game.start())
    >>> analysis.iterations, sum(candidate.visits for candidate in analysis.candidates)
    (500, 500)
    """

    Options = MCTSOptions
    options: MCTSOptions
    _searcher: _core.Searcher

    @takes(MCTSOptions, "mcts")
    def __init__(self, game: Game | str, options: MCTSOptions) -> None:
        super().__init__(game)
        self._knowledge = self._find_knowledge(options.knowledge)
        settings = settings_of(self._knowledge, MCTSOptions)
        if self._knowledge is not None and options.move_ordering == "game":
            weight = getattr(self._knowledge.move_ordering, "prior_weight", None)
            settings = settings if weight is None else {"prior_weight": weight, **settings}
        if options.proximity == "soft" and not settings.get("prior_weight"):
            settings = {**settings, "prior_weight": SOFT_PRIOR_WEIGHT}
        self.options = self._with_settings(options, settings)
        if self._knowledge is None:
            for name in HOOKS:
                given = getattr(self.options, name)
                if callable(given) or (isinstance(given, str) and given not in ("game", "root", "off")):
                    raise ValueError(f"knowledge=off disables all hooks, but {name} was given")
            if self.options.value not in ("game", "off"):
                raise ValueError("knowledge=off disables all hooks, but value was given")
        if self.options.playout_depth is None and options.value not in ("game", "off"):
            raise ValueError(
                "value needs playout_depth: it evaluates the position where a playout is cut off"
            )
        self._searcher = self._make_searcher()

    @property
    def trees(self) -> int:
        """Number of trees that share the threads; the visits of the root's moves are added."""
        return self._searcher.trees

    def _search(
        self, root: object, options: MCTSOptions, report: Callable[[], None] | None
    ) -> Mapping[str, Any]:
        iterations = options.iterations or (0 if options.seconds else DEFAULT_ITERATIONS)
        return self._searcher.search(root, iterations, options.seconds or 0.0, options.reuse, report)

    def _analysis(self, state: FullState, found: Mapping[str, Any]) -> Analysis:
        candidates = tuple(Candidate(*candidate) for candidate in cast(list[Any], found["candidates"]))
        return Analysis(state=state, **{**found, "candidates": candidates})

    def _make_searcher(self) -> _core.Searcher:
        native, hooks = native_options(self.options), self._hooks()
        if isinstance(hooks.get("exploration"), int | float):
            native.exploration = float(hooks.pop("exploration"))
        seeds = [derived_seed(native.seed, "tree", number) for number in range(1, native.threads)]
        return _core.Searcher(native, self.game.players, self._wrap(), hooks, seeds)

    def _find_knowledge(self, given: object) -> Knowledge | None:
        if isinstance(given, Knowledge):
            return given
        return None if given == "off" else self.game.knowledge

    def _boolean_objectives(self) -> Any:
        """The knowledge's objectives in their boolean form."""
        objectives = self._knowledge.objectives if self._knowledge else None
        if objectives is None:
            raise ValueError(f"value=boolean: the knowledge of {self.game.display_name} has no objectives")
        boolean = getattr(objectives, "boolean", None)
        if boolean is None:
            raise ValueError(f"value=boolean: {objectives!r} has no method boolean()")
        return boolean()

    def _value(self) -> ValueHook | None:
        """The value at the cut-off; `game` means the objectives of this bot's knowledge."""
        given = self.options.value
        if given == "boolean":
            given = self._boolean_objectives()
        elif given == "game":
            given = (self._knowledge.objectives if self._knowledge else None) or "off"
        return find_value(given, self.game)

    def _hooks(self) -> dict[str, Any]:
        """The hooks that are on; a hook's native version where it has one."""
        chosen: dict[str, Any] = {}
        for name in HOOKS:
            hook = getattr(self.options, name)
            if hook == "off" or (self._knowledge is None and hook in ("game", "root")):
                continue
            if name == "move_ordering":
                hook = find_ordering(hook, self._knowledge or Knowledge(), self.game)
            elif name == "playout_policy":
                hook = find_policy(hook, self._knowledge or Knowledge(), self.game)
            elif hook in ("game", "root"):
                hook = getattr(self._knowledge, name)
            if hook is not None:
                chosen[name] = native_form(hook)
        if (value := self._value()) is not None:
            chosen["value"] = value
        if self.options.proximity != "off":
            chosen["proximity"] = find_proximity(self._knowledge, self.game, self.options.proximity)
        if (tablebase := find_tablebase(self.options.tablebase, self.game)) is not None:
            chosen["tablebase"] = tablebase
        return chosen


def native_options(options: MCTSOptions) -> _core.SearchOptions:
    """The options as the core takes them; an exploration from the game's knowledge is set later."""
    native = _core.SearchOptions()
    if isinstance(options.exploration, float):
        native.exploration = options.exploration
    native.rave = options.rave
    native.rave_k = options.rave_k
    native.prior_weight = options.prior_weight
    native.revisit = options.revisit
    native.first_play = math.inf if options.first_play is None else options.first_play
    native.expand_after = options.expand_after
    native.threats_at_root_only = options.threat_response == "root"
    native.playout_depth = -1 if options.playout_depth is None else options.playout_depth
    native.hard_proximity = options.proximity not in ("off", "soft")
    native.solver = options.solver
    native.study_after = -1 if options.study_after is None else options.study_after
    native.seed = secrets.randbits(64) if options.seed is None else options.seed
    native.threads = options.threads
    native.memory = options.memory << 20
    return native
