"""The ladder: how strong the network is by now, against opponents that stay the same.

Games with paired openings, as in any match, in worker processes while training goes on. The opponents are
named by specs; `earlier` is the network of the climb before. All games are in `ladder.db`. A climb that is
stopped counts the pairs that are over.
"""

from __future__ import annotations

import contextlib
import math
import shutil
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tesuji.arena.elo import PairCounts
from tesuji.arena.match import Pairing, play_pairings
from tesuji.game import Game
from tesuji.learn.zero.config import ZeroConfig
from tesuji.records.store import Store
from tesuji.spec import Spec

EARLIER = "earlier"
STORE = "ladder.db"


class Ladder:
    """The opponents of a run: `Ladder(game, folder, config)`, then `start` and, later, `finish`.

    Each process that plays calls `setup` first: it loads the user's file, where the game or an opponent is
    from one.
    """

    def __init__(
        self, game: Game, folder: Path, config: ZeroConfig, setup: Callable[[], object] | None = None
    ) -> None:
        self._game, self._folder, self._config, self._setup = game, folder, config, setup
        self._climb: _Climb | None = None
        self._when: dict[str, int] = {}
        self.opponents = config.ladder.split() if config.ladder_games else []
        for opponent in self.opponents:  # what is wrong is said before the run begins
            if opponent != EARLIER:
                Pairing(game, (opponent, "random"))

    @property
    def iteration(self) -> int | None:
        """Of the network that climbs, or has climbed and not been asked about."""
        return None if self._climb is None else self._when["iteration"]

    @property
    def climbing(self) -> bool:
        """Whether games are under way."""
        return self._climb is not None and self._climb.thread.is_alive()

    def start(self, network: Path, when: dict[str, int]) -> None:
        """Let a network climb, in the background; it is copied, so that its file may change meanwhile."""
        kept = self._folder / f"network-{when['iteration']:06}.safetensors"
        earlier = max(
            (path for path in self._folder.glob("network-*.safetensors") if path < kept), default=None
        )
        shutil.copyfile(network, kept)
        contests = {}
        for opponent in self.opponents:
            if opponent != EARLIER:
                contests[opponent] = Pairing(self._game, (self._spec(kept), opponent))
            elif earlier is not None:
                contests[opponent] = Pairing(self._game, (self._spec(kept), self._spec(earlier)))
        self._when = when
        self._climb = _Climb(contests, self._folder / STORE, self._config, self._setup)

    def finish(self, seconds: float | None = None) -> dict[str, Any]:
        """A row of metrics with what the climb found, after waiting so long for its end; else nothing."""
        if self._climb is None:
            return {}
        climb, self._climb = self._climb, None
        return {**self._when, "ladder": climb.finish(seconds)}

    def _spec(self, network: Path) -> str:
        return str(Spec("zero", {"net": str(network), "visits": str(self._config.ladder_visits)}))


class _Climb:
    """One network against all opponents, a round each in turn."""

    def __init__(
        self,
        contests: dict[str, Pairing],
        store: Path,
        config: ZeroConfig,
        setup: Callable[[], object] | None,
    ) -> None:
        self._contests, self._store, self._config, self._setup = contests, store, config, setup
        self._points: dict[tuple[str, int], list[float]] = defaultdict(list)
        self._stopping = threading.Event()
        self._error: BaseException | None = None
        self.thread = threading.Thread(target=self._play, daemon=True)
        self.thread.start()

    def finish(self, seconds: float | None) -> dict[str, Any]:
        self.thread.join(seconds)
        self._stopping.set()
        self.thread.join()
        if self._error is not None:
            raise self._error
        return {opponent: self._rung(contest) for opponent, contest in self._contests.items()}

    def _play(self) -> None:
        try:
            self._play_all()
        except Exception as error:  # for the thread that waits
            self._error = error

    def _play_all(self) -> None:
        by_key = {contest.key: contest for contest in self._contests.values()}
        with Store(self._store) as store:
            games = play_pairings(
                by_key,
                self._places(list(by_key)),
                store,
                processes=self._config.ladder_processes,
                setup=self._setup,
            )
            with contextlib.closing(games):
                for key, round, leg, record in games:
                    assert record.scores is not None
                    seat = by_key[key].seat_of(0, leg)
                    self._points[key, round].append(record.scores[seat])
                    if self._stopping.is_set():
                        return

    def _places(self, keys: list[str]) -> Iterator[tuple[str, int, int]]:
        for round in range((self._config.ladder_games or 0) // 2):
            for key in keys:
                for leg in (0, 1):
                    yield key, round, leg

    def _rung(self, contest: Pairing) -> dict[str, Any]:
        pairs = [
            sum(points)
            for (key, _), points in self._points.items()
            if key == contest.key and len(points) == 2
        ]
        counts = PairCounts.of(pairs)
        elo = counts.elo()
        numbers = {"elo": elo.value, "low": elo.low, "high": elo.high, "points": counts.points}
        plain = {name: number if math.isfinite(number) else None for name, number in numbers.items()}
        return {**plain, "games": counts.games}
