"""Driving a Gomocup engine: whole games against our own, and the lines that an engine is sent.

Faults of engines are in test_engine_protocols; how programs start and end is tested with GTP's bot.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable

import pytest

import tesuji
from tests.engines.scripted import Scripts
from tests.engines.test_gomocup_process import PBRAIN
from tesuji.adapter import full_state
from tesuji.any_game import parse_move
from tesuji.bots import Bot
from tesuji.engines.gomocup import EngineError, GomocupBot
from tesuji.engines.gomocup.bot import PAUSE

Make = Callable[..., GomocupBot]


@pytest.fixture
def protocol() -> str:
    return "gomocup"


def ours(bot: str) -> str:
    """The command for our own engine."""
    return shlex.join([PBRAIN, "--bot", bot])


# Whole games.


@pytest.mark.parametrize("spec", ["gomoku:size=7", "gomoku:size=8,rule=standard", "gomoku:size=9,rule=renju"])
def test_an_engine_in_a_process_plays_whole_games_as_either_player(spec: str, make: Make) -> None:
    engine = make(spec, command=ours("mcts:iterations=200,seed=1"))
    inside = tesuji.bot("mcts:iterations=200,seed=2", spec)
    program = engine._program
    for seat in (0, 1):
        engine.reset()
        state = tesuji.game(spec).start()
        seats: list[Bot] = [inside, inside]
        seats[seat] = engine
        while state.scores() is None:
            state = state.play(seats[state.player].choose(state))
    assert engine._program is program


@pytest.mark.parametrize("seeds", [(1, 2), (3, 4), (5, 6), (7, 8)])
def test_two_engines_open_by_swap2_and_play_to_the_end(seeds: tuple[int, int], make: Make) -> None:
    spec = "gomoku:size=6,rule=standard,swap2=on"
    players = [make(spec, command=ours(f"random:seed={seed}")) for seed in seeds]
    state = tesuji.game(spec).start()
    while state.scores() is None:
        state = state.play(players[state.player].choose(state))
    assert len(state.history) > 5


def test_one_engine_plays_both_sides(make: Make) -> None:
    engine = make("gomoku:size=6", command=ours("random:seed=1"))
    state = tesuji.game("gomoku:size=6").start()
    while state.scores() is None:
        state = state.play(engine.choose(state))


GREETING = ["START 5", "INFO rule 0", "INFO game_type 1", "INFO timeout_match 0"]
UNLIMITED = "INFO time_left 2147483647"


def test_only_new_moves_are_sent_to_the_engine(scripts: Scripts, make: Make) -> None:
    bot = make("gomoku:size=5", command=scripts(BEGIN='say("2,2")', TURN='say("1,1")'))
    assert bot.choose(tesuji.replay("gomoku:size=5", "")) == 12
    assert bot.choose(tesuji.replay("gomoku:size=5", "c3 a5")) == 16
    assert scripts.received() == [*GREETING, UNLIMITED, "BEGIN", UNLIMITED, "TURN 0,0"]


def test_an_engine_that_answered_at_once_is_given_time_to_end_its_search(
    scripts: Scripts, make: Make
) -> None:
    answer = f'say("1,1" if time.monotonic() - answered >= {PAUSE} else "ERROR too early")'
    bot = make("gomoku:size=5", command=scripts(BEGIN='answered = time.monotonic(); say("2,2")', TURN=answer))
    assert bot.choose(tesuji.replay("gomoku:size=5", "")) == 12
    assert bot.choose(tesuji.replay("gomoku:size=5", "c3 a5")) == 16


@pytest.mark.parametrize("elsewhere", ["c3 a4", "c3 a5 b4", "a1 b1 c1"])
def test_after_a_different_line_the_whole_game_is_sent(elsewhere: str, scripts: Scripts, make: Make) -> None:
    bot = make("gomoku:size=5", command=scripts(BEGIN='say("2,2")', TURN='say("1,1")', DONE='say("4,4")'))
    bot.choose(tesuji.replay("gomoku:size=5", ""))
    bot.choose(tesuji.replay("gomoku:size=5", "c3 a5"))
    before = len(scripts.received())
    words = elsewhere.split()
    bot.choose(tesuji.replay("gomoku:size=5", elsewhere))
    points = {"c3": "2,2", "a4": "0,1", "a5": "0,0", "b4": "1,1", "a1": "0,4", "b1": "1,4", "c1": "2,4"}
    lines = [f"{points[word]},{1 + (number + len(words)) % 2}" for number, word in enumerate(words)]
    assert scripts.received()[before:] == [UNLIMITED, "RESTART", "BOARD", *lines, "DONE"]


def test_a_game_in_progress_is_sent_by_board_and_continued_by_turn(scripts: Scripts, make: Make) -> None:
    bot = make("gomoku:size=5,rule=renju", command=scripts(DONE='say("4,4")', TURN='say("4,3")'))
    bot.choose(tesuji.replay("gomoku:size=5,rule=renju", "c3 a5 b5"))
    bot.choose(tesuji.replay("gomoku:size=5,rule=renju", "c3 a5 b5 e1 a1"))
    told = ["BOARD", "2,2,2", "0,0,1", "1,0,2", "DONE", UNLIMITED, "TURN 0,4"]
    assert scripts.received()[1] == "INFO rule 4"
    assert scripts.received()[5:] == told


def test_reset_setup_and_limits(scripts: Scripts, make: Make) -> None:
    bot = make(
        "gomoku:size=5,rule=standard",
        command=scripts(BEGIN='say("2,2")'),
        seconds=0.5,
        match=100,
        memory=70,
        setup="INFO max_depth 3;\n INFO thread_num 1 ;",
    )
    bot.choose(tesuji.game("gomoku:size=5,rule=standard").start())
    bot.reset()
    bot.reset()
    bot.choose(tesuji.game("gomoku:size=5,rule=standard").start())
    limits = ["INFO timeout_turn 500", "INFO timeout_match 100000", f"INFO max_memory {70 << 20}"]
    setup = ["INFO max_depth 3", "INFO thread_num 1"]
    first = ["START 5", "INFO rule 1", "INFO game_type 1", *limits, *setup]
    ask = ["INFO time_left 100000", "BEGIN"]
    assert scripts.received() == [*first, *ask, "RESTART", *ask]


def test_the_time_that_a_game_takes_is_counted(scripts: Scripts, make: Make) -> None:
    slow = 'import time; time.sleep(0.05); say("2,2")'
    bot = make("gomoku:size=5", command=scripts(BEGIN=slow, TURN='say("1,1")'), match=10)
    bot.choose(tesuji.replay("gomoku:size=5", ""))
    bot.choose(tesuji.replay("gomoku:size=5", "c3 a5"))
    left = [int(line.split()[-1]) for line in scripts.received() if "time_left" in line]
    assert left[0] == 10_000
    assert left[1] <= 9_950


def test_a_clock_is_sent_as_match_time_and_time_left(scripts: Scripts, make: Make) -> None:
    bot = make("gomoku:size=5", command=scripts(BEGIN='say("2,2")', TURN='say("1,1")'))
    for left, moves in ((60.0, ""), (58.25, "c3 a5")):
        bot.time_left(left, 0.1)
        bot.choose(tesuji.replay("gomoku:size=5", moves))
    times = [line for line in scripts.received()[len(GREETING) :] if line.startswith("INFO")]
    assert times == ["INFO timeout_match 60000", "INFO time_left 60000", "INFO time_left 58250"]


def test_messages_are_ignored_and_suggestions_played(scripts: Scripts, make: Make) -> None:
    chatty = 'say("MESSAGE depth 1\\r"); say("debug 3,3"); say(""); say("SUGGEST 1,1")'
    bot = make("gomoku:size=5", command=scripts(BEGIN=chatty, PLAY='say("1,1\\r")'))
    assert bot.choose(tesuji.game("gomoku:size=5").start()) == 16
    assert scripts.received()[-1] == "PLAY 1,1"


SWAP2 = "gomoku:size=5,swap2=on"


@pytest.mark.parametrize(
    ("before", "says", "moves", "told"),
    [
        ("", "0,0 1,0 2,0", "a5 b5 c5", []),
        ("a1 b1 c1", "SWAP", "swap", ["0,4", "1,4", "2,4"]),
        ("a1 b1 c1", "0,0", "a5", ["0,4", "1,4", "2,4"]),
        ("a1 b1 c1", "0,0 1,0", "two a5 b5", ["0,4", "1,4", "2,4"]),
        ("a1 b1 c1 two d1 e1", "swap", "swap", ["0,4", "1,4", "2,4", "3,4", "4,4"]),
        ("a1 b1 c1 two d1 e1", "0,0", "a5", ["0,4", "1,4", "2,4", "3,4", "4,4"]),
    ],
)
def test_swap2_uses_its_own_command_in_all_branches(
    before: str, says: str, moves: str, told: list[str], scripts: Scripts, make: Make
) -> None:
    bot = make(SWAP2, command=scripts(DONE=f'say("{says}")'))
    state = tesuji.replay(SWAP2, before)
    for move in moves.split():
        chosen = bot.choose(state)
        assert full_state(state).text(chosen) == move
        state = state.play(chosen)
    assert scripts.received()[4:] == [UNLIMITED, "SWAP2BOARD", *told, "DONE"]


def test_after_swap2_the_engine_learns_its_stones(scripts: Scripts, make: Make) -> None:
    opening = {"SWAP2BOARD": 'said = "SWAP"', "BOARD": 'said = "0,0"'}
    bot = make(SWAP2, command=scripts(**opening, DONE="say(said)", TURN='say("1,0")'))
    state = tesuji.replay(SWAP2, "a1 b1 c1")
    state = state.play(bot.choose(state))  # Black's stones are ours
    state = state.play(parse_move(state, "d1"))
    state = state.play(bot.choose(state))
    bot.choose(state.play(parse_move(state, "e1")))
    board = ["BOARD", "0,4,1", "1,4,2", "2,4,1", "3,4,2", "DONE"]
    assert scripts.received()[-9:] == [UNLIMITED, *board, UNLIMITED, "TURN 4,4"]


@pytest.mark.parametrize(
    ("before", "says"),
    [
        ("", "0,0"),
        ("", "0,0 0,0 1,1"),
        ("", "0,0 1,0 9,9"),
        ("a1 b1 c1", "0,4"),
        ("a1 b1 c1", "0,0 1,0 2,0"),
        ("a1 b1 c1", "0,0 0,0"),
        ("a1 b1 c1 two d1 e1", "0,0 1,0"),
    ],
)
def test_an_invalid_answer_to_swap2_is_a_fault(before: str, says: str, scripts: Scripts, make: Make) -> None:
    bot = make(SWAP2, command=scripts(DONE=f'say("{says}")'))
    with pytest.raises(EngineError, match=f"answered '{says}', which is not"):
        bot.choose(tesuji.replay(SWAP2, before))


def test_only_gomoku_is_played(make: Make) -> None:
    with pytest.raises(ValueError, match="the Gomocup protocol is for gomoku, not for hex"):
        make("hex", command="true")


def test_an_engine_plays_on_from_a_position_that_was_set_up(make: Make) -> None:
    spec = "gomoku:size=7"
    engine = make(spec, command=ours("mcts:iterations=100,seed=1"))
    empty = "\n......." * 6
    black, white = (tesuji.position(spec, f"...XXXX{empty}", player) for player in (0, 1))
    assert black.text(engine.choose(black)) == "c7"
    assert white.text(engine.choose(white)) == "c7"
    after = black.play(black.parse("a1"))
    assert after.text(engine.choose(after)) == "c7"
