"""A match: pairs, the goal, and a result that does not depend on the order of completion."""

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
from tesuji.any_game import game as as_game
from tesuji.arena.elo import PairCounts
from tesuji.arena.match import Goal, Match, Pairing, with_budget, with_budgets
from tesuji.arena.playing import Task, play, play_slot
from tesuji.arena.repeats import GameKeys
from tesuji.arena.report import fault_lines, match_data, match_lines
from tesuji.arena.sprt import SPRT
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


def moves_of(store: Store, pairing: Pairing) -> dict[tuple[int, int], tuple[str, ...]]:
    return {place: record.moves for place, record in store.slots(pairing.key).items()}


def fill(store: Store, pairing: Pairing, places: list[tuple[int, int]]) -> None:
    """Store games, as an earlier run might have."""
    for round, leg in places:
        store.add(play(pairing.task(round, leg)), match=pairing.key, round=round)


def test_both_games_of_a_round_have_one_opening_and_deal_and_the_seats_exchanged() -> None:
    pairing = Pairing("hex:size=5", ("mcts:iterations=10", "random"))
    openings = set()
    for round in range(10):
        first, second = (pairing.task(round, leg) for leg in (0, 1))
        assert (first.opening, first.seed) == (second.opening, second.seed)
        assert first.players == second.players[::-1] == pairing.bots
        assert [pairing.seat_of(0, leg) for leg in (0, 1)] == [0, 1]
        openings.add(first.opening)
    assert len(openings) > 5


def test_in_a_round_every_bot_sits_in_every_seat_once(users: object) -> None:
    pairing = Pairing("trick:players=4", ("first", "last", "random", "lucky"))
    tasks = [pairing.task(3, leg) for leg in range(4)]
    assert sorted(zip(*(task.players for task in tasks), strict=True)) == sorted(
        tuple(pairing.bots[(seat + leg) % 4] for leg in range(4)) for seat in range(4)
    )
    for bot, leg in itertools.product(range(4), range(4)):
        assert tasks[leg].players[pairing.seat_of(bot, leg)] == pairing.bots[bot]


def test_in_a_round_the_cards_and_the_luck_are_the_same(users: object, store: Store) -> None:
    match = Match(Pairing("trick:players=2", ("random", "last")), Goal(games=20), store)
    all_played(match, setup=users)
    places = store.slots(match.key)
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
            pairing = Pairing("hex:size=4", bots)
            match = Match(pairing, Goal(games=16), store)
            all_played(match, processes=processes)
            found.append((match.counts, moves_of(store, pairing), match.games[0].plies))
    assert found[0] == found[1]
    assert len(set(found[0][1].values())) > 8


def test_games_that_finish_out_of_order_count_in_order(tmp_path: Path, users: Callable[[], object]) -> None:
    pairing = Pairing(HEX, (f'uneven:mark="{tmp_path}/mark"', "random"))
    (tmp_path / "mark").unlink()  # made once already, to be checked
    with Store(tmp_path / "games.db") as store:
        match = Match(pairing, Goal(games=14), store)
        all_played(match, processes=2, setup=users)
        finished = [(stored.round, stored.record.leg) for stored in store.records()]
        assert finished != sorted(finished)
        places = [(round, leg) for round in range(7) for leg in (0, 1)]
        assert sorted(finished) == places
        here = [play(pairing.task(round, leg)) for round, leg in places]
        assert [store.slots(match.key)[place].moves for place in places] == [record.moves for record in here]
        scores = [(record.scores or ())[record.leg] for record in here]
        assert [game.score for game in match.games] == scores


def test_more_games_play_only_the_new_ones_and_a_finished_match_none(store: Store) -> None:
    pairing = Pairing(HEX, ("random", "mcts:iterations=5"))
    assert len(all_played(Match(pairing, Goal(games=4), store))) == 4
    first = moves_of(store, pairing)
    assert all_played(Match(pairing, Goal(games=4), store)) == []
    again = Match(pairing, Goal(games=10), store)
    assert (again.resumed, again.reached, again.counts.games) == (4, False, 4)
    assert len(all_played(again)) == 6
    assert again.reached
    assert store.count() == 10
    assert first.items() <= moves_of(store, pairing).items()
    fewer = Match(pairing, Goal(games=6), store)
    assert (fewer.reached, fewer.counts.games, fewer.resumed) == (True, 6, 10)


