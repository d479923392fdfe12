"""Measure how the searches gain from threads, and from a GPU; prints a Markdown table.

    python benchmarks/threads.py [--threads 1,2,4,8,16] [--seconds 1] [--runs 3]
        [--only hex,gomoku] [--memory 1024] [--gpu] [--batches 16,64,128,256]
        [--games 0] [--match-threads 8] [--match-seconds 0.2] [--workers 1]

Simulations or nodes per second (the median of the runs) and their ratio to one thread; for alpha-beta also
the time to a fixed depth. `*`: the tree had used up its memory before the search ended.

--gpu measures the searches with a network instead: visits per second of one search on a GPU for each size of
batch, with as many groups of leaves as --threads, and their ratio to one core.

--games plays matches instead, at equal time per move: --match-threads against one thread, or with --gpu
the GPU against one core. Every game needs --match-threads cores of its own (--workers is the number of games
at a time).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.common import markdown
from tesuji.any_game import replay
from tesuji.arena.match import Goal, Match, Pairing
from tesuji.bots import bot as make_bot
from tesuji.full_game import FullState
from tesuji.records.store import Store
from tesuji.scale.executor import executor
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

    def run(self, position: FullState, options: dict[str, str]) -> Analysis:
        """One search, by a new bot."""
        return make_bot(self.spec({**options, "seed": "1"}), self.game).analyse(position)


SEARCHES = {
    "hex": Search("hex", "f6 d8 c9", "mcts"),
    "hex-plain": Search("hex", "f6 d8 c9", "mcts:knowledge=off,rave=off"),
    "gomoku": Search("gomoku", "h8 i9 g7", "mcts"),
    "hex-zero": Search("hex", "f6 d8 c9", "zero"),
    "gomoku-zero": Search("gomoku", "h8 i9 g7", "zero"),
    "onitama": Search("onitama:cards=ox-boar-horse-elephant-crab", "", "alphabeta", depth=14),
}


def rate(search: Search, given: dict[str, str], options: argparse.Namespace) -> tuple[float, bool]:
    """Simulations per second, the median of the runs, and whether a tree was full."""
    position = replay(search.game, search.moves)
    if Spec.parse(search.bot).name == "mcts":
        given = {**given, "memory": str(options.memory)}
    found = [search.run(position, {**given, "seconds": str(options.seconds)}) for _ in range(options.runs)]
    return median(each.iterations / each.seconds for each in found), any(each.memory_full for each in found)


def speeds(search: Search, options: argparse.Namespace) -> list[str]:
    """The search, and per number of threads the rate and its ratio to the first."""
    cells = [f"{search.game} `{search.bot}`"]
    first = 0.0
    for threads in options.threads:
        found, full = rate(search, {"threads": str(threads)}, options)
        first = first or found
        cells.append(f"{found / 1000:,.3g}k{'*' if full else ''} {found / first:.2f}")
    return cells


def gpu_speeds(search: Search, options: argparse.Namespace) -> list[list[str]]:
    """Rows of cells: the search and its groups, one core, and the rate for each batch with its ratio."""
    rows = []
    for prover in ("game", "off"):
        core, _ = rate(search, {"prover": prover}, options)
        for groups in options.threads:
            cells = [f"{search.game} `{search.spec({'prover': prover})}`", str(groups), f"{core:,.0f}"]
            for batch in options.batches:
                given = {"prover": prover, "device": "cuda", "threads": str(groups), "batch_size": str(batch)}
                rate(search, given, argparse.Namespace(**{**vars(options), "runs": 2}))  # captures the graphs
                found, _ = rate(search, given, options)
                cells.append(f"{found:,.0f} {found / core:.1f}")
            rows.append(cells)
    return rows


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
    """Many threads or the GPU against one thread, at equal time."""
    if options.gpu:
        more = {"device": "cuda"}
    else:
        more = {"threads": str(options.match_threads)}
    bots = [str(search.spec({**given, "seconds": str(options.match_seconds)})) for given in (more, {})]
    # In threads, the games share one copy of the network on the GPU.
    where = executor(f"{'threads' if options.gpu else 'processes'}:workers={options.workers}")
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "games.db") as store:
        played = Match(
            Pairing(search.game, (bots[0], bots[1]), seed=options.seed), Goal(games=options.games), store
        )
        for _ in played.play(on=where):
            print(f"{played.counts.points:g} of {played.counts.games}", file=sys.stderr, flush=True)
        counts = played.counts
    score = f"{counts.points:g} of {counts.games} ({counts.points / counts.games:.0%})"
    return f"{search.game}: {bots[0]} against {bots[1]}: {score}, {counts.elo().text('.1f', margin=True)} Elo"


def main(arguments: list[str] | None = None) -> None:
    """Print the table, or the results of the matches."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--threads", type=numbers, default="1,2,4,8,16", help="numbers of threads")
    parser.add_argument("--seconds", type=float, default=1.0, help="seconds per search")
    parser.add_argument("--runs", type=int, default=3, help="searches per figure")
    parser.add_argument("--only", default="", help=f"of {', '.join(SEARCHES)}")
    parser.add_argument("--memory", type=int, default=1024, help="MiB for the tree")
    parser.add_argument("--gpu", action="store_true", help="measure the searches with a network on a GPU")
    parser.add_argument("--batches", type=numbers, default="16,64,128,256", help="sizes of batches on a GPU")
    parser.add_argument("--games", type=int, default=0, help="games per match (even)")
    parser.add_argument("--match-threads", type=int, default=8)
    parser.add_argument("--match-seconds", type=float, default=0.2, help="seconds per move")
    parser.add_argument("--workers", type=int, default=1, help="games at a time")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    known = [name for name in SEARCHES if not options.gpu or name.endswith("-zero")]
    searches = [SEARCHES[name] for name in (options.only.split(",") if options.only else known)]
    if options.games:
        for search in searches:
            print(match(search, options), flush=True)
        return
    if options.gpu:
        heads = ["search", "groups", "one core", *(f"`batch_size={size}`" for size in options.batches)]
    else:
        heads = ["search", *(f"{count} thread{'s' if count > 1 else ''}" for count in options.threads)]
    print(markdown([heads, ["---"] * len(heads)]), flush=True)
    for search in searches:
        print(markdown(gpu_speeds(search, options) if options.gpu else [speeds(search, options)]), flush=True)
        if search.depth:
            print(markdown([times(search, options)]), flush=True)


def numbers(text: str) -> list[int]:
    """The numbers of a list such as 1,2,4."""
    return [int(number) for number in text.split(",")]


if __name__ == "__main__":
    main()
