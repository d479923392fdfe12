"""The store: adding, filtering and checking games, and files that are not stores."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.records.examples import random_record
from tesuji.records import Record, Store, StoreError
from tesuji.records.schema import APPLICATION_ID, VERSION
from tesuji.records.unfinished_games import UnfinishedGames

ROOT = Path(__file__).parents[2]
GAME = Record(game="hex:size=3", players=("mcts:iterations=50", "random"), moves=("b2", "a1"))
WON = replace(GAME, scores=(1.0, 0.0), ending="resigned")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def filled(path: Path, games: int = 20) -> list[Record]:
    records = [random_record(seed) for seed in range(games)]
    with Store(path) as store:
        for record in records:
            store.add(record)
        store.set_plan("a match", {"games": games})
    return records


def test_records_round_trip_through_the_store(path: Path) -> None:
    records = [random_record(seed) for seed in range(200)]
    with Store(path) as store:
        numbers = [store.add(record) for record in records]
        assert numbers == list(range(1, 201))
        assert [store.get(number) for number in numbers] == records
    with Store(path) as store:
        assert [stored.record for stored in store.records()] == records
        assert [stored.number for stored in store.records(newest_first=True, limit=3)] == [200, 199, 198]
        assert list(store.problems()) == []


def test_a_slot_of_a_match_holds_one_game(path: Path) -> None:
    with Store(path) as store:
        first = store.add(WON, match="m", round=0)
        assert store.add(GAME, match="m", round=0) == first
        assert store.add(replace(GAME, leg=1), match="m", round=0) != first
        assert store.add(GAME, match="n", round=0) != first
        assert store.add(GAME) != store.add(GAME)
        assert store.slots("m") == {(0, 0): WON, (0, 1): replace(GAME, leg=1)}
        assert store.slots("nowhere") == {}
        assert store.find(first)[2:] == ("m", 0)
        assert store.count(match="m") == 2


@pytest.mark.parametrize("slot", [{"match": "m"}, {"round": 1}])
def test_a_match_without_a_round_is_refused(path: Path, slot: dict[str, Any]) -> None:
    with Store(path) as store, pytest.raises(ValueError, match="match and round"):
        store.add(GAME, **slot)


def test_a_plan_is_kept_for_each_match(path: Path) -> None:
    plan = {"game": "hex", "bots": ["mcts", 'gtp:command="é"'], "limit": None}
    with Store(path) as store:
        assert store.plan("m") is None
        store.add(GAME, match="early", round=3)
        assert store.plan("early") is None
        store.set_plan("m", {})
        store.set_plan("m", plan)
        store.add(GAME, match="m", round=0)
    with Store(path) as store:
        assert store.plan("m") == plan
        assert store.matches() == [("m", plan, 1), ("early", {}, 1)]


def test_a_round_is_added_in_one_transaction_and_each_slot_once(path: Path) -> None:
    games = [replace(WON, leg=leg) for leg in range(3)]
    with Store(path) as store:
        assert store.add_round(games[:2], match="m", round=7) == 2
        assert store.add_round([replace(game, moves=("a1",)) for game in games], match="m", round=7) == 1
        assert store.add_round(games, match="m", round=8) == 3
        assert [game.moves for game in store.slots("m").values()] == [
            *[GAME.moves] * 2,
            ("a1",),
            *[GAME.moves] * 3,
        ]
        with pytest.raises(ValueError, match="'leg' .*not -1"):
            store.add_round([*games, replace(WON, leg=-1)], match="m", round=9)
        assert store.count() == 6
        assert list(store.problems()) == []


def test_filters_choose_games(path: Path) -> None:
    day = datetime(2026, 1, 31, tzinfo=UTC)
    games = [
        Record(game="hex", players=("mcts", "random"), scores=(1.0, 0.0), ending="resigned", when=day),
        Record(
            game="hex:size=9", players=("random", "mcts:rave=off"), scores=(0.0, 1.0), ending="hung", when=day
        ),
        Record(game="hexxagon", players=("mctsx", "José [2d]"), scores=(0.5, 0.5), ending="limit", when=day),
        Record(game="hex:size=9,swap=on", players=("person", "mcts"), when=day + timedelta(days=1)),
    ]
    with Store(path) as store:
        for game in games:
            store.add(game)

        def found(**filters: Any) -> list[int]:
            numbers = [stored.number for stored in store.records(**filters)]
            assert store.count(**filters) == len(numbers)
            return numbers

        assert found(game="hex") == [1, 2, 4]
        assert found(game="hex:size=11") == [1]  # that is what hex is
        assert found(game="hex: size=9") == [2]
        assert found(game="hex:swap=on,size=9") == [4]
        assert found(game="chess") == []
        assert found(game="chess:size=9") == []
        assert found(bot="mcts") == [1, 2, 4]
        assert found(bot="mcts: rave=off") == [2]
        assert found(bot="José [2d]") == [3]
        assert found(result="0") == [1]
        assert found(result="1") == [2]
        assert found(result="draw") == [3]
        assert found(result="unfinished") == [4]
        assert found(ending="hung") == [2]
        assert found(since=day + timedelta(hours=1)) == [4]
        assert found(until=day + timedelta(days=1)) == [1, 2, 3]
        assert found(game="hex", bot="random", result="1") == [2]
        assert [stored.number for stored in store.records(limit=0)] == []


@pytest.mark.parametrize(
    "filters", [{"result": "won"}, {"result": "01"}, {"result": "²"}, {"ending": "over"}, {"limit": -1}]
)
def test_an_invalid_filter_is_refused(path: Path, filters: dict[str, Any]) -> None:
    with Store(path) as store, pytest.raises(ValueError) as caught:
        store.records(**filters)
    ((name, value),) = filters.items()
    assert str(caught.value).startswith(f"{name} must be ")
    assert str(caught.value).endswith(f", not {value!r}")


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (replace(GAME, players=()), "at least one player"),
        (replace(GAME, game=""), "needs a game"),
        (replace(GAME, ending="won"), "'ending' must be one of played"),  # type: ignore[arg-type]
        (replace(WON, scores=(1.0,)), "2 players, but 1 scores"),
        (replace(WON, scores=(float("nan"), 0.0)), "a score must be from 0 to 1"),
        (replace(GAME, scores=(1.0, 0.0)), "an unfinished game has no scores"),
        (replace(GAME, opening=3), "'opening' must be from 0"),
        (replace(GAME, moves=("\ud800", "a1")), "lone surrogate"),
    ],
)
def test_invalid_records_are_refused(path: Path, record: Record, message: str) -> None:
    with Store(path) as store:
        with pytest.raises(ValueError, match=message):
            store.add(record)
        with pytest.raises(ValueError, match=message):
            store.add_new([GAME, record])
        assert store.count() == 0


def test_new_games_are_added_and_known_ones_are_not(path: Path) -> None:
    with Store(path) as store:
        store.add(GAME, match="m", round=0)
        assert store.add_new([WON, GAME, WON]) == [2, None, None]
        assert store.count() == 2


def test_an_unknown_number_is_named(path: Path) -> None:
    with Store(path) as store:
        for number in (1, 0, -1, 2**70):
            with pytest.raises(StoreError, match=f"no game {number} in "):
                store.get(number)


def test_threads_may_share_a_store(path: Path) -> None:
    with Store(path) as store:
        threads = [threading.Thread(target=lambda: [store.add(GAME) for _ in range(10)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert store.count() == 40


def test_using_a_closed_store_is_an_error(path: Path) -> None:
    store = Store(path)
    store.close()
    store.close()
    with pytest.raises(StoreError, match="is closed"):
        store.add(GAME)


def test_a_store_opened_by_another_process_is_refused(path: Path) -> None:
    store = Store(path)
    store._process -= 1  # as after a fork
    with pytest.raises(StoreError, match="opened by another process"):
        store.add(GAME)
    store._process += 1
    store.close()


def test_a_full_disk_is_an_error_and_loses_nothing_else(path: Path) -> None:
    with Store(path) as store:
        store.add(GAME)
        pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
        store._connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError, match="the disk is full"):
            store.add(replace(GAME, fault="x" * 100_000))
        assert [stored.record for stored in store.records()] == [GAME]
        assert list(store.problems()) == []


def test_a_store_that_stays_locked_is_an_error(path: Path) -> None:
    with Store(path, busy_timeout=0.01) as store, contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="is locked"):
            store.add(GAME)
        other.execute("ROLLBACK")
        store.add(GAME)


def test_no_file_is_created_if_none_is_wanted(path: Path) -> None:
    with pytest.raises(StoreError, match=r"no store .*games\.db"):
        Store(path, create=False)
    with pytest.raises(StoreError, match="no directory"):
        Store(path / "deeper" / "games.db")
    with pytest.raises(StoreError, match="File name too long"):
        Store(path.with_name("x" * 300))
    assert list(path.parent.iterdir()) == []


def test_a_new_store_leaves_no_other_file_behind(path: Path) -> None:
    filled(path)
    assert list(path.parent.iterdir()) == [path]


LEFT_BY_A_KILL = """
import os, sys
from pathlib import Path
from tesuji.records import schema

