"""How bots use their time, and whether they overrun it.

    python benchmarks/clocks.py hex:size=7 gomoku onitama --clock 10 --clock 60 --clock 10+0.1 --busy 4
    python benchmarks/clocks.py --gomocup --clock 10 --games 4
    python benchmarks/clocks.py --gomocup --turn 100 --busy 4

Plays whole games, in the arena between two equal bots, or with `--gomocup` between two `pbrain-tesuji`
processes, timed as managers do, from command to answer. Games start from an even opening where the game has
some. Prints the share of the clock that was used (increments included; mean, minimum and maximum), how much
of it went to the first half of a player's moves, and the games lost on time. `--busy N` runs N other
processes at the same time.

With `--turn MS` there is a limit per move instead of a clock; prints the times of the answers.
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import os
import statistics
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import tesuji
from tesuji.adapter import full_game
from tesuji.arena.playing import Task, play
from tesuji.arena.time_control import GameClock, TimeControl
from tesuji.records.record import LOST_ON_TIME

PBRAIN = str(Path(sysconfig.get_path("scripts")) / "pbrain-tesuji")


class Used(NamedTuple):
    """The moves of one player in one game, in seconds, and whether the clock ran out."""

    moves: list[float]
    lost: bool


def in_arena(game: str, bot: str | None, control: TimeControl, seed: int) -> list[Used]:
    """Play a game in the arena; returns the players' times."""
    rules: Any = tesuji.game(game)
    spec = str(bot or getattr(rules, "default_bot", "mcts"))
    players = full_game(rules).players
    openings = tuple(getattr(rules, "openings", ())) or ("",)
    opening = tuple(openings[seed % len(openings)].split())
    record = play(Task(game=game, players=(spec,) * players, seed=seed, opening=opening, clock=control))
    moves = [
        [note.seconds for note in record.notes if note is not None and note.player == player]
        for player in range(players)
    ]
    if record.fault and LOST_ON_TIME not in record.fault:
        raise RuntimeError(record.fault)
    scores = record.scores or ()
    return [Used(own, bool(record.fault) and score == 0) for own, score in zip(moves, scores, strict=True)]


class Engine:
    """A `pbrain-tesuji` process whose answers are timed."""

    def __init__(self, size: int, bot: str | None, info: Sequence[str]) -> None:
        command = [PBRAIN, *(["--bot", bot] if bot else [])]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.moves: list[float] = []
        self._ask(f"START {size}")
        self._send(*(f"INFO {line}" for line in info))

    def move(self, *lines: str) -> tuple[int, int]:
        """Send the lines and return the answer."""
        began = time.monotonic()
        x, y = self._ask(*lines).split(",")
        self.moves.append(time.monotonic() - began)
        return int(x), int(y)

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin and self._process.stdout
        with contextlib.suppress(OSError):
            self._send("END")
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()

    def _send(self, *lines: str) -> None:
        assert self._process.stdin
        self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())

    def _ask(self, *lines: str) -> str:
        assert self._process.stdout
        self._send(*lines)
        return self._process.stdout.readline().decode()


def over_gomocup(
    game: str, bot: str | None, control: TimeControl | None, turn: int | None, seed: int
) -> list[Used]:
    """Play Gomoku between two engines; returns the times of each."""
    rules: Any = tesuji.game(game)
    size = rules.size
    state: Any = tesuji.replay(rules, rules.openings[seed % len(rules.openings)])
    info = [] if control is None else [f"timeout_match {1000 * control.seconds:.0f}"]
    info += [] if turn is None else [f"timeout_turn {turn}"]
    clocks = None if control is None else GameClock(control, rules)
    lost = [False, False]
    engines = [Engine(size, bot, info) for _ in range(2)]
    try:
        while state.scores() is None and not any(lost):
            player, history = state.player, list(state.history)
            engine = engines[player]
            lines = [] if clocks is None else [f"INFO time_left {1000 * clocks.left[player]:.0f}"]
            stones = [
                f"{move % size},{size - 1 - move // size},{1 if number % 2 == len(history) % 2 else 2}"
                for number, move in enumerate(history)
            ]
            x, y = engine.move(*lines, "BOARD", *stones, "DONE")
            if clocks is not None:
                lost[player] = not clocks.spend(player, engine.moves[-1])
            elif turn is not None:
                lost[player] = engine.moves[-1] > turn / 1000
            state = state.play((size - 1 - y) * size + x)
    finally:
        for engine in engines:
            engine.close()
    return [Used(engine.moves, over) for engine, over in zip(engines, lost, strict=True)]


@contextlib.contextmanager
def busy(count: int) -> Iterator[None]:
    """Keep this many other processes busy."""
    others = [multiprocessing.Process(target=_work, daemon=True) for _ in range(count)]
    for other in others:
        other.start()
    try:
        yield
    finally:
        for other in others:
            other.terminate()
            other.join()


def _work() -> None:
    while True:
        sum(range(10_000))


def clock_line(control: TimeControl, used: list[Used]) -> str:
    """The use of the clock, in one line."""
    parts = [sum(own.moves) / (control.seconds + control.increment * len(own.moves)) for own in used]
    halves = [sum(own.moves[: (len(own.moves) + 1) // 2]) / (sum(own.moves) or 1.0) for own in used]
    moves = [len(own.moves) for own in used]
    return (
        f"used {statistics.mean(parts):.0%} ({min(parts):.0%} to {max(parts):.0%}), "
        f"{statistics.mean(halves):.0%} of it in the first half, {min(moves)} to {max(moves)} moves, "
        f"{sum(own.lost for own in used)} lost on time"
    )


def turn_line(turn: int, used: list[Used]) -> str:
    """The times of the answers, in one line."""
    took = sorted(1000 * seconds for own in used for seconds in own.moves)
    late = sum(milliseconds > turn for milliseconds in took)
    return (
        f"{len(took)} answers: median {statistics.median(took):.0f} ms, "
        f"99 % within {took[int(0.99 * len(took)) - 1]:.0f} ms, longest {took[-1]:.0f} ms, {late} late"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; exit code 1 if a game was lost on time."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", nargs="*", help="specs of games; hex:size=7, or gomoku with --gomocup")
    parser.add_argument("--clock", action="append", type=TimeControl.parse, help="10 if not given")
    parser.add_argument("--turn", type=int, help="milliseconds per move; with --gomocup")
    parser.add_argument("--games", type=int, default=4, help="of each game with each clock")
    parser.add_argument("--bot", help="who plays; the game's own bot if not given")
    parser.add_argument("--busy", type=int, default=0, help="processes that compute beside it")
    parser.add_argument("--gomocup", action="store_true", help="play over the Gomocup protocol")
    given = parser.parse_args(arguments)
    if given.turn is not None and not given.gomocup:
        parser.error("--turn goes with --gomocup")

    lost = False
    controls: list[TimeControl | None] = (
        [None] if given.turn is not None else given.clock or [TimeControl(10)]
    )
    print(f"{given.busy} busy processes, {os.cpu_count()} cores", flush=True)
    with busy(given.busy):
        for game in given.game or ["gomoku" if given.gomocup else "hex:size=7"]:
            for control in controls:
                used: list[Used] = []
                for seed in range(given.games):
                    if given.gomocup or control is None:
                        used += over_gomocup(game, given.bot, control, given.turn, seed)
                    else:
                        used += in_arena(game, given.bot, control, seed)
                line = turn_line(given.turn, used) if control is None else clock_line(control, used)
                print(f"{game} {control or f'{given.turn} ms'}: {line}", flush=True)
                lost |= any(own.lost for own in used)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
