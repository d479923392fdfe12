"""Actors on a Ray cluster: objects in Ray's worker processes, recreated after a loss.

Ray can restart an actor itself, but calls fail until it is back. Here the next call waits for the new one.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from tesuji.scale import ExecutorError
from tesuji.scale.build_check import Build, check_build
from tesuji.scale.child_process import WorkerError
from tesuji.scale.executor import ActorLost, Shared

Ray: TypeAlias = Any
"""The module `ray`, its handles and references: it has no types that mypy could read."""

LINE_LENGTH = 200
NOT_MADE = "error raised in its creation task"
"""Ray's words."""
NEVER_RAN = "The actor never ran"
"""Ray's words; also if the driver has another token than the cluster."""
MAX_LOSSES = 10
"""How often in a row an actor may be lost without an answer before the executor gives up."""


class ActorHost:
    """The Ray actor that holds an actor's object."""

    def __init__(self, build: Build, folder: str, make: Callable[..., object], *arguments: object) -> None:
        self._made: object = None
        self._failed: Exception | None = None
        try:
            check_build(build, folder)
            self._made = make(*arguments)
        except ExecutorError as error:
            self._failed = error
        except Exception as error:
            self._failed = WorkerError.of(error)

    def call(self, method: str, *arguments: object) -> tuple[bool, object]:
        """(True, the result) or (False, the exception to raise)."""
        if self._failed is not None:
            return False, self._failed
        try:
            return True, getattr(self._made, method)(*arguments)
        except (ExecutorError, WorkerError) as error:
            return False, error
        except Exception as error:
            return False, WorkerError.of(error)


class RemoteActor:
    """An actor on the cluster, recreated after a loss."""

    def __init__(self, ray: Ray, make: Callable[[], Ray]) -> None:
        self.ray, self._make = ray, make
        self.handle = make()
        self.calls: list[RemoteCall] = []
        self.losses = 0
        """How often it was lost since its last answer."""
        self.began: float | None = time.monotonic()
        """When it was created; None once it has answered."""

    def call(self, method: str, *arguments: object) -> RemoteCall:
        """Call a method without waiting."""
        with ray_errors(self.ray, "call an actor"):  # large arguments go into the object store here
            made = RemoteCall(self, self.handle, self.handle.call.remote(method, *refs(arguments)))
        self.calls = [call for call in self.calls if not call.done()] + [made]
        return made

    def is_next(self, call: RemoteCall) -> bool:
        """Whether all earlier calls have finished."""
        return next((each for each in self.calls if not each.done()), None) is call

    def replace(self, handle: Ray) -> None:
        """Recreate the actor, unless it has been since it had this handle."""
        if handle is self.handle:
            self.kill()
            self.handle, self.began = self._make(), time.monotonic()

    def kill(self) -> None:
        """Kill the actor; no-op if it is gone."""
        with contextlib.suppress(self.ray.exceptions.RayError):  # it was never registered
            self.ray.kill(self.handle)


class RemoteCall:
    """A pending or finished call."""

    def __init__(self, actor: RemoteActor, handle: Ray, answer: Ray) -> None:
        self._actor, self._handle, self.answer = actor, handle, answer

    def result(self, timeout: float | None = None) -> Any:
        """The result of the call."""
        errors = self._actor.ray.exceptions
        try:
            well, result = self._actor.ray.get(self.answer, timeout=timeout)
        except errors.GetTimeoutError as error:
            raise TimeoutError(str(error)) from None
        except (
            errors.RayActorError,
            errors.ObjectLostError,
            errors.TaskCancelledError,
            errors.OutOfMemoryError,  # Ray killed it because its node ran out of memory
        ) as error:
            if NOT_MADE in str(error):  # ActorHost.__init__ never raises: unpickling failed
                message = f"{_node(error)} cannot create an actor: {last_line(error)}"
                raise ExecutorError(f"{message}: install the same on every node") from error
            self._actor.losses += self._handle is self._actor.handle
            short = isinstance(error, errors.OutOfMemoryError)
            detail = "its node ran out of memory" if short else last_line(error).rstrip(".")
            if self._actor.losses > MAX_LOSSES:
                message = f"Ray lost a worker {self._actor.losses} times before it answered: {detail}"
                hint = "; does the cluster have the same token as this machine?"
                raise ExecutorError(message + (hint if NEVER_RAN in detail else "")) from error
            self._actor.replace(self._handle)
            raise ActorLost(detail) from None
        except errors.RayError as error:
            raise ExecutorError(f"Ray could not call an actor: {last_line(error)}") from error
        if self._handle is self._actor.handle:
            self._actor.losses, self._actor.began = 0, None
        if not well:
            raise result
        return result

    def done(self) -> bool:
        """Whether the call has finished or failed."""
        return bool(self._actor.ray.wait([self.answer], timeout=0, fetch_local=False)[0])

    def cancel(self) -> None:
        """Drop the call; an actor that is running it is recreated."""
        if self._actor.is_next(self):
            self._actor.replace(self._handle)
        elif not self.done():
            self._actor.ray.cancel(self.answer)


def refs(arguments: Sequence[object]) -> list[object]:
    """Arguments with shared data replaced by Ray's references, which arrive as the data."""
    return [each.held if isinstance(each, Shared) else each for each in arguments]


@contextlib.contextmanager
def ray_errors(ray: Ray, action: str) -> Iterator[None]:
    """Turn Ray's errors, such as a full object store, into a one-line ExecutorError."""
    try:
        yield
    except ray.exceptions.RayError as error:
        raise ExecutorError(f"Ray could not {action}: {last_line(error)}") from error


def _node(error: BaseException) -> str:
    """The node that an error names, if any."""
    address = re.search(r"\bip=([^,)\s]+)", str(error))
    return f"the node at {address[1]}" if address else "a node"


def last_line(error: BaseException) -> str:
    """The last line of Ray's long messages, which says what happened."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1][:LINE_LENGTH] if lines else type(error).__name__
