"""Measure how the searches gain from threads; prints a Markdown table.

    python benchmarks/threads.py [--threads 1,2,4,8,16] [--seconds 1] [--runs 3] [--only hex,gomoku]
        [--memory 1024] [--games 0] [--match-threads 8] [--match-seconds 0.2] [--processes 1]

Simulations or nodes per second (the median of the runs) and their ratio to one thread; for alpha-beta also
the time to a fixed depth. `*`: the tree had used up its memory before the search ended.

--games plays matches instead: --match-threads against one thread, at equal time per move. Every game needs
--match-threads cores of its own (--processes is the number of games at a time).
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tesuji.arena.match import Goal, Match, Pairing
from tesuji.arena.report import format_estimate
from tesuji.bots import bot as make_bot
from tesuji.game import State, replay
from tesuji.records.store import Store
from tesuji.search import Analysis
from tesuji.spec import Spec


@dataclass(frozen=True)
class Search:
    """A search of one position."""

    game: str
    moves: str
    bot: str
    depth: int | None = None
    """The depth to be reached, for alpha-beta."""

    def spec(self, options: dict[str, str]) -> Spec:
        """The bot with more options."""
        return Spec.parse(self.bot).with_options(options)

    def run(self, position: State, options: dict[str, str]) -> Analysis:
        """One search, by a new bot."""
        return make_bot(self.spec({**options, "seed": "1"}), self.game).analyse(position)


SEARCHES = {
    "hex": Search("hex", "f6 d8 c9", "mcts"),
    "hex-plain": Search("hex", "f6 d8 c9", "mcts:knowledge=off,rave=off"),
    "gomoku": Search("gomoku", "h8 i9 g7", "mcts"),
    "hex-zero": Search("hex", "f6 d8 c9", "zero"),
    "onitama": Search("onitama:cards=ox-boar-horse-elephant-crab", "", "alphabeta", depth=14),
}


def speeds(search: Search, options: argparse.Namespace) -> list[str]:
    """The cells of a row: the search, and per number of threads the rate and its ratio to the first."""
    cells = [f"{search.game} `{search.bot}`"]
    position = replay(search.game, search.moves)
    first = 0.0
    for threads in options.threads:
        given = {"threads": str(threads), "seconds": str(options.seconds)}
        if Spec.parse(search.bot).name == "mcts":
            given["memory"] = str(options.memory)
        found = [search.run(position, given) for _ in range(options.runs)]
        rate = median(each.iterations / each.seconds for each in found)
        first = first or rate
        full = "*" if any(each.memory_full for each in found) else ""
        cells.append(f"{rate / 1000:,.3g}k{full} {rate / first:.2f}")
    return cells


def times(search: Search, options: argparse.Namespace) -> list[str]:
    """The same for the seconds to a fixed depth, and how many times faster than the first."""
    cells = [f"{search.game} `{search.bot}` to depth {search.depth}"]
    position = replay(search.game, search.moves)
    first = 0.0
    for threads in options.threads:
        given = {"threads": str(threads), "depth": str(search.depth)}
        seconds = median(search.run(position, given).seconds for _ in range(options.runs))
        first = first or seconds
        cells.append(f"{seconds:.2f} s {first / seconds:.2f}")
    return cells


def match(search: Search, options: argparse.Namespace) -> str:
    """Many threads against one, at equal time."""
    bots = [
        str(search.spec({"threads": str(threads), "seconds": str(options.match_seconds)}))
        for threads in (options.match_threads, 1)
    ]
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "games.db") as store:
        played = Match(
            Pairing(search.game, (bots[0], bots[1]), seed=options.seed), Goal(games=options.games), store
        )
        for _ in played.play(processes=options.processes):
            pass
        counts = played.counts
    score = f"{counts.points:g} of {counts.games} ({counts.points / counts.games:.0%})"
    return f"{search.game}: {bots[0]} against {bots[1]}: {score}, {format_estimate(counts.elo())} Elo"


def main(arguments: list[str] | None = None) -> None:
    """Print the table, or the results of the matches."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--threads", default="1,2,4,8,16", help="numbers of threads")
    parser.add_argument("--seconds", type=float, default=1.0, help="seconds per search")
    parser.add_argument("--runs", type=int, default=3, help="searches per figure")
    parser.add_argument("--only", default=",".join(SEARCHES), help=f"of {', '.join(SEARCHES)}")
    parser.add_argument("--memory", type=int, default=1024, help="MiB for the tree")
    parser.add_argument("--games", type=int, default=0, help="games per match (even)")
    parser.add_argument("--match-threads", type=int, default=8)
    parser.add_argument("--match-seconds", type=float, default=0.2, help="seconds per move")
    parser.add_argument("--processes", type=int, default=1, help="games at a time")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    options.threads = [int(count) for count in options.threads.split(",")]
    searches = [SEARCHES[name] for name in options.only.split(",")]
    if options.games:
        for search in searches:
            print(match(search, options), flush=True)
        return
    heads = ["search", *(f"{count} thread{'s' if count > 1 else ''}" for count in options.threads)]
    for cells in (heads, ["---"] * len(heads)):
        print(f"| {' | '.join(cells)} |")
    for search in searches:
        print(f"| {' | '.join(speeds(search, options))} |", flush=True)
        if search.depth:
            print(f"| {' | '.join(times(search, options))} |", flush=True)


if __name__ == "__main__":
    main()
