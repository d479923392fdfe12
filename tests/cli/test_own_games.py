"""The commands for games of one's own: `new`, `--load`, completion; narrow and plain terminals."""

from __future__ import annotations

import ast
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.terminal import ROOT, run
from tests.small_files import no_file_beyond
from tesuji.cli.shared.ascii import LETTERS, letters
from tesuji.cli.shared.output import data_table, fold, wrapped
from tesuji.options import describe

EXAMPLES = ROOT / "examples"
CONNECT_FOUR, PIG = str(EXAMPLES / "connect_four.py"), str(EXAMPLES / "pig.py")


def test_a_new_game_is_complete(tmp_path: Path) -> None:
    done = run("new", "my-game", "--folder", str(tmp_path))
    assert done.returncode == 0, done.stderr
    file = tmp_path / "my_game.py"
    suggested = [line.split() for line in done.stdout.splitlines() if line.startswith("  tesuji check")]
    assert suggested == [["tesuji", "check", "my-game", "--load", str(file)]]
    checked = run(*suggested[0][1:], "--games", "3")
    assert checked.returncode == 0, checked.stdout
    tests = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert tests.returncode == 0, tests.stdout


def test_a_new_game_that_cannot_be_written_whole_leaves_nothing(tmp_path: Path) -> None:
    assert run("new", "first", "--folder", str(tmp_path / "whole")).returncode == 0
    size = max(path.stat().st_size for path in (tmp_path / "whole").iterdir())
    with no_file_beyond(size - 1):
        done = run("new", "second", "--folder", str(tmp_path / "cut"))
    assert (
        done.returncode == 2
        and done.stderr == f"tesuji: cannot write {tmp_path}/cut/second.py: File too large\n"
    )
    assert list((tmp_path / "cut").iterdir()) == []


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("hex", "already"),
        ("openspiel", "already"),
        ("My Game", "a name starts with a-z"),
        ("taken", "exists already"),
        ("class", "class.py would hide"),
        ("random", "random.py would hide"),
        ("tesuji", "tesuji.py would hide"),
    ],
)
def test_a_name_that_is_taken_or_invalid_is_refused(name: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "taken.py").write_text("", encoding="utf-8")
    done = run("new", name, "--folder", str(tmp_path))
    assert done.returncode == 2 and says in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["taken.py"]


def test_several_files_are_loaded() -> None:
    done = run("games", "--load", CONNECT_FOUR, "--load", PIG)
    assert done.returncode == 0, done.stderr
    assert "connect_four" in done.stdout and "pig" in done.stdout


def test_the_first_game_of_the_files_is_the_default() -> None:
    done = run("check", "--load", PIG, "--load", CONNECT_FOUR, "--games", "1")
    assert done.stdout.startswith("✓ pig: ")


def test_the_environment_names_files_for_every_command(tmp_path: Path) -> None:
    both = os.pathsep.join((CONNECT_FOUR, PIG))
    assert "connect_four" in run("games", TESUJI_LOAD=both).stdout
    assert run("check", "--games", "1", TESUJI_LOAD=both).stdout.startswith("✓ hex: ")
    store = ("--store", str(tmp_path / "games.db"))
    match = ("match", "connect_four", "random", "mcts:iterations=10", "--games", "2", "--processes", "1")
    assert run(*match, *store, TESUJI_LOAD=both).returncode == 0
    wrong = run("games", TESUJI_LOAD=str(tmp_path / "none.py"))
    assert wrong.returncode == 2 and "none.py" in wrong.stderr


def test_workers_load_every_file(tmp_path: Path) -> None:
    own = tmp_path / "first_bot.py"
    own.write_text(
        "import tesuji\n\n@tesuji.register_bot('first')\nclass First:\n"
        "    def __init__(self, game):\n        pass\n\n"
        "    def choose(self, state):\n        return state.moves()[0]\n",
        encoding="utf-8",
    )
    done = run(
        *("match", "connect_four", "first", "random", "--games", "2", "--processes", "1"),
        *("--load", CONNECT_FOUR, "--load", str(own), "--store", str(tmp_path / "games.db")),
    )
    assert done.returncode == 0, done.stderr
    assert "Fault" not in done.stdout


