"""One network for many searches: requests that arrive while it computes form the next batch.

A GPU takes about as long for a hundred positions as for one. So the games of a match, or the positions of an
analysis, that run in threads of one process share its evaluations.
"""

from __future__ import annotations

import threading
from collections import deque
from concurrent.futures import Future

import numpy as np

from tesuji.models.network import Evaluate, Evaluation, PlaneBatch


class SharedNetwork:
    """A network that threads call at the same time: `SharedNetwork(evaluate, limit=1024)(planes)`.

    A batch has at most `limit` positions, all of one board size. A single request may be larger.
    """

    def __init__(self, evaluate: Evaluate, *, limit: int) -> None:
        self._evaluate, self._limit = evaluate, limit
        self._requests: deque[tuple[PlaneBatch, Future[Evaluation]]] = deque()
        self._arrived = threading.Condition()
        self._thread: threading.Thread | None = None
        self.batches = 0
        """Evaluations so far."""

    def __call__(self, planes: PlaneBatch) -> Evaluation:
        """Policy logits [batch, moves] and value log-odds [batch] for a batch of planes."""
        answer: Future[Evaluation] = Future()
        with self._arrived:
            if self._thread is None or not self._thread.is_alive():  # the first call, also after a fork
                self._thread = threading.Thread(target=self._run, name="network", daemon=True)
                self._thread.start()
            self._requests.append((planes, answer))
            self._arrived.notify()
        return answer.result()

    def _run(self) -> None:
        while True:
            with self._arrived:
                self._arrived.wait_for(lambda: self._requests)
                taken = self._take()
            self._answer(taken)

    def _take(self) -> list[tuple[PlaneBatch, Future[Evaluation]]]:
        """The requests of the next batch: the oldest, and those of the same size that fit."""
        taken = [self._requests.popleft()]
        shape, rows = taken[0][0].shape[1:], len(taken[0][0])
        others: deque[tuple[PlaneBatch, Future[Evaluation]]] = deque()
        for request in self._requests:
            fits = request[0].shape[1:] == shape and rows + len(request[0]) <= self._limit
            (taken if fits else others).append(request)
            rows += len(request[0]) if fits else 0
        self._requests = others
        return taken

    def _answer(self, taken: list[tuple[PlaneBatch, Future[Evaluation]]]) -> None:
        try:
            whole = taken[0][0] if len(taken) == 1 else np.concatenate([planes for planes, _ in taken])
            policy, value = self._evaluate(whole)
            self.batches += 1
        except BaseException as error:
            for _, answer in taken:
                answer.set_exception(error)
            return
        start = 0
        for planes, answer in taken:
            rows = slice(start, start + len(planes))
            start = rows.stop
            answer.set_result((policy[rows], value[rows]))
