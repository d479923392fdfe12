"""A match: pairs, the goal, and a result that depends neither on who finished first nor on what was there."""

from __future__ import annotations

import itertools
import json
import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.games.onitama_positions import OX
from tesuji.arena.courses import Courses
from tesuji.arena.elo import PairCounts
from tesuji.arena.match import Contest, Goal, Match, with_budget, with_budgets
from tesuji.arena.playing import Task, play
from tesuji.arena.report import fault_lines, match_facts, match_lines
from tesuji.arena.sprt import SPRT
from tesuji.game import game as as_game
from tesuji.games.onitama import Tablebase
from tesuji.records import Record, Store, verify

HEX = "hex:size=3"

Image = Callable[[int, int, int], tuple[int, int]]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "games.db") as store:
        yield store


def all_played(match: Match, **options: object) -> list[Record]:
    return list(match.play(**options))  # type: ignore[arg-type]


def moves_of(store: Store, contest: Contest) -> dict[tuple[int, int], tuple[str, ...]]:
    return {place: record.moves for place, record in store.places(contest.key).items()}


def fill(store: Store, contest: Contest, places: list[tuple[int, int]]) -> None:
    """Put games into the store, as another run might have left them."""
    for round, leg in places:
        store.add(play(contest.task(round, leg)), match=contest.key, round=round)


def test_both_games_of_a_round_have_one_opening_and_deal_and_the_seats_exchanged() -> None:
    contest = Contest("hex:size=5", ("mcts:iterations=10", "random"))
    openings = set()
    for round in range(10):
        first, second = (contest.task(round, leg) for leg in (0, 1))
        assert (first.opening, first.seed) == (second.opening, second.seed)
        assert first.players == second.players[::-1] == contest.bots
        assert [contest.seat_of(0, leg) for leg in (0, 1)] == [0, 1]
        openings.add(first.opening)
    assert len(openings) > 5


def test_in_a_round_every_bot_sits_in_every_seat_once(users: object) -> None:
    contest = Contest("trick:players=4", ("first", "last", "random", "lucky"))
    tasks = [contest.task(3, leg) for leg in range(4)]
    assert sorted(zip(*(task.players for task in tasks), strict=True)) == sorted(
        tuple(contest.bots[(seat + leg) % 4] for leg in range(4)) for seat in range(4)
    )
    for bot, leg in itertools.product(range(4), range(4)):
        assert tasks[leg].players[contest.seat_of(bot, leg)] == contest.bots[bot]


def test_in_a_round_the_cards_and_the_luck_are_the_same(users: object, store: Store) -> None:
    match = Match(Contest("trick:players=2", ("random", "last")), Goal(games=20), store)
    all_played(match, setup=users)
    places = store.places(match.key)
    deals = set()
    for round in range(10):
        both = [places[round, leg] for leg in (0, 1)]
        throws = [tuple(move for move in record.moves if move in ("high", "low")) for record in both]
        assert throws[0] == throws[1]
        assert next(both[0].states()) == next(both[1].states())
        deals.add(next(both[0].states()))
        for record in both:
            verify(record)
    assert len(deals) == 10


def test_on_one_process_or_two_the_games_are_the_same(tmp_path: Path) -> None:
    found = []
    bots = ("mcts:iterations=30", "mcts:iterations=30,seed=4,rave=off")
    for processes in (1, 2):
        with Store(tmp_path / f"{processes}.db") as store:
            contest = Contest("hex:size=4", bots)
            match = Match(contest, Goal(games=16), store)
            all_played(match, processes=processes)
            found.append((match.counts, moves_of(store, contest), match.games[0].plies))
    assert found[0] == found[1]
    assert len(set(found[0][1].values())) > 8


def test_games_that_finish_out_of_order_count_in_order(tmp_path: Path, users: Callable[[], object]) -> None:
    contest = Contest(HEX, (f'uneven:mark="{tmp_path}/mark"', "random"))
    (tmp_path / "mark").unlink()  # made once already, to be checked
    with Store(tmp_path / "games.db") as store:
        match = Match(contest, Goal(games=14), store)
        all_played(match, processes=2, setup=users)
        finished = [(stored.round, stored.record.leg) for stored in store.records()]
        assert finished != sorted(finished)
        places = [(round, leg) for round in range(7) for leg in (0, 1)]
        assert sorted(finished) == places
        here = [play(contest.task(round, leg)) for round, leg in places]
        assert [store.places(match.key)[place].moves for place in places] == [record.moves for record in here]
        scores = [(record.scores or ())[record.leg] for record in here]
        assert [game.score for game in match.games] == scores


