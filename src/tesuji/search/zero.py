"""PUCT search with a network: its policy gives the priors, its value evaluates the leaves."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, cast

from tesuji import _core
from tesuji.any_game import Game
from tesuji.full_game import FullState
from tesuji.options import Options, option, takes
from tesuji.registry import spec_of
from tesuji.search.analysis import Analysis, Candidate
from tesuji.search.bot import ProximityOption, SearchBot, find_proximity, native_hook
from tesuji.search.tablebase import TablebaseOption, find_tablebase

DEFAULT_VISITS = 400
BATCH = 4
BATCH_PER_THREAD = 2
"""The fewer leaves wait, the better the next is chosen."""
BATCH_ON_GPU = 128
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
        visibility="expert",
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
    first_play: float = option(
        0.2,
        "first-play reduction r: an untried move counts as its parent − r·√(Σ tried priors)",
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
    prover: Literal["game", "off"] = option(
        "game", "search for forced wins at the root and at every new node", visibility="expert"
    )
    study_after: int | None = option(
        None,
        "visits after which the prover studies a node; 0: never; off: the game's own, "
        f"times the threads, times {EVALUATIONS_AT_ONCE_ON_GPU} on a GPU",
        minimum=0,
        maximum=4_000_000_000,
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
    ) -> Mapping[str, Any]:
        visits = options.visits or (0 if options.seconds else DEFAULT_VISITS)
        return self._searcher.search(root, visits, options.seconds or 0.0, options.reuse, report)

    def _analysis(self, state: FullState, found: Mapping[str, Any]) -> Analysis:
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
            given = replace(given, batch=batch, threads=max(given.threads, 2))
        elif given.threads > 1:
            given = replace(given, batch=given.batch or BATCH_PER_THREAD)
        hooks: dict[str, Any] = {}
        knowledge = self.game.knowledge
        if given.prover == "game" and (prover := native_hook(knowledge, "prover")) is not None:
            hooks["prover"] = prover
            # For lost positions, whose moves have no visits.
            if (threats := native_hook(knowledge, "threat_response")) is not None:
                hooks["threat_response"] = threats
        if given.proximity != "off":
            hooks["proximity"] = find_proximity(knowledge, self.game, given.proximity)
        if (tablebase := find_tablebase(given.tablebase, self.game)) is not None:
            hooks["tablebase"] = tablebase
        native = native_options(given)
        native.evaluations_at_once = evaluations_at_once(given)
        native.collisions = native.leaves if given.device == "cuda" else 0
        return _core.ZeroSearcher(
            native,
            self.network.planes.native,
            self.network,
            given.symmetries,
            self._wrap(),
            hooks,
            groups=given.threads + (given.device == "cpu" and given.threads > 1),
            threads=given.threads,
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


def native_options(options: ZeroOptions) -> _core.SearchOptions:
    """The options as the core takes them."""
    native = puct_options(options.c_puct, options.first_play, options.proximity)
    native.leaves = options.batch or BATCH
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
