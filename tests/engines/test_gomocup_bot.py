"""Driving a Gomocup engine: whole games with ours in a process of its own, and engines of bad manners.

How programs start and end is the same for every protocol, and tested with GTP's bot.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import tesuji
from tests.engines.test_gomocup_process import PBRAIN
from tesuji.bots import Bot
from tesuji.engines import process
from tesuji.engines.gomocup import EngineError, GomocupBot
from tesuji.game import parse_move, text_of

Make = Callable[..., GomocupBot]


@pytest.fixture
def make() -> Iterator[Make]:
    """Makes bots that are closed after the test."""
    made: list[GomocupBot] = []

    def make_one(game: str, **options: object) -> GomocupBot:
        made.append(GomocupBot(game, **options))
        return made[-1]

    yield make_one
    for bot in made:
        bot.close()


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
    assert len(state.history) > 5  # type: ignore[attr-defined]


def test_one_engine_plays_both_sides(make: Make) -> None:
    engine = make("gomoku:size=6", command=ours("random:seed=1"))
    state = tesuji.game("gomoku:size=6").start()
    while state.scores() is None:
        state = state.play(engine.choose(state))


def test_it_is_a_bot_with_a_spec() -> None:
    command = ours("random:seed=1")
    spec = f'gomocup:command="{command}",seconds=2.5,match=60,memory=350,setup="INFO thread_num 1"'
    bot = tesuji.bot(spec, "gomoku:size=6")
    assert isinstance(bot, GomocupBot)
    try:
        assert tesuji.spec_of(bot) == spec
        assert command in repr(bot)
        assert bot.choose(tesuji.game("gomoku:size=6").start()) in range(36)
    finally:
        bot.close()


# Engines in a few lines: what a command's first word says is answered by a line, or by a piece of Python.

ENGINE = """
import sys

def say(text):
    print(text, flush=True)

for line in sys.stdin:
    with open({log!r}, "a") as log:
        log.write(line)
    name = line.split()[0]
    if name in {behaviour!r}:
        exec({behaviour!r}[name])
    elif name in ("START", "RESTART"):
        say("OK")
    elif name == "END":
        break
"""


class Scripts:
    """Writes engines: `scripts(TURN='say("0,0")')` is the command of one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log"

    def __call__(self, **behaviour: str) -> str:
        path = self.folder / "engine.py"
        path.write_text(ENGINE.format(log=str(self.log), behaviour=behaviour))
        return shlex.join([sys.executable, "-S", str(path)])

    def told(self) -> list[str]:
        return self.log.read_text().splitlines()


@pytest.fixture
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scripts:
    monkeypatch.setattr(process, "PATIENCE", 0.3)
    return Scripts(tmp_path)


GREETING = ["START 5", "INFO rule 0", "INFO game_type 1", "INFO timeout_match 0"]
UNLIMITED = "INFO time_left 2147483647"


def test_the_engine_is_told_only_what_is_new(scripts: Scripts, make: Make) -> None:
    bot = make("gomoku:size=5", command=scripts(BEGIN='say("2,2")', TURN='say("1,1")'))
    assert bot.choose(tesuji.replay("gomoku:size=5", "")) == 12
    assert bot.choose(tesuji.replay("gomoku:size=5", "c3 a5")) == 16
    assert scripts.told() == [*GREETING, UNLIMITED, "BEGIN", UNLIMITED, "TURN 0,0"]


@pytest.mark.parametrize("elsewhere", ["c3 a4", "c3 a5 b4", "a1 b1 c1"])
def test_where_the_game_went_elsewhere_it_is_told_all_again(
    elsewhere: str, scripts: Scripts, make: Make
) -> None:
    bot = make("gomoku:size=5", command=scripts(BEGIN='say("2,2")', TURN='say("1,1")', DONE='say("4,4")'))
    bot.choose(tesuji.replay("gomoku:size=5", ""))
    bot.choose(tesuji.replay("gomoku:size=5", "c3 a5"))
    before = len(scripts.told())
    words = elsewhere.split()
    bot.choose(tesuji.replay("gomoku:size=5", elsewhere))
    points = {"c3": "2,2", "a4": "0,1", "a5": "0,0", "b4": "1,1", "a1": "0,4", "b1": "1,4", "c1": "2,4"}
    lines = [f"{points[word]},{1 + (number + len(words)) % 2}" for number, word in enumerate(words)]
    assert scripts.told()[before:] == [UNLIMITED, "RESTART", "BOARD", *lines, "DONE"]


