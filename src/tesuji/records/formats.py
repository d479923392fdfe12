"""File formats for records.

Every game has "json", one JSON object per line, which is lossless. A game adds others with an attribute
`record_formats`, a mapping from names to `Format`s.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tesuji.full_game import FullGame
from tesuji.options import unknown
from tesuji.records.record import Record
from tesuji.records.serialization import from_json, to_json
from tesuji.registry import games
from tesuji.spec import Spec


class WrongGameError(ValueError):
    """Text in the right format, but of another game."""


@dataclass(frozen=True)
class Format:
    """A file format: `Format("sgf", ".sgf", write, read)`.

    The concatenation of several records is a valid file.
    """

    name: str
    suffix: str
    """The file name extension."""
    write: Callable[[Record], str]
    """The text of a record, including its last newline."""
    read: Callable[[str], list[Record]]
    """All records in a text; a one-line ValueError names the position of an error."""
    title: str = ""
    """Display name; defaults to `name`."""


def write_json(record: Record) -> str:
    """A record as one line of JSON."""
    return f"{to_json(record)}\n"


def read_json(text: str) -> list[Record]:
    r"""The records in lines of JSON; empty lines are ignored.

    >>> read_json('{"game": "hex", "players": ["mcts", "random"]}\n\n')[0].players
    ('mcts', 'random')
    """
    return read_lines(text, from_json)


def read_lines(text: str, read: Callable[[str], Record]) -> list[Record]:
    """The records in the lines of a text, one in each; empty lines are ignored."""
    records = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                records.append(read(line))
            except ValueError as error:
                raise ValueError(f"line {number}: {error}") from error
    return records


def last_state(record: Record, name: str, title: str) -> Any:
    """The last position of a record of this game, for writers of formats; ValueError for any other record."""
    if Spec.parse(record.game).name != name or len(record.players) != 2:
        raise ValueError(f"this format is for {title} and its two players, not for {record.game}")
    *_, state = record.states()
    return state


JSON = Format("json", ".json", write_json, read_json, "Tesuji")


def formats_of(game: FullGame) -> dict[str, Format]:
    """The formats of a game, "json" first.

    >>> import tesuji
    >>> list(formats_of(tesuji.game("hex")))
    ['json', 'sgf', 'hexworld']
    """
    return {"json": JSON, **game.record_formats}


def _formats_of_class(name: str) -> dict[str, Format]:
    """The formats of a game by its name, without making one: its spec may have come from a stranger."""
    offered = getattr(games.get(name), "record_formats", None)
    return {"json": JSON, **(offered if isinstance(offered, Mapping) else {})}


def all_formats() -> dict[str, list[Format]]:
    """All formats by name; several games may have their own "sgf"."""
    found: dict[str, list[Format]] = {}
    for name in games.names():
        for format in _formats_of_class(name).values():
            known = found.setdefault(format.name, [])
            if format not in known:
                known.append(format)
    return found


def write_record(record: Record, name: str) -> str:
    """A record as text in the named format; `read_records(text, name)` reads it.

    >>> record = Record(game="hex:size=5", players=("mcts", "random"), moves=("c3", "d2"))
    >>> write_record(record, "hexworld").strip()
    'https://hexworld.org/board/#5,c3d2'
    """
    formats = {"json": JSON} if name == "json" else _formats_of_class(Spec.parse(record.game).name)
    if name not in formats:
        raise ValueError(unknown(f"format {name!r} for {record.game}", name, formats))
    return formats[name].write(record)


def read_records(text: str, name: str) -> list[Record]:
    """The records in a text of the named format, of any game.

    >>> [record.game for record in read_records("#5,c3d2", "hexworld")]
    ['hex:size=5']
    """
    formats = all_formats()
    if name not in formats:
        raise ValueError(unknown(f"format {name!r}", name, formats))
    others = []
    for format in formats[name]:
        try:
            return format.read(text)
        except WrongGameError as error:
            others.append(error)
    raise others[0]
