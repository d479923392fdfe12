"""Driving a GTP engine: whole games against our own, the lines that an engine is sent, and its end.

Faults of engines are in test_engine_protocols.
"""

from __future__ import annotations

import dataclasses
import gc
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

import tesuji
from tests import children
from tests.cli.terminal import PATIENCE, SCRIPT
from tests.engines.scripted import Scripts, is_running, pid_of
from tests.registered import registered
from tesuji.adapter import full_state
from tesuji.bots import RESIGN, Bot
from tesuji.engines.gtp import EngineError, GtpBot
from tesuji.registry import games

Make = Callable[..., GtpBot]


@pytest.fixture
def protocol() -> str:
    return "gtp"


def ours(game: str, bot: str, swap: str = "pieces") -> str:
    """The command for our own engine."""
    return shlex.join([SCRIPT, "engine", "gtp", "--game", game, "--bot", bot, "--swap", swap])


# Whole games.

STRONG_AND_WEAK = {"c2": True, "a1": False}  # on 4×4; who is given c2 swaps it


@pytest.mark.parametrize("form", ["pieces", "sides", "mohex"])
def test_an_engine_in_a_process_plays_whole_games_as_either_player(form: str, make: Make) -> None:
    spec = "hex:size=4,swap=on"
    game = tesuji.game(spec)
    engine = make(spec, command=ours(spec, "mcts:iterations=300,seed=1", form), swap=form)
    inside = tesuji.bot("mcts:iterations=300,seed=2", game)
    process_id = pid_of(engine)
    for opening, swaps in STRONG_AND_WEAK.items():
        for engine_seat in (0, 1):
            engine.reset()
            state = tesuji.replay(spec, opening)
            seats: list[Bot] = [inside, inside]
            seats[engine_seat] = engine
            while state.scores() is None:
                state = state.play(seats[state.player].choose(state))
            history = state.history
            assert (history[1] == 16) is swaps
            check_in_step(engine, state)
    assert pid_of(engine) == process_id


def check_in_step(engine: GtpBot, state: tesuji.State) -> None:
    """The engine, told the last move, knows who won."""
    assert engine._program is not None
    engine._tell_moves(engine._program, full_state(state), list(state.history))  # type: ignore[attr-defined]
    winner = state.scores().index(1.0)  # type: ignore[union-attr]
    said = engine._ask(engine._program, "final_score")
    assert said == f"{engine._position.colour_of(winner)[0].upper()}+"


def test_a_game_without_swap_and_another_size(make: Make) -> None:
    engine = make("hex:size=5", command=ours("hex:size=11", "mcts:iterations=100,seed=1"))
    inside = tesuji.bot("mcts:iterations=100,seed=2", "hex:size=5")
    state = tesuji.game("hex:size=5").start()
    while state.scores() is None:
        state = state.play((engine, inside)[state.player].choose(state))
    check_in_step(engine, state)


def test_only_new_moves_are_sent_to_the_engine(scripts: Scripts, make: Make) -> None:
    bot = make("hex:size=3", command=scripts(genmove='say("= b2" if line == "genmove black\\n" else "= a3")'))
    assert bot.choose(tesuji.replay("hex:size=3", "")) == 4
    assert bot.choose(tesuji.replay("hex:size=3", "b2 a1 a2")) == 6
    with pytest.raises(EngineError):  # a3 is taken there
        bot.choose(tesuji.replay("hex:size=3", "b2 a1 a2 a3 c1 b1 c2"))
    assert scripts.received()[:-1] == [
        "protocol_version",
        "boardsize 3",
        "clear_board",
        "genmove black",
        "play white a1",
        "play black a2",
        "genmove white",
        "play black c1",
        "play white b1",
        "play black c2",
        "genmove white",
    ]


@pytest.mark.parametrize("elsewhere", ["b2 a2", "", "c3", "b2 a1 a2 c1"])
def test_after_a_different_line_the_whole_game_is_sent(elsewhere: str, scripts: Scripts, make: Make) -> None:
    bot = make("hex:size=3", command=scripts(genmove='say("= b3")'))
    bot.choose(tesuji.replay("hex:size=3", "b2 a1"))  # and b3
    before = len(scripts.received())
    bot.choose(tesuji.replay("hex:size=3", elsewhere))
    colours = ["black", "white"] * 2
    plays = [f"play {colour} {move}" for colour, move in zip(colours, elsewhere.split(), strict=False)]
    assert scripts.received()[before:] == ["clear_board", *plays, f"genmove {colours[len(plays) % 2]}"]


def test_reset_clears_the_board_and_setup_and_time_come_first(scripts: Scripts, make: Make) -> None:
    command = scripts(genmove='say("= b2")')
    bot = make("hex:size=3", command=command, seconds=1.2, setup="param_game allow_swap 1; name ;\n# it is\n")
    bot.choose(tesuji.game("hex:size=3").start())
    bot.reset()
    assert scripts.received() == [
        "protocol_version",
        "param_game allow_swap 1",
        "name",
        "boardsize 3",
        "time_settings 0 2 1",
        "clear_board",
        "genmove black",
        "clear_board",
    ]


