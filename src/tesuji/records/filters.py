"""Which games of a store are meant: filters as a condition of SQL with its values."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from tesuji.clipping import clip
from tesuji.game import game as make_game
from tesuji.records.plain import ENDINGS, time_text
from tesuji.registry import spec_of
from tesuji.spec import Spec


def where(
    game: str | None = None,
    bot: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    result: str | None = None,
    ending: str | None = None,
    match: str | None = None,
) -> tuple[str, list[object]]:
    """The condition that a row of `games` fulfils where it is meant, and what stands for its question marks.

    >>> where(game="hex", result="draw")
    ('(game = ? OR game >= ? AND game < ?) AND result = ?', ['hex', 'hex:', 'hex;', 'draw'])
    """
    conditions: list[str] = []
    values: list[object] = []

    def need(condition: str, *given: object) -> None:
        conditions.append(condition)
        values.extend(given)

    if game is not None:
        need(*_named("game", game, _canonical_game))
    if bot is not None:
        condition, *given = _named("bot", bot, _canonical)
        need(f"number IN (SELECT number FROM seats WHERE {condition})", *given)
    if since is not None:
        need("began >= ?", time_text(since))
    if until is not None:
        need("began < ?", time_text(until))
    if result is not None:
        need("result = ?", _read_result(result))
    if ending is not None:
        if ending not in ENDINGS:
            raise ValueError(f"an ending is one of {', '.join(ENDINGS)}, not {clip(ending)}")
        need("ending = ?", ending)
    if match is not None:
        need("match = ?", match)
    return " AND ".join(conditions) or "1", values


def _named(column: str, text: str, canonical: Callable[[str], str]) -> tuple[str, ...]:
    """A bare name stands for all options; with options it is the spec as typed, or as usually written."""
    if ":" not in text:
        return f"({column} = ? OR {column} >= ? AND {column} < ?)", text, f"{text}:", f"{text};"
    return f"{column} IN (?, ?)", text, canonical(text)


def _canonical(text: str) -> str:
    try:
        return str(Spec.parse(text))
    except ValueError:  # the name of a person, which may be anything
        return text


def _canonical_game(text: str) -> str:
    try:
        return spec_of(make_game(text))
    except ValueError:  # a game that nobody has brought here can be asked for, too
        return _canonical(text)


def _read_result(text: str) -> str:
    if text in ("draw", "unfinished") or text.isascii() and text.isdecimal() and str(int(text[:3])) == text:
        return text
    raise ValueError(f"a result is the seat that won (0, 1, …), draw or unfinished, not {clip(text)}")
