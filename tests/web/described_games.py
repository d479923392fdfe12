"""Games whose boards the page draws from `board()`, or from `svg()` with `data-move`."""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import tesuji
from tesuji.board import Board, Cell, Colour, Hand, Label, Layout, Piece, points

sys.path.insert(0, str(Path(__file__).parents[2]))
from examples import breakthrough, reversi, yavalath  # noqa: F401

NAUGHTY = "<img src=x onerror='window.pwned = 1'>"
COLOURS: tuple[Colour, Colour] = ("red", "blue")


@dataclass(frozen=True)
class DropState:
    """A position of Drops: piece and player on each taken point, and both hands."""

    placed: tuple[tuple[str, str, int], ...] = ()
    player: int = 0

    def hand(self, player: int) -> dict[str, int]:
        used = [kind for _, kind, owner in self.placed if owner == player]
        return {"pawn": 2 - used.count("pawn"), "king": 1 - used.count("king")}

    def moves(self) -> list[tuple[str, str]]:
        taken = {cell for cell, _, _ in self.placed}
        free = [cell.name for cell in DROPS.cells if cell.name not in taken]
        return [(kind, cell) for kind, left in self.hand(self.player).items() if left for cell in free]

    def play(self, move: tuple[str, str]) -> DropState:
        kind, cell = move
        return DropState((*self.placed, (cell, kind, self.player)), 1 - self.player)

    def scores(self) -> tuple[float, float] | None:
        return None if self.moves() else (0.5, 0.5)

    def text(self, move: tuple[str, str]) -> str:
        return "@".join(move)

    def board(self) -> Board:
        hands = [
            Hand(
                f"{COLOURS[player]} hand",
                {
                    f"{kind} of {COLOURS[player]}": Piece(
                        COLOURS[player], "pawn" if kind == "pawn" else "king", count=left
                    )
                    for kind, left in self.hand(player).items()
                },
                player,
            )
            for player in (0, 1)
        ]
        pieces = {
            cell: Piece(COLOURS[owner], "pawn" if kind == "pawn" else "king")
            for cell, kind, owner in self.placed
        }
        return Board(DROPS, pieces, hands=hands, players=COLOURS)

    def clicks(self, move: tuple[str, str]) -> tuple[str, str]:
        return f"{move[0]} of {COLOURS[self.player]}", move[1]


DROPS = points(3, 3)


@tesuji.register_game("drops")
class Drops:
    """Drop pieces from the hand onto nine points."""

    def start(self) -> DropState:
        return DropState()


@dataclass(frozen=True)
class DuelState:
    """A position of Duel: the cards of both players, and the cards played."""

    hands: tuple[tuple[int, ...], tuple[int, ...]]
    played: tuple[int, ...] = ()

    @property
    def player(self) -> int:
        return len(self.played) % 2

    def moves(self) -> list[int]:
        return list(self.hands[self.player]) if len(self.played) < 2 else []

    def play(self, move: int) -> DuelState:
        left = tuple(card for card in self.hands[self.player] if card != move)
        hands = (left, self.hands[1]) if self.player == 0 else (self.hands[0], left)
        return DuelState(hands, (*self.played, move))

    def scores(self) -> tuple[float, float] | None:
        if len(self.played) < 2:
            return None
        return (1.0, 0.0) if self.played[0] > self.played[1] else (0.0, 1.0)

    def view(self, player: int) -> tuple[Any, ...]:
        return self.hands[player], self.played

    def determinize(self, player: int, rng: random.Random) -> DuelState:
        known = {*self.hands[player], *self.played}
        other = sorted(
            rng.sample([card for card in range(1, 7) if card not in known], len(self.hands[1 - player]))
        )
        return replace(
            self, hands=(self.hands[0], tuple(other)) if player == 0 else (tuple(other), self.hands[1])
        )

    def board(self, viewer: int | None) -> Board:
        over = self.scores() is not None

        def cards(player: int) -> dict[str, Piece]:
            if over or player == viewer:
                return {f"card {card}": Piece("red", "card", text=f"{card}♥") for card in self.hands[player]}
            return {
                f"closed {player} {place}": Piece(shape="back") for place in range(len(self.hands[player]))
            }

        hands = [Hand(f"Player {player}", cards(player), player) for player in (0, 1)]
        pieces = {
            f"played {seat}": Piece("red", "card", text=f"{card}♥") for seat, card in enumerate(self.played)
        }
        return Board(TABLE, pieces, hands=hands, players=COLOURS, surface="green")

    def clicks(self, move: int) -> tuple[str, ...]:
        return (f"card {move}",)


