"""Statistics of the games in a store: by game, by bot, by ending."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

from tesuji.cli.data_table import fold_names
from tesuji.cli.thinking import counted
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
                for spec, of in self._games()
            ],
            "by_bot": [{"bot": name, **asdict(of), "score": of.score} for name, of in self._bots()],
            "endings": dict(self._endings()),
            "faults": dict(self.faults.most_common()),
        }

    def show(self, store: str) -> None:
        """Print the statistics."""
        from rich.text import Text

        from tesuji.cli.record_views import UNKNOWN, console, printable

        out = console()
        days = " to ".join(dict.fromkeys(self.dates))
        out.print(Text(f"{counted(self.games, 'game')} in {store}{f', {days}' if days else ''}\n", "bold"))
        rows = [
            [
                printable(spec),
                f"{of.games:,}",
                f"{of.moves / of.games:.1f}",
                f"{of.first / of.finished:.1%}" if of.finished else UNKNOWN,
            ]
            for spec, of in self._games()
        ]
        out.print(_table(["game", "games", "mean moves", "first mover's score"], rows))
        out.print()
        rows = [
            [
                printable(name),
                *(f"{count:,}" for count in (of.games, of.wins, of.draws, of.losses)),
                UNKNOWN if of.score is None else f"{of.score:.1%}",
            ]
            for name, of in self._bots()
        ]
        out.print(_table(["player", "games", "wins", "draws", "losses", "score"], rows))
        ends = ", ".join(f"{count:,} {ending}" for ending, count in self._endings())
        out.print(Text(f"\nEndings: {ends}"))
        if self.faults:
            out.print(Text(f"Faults: {sum(self.faults.values()):,}"))
            for fault, count in self.faults.most_common(FAULTS):
                out.print(Text(f"  {count:,} × {printable(fault)}"), soft_wrap=True)

    def _games(self) -> list[tuple[str, GameStats]]:
        return sorted(self.by_game.items(), key=lambda item: (-item[1].games, item[0]))

    def _endings(self) -> list[tuple[str, int]]:
        return sorted(self.endings.items(), key=lambda item: (-item[1], ENDINGS.index(item[0])))

    def _bots(self) -> list[tuple[str, BotStats]]:
        def rank(item: tuple[str, BotStats]) -> tuple[float, int, str]:
            return -(item[1].score or 0.0), -item[1].games, item[0]

        return sorted(self.by_bot.items(), key=rank)


def _table(names: list[str], rows: list[list[str]]) -> Any:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for number, name in enumerate(names):
        table.add_column(name, justify="right" if number else "left", overflow="fold", no_wrap=number > 0)
    for row in fold_names(names, rows, names=names[:1], width=Console().width, gap=2):
        table.add_row(*map(Text, row))
    return table