def test_a_game_that_is_joined_is_told_by_board_and_goes_on_by_turn(scripts: Scripts, make: Make) -> None:
    bot = make("gomoku:size=5,rule=renju", command=scripts(DONE='say("4,4")', TURN='say("4,3")'))
    bot.choose(tesuji.replay("gomoku:size=5,rule=renju", "c3 a5 b5"))
    bot.choose(tesuji.replay("gomoku:size=5,rule=renju", "c3 a5 b5 e1 a1"))
    told = ["BOARD", "2,2,2", "0,0,1", "1,0,2", "DONE", UNLIMITED, "TURN 0,4"]
    assert scripts.told()[1] == "INFO rule 4"
    assert scripts.told()[5:] == told


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
    assert scripts.told() == [*first, *ask, "RESTART", *ask]


def test_the_time_that_a_game_takes_is_counted(scripts: Scripts, make: Make) -> None:
    slow = 'import time; time.sleep(0.05); say("2,2")'
    bot = make("gomoku:size=5", command=scripts(BEGIN=slow, TURN='say("1,1")'), match=10)
    bot.choose(tesuji.replay("gomoku:size=5", ""))
    bot.choose(tesuji.replay("gomoku:size=5", "c3 a5"))
    left = [int(line.split()[-1]) for line in scripts.told() if "time_left" in line]
    assert left[0] == 10_000
    assert left[1] <= 9_950


def test_a_clock_is_told_as_the_time_of_the_game_and_what_is_left_of_it(scripts: Scripts, make: Make) -> None:
    bot = make("gomoku:size=5", command=scripts(BEGIN='say("2,2")', TURN='say("1,1")'))
    for left, moves in ((60.0, ""), (58.25, "c3 a5")):
        bot.time_left(left, 0.1)
        bot.choose(tesuji.replay("gomoku:size=5", moves))
    times = [line for line in scripts.told()[len(GREETING) :] if line.startswith("INFO")]
    assert times == ["INFO timeout_match 60000", "INFO time_left 60000", "INFO time_left 58250"]


def test_remarks_are_passed_over_and_a_suggestion_is_taken(scripts: Scripts, make: Make) -> None:
    chatty = 'say("MESSAGE depth 1\\r"); say("debug 3,3"); say(""); say("SUGGEST 1,1")'
    bot = make("gomoku:size=5", command=scripts(BEGIN=chatty, PLAY='say("1,1\\r")'))
    assert bot.choose(tesuji.game("gomoku:size=5").start()) == 16
    assert scripts.told()[-1] == "PLAY 1,1"


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
def test_swap2_goes_by_its_own_command_in_all_branches(
    before: str, says: str, moves: str, told: list[str], scripts: Scripts, make: Make
) -> None:
    bot = make(SWAP2, command=scripts(DONE=f'say("{says}")'))
    state = tesuji.replay(SWAP2, before)
    for move in moves.split():
        chosen = bot.choose(state)
        assert text_of(state, chosen) == move
        state = state.play(chosen)
    assert scripts.told()[4:] == [UNLIMITED, "SWAP2BOARD", *told, "DONE"]


def test_after_swap2_the_engine_is_told_which_stones_are_its_own(scripts: Scripts, make: Make) -> None:
    opening = {"SWAP2BOARD": 'said = "SWAP"', "BOARD": 'said = "0,0"'}
    bot = make(SWAP2, command=scripts(**opening, DONE="say(said)", TURN='say("1,0")'))
    state = tesuji.replay(SWAP2, "a1 b1 c1")
    state = state.play(bot.choose(state))  # Black's stones are ours
    state = state.play(parse_move(state, "d1"))
    state = state.play(bot.choose(state))
    bot.choose(state.play(parse_move(state, "e1")))
    board = ["BOARD", "0,4,1", "1,4,2", "2,4,1", "3,4,2", "DONE"]
    assert scripts.told()[-9:] == [UNLIMITED, *board, UNLIMITED, "TURN 4,4"]


