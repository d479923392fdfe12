"""Actors on a Ray cluster: objects in Ray's own worker processes, made anew where they were lost.

Ray could bring an actor back by itself, but then calls fail until it is there. Here the next call waits for
the new one.
"""

from __future__ import annotations

import contextlib
import re
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tesuji.scale import ExecutorError
from tesuji.scale.executor import ActorLost, Shared
from tesuji.scale.fitness import Build, check_fit
from tesuji.scale.processes import WorkerError

LINE_LENGTH = 200
NOT_MADE = "error raised in its creation task"
"""Ray's words."""
NEVER_RAN = "The actor never ran"
"""Ray's words: so it ends where the program shows a token that the cluster was not started with."""
MOST_FALLS = 10
"""How often in a row an actor may be lost before it has answered anything: it cannot live on this cluster."""


class Cell:
    """Where an actor's object lives: a Ray actor."""

    def __init__(self, build: Build, folder: str, make: Callable[..., Any], *arguments: Any) -> None:
        self._made: Any = None
        self._failed: Exception | None = None
        try:
            check_fit(build, folder)
            self._made = make(*arguments)
        except ExecutorError as error:
            self._failed = error
        except Exception:
            self._failed = WorkerError(traceback.format_exc())

    def call(self, method: str, *arguments: Any) -> tuple[bool, Any]:
        """Whether all is well, and the result, or what is to be raised."""
        if self._failed is not None:
            return False, self._failed
        try:
            return True, getattr(self._made, method)(*arguments)
        except (ExecutorError, WorkerError) as error:
            return False, error
        except Exception:
            return False, WorkerError(traceback.format_exc())


class RemoteActor:
    """An actor on the cluster, made anew where it was lost."""

    def __init__(self, ray: Any, make: Callable[[], Any]) -> None:
        self.ray, self._make = ray, make
        self.handle = make()
        self.calls: list[RemoteCall] = []
        self.falls = 0
        """How often it was lost since it answered last."""
        self.began: float | None = time.monotonic()
        """When it was made; None where it has answered since."""

    def call(self, method: str, *arguments: Any) -> RemoteCall:
        """Call a method; does not wait."""
        with plainly(self.ray, "call an actor"):  # what is large goes into the object store here
            made = RemoteCall(self, self.handle, self.handle.call.remote(method, *refs(arguments)))
        self.calls = [call for call in self.calls if not call.done()] + [made]
        return made

    def is_next(self, call: RemoteCall) -> bool:
        """Whether all calls before this one are answered."""
        return next((each for each in self.calls if not each.done()), None) is call

    def replace(self, handle: Any) -> None:
        """Make the actor anew, unless that has been done since it had this handle."""
        if handle is self.handle:
            self.end()
            self.handle, self.began = self._make(), time.monotonic()

    def end(self) -> None:
        """Let it go; harmless where it is gone."""
        with contextlib.suppress(self.ray.exceptions.RayError):  # it could not even be registered
            self.ray.kill(self.handle)


class RemoteCall:
    """A call that may not be answered yet."""

    def __init__(self, actor: RemoteActor, handle: Any, answer: Any) -> None:
        self._actor, self._handle, self.answer = actor, handle, answer

    def result(self, timeout: float | None = None) -> Any:
        """The answer."""
        errors = self._actor.ray.exceptions
        try:
            well, result = self._actor.ray.get(self.answer, timeout=timeout)
        except errors.GetTimeoutError as error:
            raise TimeoutError(str(error)) from None
        except (
            errors.RayActorError,
            errors.ObjectLostError,
            errors.TaskCancelledError,
            errors.OutOfMemoryError,  # its node ran short, and Ray has killed it
        ) as error:
            if NOT_MADE in str(error):  # a Cell never raises there: the node cannot read what it is told
                said = f"{_node(error)} cannot make an actor: {last_line(error)}"
                raise ExecutorError(f"{said}: install the same on every node") from error
            self._actor.falls += self._handle is self._actor.handle
            short = isinstance(error, errors.OutOfMemoryError)
            detail = "its node was short of memory" if short else last_line(error).rstrip(".")
            if self._actor.falls > MOST_FALLS:
                said = f"Ray has lost a worker {self._actor.falls} times before it could answer: {detail}"
                hint = "; was the cluster started with the token that is here?"
                raise ExecutorError(said + (hint if NEVER_RAN in detail else "")) from error
            self._actor.replace(self._handle)
            raise ActorLost(detail) from None
        except errors.RayError as error:
            raise ExecutorError(f"Ray could not call an actor: {last_line(error)}") from error
        if self._handle is self._actor.handle:
            self._actor.falls, self._actor.began = 0, None
        if not well:
            raise result
        return result

    def done(self) -> bool:
        """Whether there is an answer, or never will be one."""
        return bool(self._actor.ray.wait([self.answer], timeout=0, fetch_local=False)[0])

    def cancel(self) -> None:
        """Nobody needs the answer."""
        if self._actor.is_next(self):
            self._actor.replace(self._handle)
        elif not self.done():
            self._actor.ray.cancel(self.answer)


def refs(arguments: Sequence[Any]) -> list[Any]:
    """Shared data as Ray knows them: they arrive as the data."""
    return [each.held if isinstance(each, Shared) else each for each in arguments]


@contextlib.contextmanager
def plainly(ray: Any, doing: str) -> Iterator[None]:
    """What Ray cannot do, for want of room in its object store for one, in one line."""
    try:
        yield
    except ray.exceptions.RayError as error:
        raise ExecutorError(f"Ray could not {doing}: {last_line(error)}") from error


def _node(error: BaseException) -> str:
    """Where it happened, as far as Ray tells."""
    address = re.search(r"\bip=([^,)\s]+)", str(error))
    return f"the node at {address[1]}" if address else "a node"


def last_line(error: BaseException) -> str:
    """Ray explains at length; what happened comes last."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1][:LINE_LENGTH] if lines else type(error).__name__
