r"""Specs: a name with options, for games, bots and executors.

    spec   = name [":" option {"," option}]
    option = key "=" value
    value  = bare | '"' any text, with \" for a quote and \\ for a backslash '"'

A bare value holds no comma, equals sign, colon, quote or space: `hex`, `hex:size=9,swap=off`,
`gtp:command="mohex --quiet"`. Spaces around names, keys and values are ignored. Registered names are in lower
case; the grammar also reads capitals, so that `Hex` is an unknown game close to `hex`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from tesuji._helpers.clipping import SHOWN_SPEC, clip

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_REGISTERED = re.compile(r"[a-z][a-z0-9_-]*")
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BARE = re.compile(r"[^\s,=\":\\]+")
_HEAD = re.compile(rf"\s*(?P<name>{_NAME.pattern})\s*(?::|\Z)")
_OPTION = re.compile(
    rf'\s*(?P<key>{_KEY.pattern})\s*=\s*(?:"(?P<quoted>(?:[^"\\]|\\["\\])*)"|(?P<bare>[^\s,=":]+))\s*(?P<end>,|\Z)'
)


class SpecError(ValueError):
    """An invalid spec; the message says where, and what was expected."""


@dataclass(frozen=True)
class Spec:
    """A name and its options as text.

    >>> Spec.parse("hex: size=9")
    Spec(name='hex', options={'size': '9'})
    >>> str(Spec("gtp", {"command": "mohex --quiet"}))
    'gtp:command="mohex --quiet"'
    """

    name: str
    options: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise SpecError(f"a name has only letters, digits, _ and -, not {clip(self.name)}")
        for key in self.options:
            if not _KEY.fullmatch(key):
                raise SpecError(f"an option name has only letters, digits and _, not {clip(key)}")

    @classmethod
    def parse(cls, text: str) -> Spec:
        """Read a spec: `Spec.parse("hex:size=9").options == {"size": "9"}`."""
        head = _HEAD.match(text)
        if head is None:
            raise SpecError(f"expected a name, or a name and ':', at position 1 of {clip(text, SHOWN_SPEC)}")
        options: dict[str, str] = {}
        position, more = head.end(), head[0].endswith(":")
        while more:
            match = _OPTION.match(text, position)
            if match is None:
                hint = 'values with spaces or any of , = : go in "quotes"'
                raise SpecError(
                    f"expected key=value at position {position + 1} of {clip(text, SHOWN_SPEC)}; {hint}"
                )
            key, quoted, bare = match["key"], match["quoted"], match["bare"]
            if key in options:
                raise SpecError(f"option {clip(key)} is given twice in {clip(text, SHOWN_SPEC)}")
            options[key] = bare if quoted is None else re.sub(r"\\(.)", r"\1", quoted)
            position, more = match.end(), match["end"] == ","
        return cls(head["name"], options)

    def with_options(self, options: Mapping[str, str]) -> Spec:
        """The spec with more options, which override its own: `Spec("mcts").with_options({"seed": "1"})`."""
        return Spec(self.name, {**self.options, **options})

    def __str__(self) -> str:
        options = ",".join(f"{key}={_quote(value)}" for key, value in self.options.items())
        return f"{self.name}:{options}" if options else self.name

    def __hash__(self) -> int:
        return hash((self.name, frozenset(self.options.items())))


def check_name(name: str) -> str:
    """The name itself if it can be registered, otherwise a SpecError: `check_name("hex") == "hex"`."""
    if not _REGISTERED.fullmatch(name):
        raise SpecError(f"a name starts with a-z and continues with a-z, 0-9, _ and -, not {clip(name)}")
    return name


def _quote(value: str) -> str:
    if _BARE.fullmatch(value):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
