"""Reading JSON that a stranger may have written: every value is checked, and every fault is one line."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn, cast

from tesuji.clipping import clip

MOST_ROWS = 10_000


def parse(content: bytes) -> object:
    """What JSON says; ValueError where it is none, names a key twice, or holds NaN."""
    try:
        return json.loads(content, parse_constant=_no_constant, object_pairs_hook=_once_each)
    except UnicodeDecodeError:
        raise ValueError("not JSON: it is not text in UTF-8") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} at line {error.lineno}") from error
    except RecursionError:
        raise ValueError("not a model: brackets are nested too deeply") from None


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"not JSON: {word} is not a number")


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key is there twice")
    return dict(pairs)


class Reader:
    """The checked values of one JSON object, which has exactly these keys."""

    def __init__(self, found: object, name: str, keys: tuple[str, ...]) -> None:
        if not isinstance(found, dict):
            raise ValueError(f"{name!r} must be an object, not {clip(found)}")
        for key in keys:
            if key not in found:
                raise ValueError(f"{name!r} lacks the key {key!r}")
        for key in found:
            if key not in keys:
                raise ValueError(f"{name!r} has an unknown key {clip(key)}")
        self.found: dict[str, Any] = found

    def inner(self, key: str, keys: tuple[str, ...]) -> Reader:
        """The object that a key holds."""
        return Reader(self.found[key], key, keys)

    def items(self, key: str, most: int = MOST_ROWS) -> list[Any]:
        """The list that a key holds, as it is."""
        found = self.found[key]
        if not isinstance(found, list) or len(found) > most:
            raise ValueError(f"{key!r} must be a list of at most {most}, not {clip(found)}")
        return found

    def text(self, key: str) -> str:
        """A text."""
        return _text(self.found[key], key)

    def texts(self, key: str, most: int) -> tuple[str, ...]:
        """A list of texts."""
        return tuple(_text(each, key) for each in self.items(key, most))

    def known(self, key: str, found: object, names: tuple[str, ...]) -> tuple[str, ...]:
        """Some of these names."""
        if not isinstance(found, list) or not all(isinstance(each, str) and each in names for each in found):
            raise ValueError(f"{key!r} must name features of the model, not {clip(found)}")
        return tuple(found)

    def word(self, key: str, words: tuple[str, ...]) -> str:
        """One of these words."""
        if self.found[key] not in words:
            raise ValueError(f"{key!r} must be one of {', '.join(words)}, not {clip(self.found[key])}")
        return cast(str, self.found[key])

    def integer(self, key: str, low: int) -> int:
        """A whole number from `low` on."""
        found = self.found[key]
        if isinstance(found, bool) or not isinstance(found, int) or not low <= found < 1 << 64:
            raise ValueError(f"{key!r} must be a whole number from {low} on, not {clip(found)}")
        return found

    def number(self, key: str, **limits: float) -> float:
        """A finite number within limits: `low` and `high` included, `above` not."""
        return _number(self.found[key], key, **limits)

    def numbers(
        self, key: str, *, exactly: int | None = None, most: int = MOST_ROWS, **limits: float
    ) -> tuple[float, ...]:
        """A list of such numbers."""
        found = self.items(key, most)
        if exactly is not None and len(found) != exactly:
            raise ValueError(f"{key!r} must have {exactly} numbers, not {len(found)}")
        return tuple(_number(each, key, **limits) for each in found)


def _text(found: object, key: str) -> str:
    if not isinstance(found, str):
        raise ValueError(f"{key!r} must be text, not {clip(found)}")
    return found


def _number(
    found: object, key: str, low: float = -math.inf, above: float = -math.inf, high: float = math.inf
) -> float:
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise ValueError(f"{key!r} must be a number, not {clip(found)}")
    try:
        number = float(found)
    except OverflowError:
        number = math.inf
    if not (math.isfinite(number) and low <= number <= high and number > above):
        raise ValueError(f"{key!r} holds {clip(found)}, which is out of its range")
    return number
