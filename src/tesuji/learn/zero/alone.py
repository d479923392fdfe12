"""Self-play in this process: in turns with learning, or meanwhile (`overlap`).

With `overlap` the games of an iteration are played by a thread while the network learns from those of the
one before. Network and learner share the GPU, and neither waits for the other's Python. The weights that play
are one iteration behind, as with workers.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from tesuji import _core
from tesuji.arena.playing import derived_seed
from tesuji.learn.zero.boards import Boards
from tesuji.learn.zero.checkpoint import part_of
from tesuji.learn.zero.config import ZeroConfig
from tesuji.learn.zero.evaluator import Evaluator
from tesuji.learn.zero.finished import to_arrays, to_records
from tesuji.learn.zero.keeping import Keeper
from tesuji.learn.zero.learner import Learner
from tesuji.learn.zero.metrics import Played
from tesuji.learn.zero.network import shape_of
from tesuji.learn.zero.selfplay import SelfPlay
from tesuji.learn.zero.window import Window
from tesuji.planes import NativePlanes
from tesuji.scale.threads import Future, pool


class Alone:
    """`Alone(boards, planes, config, learner).finish(window)` plays, when `start` has said what."""

    def __init__(
        self,
        boards: Boards,
        planes: NativePlanes,
        config: ZeroConfig,
        learner: Learner,
        keeper: Keeper | None,
    ) -> None:
        self._boards, self._planes, self._config, self._keeper = boards, planes, config, keeper
        self._learner = learner
        self.ahead = config.overlap
        """Whether games are learned from while the next ones are played."""
        self._selfplay = SelfPlay(boards, planes, config, seed=0)
        self._evaluator = Evaluator(
            learner.averaged,
            shape_of(planes),
            learner.device,
            batch=self._selfplay.rows,
            buffers=2,
            compiled=config.compile,
            padded=boards.mixed,
        )
        self._thread = pool(1) if self.ahead else None
        self._playing: Future[tuple[list[_core.PlayedGame], Played]] | None = None

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The games in progress, for a checkpoint."""
        return {f"games/{name}": array for name, array in self._selfplay.to_arrays().items()}

    def restore(self, arrays: Mapping[str, NDArray[Any]], iteration: int) -> None:
        """Fresh searches and random numbers, which go on with the games of `arrays`."""
        seed = derived_seed(self._config.seed, "games", iteration)
        self._selfplay = SelfPlay(self._boards, self._planes, self._config, seed=seed)
        if games := part_of(arrays, "games/"):
            self._selfplay.restore(games)

    def start(self, iteration: int, *, visits: int, seconds: float | None) -> None:
        """What is to be played; with `overlap` it begins now."""
        self._iteration, self._seconds = iteration, seconds
        self._selfplay.visits = visits
        self._evaluator.update(self._learner.averaged)
        if self._thread is not None:
            self._playing = self._thread.submit(self._play)

    def finish(self, window: Window) -> Played:
        """Play, or wait until that is done, and put the games into the window."""
        games, played = self._play() if self._playing is None else self._playing.result()
        self._playing = None
        window.add(games)
        if self._keeper is not None and games:
            arrays = to_arrays(self._boards, self._planes, games)
            records = to_records(self._boards, self._planes, arrays, player=self._keeper.player)
            self._keeper.add(records, part=self._iteration)
        return played

    def stop(self) -> None:
        """End a run soon; from a signal handler or another thread."""
        self._selfplay.cancel()

    def drop(self) -> None:
        """Nobody wants what is being played any more."""
        if self._playing is not None:
            self._selfplay.cancel()
            self._playing.exception()
            self._playing = None

    def _play(self) -> tuple[list[_core.PlayedGame], Played]:
        began, before = time.monotonic(), self._selfplay.counters()
        games = self._selfplay.run(self._evaluator, positions=self._config.positions, seconds=self._seconds)
        after = self._selfplay.counters()
        return games, Played({key: after[key] - before[key] for key in after}, time.monotonic() - began)
