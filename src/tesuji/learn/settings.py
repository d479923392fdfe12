"""Validation of the options of a linear value, and the penalties behind `auto`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any, Literal, TypeAlias

from tesuji.learn.fit import Samples, Scaling, largest_l1
from tesuji.models.linear_file import DRAWS, RULES
from tesuji.options import unknown

Penalty: TypeAlias = float | Sequence[float] | Literal["auto"]
Draws: TypeAlias = Literal["half", "skip"]

OPTIONS = ("gamma", "l1", "l2", "folds", "draws", "rule", "epsilon", "seed", "without")

AUTO_L1 = (0.0, 1e-3, 1e-2, 1e-1)
"""Fractions of the smallest λ1 that makes every weight 0."""
AUTO_L2 = (1e-6, 1e-4, 1e-2)
"""Fractions of the total weight; the curvature of the loss is at most a quarter of it."""
AUTO_L2_OF_CODES = (1.0, 10.0, 100.0)
"""With codes: 1/(2·λ2) is the variance expected of weights, whatever the number of positions."""


def check_options(given: Any) -> None:
    """ValueError if an option of a `LinearValue` is invalid."""
    for name in ("gamma", "epsilon"):
        number = getattr(given, name)
        if not _is_number(number) or not 0 < number <= 1:
            raise ValueError(f"{name} must be greater than 0 and at most 1, not {number!r}")
    for name, least in (("folds", 2), ("seed", 0)):
        number = getattr(given, name)
        if not _is_number(number) or not isinstance(number, int) or number < least:
            raise ValueError(f"{name} must be an integer of at least {least}, not {number!r}")
    for name, words in (("draws", DRAWS), ("rule", RULES)):
        word = getattr(given, name)
        if word not in words:
            raise ValueError(f"{name} must be one of {', '.join(words)}, not {word!r}")
    for name in ("l1", "l2"):
        check_penalty(name, getattr(given, name))


def check_penalty(name: str, penalty: Any) -> None:
    """ValueError if it is not a `Penalty`."""
    if isinstance(penalty, str) and penalty == "auto":
        return
    several = penalty if isinstance(penalty, Sequence) and not isinstance(penalty, str) else [penalty]
    if not several or not all(_is_number(each) and 0 <= each < math.inf for each in several):
        raise ValueError(
            f"{name} must be auto, a non-negative number, or a sequence of them, not {penalty!r}"
        )


def penalty_option(name: str, text: str) -> Any:
    """A penalty on the command line: `auto`, or numbers separated by commas.

    >>> penalty_option("l2", "1,10"), penalty_option("l2", "0.5")
    ([1.0, 10.0], 0.5)
    """
    if text == "auto":
        return text
    try:
        numbers = [float(word) for word in text.split(",")]
    except ValueError:
        raise ValueError(f"--{name} must be auto, or numbers separated by commas, not {text!r}") from None
    return numbers[0] if len(numbers) == 1 else numbers


def excluded_columns(patterns: Sequence[str], names: Sequence[str]) -> list[int]:
    """The indices of features that match a pattern, such as `card_*`; ValueError if a pattern matches none.

    >>> excluded_columns(["card_*"], ["moves", "card_ox", "card_eel"])
    [1, 2]
    """
    if isinstance(patterns, str):
        raise ValueError(f"without must be a list of patterns, not {patterns!r}")
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise ValueError(unknown(f"feature {pattern!r}", pattern, names))
    left_out = [place for place, name in enumerate(names) if any(fnmatchcase(name, p) for p in patterns)]
    if left_out and len(left_out) == len(names):
        raise ValueError(f"without={','.join(patterns)} excludes every feature")
    return left_out


def penalties(
    l1: Penalty, l2: Penalty, samples: Samples, scaling: Scaling
) -> tuple[list[float], list[float]]:
    """The candidates for λ1 and λ2; with codes, `auto` means no λ1, which would be slow."""
    if samples.codes is not None:
        return _several(l1, (0.0,), 1.0), _several(l2, AUTO_L2_OF_CODES, 1.0)
    return (
        _several(l1, AUTO_L1, largest_l1(samples, scaling)),
        _several(l2, AUTO_L2, samples.total),
    )


def _several(given: Penalty, shares: Sequence[float], unit: float) -> list[float]:
    if isinstance(given, str):
        return [float(f"{share * unit:.2g}") for share in shares]
    return [float(each) for each in (given if isinstance(given, Sequence) else [given])]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