FAULTS = {
    "a complaint": ('say("ERROR no memory")', "answered 'ERROR no memory'"),
    "ignorance": ('say("UNKNOWN command")', "answered 'UNKNOWN command'"),
    "nonsense": ('say("hello")', "answered 'hello', which is not a legal move"),
    "a stray OK": ('say("OK")', "answered 'OK', which is not a legal move"),
    "a cell off the board": ('say("5,0")', "answered '5,0', which is not a legal move"),
    "a taken cell": ('say("0,0")', "answered '0,0', which is not a legal move"),
    "two moves": ('say("1,1 2,2")', "answered '1,1 2,2', which is not a legal move"),
    "a swap": ('say("SWAP")', "answered 'SWAP', which is not a legal move"),
    "an end": ("sys.exit(3)", "ended with exit code 3"),
    "remarks without end": (
        "[print('MESSAGE hm') for _ in range(100001)]; say('1,1')",
        "sent 100000 lines without an answer",
    ),
}


@pytest.mark.parametrize(("fault", "says"), FAULTS.values(), ids=FAULTS)
def test_an_engine_of_bad_manners_gives_one_clear_line_and_is_started_anew(
    fault: str, says: str, scripts: Scripts, make: Make
) -> None:
    command = scripts(TURN=fault)
    bot = make("gomoku:size=5", command=command)
    state = tesuji.replay("gomoku:size=5", "a5")
    with pytest.raises(EngineError) as caught:
        bot.choose(state)
    message = str(caught.value)
    assert message.startswith(f"{command!r}, asked 'TURN 0,0', ")
    assert says in message
    assert "\n" not in message
    scripts(TURN='say("1,1")')  # it has come to its senses
    assert bot.choose(state) == 16


@pytest.mark.parametrize(
    ("before", "says"),
    [
        ("", "SWAP"),
        ("", "0,0"),
        ("", "0,0 0,0 1,1"),
        ("", "0,0 1,0 9,9"),
        ("a1 b1 c1", "0,4"),
        ("a1 b1 c1", "0,0 1,0 2,0"),
        ("a1 b1 c1", "0,0 0,0"),
        ("a1 b1 c1 two d1 e1", "0,0 1,0"),
    ],
)
def test_what_is_no_answer_to_swap2_is_a_fault(before: str, says: str, scripts: Scripts, make: Make) -> None:
    bot = make(SWAP2, command=scripts(DONE=f'say("{says}")'))
    with pytest.raises(EngineError, match=f"answered '{says}', which is not"):
        bot.choose(tesuji.replay(SWAP2, before))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({}, "gomocup needs a command"),
        ({"command": "no-such-program"}, "cannot start the command 'no-such-program': No such file"),
        ({"command": "true"}, "'true', asked 'START 5', ended with exit code 0"),
        ({"command": "echo hello"}, "answered 'hello', and not OK"),
        ({"command": "true", "swap": "on"}, "unknown option 'swap' for gomocup"),
    ],
)
def test_a_command_that_is_no_engine_is_bad_input(options: dict[str, str], says: str, make: Make) -> None:
    with pytest.raises(ValueError) as caught:
        make("gomoku:size=5", **options)
    assert says in str(caught.value)


def test_an_engine_that_refuses_the_size_is_bad_input(scripts: Scripts, make: Make) -> None:
    with pytest.raises(ValueError, match="asked 'START 5', answered 'ERROR too small'"):
        make("gomoku:size=5", command=scripts(START='say("ERROR too small")'))


def test_only_gomoku_is_played(make: Make) -> None:
    with pytest.raises(ValueError, match="the Gomocup protocol is for gomoku, and not for hex"):
        make("hex", command="true")
