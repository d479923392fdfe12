"""Calibration of a bot's values: mean value against mean score in its stored games.

    python benchmarks/calibration.py games.db [--bot zero] [--game gomoku:rule=renju] [--opponent gomocup]

Every position in which the bot searched counts, in tenths of its value, if the game was played out or
resigned. Positions of one game share its result, so the number of games is given too. The last line is the
temperature T for which σ(logit(value) / T) fits the results best, by the log loss:
`tesuji models export --value-temperature T` gives it to a network. The values of a network that has a
temperature are scaled already: multiply the two.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tesuji.models.network_format import calibrate
from tesuji.records import Record, Store
from tesuji.spec import Spec

TENTHS = 10
TEMPERATURES = [step / 100 for step in range(20, 301)]
CERTAIN = 0.02
"""Values nearer to 0 or 1 are mostly proven; they say nothing about the temperature."""


class Position(NamedTuple):
    """The value of a position, the final score of the same player, and the number of the game."""

    value: float
    score: float
    game: int


class Row(NamedTuple):
    """The positions of one tenth."""

    tenth: int
    positions: int
    games: int
    value: float
    score: float


def is_bot(player: str, bot: str) -> bool:
    """Whether a player of a record is a bot, given by its name or its whole spec."""
    try:
        return bot in (player, Spec.parse(player).name)
    except ValueError:  # a person
        return bot == player


def positions_of(record: Record, number: int, bot: str, opponent: str | None) -> Iterator[Position]:
    """The positions of a game in which the bot searched, with visits."""
    if record.scores is None or record.ending not in ("played", "resigned"):
        return
    seats = [
        seat
        for seat, player in enumerate(record.players)
        if is_bot(player, bot)
        and (opponent is None or any(is_bot(other, opponent) for other in record.players if other != player))
    ]
    for note in record.notes:
        if note is not None and note.player in seats and note.value is not None and note.visits is not None:
            yield Position(note.value, record.scores[note.player], number)


def by_tenth(positions: Iterable[Position]) -> list[Row]:
    """One row for each tenth that has positions."""
    tenths: list[list[Position]] = [[] for _ in range(TENTHS)]
    for position in positions:
        tenths[min(int(position.value * TENTHS), TENTHS - 1)].append(position)
    return [
        Row(
            tenth,
            len(found),
            len({position.game for position in found}),
            sum(position.value for position in found) / len(found),
            sum(position.score for position in found) / len(found),
        )
        for tenth, found in enumerate(tenths)
        if found
    ]


def best_temperature(positions: Sequence[Position]) -> float:
    """The T with the least log loss."""
    uncertain = [position for position in positions if CERTAIN < position.value < 1 - CERTAIN]

    def loss(temperature: float) -> float:
        scaled = [(calibrate(position.value, temperature), position.score) for position in uncertain]
        return -sum(score * math.log(value) + (1 - score) * math.log(1 - value) for value, score in scaled)

    return min(TEMPERATURES, key=loss)


def main(arguments: list[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("store", type=Path, help="game store")
    parser.add_argument("--bot", default="zero", help="name or spec of the bot")
    parser.add_argument("--opponent", help="name or spec of its opponent; any unless given")
    parser.add_argument("--game", help="game, with or without options; all unless given")
    options = parser.parse_args(arguments)
    if not options.store.exists():
        parser.error(f"{options.store} does not exist")
    with Store(options.store) as store:
        positions = [
            position
            for number, record, _, _ in store.records(game=options.game)
            for position in positions_of(record, number, options.bot, options.opponent)
        ]
    if not positions:
        parser.error(f"{options.store} has no finished game with values of {options.bot}")
    print("| value | positions | games | mean value | score | difference |\n|---|---|---|---|---|---|")
    for row in by_tenth(positions):
        limits = f"{row.tenth / TENTHS:.1f}–{(row.tenth + 1) / TENTHS:.1f}"
        compared = f"{row.value:.0%} | {row.score:.0%} | {100 * (row.score - row.value):+.0f}"
        print(f"| {limits} | {row.positions:,} | {row.games} | {compared} |")
    best = best_temperature(positions)
    limit = " (at the limit of what is tried)" if best in (TEMPERATURES[0], TEMPERATURES[-1]) else ""
    print(f"best temperature: {best:.2f}{limit}")


if __name__ == "__main__":
    main()
