"""Concurrent processes, killed processes, and damaged files."""

from __future__ import annotations

import fcntl
import random
import signal
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import children
from tests.records.examples import random_record
from tesuji.records import Record, Store, StoreError

ROOT = Path(__file__).parents[2]
WRITER = """
import sys
from tests.records.examples import random_record
from tesuji.records import Store

path, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with Store(path) as store:
    for seed in range(first, first + count):
        print(seed, store.add(random_record(seed), match="all", round=seed), flush=True)
        if seed % 5 == 0:
            store.checkpoint()
"""
COMES_AND_GOES = """
import sys
from tests.records.examples import random_record
from tesuji.records import Store

path, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for seed in range(first, first + count):
    with Store(path) as store:
        print(seed, store.add(random_record(seed)), flush=True)
        store.checkpoint()
        assert store.count() > 0
"""
TWICE = """
import sys
from tests.records.examples import random_record
from tesuji.records import Store

with Store(sys.argv[1]) as store:
    store.add(random_record(1))
    with Store(sys.argv[1], check=False):  # with a log in use: whoever looks at it must leave the locks alone
        print("open", flush=True)
        sys.stdin.readline()
        store.add(random_record(2))
        print("added", flush=True)
        sys.stdin.readline()
"""
IN_USE = {"": (0x40000002, 510), "-shm": (128, 1)}  # bytes that SQLite locks as long as a store is open
ENDLESS = 10_000  # games; nobody waits for them


def writer(path: Path, first: int, count: int, program: str = WRITER) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", program, str(path), str(first), str(count)]
    return children.start(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def reported(process: subprocess.Popen[str]) -> dict[int, int]:
    """The output of a writer: seeds and their game numbers."""
    assert process.stdout is not None
    lines = process.stdout.read().splitlines(keepends=True)
    process.wait()
    process.stdout.close()
    whole = [line.split() for line in lines if line.endswith("\n")]
    return {int(seed): int(number) for seed, number in whole}


@pytest.mark.parametrize("program", [WRITER, COMES_AND_GOES], ids=["stay", "come and go"])
def test_several_processes_create_and_write_one_store_at_once(program: str, tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    writers = [writer(path, 100 * number, 40, program) for number in range(4)]
    added = [reported(process) for process in writers]
    assert [process.returncode for process in writers] == [0] * 4
    together = {seed: number for each in added for seed, number in each.items()}
    assert sorted(together.values()) == list(range(1, 161))
    with Store(path) as store:
        assert all(store.get(number) == random_record(seed) for seed, number in together.items())
        assert list(store.problems()) == []
    assert list(tmp_path.iterdir()) == [path]


def is_locked(path: Path, first: int, count: int) -> bool:
    """Whether another process has locked these bytes."""
    with path.open("rb+") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, count, first)
        except BlockingIOError:
            return True
        return False


def test_a_process_that_has_a_store_open_twice_keeps_it_while_others_come_and_go(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    command = [sys.executable, "-c", TWICE, str(path)]
    holder = children.start(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdin is not None and holder.stdout is not None
    assert holder.stdout.readline() == "open\n"
    for suffix, (first, count) in IN_USE.items():
        assert is_locked(path.with_name(path.name + suffix), first, count), suffix
    assert len(reported(writer(path, 100, 3))) == 3
    holder.stdin.write("go on\n")
    holder.stdin.flush()
    assert holder.stdout.readline() == "added\n"
    with Store(path) as store:
        assert store.count() == 5
    holder.communicate("end\n")
    assert holder.returncode == 0


def test_two_processes_that_play_the_same_rounds_leave_each_game_once(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    one, two = writer(path, 0, 30), writer(path, 0, 30)
    assert reported(one) == reported(two)
    with Store(path) as store:
        assert store.count() == 30


def test_a_killed_process_loses_at_most_the_game_that_it_was_adding(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    rng = random.Random(1)
    known: dict[int, int] = {}
    for turn in range(6):
        process = writer(path, ENDLESS * turn, ENDLESS)
        assert process.stdout is not None
        for _ in range(rng.choice([0, 1, 2, 30, 60])):  # none: it may be killed while it makes the file
            seed, number = map(int, process.stdout.readline().split())
            known[seed] = number
        process.send_signal(signal.SIGKILL)
        known |= reported(process)
        if path.exists():
            with Store(path) as store:
                assert store.count() >= len(known)
    with Store(path) as store:
        assert all(store.get(number) == random_record(seed) for seed, number in known.items())
        assert len(known) <= store.count() <= len(known) + 6
        assert list(store.problems()) == []


@cache
def sound() -> tuple[bytes, list[Record]]:
    """A store as bytes, and its records."""
    records = [random_record(seed) for seed in range(30)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.db"
        with Store(path) as store:
            for round, record in enumerate(records):
                store.add(record, match="m", round=round)
        return path.read_bytes(), records


PLACES = st.integers(0, 2**20)  # in the file, counted from its start again where it ends


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(PLACES, st.binary(min_size=1, max_size=64)), min_size=1, max_size=3))
def test_changed_bytes_are_found_or_change_nothing(changes: list[tuple[int, bytes]]) -> None:
    whole, records = sound()
    damaged = bytearray(whole)
    for place, new in changes:
        start = place % (len(whole) - len(new))
        damaged[start : start + len(new)] = new
    with tempfile.TemporaryDirectory() as folder:
        _found_or_the_same(Path(folder) / "games.db", bytes(damaged), records)


@settings(max_examples=30, deadline=None)
@given(PLACES)
def test_a_cut_file_is_found(place: int) -> None:
    whole, _ = sound()
    cut = whole[: place % len(whole)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.db"
        path.write_bytes(cut)
        with pytest.raises(StoreError), Store(path) as store:
            list(store.records())
        assert path.read_bytes() == cut


def _found_or_the_same(path: Path, content: bytes, records: list[Record]) -> None:
    path.write_bytes(content)
    try:
        with Store(path) as store:
            assert [stored.record for stored in store.records()] == records
            assert list(store.slots("m").values()) == records
            assert store.count(game="hex") == len(records)
            assert sum(store.count(bot=bot) for bot in {record.players[0] for record in records}) >= len(
                records
            )
    except StoreError as error:
        assert str(path) in str(error)
        assert "\n" not in str(error)
    assert path.read_bytes() == content