os.link = lambda *names: os._exit(9)
schema.create(Path(sys.argv[1]))
"""


def test_leftovers_of_a_killed_creation_are_removed(path: Path) -> None:
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", LEFT_BY_A_KILL, str(path)], check=False)
        assert done.returncode == 9
    assert len(os.listdir(path.parent)) == 2 and not path.exists()
    others = [path.with_name(name) for name in (".games.db.notes", ".other.db.0123abcd", "games.db.0123abcd")]
    for other in others:
        other.touch()
    path.with_name(f".{path.name}.0123abcd-journal").touch()
    filled(path, games=1)
    assert set(path.parent.iterdir()) == {path, *others}
    subprocess.run([sys.executable, "-c", LEFT_BY_A_KILL, str(path)], check=False)
    with Store(path) as store:
        assert store.count() == 1
        assert len(set(path.parent.glob(".games.db.*"))) == 1


def test_file_names_with_uri_characters_are_supported(tmp_path: Path) -> None:
    for name in ("a?mode=ro", "b#c", "d%20e", "f g", ":memory:"):
        filled(tmp_path / name, games=1)
        with Store(tmp_path / name, create=False) as store:
            assert store.count() == 1


def text_file(path: Path) -> None:
    path.write_text("These are my games.\n" * 100)


def empty_file(path: Path) -> None:
    path.touch()


def short_file(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + bytes(20))


def other_program(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.executescript("CREATE TABLE games (number INTEGER); INSERT INTO games VALUES (1)")
    connection.close()


def other_version(path: Path) -> None:
    filled(path)
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()


def other_tables(path: Path) -> None:
    connection = sqlite3.connect(path)
    marks = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};"
    connection.executescript(f"{marks} CREATE TABLE games (number);")
    connection.close()


def truncated(path: Path) -> None:
    filled(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2 + 77])


def cut_at_a_page(path: Path) -> None:
    filled(path)
    path.write_bytes(path.read_bytes()[:-4096])


def overwritten(path: Path) -> None:
    filled(path)
    data = bytearray(path.read_bytes())
    data[4096 : 4096 + 500] = bytes(500)
    path.write_bytes(data)


BAD: dict[Callable[[Path], None], str] = {
    text_file: "is not a Tesuji store",
    empty_file: "is empty, not a store",
    short_file: "is not a Tesuji store",
    other_program: "is a database of another program",
    other_version: f"is a store of version {VERSION + 1}; this Tesuji reads version {VERSION}",
    other_tables: "is damaged: tables are missing",
    truncated: "is damaged",
    cut_at_a_page: "is damaged",
    overwritten: "is damaged",
}


@pytest.mark.parametrize("make", BAD, ids=lambda make: make.__name__)
def test_a_bad_file_is_a_one_line_error_and_stays_unchanged(make: Callable[[Path], None], path: Path) -> None:
    make(path)
    before = path.read_bytes()
    for create in (True, False):
        with pytest.raises(StoreError) as caught:
            Store(path, create=create)
        assert str(path) in str(caught.value)
        assert BAD[make] in str(caught.value)
        assert "\n" not in str(caught.value)
    assert path.read_bytes() == before
    beside = {file.name: file.stat().st_size for file in path.parent.iterdir() if file != path}
    assert not beside.get("games.db-wal")  # SQLite may leave an empty one


def test_a_directory_and_a_pipe_are_not_stores(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is a directory"):
        Store(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StoreError, match="pipe is not a regular file"):
        Store(tmp_path / "pipe")


def test_a_changed_letter_in_a_game_is_found_and_the_other_games_are_read(path: Path) -> None:
    filled(path)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE games SET fault = fault || '.' WHERE number = 3")
    connection.execute("UPDATE seats SET score = 0.25 WHERE number = 5")
    connection.execute("UPDATE games SET result = 'draw' WHERE number = 8")
    connection.execute("DELETE FROM seats WHERE number = 11 AND seat = 1")
    connection.execute("UPDATE games SET match = 'b', round = 1 WHERE number = 13")
    connection.execute("UPDATE matches SET plan = '{}'")
    connection.commit()
    connection.close()
    with Store(path) as store:
        bad = []
        for number in range(1, 21):
            try:
                store.get(number)
            except StoreError as error:
                assert f"is damaged: game {number} does not match its checksum" in str(error)
                bad.append(number)
        assert {3, 5, 11, 13} <= set(bad) <= {3, 5, 8, 11, 13}
        with pytest.raises(StoreError, match="is damaged"):
            list(store.records())
        with pytest.raises(StoreError, match="plan of 'a match'"):
            store.plan("a match")
    with Store(path, check=False) as store:
        assert list(store.problems()) == [
            f"{path} is damaged: the plan of 'a match' does not match its checksum"
        ]


COLUMNS = {
    "games": "number game seed leg moves notes opening result ending fault began match round digest checksum",
    "seats": "number seat bot score",
    "matches": "match plan checksum",
    "tables": "key changed content checksum",
}
STRANGE = (
    *("NULL", "''", "x''", "x'ff'", "CAST(x'ff' AS TEXT)", "-1", "1.5", "9e999", str(2**63 - 1), "'null'"),
    *("'[[1]]'", f"'{'[' * 10_000}'", f"'{'9' * 5000}'", "'a' || char(10) || 'b'", "'{\"a\": 1e999}'"),
)


@pytest.mark.parametrize(("table", "column"), [(t, c) for t, names in COLUMNS.items() for c in names.split()])
def test_whatever_a_stranger_put_into_a_column_is_read_or_a_one_line_error(
    table: str, column: str, path: Path
) -> None:
    with Store(path) as store:
        store.add(GAME, match="m", round=0)
        store.add(WON)
        store.set_plan("m", {"games": 2})
        UnfinishedGames(store).put({"one": {"moves": ["f6"]}})
    content = path.read_bytes()
    for value in STRANGE:
        path.write_bytes(content)
        connection = sqlite3.connect(path)
        with contextlib.suppress(sqlite3.IntegrityError):
            connection.execute(
                f'UPDATE {table} SET "{column}" = {value} {"" if table == "seats" else "WHERE rowid = 1"}'
            )
            connection.commit()
        connection.close()
        with Store(path, durable=False) as store:
            reads: list[Callable[[], object]] = [
                lambda: list(store.records()),
                lambda: store.slots("m"),
                lambda: store.get(1),
                lambda: store.count(bot="mcts"),
                lambda: store.plan("m"),
                store.matches,
                lambda: UnfinishedGames(store).get("one"),
                lambda: UnfinishedGames(store).put({"two": {}}),
            ]
            for read in reads:
                try:
                    read()
                except StoreError as error:
                    assert str(path) in str(error) and "\n" not in str(error), value
            assert all("\n" not in line for line in store.problems()), value


def test_a_game_that_breaks_its_rules_is_a_problem(path: Path) -> None:
    with Store(path) as store:
        store.add(replace(GAME, moves=("b2", "b2")))
        store.add(replace(GAME, game="nosuchgame"))
        store.add(GAME)
        store.add(replace(WON, ending="played"))
        store.add(replace(GAME, game="nosuchgame"))
        found = list(store.problems())
    assert [line.partition(":")[0] for line in found] == ["game 1", "game 4", "game 2 and 1 more"]
    assert "move 2: 'b2' is not legal" in found[0]
    assert "ending is 'played'" in found[1]
    assert "unknown game 'nosuchgame'" in found[2]


READS_ONLY = """
import sys
from tests.records.test_store import GAME
from tesuji.records import Store, StoreError

