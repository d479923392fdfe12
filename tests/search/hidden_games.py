"""Small games with something hidden or left to chance, each made to show one thing about a search."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tests.search.small_games import Nim, Scores, Tree
from tesuji.any_game import CHANCE


class Peeked(Exception):
    """Hidden information was read."""


@dataclass(frozen=True)
class Sealed:
    """A value that only determinized states may read."""

    value: int
    real: bool = True

    def read(self) -> int:
        if self.real:
            raise Peeked("the real value was read")
        return self.value


@dataclass(frozen=True)
class Guess:
    """Seat 0 or 1 guesses a hidden number; right wins. What the search imagines is noted."""

    secret: Sealed
    seat: int = 0
    values: int = 4
    said: int | None = None
    imagined: list[int] = field(default_factory=list, compare=False)

    @property
    def player(self) -> int:
        return self.seat

    def moves(self) -> Sequence[int]:
        return range(self.values) if self.said is None else ()

    def play(self, move: int) -> Guess:
        self.secret.read()
        return replace(self, said=move)

    def scores(self) -> Scores | None:
        if self.said is None:
            return None
        right = float(self.secret.read() == self.said)
        return (right, 1 - right) if self.seat == 0 else (1 - right, right)

    def determinize(self, player: int, rng: random.Random) -> Guess:
        self.imagined.append(rng.randrange(self.values))
        return replace(self, secret=Sealed(self.imagined[-1], real=False))

    def key(self) -> tuple[int, int | None]:
        return self.secret.read(), self.said


@dataclass(frozen=True)
class Draw:
    """Cards lie face down in an order nobody knows; say which comes up next, three times in a row."""

    deck: tuple[int, ...]
    hits: int = 0
    turned: int = 0

    @property
    def player(self) -> int:
        return 0

    def moves(self) -> Sequence[int]:
        return sorted(self.deck) if self.turned < 3 else ()

    def play(self, move: int) -> Draw:
        top, *rest = self.deck
        return Draw(tuple(rest), self.hits + (move == top), self.turned + 1)

    def scores(self) -> Scores | None:
        return None if self.turned < 3 else (self.hits / 3, 1 - self.hits / 3)

    def determinize(self, player: int, rng: random.Random) -> Draw:
        deck = sorted(self.deck)
        rng.shuffle(deck)
        return Draw(tuple(deck), self.hits, self.turned)


@dataclass(frozen=True)
class WhoseTurn:
    """After "stay" a hidden bit decides who chooses next; either would win. "leave" ends the game."""

    leaving: float
    bit: int = 0
    said: str = ""

    @property
    def player(self) -> int:
        return self.bit if self.said == "s" else 0

    def moves(self) -> Sequence[str]:
        return () if self.scores() else ("mine", "yours") if self.said else ("stay", "leave")

    def play(self, move: str) -> WhoseTurn:
        return replace(self, said=self.said + move[0])

    def scores(self) -> Scores | None:
        if self.said == "l":
            return self.leaving, 1 - self.leaving
        if len(self.said) < 2:
            return None
        winner = self.bit if self.said[1] == "m" else 1 - self.bit
        return float(winner == 0), float(winner == 1)

    def determinize(self, player: int, rng: random.Random) -> WhoseTurn:
        return replace(self, bit=rng.randrange(2))


@dataclass(frozen=True)
class Sometimes:
    """One move, and then three of which one is legal half of the time; which were played is counted."""

    played: Counter[str]
    bit: int = 0
    said: str = ""

    @property
    def player(self) -> int:
        return 0

    def moves(self) -> Sequence[str]:
        if self.said == "":
            return ("go",)
        return (
            () if self.said != "go" else ("always", "ever", "sometimes") if self.bit else ("always", "ever")
        )

    def play(self, move: str) -> Sometimes:
        self.played[move] += 1
        return replace(self, said=move)

    def scores(self) -> Scores | None:
        return (0.5, 0.5) if self.said not in ("", "go") else None

    def determinize(self, player: int, rng: random.Random) -> Sometimes:
        return replace(self, bit=rng.randrange(2))


class OpenNim(Nim):
    """Nim with a determinize() that has nothing to imagine: the other search must find the same moves."""

    def play(self, move: int) -> OpenNim:
        return OpenNim(self.pile - move, 1 - self.player)

    def determinize(self, player: int, rng: random.Random) -> OpenNim:
        return OpenNim(self.pile, self.player)


class OpenTree(Tree):
    """A written-out game with a determinize() that has nothing to imagine."""

    def play(self, move: str) -> OpenTree:
        return OpenTree(super().play(move).node)

    def determinize(self, player: int, rng: random.Random) -> OpenTree:
        return OpenTree(self.node)


@dataclass(frozen=True)
class Lottery:
    """Take a sure score, or a ticket; after some plies of waiting it wins with a probability."""

    sure: float
    wins: float
    wait: int = 0
    said: str = ""
    drawn: Counter[str] = field(default_factory=Counter, compare=False)

    @property
    def player(self) -> int:
        return CHANCE if self.said and len(self.said) > self.wait else len(self.said) % 2

    def moves(self) -> Sequence[str]:
        if self.scores() is not None:
            return ()
        if not self.said:
            return "sure", "ticket"
        return ("win", "lose") if self.player == CHANCE else ("hope", "fear")

    def chances(self) -> list[tuple[str, float]]:
        return [("lose", 1 - self.wins), ("win", self.wins)]

    def play(self, move: str) -> Lottery:
        if self.player == CHANCE:
            self.drawn[move] += 1
        return replace(self, said=self.said + move[0])

    def scores(self) -> Scores | None:
        if self.said == "s":
            return self.sure, 1 - self.sure
        if self.said and self.said[-1] in "wl":
            return (1.0, 0.0) if self.said[-1] == "w" else (0.0, 1.0)
        return None
