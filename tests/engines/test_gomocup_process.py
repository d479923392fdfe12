"""`pbrain-tesuji` as a manager sees it: a process with two pipes."""

from __future__ import annotations

import random
import re
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.children import SANITIZED
from tests.engines import pipes
from tests.engines.pipes import Piped

PBRAIN = str(Path(sysconfig.get_path("scripts")) / "pbrain-tesuji")
MOVE = re.compile(r"[0-9]+,[0-9]+\n")
THINKS_LONG = ("--bot", "mcts:seconds=600")


class Manager(Piped):
    """Talks to the engine line by line, as Windows ends them."""

    def __init__(self, *arguments: str) -> None:
        super().__init__(PBRAIN, *arguments)

    def send(self, *lines: str) -> None:
        super().send(*(f"{line}\r" for line in lines))


def converse(data: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return pipes.converse(data, PBRAIN, *arguments)


def test_a_manager_plays_two_games_and_ends_the_engine() -> None:
    with Manager() as engine:
        assert engine.ask("ABOUT").startswith('name="Tesuji", version="')
        assert engine.ask("START 15") == "OK\n"
        engine.send("INFO timeout_turn 100", "INFO timeout_match 0", "INFO rule 1", "INFO game_type 1")
        taken = {engine.ask("INFO time_left 2147483647", "BEGIN").strip()}
        for x in (0, 14):
            taken.add(f"{x},0")
            said = engine.ask(f"TURN {x},0")
            assert MOVE.fullmatch(said)
            assert said.strip() not in taken
            taken.add(said.strip())
        assert engine.ask("RESTART") == "OK\n"
        assert MOVE.fullmatch(engine.ask("BOARD", "7,7,1", "8,7,2", "7,8,1", "7,9,2", "DONE"))
        assert MOVE.fullmatch(engine.ask("TURN 0,0"))
        engine.send("END")
        assert engine.end() == (0, "")
        assert engine.stdout.read() == ""


def test_all_commands_of_a_gomocup_file_are_answered_even_if_searches_are_cut_short() -> None:
    done = converse(b"ABOUT\nSTART 9\nINFO timeout_turn 600000\nBEGIN\nEND\nABOUT\n", *THINKS_LONG)
    assert (done.returncode, done.stderr) == (0, b"")
    about, ok, move = done.stdout.decode().splitlines(keepends=True)
    assert about.startswith("name=")
    assert ok == "OK\n"
    assert MOVE.fullmatch(move)


def test_the_engine_exits_at_the_end_of_its_input() -> None:
    done = converse(b"START 9\r\nNONSENSE", "--bot", "random")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"OK\nUNKNOWN command 'NONSENSE'\n", b"")


def test_end_stops_a_running_search() -> None:
    with Manager(*THINKS_LONG) as engine:
        assert engine.ask("START 15") == "OK\n"
        engine.send("BEGIN")
        engine.send("END")
        assert engine.end() == (0, "")


STUBBORN = """
import time
import tesuji

@tesuji.register_bot("stubborn")
class Stubborn:
    def __init__(self, game):
        print("made")

    def choose(self, state):
        print("thinking", flush=True)
        time.sleep(600)
"""


def test_end_exits_even_if_the_bot_cannot_be_stopped(tmp_path: Path) -> None:
    (tmp_path / "stubborn.py").write_text(STUBBORN)
    with Manager("--bot", "stubborn", "--load", str(tmp_path / "stubborn.py")) as engine:
        assert engine.ask("START 15") == "OK\n"
        engine.send("BEGIN")
        while engine.stderr.readline() != "thinking\n":
            pass
        engine.send("END")
        code, _ = engine.end()
        assert (code, engine.stdout.read()) == (0, "")


@pytest.mark.parametrize("thinking", [False, True])
def test_the_engine_exits_quietly_when_its_manager_closes_the_pipe(thinking: bool) -> None:
    with Manager(*THINKS_LONG) as engine:
        assert engine.ask("START 15") == "OK\n"
        if thinking:
            engine.send("BEGIN")
        engine.stdout.close()
        engine.stdin.close()
        assert engine.end() == (0, "")


@pytest.mark.parametrize("arguments", [(), THINKS_LONG])
def test_ctrl_c_ends_the_engine_without_a_traceback(arguments: tuple[str, ...]) -> None:
    with Manager(*arguments) as engine:
        assert engine.ask("START 15") == "OK\n"
        if arguments:
            engine.send("BEGIN")
        engine.process.send_signal(signal.SIGINT)
        assert engine.end() == (130, "")


def test_invalid_input_is_reported_and_the_engine_continues() -> None:
    garbage = random.Random(1).randbytes(200_000)
    huge = b"TURN 7," + b"7" * 3_000_000
    done = converse(garbage + b"\n" + huge + b"\n\xff\xfe\xfd\r\nSTART 15\r\n")
    assert (done.returncode, done.stderr) == (0, b"")
    answers = done.stdout.decode().splitlines()
    assert answers[-3] == "ERROR this line is longer than 65536 bytes"
    assert answers[-2].startswith("UNKNOWN command ")
    assert answers[-1] == "OK"
    assert {answer.split()[0] for answer in answers[:-1]} <= {"ERROR", "UNKNOWN"}


def test_bad_arguments_are_one_line_and_exit_code_2() -> None:
    done = converse(b"", "--bot", "mtcs")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"tesuji: unknown bot 'mtcs'; did you mean 'mcts'?")


