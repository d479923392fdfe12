"""Searches of all tables: so many worker processes, a bounded queue, and a place kept free for quick ones.

A level such as easy answers in milliseconds, an analysis takes its seconds. So long searches never take the
last worker: on two cores with three workers, two hundred tables with quick bots do not notice two analyses.

Processes, and not threads: a bot or a game in Python holds the interpreter's lock while it thinks, and the
server would wait with it; one that hangs, or eats memory, can be killed in a process alone.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tesuji.bots.levels import LEVELS
from tesuji.scale.threads import pool
from tesuji.scale.worker import Worker, WorkerFailed, WorkerLost
from tesuji.spec import Spec
from tesuji.web import thinking
from tesuji.web.limits import Limits

WARM_UP_SECONDS = 60.0
QUICK_BOTS = {"random", "greedy", "easy", "medium"}


class Busy(Exception):
    """Too many searches are waiting."""


class Fault(Exception):
    """The search failed; what happened, in one line."""


@dataclass(eq=False)
class Search:
    """A question that waits for its answer, or has it: `await search`."""

    question: dict[str, Any]
    seconds: float
    long: bool
    progress: Callable[[Any], None] | None
    done: asyncio.Future[dict[str, Any]] = field(default_factory=lambda: asyncio.Future())
    worker: Worker | None = None
    stopping: bool = False

    def __await__(self) -> Any:
        return self.done.__await__()

    def stop(self) -> None:
        """Answer with what there is; a search that has not begun begins and stops at once."""
        self.stopping = True
        if self.worker is not None:
            self.worker.stop()

    def drop(self) -> None:
        """Nobody wants the answer any more."""
        self.done.cancel()
        self.stop()


class Searches:
    """All worker processes: `await searches.ask({"do": "choose", …})`."""

    def __init__(self, limits: Limits, loads: Callable[[], object] | None = None) -> None:
        self.limits = limits
        ready = partial(thinking.setup, limits.process_memory, loads)
        self._idle = [Worker(thinking.answer, ready) for _ in range(limits.workers)]
        self._workers = list(self._idle)
        self._threads = pool(limits.workers, "search")
        self._waiting: tuple[deque[Search], deque[Search]] = deque(), deque()  # quick ones, long ones
        self._long_at_work = 0
        self._last: dict[str, Worker] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def ask(
        self,
        question: dict[str, Any],
        *,
        seconds: float | None = None,
        progress: Callable[[Any], None] | None = None,
    ) -> Search:
        """Put a question into the queue; Busy where that is full. Awaiting it may raise Fault."""
        long = is_long(question)
        if self._closed or len(self._waiting[long]) >= self.limits.waiting:
            raise Busy("too many searches are waiting; try again in a moment")
        most = self.limits.seconds
        search = Search(
            {**question, "memory": self.limits.memory},
            most if seconds is None else min(seconds, most),
            long,
            progress,
        )
        self._waiting[long].append(search)
        self._next()
        return search

    def warm_up(self) -> None:
        """Start all processes now, so that nobody waits for it later."""
        for _ in self._workers:
            self.ask({"do": "nothing"}, seconds=WARM_UP_SECONDS)

    async def close(self) -> None:
        """End all processes; whoever waits is told."""
        self._closed = True
        for queue in self._waiting:
            for search in queue:
                search.done.cancel()
            queue.clear()
        for worker in self._workers:
            worker.stop()
        with contextlib.suppress(TimeoutError):
            if self._tasks:
                await asyncio.wait(self._tasks, timeout=1)
        for worker in self._workers:
            worker.kill()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _next(self) -> None:
        """Give work to whoever has none."""
        quick, slow = self._waiting
        most_long = max(1, len(self._workers) - 1)
        while self._idle:
            if quick:
                search = quick.popleft()
            elif slow and self._long_at_work < most_long:
                search = slow.popleft()
            else:
                return
            if search.done.cancelled():
                continue
            owner = search.question.get("owner", "")
            before = self._last.get(owner)
            worker = before if before in self._idle else self._idle[-1]
            self._idle.remove(worker)
            self._long_at_work += search.long
            if owner:  # its bot remembers there what it thought before
                self._last.pop(owner, None)
                self._last[owner] = worker
                while len(self._last) > len(self._workers) * thinking.KEPT:
                    del self._last[next(iter(self._last))]
            task = asyncio.get_running_loop().create_task(self._run(search, worker))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _run(self, search: Search, worker: Worker) -> None:
        loop = asyncio.get_running_loop()

        def progress(told: Any) -> None:
            if search.progress is not None:
                loop.call_soon_threadsafe(self._tell, search, told)

        search.worker = worker
        work = partial(
            worker.request,
            search.question,
            seconds=search.seconds,
            progress=progress,
            stopping=lambda: search.stopping,
            unwanted=search.done.cancelled,
        )
        try:
            found = await loop.run_in_executor(self._threads, work)
            outcome: dict[str, Any] | Fault = found
        except (WorkerFailed, WorkerLost) as error:
            outcome = Fault(str(error))
        except Exception as error:  # a worker that cannot be started at all
            outcome = Fault(f"{type(error).__name__}: {error}")
        finally:
            search.worker = None
            self._long_at_work -= search.long
            self._idle.append(worker)
        if not search.done.done():
            if isinstance(outcome, Fault):
                search.done.set_exception(outcome)
            else:
                search.done.set_result(outcome)
        if not self._closed:
            self._next()

    @staticmethod
    def _tell(search: Search, told: Any) -> None:
        if search.progress is not None and not search.done.done():
            search.progress(told)


def is_long(question: dict[str, Any]) -> bool:
    """Whether an answer may take seconds: `is_long({"do": "choose", "bot": "easy"})` is False."""
    if question["do"] in ("explain", "read", "nothing"):
        return False
    name = Spec.parse(question["bot"]).name
    return question["do"] != "choose" or name not in QUICK_BOTS & {*LEVELS, "random", "greedy"}
