"""Optional packages, by the extra that installs them: `pip install "tesuji-ai[board]"`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec

EXTRAS = {
    "board": ("fastapi", "uvicorn", "websockets"),
    "learn": ("scipy", "threadpoolctl"),
    "train": ("onnx", "torch"),
    "ray": ("ray",),
    "openspiel": ("open_spiel",),
    "envs": ("gymnasium", "pettingzoo"),
}
"""The packages that each extra installs; `pyproject.toml` has their versions."""
DISTRIBUTION = "tesuji-ai"
"""What pip calls this package. On PyPI, the name `tesuji` belongs to another program."""


class MissingExtra(ImportError, ValueError):
    """An optional package is not installed; the message names the extra that installs it.

    Also a ValueError: a spec such as `zero:net=hex` that cannot be used here is bad input.
    """


def require(extra: str, purpose: str, packages: Sequence[str] | None = None) -> None:
    """Raise MissingExtra unless the packages of an extra are installed, or those given; imports none of them.

    >>> require("learn", "fitting a linear value")
    """
    missing = [package for package in packages or EXTRAS[extra] if not is_installed(package)]
    if missing:
        needs = f"{purpose} needs {', '.join(missing)}"
        raise MissingExtra(
            f'{needs}; install it with: pip install "{DISTRIBUTION}[{extra}]"', name=missing[0]
        )


def is_installed(package: str) -> bool:
    """Whether a package can be imported, without importing it."""
    if package in sys.modules:
        return sys.modules[package] is not None
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:
        return False
