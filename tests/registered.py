"""Games and bots that are registered while a test runs, and forgotten after it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tesuji.registry import Registry


@contextmanager
def registered(registry: Registry, **classes: type) -> Iterator[None]:
    """Names for these classes."""
    try:
        for name, cls in classes.items():
            registry.register(name)(cls)
        yield
    finally:
        for name in classes:
            registry.forget(name)


@contextmanager
def unchanged(registry: Registry) -> Iterator[None]:
    """What is registered meanwhile is forgotten."""
    before = set(registry.names())
    try:
        yield
    finally:
        for name in set(registry.names()) - before:
            registry.forget(name)


@contextmanager
def only_own(registry: Registry) -> Iterator[None]:
    """The same, with the package's own names alone: other tests import examples, which register theirs."""
    classes = {name: registry.get(name) for name in registry.names()}
    theirs = {name: cls for name, cls in classes.items() if not cls.__module__.startswith("tesuji.")}
    for name in theirs:
        registry.forget(name)
    try:
        with unchanged(registry):
            yield
    finally:
        for name, cls in theirs.items():
            registry.register(name)(cls)
