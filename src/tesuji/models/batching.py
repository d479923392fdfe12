"""One network for many searches: requests that arrive while it computes form the next batch.

A GPU takes about as long for a hundred positions as for one. So the games of a match, or the positions of an
analysis, that run in threads of one process share its evaluations.

There is no thread of its own: a caller that finds a free copy of the network evaluates its request and those
that wait with it. When it is done, it hands the copy to the oldest request that has come meanwhile.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence

import numpy as np

from tesuji.models.network import Evaluate, Evaluation, PlaneBatch


class SharedNetwork:
    """A network that threads call at the same time: `SharedNetwork([evaluate], limit=1024)(planes)`.

    A batch has at most `limit` positions, all of one board size. A single request may be larger. There are as
    many batches at once as copies of the network.
    """

    def __init__(self, copies: Sequence[Evaluate], *, limit: int) -> None:
        self._free, self._limit = list(copies), limit
        self._requests: deque[_Request] = deque()  # empty while a copy is free
        self._lock = threading.Lock()
        self.batches = 0
        """Evaluations so far."""

    def __call__(self, planes: PlaneBatch) -> Evaluation:
        """Policy logits [batch, moves] and value log-odds [batch] for a batch of planes."""
        request = _Request(planes)
        with self._lock:
            self._requests.append(request)
            if self._free:
                request.turn = self._free.pop(), self._take()
        if request.turn is None:
            request.wait()
        if request.turn is not None:
            evaluate, taken = request.turn
            try:
                _answer(evaluate, taken)
            finally:
                self._hand_on(evaluate)
                for other in taken:
                    other.wake()
        return request.answer()

    def _hand_on(self, evaluate: Evaluate) -> None:
        with self._lock:
            self.batches += 1
            if not self._requests:
                self._free.append(evaluate)
                return
            oldest = self._requests[0]
            oldest.turn = evaluate, self._take()
        oldest.wake()

    def _take(self) -> list[_Request]:
        """The requests of the next batch: the oldest, and those of the same size that fit."""
        taken = [self._requests.popleft()]
        shape, rows = taken[0].planes.shape[1:], len(taken[0].planes)
        others: deque[_Request] = deque()
        for request in self._requests:
            fits = request.planes.shape[1:] == shape and rows + len(request.planes) <= self._limit
            (taken if fits else others).append(request)
            rows += len(request.planes) if fits else 0
        self._requests = others
        return taken


class _Request:
    """A caller's planes. It waits for its answer, or for its turn to evaluate a batch."""

    def __init__(self, planes: PlaneBatch) -> None:
        self.planes = planes
        self.turn: tuple[Evaluate, list[_Request]] | None = None
        self.outputs: Evaluation | None = None
        self.error: BaseException | None = None
        self._asleep = threading.Lock()
        self._asleep.acquire()

    def wait(self) -> None:
        self._asleep.acquire()

    def wake(self) -> None:
        self._asleep.release()

    def answer(self) -> Evaluation:
        if self.outputs is None:
            raise self.error or RuntimeError("the network was interrupted")
        return self.outputs


def _answer(evaluate: Evaluate, taken: Sequence[_Request]) -> None:
    try:
        whole = taken[0].planes if len(taken) == 1 else np.concatenate([each.planes for each in taken])
        policy, value = evaluate(whole)
    except BaseException as error:
        for request in taken:
            request.error = error
        return
    start = 0
    for request in taken:
        rows = slice(start, start + len(request.planes))
        start = rows.stop
        request.outputs = policy[rows], value[rows]
