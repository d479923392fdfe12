"""The ladder: matches of the network in training against a fixed list of opponents, to measure its progress.

Games have paired openings, as in any match, and run in worker processes while training continues. Opponents
are bot specs; `earlier` is the network of the previous ladder. All games are stored in `ladder.db`. A ladder
that is stopped counts its complete pairs.
"""

from __future__ import annotations

import contextlib
import math
import shutil
from collections import defaultdict
from collections.abc import Callable
from itertools import product
from pathlib import Path

from tesuji.arena.elo import PairCounts
from tesuji.arena.match import Pairing, play_pairings
from tesuji.full_game import FullGame
from tesuji.learn.zero.config import ZeroConfig
from tesuji.records.store import Store
from tesuji.scale.local import Processes
from tesuji.scale.threads import BackgroundThread, Future, wait
from tesuji.spec import Spec

EARLIER = "earlier"
STORE = "ladder.db"


class Ladder:
    """The ladder of a run: `Ladder(game, folder, config)`, then `start` and, later, `finish`.

    Each worker process calls `setup` first, to load the user's file with the game or an opponent.
    """

    def __init__(
        self, game: FullGame, folder: Path, config: ZeroConfig, setup: Callable[[], object] | None = None
    ) -> None:
        self._game, self._folder, self._config, self._setup = game, folder, config, setup
        self._progress: dict[str, int] = {}
        self._contests: dict[str, Pairing] = {}
        self._points: dict[tuple[str, int], list[float]] = {}
        self._thread = BackgroundThread()
        self._workers: Processes
        self._matches: Future[None] | None = None
        self.opponents = config.ladder.split() if config.ladder_games else []
        for opponent in self.opponents:  # report a bad spec before training starts
            if opponent != EARLIER:
                Pairing(game, (opponent, "random"))

    @property
    def iteration(self) -> int | None:
        """The iteration of the network whose result `finish` has not returned yet, if any."""
        return None if self._matches is None else self._progress["iteration"]

    @property
    def running(self) -> bool:
        """Whether games are being played."""
        return self._matches is not None and not self._matches.done()

    def start(self, network: Path, progress: dict[str, int]) -> None:
        """Start the matches of a copy of this network in the background.

        `progress`, with the key iteration, becomes part of the metrics row.
        """
        copied = self._folder / f"network-{progress['iteration']:06}.safetensors"
        earlier = max(
            (path for path in self._folder.glob("network-*.safetensors") if path < copied), default=None
        )
        shutil.copyfile(network, copied)
        bots = {opponent: opponent for opponent in self.opponents if opponent != EARLIER or earlier}
        if earlier is not None and EARLIER in bots:
            bots[EARLIER] = self._bot(earlier)
        self._contests = {
            opponent: Pairing(self._game, (self._bot(copied), bot)) for opponent, bot in bots.items()
        }
        self._progress, self._points = progress, defaultdict(list)
        self._workers = Processes(workers=self._config.ladder_processes)
        self._matches = self._thread.submit(self._play)

    def stop(self) -> None:
        """End the matches soon; callable from a signal handler or another thread."""
        if self._matches is not None:
            self._workers.close()

    def finish(self, seconds: float | None = None) -> dict[str, object]:
        """Wait at most `seconds`, stop the matches, and return their metrics row; empty if none started."""
        if self._matches is None:
            return {}
        try:
            wait([self._matches], seconds)
            self._workers.close()
            self._matches.result()
            results = {opponent: self._result(contest) for opponent, contest in self._contests.items()}
            return {**self._progress, "ladder": results}
        finally:
            self._matches = None  # not before: `stop` may be called meanwhile

    def _bot(self, network: Path) -> str:
        return str(Spec("zero", {"net": str(network), "visits": str(self._config.ladder_visits)}))

    def _play(self) -> None:
        """All matches, by turns, in a background thread."""
        by_key = {contest.key: contest for contest in self._contests.values()}
        slots = product(range((self._config.ladder_games or 0) // 2), by_key, (0, 1))
        places = ((key, round, rotation) for round, key, rotation in slots)
        with Store(self._folder / STORE) as store:
            games = play_pairings(by_key, places, store, on=self._workers, setup=self._setup)
            with contextlib.closing(games):
                for key, round, rotation, (record, _) in games:
                    assert record.scores is not None
                    seat = by_key[key].seat_of(0, rotation)
                    self._points[key, round].append(record.scores[seat])

    def _result(self, contest: Pairing) -> dict[str, float | None]:
        pairs = [
            sum(points)
            for (key, _), points in self._points.items()
            if key == contest.key and len(points) == 2
        ]
        counts = PairCounts.of(pairs)
        elo = counts.elo()
        numbers = {"elo": elo.value, "low": elo.low, "high": elo.high, "points": counts.points}
        finite = {name: number if math.isfinite(number) else None for name, number in numbers.items()}
        return {**finite, "games": counts.games}
