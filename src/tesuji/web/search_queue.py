"""The search queue: a fixed number of worker processes, one of them reserved for quick tasks.

A level such as easy answers within milliseconds, an analysis takes seconds. Long searches therefore never
occupy the last worker: with three workers, two analyses do not slow down two hundred tables with quick bots.

Workers are processes, not threads: a bot or a game in Python holds the interpreter's lock while it thinks,
which would block the server, and only a process can be killed when it hangs or uses too much memory.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tesuji.bots.levels import LEVELS
from tesuji.scale.threads import pool
from tesuji.scale.worker import Report, Worker, WorkerFailed, WorkerLost
from tesuji.spec import Spec
from tesuji.web import worker_tasks
from tesuji.web.specs import AllowedBots
from tesuji.web.tables.table import Task

WARM_UP_SECONDS = 60.0
RETRY_SECONDS = 1.0  # when the queue is full
QUICK_BOTS = {"random", "greedy", "easy", "medium"}


class QueueFull(Exception):
    """Too many searches are queued."""


class SearchFailed(Exception):
    """The search failed; why, in one line."""


@dataclass(eq=False)
class Search:
    """A submitted task: `await search` gives its result, or raises SearchFailed."""

    task: Task
    seconds: float
    long: bool
    """Whether it may take seconds; such searches never occupy the last worker."""
    progress: Report | None
    done: asyncio.Future[dict[str, object]] = field(default_factory=lambda: asyncio.Future())
    worker: Worker | None = None
    stopping: bool = False

    def __post_init__(self) -> None:
        # also where the task that waits for it is cancelled
        self.done.add_done_callback(lambda done: self.stop() if done.cancelled() else None)

    def __await__(self) -> Generator[Any, None, Any]:
        return self.done.__await__()

    def stop(self) -> None:
        """Finish early with the result so far; a queued search will start and stop at once."""
        self.stopping = True
        if self.worker is not None:
            self.worker.stop()


class SearchQueue:
    """All worker processes: `await searches.submit({"task": "choose", …})`."""

    def __init__(self, allowed: AllowedBots, loads: Callable[[], object] | None = None) -> None:
        self.limits = limits = allowed.limits
        setup = partial(worker_tasks.setup, allowed, loads)
        self._idle = [Worker(worker_tasks.run, setup) for _ in range(limits.workers)]
        self._workers = list(self._idle)
        self._threads = pool(limits.workers, "search")
        self._queues: tuple[deque[Search], deque[Search]] = deque(), deque()  # quick, long
        self._running_long = 0
        self._last_worker: dict[str, Worker] = {}
        self._running: set[asyncio.Task[None]] = set()
        self._closed = False

    def submit(
        self,
        task: Task,
        *,
        seconds: float | None = None,
        progress: Report | None = None,
    ) -> Search:
        """Queue a task; QueueFull if there are too many."""
        long = is_long(task)
        if self._closed or len(self._queues[long]) >= self.limits.queued:
            raise QueueFull(f"Too many queued searches ({len(self._queues[long])}); try again later.")
        limit = self.limits.seconds
        search = Search(
            {**task, "memory": self.limits.memory, "threads": self.limits.threads},
            limit if seconds is None else min(seconds, limit),
            long,
            progress,
        )
        self._queues[long].append(search)
        self._dispatch()
        return search

    async def submit_when_free(self, task: Task, seconds: float) -> Search:
        """Queue a task as soon as there is room."""
        while True:
            with contextlib.suppress(QueueFull):
                return self.submit(task, seconds=seconds)
            await asyncio.sleep(RETRY_SECONDS)

    def warm_up(self) -> None:
        """Start all processes now, so that no request waits for it."""
        for _ in self._workers:
            self.submit({"task": "warm_up"}, seconds=WARM_UP_SECONDS)

    async def close(self) -> None:
        """Cancel all searches and end all processes."""
        self._closed = True
        for queue in self._queues:
            for search in queue:
                search.done.cancel()
            queue.clear()
        for worker in self._workers:
            worker.stop()
        with contextlib.suppress(TimeoutError):
            if self._running:
                await asyncio.wait(self._running, timeout=1)
        for worker in self._workers:
            worker.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _dispatch(self) -> None:
        """Give queued searches to idle workers."""
        quick, long = self._queues
        max_long = max(1, len(self._workers) - 1)
        while self._idle:
            if quick:
                search = quick.popleft()
            elif long and self._running_long < max_long:
                search = long.popleft()
            else:
                return
            if search.done.cancelled():
                continue
            owner = search.task.get("owner", "")
            previous = self._last_worker.get(owner)
            worker = previous if previous in self._idle else self._idle[-1]
            self._idle.remove(worker)
            self._running_long += search.long
            if owner:  # its bot may still be in that process, with its tree
                self._last_worker.pop(owner, None)
                self._last_worker[owner] = worker
                while len(self._last_worker) > len(self._workers) * worker_tasks.CACHED_BOTS:
                    del self._last_worker[next(iter(self._last_worker))]
            task = asyncio.get_running_loop().create_task(self._run(search, worker))
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    async def _run(self, search: Search, worker: Worker) -> None:
        loop = asyncio.get_running_loop()

        def progress(found: Any) -> None:
            if search.progress is not None:
                loop.call_soon_threadsafe(self._report, search, found)

        search.worker = worker
        ask = partial(
            worker.request,
            search.task,
            seconds=search.seconds,
            progress=progress,
            stopping=lambda: search.stopping,
            unwanted=search.done.cancelled,
        )
        outcome: dict[str, object] | SearchFailed
        try:
            outcome = await loop.run_in_executor(self._threads, ask)
        except (WorkerFailed, WorkerLost) as error:
            outcome = SearchFailed(str(error))
        except Exception as error:  # the worker could not be started
            outcome = SearchFailed(f"{type(error).__name__}: {error}")
        finally:
            search.worker = None
            self._running_long -= search.long
            self._idle.append(worker)
        if not search.done.done():
            if isinstance(outcome, SearchFailed):
                search.done.set_exception(outcome)
            else:
                search.done.set_result(outcome)
        if not self._closed:
            self._dispatch()

    @staticmethod
    def _report(search: Search, found: Any) -> None:
        if search.progress is not None and not search.done.done():
            search.progress(found)


def is_long(task: Task) -> bool:
    """Whether a task may take seconds: `is_long({"task": "choose", "bot": "easy"})` is False."""
    if task["task"] in ("explain", "read", "warm_up"):
        return False
    if task["task"] == "solve":
        return True
    name = Spec.parse(task["bot"]).name
    return task["task"] != "choose" or name not in QUICK_BOTS & {*LEVELS, "random", "greedy"}
