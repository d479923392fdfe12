"""Validated reading of untrusted JSON: every value is checked, and every error is one line."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any, NoReturn, cast

from tesuji._helpers.clipping import clip

MAX_ITEMS = 10_000


def parse_json(content: bytes) -> object:
    """Parse JSON; ValueError if it is malformed, repeats a key, or holds NaN or infinity."""
    try:
        return json.loads(content, parse_constant=_no_constant, object_pairs_hook=_unique_keys)
    except UnicodeDecodeError:
        raise ValueError("not JSON: the text is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} at line {error.lineno}") from error
    except RecursionError:
        raise ValueError("not JSON: brackets are nested too deeply") from None


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"not JSON: {word} is not a number")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        key = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise ValueError(f"duplicate key {clip(key)}")
    return dict(pairs)


def checked_kind(found: object, kind: str, *formats: int) -> dict[str, Any]:
    """The object, if its `kind` and `format` are these; otherwise ValueError.

    >>> checked_kind({"kind": "linear value", "format": 1}, "linear value", 1, 2)["format"]
    1
    """
    if not isinstance(found, dict) or found.get("kind") != kind:
        actual = found.get("kind") if isinstance(found, dict) else found
        raise ValueError(f"not a {kind}: its kind is {clip(actual)}")
    if found.get("format") not in formats:
        known = f"format{'s' * (len(formats) > 1)} {' and '.join(map(str, formats))}"
        raise ValueError(f"its format is {clip(found.get('format'))}; this version reads {known}")
    return found


class ObjectReader:
    """Typed access to one JSON object, which must have exactly these keys."""

    def __init__(self, found: object, name: str, keys: tuple[str, ...]) -> None:
        if not isinstance(found, dict):
            raise ValueError(f"{name!r} must be an object, not {clip(found)}")
        for key in keys:
            if key not in found:
                raise ValueError(f"{name!r} has no key {key!r}")
        for key in found:
            if key not in keys:
                raise ValueError(f"{name!r} has an unknown key {clip(key)}")
        self.found: dict[str, Any] = found

    def inner(self, key: str, keys: tuple[str, ...]) -> ObjectReader:
        """The object under a key."""
        return ObjectReader(self.found[key], key, keys)

    def items(self, key: str, most: int = MAX_ITEMS) -> list[Any]:
        """The list under a key, unchecked."""
        found = self.found[key]
        if not isinstance(found, list) or len(found) > most:
            raise ValueError(f"{key!r} must be a list of at most {most} items, not {clip(found)}")
        return found

    def text(self, key: str) -> str:
        """A string."""
        return _text(self.found[key], key)

    def texts(self, key: str, most: int) -> tuple[str, ...]:
        """A list of strings."""
        return tuple(_text(each, key) for each in self.items(key, most))

    def known(self, key: str, found: object, names: tuple[str, ...]) -> tuple[str, ...]:
        """`found` as a list of these names."""
        if not isinstance(found, list) or not all(isinstance(each, str) and each in names for each in found):
            raise ValueError(f"{key!r} must name features of the model, not {clip(found)}")
        return tuple(found)

    def word(self, key: str, words: tuple[str, ...]) -> str:
        """A string that is one of `words`."""
        if self.found[key] not in words:
            raise ValueError(f"{key!r} must be one of {', '.join(words)}, not {clip(self.found[key])}")
        return cast(str, self.found[key])

    def integer(self, key: str, low: int) -> int:
        """An integer of at least `low`."""
        found = self.found[key]
        if isinstance(found, bool) or not isinstance(found, int) or not low <= found < 1 << 64:
            raise ValueError(f"{key!r} must be an integer of at least {low}, not {clip(found)}")
        return found

    def counts(self, key: str) -> dict[str, int]:
        """An object with any keys, whose values are integers of at least 1."""
        found = self.found[key]
        if not isinstance(found, dict):
            raise ValueError(f"{key!r} must be an object, not {clip(found)}")
        inner = ObjectReader(found, key, tuple(found))
        return {name: inner.integer(name, 1) for name in found}

    def number(self, key: str, **limits: float) -> float:
        """A finite number in [low, high] and greater than `above`."""
        return _number(self.found[key], key, **limits)

    def numbers(
        self, key: str, *, exactly: int | None = None, most: int = MAX_ITEMS, **limits: float
    ) -> tuple[float, ...]:
        """A list of numbers, each with the limits of `number`."""
        found = self.items(key, most)
        if exactly is not None and len(found) != exactly:
            raise ValueError(f"{key!r} must hold {exactly} numbers, not {len(found)}")
        return tuple(_number(each, key, **limits) for each in found)

    def integers(self, key: str, *, exactly: int, low: int, high: int, most: int) -> tuple[int, ...]:
        """A list of this many integers from `low` to `high`."""
        found = self.items(key, most)
        if len(found) != exactly:
            raise ValueError(f"{key!r} must hold {exactly} numbers, not {len(found)}")
        for each in found:
            if type(each) is not int or not low <= each <= high:
                raise ValueError(f"{key!r} must hold integers from {low} to {high}, not {clip(each)}")
        return tuple(found)


def _text(found: object, key: str) -> str:
    if not isinstance(found, str):
        raise ValueError(f"{key!r} must be a string, not {clip(found)}")
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
        raise ValueError(f"{key!r} is out of range: {clip(found)}")
    return number
