"""Values in messages: a bad one is quoted, but kilobytes of it help nobody."""

from __future__ import annotations

SHOWN = 60  # characters of a bad value in a message
SHOWN_SPEC = 200  # of a spec: it may name files


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
