"""How many problems with a win by threats (VCT) the solver finds in a given time.

    python benchmarks/gomoku_vct.py FOLDER [--game gomoku:rule=renju] [--seconds 2]

The folder has one diagram per file, as `tesuji solve --position FILE` reads it; the side to move is to win.
Every win found is proven. A problem called `none` has no such win, so it is printed by name. One core.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from statistics import median

import tesuji
from tesuji.games.gomoku import GomokuState, solve


def main(arguments: list[str] | None = None) -> None:
    """Print the verdicts, and the time of the wins found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--game", default="gomoku:rule=renju")
    parser.add_argument("--seconds", type=float, default=2.0)
    options = parser.parse_args(arguments)
    files = sorted(options.folder.iterdir())
    verdicts: Counter[str] = Counter()
    times = []
    for file in files:
        state = tesuji.position(options.game, file.read_text(encoding="utf-8"))
        assert isinstance(state, GomokuState)
        solution = solve(state, "vct", seconds=options.seconds)
        verdicts[solution.verdict] += 1
        if solution.won:
            times.append(solution.seconds)
        elif solution.verdict == "none":
            print(f"{file.name}: no such win")
    print(f"{options.game}, {len(files)} problems, {options.seconds:g} s each")
    print(", ".join(f"{verdicts[verdict]} {verdict}" for verdict in ("won", "unknown", "none")))
    if times:
        print(f"wins after {median(times) * 1000:.0f} ms (median), {max(times) * 1000:.0f} ms at most")


if __name__ == "__main__":
    main()
