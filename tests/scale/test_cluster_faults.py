"""Killing processes, nodes and drivers at random moments changes no result."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.arena.marks import needs_proc
from tests.arena.test_resume import games_in, wait_for
from tests.cli.terminal import ROOT, begin
from tests.clusters import STORE_BYTES, cluster
from tesuji.arena.tournament import schedule
from tesuji.records import Store, verify

pytestmark = [pytest.mark.slow, needs_proc]

GAME = "hex:size=7"
BOTS = ("mcts:iterations=4000", "mcts:iterations=2000,rave=node", "alphabeta:depth=3")
ROUNDS = 16
GAMES = 3 * 2 * ROUNDS
KILLS = ["process", "worker", "node", "driver"] * 4
PATIENCE = 300.0  # seconds; nothing is measured by it


def start(store: Path, where: str) -> subprocess.Popen[str]:
    tournament = ["tournament", GAME, *BOTS, "--rounds", str(ROUNDS), "--json", "--on", where]
    return begin(*tournament, "--store", str(store))


def finish(process: subprocess.Popen[str]) -> dict[str, Any]:
    output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    facts: dict[str, Any] = json.loads(output)
    return facts


def children(parent: int, name: str) -> list[int]:
    """The processes that a process has started, and whose command has this in it."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                said = (folder / "stat").read_text().rpartition(")")[2].split()
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:  # gone meanwhile
                continue
            if int(said[1]) == parent and name in command:
                found.append(int(folder.name))
    return found


def room(address: str, **options: float) -> int:
    """The workers that an executor has room for; in a process of its own, since this one has its cluster."""
    script = (
        f"from tesuji.scale.cluster import Cluster; print(Cluster(address={address!r}, **{options}).workers)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, timeout=PATIENCE)
    return int(done.stdout)


def raylet(node: Any) -> int:
    return int(node.all_processes["raylet"][0].process.pid)


def kill(what: str, nodes: Any, process: subprocess.Popen[str], chance: random.Random) -> bool:
    """Kill one of a kind; whether there was one."""
    if what == "driver":
        process.kill()
        process.communicate()
        return True
    node = chance.choice(list(nodes.worker_nodes))
    if what == "node":
        nodes.remove_node(node, allow_graceful=False)
        nodes.add_node(num_cpus=1, object_store_memory=STORE_BYTES)
        return True
    found = children(raylet(node), "ray::ActorHost")
    if what == "process":
        found = [child for worker in found for child in children(worker, "spawn_main")]
    for pid in found[:1]:
        os.kill(pid, signal.SIGKILL)
    return bool(found)


def test_kills_of_processes_workers_nodes_and_drivers_change_nothing(tmp_path: Path) -> None:
    chance = random.Random(5)
    store, killed = tmp_path / "killed.db", []
    with cluster(nodes=2, cpus=1) as nodes:
        where = f'ray:address="{nodes.address}",workers=2'
        process = start(store, where)
        for what in chance.sample(KILLS, len(KILLS)):
            wait_for(store, games_in(store) + chance.randrange(1, 4), process)
            time.sleep(chance.uniform(0, 0.5))
            if process.poll() is not None:  # all games are played
                break
            if kill(what, nodes, process, chance):
                killed.append(what)
            if what == "driver":
                process = start(store, where)
        facts = finish(process)
    assert {what: killed.count(what) >= 2 for what in KILLS} == dict.fromkeys(KILLS, True), killed
    calm = tmp_path / "calm.db"
    assert finish(start(calm, "processes:workers=2")) == facts
    assert (facts["games"], facts["faults"]) == (GAMES, {})

    with Store(store) as ours, Store(calm) as theirs:
        assert ours.count() == theirs.count() == GAMES
        assert list(ours.problems()) == []
        for contest in schedule(GAME, BOTS, "round-robin"):
            here, there = ours.slots(contest.key), theirs.slots(contest.key)
            assert here.keys() == there.keys()
            for place, record in here.items():
                assert (record.moves, record.scores) == (there[place].moves, there[place].scores)
                verify(record)
    with closing(sqlite3.connect(store)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_games_are_spread_over_the_nodes_and_a_node_that_joins_is_used(tmp_path: Path) -> None:
    with cluster(nodes=1, cpus=1) as nodes:
        process = start(tmp_path / "games.db", f'ray:address="{nodes.address}"')
        wait_for(tmp_path / "games.db", 2, process)
        joined = nodes.add_node(num_cpus=1, object_store_memory=STORE_BYTES)
        deadline = time.monotonic() + PATIENCE
        workers: list[int] = []
        while not workers and process.poll() is None and time.monotonic() < deadline:
            workers = children(raylet(joined), "ray::ActorHost")
            time.sleep(0.05)
        assert workers
        assert room(nodes.address, cpus_per_worker=0.6) == 2  # one on each node, though 2 / 0.6 is more
        assert finish(process)["games"] == GAMES


def test_shared_data_come_to_each_node_once() -> None:
    from benchmarks.cluster import SHARED_BYTES

    # In a process of its own: this one may belong to another cluster.
    script = "import json; from benchmarks.cluster import broadcast; print(json.dumps(broadcast()))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, timeout=PATIENCE)
    taken: dict[str, int] = json.loads(done.stdout.splitlines()[-1])
    assert len(taken) == 3
    assert all(SHARED_BYTES <= number < 1.1 * SHARED_BYTES for number in taken.values())