@pytest.mark.parametrize("knows", ["true", "false"])
def test_a_clock_is_sent_in_whole_seconds_if_supported(knows: str, scripts: Scripts, make: Make) -> None:
    bot = make("hex:size=3", command=scripts(genmove='say("= b2")', known_command=f'say("= {knows}")'))
    for left in (60.0, 59.9, 0.4):
        bot.reset()
        bot.time_left(left, 0.1)
        bot.choose(tesuji.game("hex:size=3").start())
    bot.reset()
    bot.choose(tesuji.game("hex:size=3").start())  # without a clock again
    told = [line for line in scripts.received() if line.startswith(("time_", "known"))]
    lefts = ["time_settings 60 0 0", *(f"time_left black {left} 0" for left in (60, 59, 0))]
    assert told == ["known_command time_left", *(lefts if knows == "true" else [])]


UNKNOWN = 'say("? unknown command: " + name)'


@pytest.mark.parametrize("known_command", ['say("= false")', UNKNOWN])
def test_an_engine_without_time_settings_gets_none_with_one_warning(
    known_command: str, scripts: Scripts, make: Make
) -> None:
    command = scripts(genmove='say("= b2")', time_settings=UNKNOWN, known_command=known_command)
    with pytest.warns(RuntimeWarning, match="time_settings") as warned:
        bot = make("hex:size=3", command=command, seconds=1)
        for seconds in (1.0, 2.0, 3.0):
            bot.options = dataclasses.replace(bot.options, seconds=seconds)
            bot.reset()
            assert bot.choose(tesuji.game("hex:size=3").start()) == 4
        bot.close()
        bot.choose(tesuji.game("hex:size=3").start())  # started anew
    assert len(warned) == 1
    assert scripts.received().count("time_settings 0 1 1") == 1


def test_an_engine_without_time_settings_gets_time_left_only(scripts: Scripts, make: Make) -> None:
    known = 'say("= true" if line.split()[1] == "time_left" else "= false")'
    bot = make(
        "hex:size=3", command=scripts(genmove='say("= b2")', time_settings=UNKNOWN, known_command=known)
    )
    bot.time_left(60.0, 0.0)
    with pytest.warns(RuntimeWarning, match="time_settings"):
        bot.choose(tesuji.game("hex:size=3").start())
    assert "time_left black 60 0" in scripts.received()


def test_an_engine_that_knows_time_settings_and_refuses_them_is_an_error(
    scripts: Scripts, make: Make
) -> None:
    command = scripts(time_settings='say("? syntax error")', known_command='say("= true")')
    with pytest.raises(ValueError, match="syntax error"):
        make("hex:size=3", command=command, seconds=1)


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ("pieces", ["black c1", "white swap-pieces", "black b1", "white c3"]),
        ("sides", ["black c1", "white swap-sides", "white a2", "black c3"]),
        ("mohex", ["black c1", "white swap-pieces", "white a2", "black c3"]),
    ],
)
def test_the_swap_is_sent_in_the_engines_dialect(
    form: str, told: list[str], scripts: Scripts, make: Make
) -> None:
    bot = make("hex:size=3,swap=on", command=scripts(genmove='say("= b2")'), swap=form)
    assert bot.choose(tesuji.replay("hex:size=3,swap=on", "c1 swap-pieces b1 c3")) == 4
    assert scripts.received()[3:-1] == [f"play {move}" for move in told]
    assert scripts.received()[-1] == f"genmove {'black' if form == 'pieces' else 'white'}"


def test_an_engine_may_resign(scripts: Scripts, make: Make) -> None:
    bot = make("hex:size=3", command=scripts(genmove='say("= Resign")'))
    assert bot.choose(tesuji.game("hex:size=3").start()) is RESIGN


def test_extra_empty_lines_and_other_line_ends_are_accepted(scripts: Scripts, make: Make) -> None:
    bot = make("hex:size=3", command=scripts(genmove='say("\\n\\n=\\tB2\\r\\n\\r\\n\\n")'))
    state = tesuji.game("hex:size=3").start()
    assert bot.choose(state) == 4
    bot.reset()
    assert bot.choose(state) == 4


def test_an_engine_that_floods_standard_error_does_not_get_stuck(scripts: Scripts, make: Make) -> None:
    flood = "[sys.stderr.write('thinking\\n' * 1000) for _ in range(1000)]; say('= b2')"
    bot = make("hex:size=3", command=scripts(genmove=flood))
    assert bot.choose(tesuji.game("hex:size=3").start()) == 4


def test_a_command_of_the_setup_that_is_unknown_is_a_value_error(scripts: Scripts, make: Make) -> None:
    with pytest.raises(ValueError, match=r"asked 'frobnicate', answered '\? unknown command'"):
        make("hex:size=3", command=scripts(frobnicate='say("? unknown command")'), setup="frobnicate")


