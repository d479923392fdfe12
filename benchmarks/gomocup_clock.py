"""Whether our Gomocup engine keeps its time beside other work: `python benchmarks/gomocup_clock.py`.

A manager plays games against `pbrain-tesuji`, which has so many milliseconds a turn, while other processes
keep every core busy. It takes the time as managers do, from the line that asks to the line that answers, and
answers at random itself. Shown are the longest answers; one beyond the limit is a game lost on time.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import statistics
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import tesuji

PBRAIN = str(Path(sysconfig.get_path("scripts")) / "pbrain-tesuji")
SIZE = 15


class Manager:
    """Plays games with the engine and notes how long each answer took, in seconds."""

    def __init__(self, command: list[str], turn: int) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self._random = random.Random(1)
        self.answers: list[float] = []
        self._ask(f"START {SIZE}\nINFO timeout_turn {turn}\nRESTART", lines=2)

    def play(self, moves: int) -> None:
        """A game, which ends by itself or after so many of the engine's moves."""
        self._ask("RESTART")
        state = tesuji.game(f"gomoku:size={SIZE}").start()
        ask = "BEGIN"
        for _ in range(moves):
            began = time.monotonic()
            x, y = map(int, self._ask(ask).split(","))
            self.answers.append(time.monotonic() - began)
            state = state.play((SIZE - 1 - y) * SIZE + x)
            if state.scores() is not None:
                return
            move = self._random.choice(state.moves())
            state = state.play(move)
            if state.scores() is not None:
                return
            ask = f"TURN {move % SIZE},{SIZE - 1 - move // SIZE}"

    def close(self) -> None:
        """End the engine."""
        self._ask("END", lines=0)
        self._process.wait()

    def _ask(self, text: str, lines: int = 1) -> str:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(f"{text}\n".encode())
        answer = b""
        for _ in range(lines):
            answer = self._process.stdout.readline()
        return answer.decode()


def _work() -> None:
    while True:
        sum(range(10_000))


def main() -> int:
    """Print the figures; exit code 1 where an answer came too late."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turn", type=int, default=100, help="milliseconds a turn")
    parser.add_argument("--answers", type=int, default=600, help="answers to wait for")
    parser.add_argument(
        "--busy", type=int, default=2 * (os.cpu_count() or 1), help="busy processes beside it"
    )
    parser.add_argument("--bot", help="who plays; the game's own bot where none is given")
    given = parser.parse_args()

    others = [multiprocessing.Process(target=_work, daemon=True) for _ in range(given.busy)]
    for other in others:
        other.start()
    manager = Manager([PBRAIN, *(["--bot", given.bot] if given.bot else [])], given.turn)
    while len(manager.answers) < given.answers:
        manager.play(min(40, given.answers - len(manager.answers)))
    manager.close()
    for other in others:
        other.terminate()

    took = sorted(1000 * seconds for seconds in manager.answers)
    late = sum(milliseconds > given.turn for milliseconds in took)
    print(
        f"{len(took)} answers at {given.turn} ms a turn, {given.busy} busy processes, {os.cpu_count()} cores:"
        f" median {statistics.median(took):.0f} ms, 99 % within {took[int(0.99 * len(took)) - 1]:.0f} ms, "
        f"longest {took[-1]:.0f} ms, {late} late"
    )
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
