"""Notebooks: a state with `svg()` is shown as its picture, whatever its class, and progress as a bar.

IPython looks for `_repr_svg_`, which a user's state need not define: the formatter for SVG gets a fallback.
"""

from __future__ import annotations

import sys
from html import escape
from typing import Any

STATE = ("moves", "play", "scores", "svg")


def enable() -> None:
    """Show states as pictures, if this is an IPython session."""
    shell = _shell()
    if shell is not None:
        shell.display_formatter.formatters["image/svg+xml"].for_type(object, picture)


class NotebookBar:
    """A progress bar in the output of a notebook's cell; None of it is left when it is closed."""

    interval = 0.25  # seconds between two drawings

    def __init__(self) -> None:
        from IPython import display

        module: Any = display  # its functions have no types
        self._handle: Any = module.display(_Html(""), display_id=True)

    def show(self, done: float, planned: float | None, text: str, above: object = ()) -> None:
        """Draw the bar anew, without what a terminal shows above it."""
        share = "" if planned is None else f' value="{done}" max="{planned}"'
        self._handle.update(_Html(f"<progress{share}></progress> <span>{escape(text)}</span>"))

    def close(self) -> None:
        """Remove the bar."""
        self._handle.update(_Html(""))


def in_notebook() -> bool:
    """Whether output goes to a notebook's cell, not to a terminal."""
    shell = _shell()
    return shell is not None and hasattr(shell, "kernel")


class _Html:
    """A piece of HTML to display."""

    def __init__(self, text: str) -> None:
        self._text = text

    def _repr_html_(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return ""


def _shell() -> Any:
    ipython: Any = sys.modules.get("IPython")
    return None if ipython is None else ipython.get_ipython()


def picture(thing: object) -> str | None:
    """The SVG of any object that has one: by its own method, or as a state."""
    own: Any = getattr(type(thing), "_repr_svg_", None)
    if own is not None and not isinstance(thing, type):
        drawn: str | None = own(thing)
        return drawn
    if isinstance(thing, type) or not all(callable(getattr(type(thing), name, None)) for name in STATE):
        return None
    state: Any = thing
    return str(state.svg())
