"""Compare the proximity modes of Gomoku (off, soft, hard) in both searches; prints a Markdown table.

    python benchmarks/gomoku_proximity.py [--questions 300] [--target 0.95] [--agree 60] [--games 0]
        [--with prover=off]

Candidates: mean number over positions from games between the bots. Off: the legal moves; hard: those that are
not excluded; soft: the effective number of moves, the exponential of the weights' entropy.

Budget: the smallest number of simulations (mcts) or nodes (alphabeta), by doubling, that reaches the target
share of right answers in `tesuji exam gomoku`; and the share at the last budget tried.

Agreement: how often, in quiet positions of the same games, the move is the one chosen by the same search
without proximity and with fifty times the budget.

Elo: against `off` in a match, at equal iterations or nodes and at equal time. --games sets the games per
match; without it the match commands are printed instead. --with adds options to every bot, for example to
switch off the proofs, which answer most of the questions without a search.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import tempfile
from collections.abc import Iterator
from operator import eq
from pathlib import Path
from statistics import mean

from tesuji.arena.exam import Exam, wilson
from tesuji.arena.match import Goal, Match, Pairing
from tesuji.arena.openings import make_openings
from tesuji.arena.playing import Task, play
from tesuji.arena.report import format_estimate
from tesuji.bots import bot as make_bot
from tesuji.game import Move, replay
from tesuji.games.gomoku import Gomoku, GomokuState
from tesuji.games.gomoku.knowledge import PatternThreats, StoneProximity
from tesuji.records.store import Store
from tesuji.scale import cores
from tesuji.spec import Spec

MODES = ("off", "soft", "hard")
SEARCHES = {"mcts": "iterations", "alphabeta": "nodes"}
"""The searches, and the name of their budget option."""
PLAYERS = ("alphabeta:nodes=2000", "mcts:iterations=300")
GAMES = 40
LONGER = 50
FIRST_BUDGET = 25
EQUAL = {"iterations": "2000", "nodes": "20000", "seconds": "0.1"}
"""Budgets of the matches."""


def positions(games: int, seed: int) -> Iterator[GomokuState]:
    """All positions in which a bot was to move, after the opening."""
    game = Gomoku()
    _, openings = make_openings(None, game)
    for number in range(games):
        players = PLAYERS if number % 2 == 0 else PLAYERS[::-1]
        opening = openings.opening(seed, number)
        record = play(Task(game="gomoku", players=players, seed=seed + number, opening=opening))
        for ply in range(record.opening, len(record.moves)):
            state = replay(game, " ".join(record.moves[:ply]))
            assert isinstance(state, GomokuState)
            yield state


def candidates(state: GomokuState, mode: str) -> float:
    """Number of moves that a search chooses from."""
    moves = state.moves()
    if mode == "off":
        return len(moves)
    weights = StoneProximity()(state, state.player, moves, mode == "hard")
    if mode == "hard":
        return sum(weight > 0 for weight in weights)
    total = math.fsum(weights)
    shares = [weight / total for weight in weights if weight > 0]
    return math.exp(-math.fsum(each * math.log(each) for each in shares))


def bot(search: str, mode: str, budget: dict[str, str], more: str) -> str:
    """A bot spec."""
    own = Spec.parse(f"{search}:{more}").options if more else {}
    return str(Spec(search, {**budget, "proximity": mode, **own}))


class Reached:
    """Result of a search in the exam."""

    budget: int | None = None
    right: float = 0.0


def budgets_to_target(options: argparse.Namespace) -> dict[tuple[str, str], Reached]:
    """By search and mode, the smallest budget that reaches the target, and the share at the last one."""
    found = {(search, mode): Reached() for search in SEARCHES for mode in MODES}
    budget = FIRST_BUDGET
    while budget <= options.most:
        left = [key for key, reached in found.items() if reached.budget is None]
        specs = [bot(search, mode, {SEARCHES[search]: str(budget)}, options.more) for search, mode in left]
        if not specs:
            break
        exam = Exam("gomoku", None, specs, positions=options.questions, seed=options.seed)
        for _ in exam.run(processes=options.processes):
            pass
        for key, spec in zip(left, exam.bots, strict=True):
            marks = exam.score(spec, *exam.exact)
            right = wilson(marks.kept, marks.asked)
            print(
                f"{spec}: {right.value:.1%} [{right.low:.1%}, {right.high:.1%}]", file=sys.stderr, flush=True
            )
            found[key].right = right.value
            if right.value >= options.target:
                found[key].budget = budget
        budget *= 2
    return found


def agreement(search: str, states: list[GomokuState], more: str) -> dict[str, float]:
    """By mode, how often the move agrees with a long search without proximity."""
    unit = SEARCHES[search]
    long = {unit: str(LONGER * int(EQUAL[unit]))}
    wanted = choices(bot(search, "off", long, more), states)
    found = {mode: choices(bot(search, mode, {unit: EQUAL[unit]}, more), states) for mode in MODES}
    return {mode: mean(map(eq, moves, wanted)) if states else math.nan for mode, moves in found.items()}


def choices(spec: str, states: list[GomokuState]) -> list[Move]:
    """The moves that a bot plays."""
    made = make_bot(Spec.parse(spec).with_options({"seed": "1"}), "gomoku")
    return [made.choose(state) for state in states]


def contests(search: str, mode: str, more: str) -> dict[str, tuple[str, str]]:
    """The bots of both matches against `off`, keyed by what is equal."""
    budgets = {name: {name: EQUAL[name]} for name in (SEARCHES[search], "seconds")}
    return {
        name: (bot(search, mode, budget, more), bot(search, "off", budget, more))
        for name, budget in budgets.items()
    }


def elo(bots: tuple[str, str], options: argparse.Namespace) -> str:
    """Elo of the first bot with its interval, or else print the match command."""
    if not options.games:
        print(f"tesuji match gomoku {bots[0]} {bots[1]} --games 200 --seed {options.seed}", file=sys.stderr)
        return "–"
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "games.db") as store:
        match = Match(Pairing("gomoku", bots, seed=options.seed), Goal(games=options.games), store)
        for _ in match.play(processes=options.processes):
            pass
        return format_estimate(match.counts.elo())


def main(arguments: list[str] | None = None) -> None:
    """Print the table; progress goes to standard error."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--questions", type=int, default=300, help="questions of the exam")
    parser.add_argument("--target", type=float, default=0.95, help="share of right answers")
    parser.add_argument("--most", type=int, default=51_200, help="largest budget in the exam")
    parser.add_argument("--agree", type=int, default=60, help="positions for the agreement")
    parser.add_argument("--games", type=int, default=0, help="games per match (even)")
    parser.add_argument("--with", dest="more", default="", metavar="OPTIONS", help="options for every bot")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=cores())
    options = parser.parse_args(arguments)
    states = list(positions(GAMES, options.seed))
    quiet = [state for state in states if PatternThreats()(state, state.player) is None]
    asked = random.Random(options.seed).sample(quiet, min(options.agree, len(quiet)))
    reached = budgets_to_target(options)
    rows = []
    for search in SEARCHES:
        agrees = agreement(search, asked, options.more)
        for mode in MODES:
            matches = contests(search, mode, options.more).values() if mode != "off" else ()
            budget = reached[search, mode].budget
            rows.append(
                [
                    f"`{search}`",
                    mode,
                    f"{mean(candidates(state, mode) for state in states):.1f}",
                    f"over {options.most:,}" if budget is None else f"{budget:,}",
                    f"{reached[search, mode].right:.1%}",
                    f"{agrees[mode]:.0%}",
                    *([elo(bots, options) for bots in matches] or ["0", "0"]),
                ]
            )
    extra = f", {options.more}" if options.more else ""
    counts = f"{len(states)} positions, agreement of {len(asked)}, {options.questions} questions"
    print(f"Candidates of {counts}{extra}.")
    heads = ["search", "proximity", "candidates", f"budget to {options.target:.0%}", "right", "agreement"]
    heads += ["Elo, equal budget", "Elo, equal time"]
    for cells in ([], heads, ["---"] * len(heads), *rows):
        print(f"| {' | '.join(cells)} |" if cells else "")


if __name__ == "__main__":
    main()
