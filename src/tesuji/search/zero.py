"""PUCT search with a network: its policy gives the priors, its value evaluates the leaves."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from tesuji import _core
from tesuji.game import Game, State
from tesuji.options import Options, option
from tesuji.registry import spec_of
from tesuji.search.analysis import Analysis, Candidate
from tesuji.search.bot import SearchBot, find_prover, find_proximity
from tesuji.search.tablebase import TablebaseOption, find_tablebase

DEFAULT_VISITS = 400


@dataclass(frozen=True, kw_only=True)
class ZeroOptions(Options):
    """Options of `Zero`."""

    net: str = option("game", "a network that comes with the package, or a file; game: the one for this game")
    visits: int | None = option(
        None,
        f"simulations per move; {DEFAULT_VISITS} where neither these nor seconds are given",
        minimum=1,
        maximum=4_000_000_000,
    )
    seconds: float | None = option(None, "time per move", minimum=0.001)
    batch: int = option(
        4,
        "leaves that the network looks at together; each but the first is a little less well chosen",
        minimum=1,
        maximum=1024,
    )
    threads: int = option(1, "threads that compute the network", minimum=1, maximum=256)
    c_puct: float = option(
        0.7, "w in w·P·√N/(1+n): attention for the network's policy", minimum=0, maximum=100
    )
    first_play: float = option(
        0.2, "r: an untried move counts as its position, less r·√(priors tried)", minimum=0, maximum=10
    )
    symmetries: bool = option(False, "the network sees positions in random symmetries")
    proximity: Literal["off", "soft", "hard"] = option(
        "off", "distant moves: soft takes from their priors, hard sets them aside until all others lose"
    )
    prover: Literal["game", "off"] = option(
        "game", "looks for forced wins at the root and at every new position"
    )
    solver: bool = option(True, "proven wins, losses and draws go up the tree and end the search")
    tablebase: TablebaseOption = option(None, "a file of exact endgames, where the game has such; off: none")
    reuse: bool = option(True, "keep what is known when the game goes on")
    memory: int = option(
        1024,
        "MiB for the tree, and the states of a Python game that it keeps",
        minimum=1,
        maximum=131_072,
    )
    seed: int | None = option(
        None,
        "decides among equals, and the symmetries; off: a new one each time",
        minimum=0,
        maximum=2**64 - 1,
    )


class Zero(SearchBot):
    """A bot with a network: `Zero(game, net="gomoku15", visits=400).choose(state)`.

    Options as in `ZeroOptions`; by spec, `tesuji.bot("zero:net=gomoku15,visits=400", game)`. For games of two
    players without chance moves and hidden cards.
    """

    Options = ZeroOptions
    limits = ("visits", "seconds")
    options: ZeroOptions
    _searcher: _core.ZeroSearcher

    def __init__(self, game: Game | str, **options: Any) -> None:
        super().__init__(game, options)
        self.options = ZeroOptions.of(options, thing="zero")
        from tesuji.models.network import Network  # here: numpy is slow to import

        self.network = Network(self._net(), self.game, threads=self.options.threads)
        self._searcher = self._make_searcher()

    def _search(
        self, root: object, options: ZeroOptions, report: Callable[[], None] | None
    ) -> Mapping[str, Any]:
        visits = options.visits or (0 if options.seconds else DEFAULT_VISITS)
        return self._searcher.search(root, visits, options.seconds or 0.0, options.reuse, report)

    def _analysis(self, state: State, found: Mapping[str, Any]) -> Analysis:
        candidates = tuple(Candidate(*candidate) for candidate in cast(list[Any], found["candidates"]))
        known = {key: value for key, value in found.items() if key != "evaluations"}
        return Analysis(state=state, **{**known, "candidates": candidates})

    def _make_searcher(self) -> _core.ZeroSearcher:
        given = self.options
        hooks: dict[str, Any] = {}
        knowledge = getattr(self.game, "knowledge", None)
        if given.prover == "game" and (prover := find_prover(knowledge)) is not None:
            hooks["prover"] = prover
        if given.proximity != "off":
            hooks["proximity"] = find_proximity(knowledge, self.game, given.proximity)
        if (tablebase := find_tablebase(given.tablebase, self.game)) is not None:
            hooks["tablebase"] = tablebase
        return _core.ZeroSearcher(
            native_options(given),
            self.network.planes.native,
            self.network,
            given.symmetries,
            getattr(self.game, "wrap", None),
            hooks,
        )

    def _net(self) -> str:
        """The network to open; `game` means the one that is shipped for this game."""
        from tesuji.models.network import BUNDLED, bundled_networks

        if self.options.net != "game":
            return self.options.net
        there, spec = bundled_networks(), spec_of(self.game)
        found = [name for name in there if BUNDLED.get(name) == spec]
        if not found:
            known = ", ".join(f"{name} for {BUNDLED.get(name)}" for name in there) or "there are none"
            raise ValueError(f"no network comes with {spec}: name a file, net=FILE ({known})")
        return found[0]


def native_options(options: ZeroOptions) -> _core.SearchOptions:
    """The options as the core takes them."""
    native = _core.SearchOptions()
    native.leaves = options.batch
    native.exploration = 0.0
    native.prior_weight = options.c_puct
    native.first_play_reduction = options.first_play
    native.hard_proximity = options.proximity == "hard"
    native.solver = options.solver
    native.seed = secrets.randbits(64) if options.seed is None else options.seed
    native.memory = options.memory << 20
    return native
