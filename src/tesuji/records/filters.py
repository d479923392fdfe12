"""Filters for the games of a store, as an SQL condition with parameters."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TypedDict, Unpack

from tesuji._helpers.clipping import clip
from tesuji.any_game import game as make_game
from tesuji.records.serialization import ENDINGS, format_time
from tesuji.registry import spec_of
from tesuji.spec import Spec


class Filters(TypedDict, total=False):
    """Which games to find; a filter that is missing or None admits all."""

    game: str | None
    """A bare name, for any options, or a spec with options."""
    bot: str | None
    since: datetime | None
    until: datetime | None
    """Exclusive."""
    result: str | None
    """The winning seat ("0"), "draw" or "unfinished"."""
    ending: str | None
    match: str | None


def where(**filters: Unpack[Filters]) -> tuple[str, list[object]]:
    """The SQL condition on table `games`, and its parameters.

    >>> where(game="hex", result="draw")
    ('(game = ? OR game >= ? AND game < ?) AND result = ?', ['hex', 'hex:', 'hex;', 'draw'])
    """
    names = Filters.__annotations__
    if unknown := set(filters) - set(names):
        raise ValueError(f"filters are {', '.join(names)}, not {', '.join(sorted(unknown))}")
    conditions: list[str] = []
    values: list[object] = []

    def add(condition: str, *given: object) -> None:
        conditions.append(condition)
        values.extend(given)

    if (game := filters.get("game")) is not None:
        add(*_named("game", game, _canonical_game))
    if (bot := filters.get("bot")) is not None:
        condition, *given = _named("bot", bot, _canonical)
        add(f"number IN (SELECT number FROM seats WHERE {condition})", *given)
    if (since := filters.get("since")) is not None:
        add("began >= ?", format_time(since))
    if (until := filters.get("until")) is not None:
        add("began < ?", format_time(until))
    if (result := filters.get("result")) is not None:
        add("result = ?", _checked_result(result))
    if (ending := filters.get("ending")) is not None:
        if ending not in ENDINGS:
            raise ValueError(f"ending must be one of {', '.join(ENDINGS)}, not {clip(ending)}")
        add("ending = ?", ending)
    if (match := filters.get("match")) is not None:
        add("match = ?", match)
    return " AND ".join(conditions) or "1", values


def _named(column: str, text: str, canonical: Callable[[str], str]) -> tuple[str, ...]:
    """A bare name matches any options; a spec with options matches as given or in canonical form."""
    if ":" not in text:
        return f"({column} = ? OR {column} >= ? AND {column} < ?)", text, f"{text}:", f"{text};"
    return f"{column} IN (?, ?)", text, canonical(text)


def _canonical(text: str) -> str:
    try:
        return str(Spec.parse(text))
    except ValueError:  # a person's name may be any text
        return text


def _canonical_game(text: str) -> str:
    try:
        return spec_of(make_game(text))
    except ValueError:  # the game may not be installed here
        return _canonical(text)


def _checked_result(text: str) -> str:
    if text in ("draw", "unfinished") or text.isascii() and text.isdecimal() and str(int(text[:3])) == text:
        return text
    raise ValueError(f"result must be the winning seat (0, 1, …), draw or unfinished, not {clip(text)}")
