"""`tesuji ablate`: the table in its three forms, bad input."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tests.cli.bad_input import check_error
from tesuji.cli import main
from tesuji.records import Store

SMALL = ["ablate", "hex:size=3", "--games", "2", "--processes", "2"]


pytestmark = pytest.mark.usefixtures("in_tmp_path")


def test_the_table_is_printed_and_written_and_the_same_command_resumes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    only = ["--only", "rave=off", "--only", "value=boolean (both playout_depth=4)"]
    command = [*SMALL, *only, "--iterations", "1000", "--seconds", "0", "--markdown", "table.md"]
    assert main(command) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("hex:size=3: Elo of mcts against itself with one change, 95 % interval\n")
    lines = Path("table.md").read_text().splitlines()
    assert lines[:2] == ["| change | 1,000 iterations | games |", "|---|---|---|"]
    elo = r"([+−]\d+ \[[+−]\d+, [+−]\d+\]|(over|under) [+−]\d+|unknown)"
    for line, change in zip(lines[2:], only[1::2], strict=True):
        assert re.fullmatch(rf"\| `{re.escape(change)}` \| {elo} \| 2 \|", line), line
    assert sorted(os.listdir()) == ["games.db", "table.md"]
    with Store("games.db") as store:
        assert store.count() == 4
    assert main(command) == 0
    assert capsys.readouterr().out == shown
    with Store("games.db") as store:
        assert store.count() == 4


def test_both_budgets_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    command = [*SMALL, "--only", "solver=off", "--iterations", "10", "--seconds", "0.001", "--json"]
    assert main(command) == 0
    facts = json.loads(capsys.readouterr().out, parse_constant=lambda word: 1 / 0)
    assert facts["bot"] == "mcts"
    [row] = facts["rows"]
    assert row["change"] == "solver=off"
    assert row["iterations"]["bots"] == ["mcts:iterations=10", "mcts:iterations=10,solver=off"]
    assert row["seconds"]["bots"] == ["mcts:seconds=0.001", "mcts:seconds=0.001,solver=off"]
    assert (row["iterations"]["games"], row["seconds"]["games"]) == (2, 2)


BAD = {
    "unknown change": ("hex --only rave=of", "'rave=of'; did you mean 'rave=off'?"),
    "no budget": ("hex --iterations 0 --seconds 0", "--iterations and --seconds are both 0"),
    "bot of another kind": ("hex --bot random", "mcts only, not random\n"),
    "odd games": ("hex --games 3", "games … not 3"),
    "no error": ("hex --error 0", "error … not 0\n"),
    "too little time": ("hex --seconds 1e-9", "seconds … not 1e-09\n"),
    "table into nowhere": ("hex --markdown no/such.md", "cannot write no/such.md"),
    "table into a directory": ("hex --markdown folder", "cannot write folder"),
    "unknown openings": ("hex --openings bok", "unknown openings 'bok'"),
    "directory as store": ("hex --store folder", "folder is a directory"),
}


@pytest.mark.parametrize(("line", "says"), BAD.values(), ids=BAD)
def test_bad_input_is_a_one_line_error_and_creates_no_files(
    line: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("folder").mkdir()
    assert main(["ablate", *line.split()]) == 2
    check_error(*capsys.readouterr(), says)
    assert os.listdir() == ["folder"]