def test_more_games_play_only_the_new_ones_and_a_finished_match_none(store: Store) -> None:
    contest = Contest(HEX, ("random", "mcts:iterations=5"))
    assert len(all_played(Match(contest, Goal(games=4), store))) == 4
    first = moves_of(store, contest)
    assert all_played(Match(contest, Goal(games=4), store)) == []
    again = Match(contest, Goal(games=10), store)
    assert (again.resumed, again.reached, again.counts.games) == (4, False, 4)
    assert len(all_played(again)) == 6
    assert again.reached
    assert store.count() == 10
    assert first.items() <= moves_of(store, contest).items()
    fewer = Match(contest, Goal(games=6), store)
    assert (fewer.reached, fewer.counts.games, fewer.resumed) == (True, 6, 10)


def test_a_game_that_is_missing_in_the_middle_is_played(store: Store) -> None:
    contest = Contest(HEX, ("random", "mcts:iterations=5"))
    fill(store, contest, [(0, 1), (1, 0), (1, 1), (3, 0)])
    match = Match(contest, Goal(games=8), store)
    assert (match.resumed, match.counts.pairs) == (4, 0)
    played = all_played(match)
    assert [(record.leg, record.seed) for record in played] == [
        (leg, contest.task(round, leg).seed) for round, leg in [(0, 0), (2, 0), (2, 1), (3, 1)]
    ]
    assert match.counts.games == 8


