"""Records as dictionaries and as lines of JSON. Reading validates every value, and runs no code.

    {"game": "hex:size=3", "players": ["mcts", "random"], "seed": null, "leg": 0, "moves": ["b2", "a1"],
     "notes": [[0, 0.61, 500, 0.02], null], "opening": 0, "scores": null, "ending": "unfinished", "fault": "",
     "when": "2026-01-31T18:30:00.000000Z"}

A note is a list of player, value, visits and seconds. Only `game` and `players` are required; the others
default as in `Record`, and `when` to `UNDATED`. A line may also have `match` and `round`, the game's slot in
the store that it came from; reading ignores them, because the match may be a different one here.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple, NoReturn, TypeVar, get_args

from tesuji._helpers.clipping import SHOWN, clip
from tesuji.options import unknown
from tesuji.records.record import UNDATED, Ending, Note, Record

T = TypeVar("T")
ENDINGS: tuple[str, ...] = get_args(Ending)
SLOT_KEYS = ("match", "round")
MAX_LEGS = 1000


def as_dict(record: Record) -> dict[str, object]:
    """A record as JSON data; ValueError for invalid values.

    >>> as_dict(Record(game="hex", players=("mcts", "random"), moves=("f6",)))["moves"]
    ['f6']
    """
    check_record(record)
    return {key: field.write(getattr(record, key)) for key, field in FIELDS.items()}


def from_dict(data: object) -> Record:
    """The inverse of `as_dict`; ValueError for invalid data."""
    if not isinstance(data, dict):
        raise ValueError(f"a record must be an object with the keys {', '.join(FIELDS)}, not {clip(data)}")
    for key in data:
        if key not in (*FIELDS, *SLOT_KEYS):
            raise ValueError(unknown(f"key {clip(key)}", str(key)[:SHOWN], FIELDS))
    for key in ("game", "players"):
        if key not in data:
            raise ValueError(f"key {key!r} is missing")
    given = {key: field.read(data[key], key) for key, field in FIELDS.items() if key in data}
    played = given.get("scores") is not None
    record = Record(**{"ending": "played" if played else "unfinished", "when": UNDATED, **given})
    check_record(record)
    return record


def to_json(record: Record, *, match: str = "", round: int | None = None) -> str:
    """One line of JSON without the newline: `from_json(to_json(record)) == record`."""
    slot = {"match": match, "round": round} if match else {}
    return json.dumps({**as_dict(record), **slot}, ensure_ascii=False, separators=(",", ":"))


def from_json(line: str) -> Record:
    """The record in a line of JSON; ValueError if it is not one."""
    try:
        data = json.loads(line, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} at character {error.pos + 1}") from error
    except RecursionError:
        raise ValueError("not a record: nested too deeply") from None
    return from_dict(data)


def check_record(record: Record) -> None:
    """ValueError for invalid values. Whether the moves are legal is checked by `verify`."""
    if not record.game or not record.players:
        raise ValueError("a record needs a game and at least one player")
    for text in (record.game, record.fault, *record.players, *record.moves):
        try:
            text.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{clip(text)} contains a lone surrogate") from None
    if record.ending not in ENDINGS:
        raise ValueError(f"'ending' must be one of {', '.join(ENDINGS)}, not {clip(record.ending)}")
    if not 0 <= record.opening <= len(record.moves):
        raise ValueError(
            f"'opening' must be from 0 to {len(record.moves)} (moves), not {clip(record.opening)}"
        )
    if record.scores is not None:
        if record.ending == "unfinished":
            raise ValueError("an unfinished game has no scores")
        if len(record.scores) != len(record.players):
            raise ValueError(f"{len(record.players)} players, but {len(record.scores)} scores")
        for score in record.scores:
            if not 0 <= score <= 1:  # also catches NaN
                raise ValueError(f"a score must be from 0 to 1, not {score}")
    if not 0 <= record.leg < MAX_LEGS:
        raise ValueError(f"'leg' must be from 0 to {MAX_LEGS - 1}, not {clip(record.leg)}")
    for note in record.notes:
        if note is not None:
            _check_note(note, len(record.players))


def _check_note(note: Note, players: int) -> None:
    for number in note:
        if number is not None and not isinstance(number, int) and not math.isfinite(number):
            raise ValueError(f"numbers of a note must be finite, not {number}")
    if not 0 <= note.player < players:
        raise ValueError(f"a note's player must be from 0 to {players - 1}, not {clip(note.player)}")
    if note.value is not None and not 0 <= note.value <= 1:
        raise ValueError(f"a note's value must be from 0 to 1, not {note.value}")
    if note.seconds < 0 or (note.visits or 0) < 0:
        raise ValueError(f"a note's visits and seconds cannot be negative: {clip(tuple(note))}")


def result_of(record: Record) -> str:
    """The winning seat as text, "draw" or "unfinished".

    >>> result_of(Record(game="hex", players=("mcts", "random"), scores=(0.0, 1.0), ending="played"))
    '1'
    """
    if record.scores is None:
        return "unfinished"
    best = max(record.scores)
    winners = [seat for seat, score in enumerate(record.scores) if score == best]
    return str(winners[0]) if len(winners) == 1 else "draw"


def format_time(when: datetime) -> str:
    """A time in UTC with fixed width, so that texts sort by time; a time without zone is taken as UTC.

    >>> format_time(UNDATED)
    '1970-01-01T00:00:00.000000Z'
    """
    aware = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    return aware.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def parse_time(text: str) -> datetime:
    """Parse an ISO time; UTC if it has no zone: `parse_time("2026-01-31T18:30")`."""
    try:
        when = datetime.fromisoformat(text)
        return when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(f"a time must be like 2026-01-31 or 2026-01-31T18:30, not {clip(text)}") from None


def _note_as_list(note: Note) -> list[float | int | None]:
    value = None if note.value is None else float(note.value)
    visits = None if note.visits is None else int(note.visits)
    return [int(note.player), value, visits, float(note.seconds)]


def _note(value: object, key: str) -> Note | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 4:
        raise ValueError(f"{key!r} must be null or [player, value, visits, seconds], not {clip(value)}")
    player, mean, visits, seconds = value
    known = None if mean is None else _number(mean, key)
    return Note(_int(player, key), known, _optional_int(visits, key), _number(seconds, key))


def _text(value: object, key: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{key!r} must be text, not {clip(value)}")
    return value


def _int(value: object, key: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{key!r} must be a whole number, not {clip(value)}")
    return value


def _optional_int(value: object, key: str) -> int | None:
    return None if value is None else _int(value, key)


def _scores(value: object, key: str) -> tuple[float, ...] | None:
    return None if value is None else _tuple_of(_number)(value, key)


def _number(value: object, key: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ValueError(f"{key!r} must be a number, not {clip(value)}")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{key!r} must fit a float, not {clip(value)}") from None


def _tuple_of(read: Callable[[object, str], T]) -> Callable[[object, str], tuple[T, ...]]:
    def read_all(value: object, key: str) -> tuple[T, ...]:
        if not isinstance(value, list):
            raise ValueError(f"{key!r} must be a list, not {clip(value)}")
        return tuple(read(item, key) for item in value)

    return read_all


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"a number must be finite, not {name}")


class _Field(NamedTuple):
    """How a field of a record is read from JSON data, and written to it."""

    read: Callable[[object, str], Any]
    write: Callable[[Any], object] = lambda value: value


FIELDS: Mapping[str, _Field] = {
    "game": _Field(_text),
    "players": _Field(_tuple_of(_text), list),
    "seed": _Field(_optional_int),
    "leg": _Field(_int),
    "moves": _Field(_tuple_of(_text), list),
    "notes": _Field(_tuple_of(_note), lambda notes: [note and _note_as_list(note) for note in notes]),
    "opening": _Field(_int),
    "scores": _Field(_scores, lambda scores: None if scores is None else list(map(float, scores))),
    "ending": _Field(lambda value, key: value),
    "fault": _Field(_text),
    "when": _Field(lambda value, key: parse_time(_text(value, key)), format_time),
}
"""The keys of a record."""
