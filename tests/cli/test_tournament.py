"""`tesuji tournament`: its tables, its JSON, its picture, bad input."""

from __future__ import annotations

import os
import signal
import time
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest

from tests.arena.marks import NAME, all_gone, needs_proc, new_mark
from tests.cli.bad_input import check_error
from tests.cli.terminal import PATIENCE, ROOT, begin, strict_json
from tesuji.cli import main
from tesuji.records import Store

USERS = str(ROOT / "tests" / "arena" / "users.py")
HEX = ["tournament", "hex:size=3", "mcts:iterations=60", "mcts:iterations=5", "random"]


pytestmark = pytest.mark.usefixtures("in_tmp_path")


def test_a_tournament_prints_ratings_and_a_cross_table_and_resumes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([*HEX, "--rounds", "2", "--processes", "2", "--svg", "ratings.svg"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "hex:size=3, 12 of 12 games"
    assert lines[1].split() == ["#", "bot", "Elo", "95", "%", "games", "score"]
    assert [line.split()[0] for line in lines[3:6]] == ["1", "2", "3"]
    assert {line.split()[1] for line in lines[3:6]} == set(HEX[2:])
    assert any(line.startswith("First move: ") for line in lines)
    assert "Points of row against column:" in lines
    assert lines[-1] == "Games are in games.db."
    assert xml.fromstring(Path("ratings.svg").read_text()).tag == "{http://www.w3.org/2000/svg}svg"
    assert sorted(os.listdir()) == ["games.db", "ratings.svg"]
    assert main([*HEX, "--rounds", "2"]) == 0
    again = capsys.readouterr().out.splitlines()
    assert again[:-1] == lines[:-1]
    assert again[-1] == "Games are in games.db (12 from earlier runs)."


def test_a_gauntlet_in_json_agrees_with_the_store(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*HEX, "--rounds", "3", "--gauntlet", "--processes", "2", "--json"]) == 0
    facts = strict_json(capsys.readouterr().out)
    assert (facts["kind"], facts["games"], facts["planned"]) == ("gauntlet", 12, 12)
    with Store("games.db") as store:
        records = [stored.record for stored in store.records()]
    assert len(records) == 12
    for row in facts["ratings"]:
        scores = [
            score
            for record in records
            for bot, score in zip(record.players, record.scores or (), strict=True)
            if bot == row["bot"]
        ]
        assert (row["games"], row["points"]) == (len(scores), sum(scores))
        met = facts["cross_table"][row["bot"]].values()
        assert sum(cell["points"] for cell in met) == sum(scores)
        assert row["elo"]["low"] < row["elo"]["value"] < row["elo"]["high"]


def test_three_players_a_clean_sweep_and_faults_give_valid_json(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = ["tournament", "trick", "first", "faulty:how=none,after=0", "last", "--load", USERS]
    assert main([*command, "--rounds", "1", "--processes", "1", "--json"]) == 0
    facts = strict_json(capsys.readouterr().out)
    assert facts["games"] == 3
    assert facts["ratings"][-1]["points"] == 0
    assert len(facts["seats"]) == 3
    assert facts["faults"] == {"faulty:how=none,after=0: played None, which is not legal": 3}
    assert main([*command, "--rounds", "1", "--svg", "three.svg"]) == 0
    assert "Fault (3×): faulty:how=none,after=0: played None" in capsys.readouterr().out
    xml.fromstring(Path("three.svg").read_text())


BAD = {
    "one bot": ("hex random", "two bots, not 1"),
    "no bot": ("hex", "missing argument 'BOT'"),
    "twice the same": ("hex random random", "random is given twice"),
    "unknown bot": ("hex random mtcs", "unknown bot 'mtcs'; did you mean 'mcts'?"),
    "unknown openings": ("hex random mcts --openings bok", "unknown openings 'bok'"),
    "no rounds": ("hex random mcts --rounds 0", "invalid value for '--rounds'"),
    "picture into nowhere": ("hex random mcts --svg no/such.svg", "cannot write no/such.svg"),
    "picture into a directory": ("hex random mcts --svg folder", "cannot write folder"),
    "directory as store": ("hex random mcts --store folder", "folder is a directory"),
}


@pytest.mark.parametrize(("line", "says"), BAD.values(), ids=BAD)
def test_bad_input_is_a_one_line_error_and_creates_no_files(
    line: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("folder").mkdir()
    assert main(["tournament", *line.split()]) == 2
    check_error(*capsys.readouterr(), says)
    assert os.listdir() == ["folder"]


@needs_proc
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_or_sigterm_ends_a_tournament_with_partial_results(ending: signal.Signals) -> None:
    mark = new_mark()
    process = begin(*HEX, "--rounds", "5000", "--processes", "2", **{NAME: mark})
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if Path("games.db").exists():
            with Store("games.db", create=False, check=False) as store:
                if store.count() > 5:
                    break
        time.sleep(0.01)
    os.killpg(process.pid, ending)
    output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (130, "")
    assert "of 30000 games" in output
    assert output.splitlines()[-1].startswith("Stopped early")
    assert all_gone(mark)


RACE = """
import tesuji


class State:
    def __init__(self, places=(0, 0, 0), player=0):
        self.places, self.player = places, player

    def moves(self):
        return [] if max(self.places) >= 6 else [1, 2, 3]

    def play(self, move):
        places = list(self.places)
        places[self.player] += move
        return State(tuple(places), (self.player + 1) % 3)

    def scores(self):
        return tuple(float(place >= 6) for place in self.places) if max(self.places) >= 6 else None


@tesuji.register_game("race")
class Race:
    players = 3

    def start(self):
        return State()
"""


def test_a_tournament_without_draws_does_not_speak_of_draws(capsys: pytest.CaptureFixture[str]) -> None:
    Path("race.py").write_text(RACE, encoding="utf-8")
    bots = ("mcts:iterations=20", "random", "greedy")
    assert main(["tournament", "race", *bots, "--rounds", "2", "--load", "race.py"]) == 0
    said = capsys.readouterr().out
    assert "Seats: " in said and "raw" not in said


@pytest.mark.parametrize(
    "command",
    [
        ["learn", "linear", "race", "--output", "model.json"],
        ["learn", "zero", "race", "--out", "run", "--iterations", "1"],
        ["play", "race", "--bot", "alphabeta"],
    ],
)
def test_what_needs_two_players_says_so_before_any_work(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("race.py").write_text(RACE, encoding="utf-8")
    assert main([*command, "--load", "race.py"]) == 2
    said = capsys.readouterr().err
    assert "two-player game" in said and "3 players" in said
    assert not Path("run").exists() and not Path("games.db").exists()
