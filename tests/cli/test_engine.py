"""`tesuji engine gtp` as other programs see it: a process with two pipes."""

from __future__ import annotations

import random
import select
import signal
import subprocess
from pathlib import Path

import pytest

from tests.cli.bad_input import check_error
from tests.cli.terminal import SCRIPT
from tests.engines import pipes
from tests.engines.pipes import Piped
from tesuji.cli import main

THINKS_LONG = "mcts:seconds=600"


def converse(data: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return pipes.converse(data, SCRIPT, "engine", "gtp", *arguments)


class Controller(Piped):
    """Talks to the engine command by command; an answer ends with an empty line."""

    def __init__(self, *arguments: str) -> None:
        super().__init__(SCRIPT, "engine", "gtp", *arguments)

    def answer(self) -> str:
        lines = list(iter(self.stdout.readline, "\n"))
        return "".join(lines).strip()

    def ask(self, *lines: str) -> str:
        self.send(*lines)
        return self.answer()


def test_all_commands_of_a_file_are_answered() -> None:
    done = converse(b"1 name\n\n# comment\r\nboardsize 3\n2 genmove b\nfinal_score", "--bot", "random")
    assert (done.returncode, done.stderr) == (0, b"")
    answers = done.stdout.decode().split("\n\n")
    assert answers[:2] == ["=1 Tesuji", "= "]
    assert answers[2].startswith("=2 ")
    assert answers[3:] == ["? cannot score", ""]


def test_empty_input_is_accepted() -> None:
    done = converse(b"")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_quit_ends_the_engine_and_answers_are_flushed() -> None:
    with Controller("--game", "hex:size=4,swap=on", "--bot", "mcts:iterations=200", "--seed", "1") as engine:
        assert engine.ask("7 protocol_version") == "=7 2"
        assert engine.ask("play black c2") == "="
        assert engine.ask("genmove white") == "= swap-pieces"
        assert engine.ask("no such thing") == "? unknown command"
        assert engine.ask("quit") == "="
        assert engine.end() == (0, "")


@pytest.mark.parametrize("thinking", [False, True])
def test_the_engine_exits_quietly_when_its_controller_closes_the_pipe(thinking: bool) -> None:
    with Controller("--bot", THINKS_LONG) as engine:
        assert engine.ask("name") == "= Tesuji"
        if thinking:
            engine.send("genmove b")
        engine.stdout.close()
        engine.stdin.close()
        assert engine.end() == (0, "")


def test_the_engine_exits_quietly_when_nobody_reads_its_output() -> None:
    with Controller("--bot", "random") as engine:
        assert engine.ask("name") == "= Tesuji"
        engine.stdout.close()
        engine.send("name")
        assert engine.end() == (0, "")


@pytest.mark.parametrize("thinking", [False, True])
def test_ctrl_c_ends_the_engine_without_a_traceback(thinking: bool) -> None:
    with Controller("--bot", THINKS_LONG) as engine:
        assert engine.ask("name") == "= Tesuji"
        if thinking:
            engine.send("genmove b")
        engine.process.send_signal(signal.SIGINT)
        assert engine.end() == (130, "")


def test_the_interrupt_line_ends_a_search_with_its_best_move() -> None:
    with Controller("--bot", THINKS_LONG, "--game", "hex:size=5") as engine:
        engine.send("genmove b")
        for _ in range(1000):  # the first ones may come before the search has begun
            engine.send("# interrupt")
            if select.select([engine.stdout], [], [], 0.05)[0]:
                break
        assert engine.answer()[:2] == "= "
        assert engine.ask("undo") == "="


def test_invalid_input_is_reported_and_the_engine_continues() -> None:
    garbage = random.Random(1).randbytes(200_000)
    huge = b"play b " + b"a" * 3_000_000
    done = converse(garbage + b"\n" + huge + b"\n\xff\xfe\xfd\n1 name\n")
    assert (done.returncode, done.stderr) == (0, b"")
    answers = done.stdout.decode().split("\n\n")
    assert answers[-4:] == ["? this line is longer than 65536 bytes", "? unknown command", "=1 Tesuji", ""]
    assert all(answer[0] in "=?" for answer in answers[:-1])


LOUD = """
import tesuji

print("loading")

@tesuji.register_bot("loud")
class Loud:
    def __init__(self, game):
        print("made")

    def choose(self, state):
        print("thinking")
        return state.moves()[0]
"""


def test_what_a_bot_prints_does_not_reach_the_controller(tmp_path: Path) -> None:
    (tmp_path / "loud.py").write_text(LOUD)
    done = converse(b"genmove b\n", "--bot", "loud", "--load", str(tmp_path / "loud.py"), "--game", "hex")
    assert (done.returncode, done.stdout) == (0, b"= a1\n\n")
    assert done.stderr.split() == [b"loading", b"made", b"thinking"]


BAD = {
    "unknown protocol": ("engine gpt", "no such command 'gpt'"),
    "unknown swap": ("engine gtp --swap piece", "unknown swap 'piece'; did you mean 'pieces'?"),
    "a swap that goes by the protocol": ("engine gomocup --swap sides", "no such option: --swap"),
    "unknown bot for gomocup": ("engine gomocup --bot mtcs", "unknown bot 'mtcs'; did you mean 'mcts'?"),
    "another game for gomocup": ("engine gomocup --game hex", "the Gomocup protocol is for gomoku, not"),
    "unknown game": ("engine gtp --game hexx", "unknown game 'hexx'; did you mean 'hex'?"),
    "unknown bot": ("engine gtp --bot mtcs", "unknown bot 'mtcs'; did you mean 'mcts'?"),
    "bad option": ("engine gtp --bot mcts:seconds=soon", "seconds … not 'soon'"),
    "game without a size": (
        "engine gtp --game tictactoe --load examples/tic_tac_toe.py",
        "tictactoe cannot be played over GTP: it has no option size",
    ),
    "an engine without a command": ("play hex --bot gtp", "gtp needs the option command=text"),
    "an engine that there is not": (
        "play hex --bot gtp:command=no-mohex",
        "cannot start the command 'no-mohex'",
    ),
}


@pytest.mark.parametrize(("line", "says"), BAD.values(), ids=BAD)
def test_bad_input_is_a_one_line_error(
    line: str, says: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    assert main(line.split()) == 2
    check_error(*capsys.readouterr(), says)


def test_each_protocol_has_a_help_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    shown = {}
    for protocol in ("gtp", "gomocup"):
        assert main(["engine", protocol, "--help"]) == 0
        shown[protocol] = capsys.readouterr().out
        assert shown[protocol].startswith(f"Usage: tesuji engine {protocol} [OPTIONS]\n")
    assert "--swap" in shown["gtp"]
    assert "--swap" not in shown["gomocup"]
    assert main(["engine"]) == 0
    assert "gomocup" in capsys.readouterr().out
