"""Whether a bot's values come true: the mean value and the score of the positions in its stored games.

    python benchmarks/calibration.py games.db [--bot zero] [--game gomoku:rule=renju] [--opponent gomocup]

Every position in which the bot searched counts, in tenths of its value. Positions of one game share its
result, so the number of games is given too. The last line is the temperature T for which σ(logit(value) / T)
fits the results best, by the log loss: `tesuji models export --value-temperature T` gives it to a network.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from tesuji.models.network_format import calibrate
from tesuji.records import Record, Store
from tesuji.spec import Spec

TENTHS = 10
CERTAIN = 0.02
"""Values nearer to 0 or 1 are mostly proven."""


class Judged(NamedTuple):
    """A position: its value, the final score of the same player, and the number of the game."""

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


def judged(record: Record, number: int, bot: str, opponent: str) -> Iterator[Judged]:
    """The positions of a finished game in which the bot searched."""
    names = [Spec.parse(player).name for player in record.players]
    for note in record.notes:
        if record.scores is None or note is None or note.value is None or names[note.player] != bot:
            continue
        if opponent in ("", *(name for seat, name in enumerate(names) if seat != note.player)):
            yield Judged(note.value, record.scores[note.player], number)


def by_tenth(positions: Iterable[Judged]) -> list[Row]:
    """One row for each tenth that has positions."""
    tenths: list[list[Judged]] = [[] for _ in range(TENTHS)]
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


def best_temperature(positions: Iterable[Judged]) -> float:
    """The T with the least log loss; values that are all but certain do not count."""
    open_ones = [position for position in positions if CERTAIN < position.value < 1 - CERTAIN]

    def loss(temperature: float) -> float:
        scaled = [(calibrate(position.value, temperature), position.score) for position in open_ones]
        return -sum(score * math.log(value) + (1 - score) * math.log(1 - value) for value, score in scaled)

    return min((step / 100 for step in range(20, 301)), key=loss)


def main(arguments: list[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("store", type=Path, help="game store")
    parser.add_argument("--bot", default="zero", help="name of the bot")
    parser.add_argument("--opponent", default="", help="name of its opponent; any unless given")
    parser.add_argument("--game", help="game, with or without options; all unless given")
    options = parser.parse_args(arguments)
    if not options.store.exists():
        parser.error(f"{options.store} does not exist")
    with Store(options.store) as store:
        found = store.records(game=options.game, bot=options.bot)
        positions = [
            position
            for number, record, _, _ in found
            for position in judged(record, number, options.bot, options.opponent)
        ]
    print("| value | positions | games | mean value | score | difference |\n|---|---|---|---|---|---|")
    for row in by_tenth(positions):
        limits = f"{row.tenth / TENTHS:.1f}–{(row.tenth + 1) / TENTHS:.1f}"
        compared = f"{row.value:.0%} | {row.score:.0%} | {100 * (row.score - row.value):+.0f}"
        print(f"| {limits} | {row.positions:,} | {row.games} | {compared} |")
    print(f"best temperature: {best_temperature(positions):.2f}")


if __name__ == "__main__":
    main()
