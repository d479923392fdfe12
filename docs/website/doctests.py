"""A griffe extension: examples in docstrings, `>>> …`, become code blocks."""

from __future__ import annotations

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\s*$).*)*", re.MULTILINE)


class Doctests(griffe.Extension):
    """Fences every example, with its output, up to the next empty line."""

    def on_instance(self, *, obj: Any, **_: Any) -> None:
        """Rewrite the docstring of a loaded object."""
        if obj.docstring is not None:
            obj.docstring.value = EXAMPLE.sub(lambda one: f"```pycon\n{one[0]}\n```", obj.docstring.value)
