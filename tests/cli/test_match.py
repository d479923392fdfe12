"""`tesuji match`: the report, its JSON, bad input, Ctrl-C."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.arena.marks import NAME, all_gone, marked, needs_proc, new_mark
from tests.cli.bad_input import check_error
from tests.cli.terminal import PATIENCE, ROOT, Terminal, begin, run, strict_json
from tesuji.cli import main
from tesuji.records import Store

USERS = str(ROOT / "tests" / "arena" / "users.py")
TIC_TAC_TOE = str(ROOT / "examples" / "tic_tac_toe.py")


pytestmark = pytest.mark.usefixtures("in_tmp_path")


@pytest.mark.parametrize("command", ["match hex:size=4 random", "tournament hex:size=4 random"])
def test_an_engine_that_is_silent_at_the_start_gets_no_more_than_the_patience(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command.split(), 'gtp:command="sleep 600"', "--patience", "0.5"]) == 2
    check_error(*capsys.readouterr(), "'sleep 600', asked 'protocol_version', did not answer within 0.5 s")


TALKER = """
import sys

for line in sys.stdin:
    word, *points = line.split()
    if word in ("START", "RESTART"):
        free = [f"{x},{y}" for x in range(5) for y in range(5)]
        print("OK", flush=True)
    if word == "TURN":
        free.remove(points[0])
    if word in ("TURN", "BEGIN"):
        print("- ev -v24 nd 9997", free.pop(0), "ev +v13", sep="\\n", flush=True)