class Coin:
    """A position of a game that is hardly one."""

    player = 0

    def moves(self) -> list[int]:
        return [0]

    def play(self, move: int) -> Coin:
        return self

    def scores(self) -> tuple[float, float] | None:
        return None


class Sized:
    """Has a size, but its positions keep no history."""

    def __init__(self, size: int = 3) -> None:
        self.size = size

    def start(self) -> Coin:
        return Coin()


class Unsized:
    """Has no size."""

    def start(self) -> Coin:
        return Coin()


def test_games_without_size_or_history_are_bad_input() -> None:
    with registered(games, sized=Sized, unsized=Unsized):
        with pytest.raises(ValueError, match="unsized cannot be played over GTP: it has no option size"):
            GtpBot("unsized", command="true")
        with pytest.raises(ValueError, match="history.* sized"):
            GtpBot("sized", command="true")


# The end of an engine.


def test_close_asks_first_and_may_be_called_twice(scripts: Scripts, make: Make) -> None:
    bot = make("hex:size=3", command=scripts())
    pid = pid_of(bot)
    bot.close()
    bot.close()
    assert scripts.received()[-1] == "quit"
    assert not is_running(pid)
    bot.reset()


@pytest.mark.parametrize(
    "stubborn",
    [
        "time.sleep(60)",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)",
        "[sys.stdout.write('x' * 4096) for _ in range(1000)]; time.sleep(60)",
    ],
)
def test_an_engine_that_ignores_quit_is_killed(stubborn: str, scripts: Scripts, make: Make) -> None:
    bot = make("hex:size=3", command=scripts(quit=stubborn))
    pid = pid_of(bot)
    bot.close()
    assert not is_running(pid)


def test_an_engine_ends_with_the_last_reference_to_its_bot(scripts: Scripts) -> None:
    bot = GtpBot("hex:size=3", command=scripts())
    pid = pid_of(bot)
    del bot
    gc.collect()
    assert not is_running(pid)


def test_an_engine_ends_with_the_python_that_started_it(scripts: Scripts) -> None:
    program = f"""
from tesuji.engines.gtp import GtpBot
bot = GtpBot("hex:size=3", command={scripts(quit="time.sleep(60)")!r})
print(bot._program._process.pid)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    assert done.stderr == ""
    assert not is_running(int(done.stdout))


def test_a_forked_process_does_not_end_the_engine(scripts: Scripts, make: Make) -> None:
    bot = make("hex:size=3", command=scripts(genmove='say("= b2")'))
    child = os.fork()
    if child == 0:
        bot.close()
        os._exit(0)
    os.waitpid(child, 0)
    assert bot.choose(tesuji.game("hex:size=3").start()) == 4


def test_ctrl_c_while_an_engine_thinks_ends_both() -> None:
    program = f"""
import tesuji
bot = tesuji.bot('gtp:command="{ours("hex:size=11", "mcts:seconds=60")}"', "hex:size=11")
print(bot._program._process.pid, flush=True)
bot.choose(tesuji.game("hex:size=11").start())
"""
    running = children.start(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert running.stdout is not None
    pid = int(running.stdout.readline())
    time.sleep(0.3)  # so that it is likely to be thinking; the test holds if it is not
    running.send_signal(2)
    _, error = running.communicate(timeout=PATIENCE)
    assert "KeyboardInterrupt" in error
    assert not is_running(pid)


@pytest.mark.skipif(os.name == "nt", reason="pipes cannot be waited for there")
def test_a_silent_engine_times_out() -> None:
    command = shlex.join([sys.executable, "-c", "import sys; sys.stdin.read()"])
    with pytest.raises(ValueError, match="asked 'protocol_version', did not answer within 0.5 s"):
        GtpBot("hex:size=4", command=command, start=0.5)


@pytest.mark.parametrize("spec", ["hex:size=4", "hex:size=4,swap=on"])
def test_an_engine_plays_on_from_a_position_that_was_set_up(spec: str, make: Make) -> None:
    game = tesuji.game(spec)
    engine = make(spec, command=ours(spec, "mcts:iterations=100,seed=1"))
    inside = tesuji.bot("mcts:iterations=100,seed=2", game)
    for diagram in (".B..\n.B..\n....\n...W", "....\nWW..\n...W\n...."):
        state = tesuji.position(spec, diagram, 0)
        while state.scores() is None:
            state = state.play((engine, inside)[state.player].choose(state))
        check_in_step(engine, state)
    engine.choose(game.start())


def test_an_engine_without_set_position_is_sent_the_stones_one_by_one(make: Make, scripts: Scripts) -> None:
    engine = make("hex:size=3", command=scripts(genmove='say("= a1")', known_command='say("= false")'))
    state = tesuji.position("hex:size=3", "..B\n.WW\n...", 0)
    assert state.text(engine.choose(state)) == "a1"
    assert scripts.received()[-4:] == ["play black c1", "play white b2", "play white c2", "genmove black"]
