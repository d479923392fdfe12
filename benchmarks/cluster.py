"""Ray against local processes: the overhead of a match, and the data sent when actors share arrays.

    python benchmarks/cluster.py [--games 40] [--rounds 3]

Overhead: a match whose games take a second or more, alternately on `processes:workers=2` and on a local Ray
cluster with two processors. Measured is the time from the call to the last stored game, including the start
of the workers; the ratio is the median. The start of the cluster is reported separately. So is the share of
the two cores' time that is not thinking, which depends less on other load.

Broadcast: a local cluster of two nodes with four actors each. The driver, whose node has no actors, shares 6
MiB, and every actor reads them. Reported is the growth of each node's object store.
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

OVERHEAD_TARGET = 0.05
BOT = "mcts:iterations=6000"
SHARED_BYTES = 6 << 20
ACTORS_PER_NODE = 4
STORE_BYTES = 200 << 20

# Must be set before ray is imported: restricts its ports to this machine.
os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")


def overhead(games: int, rounds: int) -> float:
    """Additional time for a match on Ray, relative to processes."""
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
    """An actor that reads an array and keeps a reference to it."""

    def total(self, weights: Any) -> float:
        self.weights = weights
        return float(np.sum(weights))


def broadcast() -> dict[str, int]:
    """Growth of each node's object store, in bytes, after eight actors have read 6 MiB."""
    from ray.cluster_utils import Cluster

    common = {"object_store_memory": STORE_BYTES, "include_dashboard": False}
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, **common})
    try:
        for _ in range(2):
            made.add_node(num_cpus=ACTORS_PER_NODE, object_store_memory=STORE_BYTES)
        with executor(f'ray:address="{made.address}"') as on:
            actors = on.actors(Reader, [()] * (2 * ACTORS_PER_NODE))
            weights = np.ones(SHARED_BYTES // 4, dtype=np.float32)
            before = stored(made)
            shared = on.share(weights)
            read = [actor.call("total", shared) for actor in actors]
            assert [call.result() for call in read] == [len(weights)] * len(actors)
            return {node: held - before[node] for node, held in stored(made).items()}
    finally:
        made.shutdown()


def stored(made: Any) -> dict[str, int]:
    """Resident bytes of each node's object store."""
    nodes = {"the driver's node": made.head_node}
    nodes |= {f"node {number}": node for number, node in enumerate(made.worker_nodes, 1)}
    return {name: _resident(node.all_processes["raylet"][0].process.pid) for name, node in nodes.items()}


def _resident(pid: int) -> int:
    """Resident bytes of the files mapped by Ray's object store."""
    found, counts = 0, False
    for line in Path(f"/proc/{pid}/smaps").read_text().splitlines():
        words = line.split()
        if "-" in words[0]:  # header of a mapping; its fields follow
            counts = "plasma" in line
        elif counts and words[0] == "Rss:":
            found += int(words[1]) << 10
    return found


def main(arguments: list[str] | None = None) -> int:
    """Print both figures; return 1 if one misses its target."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=40, help="games per match (even)")
    parser.add_argument("--rounds", type=int, default=3, help="matches per executor")
    given = parser.parse_args(arguments)
    held = broadcast()
    for node, number in held.items():
        print(f"{node} received {number:,} bytes ({number / SHARED_BYTES:.2f} copies)")
    once = all(number < 1.5 * SHARED_BYTES for number in held.values())
    share = overhead(given.games, given.rounds)
    print(f"overhead of Ray: {share:+.1%} (target: under {OVERHEAD_TARGET:.0%})")
    return 0 if share < OVERHEAD_TARGET and once else 1


if __name__ == "__main__":
    sys.exit(main())
