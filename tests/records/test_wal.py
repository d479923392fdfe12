"""The write-ahead log left by a killed process: complete, truncated, and damaged."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.records.examples import random_record
from tesuji.cli import main
from tesuji.records import Store
from tesuji.records.wal import wal_bytes, wal_path

ROOT = Path(__file__).parents[2]
GAMES = 10
KILLED = f"""
import os, sys
from tests.records.examples import random_record
from tesuji.records import Store

store = Store(sys.argv[1])
for seed in range({GAMES}):
    store.add(random_record(seed))
os._exit(9)
"""


@cache
def killed() -> tuple[bytes, bytes]:
    """The file and the log of a process that was killed after its last game."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.db"
        subprocess.run([sys.executable, "-c", KILLED, str(path)], cwd=ROOT, check=False)
        return path.read_bytes(), wal_path(path).read_bytes()


def left(path: Path, log: bytes) -> Path:
    path.write_bytes(killed()[0])
    wal_path(path).write_bytes(log)
    return path


def test_a_log_that_a_killed_process_left_has_every_game(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with Store(left(tmp_path / "games.db", killed()[1])) as store:
        assert [stored.record for stored in store.records()] == [random_record(seed) for seed in range(GAMES)]
        assert list(store.problems()) == []
    assert caplog.text == ""


PLACES = st.integers(0, 2**20)  # in the log, counted from its start again where it ends


@settings(max_examples=60, deadline=None)
@given(PLACES, st.integers(1, 255))
def test_a_changed_byte_silently_loses_at_most_the_newest_game(place: int, change: int) -> None:
    log = bytearray(killed()[1])
    log[place % len(log)] ^= change
    with tempfile.TemporaryDirectory() as folder:
        path = left(Path(folder) / "games.db", bytes(log))
        with Store(path, check=False) as store:
            problems, games = list(store.problems()), store.count()
        assert games >= GAMES - 1 or len(problems) == 1 and f"{path}-wal is damaged" in problems[0]
        with Store(path) as store:  # what SQLite has kept is a sound store
            assert store.count() == games and list(store.problems()) == []


@settings(max_examples=30, deadline=None)
@given(PLACES)
def test_a_truncated_log_is_not_reported_as_damage(place: int) -> None:
    log = killed()[1]
    with tempfile.TemporaryDirectory() as folder:
        with Store(left(Path(folder) / "games.db", log[: place % len(log)])) as store:
            assert list(store.problems()) == []


def test_a_damaged_log_is_reported_by_check_and_on_opening(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    log = bytearray(killed()[1])
    log[len(log) // 2] ^= 1
    path = left(tmp_path / "games.db", bytes(log))
    assert main(["records", "check", "--store", str(path)]) == 1
    assert f"{path}-wal is damaged: " in capsys.readouterr().out
    assert caplog.text == ""
    left(path, bytes(log))
    Store(path).close()
    assert f"{path}-wal is damaged: " in caplog.text


def test_a_log_in_use_is_not_reported_as_damage(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Store(path) as writer:
        for seed in range(60):
            writer.add(random_record(seed % 20))
            if seed % 20 == 10:  # from here on old frames lie behind the new ones
                writer.query("PRAGMA wal_checkpoint(RESTART)", [])
            with Store(path, check=False) as other:
                assert list(other.problems()) == []


def test_a_checkpoint_empties_the_log(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Store(path) as writer, Store(path) as reader:
        writer.add(random_record(1))
        assert writer.wal_bytes == wal_bytes(path) > 0
        assert writer.checkpoint() and writer.wal_bytes == 0
        assert reader.get(1) == random_record(1)
