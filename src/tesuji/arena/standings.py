"""The matches in a store, and the ratings of each game's bots by all results."""

from __future__ import annotations

import contextlib
import itertools
from dataclasses import dataclass
from typing import Any

from tesuji.any_game import received_game
from tesuji.arena.match import Goal, Match, Pairing
from tesuji.arena.ratings import Ratings, Result, fit_ratings
from tesuji.arena.report import match_data, match_lines, ratings_data
from tesuji.arena.time_control import TimeControl
from tesuji.arena.tournament import cross_table
from tesuji.records import PERSON
from tesuji.records.store import Store

MAX_RESULTS = 50_000
"""Only the newest results are rated; that many determine a rating to a few Elo."""
ENDLESS = 2**31
"""A number of games that no match reaches, so that all its games are counted."""


class StoredPairing(Pairing):
    """A pairing restored from its plan, for reports; its bots need not exist any more."""

    def __init__(self, key: str, plan: dict[str, Any]) -> None:
        self.key, self.plan = key, plan
        self.game, self.bots = str(plan["game"]), tuple(map(str, plan["bots"]))
        self.rules = None  # type: ignore[assignment]
        with contextlib.suppress(ValueError):  # unknown here, or foreign
            self.rules = received_game(self.game)
        self.openings, self.seed = plan.get("openings"), plan.get("seed")  # type: ignore[assignment]
        self.move_limit, self.rotations = plan.get("move_limit"), len(self.bots)
        self.clock = TimeControl.parse(str(plan["clock"])) if "clock" in plan else None


def matches(store: Store) -> list[dict[str, Any]]:
    """All matches of a store, newest first, for JSON."""
    return [
        {
            "id": key,
            "game": str(plan.get("game", "")),
            "bots": list(map(str, plan.get("bots", []))),
            "games": games,
            "openings": plan.get("openings"),
            "seed": plan.get("seed"),
        }
        for key, plan, games in store.matches()
    ]


def match_report(store: Store, key: str) -> dict[str, Any] | None:
    """A match and its report, for JSON; None if the key is unknown."""
    found = next((one for one in matches(store) if one["id"] == key), None)
    if found is None:
        return None
    plan = store.plan(key)
    numbers = store.query("SELECT number FROM games WHERE match = ? ORDER BY number DESC LIMIT 100", [key])
    found |= {"report": None, "facts": None, "numbers": [number for (number,) in numbers]}
    if plan and len(found["bots"]) == 2:
        match = Match(StoredPairing(key, plan), Goal(games=ENDLESS), store)
        facts = match_data(match)
        del facts["finished"]  # the store does not keep the goal
        found |= {"report": match_lines(match), "facts": facts}
    return found


@dataclass(frozen=True)
class Standing:
    """The ratings of the bots of one game."""

    game: str
    results: tuple[Result, ...]
    ratings: Ratings

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        names = [row.name for row in self.ratings.table]
        counts = {"game": self.game, "games": len(self.results)}
        return counts | ratings_data(self.ratings, cross_table(names, self.results))


def standings(store: Store, *, most: int = MAX_RESULTS) -> list[Standing]:
    """Ratings of every game with results, most played first, by the newest `most` results.

    Games of anonymous people are left out: they may have been different people.
    """
    rows = store.query(
        "SELECT g.number, g.game, g.match, g.round, s.bot, s.score FROM "
        "(SELECT * FROM games WHERE result != 'unfinished' AND NOT EXISTS "
        "(SELECT 1 FROM seats p WHERE p.number = games.number AND p.bot = ?) ORDER BY number DESC LIMIT ?) g "
        "JOIN seats s ON s.number = g.number ORDER BY g.number, s.seat",
        [PERSON, most],
    )
    found: dict[str, list[Result]] = {}
    for _, seats in itertools.groupby(rows, key=lambda row: row[0]):
        each = list(seats)
        _, game, match, round, _, _ = each[0]
        players, scores = tuple(row[4] for row in each), tuple(float(row[5]) for row in each)
        if len(set(players)) > 1:  # self-play says nothing about strength
            place = None if match is None else (match, round)
            found.setdefault(game, []).append(Result(players, scores, place))
    listed = [Standing(game, tuple(results), fit_ratings(results)) for game, results in found.items()]
    return sorted(listed, key=lambda one: (-len(one.results), one.game))
