"""Bad input: one clear line, exit code 2, no traceback. A user's own exception keeps its traceback."""

import subprocess
import sys
from pathlib import Path

import pytest

import tesuji
from tests.cli.bad_input import check_error
from tests.cli.conftest import NIM
from tests.cli.terminal import PATIENCE, SCRIPT, environment, run
from tesuji.cli import main

BAD = {
    "unknown command": ("plya hex", "no such command 'plya'"),
    "unknown game": ("play hexx", "unknown game 'hexx'; did you mean 'hex'?"),
    "no spec": ("play ?", "position 1 of '?'"),
    "size 1": ("play hex:size=1", "size must be from 2 to 19, not 1\n"),
    "size 99": ("analyse hex:size=99", "size must be from 2 to 19, not 99"),
    "no number": ("play hex:size=big", "size must be a whole number from 2 to 19, not 'big'"),
    "unknown option of a game": ("check hex:sise=9", "unknown option 'sise' for hex; did you mean 'size'?"),
    "option of a game twice": ("play hex:size=5,size=6", "option 'size' is given twice"),
    "unknown bot": ("play hex --bot mtcs", "unknown bot 'mtcs'; did you mean 'mcts'?"),
    "unknown option of a bot": ("play hex --bot mcts:iteration=5", "did you mean 'iterations'?"),
    "negative iterations": (
        "analyse hex --bot mcts:iterations=-5",
        "iterations must be from 1 to 4000000000 … not -5\n",
    ),
    "endless seconds": ("analyse hex --bot mcts:seconds=inf", "seconds … not inf\n"),
    "contradictory budgets": ("analyse hex --bot mcts:iterations=1,iterations=2", "is given twice"),
    "bot twice": ("play hex --bot mcts --bot random", "option --bot is given twice"),
    "seat too high": ("play hex --seat 2", "--seat must be 0, 1 or none, not '2'"),
    "seat that is none": ("play hex --seat first", "--seat must be 0, 1 or none, not 'first'"),
    "negative seed": ("play hex --seed -1", "invalid value for '--seed'"),
    "unknown switch": ("play hex --bto mcts", "no such option: --bto"),
    "too much": ("play hex hex", "unexpected extra argument … (hex)"),
    "switch without value": ("analyse hex --moves", "requires an argument (see tesuji analyse --help)"),
    "alphabeta and hidden cards": ("match gofish alphabeta random", "alphabeta … hidden cards … gofish"),
    "alphabeta and dice": (
        "analyse pig --load examples/pig.py --bot alphabeta",
        "alphabeta … chance … pig",
    ),
    "unreadable move": ("analyse hex --moves f6,z9", "move 2: 'z9'"),
    "taken cell": ("analyse hex --moves f6,f6", "move 2: 'f6'"),
    "finished game": ("analyse hex:size=2 --moves a1,b1,a2", "the game is over"),
    "bot without analysis": ("analyse hex --bot random", "the bot random gives no analysis"),
    "no candidates": ("analyse hex --top 0", "invalid value for '--top'"),
    "picture into nowhere": (
        "analyse hex --svg no/such/place.svg",
        "cannot write no/such/place.svg",
    ),
    "picture into a directory": ("analyse hex --svg .", "cannot write .: "),
    "no games": ("check hex --games 0", "invalid value for '--games'"),
    "no time": ("bench hex --seconds 0", "seconds … 0.001 … not 0.0\n"),
    "time that is no number": ("bench hex --seconds nan", "seconds … not nan\n"),
    "missing file": ("games --load nowhere.py", "cannot load nowhere.py"),
    "directory as a file": ("play --load .", "cannot load .: "),
    "file of another kind": ("play --load pyproject.toml", "cannot load pyproject.toml … .py"),
}


@pytest.mark.parametrize(("line", "says"), BAD.values(), ids=BAD)
def test_bad_input_is_a_one_line_error(
    line: str, says: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    assert main(line.split()) == 2
    check_error(*capsys.readouterr(), says)


def test_the_console_script_prints_the_same_with_the_same_exit_code() -> None:
    done = run("play", "hex:size=99")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "tesuji: size must be from 2 to 19, not 99\n"


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("\nraise RuntimeError('no\\n luck')", "user.py, line 2: RuntimeError: no luck"),
        ("import no_such_module", "user.py, line 1: ModuleNotFoundError: No module named 'no_such_module'"),
        ("def f(:", "user.py: SyntaxError: invalid syntax (user.py, line 1)"),
        ("raise SystemExit", "line 1: SystemExit"),
    ],
)
def test_a_file_that_raises_is_named_with_its_line(
    source: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "user.py"
    path.write_text(source)
    assert main(["games", "--load", str(path)]) == 2
    shown = capsys.readouterr().err
    assert says in shown
    assert shown.count("\n") == 1


def test_errors_of_a_users_game_are_bad_input(nim: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "nim:matches=0", "--load", nim]) == 2
    assert capsys.readouterr().err == "tesuji: a heap has at least one match\n"


@pytest.mark.parametrize("command", [["play"], ["analyse"], ["analyse", "--moves", "1"]])
def test_an_exception_in_a_users_game_shows_its_traceback(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "broken.py"
    path.write_text(
        NIM.replace("return Heap(self.left - move", "raise ValueError('my own mistake')\n        return (1")
    )
    assert main([*command, "--load", str(path)]) == 1
    shown = capsys.readouterr().err
    assert shown.startswith("Traceback")
    assert "ValueError: my own mistake" in shown
    assert "broken.py" in shown
    assert "typer" not in shown


def test_a_picture_needs_a_game_that_draws(nim: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "nim", "--load", nim, "--svg", "picture.svg"]) == 2
    assert "svg(); Heap" in capsys.readouterr().err


def in_shell(line: str) -> subprocess.CompletedProcess[str]:
    """The command as a shell starts it, which can close and replace its standard streams."""
    return subprocess.run(
        ["sh", "-c", line.replace("tesuji", f"'{SCRIPT}'", 1)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("command", ["--version", "games", "games --json", "perft hex:size=3 1"])
def test_a_full_output_device_is_a_one_line_error(command: str) -> None:
    done = in_shell(f"tesuji {command} > /dev/full")
    assert (done.returncode, done.stderr) == (2, "tesuji: cannot write: No space left on device\n")


def test_the_module_runs_as_the_script_does() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tesuji", "--version"], capture_output=True, text=True, timeout=PATIENCE
    )
    assert (done.returncode, done.stdout) == (0, f"tesuji {tesuji.__version__}\n")


def test_a_standard_input_that_is_closed_is_an_empty_one() -> None:
    done = in_shell("tesuji play hex:size=2 --bot random --seed 1 <&-")
    assert (done.returncode, done.stderr) == (0, "")
    assert "wins after" in done.stdout


PAIRS = """
import tesuji


class State:
    player = 0

    def moves(self):
        return [(0, 1), (0, 2)]

    def play(self, move):
        return State()

    def scores(self):
        return None


@tesuji.register_game("pairs")
class Pairs:
    def start(self):
        return State()
"""


def test_moves_with_spaces_in_their_text_are_refused_with_a_hint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pairs.py").write_text(PAIRS)
    assert main(["analyse", "--load", str(tmp_path / "pairs.py"), "--moves", "(0, 2)"]) == 2
    assert "text(move)" in capsys.readouterr().err
    with pytest.raises(ValueError, match=r"text\(move\)"):
        tesuji.replay("pairs", "(0, 2)")
