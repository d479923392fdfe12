"""The results of `tesuji.match` and `tesuji.tournament`: as text, as HTML, and as rows for a data frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any, Self

from tesuji._helpers.tables import html_table, text_table
from tesuji.arena.elo import Estimate
from tesuji.arena.match import Match
from tesuji.arena.ratings import Ratings
from tesuji.arena.report import match_data, match_lines
from tesuji.arena.tournament import Tournament


@dataclass(frozen=True, repr=False)
class MatchResult:
    """The result of a match, from the first bot's point of view; `print` it for the report."""

    game: str
    bots: tuple[str, str]
    games: int
    wins: int
    draws: int
    losses: int
    elo: Estimate
    """The difference in strength with its 95 % interval."""
    note: str
    """Where the games were played, if not where they were asked to be."""
    data: Mapping[str, Any] = field(compare=False)
    """Everything that `tesuji match --json` prints."""
    lines: tuple[str, ...] = field(compare=False)
    rows: tuple[dict[str, Any], ...] = field(compare=False)

    @property
    def points(self) -> float:
        """Wins, and half a point for each draw."""
        return self.wins + self.draws / 2

    def to_dicts(self) -> list[dict[str, Any]]:
        """One row for each game, in order: `pandas.DataFrame(result.to_dicts())`."""
        return [dict(row) for row in self.rows]

    def __repr__(self) -> str:
        return "\n".join([*self.lines, *([self.note] if self.note else [])])

    def _repr_html_(self) -> str:
        columns = {
            "": list(self.bots),
            "wins": [str(self.wins), str(self.losses)],
            "draws": [str(self.draws)] * 2,
            "losses": [str(self.losses), str(self.wins)],
            "points": [f"{self.points:g}", f"{self.games - self.points:g}"],
        }
        if not self.draws:
            del columns["draws"]
        report = "\n".join([*self.lines[1:], *([self.note] if self.note else [])])
        return f"{html_table(columns)}<pre>{escape(report)}</pre>"

    @classmethod
    def of(cls, match: Match, note: str) -> Self:
        """The result of a finished match."""
        data = match_data(match)
        first, second = match.pairing.bots
        rows = tuple(
            {
                "round": number // 2,
                "first_mover": match.pairing.bots[one.seat],
                "score": one.score,
                "plies": one.plies,
                "ending": one.ending,
                "fault": one.fault,
                "seconds": one.seconds[0],
                "opponent_seconds": one.seconds[1],
            }
            for number, one in enumerate(match.games)
        )
        return cls(
            match.pairing.game,
            (first, second),
            data["games"],
            data["wins"],
            data["draws"],
            data["losses"],
            match.counts.elo(),
            note,
            data,
            tuple(match_lines(match)),
            rows,
        )


@dataclass(frozen=True, repr=False)
class TournamentResult:
    """The rating list of a tournament; `print` it, or take its rows."""

    game: str
    games: int
    ratings: Ratings
    names: Mapping[str, str]
    """The names that were given to bots, by spec."""
    cross_table: Mapping[str, Mapping[str, tuple[float, int]]]
    """(points, games) of each bot against each other."""
    note: str

    def to_dicts(self) -> list[dict[str, Any]]:
        """One row for each bot, best first: `pandas.DataFrame(result.to_dicts())`."""
        return [
            {
                "bot": self._name(row.name),
                "elo": row.elo,
                "low": row.low,
                "high": row.high,
                "games": row.games,
                "points": row.points,
            }
            for row in self.ratings.table
        ]

    def __repr__(self) -> str:
        lines = [f"{self.game}, {self.games} games", *text_table(self._columns(), left=["bot"])]
        return "\n".join([*lines, *([self.note] if self.note else [])])

    def _repr_html_(self) -> str:
        note = f"<div>{escape(self.note)}</div>" if self.note else ""
        return f"<div>{escape(self.game)}, {self.games} games</div>{html_table(self._columns())}{note}"

    def _columns(self) -> dict[str, list[str]]:
        rows = self.ratings.table
        columns = {
            "#": [str(rank) for rank in range(1, len(rows) + 1)],
            "bot": [self._name(row.name) for row in rows],
            "Elo": [f"{row.elo:+.0f}" for row in rows],
            "95 %": [f"[{row.low:+.0f}, {row.high:+.0f}]" for row in rows],
            "games": [str(row.games) for row in rows],
            "score": [f"{row.points / row.games:.1%}" if row.games else "–" for row in rows],
        }
        for number, other in enumerate(rows, 1):
            met = [self.cross_table[row.name].get(other.name) for row in rows]
            columns[f"vs {number}"] = ["–" if one is None else f"{one[0]:g}/{one[1]}" for one in met]
        return columns

    def _name(self, spec: str) -> str:
        return self.names.get(spec, spec)

    @classmethod
    def of(cls, tournament: Tournament, names: Mapping[str, str], note: str) -> Self:
        """The result of a finished tournament."""
        table = tournament.cross_table()
        return cls(tournament.game, len(tournament.games), tournament.ratings(), dict(names), table, note)