def test_the_settings_of_training_are_listed_without_a_run() -> None:
    from tesuji.learn.zero.config import ZeroConfig

    done = run("learn", "zero", "--list-settings")
    assert done.returncode == 0, done.stderr
    for option in describe(ZeroConfig):
        assert re.search(rf"^  {option.name} ", done.stdout, re.MULTILINE), option.name


def complete(*words: str) -> list[str]:
    variables = {"COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
    return run(_TESUJI_COMPLETE="complete_bash", **variables).stdout.split()


def test_the_shell_completes_commands_and_options() -> None:
    assert complete("tesuji", "mat") == ["match"]
    assert "--iterations" in complete("tesuji", "match", "--iter")
    assert complete("tesuji", "learn", "z") == ["zero"]
    # Named, so that the shell is not looked for among the parents of this process.
    script = run("--show-completion", "bash", _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    assert "_TESUJI_COMPLETE" in script.stdout


def strings() -> list[tuple[str, str]]:
    """(file, text) for every string of the package that is not a docstring."""
    found = []
    for path in sorted((ROOT / "src" / "tesuji").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
                found.append((path.name, node.value))
    return found


def test_no_message_points_to_a_file_that_a_wheel_does_not_have() -> None:
    there = re.compile(r"\b(docs|examples|benchmarks|tests)/|README|CONTRIBUTING|Makefile")
    assert [found for found in strings() if there.search(found[1])] == []


def test_every_symbol_of_the_package_has_letters() -> None:
    for file, text in strings():
        if file != "ascii.py":
            assert letters(text).isascii()
            assert letters(text).count("?") == text.count("?") + text.count("\N{REPLACEMENT CHARACTER}"), text
    assert all(letter.isascii() for letter in LETTERS.values())


def test_a_terminal_without_symbols_gets_letters() -> None:
    command = ("analyse", "hex:size=3", "--moves", "b2 a1", "--bot", "mcts:iterations=50,seed=1")
    done = run(*command, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0, done.stderr
    assert "X = Black" in done.stdout and "[O]" in done.stdout
    assert "?" not in done.stdout


@pytest.mark.parametrize("width", [40, 60, 80])
def test_numbers_and_options_stay_whole_in_narrow_tables(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.console import Console

    monkeypatch.setenv("COLUMNS", str(width))
    rows = [["1", "mcts:iterations=200000,rave=off,solver=off", "+1385", "[+1124, +1646]", "24"]]
    table = data_table(["#", "bot", "Elo", "95 %", "games"], rows, names=["bot"])
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(table)
    printed = console.export_text()
    for whole in ("+1385", "[+1124, +1646]", "200000"):
        assert whole in printed, printed


def test_a_name_folds_between_its_options() -> None:
    assert fold("mcts:iterations=200,rave=off", 20).split("\n") == ["mcts:iterations=200,", "rave=off"]
    assert fold("mcts:iterations=200,rave=off", 14).split("\n") == ["mcts:", "iterations=", "200,rave=off"]
    assert fold("a\nbcd", 2) == "a\nbc\nd"


def test_a_report_is_cut_between_words() -> None:
    line = "Elo: 292.2 +/- 108.2 [206.8, 423.1], nElo: 306.0 +/- 153.2 [192.0, 498.4]"
    cut = wrapped([line, ""], 60)
    assert " ".join(part.strip() for part in cut).split() == line.split()
    assert all(len(part) <= 60 for part in cut) and cut[-1] == ""


def test_an_interval_stays_on_one_line() -> None:
    seats = "Seats: 0 +0 [-152, +152], 1 +0 [-152, +152], 2 +0 [-152, +152]"
    for width in range(24, 64):
        assert all(line.count(" [-152, +152]") == line.count("+0") for line in wrapped([seats], width))


@pytest.mark.parametrize("columns", [60, 80])
def test_the_values_of_options_are_listed_whole(columns: int) -> None:
    for command in ("games", "bots"):
        listed = run(command, "--all", COLUMNS=str(columns)).stdout
        assert "…" not in listed
        assert all(len(line.rstrip()) <= columns for line in listed.splitlines())
        ranges = re.findall(r"[\d.]+\.\.\d{1,8}\b", run(command, "--json").stdout)
        assert ranges and all(f" {one}" in listed for one in ranges)
    assert {"freestyle|", "standard|renju"} <= set(run("games", COLUMNS="80").stdout.split())
