"""Statistics of the games in a store: by game, by bot, by ending."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

from tesuji.cli.shared.output import UNKNOWN, console, counted, plain_table, say
from tesuji.cli.shared.record_views import printable
from tesuji.records import UNDATED, Record
from tesuji.records.record import count_faults
from tesuji.records.serialization import ENDINGS, result_of

FAULTS = 10  # kinds to show


@dataclass
class GameStats:
    """The games of one spec."""

    games: int = 0
    moves: int = 0
    finished: int = 0
    first: float = 0.0
    """Points of player 0, the first mover."""


@dataclass
class BotStats:
    """The results of one bot or person; a game against itself counts twice."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0

    @property
    def score(self) -> float | None:
        """The mean score of its finished games."""
        finished = self.wins + self.draws + self.losses
        return self.points / finished if finished else None


@dataclass
class Stats:
    """Counts, updated record by record: `stats.add(record)`."""

    games: int = 0
    by_game: dict[str, GameStats] = field(default_factory=dict)
    by_bot: dict[str, BotStats] = field(default_factory=dict)
    endings: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    dates: list[str] = field(default_factory=list)

    def add(self, record: Record) -> None:
        """Count one game."""
        self.games += 1
        self.endings[record.ending] += 1
        self.faults.update(count_faults([record.fault]))
        if record.when != UNDATED:
            day = f"{record.when:%Y-%m-%d}"
            self.dates = [min([day, *self.dates]), max([day, *self.dates])]
        rules = self.by_game.setdefault(record.game, GameStats())
        rules.games += 1
        rules.moves += len(record.moves)
        if record.scores is not None:
            rules.finished += 1
            rules.first += record.scores[0]
        result = result_of(record)
        for seat, player in enumerate(record.players):
            bot = self.by_bot.setdefault(player, BotStats())
            bot.games += 1
            if record.scores is None:
                continue
            bot.points += record.scores[seat]
            shared = result == "draw" and record.scores[seat] == max(record.scores)
            bot.wins += result == str(seat)
            bot.draws += shared
            bot.losses += result != str(seat) and not shared

    def as_dict(self) -> dict[str, Any]:
        """All statistics as plain data, for JSON."""

        def best_first(item: tuple[str, BotStats]) -> tuple[float, int, str]:
            return -(item[1].score or 0.0), -item[1].games, item[0]

        by_game = sorted(self.by_game.items(), key=lambda item: (-item[1].games, item[0]))
        return {
            "games": self.games,
            "since": self.dates[0] if self.dates else None,
            "until": self.dates[-1] if self.dates else None,
            "by_game": [
                {
                    "game": spec,
                    "games": of.games,
                    "mean_moves": of.moves / of.games,
                    "first_mover_score": of.first / of.finished if of.finished else None,
                }
                for spec, of in by_game
            ],
            "by_bot": [
                {"bot": name, **asdict(of), "score": of.score}
                for name, of in sorted(self.by_bot.items(), key=best_first)
            ],
            "endings": dict(
                sorted(self.endings.items(), key=lambda item: (-item[1], ENDINGS.index(item[0])))
            ),
            "faults": dict(self.faults.most_common()),
        }

    def show(self, store: str) -> None:
        """Print the statistics."""
        data = self.as_dict()
        days = " to ".join(dict.fromkeys(self.dates))
        say(f"{counted(self.games, 'game')} in {store}{f', {days}' if days else ''}\n", "bold")
        rows = [
            [
                printable(row["game"]),
                f"{row['games']:,}",
                f"{row['mean_moves']:.1f}",
                _percent(row["first_mover_score"]),
            ]
            for row in data["by_game"]
        ]
        _table(["game", "games", "mean moves", "first mover's score"], rows)
        say()
        counts = ["games", "wins", "draws", "losses"]
        rows = [
            [printable(row["bot"]), *(f"{row[name]:,}" for name in counts), _percent(row["score"])]
            for row in data["by_bot"]
        ]
        _table(["player", *counts, "score"], rows)
        say("\nEndings: " + ", ".join(f"{count:,} {ending}" for ending, count in data["endings"].items()))
        if self.faults:
            say(f"Faults: {sum(self.faults.values()):,}")
            for fault, count in self.faults.most_common(FAULTS):
                say(f"  {count:,} × {printable(fault)}", whole=True)


def _percent(share: float | None) -> str:
    return UNKNOWN if share is None else f"{share:.1%}"


def _table(names: list[str], rows: list[list[str]]) -> None:
    console().print(plain_table(names, rows, numbers=names[1:], folded=names[:1]))