TABLE = Layout([Cell(f"played {seat}", 1.2 * seat, 0, "card", text="empty") for seat in (0, 1)])


@tesuji.register_game("duel")
class Duel:
    """Both play a card; the higher one wins."""

    def start(self, seed: int = 0) -> DuelState:
        dealt = random.Random(seed).sample(range(1, 7), 4)
        return DuelState((tuple(sorted(dealt[:2])), tuple(sorted(dealt[2:]))))


@dataclass(frozen=True)
class PathState:
    """A position of Paths: who moves, and the last move."""

    player: int = 0
    left: int = 6

    def moves(self) -> list[str]:
        return ["straight", "curved", "twin-1", "twin-2", "rest"] if self.left else []

    def play(self, move: str) -> PathState:
        return PathState(1 - self.player, self.left - 1)

    def scores(self) -> tuple[float, float] | None:
        return None if self.left else (0.5, 0.5)

    def board(self) -> Board:
        pieces = {
            "α": Piece("yellow", "diamond", text="7"),
            "β": Piece("grey", "text", text=NAUGHTY, label=NAUGHTY),
        }
        marks: Any = {"γ": "ring", "δ": "dot"}
        return Board(PATHS, pieces, marks, players=("purple", "orange"), surface="blue")

    def clicks(self, move: str) -> tuple[str, ...]:
        return {"straight": ("α", "β", "γ"), "curved": ("α", "γ", "β"), "rest": ()}.get(move, ("δ",))


PATHS = Layout(
    [
        Cell("α", 0, 0, "circle", colour="green"),
        Cell("β", 2, 0.4, "circle"),
        Cell("γ", 4, 0, "circle", text=NAUGHTY),
        Cell("δ", 2, 2, "circle", shade=2),
    ],
    lines=[("α", "β", "γ"), ("β", "δ")],
    labels=[Label(NAUGHTY, 2, -1)],
)


@tesuji.register_game("paths")
class Paths:
    """Click one, two or three circles <img src=x onerror='window.pwned = 1'>."""

    title = NAUGHTY

    def start(self) -> PathState:
        return PathState()


@dataclass(frozen=True)
class PictureState:
    """A position of Picture: the squares that are taken."""

    taken: frozenset[int] = frozenset()

    @property
    def player(self) -> int:
        return len(self.taken) % 2

    def moves(self) -> list[int]:
        return [place for place in range(5) if place not in self.taken] if len(self.taken) < 5 else []

    def play(self, move: int) -> PictureState:
        return PictureState(self.taken | {move})

    def scores(self) -> tuple[float, float] | None:
        return None if self.moves() else (1.0, 0.0)

    def text(self, move: int) -> str:
        return "abcde"[move]

    def svg(self) -> str:
        """Squares a to d can be clicked; e is only a button. The rest must not run."""
        squares = "".join(
            f'<g data-move="{"abcd"[place]}" onclick="window.pwned = 1" data-cell="x" tabindex="5">'
            f'<rect x="{60 * (place % 2)}" y="{60 * (place // 2)}" width="50" height="50" '
            f'fill="{"grey" if place in self.taken else "gold"}"/></g>'
            for place in range(4)
        )
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-5 -5 120 120" role="img" '
            'onload="window.pwned = 1">'
            f"<script>window.pwned = 1</script>{squares}"
            "<foreignObject><body xmlns='http://www.w3.org/1999/xhtml'>"
            "<img src='x' onerror='window.pwned = 1'/></body></foreignObject>"
            "<a href='javascript:window.pwned = 1'><circle r='4'/></a>"
            "<animate attributeName='href' to='javascript:window.pwned = 1'/></svg>"
        )


@tesuji.register_game("picture")
class Picture:
    """Take squares in a picture."""

    def start(self) -> PictureState:
        return PictureState()


@tesuji.register_game("unseen")
class Unseen:
    """A game without any picture."""

    def start(self) -> UnseenState:
        return UnseenState()


class UnseenState:
    """A position of Unseen."""

    def __init__(self, left: tuple[tuple[int, int], ...] = tuple(combinations(range(3), 2))) -> None:
        self.left, self.player = left, len(left) % 2

    def moves(self) -> list[tuple[int, int]]:
        return list(self.left)

    def play(self, move: tuple[int, int]) -> UnseenState:
        return UnseenState(tuple(one for one in self.left if one != move))

    def scores(self) -> tuple[float, float] | None:
        return None if self.left else (0.5, 0.5)
