"""Speed of the search with hidden cards and chance, and what it costs games without them.

    python benchmarks/hidden.py [--quick] [--against CHECKOUT]

One thread, CPU time, each search from the initial position. `--against` is another checkout with its
environment in `.venv`: both run alternately, each in a fresh process, and the ratio is the median over
neighbouring runs, so that a temporary slowdown of the machine affects both.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

import tesuji

ROOT = Path(__file__).parents[1]
PLAIN = "mcts:knowledge=off,rave=off,solver=off"
PERFECT = {
    "Hex 11×11, plain": ("hex", PLAIN, 400_000),
    "Hex 11×11, its bot": ("hex", "mcts", 60_000),
    "Gomoku 15×15, plain": ("gomoku", PLAIN, 150_000),
    "Gomoku 15×15, its bot": ("gomoku", "mcts", 30_000),
    "Connect Four in Python": ("connect_four", PLAIN, 10_000),
}
ROUNDS, QUICK_ROUNDS, QUICK_SHARE = 9, 3, 0.1


def rate(game: tesuji.Game, bot: str, iterations: int, state: Any = None) -> float:
    """Simulations per second of CPU time."""
    thinker: Any = tesuji.bot(f"{bot}{',' if ':' in bot else ':'}iterations={iterations},seed=1", game)
    began = time.process_time()
    found = thinker.analyse(game.start() if state is None else state)
    passed = time.process_time() - began
    if found.iterations != iterations:
        raise RuntimeError(f"{game!r}: {found.iterations} simulations, and {iterations} were asked for")
    return float(found.iterations / passed)


def perfect(share: float) -> dict[str, float]:
    """Games without chance and hidden cards; also runs in another checkout."""
    sys.path.insert(0, str(ROOT))
    import examples.connect_four  # noqa: F401

    return {
        name: rate(tesuji.game(spec), bot, int(iterations * share))
        for name, (spec, bot, iterations) in PERFECT.items()
    }


def hidden(share: float) -> dict[str, float]:
    """Games with chance or hidden cards."""
    from examples.kuhn_poker import KuhnPoker, KuhnState
    from examples.pig import Pig

    count = int(20_000 * share)
    return {
        "Pig to 100, in Python": rate(Pig(), "mcts", count),
        "Kuhn poker, in Python": rate(KuhnPoker(), "mcts", count, KuhnState("QK")),
    }


def measured_by(checkout: Path, share: float) -> dict[str, float]:
    """The same in another checkout, with its own environment."""
    python = checkout / ".venv" / "bin" / "python"
    done = subprocess.run(
        [str(python), str(Path(__file__).resolve()), "--measure", str(share)],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=True,
    )
    rates: dict[str, float] = json.loads(done.stdout)
    return rates


def compare(other: Path, share: float, rounds: int) -> None:
    """Print both sides, and the median ratio of neighbouring runs."""
    pairs = [(measured_by(ROOT, share), measured_by(other, share)) for _ in range(rounds)]
    for name in PERFECT:
        ours, theirs = (median(pair[side][name] for pair in pairs) for side in (0, 1))
        ratio = median(here[name] / there[name] for here, there in pairs)
        print(f"{name:24} {ours:>12,.0f}/s here {theirs:>12,.0f}/s there   ratio {ratio:.3f}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the work")
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="another checkout to compare with")
    parser.add_argument("--measure", type=float, metavar="SHARE", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    share, rounds = (QUICK_SHARE, QUICK_ROUNDS) if given.quick else (1.0, ROUNDS)
    if given.measure is not None:
        print(json.dumps(perfect(given.measure)))
        return
    if given.against is not None:
        compare(given.against.resolve(), share, rounds)
        return
    for name, found in {**perfect(share), **hidden(share)}.items():
        print(f"{name:24} {found:>12,.0f} simulations/s")


if __name__ == "__main__":
    main()
