"""A killed match resumes, with the same result as without interruption."""

from __future__ import annotations

import json
import random
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.arena.marks import NAME, all_gone, marked, needs_proc, new_mark
from tests.cli.terminal import PATIENCE, begin
from tesuji.arena.match import Pairing
from tesuji.records import Store, verify

pytestmark = needs_proc

GAME = "hex:size=5"
BOTS = ("mcts:iterations=400", "mcts:iterations=300,rave=off")
GAMES = 160
KILLS = 20
MOST_A_RUN = 8  # games, less than GAMES / KILLS


def start(store: Path, mark: str, *bots: str) -> subprocess.Popen[str]:
    """The command, whose processes all carry the mark."""
    arguments = ["match", GAME, *(bots or BOTS), "--games", str(GAMES), "--processes", "2", "--json"]
    return begin(*arguments, "--store", str(store), **{NAME: mark})


def games_in(store: Path) -> int:
    if not store.exists():
        return 0
    with closing(sqlite3.connect(f"{store.as_uri()}?mode=ro", uri=True, timeout=PATIENCE)) as connection:
        return int(connection.execute("SELECT count(*) FROM games").fetchone()[0])


def wait_for(store: Path, games: int, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and games_in(store) < games and time.monotonic() < deadline:
        time.sleep(0.005)


def kill_somewhere(store: Path, mark: str, chance: random.Random) -> bool:
    """Start the command and kill it at a random moment; whether games were being played."""
    before = games_in(store)
    process = start(store, mark)
    wanted = chance.randrange(MOST_A_RUN + 1)
    wait_for(store, before + wanted, process)
    time.sleep(chance.uniform(0, 0.03) if wanted else chance.uniform(0, 0.5))
    process.kill()
    process.communicate()
    assert all_gone(mark)
    return process.returncode == -signal.SIGKILL and before < games_in(store) < GAMES


def finish(store: Path, mark: str) -> dict[str, object]:
    process = start(store, mark)
    output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")
    assert all_gone(mark)
    return {key: value for key, value in json.loads(output).items() if key != "seconds_per_move"}


@pytest.mark.slow
def test_twenty_kills_change_nothing_in_the_result(tmp_path: Path) -> None:
    chance = random.Random(20)
    mark = new_mark()
    store = tmp_path / "killed.db"
    amid = sum(kill_somewhere(store, mark, chance) for _ in range(KILLS))
    assert amid >= KILLS / 2
    assert 0 < games_in(store) < GAMES
    facts = finish(store, mark)
    calm = tmp_path / "calm.db"
    assert finish(calm, mark) == facts
    assert (facts["games"], facts["finished"]) == (GAMES, True)

    pairing = Pairing(GAME, BOTS)
    with Store(store) as killed, Store(calm) as undisturbed:
        ours, theirs = killed.slots(pairing.key), undisturbed.slots(pairing.key)
        assert killed.count() == undisturbed.count() == len(ours) == GAMES
        assert [match for match, _, _ in killed.matches()] == [pairing.key]
        assert list(killed.problems()) == []
    for place, record in theirs.items():
        assert ours[place].moves == record.moves
        assert ours[place].scores == record.scores
        verify(ours[place])
    with closing(sqlite3.connect(store)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_the_same_command_twice_at_once_keeps_every_game_once(tmp_path: Path) -> None:
    store, mark = tmp_path / "games.db", new_mark()
    both = [start(store, mark, "mcts:iterations=20", "random") for _ in range(2)]
    outputs = [process.communicate(timeout=PATIENCE) for process in both]
    assert [(process.returncode, errors) for process, (_, errors) in zip(both, outputs, strict=True)] == [
        (0, ""),
        (0, ""),
    ]
    one, other = (json.loads(output) for output, _ in outputs)
    assert one["pairs"] == other["pairs"]
    assert games_in(store) == GAMES
    with Store(store) as kept:
        assert list(kept.problems()) == []


def test_a_worker_in_a_long_search_exits_with_its_parent(tmp_path: Path) -> None:
    store, mark = tmp_path / "games.db", new_mark()
    process = start(store, mark, "mcts:seconds=600", "mcts:seconds=600")
    try:
        deadline = time.monotonic() + PATIENCE
        while len(marked(mark)) < 3 and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(1)  # they load the program, and think
    finally:
        process.kill()
        process.communicate()
    assert all_gone(mark)
