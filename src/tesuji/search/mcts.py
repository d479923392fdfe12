"""Monte-Carlo tree search: one native search for native and Python games, and its options."""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Unpack, cast

from tesuji import _core
from tesuji.game import Game, State, players_of, shown
from tesuji.knowledge import Exploration, Knowledge, ThreatResponse
from tesuji.options import Options, option
from tesuji.search import root_parallel
from tesuji.search.analysis import Analysis, Candidate
from tesuji.search.bot import Progress, ProximityOption, SearchBot, find_proximity, settings_of
from tesuji.search.priors import OrderingOption, PolicyOption, find_ordering, find_policy
from tesuji.search.tablebase import TablebaseOption, find_tablebase
from tesuji.search.values import ValueHook, ValueOption, find_value
from tesuji.seeds import derived_seed

if TYPE_CHECKING:
    from tesuji.search.keywords import Limits, MCTSKeywords

DEFAULT_ITERATIONS = 10_000
LARGEST = 1_000_000

SOFT_PRIOR_WEIGHT = 0.5
"""Default of `prior_weight` with `proximity=soft`, which acts through the priors."""

THREADS_PER_TREE = 4
"""With RAVE; docs/search.md has the matches."""

Switch: TypeAlias = Literal["game", "off"]

HOOKS = ("threat_response", "playout_policy", "move_ordering", "exploration", "prover")


