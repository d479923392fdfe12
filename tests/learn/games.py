"""Games to learn from: small Hex by real bots, and tic-tac-toe with features in Python, which has draws."""

from __future__ import annotations

import random
from functools import cache

import numpy as np

import tesuji
from examples.tic_tac_toe import LINES, TicTacToeState
from tesuji.arena.playing import Task, play
from tesuji.features import features_of
from tesuji.learn.dataset import Dataset
from tesuji.records import Record

HEX = "hex:size=4"
NAMES = tuple(features_of(tesuji.game(HEX)).names)


@cache
def hex_games(count: int = 60, game: str = HEX) -> tuple[Record, ...]:
    """Weak players, so that both sides win, and some games are alike."""
    pairs = [("mcts:iterations=20", "random"), ("random", "mcts:iterations=20"), ("random", "random")]
    return tuple(play(Task(game=game, players=pairs[seed % len(pairs)], seed=seed)) for seed in range(count))


class LineState(TicTacToeState):
    """Tic-tac-toe with features: lines that are still open, for me and for the other."""

    __slots__ = ()

    def play(self, move: int) -> LineState:
        after = super().play(move)
        return LineState(after._last, after._next, after.player)

    def features(self, player: int) -> dict[str, float]:
        mine, theirs = (self._next, self._last) if player == self.player else (self._last, self._next)
        return {
            "my-open-lines": float(sum(not theirs & line for line in LINES)),
            "their-open-lines": float(sum(not mine & line for line in LINES)),
            "one": 1.0,
        }


class Lines:
    """The game of it; register it as `lines` where a test needs a spec."""

    def start(self) -> LineState:
        return LineState()


def line_games(count: int = 80) -> list[Record]:
    """Random games, by the rules."""
    found = []
    for seed in range(count):
        rng = random.Random(seed)
        state, moves = LineState(), []
        while state.scores() is None:
            move = rng.choice(state.moves())
            moves.append(state.text(move))
            state = state.play(move)
        found.append(
            Record(
                game="lines", players=("a", "b"), moves=tuple(moves), scores=state.scores(), ending="played"
            )
        )
    return found


def synthetic(games: int = 40, length: int = 12, *, seed: int = 0) -> Dataset:
    """Tables with the names of Hex's features and numbers of our own; some games are draws."""
    rng = np.random.default_rng(seed)
    rows = games * length
    table = rng.standard_normal((rows, len(NAMES))) * rng.uniform(0.1, 5, len(NAMES)) + 3
    strength = (table - 3) @ rng.standard_normal(len(NAMES)) * 0.3
    return Dataset(
        game=HEX,
        names=NAMES,
        version=1,
        table=table,
        scores=np.where(rng.random(rows) < 0.1, 0.5, rng.random(rows) < 1 / (1 + np.exp(-strength))),
        games=np.repeat(np.arange(games, dtype=np.int32), length),
        remaining=np.tile(np.arange(length - 1, -1, -1, dtype=np.int32), games),
        keys=tuple(f"{number:04}" for number in range(games)),
    )