ROUNDS = 24
ORDERS = {
    "in order": list(range(2 * ROUNDS)),
    "backwards": list(range(2 * ROUNDS))[::-1],
    "shuffled": random.Random(1).sample(range(2 * ROUNDS), 2 * ROUNDS),
}


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
def test_a_sequential_test_stops_at_the_first_rounds_that_decide_whatever_else_is_there(
    tmp_path: Path, order: list[int]
) -> None:
    contest = Contest(HEX, ("mcts:iterations=20", "random"))
    goal = Goal(sprt=SPRT(0, 100), games=4 * ROUNDS)
    records = [play(contest.task(number // 2, number % 2)) for number in range(2 * ROUNDS)]
    scores = [(record.scores or ())[record.leg] for record in records]
    pairs = [scores[number] + scores[number + 1] for number in range(0, len(scores), 2)]
    wanted = next(n for n in range(ROUNDS) if goal.reached(PairCounts.of(pairs[:n])))
    assert 2 < wanted < ROUNDS - 2
    with Store(tmp_path / "games.db") as store:
        for have, number in enumerate(order, 1):
            store.add(records[number], match=contest.key, round=number // 2)
            there = set(order[:have])
            whole = next((n for n in range(ROUNDS) if not {2 * n, 2 * n + 1} <= there), ROUNDS)
            match = Match(contest, goal, store)
            assert match.counts == PairCounts.of(pairs[: min(whole, wanted)])
            assert match.reached == (whole >= wanted)
            assert match.resumed == have
        assert all_played(match) == []
        assert store.count() == 2 * ROUNDS


def test_a_sequential_test_goes_on_among_later_rounds_that_are_there_already(tmp_path: Path) -> None:
    contest = Contest(HEX, ("mcts:iterations=20", "random"))
    goal = Goal(sprt=SPRT(0, 100))
    counts = set()
    for number, there in enumerate(([], [(2, 1), (3, 0), (3, 1), (9, 0), (40, 0)])):
        with Store(tmp_path / f"{number}.db") as store:
            fill(store, contest, there)
            match = Match(contest, goal, store)
            all_played(match, processes=2)
            assert match.reached
            counts.add((match.counts, len(match.rounds)))
    assert len(counts) == 1


def test_the_goal_of_an_error_is_reached_when_the_interval_is_small_enough(store: Store) -> None:
    contest = Contest(HEX, ("random", "random:seed=2"))
    goal = Goal(error=110, games=400)
    match = Match(contest, goal, store)
    all_played(match, processes=2)
    elo = match.counts.elo()
    assert elo.margin <= 110
    assert match.counts.games < 400
    assert match.counts.pairs >= 20
    one_less = match.rounds[:-1]
    assert not goal.reached(PairCounts.of(sum(played.score for played in both) for both in one_less))


@pytest.mark.parametrize("games", [-2, 0, 1, 7])
def test_games_are_even_and_at_least_two(games: int) -> None:
    with pytest.raises(ValueError, match=f"games must be even and at least 2, not {games}"):
        Goal(games=games)


@pytest.mark.parametrize("error", [0.0, -1.0, float("nan")])
def test_an_error_is_more_than_nothing(error: float) -> None:
    with pytest.raises(ValueError, match="the error must be more than 0 Elo"):
        Goal(error=error)


def test_a_move_limit_belongs_to_the_plan(users: Callable[[], object], store: Store) -> None:
    limited = Contest("shuffle", ("first", "last"), move_limit=30)
    match = Match(limited, Goal(games=2), store)
    all_played(match, setup=users)
    assert [(game.ending, game.score, game.plies) for game in match.games] == [("limit", 0.5, 30)] * 2
    assert "Ended otherwise: 2 limit" in match_lines(match)
    assert limited.key != Contest("shuffle", ("first", "last"), move_limit=31).key
    with pytest.raises(ValueError, match="the move limit must be at least 1, not 0"):
        Contest("shuffle", ("first", "last"), move_limit=0)


def test_another_seed_game_opening_or_bot_is_another_match(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("a1\nb2\n")
    lines = {"openings": f'file:path="{path}"'}
    bots = ("random", "mcts:iterations=5")
    contests = [
        Contest(HEX, bots),
        Contest(HEX, bots, seed=2),
        Contest("hex:size=4", bots),
        Contest(HEX, ("random", "mcts:iterations=6")),
        Contest(HEX, bots[::-1]),
        Contest(HEX, bots, openings="none"),
        Contest(HEX, bots, **lines),  # type: ignore[arg-type]
    ]
    path.write_text("a1\nb2\nc3\n")
    contests.append(Contest(HEX, bots, **lines))  # type: ignore[arg-type]
    assert len({contest.key for contest in contests}) == len(contests)


def test_a_spec_written_otherwise_is_the_same_match() -> None:
    one = Contest(HEX, ("mcts:rave=off,iterations=1e2", "random"))
    other = Contest(" hex: size=3", ('mcts: iterations="100", rave=off', "random"))
    assert one.key == other.key


def test_a_bot_may_meet_itself(store: Store) -> None:
    match = Match(Contest(HEX, ("random", "random")), Goal(games=40), store)
    all_played(match, processes=2)
    facts = match_facts(match)
    assert facts["wins"] + facts["losses"] == 40
    assert 0 < facts["wins"] < 40
    assert len({record.moves for record in store.places(match.key).values()}) > 20


def test_a_faulty_bot_loses_its_games_alone_and_the_report_names_it(
    users: Callable[[], object], store: Store, tmp_path: Path
) -> None:
    bot = f'faulty:how=leave,once="{tmp_path}/a, b=c"'
    match = Match(Contest(HEX, (bot, "last")), Goal(games=6), store)
    all_played(match, setup=users)
    facts = match_facts(match)
    assert facts["endings"] == {"crashed": 1, "played": 5}
    fault = f"{bot}: its process ended with exit code 4"
    assert facts["faults"] == {fault: 1}
    assert f"Fault (1×): {fault}" in match_lines(match)
    [record] = [stored.record for stored in store.records(ending="crashed")]
    assert record.fault == fault
    verify(record)


def test_a_game_whose_worker_is_killed_once_is_played_again(
    users: Callable[[], object], store: Store, tmp_path: Path
) -> None:
    killed = tmp_path / "killed"
    match = Match(Contest(HEX, (f'faulty:how=kill,once="{killed}"', "last")), Goal(games=6), store)
    all_played(match, setup=users, processes=2)
    assert killed.exists()
    assert match_facts(match)["endings"] == {"played": 6}
    assert match_facts(match)["faults"] == {}


def test_a_bot_whose_worker_is_killed_every_time_loses_the_game(
    users: Callable[[], object], store: Store
) -> None:
    match = Match(Contest(HEX, ("faulty:how=kill", "last")), Goal(games=2), store)
    all_played(match, setup=users)
    assert [(game.ending, game.score) for game in match.games] == [("crashed", 0.0)] * 2
    assert "SIGKILL" in match.games[0].fault


def test_of_many_different_faults_the_report_names_the_most_frequent() -> None:
    faults = {f"mine: KeyError: {number}": 1 + number % 15 for number in range(30)}
    lines = fault_lines(faults)
    assert len(lines) == 11
    assert lines[0] == "Fault (15×): mine: KeyError: 14"
    assert lines[-1] == f"Fault ({sum(faults.values()) - 2 * (15 + 14 + 13 + 12 + 11)}×): others"
    assert fault_lines({}) == []


def test_the_report_adds_up_with_the_records_in_the_store(tic_tac_toe: object, store: Store) -> None:
    contest = Contest("tictactoe", ("mcts:iterations=40", "random"))
    match = Match(contest, Goal(games=40, sprt=SPRT(0, 400)), store)
    all_played(match, processes=2, setup=tic_tac_toe)
    places = store.places(match.key)
    games = [(leg, places[round, leg]) for round in range(len(match.rounds)) for leg in (0, 1)]
    scores = [(record.scores or ())[leg] for leg, record in games]
    for _, record in games:
        verify(record)
    facts = match_facts(match)
    assert facts["games"] == len(scores)
    assert [facts[key] for key in ("losses", "draws", "wins")] == [scores.count(x) for x in (0.0, 0.5, 1.0)]
    assert facts["draws"] > 0
    pairs = [scores[number] + scores[number + 1] for number in range(0, len(scores), 2)]
    assert facts["pairs"] == [pairs.count(points) for points in (0, 0.5, 1, 1.5, 2)]
    assert facts["plies"] == sum(len(record.moves) for _, record in games) / len(games)
    firsts = [(record.scores or ())[0] for _, record in games]
    assert facts["first_mover_score"] == pytest.approx(sum(firsts) / len(firsts))
    for bot in (0, 1):
        notes = [
            note for leg, record in games for note in record.notes if note and (note.player - leg) % 2 == bot
        ]
        assert facts["seconds_a_move"][bot] == pytest.approx(sum(note.seconds for note in notes) / len(notes))
    lines = "\n".join(match_lines(match))
    assert f"Games: {len(scores)}, Wins: {facts['wins']}, Losses: {facts['losses']}" in lines
    assert f"Ptnml(0-2): {facts['pairs']}" in lines
    assert "LLR: " in lines
    assert store.plan(match.key) == contest.plan


@pytest.mark.parametrize("games", [0, 2, 6])
@pytest.mark.parametrize("sprt", [None, SPRT(0, 20)])
def test_the_facts_are_plain_json_even_for_no_games_and_for_a_clean_sweep(
    users: object, store: Store, games: int, sprt: SPRT | None
) -> None:
    contest = Contest(HEX, ("random", "faulty:how=resign"))
    fill(store, contest, [(number // 2, number % 2) for number in range(games)])
    match = Match(contest, Goal(games=50, sprt=sprt), store)
    facts = match_facts(match)
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    assert (facts["games"], facts["wins"], facts["finished"]) == (games, games, False)
    assert "nan" not in "".join(match_lines(match))


def test_a_budget_goes_to_the_bots_that_take_it_and_name_none(users: object) -> None:
    assert with_budget("mcts", iterations=50) == "mcts:iterations=50"
    assert with_budget("mcts:rave=off", seconds=0.25) == "mcts:rave=off,seconds=0.25"
    assert with_budget("mcts:seconds=1", iterations=50) == "mcts:seconds=1"
    assert with_budget("mcts:iterations=7", iterations=50, seconds=1.0) == "mcts:iterations=7"
    assert with_budget("random", iterations=50) == "random"
    assert with_budget('first:log="a, b"', iterations=50) == 'first:log="a, b"'
    assert with_budget("mcts") == "mcts"
    with pytest.raises(ValueError, match="unknown bot 'mtcs'; did you mean 'mcts'?"):
        with_budget("mtcs", iterations=50)


@pytest.mark.parametrize(
    ("game", "bots", "said"),
    [
        ("hxe", ("random", "random"), "unknown game 'hxe'"),
        (HEX, ("random", "mcts:rav=off"), "unknown option 'rav' for mcts; did you mean 'rave'?"),
        (HEX, ("random", "mcts:iterations=0"), "iterations must be .* not 0"),
        (HEX, ("random",), "hex:size=3 has 2 seats, not 1"),
        ("trick", ("random", "random"), "trick has 3 seats, not 2"),
    ],
)
def test_what_is_wrong_is_said_before_the_first_game(
    users: object, game: str, bots: tuple[str, ...], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        Contest(game, bots)


def test_a_match_is_for_two(users: object, store: Store) -> None:
    with pytest.raises(ValueError, match="a match is for two players, and trick has 3: see tournament"):
        Match(Contest("trick", ("random", "first", "last")), Goal(games=2), store)


def test_games_that_repeat_each_other_are_named(store: Store) -> None:
    bots = ("mcts:iterations=20,seed=1", "mcts:iterations=30,seed=2")
    match = Match(Contest("hex:size=4", bots, openings="none"), Goal(games=12), store)
    all_played(match)
    assert match.repeats == 10
    assert any(line.startswith("Repeats: 10 games") for line in match_lines(match))
    assert match_facts(match)["repeats"] == 10


def test_a_turned_game_repeats_the_one_that_it_is_an_image_of(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("a1 b1 c1\nc3 b3 a3\na3 b3 c3\n")  # the second is the first after a half turn
    contest = Contest(HEX, ("random", "random"), openings=f'file:path="{path}"')
    match = Match(contest, Goal(games=6), store)
    for round, leg in itertools.product(range(3), range(2)):
        task = contest.task(round, leg)
        record = Record(
            game=HEX, players=task.players, moves=task.opening, leg=leg, scores=(1.0, 0.0), ending="resigned"
        )
        store.add(record, match=contest.key, round=round)
    match = Match(contest, Goal(games=6), store)
    assert len(match.games) == 6
    assert match.repeats == 2


def half_turn(size: int, column: int, row: int) -> tuple[int, int]:
    return size - 1 - column, size - 1 - row


def mirror(size: int, column: int, row: int) -> tuple[int, int]:
    return row, column


def quarter_turn(size: int, column: int, row: int) -> tuple[int, int]:
    return row, size - 1 - column


@pytest.mark.parametrize(
    ("spec", "size", "alike", "other"),
    [
        ("hex:size=4", 4, [half_turn], [mirror, quarter_turn]),
        ("hex:size=4,swap=on", 4, [half_turn], [mirror, quarter_turn]),
        ("gomoku:size=7", 7, [half_turn, mirror, quarter_turn], []),
        ("gomoku:size=7,rule=renju", 7, [half_turn, mirror, quarter_turn], []),
    ],
)
def test_every_image_of_a_game_has_its_course_and_no_other_game_has(
    spec: str, size: int, alike: list[Image], other: list[Image]
) -> None:
    def turned(record: Record, image: Image) -> Record:
        cells = [(ord(text[0]) - 97, int(text[1:]) - 1) for text in record.moves]
        images = [image(size, *cell) for cell in cells]
        return replace(record, moves=tuple(f"{chr(97 + column)}{row + 1}" for column, row in images))

    courses = Courses(as_game(spec))
    records = [
        replace(record, moves=record.moves[:6], notes=())
        for seed in range(8)
        if "swap-pieces" not in (record := play(Task(game=spec, players=("random",) * 2, seed=seed))).moves
    ]
    for record in records:
        assert {courses.of(turned(record, image)) for image in alike} == {courses.of(record)}
        assert all(courses.of(turned(record, image)) != courses.of(record) for image in other)
    assert len({courses.of(record) for record in records}) == len(records) >= 4


def test_another_process_that_was_quicker_is_believed(store: Store) -> None:
    contest = Contest(HEX, ("random", "random"))
    match = Match(contest, Goal(games=2), store)
    other = replace(play(contest.task(0, 0)), scores=(0.5, 0.5), ending="limit")
    going = match.play()
    store.add(other, match=contest.key, round=0)
    list(going)
    assert match.rounds[0][0].score == 0.5


def test_a_match_without_an_end_is_refused() -> None:
    with pytest.raises(ValueError, match="a match needs an end"):
        Goal()


def test_a_budget_that_reaches_no_bot_is_refused() -> None:
    assert with_budgets(["mcts", "random"], iterations=5) == ("mcts:iterations=5", "random")
    with pytest.raises(ValueError, match="--seconds is for bots that take it"):
        with_budgets(["easy", "mcts:iterations=5"], seconds=1.0)


def test_a_changed_file_makes_another_match(
    tmp_path: Path, loading: Callable[[Path], Callable[[], object]]
) -> None:
    file = tmp_path / "mine.py"
    keys = []
    for number in (1, 2):
        file.write_text(
            "import tesuji\n"
            "from tesuji.bots import RandomBot\n"
            f"# version {number}\n"
            "@tesuji.register_bot('mine')\n"
            "class Mine(RandomBot):\n    pass\n"
        )
        loading(file)
        keys.append(Contest("hex:size=4", ("mine", "random")).key)
    assert keys[0] != keys[1]
    assert "code" not in Contest("hex:size=4", ("random", "random")).plan


def test_a_changed_tablebase_makes_another_match(two_men: Path, four_men: Tablebase) -> None:
    bots = (f'alphabeta:depth=1,tablebase="{two_men}"', "random")
    game = f"onitama:cards={OX}"
    first = Contest(game, bots).key
    assert Contest(game, bots).key == first
    shutil.copyfile(four_men.path, two_men)
    assert Contest(game, bots).key != first
