"""PUCT search with a network: its policy gives the priors, its value evaluates the leaves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, TypeVar

from tesuji import _core
from tesuji.any_game import Game
from tesuji.full_game import FullState
from tesuji.options import Options, option, takes
from tesuji.registry import spec_of
from tesuji.search.analysis import Analysis, Candidate
from tesuji.search.bot import GameOrOff, ProximityOption, SearchBot, common_hooks, core_options, native_hook
from tesuji.search.tablebase import TablebaseOption

ReportedT = TypeVar("ReportedT", Analysis, Candidate)

DEFAULT_VISITS = 400
BATCH_SIZE = 4
BATCH_SIZE_PER_THREAD = 2
"""The fewer leaves wait, the better the next is chosen."""
BATCH_SIZE_ON_GPU = 128
"""In Hex, visits per second of an H200 grow little with larger batches."""
EVALUATIONS_AT_ONCE_ON_GPU = 64
"""About as many as a GPU makes for one search in the time of one on one core."""


@dataclass(frozen=True, kw_only=True)
class ZeroOptions(Options):
    """Options of `Zero`."""

    removed: ClassVar[Mapping[str, str]] = {
        "collisions": "on a GPU, as many as leaves in a batch",
        "symmetries=average": "use symmetries=on or more visits",
    }
    renamed: ClassVar[Mapping[str, str]] = {
        "batch": "batch_size",
        "first_play": "first_play_reduction",
        "study_after": "proof_search_after",
    }

    net: str = option("game", "network file, or the name of a built-in network; game: the one for this game")
    visits: int | None = option(
        None,
        f"simulations per move; auto: {DEFAULT_VISITS}, with seconds no limit",
        minimum=1,
        maximum=4_000_000_000,
        none="auto",
    )
    seconds: float | None = option(None, "seconds per move", minimum=0.001)
    batch_size: int | None = option(
        None,
        f"leaves per network evaluation; auto: {BATCH_SIZE}, with several threads {BATCH_SIZE_PER_THREAD}, "
        f"on a GPU {BATCH_SIZE_ON_GPU}",
        minimum=1,
        maximum=1024,
        visibility="expert",
        none="auto",
    )
    threads: int = option(
        1, "threads that evaluate leaves with the network, each a batch of its own", minimum=1, maximum=256
    )
    device: Literal["cpu", "cuda"] = option("cpu", "where the network runs; cuda: on a GPU, with torch")
    c_puct: float = option(
        0.7,
        "c in c·P·√N/(1+n), the bonus for the network's policy",
        minimum=0,
        maximum=100,
        visibility="expert",
    )
    first_play_reduction: float = option(
        0.2,
        "r: an untried move counts as its parent − r·√(Σ tried priors)",
        minimum=0,
        maximum=10,
        visibility="expert",
    )
    symmetries: bool = option(False, "evaluate positions in a random symmetry", visibility="expert")
    proximity: ProximityOption = option(
        "off",
        "distant moves: soft lowers their priors, hard skips them unless all others lose; in Gomoku also "
        "filter, narrow, edge",
        visibility="expert",
    )
    prover: GameOrOff = option(
        "game", "search for forced wins at the root and at every new node", visibility="expert"
    )
    proof_search_after: int | None = option(
        None,
        "visits after which the prover searches a node; 0: never; auto: the game's own, "
        f"times the threads, times {EVALUATIONS_AT_ONCE_ON_GPU} on a GPU",
        minimum=0,
        maximum=4_000_000_000,
        none="auto",
        visibility="study",
    )
    solver: bool = option(
        True, "propagate proven results up the tree, and stop when the root is proven", visibility="expert"
    )
    tablebase: TablebaseOption = option(None, "endgame tablebase file, for games that support one")
    reuse: bool = option(True, "keep the search tree between moves", visibility="expert")
    memory: int = option(
        1024,
        "MiB for the tree, including the states of Python games",
        minimum=1,
        maximum=131_072,
    )
    seed: int | None = option(
        None,
        "seed for ties and symmetries; auto: a new one each time",
        minimum=0,
        maximum=2**64 - 1,
        none="auto",
    )


class Zero(SearchBot):
    """AlphaZero search with a trained network: `Zero(game, net="gomoku", visits=400).choose(state)`.

    Options as in `ZeroOptions`; by spec, `tesuji.bot("zero:net=gomoku,visits=400", game)`. For games of two
    players without chance moves and hidden cards.
    """

    Options = ZeroOptions
    options: ZeroOptions
    _searcher: _core.ZeroSearcher

    @takes(ZeroOptions, "zero")
    def __init__(self, game: Game | str, options: ZeroOptions) -> None:
        super().__init__(game)
        self.options = options
        from tesuji.models.network import Network  # here: numpy is slow to import

        self.network = Network(self._net(), self.game, device=self.options.device)
        self._searcher = self._make_searcher()

    def _search(
        self, root: object, options: ZeroOptions, report: Callable[[], None] | None
    ) -> Mapping[str, object]:
        visits = options.visits or (0 if options.seconds else DEFAULT_VISITS)
        return self._searcher.search(root, visits, options.seconds or 0.0, options.reuse, report)

    def _analysis(self, state: FullState, found: Mapping[str, object]) -> Analysis:
        from tesuji.models.network_format import calibrate

        def reported(one: ReportedT) -> ReportedT:
            temperature = self.network.description.value_temperature
            return one if one.proven is not None else replace(one, value=calibrate(one.value, temperature))

        analysis = super()._analysis(state, found)
        return reported(replace(analysis, candidates=tuple(map(reported, analysis.candidates))))

    def _make_searcher(self) -> _core.ZeroSearcher:
        given, knowledge = self.options, self.game.knowledge
        on_gpu = given.device == "cuda"
        threads = (
            max(given.threads, 2) if on_gpu else given.threads
        )  # the tree and the GPU work at the same time
        automatic = BATCH_SIZE_ON_GPU if on_gpu else BATCH_SIZE if threads == 1 else BATCH_SIZE_PER_THREAD
        hooks = common_hooks(given.proximity, given.tablebase, knowledge, self.game)
        if given.prover == "game" and (prover := native_hook(knowledge, "prover")) is not None:
            hooks["prover"] = prover
        native = core_options(
            _core.NetworkOptions,
            given,
            memory=given.memory << 20,
            prior_weight=given.c_puct,
            batch_size=given.batch_size or automatic,
            full_batches=on_gpu,
            # The prover, which is not parallel, does less the more evaluations are made in its time.
            evaluations_at_once=EVALUATIONS_AT_ONCE_ON_GPU if on_gpu else threads,
        )
        return _core.ZeroSearcher(
            native,
            self.network.planes.native,
            self.network,
            given.symmetries,
            self._from_core(),
            hooks,
            groups=threads + (not on_gpu and threads > 1),
            threads=threads,
        )

    def _net(self) -> str:
        """The network to open; `game` means the one that is shipped for this game."""
        from tesuji.models.bundled import BUNDLED, bundled_for

        if self.options.net != "game":
            return self.options.net
        spec = spec_of(self.game)
        found = bundled_for(spec)
        if found is None:
            raise ValueError(f"no network comes with {spec}: name a file, net=FILE ({', '.join(BUNDLED)})")
        return found