"""


def test_lines_of_an_engine_that_are_no_answers_lose_no_game_and_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "talker.py").write_text(TALKER, encoding="utf-8")
    talker = f'gomocup:command="{sys.executable} {tmp_path / "talker.py"}"'
    line = ["match", "gomoku:size=5", talker, "random", "--openings", "none", "--games", "4"]
    assert main([*line, "--processes", "1", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["endings"] == {"played": 4}
    with Store("games.db") as store:
        moves = [
            sum(note is not None and record.players[note.player] == talker for note in record.notes)
            for _, record, *_ in store.records()
        ]
    said = f"{talker}: sent a line that was no answer"
    assert facts["faults"] == {said: sum(2 * number - 1 for number in moves)}  # but those after the last move
    assert main(line) == 0
    assert f"Fault ({facts['faults'][said]}×): {said}" in capsys.readouterr().out


def test_the_report_has_the_format_of_fastchess(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["match", "hex:size=3", "mcts:iterations=50", "random", "--games", "8", "--processes", "2"]
    assert main([*command, "--sprt", "0,1000"]) == 0
    lines = capsys.readouterr().out.splitlines()
    number = r"-?\d+\.\d"
    estimate = rf"({number} \+/- {number} \[{number}, {number}\]|(over|under) {number}|unknown)"
    wanted = [
        r"Results of mcts:iterations=50 vs random",
        r"\(hex:size=3, openings random:plies=2, seed 1\):",
        rf"Elo: {estimate}, nElo: {estimate}",
        r"LOS: \d+\.\d\d%, DrawRatio: \d+\.\d\d%, PairsRatio: (inf|\d+\.\d\d)",
        r"Games: \d, Wins: \d, Losses: \d, Draws: 0, Points: \d\.\d \(\d+\.\d\d%\)",
        r"Ptnml\(0-2\): \[\d, \d, \d, \d, \d\]",
        r"LLR: -?\d+\.\d\d \(-2\.94, 2\.94\) \[0\.00, 1000\.00\] (H0|H1|undecided).*",
        r"First mover: \d+\.\d\d%, Moves per game: \d\.\d, Time per move: \d+\.\d ms vs \d+\.\d ms",
        r"Games are in games\.db, match [0-9a-f]{16}\.",
    ]
    assert len(lines) == len(wanted)
    for line, pattern in zip(lines, wanted, strict=True):
        assert re.fullmatch(pattern, line), line


def test_the_same_command_plays_nothing_again_and_more_games_play_the_rest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = ["match", "hex:size=3", "mcts", "random", "--iterations", "20", "--processes", "1"]
    assert main([*command, "--games", "4"]) == 0
    first = capsys.readouterr().out
    with Store("games.db") as store:
        numbers = [stored.number for stored in store.records()]
    assert main([*command, "--games", "4"]) == 0
    assert capsys.readouterr().out == first.replace("games.db,", "games.db (4 from earlier runs),")
    assert main([*command, "--games", "6", "--json"]) == 0
    facts = strict_json(capsys.readouterr().out)
    assert (facts["games"], facts["finished"]) == (6, True)
    assert facts["bots"] == ["mcts:iterations=20", "random"]
    with Store("games.db") as store:
        assert [stored.number for stored in store.records()][: len(numbers)] == numbers
        assert store.count() == 6
        [(key, plan, games)] = store.matches()
    assert (key, games) == (facts["match"], 6)
    assert plan.items() <= facts.items()


def test_a_game_with_draws_from_a_users_file_and_its_numbers_agree_with_the_store(
    capsys: pytest.CaptureFixture[str],
) -> None:
    options = ["--load", TIC_TAC_TOE, "--games", "20", "--processes", "2", "--store", "other.db", "--json"]
    assert main(["match", "tictactoe", "mcts:iterations=60", "mcts:iterations=60", *options]) == 0
    facts = strict_json(capsys.readouterr().out)
    with Store("other.db") as store:
        records = [stored.record for stored in store.records()]
    scores = [(record.scores or ())[record.leg] for record in records]
    assert [facts[key] for key in ("wins", "draws", "losses")] == [scores.count(x) for x in (1.0, 0.5, 0.0)]
    assert facts["draws"] > 0
    assert sum(facts["pairs"]) == 10


def test_faulty_bots_with_quotes_in_their_specs_lose_and_are_named(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    bot = f'faulty:how=hang,once="{tmp_path}/a, b=1"'
    options = ["--load", USERS, "--games", "4", "--processes", "1", "--patience", "1"]
    assert main(["match", "hex:size=3", bot, "talker", *options]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[0] == f"Results of {bot} vs talker"
    assert "Not played out: 1 hung" in lines
    assert f"Fault (1×): {bot}: no answer within 1 s" in lines
    assert main(["match", "hex:size=3", bot, "talker", *options, "--json"]) == 0
    assert strict_json(capfd.readouterr().out)["endings"] == {"hung": 1, "played": 3}


def test_what_bots_print_does_not_spoil_the_json() -> None:
    store = str(Path("games.db").absolute())
    done = run(
        *("match", "hex:size=3", "talker", "faulty:how=resign", "--load", USERS),
        *("--games", "2", "--json", "--store", store),
    )
    facts = strict_json(done.stdout)
    assert (done.returncode, facts["wins"], facts["elo"]["high"]) == (0, 2, None)
    assert facts["endings"] == {"resigned": 2}


@pytest.mark.parametrize("bot", ["first", "mcts:iterations=10"])
def test_an_exception_in_the_rules_keeps_its_traceback_and_no_bot_loses(
    bot: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["match", "broken", bot, bot, "--load", USERS, "--processes", "1"]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "users.py" in shown.err
    assert "KeyError: 'the rules are wrong'" in shown.err
    with Store("games.db") as store:
        assert store.count() == 0


BAD = {
    "unknown game": ("hexx random random", "unknown game 'hexx'; did you mean 'hex'?"),
    "bad size": ("hex:size=1 random random", "size must be from 2 to 19, not 1"),
    "unknown bot": ("hex mcts mtcs", "unknown bot 'mtcs'; did you mean 'mcts'?"),
    "unknown option": ("hex random mcts:rav=off", "unknown option 'rav' for mcts; did you mean 'rave'?"),
    "bad spec": ("hex random mcts:", "expected key=value"),
    "missing bot": ("hex random", "missing argument 'BOT'"),
    "third bot": ("hex random random random", "unexpected extra argument"),
    "unknown openings": ("hex random random --openings bok", "unknown openings 'bok'; did you mean 'book'?"),
    "no book": ("hex:size=5 random random --openings book", "hex:size=5 has no book"),
    "no file of openings": (
        "hex random random --openings file:path=no/such",
        "no/such: No such file or directory",
    ),
    "one number for sprt": ("hex random random --sprt 5", "--sprt … not '5'"),
    "words for sprt": ("hex random random --sprt a,b", "--sprt … not 'a,b'"),
    "sprt without a number": ("hex random random --sprt nan,1", "elo0 … not nan and 1.0"),
    "sprt backwards": ("hex random random --sprt 20,0", "elo0 … not 20.0 and 0.0"),
    "alpha": ("hex random random --sprt 0,20 --alpha 0.7", "alpha … not 0.7"),
    "odd games": ("hex random random --games 7", "games … not 7"),
    "no games": ("hex random random --games 0", "games … not 0"),
    "no error": ("hex random random --error 0", "error … not 0\n"),
    "no processes": ("hex random random --processes 0", "invalid value for '--processes'"),
    "no moves": ("hex random random --move-limit 0", "invalid value for '--move-limit'"),
    "negative seed": ("hex random random --seed -1", "invalid value for '--seed'"),
    "directory as store": ("hex random random --store folder", "folder is a directory"),
    "text as store": ("hex random random --store notes.txt", "notes.txt is not a Tesuji store"),
    "store nowhere": ("hex random random --store no/such.db", "cannot create no/such.db"),
    "store that cannot be": ("hex random random --store /proc/games.db", "cannot create /proc/games.db"),
    "three players": (
        f"trick random random --load {USERS}",
        "trick has 3",
    ),
    "missing file": ("hex random random --load nowhere.py", "cannot load nowhere.py"),
}


@pytest.mark.parametrize(("line", "says"), BAD.values(), ids=BAD)
def test_bad_input_is_a_one_line_error_and_creates_no_files(
    line: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("folder").mkdir()
    Path("notes.txt").write_text("This is a text, and it is long enough to have a header. " * 5)
    before = {path: path.stat().st_mtime_ns for path in Path().rglob("*")}
    assert main(["match", *line.split()]) == 2
    check_error(*capsys.readouterr(), says)
    assert {path: path.stat().st_mtime_ns for path in Path().rglob("*")} == before


def long_match(mark: str, *more: str) -> subprocess.Popen[str]:
    """A match that nobody wants to see the end of, in a session of its own as a terminal's."""
    arguments = ["match", "hex:size=5", "mcts", "mcts:rave=off", "--iterations", "200", "--games", "20000"]
    return begin(*arguments, "--processes", "2", *more, **{NAME: mark})


