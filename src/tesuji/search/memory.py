"""An estimate of the memory that the states of a Python game take, for the searches' budget.

Python does not report the size of an object with everything it refers to. Here all objects are added up that
can be reached from a position but not from the one before it. What positions share, such as the game, is not
counted.
"""

from __future__ import annotations

import gc
import sys
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType

MOST_OBJECTS = 4000  # visited at most, so that measuring is fast whatever a state holds
SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType)
GRAIN = 16  # bytes; allocators round up to it
ATTRIBUTES = 96  # bytes for an instance's attributes, which sys.getsizeof leaves out
ALWAYS_THERE = frozenset(map(id, (None, True, False, (), "", b"", *range(-5, 257))))


def bytes_beyond(position: tuple[object, ...], before: tuple[object, ...]) -> int:
    """The bytes of the objects reachable from `position` but not from `before`.

    >>> shared = list(range(1000, 2000))
    >>> bytes_beyond(([shared, 1.5],), ([shared],)) < 200
    True
    """
    seen = set(ALWAYS_THERE)
    _walk(before, seen)
    return _walk(position, seen)


def _walk(objects: tuple[object, ...], seen: set[int]) -> int:
    """The bytes of the reachable objects that are not in `seen`; adds them to it."""
    total, left, open_ = 0, MOST_OBJECTS, list(objects)
    while open_ and left:
        one = open_.pop()
        kind = type(one)
        if id(one) in seen or issubclass(kind, SHARED):
            continue
        seen.add(id(one))
        left -= 1
        held = gc.get_referents(one)
        total += -(-sys.getsizeof(one, GRAIN) // GRAIN) * GRAIN
        if kind.__dictoffset__ and not any(type(each) is dict for each in held):
            total += ATTRIBUTES
        open_ += held
    return total
