"""How many wins by threats (VCT) the solver finds in a given time.

    python benchmarks/gomoku_vct.py FOLDER [--game gomoku:rule=renju] [--seconds 2]
    python benchmarks/gomoku_vct.py benchmarks/gomoku_wins.txt --seconds 1

A folder has one diagram per file, as `tesuji solve --position FILE` reads it; a file has one position per
line, a game and its moves. The side to move is to win. Every win found is proven. A problem called `none`
has no such win, so it is printed by name. One core.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import tesuji
from tesuji.games.gomoku import GomokuState, solve

WITHIN = (0.01, 0.05, 0.1, 0.175, 0.5)


def main(arguments: list[str] | None = None) -> None:
    """Print the verdicts, and the time of the wins found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("problems", type=Path, help="folder of diagrams, or file of positions")
    parser.add_argument("--game", default="gomoku:rule=renju", help="game of the diagrams")
    parser.add_argument("--seconds", type=float, default=2.0)
    options = parser.parse_args(arguments)
    verdicts: Counter[str] = Counter()
    times = []
    total = 0.0
    for name, state in _positions(options.problems, options.game):
        solution = solve(state, "vct", seconds=options.seconds)
        verdicts[solution.verdict] += 1
        total += solution.seconds
        if solution.won:
            times.append(solution.seconds)
        elif solution.verdict == "none":
            print(f"{name}: no such win")
    print(f"{verdicts.total()} problems, {options.seconds:g} s each, {total:.1f} s in all")
    print(", ".join(f"{verdicts[verdict]} {verdict}" for verdict in ("won", "unknown", "none")))
    if times:
        print(f"wins after {median(times) * 1000:.0f} ms (median), {max(times) * 1000:.0f} ms at most")
        print(
            "wins within "
            + ", ".join(f"{limit:g} s: {sum(time <= limit for time in times)}" for limit in WITHIN)
        )


def _positions(problems: Path, game: str) -> Iterator[tuple[str, GomokuState]]:
    if problems.is_dir():
        for file in sorted(problems.iterdir()):
            yield file.name, _gomoku(tesuji.position(game, file.read_text(encoding="utf-8")))
        return
    for number, line in enumerate(problems.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.startswith("#"):
            spec, moves = line.split(maxsplit=1)
            yield f"line {number}", _gomoku(tesuji.replay(spec, moves))


def _gomoku(state: tesuji.State) -> GomokuState:
    assert isinstance(state, GomokuState)
    return state


if __name__ == "__main__":
    main()