def test_about_imports_nothing_heavy() -> None:
    program = """
import sys
from tesuji.engines.gomocup.engine import GomocupEngine
from tesuji.engines.gomocup.main import main
assert GomocupEngine().answer("ABOUT").startswith("name=")
print(*sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    slow = {
        "numpy",
        "scipy",
        "typer",
        "rich",
        "click",
        "importlib.metadata",
        "asyncio",
        "torch",
    }
    assert not slow & set(done.stdout.split())


def test_help_and_errors_name_pbrain_tesuji() -> None:
    asked = subprocess.run([PBRAIN, "--help"], capture_output=True, text=True, check=True)
    assert asked.stdout.startswith("Usage: pbrain-tesuji [OPTIONS]\n")
    wrong = subprocess.run([PBRAIN, "--bots", "mcts"], capture_output=True, text=True)
    assert wrong.returncode == 2
    assert "(see pbrain-tesuji --help)" in wrong.stderr


NETWORK_WITHIN = r"""
import re
from pathlib import Path

import tesuji
from tesuji.engines.gomocup.limits import Info
from tesuji.engines.gomocup.limits import limited
from tesuji.spec import Spec

game = tesuji.game("gomoku")
bot = tesuji.bot(limited(Spec.parse("zero:visits=60,seed=1"), Info(max_memory={allowed} << 20)), game)
state = game.start()
for _ in range(3):
    state = state.play(bot.choose(state))
print(int(re.search(r"VmHWM:\s*(\d+)", Path("/proc/self/status").read_text())[1]) >> 10)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells what a process takes")
@pytest.mark.skipif(SANITIZED, reason="the sanitizer takes memory of its own")
@pytest.mark.parametrize("allowed", [80, 120])
def test_a_bot_with_a_network_respects_the_memory_limit(allowed: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", NETWORK_WITHIN.format(allowed=allowed)],
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert int(done.stdout) <= allowed


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells what a process takes")
@pytest.mark.skipif(SANITIZED, reason="the sanitizer takes memory of its own")
@pytest.mark.parametrize("before_start", [True, False])
def test_the_process_keeps_the_memory_limit_whenever_it_is_told(before_start: bool) -> None:
    limit = "INFO max_memory 83886080"
    with Manager() as engine:
        if before_start:
            engine.send(limit)
        assert engine.ask("START 15") == "OK\n"
        engine.send(limit, "INFO timeout_turn 1500")
        assert MOVE.fullmatch(engine.ask("BOARD", "7,7,2", "0,0,1", "3,12,2", "DONE"))
        assert MOVE.fullmatch(engine.ask("TURN 12,3"))
        status = Path(f"/proc/{engine.process.pid}/status").read_text()
        most = re.search(r"VmHWM:\s*(\d+)", status)
        assert most is not None and int(most[1]) <= 80 << 10
        engine.send("END")
        assert engine.end() == (0, "")


def test_a_malformed_info_is_not_answered_and_the_next_command_is() -> None:
    bad = [
        "INFO",
        "INFO timeout_turn",
        "INFO timeout_turn x",
        "INFO rule -1",
        "INFO max_memory 1e9",
        "INFO a b",
    ]
    with Manager("--bot", "random") as engine:
        assert engine.ask("START 9") == "OK\n"
        for line in bad:
            assert engine.ask(line, "ABOUT").startswith("name=")
        assert MOVE.fullmatch(engine.ask("BEGIN"))
        engine.send("END")
        code, told = engine.end()
        assert code == 0 and told.count("\n") == len(bad) - 1  # unknown keys are ignored


def test_rectangular_boards_and_caro_are_refused_and_the_engine_goes_on() -> None:
    with Manager("--bot", "mcts:iterations=50") as engine:
        assert engine.ask("RECTSTART 15,20").startswith("ERROR ")
        assert engine.ask("RECTSTART 9,9") == "OK\n"
        engine.send("INFO rule 8")
        assert engine.ask("BEGIN").startswith("ERROR rule 8")
        assert MOVE.fullmatch(engine.ask("INFO rule 0", "BEGIN"))


STUCK = ["OXOXOOX", "XOOXXXX", "OXXOOOO", "XXX.XXX", "OXXOXOO", "XXOXOOO", "OOOXXOO"]
"""Black's only empty cell would make seven in a row."""


def test_black_answers_a_cell_where_renju_leaves_only_forbidden_ones() -> None:
    stones = [
        f"{x},{y},{1 if stone == 'X' else 2}"
        for y, row in enumerate(STUCK)
        for x, stone in enumerate(row)
        if stone != "."
    ]
    with Manager("--bot", "mcts:iterations=50") as engine:
        assert engine.ask("START 7") == "OK\n"
        assert engine.ask("INFO rule 4", "BOARD", *stones, "DONE") == "3,3\n"
        full = engine.ask("BOARD", *stones, "3,3,2", "DONE")
        assert full.startswith("ERROR the game is over")


BLACK_IS_BETTER = {
    "three stones": ["7,7", "0,0", "7,8"],
    "five stones": ["7,7", "0,0", "7,8", "14,14", "7,9"],
}
WHITE_IS_BETTER = {
    "three stones": ["0,0", "7,7", "14,14"],
    "five stones": ["0,0", "7,7", "14,14", "7,8", "0,14"],
}


@pytest.mark.parametrize("stones", BLACK_IS_BETTER)
def test_swap2_is_decided_by_the_value_of_what_follows(stones: str) -> None:
    for seed in ("1", "2"):
        with Manager("--bot", "zero:visits=100", "--seed", seed) as engine:
            assert engine.ask("START 15") == "OK\n"
            assert engine.ask("SWAP2BOARD", *BLACK_IS_BETTER[stones], "DONE") == "SWAP\n"
            assert engine.ask("SWAP2BOARD", *WHITE_IS_BETTER[stones], "DONE") != "SWAP\n"
