"""`tesuji tablebase`: solving, showing, bad input, Ctrl-C; and bots that use the file."""

import json
from pathlib import Path

import pytest

from tests.cli.bad_input import check_error
from tests.cli.terminal import Terminal, run
from tests.games.onitama_positions import OX
from tesuji.cli import main
from tesuji.games.onitama import Tablebase

GAME = f"onitama:cards={OX}"


def test_the_default_file_name_describes_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["tablebase", "build", GAME, "--men", "2", "--threads", "1"]) == 0
    path = tmp_path / "onitama-boar-crab-elephant-horse-ox-2.tb"
    assert list(tmp_path.iterdir()) == [path]
    out = capsys.readouterr().out
    for text in (
        "at most 2 men, 16,750 bytes",
        "11,514",
        "5,076",
        "16,590",
        "25 plies",
        "Built in",
    ):
        assert text in out
    assert main(["tablebase", "show", path.name]) == 0
    assert capsys.readouterr().out == out[: out.index("Built")]
    assert Tablebase(path).men == 2


def test_show_agrees_with_its_json(two_men: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tablebase", "show", str(two_men), "--verify", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "file": str(two_men),
        "cards": "boar-crab-elephant-horse-ox",
        "men": 2,
        "positions": 16_590,
        "wins": 11_514,
        "losses": 5_076,
        "draws": 0,
        "longest": 25,
        "bytes": 16_750,
        "verified": True,
    }
    assert main(["tablebase", "show", str(two_men), "--verify"]) == 0
    assert "The checksum is correct." in capsys.readouterr().out


def test_a_file_is_not_replaced_unasked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.tb"
    path.write_text("mine")
    arguments = ["tablebase", "build", GAME, "--men", "2", "--output", str(path), "--json"]
    assert main(arguments) == 2
    assert f"{path} exists" in capsys.readouterr().err
    assert path.read_text() == "mine"
    assert main([*arguments, "--force"]) == 0
    assert json.loads(capsys.readouterr().out)["positions"] == len(Tablebase(path))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["build", "hex"], "no tablebases for hex, only for onitama"),
        (["build", "onitama"], "onitama:cards="),
        (["build", "onitama:cards=ox"], "cards … not 'ox'"),
        (["build", GAME, "--men", "3"], "men must be 2, 4 or 6, not 3"),
        (["build", GAME, "--men", "8"], "46,968,231,030 bytes"),
        (["build", GAME, "--threads", "0"], "invalid value for '--threads'"),
        (["build", GAME, "--output", "no/such/folder.tb"], "cannot write no/such/folder.tb"),
        (["build", GAME, "--output", "."], "cannot write .: "),
        (["build", GAME, "--output", "/dev/null", "--force"], "cannot write /dev/null"),
        (["show", "missing.tb"], "cannot read missing.tb: No such file or directory"),
        (["show", "."], "cannot read .: Is a directory"),
        (["show", "README.md"], "cannot read README.md: "),
    ],
)
def test_bad_input_is_a_one_line_error(arguments: list[str], message: str) -> None:
    done = run("tablebase", *arguments)
    assert done.returncode == 2
    check_error(done.stdout, done.stderr, message)


def test_ctrl_c_ends_the_work_and_leaves_no_file(tmp_path: Path) -> None:
    with Terminal("tablebase", "build", GAME, "--men", "6", "--output", str(tmp_path / "six.tb")) as terminal:
        terminal.expect("Ctrl-C stops")
        terminal.interrupt()
        assert terminal.end() == 130
        assert "Traceback" not in terminal.seen
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("bot", ["alphabeta:depth=1", "mcts:iterations=50"])
def test_bots_of_a_spec_look_positions_up(
    bot: str, four_men: Tablebase, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = f'{bot},tablebase="{four_men.path}"'
    assert main(["analyse", GAME, "--bot", spec, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["proven"] is None
    assert main(["analyse", "hex:size=3", "--bot", spec]) == 2
    assert "tablebase: hex:size=3" in capsys.readouterr().err
    missing = f"{bot},tablebase=missing.tb"
    assert main(["analyse", GAME, "--bot", missing]) == 2
    assert "cannot read missing.tb: No such file" in capsys.readouterr().err