def wait_until(condition: Any) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.002)


def games_so_far() -> int:
    if not Path("games.db").exists():
        return 0
    with Store("games.db", create=False, check=False) as store:
        return store.count()


@needs_proc
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_or_sigterm_ends_a_match_with_its_report_and_the_same_command_resumes(
    ending: signal.Signals,
) -> None:
    mark = new_mark()
    process = long_match(mark)
    wait_until(lambda: games_so_far() > 5)
    os.killpg(process.pid, ending)
    output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (130, "")
    assert not Path("games.db-wal").exists()
    assert all_gone(mark)
    assert output.startswith("Results of mcts:iterations=200 vs mcts:iterations=200,rave=off\n")
    assert output.splitlines()[-1].startswith("Stopped early")
    before = games_so_far()
    again = long_match(mark, "--json")
    wait_until(lambda: games_so_far() > before)
    os.killpg(again.pid, ending)
    output, errors = again.communicate(timeout=PATIENCE)
    assert (again.returncode, errors) == (130, "")
    facts = strict_json(output)
    assert facts["finished"] is False
    assert facts["games"] <= games_so_far()
    assert all_gone(mark)


@needs_proc
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("delay", [0.0, 0.1])
def test_an_end_while_the_workers_start_leaves_no_traceback(delay: float, ending: signal.Signals) -> None:
    mark = new_mark()
    process = long_match(mark)
    wait_until(lambda: len(marked(mark)) > 2)
    time.sleep(delay)
    os.killpg(process.pid, ending)
    output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (130, "")
    assert "Stopped early" in output
    assert all_gone(mark)


def test_a_terminal_shows_live_standings_until_ctrl_c() -> None:
    store = str(Path("games.db").absolute())
    options = ["--games", "20000", "--processes", "2", "--store", store]
    with Terminal("match", "hex:size=4", "mcts:iterations=100", "random", *options) as terminal:
        terminal.expect("0 of 20000 games")
        terminal.expect("Ptnml(0-2): ")
        terminal.expect(" left")
        terminal.interrupt()
        terminal.expect("Games are in ")
        assert terminal.end() == 130
    assert "Traceback" not in terminal.seen
    assert "Stopped early" in terminal.seen


def test_a_bot_that_exceeds_its_clock_loses_on_time_in_report_and_record(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = [
        "match",
        "hex:size=3",
        "sleeper",
        "sleeper",
        "--load",
        USERS,
        "--games",
        "2",
        "--openings",
        "none",
    ]
    assert main([*command, "--clock", "0.05"]) == 0
    said = capsys.readouterr().out
    assert "seed 1, clock 0.05+0):" in said
    assert "Not played out: 2 hung" in said
    assert "Fault (2×): sleeper: lost on time" in said
    assert main(["records", "matches"]) == 0
    assert re.search(
        r"^match +game +bots +openings +clock +seed +games *\n.* 0\.05\+0 ", capsys.readouterr().out
    )
    assert main(["records", "show", "1"]) == 0
    assert "White wins after 0 moves: Black lost on time." in capsys.readouterr().out
    assert main(["records", "export", "1", "--format", "sgf"]) == 0
    assert "RE[W+T]" in capsys.readouterr().out


@pytest.mark.parametrize("clock", ["ten", "0", "1+nan", "", "5+"])
def test_an_invalid_clock_is_refused_before_the_store_is_created(
    clock: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in ("match", "tournament"):
        assert main([command, "hex:size=3", "random", "mcts", "--clock", clock]) == 2
        check_error(*capsys.readouterr(), f"a clock … not {'0+0' if clock == '0' else repr(clock)}\n")
    assert not Path("games.db").exists()


def test_a_long_match_logs_its_standings(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tesuji.arena.progress.LOG_SECONDS", 0.0)
    assert main(["match", "hex:size=3", "random", "random", "--games", "4"]) == 0
    shown = capsys.readouterr()
    assert "4 of 4 games" in shown.err
    assert "of 4 games" not in shown.out
    assert main(["match", "hex:size=3", "random", "random", "--games", "6", "--json"]) == 0
    assert capsys.readouterr().err == ""
