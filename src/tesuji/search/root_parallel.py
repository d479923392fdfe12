"""Root parallelisation: several searches of one position, whose visits of its moves are added.

See Chaslot, Winands and van den Herik, Parallel Monte-Carlo tree search (2008). Trees are not merged below
the root. A proof that any search finds holds for all.

Native games are searched in threads, with trees that are kept between moves. Python runs one thread at a
time, so a game written in Python is searched in processes. Each search forks: a child has the game and the
position without sending either, searches its own tree with its own seed, and writes what it found to a pipe.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from tesuji.scale.threads import pool, wait
from tesuji.search.analysis import Analysis, Candidate

Found = Mapping[str, Any]
POLL_SECONDS = 0.005


def available() -> bool:
    """Whether this system can fork."""
    return hasattr(os, "fork")


class Threads:
    """Threads that search beside this one: `with Threads([...], cancel) as others: ...; others.results()`.

    Leaving the block cancels the searches and waits for them.
    """

    def __init__(self, searches: Sequence[Callable[[], Analysis]], cancel: Callable[[], None]) -> None:
        self._searches, self._cancel = searches, cancel

    def __enter__(self) -> Threads:
        self._pool = pool(max(1, len(self._searches)), "tree")
        self._running = [self._pool.submit(search) for search in self._searches]
        return self

    def results(self) -> list[Found]:
        """What each search found; its exception if it raised one."""
        return [by_index(search.result()) for search in self._running]

    def __exit__(self, *_: object) -> None:
        for search in self._running:
            while not search.done():
                self._cancel()  # again: a search that has not begun yet is not affected
                wait([search], POLL_SECONDS)
        self._pool.shutdown()


class Children:
    """Processes that search beside this one: `with Children([...]) as others: ...; others.results()`.

    Each argument is a function that searches and returns what it found. Leaving the block kills all processes
    that are still searching.
    """

    def __init__(self, searches: Sequence[Callable[[], Found]]) -> None:
        self._searches = searches
        self._running: dict[int, int] = {}  # process ID -> the reading end of its pipe

    def __enter__(self) -> Children:
        try:
            for search in self._searches:
                reading, writing = os.pipe()
                process = os.fork()
                if process == 0:
                    os.close(reading)
                    _search_and_exit(search, writing)
                os.close(writing)
                self._running[process] = reading
        except BaseException:
            self.__exit__()
            raise
        return self

    def results(self) -> list[Found]:
        """What each process found; its exception if it raised one."""
        found = []
        for process, reading in list(self._running.items()):
            with os.fdopen(os.dup(reading), "rb") as pipe:
                written = pipe.read()
            self._end(process)
            if not written:
                raise RuntimeError(f"search process {process} died")
            outcome = pickle.loads(written)
            if isinstance(outcome, BaseException):
                raise outcome
            found.append(outcome)
        return found

    def __exit__(self, *_: object) -> None:
        for process in list(self._running):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
            self._end(process)

    def _end(self, process: int) -> None:
        os.close(self._running.pop(process))
        with contextlib.suppress(ChildProcessError):
            os.waitpid(process, 0)


def _search_and_exit(search: Callable[[], Found], writing: int) -> NoReturn:
    """In a child: Ctrl-C is the parent's to handle, and nothing of the parent's may run at exit."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            written = pickle.dumps(search())
        except BaseException as error:
            written = _pickled(error)
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(written)
    finally:
        os._exit(0)


def _pickled(error: BaseException) -> bytes:
    import traceback

    told = "".join(traceback.format_exception(error))
    try:
        error.add_note(f"In a search process:\n{told}")
        written = pickle.dumps(error)
        pickle.loads(written)  # an exception may be written and not read
    except Exception:
        written = pickle.dumps(RuntimeError(f"in a search process:\n{told}"))
    return written


def by_index(analysis: Analysis) -> dict[str, Any]:
    """An analysis to send: moves by their index, because a move need not be picklable."""
    numbers = {move: number for number, move in enumerate(analysis.state.moves())}
    return {
        "iterations": analysis.iterations,
        "nodes": analysis.nodes,
        "bytes": analysis.bytes,
        "memory_full": analysis.memory_full,
        "proven": analysis.proven,
        "candidates": [
            (numbers[one.move], one.visits, one.value, one.prior, one.amaf, one.proven)
            for one in analysis.candidates
        ],
    }


def merged(own: Analysis, others: Sequence[Found]) -> Analysis:
    """The analysis with the visits of the other searches; lines are those of this one."""
    moves = list(own.state.moves())
    candidates = {candidate.move: candidate for candidate in own.candidates}
    for other in others:
        for number, visits, value, prior, amaf, proven in other["candidates"]:
            one = candidates[moves[number]]
            added = Candidate(one.move, visits, value, prior, amaf, proven, one.line)
            candidates[one.move] = _sum(one, added)
    proven = next((p for p in (own.proven, *(other["proven"] for other in others)) if p is not None), None)
    best = max(candidates.values(), key=lambda one: _rank(one, proven))
    ordered = sorted(candidates.values(), key=lambda one: (one is best, one.visits, one.value), reverse=True)
    return replace(
        own,
        move=best.move,
        value=best.value if best.visits or best.proven is not None else 0.5,
        proven=proven,
        iterations=own.iterations + sum(other["iterations"] for other in others),
        visits=sum(one.visits for one in ordered),
        nodes=own.nodes + sum(other["nodes"] for other in others),
        bytes=own.bytes + sum(other["bytes"] for other in others),
        memory_full=own.memory_full or any(other["memory_full"] for other in others),
        candidates=tuple(ordered),
    )


def _sum(one: Candidate, other: Candidate) -> Candidate:
    """Both statistics of a move together."""
    visits = one.visits + other.visits
    proven = one.proven if one.proven is not None else other.proven

    def mean(mine: float | None, theirs: float | None) -> float | None:
        if mine is None or theirs is None or not visits:
            return mine if theirs is None or one.visits else theirs
        return (mine * one.visits + theirs * other.visits) / visits

    value = mean(one.value, other.value) or 0.0
    return replace(
        one,
        visits=visits,
        value=value if proven is None else proven,
        prior=(one.prior + other.prior) / 2,
        amaf=mean(one.amaf, other.amaf),
        proven=proven,
    )


def _rank(one: Candidate, proven: float | None) -> tuple[bool, bool, int, float]:
    """A move that reaches the proven result comes first, a proven loss last; else the most visits decide."""
    reaches = proven is not None and one.proven == proven
    return reaches, one.proven != 0.0, one.visits, one.value