def test_a_game_that_is_missing_in_the_middle_is_played(store: Store) -> None:
    pairing = Pairing(HEX, ("random", "mcts:iterations=5"))
    fill(store, pairing, [(0, 1), (1, 0), (1, 1), (3, 0)])
    match = Match(pairing, Goal(games=8), store)
    assert (match.resumed, match.counts.pairs) == (4, 0)
    played = all_played(match)
    assert [(record.leg, record.seed) for record in played] == [
        (leg, pairing.task(round, leg).seed) for round, leg in [(0, 0), (2, 0), (2, 1), (3, 1)]
    ]
    assert match.counts.games == 8


ROUNDS = 24
ORDERS = {
    "in order": list(range(2 * ROUNDS)),
    "backwards": list(range(2 * ROUNDS))[::-1],
    "shuffled": random.Random(1).sample(range(2 * ROUNDS), 2 * ROUNDS),
}


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
def test_an_sprt_stops_at_the_first_decisive_round_whatever_is_in_the_store(
    tmp_path: Path, order: list[int]
) -> None:
    pairing = Pairing(HEX, ("mcts:iterations=20", "random"))
    goal = Goal(sprt=SPRT(0, 100), games=4 * ROUNDS)
    records = [play(pairing.task(number // 2, number % 2)) for number in range(2 * ROUNDS)]
    scores = [(record.scores or ())[record.leg] for record in records]
    pairs = [scores[number] + scores[number + 1] for number in range(0, len(scores), 2)]
    wanted = next(n for n in range(ROUNDS) if goal.reached(PairCounts.of(pairs[:n])))
    assert 2 < wanted < ROUNDS - 2
    with Store(tmp_path / "games.db") as store:
        for have, number in enumerate(order, 1):
            store.add(records[number], match=pairing.key, round=number // 2)
            there = set(order[:have])
            whole = next((n for n in range(ROUNDS) if not {2 * n, 2 * n + 1} <= there), ROUNDS)
            match = Match(pairing, goal, store)
            assert match.counts == PairCounts.of(pairs[: min(whole, wanted)])
            assert match.reached == (whole >= wanted)
            assert match.resumed == have
        assert all_played(match) == []
        assert store.count() == 2 * ROUNDS


def test_an_sprt_continues_with_later_rounds_in_the_store(tmp_path: Path) -> None:
    pairing = Pairing(HEX, ("mcts:iterations=20", "random"))
    goal = Goal(sprt=SPRT(0, 100))
    counts = set()
    for number, there in enumerate(([], [(2, 1), (3, 0), (3, 1), (9, 0), (40, 0)])):
        with Store(tmp_path / f"{number}.db") as store:
            fill(store, pairing, there)
            match = Match(pairing, goal, store)
            all_played(match, processes=2)
            assert match.reached
            counts.add((match.counts, len(match.rounds)))
    assert len(counts) == 1


def test_an_error_goal_is_reached_when_the_interval_is_narrow_enough(store: Store) -> None:
    pairing = Pairing(HEX, ("random", "random:seed=2"))
    goal = Goal(error=110, games=400)
    match = Match(pairing, goal, store)
    all_played(match, processes=2)
    elo = match.counts.elo()
    assert elo.margin <= 110
    assert match.counts.games < 400
    assert match.counts.pairs >= 20
    one_less = match.rounds[:-1]
    assert not goal.reached(PairCounts.of(sum(played.score for played in both) for both in one_less))


@pytest.mark.parametrize("games", [-2, 0, 1, 7])
def test_games_are_even_and_at_least_two(games: int) -> None:
    with pytest.raises(ValueError, match=f"games .*not {games}"):
        Goal(games=games)


@pytest.mark.parametrize("error", [0.0, -1.0, float("nan")])
def test_an_error_goal_must_be_positive(error: float) -> None:
    with pytest.raises(ValueError, match=f"error .*not {error:g}"):
        Goal(error=error)


def test_the_move_limit_is_part_of_the_plan(users: Callable[[], object], store: Store) -> None:
    limited = Pairing("shuffle", ("first", "last"), move_limit=30)
    match = Match(limited, Goal(games=2), store)
    all_played(match, setup=users)
    assert [(game.ending, game.score, game.plies) for game in match.games] == [("limit", 0.5, 30)] * 2
    assert "Not played out: 2 limit" in match_lines(match)
    assert limited.key != Pairing("shuffle", ("first", "last"), move_limit=31).key
    with pytest.raises(ValueError, match="move_limit .*not 0"):
        Pairing("shuffle", ("first", "last"), move_limit=0)


def test_another_seed_game_opening_or_bot_is_another_match(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("a1\nb2\n")
    lines = {"openings": f'file:path="{path}"'}
    bots = ("random", "mcts:iterations=5")
    pairings = [
        Pairing(HEX, bots),
        Pairing(HEX, bots, seed=2),
        Pairing("hex:size=4", bots),
        Pairing(HEX, ("random", "mcts:iterations=6")),
        Pairing(HEX, bots[::-1]),
        Pairing(HEX, bots, openings="none"),
        Pairing(HEX, bots, **lines),  # type: ignore[arg-type]
    ]
    path.write_text("a1\nb2\nc3\n")
    pairings.append(Pairing(HEX, bots, **lines))  # type: ignore[arg-type]
    assert len({pairing.key for pairing in pairings}) == len(pairings)


def test_an_equivalent_spec_is_the_same_match() -> None:
    one = Pairing(HEX, ("mcts:rave=off,iterations=1e2", "random"))
    other = Pairing(" hex: size=3", ('mcts: iterations="100", rave=off', "random"))
    assert one.key == other.key


def test_a_bot_may_play_itself(store: Store) -> None:
    match = Match(Pairing(HEX, ("random", "random")), Goal(games=40), store)
    all_played(match, processes=2)
    data = match_data(match)
    assert data["wins"] + data["losses"] == 40
    assert 0 < data["wins"] < 40
    assert len({record.moves for record in store.slots(match.key).values()}) > 20


def test_a_faulty_bot_loses_only_its_games_and_the_report_names_it(
    users: Callable[[], object], store: Store, tmp_path: Path
) -> None:
    bot = f'faulty:how=leave,once="{tmp_path}/a, b=c"'
    match = Match(Pairing(HEX, (bot, "last")), Goal(games=6), store)
    all_played(match, setup=users)
    data = match_data(match)
    assert data["endings"] == {"crashed": 1, "played": 5}
    fault = f"{bot}: its process ended with exit code 4"
    assert data["faults"] == {fault: 1}
    assert f"Fault (1×): {fault}" in match_lines(match)
    [record] = [stored.record for stored in store.records(ending="crashed")]
    assert record.fault == fault
    verify(record)


def test_a_game_whose_worker_is_killed_once_is_played_again(
    users: Callable[[], object], store: Store, tmp_path: Path
) -> None:
    killed = tmp_path / "killed"
    match = Match(Pairing(HEX, (f'faulty:how=kill,once="{killed}"', "last")), Goal(games=6), store)
    all_played(match, setup=users, processes=2)
    assert killed.exists()
    assert match_data(match)["endings"] == {"played": 6}
    assert match_data(match)["faults"] == {}


def test_a_bot_whose_worker_is_killed_every_time_loses_the_game(
    users: Callable[[], object], store: Store
) -> None:
    match = Match(Pairing(HEX, ("faulty:how=kill", "last")), Goal(games=2), store)
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
    pairing = Pairing("tictactoe", ("mcts:iterations=40", "random"))
    match = Match(pairing, Goal(games=40, sprt=SPRT(0, 400)), store)
    all_played(match, processes=2, setup=tic_tac_toe)
    places = store.slots(match.key)
    games = [(leg, places[round, leg]) for round in range(len(match.rounds)) for leg in (0, 1)]
    scores = [(record.scores or ())[leg] for leg, record in games]
    for _, record in games:
        verify(record)
    data = match_data(match)
    assert data["games"] == len(scores)
    assert [data[key] for key in ("losses", "draws", "wins")] == [scores.count(x) for x in (0.0, 0.5, 1.0)]
    assert data["draws"] > 0
    pairs = [scores[number] + scores[number + 1] for number in range(0, len(scores), 2)]
    assert data["pairs"] == [pairs.count(points) for points in (0, 0.5, 1, 1.5, 2)]
    assert data["plies"] == sum(len(record.moves) for _, record in games) / len(games)
    firsts = [(record.scores or ())[0] for _, record in games]
    assert data["first_mover_score"] == pytest.approx(sum(firsts) / len(firsts))
    for bot in (0, 1):
        notes = [
            note for leg, record in games for note in record.notes if note and (note.player - leg) % 2 == bot
        ]
        seconds = sum(note.seconds for note in notes) / len(notes)
        assert data["seconds_per_move"][bot] == pytest.approx(seconds)
    lines = "\n".join(match_lines(match))
    assert f"Games: {len(scores)}, Wins: {data['wins']}, Losses: {data['losses']}" in lines
    assert f"Ptnml(0-2): {data['pairs']}" in lines
    assert "LLR: " in lines
    assert store.plan(match.key) == pairing.plan


@pytest.mark.parametrize("games", [0, 2, 6])
@pytest.mark.parametrize("sprt", [None, SPRT(0, 20)])
def test_the_data_are_valid_json_even_for_no_games_and_for_a_clean_sweep(
    users: object, store: Store, games: int, sprt: SPRT | None
) -> None:
    pairing = Pairing(HEX, ("random", "faulty:how=resign"))
    fill(store, pairing, [(number // 2, number % 2) for number in range(games)])
    match = Match(pairing, Goal(games=50, sprt=sprt), store)
    data = match_data(match)
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert (data["games"], data["wins"], data["finished"]) == (games, games, False)
    assert "nan" not in "".join(match_lines(match))


def test_a_budget_applies_to_bots_that_have_the_option_and_set_none(users: object) -> None:
    assert with_budget("mcts", iterations=50) == "mcts:iterations=50"
    assert with_budget("mcts:rave=off", seconds=0.25) == "mcts:rave=off,seconds=0.25"
    assert with_budget("mcts:seconds=1", iterations=50) == "mcts:seconds=1"
    assert with_budget("mcts:iterations=7", iterations=50, seconds=1.0) == "mcts:iterations=7"
    assert with_budget("random", iterations=50) == "random"
    assert with_budget('first:log="a, b"', iterations=50) == 'first:log="a, b"'
    assert with_budget("mcts") == "mcts"
    with pytest.raises(ValueError, match="'mtcs'.*'mcts'"):
        with_budget("mtcs", iterations=50)


@pytest.mark.parametrize(
    ("game", "bots", "message"),
    [
        ("hxe", ("random", "random"), "unknown game 'hxe'"),
        (HEX, ("random", "mcts:rav=off"), "'rav' for mcts.*'rave'"),
        (HEX, ("random", "mcts:iterations=0"), "iterations must be .* not 0"),
        (HEX, ("random",), "hex:size=3 has 2 seats, not 1"),
        ("trick", ("random", "random"), "trick has 3 seats, not 2"),
    ],
)
def test_errors_in_specs_show_before_the_first_game(
    users: object, game: str, bots: tuple[str, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Pairing(game, bots)


def test_a_match_needs_a_game_for_two_players(users: object, store: Store) -> None:
    with pytest.raises(ValueError, match="trick has 3"):
        Match(Pairing("trick", ("random", "first", "last")), Goal(games=2), store)


def test_games_that_repeat_each_other_are_named(store: Store) -> None:
    bots = ("mcts:iterations=20,seed=1", "mcts:iterations=30,seed=2")
    match = Match(Pairing("hex:size=4", bots, openings="none"), Goal(games=12), store)
    all_played(match)
    assert match.repeats == 10
    assert any(line.startswith("Repeats: 10 games") for line in match_lines(match))
    assert match_data(match)["repeats"] == 10


def test_a_rotated_game_counts_as_a_repeat(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("a1 b1 c1\nc3 b3 a3\na3 b3 c3\n")  # the second is the first after a half turn
    pairing = Pairing(HEX, ("random", "random"), openings=f'file:path="{path}"')
    match = Match(pairing, Goal(games=6), store)
    for round, leg in itertools.product(range(3), range(2)):
        task = pairing.task(round, leg)
        record = Record(
            game=HEX, players=task.players, moves=task.opening, leg=leg, scores=(1.0, 0.0), ending="resigned"
        )
        store.add(record, match=pairing.key, round=round)
    match = Match(pairing, Goal(games=6), store)
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
def test_games_have_the_same_key_exactly_if_they_are_equal_up_to_symmetry(
    spec: str, size: int, alike: list[Image], other: list[Image]
) -> None:
    def transformed(record: Record, image: Image) -> Record:
        cells = [(ord(text[0]) - 97, int(text[1:]) - 1) for text in record.moves]
        images = [image(size, *cell) for cell in cells]
        return replace(record, moves=tuple(f"{chr(97 + column)}{row + 1}" for column, row in images))

    keys = GameKeys(as_game(spec))
    records = [
        replace(record, moves=record.moves[:6], notes=())
        for seed in range(8)
        if "swap-pieces" not in (record := play(Task(game=spec, players=("random",) * 2, seed=seed))).moves
    ]
    for record in records:
        assert {keys.key(transformed(record, image)) for image in alike} == {keys.key(record)}
        assert all(keys.key(transformed(record, image)) != keys.key(record) for image in other)
    assert len({keys.key(record) for record in records}) == len(records) >= 4


def test_games_of_different_deals_have_different_keys() -> None:
    keys = GameKeys(as_game("onitama:set=all"))
    games = [Record(game="onitama:set=all", players=("a", "b"), seed=seed) for seed in (1, 1, 2)]
    one, again, other = map(keys.key, games)
    assert one == again != other


@pytest.mark.parametrize("game", [HEX, "gomoku:size=7", "onitama:set=all", "gofish"])
def test_a_match_knows_a_game_by_the_same_key_as_its_record(game: str, store: Store) -> None:
    players = ("random",) * as_game(game).players
    task = Task(game=game, players=players, seed=3)
    record, key = play_slot(("match", 0, task))
    assert key == GameKeys(as_game(game)).key(record)
    assert store.add_first(record, match="match", round=0) is record
    again = replace(record, fault="another")
    assert store.add_first(again, match="match", round=0) == record


def test_a_game_that_another_process_stored_first_is_kept(store: Store) -> None:
    pairing = Pairing(HEX, ("random", "random"))
    match = Match(pairing, Goal(games=2), store)
    other = replace(play(pairing.task(0, 0)), scores=(0.5, 0.5), ending="limit")
    going = match.play()
    store.add(other, match=pairing.key, round=0)
    list(going)
    assert match.rounds[0][0].score == 0.5


def test_a_match_without_a_goal_is_refused() -> None:
    with pytest.raises(ValueError, match="games, sprt or error"):
        Goal()


def test_a_budget_that_applies_to_no_bot_is_refused() -> None:
    assert with_budgets(["mcts", "random"], iterations=5) == ("mcts:iterations=5", "random")
    with pytest.raises(ValueError, match="--seconds"):
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
        keys.append(Pairing("hex:size=4", ("mine", "random")).key)
    assert keys[0] != keys[1]
    assert "code" not in Pairing("hex:size=4", ("random", "random")).plan


def test_a_changed_tablebase_makes_another_match(two_men: Path, four_men: Tablebase) -> None:
    bots = (f'alphabeta:depth=1,tablebase="{two_men}"', "random")
    game = f"onitama:cards={OX}"
    first = Pairing(game, bots).key
    assert Pairing(game, bots).key == first
    shutil.copyfile(four_men.path, two_men)
    assert Pairing(game, bots).key != first
