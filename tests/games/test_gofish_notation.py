"""Go Fish in texts and pictures, records and bots."""

import random
from pathlib import Path
from xml.etree import ElementTree

import pytest

import tesuji
from tests.games.gofish_tables import go_fish, replayed
from tesuji.arena.playing import Task, play
from tesuji.games.gofish.careful import CarefulBot
from tesuji.records.store import Store
from tesuji.records.verification import last_position


@pytest.mark.parametrize("spec", ["gofish", "gofish:players=4", "gofish:books=pairs"])
def test_moves_are_read_as_they_are_written(spec: str) -> None:
    state = go_fish(spec).start(seed=1)
    rng = random.Random(1)
    while state.scores() is None:
        for move in state.moves():
            assert state.parse(state.text(move)) == move
            assert state.parse(state.text(move).lower()) == move
        state = state.play(rng.choice(state.moves()))


def test_the_player_asked_is_optional_in_games_of_two() -> None:
    state = go_fish("gofish").start(seed=7)
    assert state.parse("J") == state.parse("1:j") == 13 + 10
    assert state.parse("10") == state.parse("T") == 13 + 9


@pytest.mark.parametrize(
    ("spec", "text", "message"),
    [
        ("gofish", "1", "'1' is not a rank; ranks are A 2 3 4 5 6 7 8 9 10 J Q K"),
        ("gofish:players=3", "K", "no player in 'K'"),
        ("gofish:players=3", "3:K", "no player in '3:K'"),
        ("gofish:players=3", "²:K", "no player in"),
    ],
)
def test_unreadable_moves_are_refused_with_the_reason(spec: str, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        go_fish(spec).start(seed=7).parse(text)


def test_a_repr_can_be_pasted_back() -> None:
    state = replayed("gofish:players=3", "1:3 0:2", seed=7)
    assert eval(repr(state)) == state
    assert "determinized" in repr(state.determinize(0, random.Random(1)))


def test_the_text_shows_a_seat_its_own_cards_and_public_information() -> None:
    state = replayed("gofish", "A", seed=7)
    assert state.text_for(0).splitlines()[0].startswith("  player 0    A ")
    assert state.text_for(1).splitlines()[0].startswith("  player 0    A ? ? ?")
    assert "?" * 7 in state.text_for(0).splitlines()[1].replace(" ", "")
    assert str(state) == state.text_for(state.player)
    assert state.last_move_text(1).startswith("Player 0 asks you for A: go fish. Player 0 draws a card")
    assert state.last_move_text(0).startswith("You ask player 1 for A: go fish. You draw ")


def test_the_picture_hides_the_cards_of_others() -> None:
    state = replayed("gofish:players=3", "1:3", seed=7)
    moves = state.moves()
    picture = state.svg(heat={moves[0]: 1.0, moves[1]: 0.5}, labels={moves[0]: "60%"})
    root = ElementTree.fromstring(picture)
    titles = [title.text for title in root.iter("{http://www.w3.org/2000/svg}title")]
    assert titles.count("face-down card") >= 12
    assert "60%" in picture
    with pytest.raises(ValueError, match="heat of move .*not -1.0"):
        state.svg(heat={moves[0]: -1.0})


@pytest.mark.parametrize("spec", ["gofish", "gofish:players=4,next=asked"])
def test_records_replay_exactly(spec: str, tmp_path: Path) -> None:
    game = go_fish(spec)
    record = play(Task(game=spec, players=("careful",) * game.players, seed=11))
    assert last_position(record).scores() == record.scores
    with Store(tmp_path / "games.db") as store:
        number = store.add(record)
        kept = store.get(number)
    assert [repr(state) for state in kept.states()] == [repr(state) for state in record.states()]


def test_both_legs_of_a_round_have_the_same_deal() -> None:
    from tesuji.arena.match import Pairing

    contest = Pairing("gofish", ("careful", "random"), seed=3)
    first, second = (contest.task(round=5, leg=leg) for leg in (0, 1))
    assert first.seed == second.seed
    assert first.players == second.players[::-1]


def test_the_careful_bot_asks_for_cards_known_to_be_there() -> None:
    bot, rng = CarefulBot("gofish", seed=1), random.Random(1)
    taken = 0
    for seed in range(20):
        state = go_fish("gofish").start(seed=seed)
        while state.scores() is None:
            known = [move for move in state.moves() if state.sure(1 - state.player)[move % 13]]
            move = bot.choose(state)
            if known:
                taken += 1
                assert move in known
                assert state.play(move).turns[-1].given
            state = state.play(move if state.player else rng.choice(state.moves()))
    assert taken > 50


def test_the_careful_bot_refuses_other_games() -> None:
    with pytest.raises(ValueError, match="careful plays gofish, not Hex"):
        tesuji.bot("careful", "hex:size=5")


def test_the_careful_bot_beats_the_random_one() -> None:
    points = 0.0
    for seed in range(40):
        for players in (("careful", "random"), ("random", "careful")):
            record = play(Task(game="gofish", players=players, seed=seed))
            assert record.scores is not None
            points += record.scores[players.index("careful")]
    assert points > 44  # of 80; 52 are usual
