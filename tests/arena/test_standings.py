"""Reports of the matches and ratings in a store."""

from __future__ import annotations

from pathlib import Path

import pytest

from tesuji.arena.match import Goal, Match, Pairing
from tesuji.arena.report import match_data, match_lines
from tesuji.arena.standings import match_report, matches, standings
from tesuji.records import Record
from tesuji.records.store import Store


@pytest.mark.parametrize("clock", [None, "60+0.5"])
def test_a_stored_match_has_its_original_report(clock: str | None, tmp_path: Path) -> None:
    with Store(tmp_path / "games.db") as store:
        pairing = Pairing("hex:size=4", ("mcts:iterations=100", "random"), clock=clock)
        match = Match(pairing, Goal(games=6), store)
        list(match.play())
        assert [one["bots"] for one in matches(store)] == [["mcts:iterations=100", "random"]]
        report = match_report(store, match.key)
        assert report is not None and report["report"] == match_lines(match)
        facts = match_data(match)
        del facts["finished"]
        assert report["facts"] == facts and report["games"] == 6 and len(report["numbers"]) == 6
        assert match_report(store, "another") is None


@pytest.mark.parametrize("game", ["chess:board=round", "hex:size=3"])
def test_a_stored_match_of_an_unknown_or_changed_game_has_a_report(game: str, tmp_path: Path) -> None:
    with Store(tmp_path / "games.db") as store:
        store.set_plan("old", {"game": game, "bots": ["a", "b"]})
        for leg, players in enumerate([("a", "b"), ("b", "a")]):
            record = Record(
                game=game, players=players, moves=("e4",), scores=(1.0, 0.0), ending="played", leg=leg
            )
            store.add(record, match="old", round=0)
        report = match_report(store, "old")
    assert report is not None and report["facts"]["games"] == 2


def test_every_game_has_its_ratings(tmp_path: Path) -> None:
    with Store(tmp_path / "games.db") as store:
        for players, scores in ((("a", "b"), (1.0, 0.0)), (("b", "a"), (0.5, 0.5)), (("a", "a"), (1.0, 0.0))):
            store.add(Record(game="hex", players=players, scores=scores, ending="played"))
        store.add(Record(game="gomoku", players=("c", "Ann"), scores=(0.0, 1.0), ending="resigned"))
        store.add(Record(game="gomoku", players=("c", "Ann")))
        first, second = (standing.as_dict() for standing in standings(store))
    assert (first["game"], first["games"], second["game"], second["games"]) == ("hex", 2, "gomoku", 1)
    assert [row["bot"] for row in first["ratings"]] == ["a", "b"]
    assert first["cross_table"] == {
        "a": {"b": {"points": 1.5, "games": 2}},
        "b": {"a": {"points": 0.5, "games": 2}},
    }
    assert second["ratings"][0]["bot"] == "Ann"


def test_people_without_names_are_not_rated(tmp_path: Path) -> None:
    with Store(tmp_path / "games.db") as store:
        for players in (("a", "b"), ("a", "person"), ("person", "b"), ("b", "a")):
            store.add(Record(game="hex", players=players, scores=(1.0, 0.0), ending="played"))
        found = standings(store, most=2)  # those who are left out take nobody's place
    assert [(one.game, len(one.results), {row.name for row in one.ratings.table}) for one in found] == [
        ("hex", 2, {"a", "b"})
    ]
