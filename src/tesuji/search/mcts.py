"""Monte-Carlo tree search: one native search for native and Python games, and its options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from tesuji import _core
from tesuji._helpers.seeds import derived_seed
from tesuji.any_game import Game
from tesuji.knowledge import Exploration, Knowledge, ThreatResponse, native_form
from tesuji.options import Options, option, takes
from tesuji.search.bot import (
    GameOrOff,
    ProximityOption,
    SearchBot,
    common_hooks,
    core_options,
    settings_of,
)
from tesuji.search.priors import OrderingOption, PolicyOption, find_ordering, find_policy
from tesuji.search.tablebase import TablebaseOption
from tesuji.search.values import ValueHook, ValueOption, find_value

DEFAULT_ITERATIONS = 10_000
LARGEST = 1_000_000

SOFT_PRIOR_WEIGHT = 0.5
"""Default of `prior_weight` with `proximity=soft`, which acts through the priors."""

HOOKS = ("threat_response", "playout_policy", "move_ordering", "exploration", "prover")


@dataclass(frozen=True, kw_only=True)
class MCTSOptions(Options):
    """Options of `MCTS`. A hook is the game's own, off, or (from Python) a function."""

    removed: ClassVar[Mapping[str, str]] = {
        "trees": "a search chooses how many trees share its threads",
        "processes": "use threads for a native game; play several games at once with --processes",
        "when_full": "a full tree stops growing, and the search goes on",
    }
    renamed: ClassVar[Mapping[str, str]] = {
        "revisit": "exploration_floor",
        "study_after": "proof_search_after",
    }

    iterations: int | None = option(
        None,
        f"simulations per move; auto: {DEFAULT_ITERATIONS:,}, with seconds no limit",
        minimum=1,
        maximum=4_000_000_000,
        none="auto",
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
        "random seed (reproducible with one thread and iterations); auto: a new one each time",
        minimum=0,
        maximum=2**64 - 1,
        none="auto",
    )
    reuse: bool = option(True, "keep the search tree between moves", visibility="expert")
    exploration: float | Literal["game", "auto"] | Exploration = option(
        "game",
        "C in Q + C·√(ln(N+1)/n); game: the game's own, √2 if it has none; auto: √2",
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
    exploration_floor: float = option(
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
    knowledge: GameOrOff | Knowledge = option(
        "game", "knowledge hooks to use; off: none, which overrides the options below", visibility="expert"
    )
    value: Literal["boolean"] | ValueOption = option(
        "game",
        "evaluation where a playout is cut: the game's objectives (boolean: as 0 or 1) or a model file",
    )
    threat_response: Literal["root"] | GameOrOff | ThreatResponse = option(
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
    prover: GameOrOff = option(
        "game", "search for forced wins at the root and at every new node", visibility="expert"
    )
    proof_search_after: int | None = option(
        None,
        "visits after which the prover searches a node, in some games; 0: never; auto: the game's own",
        minimum=0,
        maximum=4_000_000_000,
        none="auto",
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
                given = vars(self.options)[name]
                if callable(given) or (
                    isinstance(given, str) and given not in ("game", "root", "auto", "off")
                ):
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
    ) -> Mapping[str, object]:
        iterations = options.iterations or (0 if options.seconds else DEFAULT_ITERATIONS)
        return self._searcher.search(root, iterations, options.seconds or 0.0, options.reuse, report)

    def _make_searcher(self) -> _core.Searcher:
        options, hooks = self.options, self._hooks()
        exploration = options.exploration if isinstance(options.exploration, float) else None
        if isinstance(number := hooks.get("exploration"), int | float):
            exploration = float(number)
            del hooks["exploration"]
        native = core_options(
            _core.PlayoutOptions,
            options,
            exploration=exploration,
            memory=options.memory << 20,
            threats_at_root_only=options.threat_response == "root",
        )
        seeds = [derived_seed(native.seed, "tree", number) for number in range(1, native.threads)]
        return _core.Searcher(native, self.game.players, self._from_core(), hooks, seeds)

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

    def _hooks(self) -> dict[str, object]:
        """The hooks that are on; a hook's native version where it has one."""
        chosen = common_hooks(self.options.proximity, self.options.tablebase, self._knowledge, self.game)
        for name in HOOKS:
            hook = vars(self.options)[name]
            if hook in ("off", "auto") or (self._knowledge is None and hook in ("game", "root")):
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
        return chosen
