"""A tournament: schedule, resuming, and cross table."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tesuji.arena.match import Goal, Match, Pairing
from tesuji.arena.tournament import Tournament, TournamentKind, groups, schedule
from tesuji.records import Store, verify

HEX = "hex:size=3"
BOTS = ["mcts:iterations=60", "mcts:iterations=5", "random"]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "games.db") as store:
        yield store


def test_in_a_round_robin_each_two_meet_once_and_in_a_gauntlet_each_meets_the_first() -> None:
    bots = list("abcd")
    assert groups(bots, 2, "round-robin") == list(itertools.combinations(bots, 2))
    assert groups(bots, 2, "gauntlet") == [("a", "b"), ("a", "c"), ("a", "d")]
    assert groups(bots, 3, "round-robin") == list(itertools.combinations(bots, 3))
    assert groups(bots, 3, "gauntlet") == [("a", "b", "c"), ("a", "b", "d"), ("a", "c", "d")]
    kinds: tuple[TournamentKind, TournamentKind] = ("round-robin", "gauntlet")
    for kind in kinds:
        assert groups(["a", "b"], 2, kind) == [("a", "b")]
        assert groups(["a", "b"], 3, kind) == [("a", "b", "a")]
        assert groups(["a", "b", "c"], 5, kind) == [("a", "b", "c", "a", "b")]


@pytest.mark.parametrize(
    ("bots", "message"),
    [
        (["random"], "two bots, not 1"),
        ([], "two bots, not 0"),
        (["random", "mcts", "random"], "bot random is"),
        (["mcts:iterations=100", "mcts:iterations=1e2"], "bot mcts:iterations=100 is"),
        (["random", "mtcs"], "unknown bot 'mtcs'"),
    ],
)
def test_invalid_bots_are_a_one_line_error(bots: list[str], message: str, store: Store) -> None:
    with pytest.raises(ValueError, match=message):
        schedule(HEX, bots)
    with pytest.raises(ValueError, match=message):
        Tournament(HEX, bots, store)


def test_a_tournament_has_at_least_one_round(store: Store) -> None:
    with pytest.raises(ValueError, match="rounds must be at least 1, not 0"):
        Tournament(HEX, BOTS, store, rounds=0)


def test_every_pairing_plays_every_round_from_both_sides_and_the_cross_table_adds_up(store: Store) -> None:
    tournament = Tournament(HEX, BOTS, store, rounds=4)
    assert (tournament.planned, tournament.games, tournament.results) == (24, [], [])
    played = list(tournament.play(processes=2))
    assert len(played) == len(tournament.games) == store.count() == 24
    seatings = Counter(record.players for record in played)
    assert seatings == dict.fromkeys(itertools.permutations(tournament.bots, 2), 4)
    cross = tournament.cross_table()
    for one, other in itertools.permutations(tournament.bots, 2):
        points, games = cross[one][other]
        assert (games, points + cross[other][one][0]) == (8, 8)
    for row in tournament.ratings().table:
        assert row.games == sum(games for _, games in cross[row.name].values()) == 16
        assert row.points == sum(points for points, _ in cross[row.name].values())
    for stored in store.records():
        verify(stored.record)


def test_an_interrupted_tournament_resumes_with_the_same_result(tmp_path: Path) -> None:
    found = []
    for stop, processes in ((100, 2), (5, 1)):
        with Store(tmp_path / f"{stop}.db") as store:
            first = Tournament(HEX, BOTS, store, rounds=2)
            going = first.play(processes=processes)
            for _ in itertools.islice(going, stop):
                pass
            going.close()
            kept = store.count()
            second = Tournament(HEX, BOTS, store, rounds=2)
            assert second.resumed == len(second.games) == kept == min(stop, 12)
            assert len(list(second.play(processes=2))) == 12 - kept
            assert store.count() == 12
            assert list(Tournament(HEX, BOTS, store, rounds=2).play()) == []
            assert Tournament(HEX, BOTS, store, rounds=1).planned == 6
            assert Tournament(HEX, BOTS, store, rounds=1).resumed == 6
            found.append((second.results, second.ratings().table, second.cross_table()))
    assert found[0] == found[1]


def test_tournaments_and_matches_share_their_games(store: Store) -> None:
    match = Match(Pairing(HEX, (BOTS[0], BOTS[2])), Goal(games=4), store)
    list(match.play())
    tournament = Tournament(HEX, BOTS, store, rounds=2)
    assert tournament.resumed == 4
    list(tournament.play())
    assert store.count() == 12
    other = Match(Pairing(HEX, (BOTS[0], BOTS[1])), Goal(games=4), store)
    assert (other.reached, other.counts.games) == (True, 4)
    more = Tournament(HEX, [*BOTS, "mcts:iterations=9"], store, rounds=2)
    assert (more.resumed, more.planned) == (12, 24)


def test_with_three_players_everyone_takes_every_seat_once_per_round(
    users: Callable[[], object], store: Store
) -> None:
    bots = ["first", "last", "lucky", "random"]
    tournament = Tournament("trick", bots, store, rounds=3)
    assert tournament.planned == 4 * 3 * 3
    list(tournament.play(processes=2, setup=users))
    seats = Counter((seat, bot) for record in tournament.games for seat, bot in enumerate(record.players))
    assert seats == {(seat, bot): 9 for seat in range(3) for bot in bots}
    cross = tournament.cross_table()
    for one, other in itertools.combinations(bots, 2):
        assert cross[one][other][1] == cross[other][one][1] == 18
        assert cross[one][other][0] + cross[other][one][0] == 18
    assert sum(row.points for row in tournament.ratings().table) == pytest.approx(36)
    for pairing in tournament.pairings.values():
        for round in range(3):
            deals = {record.seed for (r, _), record in store.slots(pairing.key).items() if r == round}
            assert len(deals) == 1


def test_fewer_bots_than_seats_play_several_seats(users: Callable[[], object], store: Store) -> None:
    tournament = Tournament("trick:players=4", ["first", "lucky", "last"], store, rounds=2)
    list(tournament.play(setup=users))
    assert len(tournament.games) == 8
    seats = Counter((seat, bot) for record in tournament.games for seat, bot in enumerate(record.players))
    assert {bot: {seats[seat, bot] for seat in range(4)} for bot in tournament.bots} == {
        "first": {4},
        "lucky": {2},
        "last": {2},
    }
    assert {row.name for row in tournament.ratings().table} == set(tournament.bots)
    assert tournament.cross_table()["first"]["last"][1] == 16


def test_a_bot_that_dies_loses_its_games_and_the_others_play_theirs(
    users: Callable[[], object], store: Store
) -> None:
    tournament = Tournament(HEX, ["first", "faulty:how=leave,after=0", "last"], store, rounds=1)
    list(tournament.play(setup=users))
    endings = Counter((record.ending, record.fault) for record in tournament.games)
    assert endings == {
        ("played", ""): 2,
        ("crashed", "faulty:how=leave,after=0: its process ended with exit code 4"): 4,
    }
    assert tournament.ratings().table[-1].name == "faulty:how=leave,after=0"
