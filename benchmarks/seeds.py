"""Measure each technique on and off, in a few minutes on two cores; prints Markdown tables.

    python benchmarks/seeds.py [hex gofish candidates selfplay exam features] [--games 40]

hex, gofish: matches of 50 iterations per move between the bot with a technique and without it: points, moves
and seconds of processor time per game of both; in Hex also games of the bot against itself by board size.
candidates: moves that a search of Gomoku chooses from, by the form of proximity. selfplay: positions per
second of a small network's self-play on 9×9 for each form, and the share of moves far from all stones and on
the border. exam: simulations, by doubling, until 95 % of the exam of Gomoku are right. features: log-loss and
accuracy of a linear value of Onitama by its set of features.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import fmean

import tesuji

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.common import table
from tesuji.arena.elo import PairCounts
from tesuji.arena.exam import Exam
from tesuji.arena.playing import Task, play
from tesuji.games.gomoku import GomokuState
from tesuji.games.gomoku.knowledge import PROXIMITIES, StoneProximity

ITERATIONS = 50
HEX = {
    "move ordering": ("", "move_ordering=off"),
    "RAVE": ("rave=node", "rave=off"),
    "RAVE, one table": ("rave=global", "rave=off"),
    "threat response": ("threat_response=game", "threat_response=off"),
    "threat response at the root": ("threat_response=root", "threat_response=off"),
    "playout policy": ("", "playout_policy=off"),
    "exploration by stage": ("exploration=game", "exploration=1.4142"),
    "gradient objectives": ("playout_depth=4", "playout_depth=4,value=boolean"),
    "all of the above": ("threat_response=game", "knowledge=off,rave=off"),
}
"""Options of the bot with each technique and without it, on 11×11."""
SIZES = (5, 7, 9, 11)
"""Boards of Hex for games of the bot against itself."""
GOFISH = {
    "RAVE": ("rave=global", "rave=off"),
    "move ordering": ("", "move_ordering=off"),
    "all knowledge": ("", "knowledge=off"),
}
FEATURE_SETS = {
    "all": (),
    "without piece squares": ("students_*", "master_edge*", "master_wing*", "master_middle*"),
    "without threats": ("*threat*", "*hanging*", "*capture*", "*escape*"),
    "without mobility": ("*legal_moves",),
}
FORMS = ("off", "soft", "hard", "filter", "narrow", "edge")
"""Forms of proximity."""
SELFPLAY = {
    "net": "resnet:blocks=2,channels=16",
    **{"games": "32", "threads": "1", "network_threads": "1", "positions": "2000", "visits": "32"},
    **{"fast_visits": "8", "opening_plies": "4", "batch": "128", "prover": "off"},
    **{"ladder_games": "off", "checkpoint_every": "1000000"},
}


def spec(options: str, seed: int) -> str:
    """A bot of `ITERATIONS` per move, without the prover, which would decide most of these games alone."""
    return f"mcts:iterations={ITERATIONS},seed={seed},prover=off{',' if options else ''}{options}"


def contest(game: str, with_it: str, without: str, games: int) -> list[str]:
    """Points of the bot with the technique, Elo, moves and seconds per game; every start is played twice."""
    points = [0, 0, 0, 0, 0]
    moves, began = 0, time.process_time()
    for pair in range(games // 2):
        score = 0.0
        for seat in (0, 1):
            bots = (spec(with_it, 2 * pair), spec(without, 2 * pair + 1))
            opening = random_opening(game, pair)
            record = play(Task(game=game, players=bots[:: 1 - 2 * seat], seed=pair, opening=opening))
            moves += len(record.moves)
            assert record.scores is not None
            score += record.scores[seat]
        points[round(2 * score)] += 1
    seconds = time.process_time() - began
    counts = PairCounts((points[0], points[1], points[2], points[3], points[4]))
    return [
        f"{counts.points:g} of {counts.games}",
        counts.elo().text(".1f", margin=True),
        f"{moves / games:.1f}",
        f"{seconds / games:.3f}",
    ]


def itself(game: str, games: int) -> list[str]:
    """The bot with all techniques on both sides: wins of the first player, moves and seconds per game."""
    wins, moves, began = 0.0, 0, time.process_time()
    for seed in range(games):
        bots = tuple(spec(HEX["all of the above"][0], 2 * seed + seat) for seat in (0, 1))
        record = play(Task(game=game, players=bots, seed=seed))
        assert record.scores is not None
        wins += record.scores[0]
        moves += len(record.moves)
    seconds = time.process_time() - began
    return [f"{wins / games:.1%}", f"{moves / games:.1f}", f"{seconds / games:.3f}"]


def random_opening(game: str, seed: int) -> tuple[str, ...]:
    """One random first stone; none where the deal differs by the seed."""
    if game == "gofish":
        return ()
    state = tesuji.game(game).start()
    return (state.text(random.Random(seed).choice(state.moves())),)


def measure_hex(options: argparse.Namespace) -> None:
    """Techniques in Hex 11×11."""
    print(f"Hex 11×11, {ITERATIONS} iterations per move, with the technique against without it\n")
    rows = [[name, *contest("hex", *pair, options.games)] for name, pair in HEX.items()]
    print(table(["technique", "points", "Elo", "moves per game", "seconds per game"], rows))
    print(f"Hex, {ITERATIONS} iterations per move, all techniques against themselves from the empty board\n")
    rows = [[f"{size}×{size}", *itself(f"hex:size={size}", options.games)] for size in SIZES]
    print(table(["board", "first player wins", "moves per game", "seconds per game"], rows))


def measure_gofish(options: argparse.Namespace) -> None:
    """Techniques in Go Fish."""
    games = max(2, options.games // 2)
    print(f"Go Fish, {ITERATIONS} iterations per move, {games} games\n")
    rows = [[name, *contest("gofish", *pair, games)] for name, pair in GOFISH.items()]
    print(table(["technique", "points", "Elo", "moves per game", "seconds per game"], rows))


def measure_candidates(options: argparse.Namespace) -> None:
    """Candidates per position of Gomoku by form of proximity."""
    states: list[GomokuState] = []
    for seed in range(max(1, options.games // 4)):
        record = play(Task(game="gomoku", players=("greedy", "mcts:iterations=100"), seed=seed))
        for ply in range(6, len(record.moves), 4):
            state = tesuji.replay("gomoku", " ".join(record.moves[:ply]))
            assert isinstance(state, GomokuState)
            states.append(state)
    forms = {"off": None, "hard": StoneProximity(), **PROXIMITIES}
    rows = []
    for name, hook in forms.items():
        if name == "edge":  # excludes nothing
            continue
        counts = [
            len(state.moves())
            if hook is None
            else sum(weight > 0 for weight in hook(state, state.player, state.moves(), True))
            for state in states
        ]
        rows.append([name, f"{fmean(counts):.1f}", f"{min(counts)} to {max(counts)}"])
    print(f"Gomoku 15×15: candidates in {len(states)} positions of games from the seventh move on\n")
    print(table(["proximity", "mean", "range"], rows))


def measure_selfplay(options: argparse.Namespace) -> None:
    """Speed of self-play, and distant and border moves, by form of proximity."""
    from tesuji.learn.zero.metrics import read_metrics
    from tesuji.learn.zero.train import Training

    rows = []
    for form in FORMS:
        with tempfile.TemporaryDirectory() as folder:
            given = {**SELFPLAY, "proximity": form, "seed": "1"}
            run = Training(tesuji.game("gomoku:size=9"), Path(folder), given=given, device="cpu")
            began = time.process_time()
            run.run(iterations=options.iterations)
            seconds = time.process_time() - began
            found = read_metrics(Path(folder))
        last = found[-1]
        rows.append(
            [form, f"{last['positions'] / seconds:,.0f}", f"{last['distant']:.1%}", f"{last['border']:.1%}"]
        )
    print(f"Gomoku 9×9: {options.iterations} iterations of training with a small network from nothing\n")
    print(table(["proximity", "positions per second", "distant moves", "border moves"], rows))


def measure_exam(options: argparse.Namespace) -> None:
    """The simulations that 95 % of the exam need, by form of proximity, with other knowledge and without."""
    others = ("", ",move_ordering=off,threat_response=off")
    left = [(form, other) for form in FORMS for other in others]
    found, budget = {}, 25
    while left:
        bots = [f"mcts:iterations={budget},proximity={form},prover=off{other}" for form, other in left]
        exam = Exam("gomoku", None, bots, positions=options.questions, seed=1)
        for _ in exam.run(processes=options.processes):
            pass
        for key, bot in zip(tuple(left), exam.bots, strict=True):
            marks = exam.score(bot, *exam.exact)
            right = marks.kept / marks.asked
            if right >= 0.95 or budget >= options.most:
                left.remove(key)
                found[key] = f"{'' if right >= 0.95 else 'over '}{budget:,} ({right:.1%})"
        print(f"{budget} simulations: {len(left)} left", file=sys.stderr, flush=True)
        budget *= 2
    print(f"Gomoku: simulations until 95 % of {options.questions} questions of the exam are right\n")
    rows = [[form, *(found[form, other] for other in others)] for form in FORMS]
    print(table(["proximity", "with ordering and threat response", "without"], rows))


def measure_features(options: argparse.Namespace) -> None:
    """Log-loss and accuracy of a linear value of Onitama by feature set."""
    from tesuji.learn.linear import LinearValue

    games = [
        play(Task(game="onitama", players=("mcts:iterations=100", "mcts:iterations=60"), seed=seed))
        for seed in range(5 * options.games)
    ]
    rows = []
    for name, without in FEATURE_SETS.items():
        value = LinearValue(gamma=0.97, l1=0.0, l2=(0.1, 10.0), without=without).fit(games)
        chosen = min(value.losses_, key=lambda row: row.mean)
        assert value.accuracy_ is not None
        rows.append([name, f"{chosen.mean:.4f} ± {chosen.error:.4f}", f"{value.accuracy_:.1%}"])
    rows.append(["bias alone", f"{value.baseline_.mean:.4f}", "–"])
    print(f"Onitama: linear value from {len(games)} games, weighted log-loss on held-out games\n")
    print(table(["features", "log-loss", "accuracy"], rows))


MEASURES: dict[str, Callable[[argparse.Namespace], None]] = {
    "hex": measure_hex,
    "gofish": measure_gofish,
    "candidates": measure_candidates,
    "selfplay": measure_selfplay,
    "exam": measure_exam,
    "features": measure_features,
}


def main(arguments: list[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("measures", nargs="*", help=f"which tables: {', '.join(MEASURES)} (default: all)")
    parser.add_argument("--games", type=int, default=40, help="games per match of Hex; Go Fish gets half")
    parser.add_argument("--iterations", type=int, default=3, help="iterations of each training")
    parser.add_argument("--questions", type=int, default=100, help="questions of the exam")
    parser.add_argument("--most", type=int, default=6400, help="largest budget in the exam")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args(arguments)
    for name in options.measures or MEASURES:
        if name not in MEASURES:
            parser.error(f"unknown table {name!r} ({', '.join(MEASURES)})")
        MEASURES[name](options)


if __name__ == "__main__":
    main()
