"""The write-ahead log: what a killed process leaves of it, checkpoints that fail, and readers beside them."""

from __future__ import annotations

import json
import shutil
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
from tesuji.records import Record, Store
from tesuji.records.schema import wal_bytes, wal_path

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


def games(count: int) -> list[Record]:
    return [random_record(seed) for seed in range(count)]


def left(path: Path, log: bytes) -> Path:
    path.write_bytes(killed()[0])
    wal_path(path).write_bytes(log)
    return path


def test_a_log_that_a_killed_process_left_has_every_game(tmp_path: Path) -> None:
    with Store(left(tmp_path / "games.db", killed()[1])) as store:
        assert [stored.record for stored in store.records()] == games(GAMES)
        assert list(store.problems()) == []


PLACES = st.integers(0, 2**20)  # in the log, counted from its start again where it ends


@settings(max_examples=60, deadline=None)
@given(PLACES, st.integers(1, 255))
def test_a_log_with_a_changed_byte_gives_a_sound_store_with_the_first_games(place: int, change: int) -> None:
    log = bytearray(killed()[1])
    log[place % len(log)] ^= change
    with tempfile.TemporaryDirectory() as folder:
        with Store(left(Path(folder) / "games.db", bytes(log))) as store:
            assert [stored.record for stored in store.records()] == games(store.count())
            assert list(store.problems()) == []


@settings(max_examples=30, deadline=None)
@given(PLACES)
def test_a_truncated_log_gives_a_sound_store_with_the_first_games(place: int) -> None:
    log = killed()[1]
    with tempfile.TemporaryDirectory() as folder:
        with Store(left(Path(folder) / "games.db", log[: place % len(log)])) as store:
            assert [stored.record for stored in store.records()] == games(store.count())
            assert list(store.problems()) == []


def test_a_store_with_a_log_in_use_is_sound(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Store(path) as writer:
        for seed in range(60):
            writer.add(random_record(seed % 20))
            if seed % 20 == 10:  # from here on old frames lie behind the new ones
                writer.query("PRAGMA wal_checkpoint(RESTART)", [])
            with Store(path) as other:
                assert other.count() == seed + 1


def test_a_checkpoint_empties_the_log(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Store(path) as writer, Store(path) as reader:
        writer.add(random_record(1))
        assert writer.wal_bytes == wal_bytes(path) > 0
        assert writer.checkpoint() and writer.wal_bytes == 0
        assert reader.get(1) == random_record(1)


OLD, NEW = 60, 40  # games in the file, and games that only the log has
CUT = f"""
import json, os, resource, signal, sys
from tests.records.examples import random_record
from tesuji.records import Store, StoreError

resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
sys.dont_write_bytecode = True  # below, a compiled module would be cut off, too
first, step, deadly = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "killed"


def in_a_child(action, *arguments):
    child = os.fork()
    if not child:
        action(*arguments)
        os._exit(9)
    return os.waitpid(child, 0)[1]


def write(path):
    store = Store(path, durable=False)
    for seed in range({OLD}):
        store.add(random_record(seed))
    store.checkpoint()
    for seed in range({OLD}, {OLD + NEW}):
        store.add(random_record(seed))


def checkpoint(path, limit):
    store = Store(path, durable=False)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL if deadly else signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        store.checkpoint()
    except StoreError as error:
        print(json.dumps(str(error)), flush=True)
    store.close()


in_a_child(write, first)
database, log = (open(first + suffix, "rb").read() for suffix in ("", "-wal"))
in_a_child(lambda: Store(first).close())  # which moves the log into the file
for limit in range(0, os.path.getsize(first), step):  # every write from there on fails
    path = f"{{first}}-{{limit}}"
    for suffix, content in (("", database), ("-wal", log)):
        with open(path + suffix, "wb") as file:
            file.write(content)
    status = in_a_child(checkpoint, path, limit)
    assert os.WIFSIGNALED(status) == deadly, (limit, status)
"""


@pytest.mark.parametrize("end", ["killed", "refused"])
def test_a_checkpoint_that_is_cut_off_at_any_write_loses_nothing(end: str, tmp_path: Path) -> None:
    step = 3 * 1024  # whole pages, and halves
    command = [sys.executable, "-c", CUT, str(tmp_path / "games.db"), str(step), end]
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    cut = [path for path in tmp_path.iterdir() if path.name.rpartition("-")[2].isdigit()]
    messages = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(messages) == (0 if end == "killed" else len(cut)) and len(cut) > 10
    assert all("games.db-" in message and "\n" not in message for message in messages)
    for path in cut:
        with Store(path, create=False) as store:
            assert [stored.record for stored in store.records()] == games(OLD + NEW), path
            assert store.checkpoint() and store.add(random_record(0)) == OLD + NEW + 1


NO_ROOM = f"""
import os, sys
from tests.records.examples import random_record
from tesuji.records import Store, StoreError

folder = sys.argv[1]
with Store(f"{{folder}}/games.db") as store:
    for seed in range({NEW}):
        store.add(random_record(seed))
    with open(f"{{folder}}/filler", "wb", buffering=0) as filler:
        try:
            while filler.write(bytes(512)):
                pass
        except OSError:
            pass
    for action in (store.checkpoint, lambda: [store.add(random_record(0)) for _ in range(1000)]):
        try:
            action()
        except StoreError as error:
            print(error)
    held = store.count()
for room in (False, True):
    if room:
        os.unlink(f"{{folder}}/filler")
    with Store(f"{{folder}}/games.db") as store:
        assert store.count() == held >= {NEW}
        for seed in range({NEW}):
            assert store.get(1 + seed) == random_record(seed)
        assert list(store.problems()) == []
"""
SMALL_DISK = 'mount -t tmpfs -o size=2m none "$1" && exec "$2" -c "$3" "$1"'


@pytest.mark.parametrize("rights", [["--mount"], ["--mount", "--user", "--map-root-user"]])
def test_a_store_on_a_full_disk_keeps_its_games(rights: list[str], tmp_path: Path) -> None:
    own = ["unshare", *rights, "sh", "-c"]  # a file system that only this command sees
    if (
        not shutil.which("unshare")
        or subprocess.run([*own, "mount -t tmpfs none /mnt"], check=False).returncode
    ):
        pytest.skip("no file systems of one's own here")
    command = [*own, SMALL_DISK, "sh", str(tmp_path), sys.executable, NO_ROOM]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.splitlines()) == {f"cannot write {tmp_path}/games.db: the disk is full"}


BESIDE = """
import sys
from dataclasses import replace
from tests.records.examples import random_record
from tesuji.records import Store

with Store(sys.argv[1]) as store:
    print("open", flush=True)
    games = [random_record(seed) for seed in range(20)]
    for round in range(100_000):  # a checkpoint that makes the file longer, page by page
        legs = [replace(game, leg=leg) for leg, game in enumerate(games * 5)]
        store.add_round(legs, match="m", round=round)
        store.checkpoint()
"""


def test_a_store_opens_while_another_process_writes_and_checkpoints(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    writer = children.start([sys.executable, "-c", BESIDE, str(path)], cwd=ROOT, stdout=subprocess.PIPE)
    assert writer.stdout is not None and writer.stdout.readline()
    counted = [0]
    while len(set(counted)) < 30:
        with Store(path, create=False) as store:
            counted.append(store.count())
    assert counted == sorted(counted)