for path in sys.argv[1:]:
    try:
        with Store(path, create=False) as store:
            print(store.count(), len(list(store.records())))
            store.add(GAME)
    except StoreError as error:
        print(error)
"""


def test_a_copy_in_a_directory_that_cannot_be_written_is_read(path: Path) -> None:
    filled(path)
    inside, live = path.parent / "inside", path.parent / "live"
    for folder in (inside, live):
        folder.mkdir()
        shutil.copy(path, folder)
    with Store(live / path.name) as store:
        store.add(GAME)
        shutil.copy(f"{live / path.name}-wal", inside / "log.db-wal")
    shutil.copy(path, inside / "log.db")
    command = [sys.executable, "-c", READS_ONLY, str(inside / path.name), str(inside / "log.db")]
    if os.geteuid() == 0:  # who may write anywhere, unless the right to do so is given up
        if shutil.which("setpriv") is None:
            pytest.skip("root can write anywhere")
        command = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", *command]
    before = {file.name: file.read_bytes() for file in inside.iterdir()}
    for file in inside.iterdir():
        file.chmod(0o444)
    inside.chmod(0o555)
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    finally:
        inside.chmod(0o755)
    assert done.stdout.splitlines() == [
        "20 20",
        f"cannot write {inside / path.name}: the file or its directory is read-only",
        f"cannot read {inside / 'log.db'}: "
        "it has a write-ahead log, which needs a directory that can be written",
    ], done.stderr
    assert {file.name: file.read_bytes() for file in inside.iterdir()} == before


@pytest.mark.skipif(shutil.which("sqlite3") is None, reason="no sqlite3 here")
def test_the_sqlite_shell_can_query_a_store(path: Path) -> None:
    filled(path)
    query = "SELECT count(*) FROM games JOIN seats USING (number) WHERE game LIKE 'hex%'"
    assert subprocess.check_output(["sqlite3", str(path), query], text=True) == "40\n"


def test_the_store_does_not_slow_the_start_of_every_command() -> None:
    code = "import sys, tesuji, tesuji.records; sys.exit('sqlite3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
