"""Quoting values in error messages, cut to a readable length."""

from __future__ import annotations

SHOWN = 60  # characters of a value in a message
SHOWN_SPEC = 200  # of a spec, which may contain file names


def clip(value: object, most: int = SHOWN) -> str:
    """A value for a message, short enough for one line.

    >>> clip("x" * 1000)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"
    """
    try:
        shown = repr(value if not isinstance(value, str) else value[: most + 1])
    except (RecursionError, ValueError):  # nested a thousand deep; an int of ten thousand digits
        shown = f"<{type(value).__name__}>"
    return shown if len(shown) <= most else shown[:most] + "…"
