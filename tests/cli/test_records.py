"""`tesuji records`: real stores, at the console script, in a pseudo-terminal, and with everything wrong."""

from __future__ import annotations

import json
import shlex
import tempfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.cli.bad_input import check_error
from tests.cli.terminal import SCRIPT, Terminal, environment, run
from tests.records.examples import random_record
from tesuji.cli import main
from tesuji.records import Note, Record, Store

DAY = datetime(2026, 1, 31, 18, 30, tzinfo=UTC)
WON = Record(
    game="hex:size=2",
    players=("mcts:iterations=50", "random:seed=1"),
    moves=("a1", "b1", "a2"),
    notes=(None, Note(1, None, None, 0.25), Note(0, 0.75, 1234, 0.5)),
    opening=1,
    scores=(1.0, 0.0),
    ending="played",
    when=DAY,
)
RESIGNED = replace(
    WON,
    moves=("a1",),
    notes=(),
    scores=(0.0, 1.0),
    ending="resigned",
    opening=0,
    when=DAY + timedelta(days=1),
)
OPEN = replace(
    RESIGNED, game="hex:size=3,swap=on", scores=None, ending="unfinished", players=("person", "mcts")
)
CRASHED = replace(RESIGNED, scores=(1.0, 0.0), ending="crashed", fault="random:seed=1: \x1b[31mboom\nbang")
GAMES = [WON, RESIGNED, OPEN, CRASHED]


@pytest.fixture(autouse=True)
def _desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@cache
def filled() -> bytes:
    """A store of these games."""
    with tempfile.TemporaryDirectory() as folder:
        with Store(f"{folder}/games.db") as opened:
            for game in GAMES:
                opened.add(game)
        return Path(folder, "games.db").read_bytes()


@pytest.fixture
def store() -> None:
    Path("games.db").write_bytes(filled())


def tesuji(line: str, capsys: pytest.CaptureFixture[str], code: int = 0) -> str:
    """What a command says; on standard error where its exit code is 2."""
    assert main(["records", *shlex.split(line)]) == code
    shown = capsys.readouterr()
    if code == 2:
        assert shown.out == ""
        assert shown.err.startswith("tesuji: ")
        assert shown.err.count("\n") == 1
        return shown.err
    assert shown.err == ""
    assert "\x1b" not in shown.out
    return shown.out