@dataclass(frozen=True, kw_only=True)
class MCTSOptions(Options):
    """Options of `MCTS`. A hook is the game's own, off, or (from Python) a function."""

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
    when_full: Literal["go-on", "stop"] = option(
        "go-on", "when memory is full: continue without growing the tree, or stop"
    )
    threads: int = option(
        1,
        "search threads",
        minimum=1,
        maximum=256,
    )
    trees: int | None = option(
        None,
        "separate trees that share the threads; the visits of the root's moves are added; off: one, but with "
        f"RAVE one for every {THREADS_PER_TREE} threads, at least 2 if there are several, and without RAVE "
        "and knowledge as many as threads",
        minimum=1,
        maximum=256,
    )
    processes: int = option(
        1, "processes for a game written in Python, each with its own tree", minimum=1, maximum=256
    )
    seed: int | None = option(
        None,
        "random seed (reproducible with one thread and iterations); off: a new one each time",
        minimum=0,
        maximum=2**64 - 1,
    )
    reuse: bool = option(True, "keep the search tree between moves")
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
    )
    prior_weight: float = option(
        0.0,
        "w in w·P·√N/(1+n), the bonus for the move ordering's weights; 0.5 with proximity=soft",
        minimum=0,
        maximum=LARGEST,
    )
    revisit: float = option(
        0.2, "u in u·R/(m·n), which visits every move again as N grows; 0: off", minimum=0, maximum=LARGEST
    )
    expand_after: int = option(1, "visits before a node is expanded", minimum=1, maximum=LARGEST)
    rave: Literal["node", "global", "off"] = option(
        "off", "all-moves-as-first statistics: per node or in one global table"
    )
    rave_k: float = option(500.0, "k in β = √(k/(3n+k)), the weight of RAVE", minimum=0.001, maximum=1e9)
    solver: bool = option(True, "propagate proven results up the tree, and stop when the root is proven")
    tablebase: TablebaseOption = option(None, "endgame tablebase file, for games that support one")
    playout_depth: int | None = option(
        None,
        "plies of a playout before evaluation; off: play to the end of the game",
        minimum=0,
        maximum=LARGEST,
    )
    knowledge: Switch | Knowledge = option(
        "game", "knowledge hooks to use; off: none, which overrides the options below"
    )
    value: Literal["boolean"] | ValueOption = option(
        "game",
        "evaluation where a playout is cut: the game's objectives (boolean: as 0 or 1) or a model file",
    )
    threat_response: Literal["root"] | Switch | ThreatResponse = option(
        "game", "search answers to a threat first, or only those if it is urgent; root: at the root only"
    )
    playout_policy: PolicyOption = option(
        "game", "playout policy: the game's own or drawn from a prior file; off: uniformly random"
    )
    move_ordering: OrderingOption = option(
        "game", "order in which moves are first tried, and their priors: the game's own or a prior file"
    )
    prover: Switch = option("game", "search for forced wins at the root and at every new node")
    study_after: int | None = option(
        None,
        "visits after which the prover studies a node, in some games; 0: never; off: the game's own",
        minimum=0,
        maximum=4_000_000_000,
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
    limits = ("iterations", "seconds")
    options: MCTSOptions
    _searcher: _core.Searcher

    def __init__(self, game: Game | str, **options: Unpack[MCTSKeywords]) -> None:
        super().__init__(game, options)
        self._knowledge = self._find_knowledge(options.get("knowledge", "game"))
        settings = settings_of(self._knowledge, MCTSOptions)
        if self._knowledge is not None and options.get("move_ordering", "game") == "game":
            weight = getattr(self._knowledge.move_ordering, "prior_weight", None)
            settings = settings if weight is None else {"prior_weight": weight, **settings}
        if options.get("proximity") == "soft" and not settings.get("prior_weight"):
            settings = {**settings, "prior_weight": SOFT_PRIOR_WEIGHT}
        self.options = MCTSOptions.of({**settings, **options}, thing="mcts")
        if self._knowledge is None:
            for name in HOOKS:
                given = getattr(self.options, name)
                if callable(given) or (isinstance(given, str) and given not in ("game", "root", "off")):
                    raise ValueError(f"knowledge=off disables all hooks, but {name} was given")
            if self.options.value not in ("game", "off"):
                raise ValueError("knowledge=off disables all hooks, but value was given")
        if self.options.playout_depth is None and options.get("value", "game") not in ("game", "off"):
            raise ValueError(
                "value needs playout_depth: it evaluates the position where a playout is cut off"
            )
        if self.options.processes > 1:
            self._check_processes()
        self._searcher = self._make_searcher(self.options)
        self.trees = self._count_trees(self._searcher.threads)
        if self.trees > 1:
            self._searcher = self._make_searcher(replace(self.options, **self._share(0)))
        self._others = [
            MCTS(self.game, **{**options, **self._share(number)}) for number in range(1, self.trees)
        ]

    def analyse(
        self, state: State, *, progress: Progress | None = None, **limits: Unpack[Limits]
    ) -> Analysis:
        """Search the position, with `processes` or `trees` in all of them; `progress` tells of this one."""
        options = self._within(limits) if limits else self.options
        count = max(self.options.processes, self.trees)
        if count == 1:
            return super().analyse(state, progress=progress, **limits)
        budgets = self._budgets(options, count)
        with self._beside(state, budgets[1:]) as others:
            own = super().analyse(state, progress=progress, **budgets[0])
            if own.stopped in ("cancelled", "proven"):
                return own
            return root_parallel.merged(own, others.results())

    def _beside(
        self, state: State, budgets: Sequence[Limits]
    ) -> root_parallel.Threads | root_parallel.Children:
        """The other searches, each with its limits: of the other trees, or in processes."""
        if self._others:
            searches = [
                partial(other.analyse, state, **budget)
                for other, budget in zip(self._others, budgets, strict=False)
            ]
            return root_parallel.Threads(searches, self._cancel_others)
        return root_parallel.Children(
            [partial(self._search_beside, state, budget, number) for number, budget in enumerate(budgets, 1)]
        )

    def cancel(self) -> None:
        """Stop a running search soon, in all trees."""
        super().cancel()
        self._cancel_others()

    def reset(self) -> None:
        """Clear the trees and restart from the seed, as for a new game."""
        super().reset()
        for other in self._others:
            other.reset()

    def _cancel_others(self) -> None:
        for other in self._others:
            other.cancel()

    def _budgets(self, options: MCTSOptions, most: int) -> list[Limits]:
        """The limits of each process or tree: they share the iterations, and all have the same time."""
        total = options.iterations or (None if options.seconds else DEFAULT_ITERATIONS)
        count = most if total is None else min(most, total)
        shares: list[int | None] = [None] * count
        if total is not None:
            shares = [total // count + (number < total % count) for number in range(count)]
        return [{"iterations": share, "seconds": options.seconds} for share in shares]

    def _search_beside(self, state: State, limits: Limits, number: int) -> Mapping[str, Any]:
        """In a child process: search with another seed, and a share of the memory."""
        seed = None if self.options.seed is None else derived_seed(self.options.seed, "process", number)
        memory = max(1, self.options.memory // self.options.processes)
        self.options = replace(self.options, processes=1, seed=seed, memory=memory)
        self._searcher = self._make_searcher(self.options)
        return root_parallel.by_index(self.analyse(state, **limits))

    def _share(self, number: int) -> dict[str, Any]:
        """The options of one of several trees: its threads, its memory and its seed."""
        trees, threads, seed = self.trees, self.options.threads, self.options.seed
        return {
            "trees": 1,
            "threads": threads // trees + (number < threads % trees),
            "memory": max(1, self.options.memory // trees),
            "seed": seed if seed is None or number == 0 else derived_seed(seed, "tree", number),
        }

    def _count_trees(self, threads: int) -> int:
        """How many trees to search with so many threads, which are one where Python is called."""
        given = self.options.trees
        if given is None:
            if self.options.rave != "off":
                return trees_for(threads)
            return threads if self._knowledge is None else 1
        if self.options.threads < given:
            raise ValueError(f"trees={given} need as many threads or more, not {self.options.threads}")
        if given > 1 and not hasattr(self.game, "wrap"):
            raise ValueError(f"trees are for native games; use processes for {shown(self.game)}")
        return given

    def _check_processes(self) -> None:
        if self._wrap() is not None:
            raise ValueError(f"processes are for games written in Python; use threads for {shown(self.game)}")
        if self.options.threads > 1:
            raise ValueError("use processes or threads, not both")
        if not root_parallel.available():
            raise ValueError("processes need a system that can fork, such as Linux or macOS")

    def _search(
        self, root: object, options: MCTSOptions, report: Callable[[], None] | None
    ) -> Mapping[str, Any]:
        iterations = options.iterations or (0 if options.seconds else DEFAULT_ITERATIONS)
        return self._searcher.search(root, iterations, options.seconds or 0.0, options.reuse, report)

    def _analysis(self, state: State, found: Mapping[str, Any]) -> Analysis:
        candidates = tuple(Candidate(*candidate) for candidate in cast(list[Any], found["candidates"]))
        return Analysis(state=state, **{**found, "candidates": candidates})

    def _make_searcher(self, options: MCTSOptions) -> _core.Searcher:
        native, hooks = native_options(options), self._hooks()
        if isinstance(hooks.get("exploration"), int | float):
            native.exploration = float(hooks.pop("exploration"))
        return _core.Searcher(native, players_of(self.game), self._wrap(), hooks)

    def _find_knowledge(self, given: object) -> Knowledge | None:
        if isinstance(given, Knowledge):
            return given
        return None if given == "off" else getattr(self.game, "knowledge", None) or Knowledge()

    def _boolean_objectives(self) -> Any:
        """The knowledge's objectives in their boolean form."""
        objectives = self._knowledge.objectives if self._knowledge else None
        if objectives is None:
            raise ValueError(f"value=boolean: the knowledge of {shown(self.game)} has no objectives")
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
                hook = find_ordering(hook, self._knowledge, self.game)
            elif name == "playout_policy":
                hook = find_policy(hook, self._knowledge, self.game)
            elif hook in ("game", "root"):
                hook = getattr(self._knowledge, name, None)
            if hook is not None:
                chosen[name] = getattr(hook, "native", None) or hook
        if (value := self._value()) is not None:
            chosen["value"] = value
        if self.options.proximity != "off":
            chosen["proximity"] = find_proximity(self._knowledge, self.game, self.options.proximity)
        if (tablebase := find_tablebase(self.options.tablebase, self.game)) is not None:
            chosen["tablebase"] = tablebase
        return chosen


def trees_for(threads: int) -> int:
    """How many trees are best with RAVE, where threads often meet.

    >>> [trees_for(threads) for threads in (1, 2, 8, 16, 30)]
    [1, 2, 2, 4, 7]
    """
    return 1 if threads == 1 else max(2, threads // THREADS_PER_TREE)


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
    native.stop_when_full = options.when_full == "stop"
    return native
