"""What Ray costs beside processes, and what it saves: the same match on both, and a network for eight actors.

    python benchmarks/cluster.py [--games 40] [--rounds 3]

Overhead: a match whose games take a second or more, on `processes:workers=2` and on a Ray cluster of this
machine with two processors, in turn. Counted is all the time from the call to the last game in the store, the
start of the workers too; the ratio is the median. The cluster runs before: how long that takes is told apart.
Beside it is what the two cores did other than thinking, which depends less on what else the machine does.

Broadcast: a cluster of two nodes on this machine, with four actors on each. 6 MiB are shared from the driver,
whose node has no actors, and every actor reads them. Told is what each node's object store has taken in.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from tesuji.scale.executor import executor

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.arena import timed

OVERHEAD_WANTED = 0.05
BOT = "mcts:iterations=6000"
SHARED_BYTES = 6 << 20
ACTORS_A_NODE = 4
STORE_BYTES = 200 << 20

# Before ray is imported: its ports are open to this machine alone.
os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")


def overhead(games: int, rounds: int) -> float:
    """What a match takes longer on Ray, as a share."""
    began = time.perf_counter()
    with executor("ray:local,workers=2") as ray, executor("processes:workers=2") as processes:
        print(f"Ray was ready after {time.perf_counter() - began:.1f} s", flush=True)
        ratios = []
        for _ in range(rounds):
            ours, thought = timed(BOT, games, processes)
            theirs, also = timed(BOT, games, ray)
            ratios.append(theirs / ours - 1)
            print(
                f"{games} games of {thought / games:.2f} s: processes {ours:.1f} s "
                f"({2 * ours / thought - 1:.1%} without thinking), ray {theirs:.1f} s "
                f"({2 * theirs / also - 1:.1%}), {ratios[-1]:+.1%}",
                flush=True,
            )
    return statistics.median(ratios)


class Reader:
    """An actor that reads what it is given, and keeps it."""

    def total(self, weights: Any) -> float:
        self.weights = weights
        return float(np.sum(weights))


def broadcast() -> dict[str, int]:
    """Bytes that the object store of each node has taken in when eight actors have read 6 MiB."""
    from ray.cluster_utils import Cluster

    common = {"object_store_memory": STORE_BYTES, "include_dashboard": False}
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, **common})
    try:
        for _ in range(2):
            made.add_node(num_cpus=ACTORS_A_NODE, object_store_memory=STORE_BYTES)
        with executor(f'ray:address="{made.address}"') as on:
            actors = on.actors(Reader, [()] * (2 * ACTORS_A_NODE))
            weights = np.ones(SHARED_BYTES // 4, dtype=np.float32)
            before = stored(made)
            shared = on.share(weights)
            read = [actor.call("total", shared) for actor in actors]
            assert [call.result() for call in read] == [len(weights)] * len(actors)
            return {node: held - before[node] for node, held in stored(made).items()}
    finally:
        made.shutdown()


def stored(made: Any) -> dict[str, int]:
    """Bytes of the object store of each node that have been written to, by the kernel's count."""
    nodes = {"the driver's node": made.head_node}
    nodes |= {f"node {number}": node for number, node in enumerate(made.worker_nodes, 1)}
    return {name: _resident(node.all_processes["raylet"][0].process.pid) for name, node in nodes.items()}


def _resident(pid: int) -> int:
    """How much of the files that Ray's object store maps is in memory."""
    found, counts = 0, False
    for line in Path(f"/proc/{pid}/smaps").read_text().splitlines():
        words = line.split()
        if "-" in words[0]:  # the head of a mapping; its lines follow
            counts = "plasma" in line
        elif counts and words[0] == "Rss:":
            found += int(words[1]) << 10
    return found


def main(arguments: list[str] | None = None) -> int:
    """Print both figures; exit code 1 where one falls short."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=40, help="of each match (even)")
    parser.add_argument("--rounds", type=int, default=3, help="matches on each")
    given = parser.parse_args(arguments)
    held = broadcast()
    for node, number in held.items():
        print(f"{node} has taken in {number:,} bytes ({number / SHARED_BYTES:.2f} copies)")
    once = all(number < 1.5 * SHARED_BYTES for number in held.values())
    share = overhead(given.games, given.rounds)
    print(f"overhead of Ray: {share:+.1%} (wanted: under {OVERHEAD_WANTED:.0%})")
    return 0 if share < OVERHEAD_WANTED and once else 1


if __name__ == "__main__":
    sys.exit(main())
