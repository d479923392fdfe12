"""Small games in plain Python, each made to show one thing about a search."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tesuji.any_game import State

Scores = tuple[float, ...]


@dataclass(frozen=True)
class Rules:
    """A game that starts from a given position."""

    first: State
    players: int = 2

    def start(self) -> State:
        return self.first


@dataclass(frozen=True)
class Choice:
    """A position of a game written out as a tree: who moves, and where each move leads."""

    player: int
    then: Mapping[str, Choice | Scores]


class Tree:
    """A game given as a tree of choices, with scores as its leaves."""

    def __init__(self, node: Choice | Scores) -> None:
        self.node = node

    @property
    def player(self) -> int:
        return self.node.player if isinstance(self.node, Choice) else 0

    def moves(self) -> Sequence[str]:
        return list(self.node.then) if isinstance(self.node, Choice) else []

    def play(self, move: str) -> Tree:
        assert isinstance(self.node, Choice)
        return Tree(self.node.then[move])

    def scores(self) -> Scores | None:
        return None if isinstance(self.node, Choice) else self.node


WIN, DRAW, LOSS = (1.0, 0.0), (0.5, 0.5), (0.0, 1.0)
"""A finished game as player 0 sees it."""


@dataclass(frozen=True)
class Nim:
    """Take one to three from a pile; taking the last one wins. Leaving a multiple of four wins."""

    pile: int
    player: int = 0

    def moves(self) -> Sequence[int]:
        return range(1, min(3, self.pile) + 1)

    def play(self, move: int) -> Nim:
        return Nim(self.pile - move, 1 - self.player)

    def scores(self) -> Scores | None:
        return None if self.pile else (LOSS if self.player == 0 else WIN)

    def key(self) -> tuple[int, int]:
        return self.pile, self.player


@dataclass
class Fields:
    """Each takes a number in turn, the larger sum wins; with lists and dictionaries a search could spoil."""

    numbers: list[int] = field(default_factory=lambda: [1, 2, 3, 4, 5, 6])
    hands: dict[int, list[int]] = field(default_factory=lambda: {0: [], 1: []})
    phase: str = "opening"
    result: list[float] | None = None
    player: int = 0

    def moves(self) -> Sequence[int]:
        return self.numbers

    def play(self, move: int) -> Fields:
        hands = {player: list(hand) for player, hand in self.hands.items()}
        hands[self.player].append(move)
        left = [number for number in self.numbers if number != move]
        sums = sum(hands[0]), sum(hands[1])
        result = None if left else [float(sums[0] > sums[1]), float(sums[1] > sums[0])]
        return Fields(left, hands, "endgame" if len(left) < 4 else "opening", result, 1 - self.player)

    def scores(self) -> Sequence[float] | None:
        return self.result


@dataclass(frozen=True)
class Bits:
    """Say 0 or 1 in turn; an even number of ones wins for player 0. Endings and calls are noted."""

    length: int
    endings: list[str]
    calls: list[str]
    said: str = ""

    @property
    def player(self) -> int:
        return len(self.said) % 2

    def moves(self) -> Sequence[str]:
        self.calls.append("moves")
        return "01" if len(self.said) < self.length else ""

    def play(self, move: str) -> Bits:
        self.calls.append("play")
        after = Bits(self.length, self.endings, self.calls, self.said + move)
        if len(after.said) == self.length:
            self.endings.append(after.said)
        return after

    def scores(self) -> Scores | None:
        self.calls.append("scores")
        if len(self.said) < self.length:
            return None
        return LOSS if self.said.count("1") % 2 else WIN


@dataclass(frozen=True)
class Walk:
    """Step left or right on a ring, for ever; a game that only a limit on its length ends, as a draw."""

    limit: int
    place: int = 0
    ply: int = 0
    one_way: bool = False
    pause: float = 0.0

    @property
    def player(self) -> int:
        return self.ply % 2

    def moves(self) -> Sequence[int]:
        if self.ply == self.limit:
            return ()
        return (1,) if self.one_way else (-1, 1)

    def play(self, move: int) -> Walk:
        if self.pause:
            time.sleep(self.pause)
        return Walk(self.limit, (self.place + move) % 12, self.ply + 1, self.one_way, self.pause)

    def scores(self) -> Scores | None:
        return DRAW if self.ply == self.limit else None


class RulesBroke(Exception):
    """Raised by the rules of `Broken`, and by nothing else."""


@dataclass(frozen=True)
class Broken:
    """A game whose rules raise in one of their methods, a few plies down."""

    method: str
    ply: int = 0

    @property
    def player(self) -> int:
        self._perhaps_raise("player")
        return self.ply % 2

    def moves(self) -> Sequence[int]:
        self._perhaps_raise("moves")
        return range(3) if self.ply < 8 else ()

    def play(self, move: int) -> Broken:
        self._perhaps_raise("play")
        return Broken(self.method, self.ply + 1)

    def scores(self) -> Scores | None:
        self._perhaps_raise("scores")
        return DRAW if self.ply == 8 else None

    def _perhaps_raise(self, method: str) -> None:
        if method == self.method and self.ply == 4:
            raise RulesBroke(f"{method} at ply {self.ply}")
