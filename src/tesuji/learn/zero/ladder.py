"""The ladder: matches of the network in training against a fixed list of opponents, to measure its progress.

Games have paired openings, as in any match, and run in worker processes while training continues. Opponents
are bot specs; `earlier` is the network of the previous ladder. All games are stored in `ladder.db`. A ladder
that is stopped counts its complete pairs.
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
from tesuji.full_game import FullGame
from tesuji.learn.zero.config import ZeroConfig
from tesuji.records.store import Store
from tesuji.scale.local import Processes
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
        self._matches: _LadderMatches | None = None
        self._progress: dict[str, int] = {}
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
        return self._matches is not None and self._matches.thread.is_alive()

    def start(self, network: Path, progress: dict[str, int]) -> None:
        """Start the matches of a copy of this network in the background.

        `progress`, with the key iteration, becomes part of the metrics row.
        """
        copied = self._folder / f"network-{progress['iteration']:06}.safetensors"
        earlier = max(
            (path for path in self._folder.glob("network-*.safetensors") if path < copied), default=None
        )
        shutil.copyfile(network, copied)
        contests = {}
        for opponent in self.opponents:
            if opponent != EARLIER:
                contests[opponent] = Pairing(self._game, (self._bot(copied), opponent))
            elif earlier is not None:
                contests[opponent] = Pairing(self._game, (self._bot(copied), self._bot(earlier)))
        self._progress = progress
        self._matches = _LadderMatches(contests, self._folder / STORE, self._config, self._setup)

    def stop(self) -> None:
        """End the matches soon; callable from a signal handler or another thread."""
        if self._matches is not None:
            self._matches.stop()

    def finish(self, seconds: float | None = None) -> dict[str, Any]:
        """Wait at most `seconds`, stop the matches, and return their metrics row; empty if none started."""
        if self._matches is None:
            return {}
        try:
            return {**self._progress, "ladder": self._matches.finish(seconds)}
        finally:
            self._matches = None  # not before: `stop` may be called meanwhile

    def _bot(self, network: Path) -> str:
        return str(Spec("zero", {"net": str(network), "visits": str(self._config.ladder_visits)}))


class _LadderMatches:
    """One network against all opponents, in turn, in a background thread."""

    def __init__(
        self,
        contests: dict[str, Pairing],
        store: Path,
        config: ZeroConfig,
        setup: Callable[[], object] | None,
    ) -> None:
        self._contests, self._store, self._config, self._setup = contests, store, config, setup
        self._points: dict[tuple[str, int], list[float]] = defaultdict(list)
        self._workers = Processes(workers=config.ladder_processes)
        self._error: BaseException | None = None
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def finish(self, seconds: float | None) -> dict[str, Any]:
        self.thread.join(seconds)
        self.stop()
        self.thread.join()
        if self._error is not None:
            raise self._error
        return {opponent: self._result(contest) for opponent, contest in self._contests.items()}

    def stop(self) -> None:
        self._workers.close()

    def _run(self) -> None:
        try:
            self._play()
        except Exception as error:  # raised by `finish`
            self._error = error

    def _play(self) -> None:
        by_key = {contest.key: contest for contest in self._contests.values()}
        with Store(self._store) as store:
            games = play_pairings(
                by_key,
                self._places(list(by_key)),
                store,
                on=self._workers,
                setup=self._setup,
            )
            with contextlib.closing(games):
                for key, round, rotation, (record, _) in games:
                    assert record.scores is not None
                    seat = by_key[key].seat_of(0, rotation)
                    self._points[key, round].append(record.scores[seat])

    def _places(self, keys: list[str]) -> Iterator[tuple[str, int, int]]:
        for round in range((self._config.ladder_games or 0) // 2):
            for key in keys:
                for rotation in (0, 1):
                    yield key, round, rotation

    def _result(self, contest: Pairing) -> dict[str, Any]:
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