def test_the_list_has_a_line_for_each_game(store: None, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [line.split() for line in tesuji("list", capsys).splitlines()]
    assert lines[0] == ["#", "date", "game", "players", "result", "moves", "ending"]
    assert lines[1][:3] == ["1", "2026-01-31", "hex:size=2"]
    assert lines[1][-3:] == ["1–0", "3", "played"]
    assert [line[0] for line in lines[1::2]] == ["1", "2", "3", "4"]
    assert [line[-1] for line in lines[1::2]] == ["played", "resigned", "unfinished", "crashed"]


def test_a_wide_terminal_shows_both_players_in_one_line(
    store: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    shown = tesuji("list", capsys)
    assert "mcts:iterations=50 – random:seed=1" in shown
    assert len(shown.splitlines()) == 5


def test_the_list_mentions_games_it_omits(store: None, capsys: pytest.CaptureFixture[str]) -> None:
    shown = tesuji("list --limit 1", capsys)
    assert "4  2026-02-01" in shown
    assert "Newest 1 of 4 games" in shown


@pytest.mark.parametrize(
    ("filters", "numbers"),
    [
        ("--game hex:size=2", [1, 2, 4]),
        ("--bot person", [3]),
        ("--bot mcts", [1, 2, 3, 4]),
        ("--since 2026-02-01", [2, 3, 4]),
        ("--until 2026-01-31", [1]),
        ("--until 2026-01-31T18:30", []),
        ("--since 2026-01-31T18:30 --until 2026-01-31T18:30:01", [1]),
        ("--result 0", [1, 4]),
        ("--result unfinished", [3]),
        ("--match none", []),
        ("--limit 2", [3, 4]),
    ],
)
def test_filters_choose_games(
    filters: str, numbers: list[int], store: None, capsys: pytest.CaptureFixture[str]
) -> None:
    listed: list[dict[str, Any]] = json.loads(tesuji(f"list --json {filters}", capsys))
    assert [game["number"] for game in listed] == numbers
    if not numbers:
        assert tesuji(f"list {filters}", capsys) == "No games in games.db match.\n"
        assert tesuji(f"stats {filters}", capsys) == "No games in games.db match.\n"
        assert "there is nothing to export" in tesuji(f"export {filters}", capsys, 2)


def test_an_empty_store_is_not_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    Store("games.db").close()
    for command in ("list", "stats"):
        assert tesuji(command, capsys) == "No games in games.db yet.\n"
    assert tesuji("list --json", capsys) == "[]\n"
    assert tesuji("check", capsys) == "✓ games.db: no problems found in 0 games.\n"
    assert "no games in games.db" in tesuji("show", capsys, 2)


def test_a_game_is_shown_with_its_moves_and_its_last_board(
    store: None, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = tesuji("show 1", capsys)
    assert shown.startswith("Game 1: hex:size=2, 2026-01-31 18:30 UTC\n")
    assert "Black (player 0)  mcts:iterations=50\nWhite (player 1)  random:seed=1\n" in shown
    lines = [line.split() for line in shown.splitlines()]
    assert ["1", "Black", "a1", "opening"] in lines
    assert ["2", "White", "b1", "0.250"] in lines
    assert ["3", "Black", "a2", "75.0%", "1,234", "0.500"] in lines
    assert "2 ╲[●]· ╲ 2" in shown
    assert shown.endswith("\nBlack wins after 3 moves.\n")


def test_the_end_of_a_game_is_described(store: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert tesuji("show 2", capsys).endswith("\nWhite wins after 1 move: Black resigned.\n")
    assert tesuji("show 3", capsys).endswith("\nUnfinished after 1 move.\n")
    assert tesuji("show", capsys).endswith(
        "\nBlack wins after 1 move: White crashed (random:seed=1: �[31mboom�bang).\n"
    )


def test_positions_are_shown_one_by_one_or_all(store: None, capsys: pytest.CaptureFixture[str]) -> None:
    start = tesuji("show 1 --at 0", capsys)
    assert "Start position, 3 moves to come" in start
    assert start.count("●") == 1  # in the legend
    assert "Move 1 of 3: Black a1 (opening)" in tesuji("show 1 --at 1", capsys)
    assert "Move 3 of 3: Black a2 (value 75.0%, 1,234 visits, 0.500 s)" in tesuji("show 1 --at 3", capsys)
    assert tesuji("show 1 --board", capsys).count("╲ 1") == 4


def test_everything_about_a_game_is_in_its_json(store: None, capsys: pytest.CaptureFixture[str]) -> None:
    shown = json.loads(tesuji("show 1 --json", capsys))
    assert shown["number"] == 1
    assert shown["moves"] == ["a1", "b1", "a2"]
    assert shown["notes"] == [None, [1, None, None, 0.25], [0, 0.75, 1234, 0.5]]
    assert shown["result"] == "0"


def test_a_person_steps_through_a_game_at_the_terminal(store: None, tmp_path: Path) -> None:
    with Terminal("records", "show", "1", "--step", "--store", str(tmp_path / "games.db")) as terminal:
        terminal.expect("Start position, 3 moves to come")
        terminal.expect("q: quit")
        terminal.press(b"\x1b[C")
        terminal.expect("Move 1 of 3")
        terminal.expect("q: quit")
        terminal.press(b"\n")
        terminal.expect("Move 2 of 3")
        terminal.expect("q: quit")
        terminal.press(b"b\x1b[Dn")  # three keys at once
        terminal.expect("Start position")
        terminal.expect("Move 1 of 3")
        terminal.expect("q: quit")
        terminal.press(b"G")
        terminal.expect("Move 3 of 3")
        terminal.expect("Black wins after 3 moves.")
        terminal.expect("q: quit")
        terminal.press(b"q")
        assert terminal.end() == 0


def test_ctrl_c_leaves_the_replay(store: None, tmp_path: Path) -> None:
    with Terminal("records", "show", "1", "--step", "--store", str(tmp_path / "games.db")) as terminal:
        terminal.expect("q: quit")
        terminal.interrupt()
        assert terminal.end() == 130
        assert "Traceback" not in terminal.seen


@pytest.mark.parametrize("format", ["json", "sgf", "hexworld"])
def test_exported_games_can_be_imported_again(
    format: str, store: None, capsys: pytest.CaptureFixture[str]
) -> None:
    file = f"out.{format}"
    assert tesuji(f"export 1 2 --output {file}", capsys) == f"2 games written to {file}.\n"
    assert tesuji(f"import {file} --store new.db", capsys) == "2 games added to new.db, numbers 1 to 2.\n"
    again = tesuji(f"import {file} --store new.db", capsys)
    assert again == "0 games added to new.db; 2 duplicates skipped.\n"
    with Store("new.db", create=False) as new:
        read = [stored.record for stored in new.records()]
    assert [record.moves for record in read] == [WON.moves, RESIGNED.moves]
    assert [record.scores for record in read] == [WON.scores, RESIGNED.scores]
    if format == "json":
        assert read == [WON, RESIGNED]
    if format != "sgf":  # in which thoughts are comments
        tesuji(f"export --store new.db -o again.{format}", capsys)
        assert Path(f"again.{format}").read_bytes() == Path(file).read_bytes()


def test_the_same_games_from_two_files_are_added_once(
    store: None, capsys: pytest.CaptureFixture[str]
) -> None:
    tesuji("export --output all.jsonl", capsys)
    tesuji("export 3 --output one.json", capsys)
    said = tesuji("import one.json all.jsonl one.json --store new.db", capsys)
    assert said == "4 games added to new.db, numbers 1 to 4; 2 duplicates skipped.\n"


def test_one_bad_file_and_nothing_is_imported(store: None, capsys: pytest.CaptureFixture[str]) -> None:
    tesuji("export --output good.json", capsys)
    Path("bad.sgf").write_text("(;GM[11];B[a1];W[a1])")
    said = tesuji("import good.json bad.sgf --store new.db", capsys, 2)
    assert "bad.sgf: line 1: move 2, W[a1]: 'a1' is not legal" in said
    assert not Path("new.db").exists()


def test_games_can_be_piped(store: None, tmp_path: Path) -> None:
    import subprocess

    def piped(*arguments: str, given: bytes = b"") -> bytes:
        done = subprocess.run(
            [SCRIPT, "records", *arguments],
            input=given,
            capture_output=True,
            env=environment(PYTHONIOENCODING="ascii"),
            cwd=tmp_path,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout

    with Store("games.db") as opened:
        opened.add(replace(RESIGNED, players=("José", "北京")))
    exported = piped("export")
    assert "北京" in exported.decode()
    piped("import", "-", "--format", "json", "--store", "new.db", given=exported)
    assert piped("export", "--store", "new.db") == exported


def test_an_sgf_file_in_latin_1_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    Path("old.sgf").write_bytes("(;GM[11]PB[José];B[a1])".encode("latin-1"))
    tesuji("import old.sgf", capsys)
    assert "José" in tesuji("show", capsys)


def test_stats_count_what_there_is(store: None, capsys: pytest.CaptureFixture[str]) -> None:
    shown = tesuji("stats", capsys)
    lines = [line.split() for line in shown.splitlines()]
    assert shown.startswith("4 games in games.db, 2026-01-31 to 2026-02-01\n")
    assert ["hex:size=2", "3", "1.7", "66.7%"] in lines
    assert ["hex:size=3,swap=on", "1", "1.0", "–"] in lines
    assert ["mcts:iterations=50", "3", "2", "0", "1", "66.7%"] in lines
    assert ["person", "1", "0", "0", "0", "–"] in lines
    assert "Endings: 1 played, 1 resigned, 1 crashed, 1 unfinished" in shown
    assert "Faults: 1\n  1 × random:seed=1: �[31mboom�bang\n" in shown
    counts = json.loads(tesuji("stats --json --game hex:size=2", capsys))
    assert counts["games"] == 3
    assert counts["by_game"][0]["first_mover_score"] == pytest.approx(2 / 3)
    assert counts["by_bot"][1] == {
        "bot": "random:seed=1",
        "games": 3,
        "wins": 1,
        "draws": 0,
        "losses": 2,
        "points": 1.0,
        "score": pytest.approx(1 / 3),
    }


def test_a_correct_store_has_no_problems(capsys: pytest.CaptureFixture[str]) -> None:
    with Store("games.db") as opened:
        for seed in range(30):
            opened.add(random_record(seed))
    assert tesuji("check", capsys) == "✓ games.db: no problems found in 30 games.\n"


def test_every_problem_has_a_line_and_the_exit_code_is_1(
    store: None, capsys: pytest.CaptureFixture[str]
) -> None:
    import sqlite3

    with Store("games.db") as opened:
        opened.add(replace(OPEN, moves=("a1", "a1")))
    connection = sqlite3.connect("games.db")
    connection.execute("UPDATE games SET moves = '[\"b2\"]' WHERE number = 2")
    connection.commit()
    connection.close()
    first, second, last = tesuji("check", capsys, 1).splitlines()
    assert first == "✗ games.db is damaged: game 2 does not match its checksum"
    assert second.startswith("✗ game 5: move 2: 'a1' is not legal")
    assert last == "✗ games.db: 2 problems found."
    assert "game 2 does not match its checksum" in tesuji("list", capsys, 2)
    assert "Black wins" in tesuji("show 1", capsys)


def test_a_users_game_is_known_after_load(nim: str, capsys: pytest.CaptureFixture[str]) -> None:
    line = (
        '{"game": "nim:players=3", "players": ["a", "b", "c"], "moves": ["3", "3", "1"], "scores": [0, 0, 1]}'
    )
    Path("nim.json").write_text(line)
    complaint = tesuji("import nim.json", capsys, 2)
    assert "unknown game 'nim'" in complaint
    assert "--load FILE.py" in complaint
    assert "1 game added" in tesuji(f"import nim.json --load {nim}", capsys)
    assert "player 2 wins after 3 moves." in tesuji("show", capsys).lower()
    assert "0–0–1" in tesuji("list", capsys)
    assert "player 2    random" not in tesuji("stats", capsys)
    assert "unknown format 'sgf' for nim:players=3 (json)" in tesuji("export --format sgf", capsys, 2)


BAD = {
    "no store": ("list --store nowhere.db", "no store nowhere.db"),
    "a directory": ("list --store .", ". is a directory"),
    "not a store": ("stats --store text.db", "text.db is not a Tesuji store"),
    "nowhere to import to": ("import good.hexworld --store no/games.db", "cannot create no/games.db"),
    "a text as a store": ("import good.hexworld --store text.db", "text.db is not a Tesuji store"),
    "not a store to check": ("check --store text.db", "text.db is not a Tesuji store"),
    "no such game": ("show 99", "no game 99 in games.db"),
    "no such game at all": ("show 99999999999999999999999", "game 99999999999999999999999"),
    "not a number": ("show first", "invalid value for 'N'"),
    "a move too far": ("show 1 --at 4", "--at … not 4\n"),
    "a move before the start": ("show 1 --at -1", "--at … not -1\n"),
    "two ways to show": ("show 1 --at 1 --board", "--at, --board, --step and --json"),
    "nobody at the terminal": ("show 1 --step", "--step needs a terminal"),
    "no such result": ("list --result black", "result … not 'black'"),
    "no time": ("list --since yesterday", "--since … not 'yesterday'"),
    "time is over": ("list --until 9999-12-31", "--until … not '9999-12-31'"),
    "no limit": ("list --limit 0", "invalid value for '--limit'"),
    "store twice": ("list --store a.db --store b.db", "option --store is given twice"),
    "no such format": ("export --format pgn", "unknown format 'pgn' for hex:size=2 (json, sgf, hexworld)"),
    "no format in a name": ("export --output games.txt", "games.txt … .jsonl"),
    "no such number to export": ("export 1 99", "no game 99 in games.db"),
    "numbers and filters": ("export 1 --game hex", "numbers or filters"),
    "output nowhere": ("export --output no/such/games.sgf", "cannot write no/such/games.sgf: No such file"),
    "output over the store": (
        "export --format json --output games.db",
        "--output games.db is the store itself",
    ),
    "no file": ("import", "missing argument 'FILE'"),
    "no such file": ("import nowhere.sgf", "cannot read nowhere.sgf: No such file or directory"),
    "a directory to read": ("import . --format sgf", "cannot read .: Is a directory"),
    "no suffix": ("import text.db", "text.db: use .jsonl, .json, .sgf"),
    "input without format": ("import -", "standard input … --format"),
    "no such format to read": ("import text.db --format pgn", "unknown format 'pgn'"),
    "not json": ("import text.db --format json", "text.db: line 1: not JSON"),
    "not sgf": ("import text.db --format sgf", "text.db: no game: missing"),
    "not a link": (
        "import text.db --format hexworld",
        "text.db: line 1: 'These are my games.' is not a HexWorld",
    ),
    "not utf-8": ("import latin.json", "latin.json: not UTF-8 text: invalid byte at position 3"),
    "not legal": ("import illegal.json", "illegal.json, game 2: move 1: 'z9' is not a cell"),
    "no such command": ("lst", "no such command 'lst'"),
}


@pytest.mark.parametrize(("line", "says"), BAD.values(), ids=BAD)
def test_bad_input_is_a_one_line_error(
    line: str, says: str, store: None, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("text.db").write_text("These are my games.\n" * 10)
    Path("good.hexworld").write_text("#5,a1")
    Path("latin.json").write_bytes(b'"J\xe9"')
    illegal = [{"game": "hex", "players": ["a", "b"], "moves": moves} for moves in ([], ["z9"])]
    Path("illegal.json").write_text("\n".join(map(json.dumps, illegal)))
    before = {path: path.read_bytes() for path in Path().iterdir()}
    assert main(["records", *shlex.split(line)]) == 2
    check_error(*capsys.readouterr(), says)
    assert {path: path.read_bytes() for path in Path().iterdir()} == before


def test_the_help_of_every_command_shows_an_example_that_is_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    overview = tesuji("", capsys)
    assert "..." not in overview.partition("Commands:")[2]
    for command in ("list", "show", "export", "import", "stats", "check"):
        assert f"\n  {command} " in overview
        shown = tesuji(f"{command} --help", capsys)
        assert f"Example: tesuji records {command}" in shown
        assert max(map(len, shown.splitlines())) <= 80


def test_no_colours_in_a_pipe(store: None, tmp_path: Path) -> None:
    done = run("records", "list", "--store", str(tmp_path / "games.db"))
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert "hex:size=2" in done.stdout


def test_a_game_of_a_match_says_where_it_was_played_and_is_read_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    record = Record(game="hex:size=3", players=("mcts", "random"), moves=("b2",))
    with Store("games.db") as store:
        store.add(record, match="abc", round=7)
        store.add(replace(record, moves=("a1",)))
    assert main(["records", "export", "--output", "games.json"]) == 0
    first, second = map(json.loads, Path("games.json").read_text().splitlines())
    assert (first["match"], first["round"]) == ("abc", 7)
    assert "match" not in second
    assert main(["records", "import", "games.json", "--store", "other.db"]) == 0
    with Store("other.db") as other:
        assert other.find(1) == (1, record, "", None)
