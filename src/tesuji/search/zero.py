"""PUCT search with a network: its policy gives the priors, its value evaluates the leaves."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Unpack, cast

from tesuji import _core
from tesuji.game import Game, State
from tesuji.options import Options, option
from tesuji.registry import spec_of
from tesuji.search.analysis import Analysis, Candidate
from tesuji.search.bot import ProximityOption, SearchBot, find_proximity, native_hook
from tesuji.search.tablebase import TablebaseOption, find_tablebase

if TYPE_CHECKING:
    from tesuji.models.network import Evaluate
    from tesuji.search.keywords import ZeroKeywords

DEFAULT_VISITS = 400
BATCH = 4
BATCH_PER_THREAD = 2
"""The fewer leaves wait, the better the next is chosen."""
BATCH_ON_GPU = 128
"""In Hex, an H200 had 53, 74 and 80 times the visits of one core with batches of 64, 128 and 256."""
EVALUATIONS_AT_ONCE_ON_GPU = 64
"""About as many as a GPU makes for one search in the time of one on one core."""


@dataclass(frozen=True, kw_only=True)
class ZeroOptions(Options):
    """Options of `Zero`."""

    net: str = option("game", "network file, or the name of a built-in network; game: the one for this game")
    visits: int | None = option(
        None,
        f"simulations per move; {DEFAULT_VISITS} unless visits or seconds is set",
        minimum=1,
        maximum=4_000_000_000,
    )
    seconds: float | None = option(None, "seconds per move", minimum=0.001)
    batch: int | None = option(
        None,
        f"leaves per network evaluation; {BATCH} unless set, {BATCH_PER_THREAD} with several threads, "
        f"{BATCH_ON_GPU} on a GPU",
        minimum=1,
        maximum=1024,
    )
    collisions: int | None = option(
        None,
        "simulations that may reach a leaf of their own batch before it is evaluated as it is; 0 unless set, "
        "as many as leaves on a GPU",
        minimum=0,
        maximum=4096,
    )
    threads: int = option(
        1, "threads that evaluate leaves with the network, each a batch of its own", minimum=1, maximum=256
    )
    device: Literal["cpu", "cuda"] = option("cpu", "where the network runs; cuda: on a GPU, with torch")
    c_puct: float = option(
        0.7, "c in c·P·√N/(1+n), the bonus for the network's policy", minimum=0, maximum=100
    )
    first_play: float = option(
        0.2,
        "first-play reduction r: an untried move counts as its parent − r·√(Σ tried priors)",
        minimum=0,
        maximum=10,
    )
    symmetries: bool | Literal["average"] = option(
        False, "evaluate positions in a random symmetry; average: in all of them"
    )
    proximity: ProximityOption = option(
        "off",
        "distant moves: soft lowers their priors, hard skips them unless all others lose; in Gomoku also "
        "filter, narrow, edge",
    )
    prover: Literal["game", "off"] = option(
        "game", "search for forced wins at the root and at every new node"
    )
    study_after: int | None = option(
        None,
        "visits after which the prover studies a node; 0: never; off: the game's own, "
        f"times the threads, times {EVALUATIONS_AT_ONCE_ON_GPU} on a GPU",
        minimum=0,
        maximum=4_000_000_000,
    )
    solver: bool = option(True, "propagate proven results up the tree, and stop when the root is proven")
    tablebase: TablebaseOption = option(None, "endgame tablebase file, for games that support one")
    reuse: bool = option(True, "keep the search tree between moves")
    memory: int = option(
        1024,
        "MiB for the tree, including the states of Python games",
        minimum=1,
        maximum=131_072,
    )
    seed: int | None = option(
        None,
        "seed for ties and symmetries; off: a new one each time",
        minimum=0,
        maximum=2**64 - 1,
    )


class Zero(SearchBot):
    """AlphaZero search with a trained network: `Zero(game, net="gomoku", visits=400).choose(state)`.

    Options as in `ZeroOptions`; by spec, `tesuji.bot("zero:net=gomoku,visits=400", game)`. For games of two
    players without chance moves and hidden cards.
    """

    Options = ZeroOptions
    limits = ("visits", "seconds")
    options: ZeroOptions
    _searcher: _core.ZeroSearcher

    def __init__(self, game: Game | str, **options: Unpack[ZeroKeywords]) -> None:
        super().__init__(game, options)
        self._native_rules = None  # the planes of such a game need its Python states
        self.options = ZeroOptions.of(options, thing="zero")
        from tesuji.models.network import Network  # here: numpy is slow to import

        self.network = Network(self._net(), self.game, device=self.options.device)
        self._searcher = self._make_searcher()

    def _search(
        self, root: object, options: ZeroOptions, report: Callable[[], None] | None
    ) -> Mapping[str, Any]:
        visits = options.visits or (0 if options.seconds else DEFAULT_VISITS)
        return self._searcher.search(root, visits, options.seconds or 0.0, options.reuse, report)

    def _analysis(self, state: State, found: Mapping[str, Any]) -> Analysis:
        from tesuji.models.network_format import calibrate

        def reported(value: float, proven: float | None) -> float:
            if proven is not None:
                return value
            return calibrate(value, self.network.description.value_temperature)

        candidates = tuple(
            replace(candidate, value=reported(candidate.value, candidate.proven))
            for candidate in (Candidate(*fields) for fields in cast(list[Any], found["candidates"]))
        )
        known = {key: value for key, value in found.items() if key != "evaluations"}
        known["value"] = reported(known["value"], known["proven"])
        return Analysis(state=state, **{**known, "candidates": candidates})

    def _make_searcher(self) -> _core.ZeroSearcher:
        given = self.options
        if given.device == "cuda":  # two groups: the tree and the GPU work at the same time
            batch = given.batch or BATCH_ON_GPU
            collisions = batch if given.collisions is None else given.collisions
            given = replace(given, batch=batch, collisions=collisions, threads=max(given.threads, 2))
        elif given.threads > 1:
            given = replace(given, batch=given.batch or BATCH_PER_THREAD)
        hooks: dict[str, Any] = {}
        knowledge = getattr(self.game, "knowledge", None)
        if given.prover == "game" and (prover := native_hook(knowledge, "prover")) is not None:
            hooks["prover"] = prover
            # For lost positions, whose moves have no visits.
            if (threats := native_hook(knowledge, "threat_response")) is not None:
                hooks["threat_response"] = threats
        if given.proximity != "off":
            hooks["proximity"] = find_proximity(knowledge, self.game, given.proximity)
        if (tablebase := find_tablebase(given.tablebase, self.game)) is not None:
            hooks["tablebase"] = tablebase
        evaluate: Evaluate = self.network
        if given.symmetries == "average":
            from tesuji.models.averaging import Averaged

            evaluate = Averaged(self.network, self.network.planes)
        native = native_options(given)
        native.evaluations_at_once = evaluations_at_once(given)
        return _core.ZeroSearcher(
            native,
            self.network.planes.native,
            evaluate,
            given.symmetries is True,
            self._wrap(),
            hooks,
            groups=given.threads + (given.device == "cpu" and given.threads > 1),
            threads=given.threads,
        )

    def _net(self) -> str:
        """The network to open; `game` means the one that is shipped for this game."""
        from tesuji.models.bundled import BUNDLED, bundled_for, bundled_networks

        if self.options.net != "game":
            return self.options.net
        spec = spec_of(self.game)
        found = bundled_for(spec)
        if not found:
            known = ", ".join(f"{name} for {BUNDLED.get(name)}" for name in bundled_networks()) or "none"
            raise ValueError(f"no network comes with {spec}: name a file, net=FILE ({known})")
        return found[0]


def native_options(options: ZeroOptions) -> _core.SearchOptions:
    """The options as the core takes them."""
    native = puct_options(options.c_puct, options.first_play, options.proximity)
    native.leaves = options.batch or BATCH
    native.collisions = options.collisions or 0
    native.solver = options.solver
    native.study_after = -1 if options.study_after is None else options.study_after
    native.seed = secrets.randbits(64) if options.seed is None else options.seed
    native.memory = options.memory << 20
    return native


def evaluations_at_once(options: ZeroOptions) -> int:
    """Evaluations in the time of one on one core: the prover, which is not parallel, does less the more."""
    return EVALUATIONS_AT_ONCE_ON_GPU if options.device == "cuda" else options.threads


def puct_options(c_puct: float, first_play: float, proximity: str) -> _core.SearchOptions:
    """Selection with a network, in play and in self-play."""
    native = _core.SearchOptions()
    native.exploration = 0.0
    native.prior_weight = c_puct
    native.first_play_reduction = first_play
    native.hard_proximity = proximity not in ("off", "soft")
    return native
