"""Onitama once more, slowly: straight from the rules, with sets and tuples. The tests compare with it.

Cards are written as their steps, right and forward, one line each; the mirrors of cards are computed.
"""

from __future__ import annotations

from dataclasses import dataclass

Square = tuple[int, int]  # column and row, from Blue's left corner

_BASE = """
Tiger b 0,2 0,-1
Crab b 0,1 2,0 -2,0
Monkey b 1,1 -1,1 1,-1 -1,-1
Crane b 0,1 1,-1 -1,-1
Rabbit b 1,1 2,0 -1,-1
Goose b -1,1 1,0 -1,0 1,-1
Ox b 0,1 1,0 0,-1
Eel b -1,1 1,0 -1,-1
Dragon r 2,1 -2,1 1,-1 -1,-1
Elephant r 1,1 -1,1 1,0 -1,0
Mantis r 1,1 -1,1 0,-1
Boar r 0,1 1,0 -1,0
Frog r = Rabbit
Rooster r = Goose
Horse r = Ox
Cobra r = Eel
"""
_SENSEI = """
Giraffe b 2,1 -2,1 0,-1
Kirin r 1,2 -1,2 0,-2
Phoenix b 1,1 -1,1 2,0 -2,0
Turtle r 2,0 -2,0 1,-1 -1,-1
Dog b -1,1 -1,0 -1,-1
Fox r = Dog
Bear b 0,1 -1,1 1,-1
Panda r = Bear
Viper r 0,1 -2,0 1,-1
SeaSnake b = Viper
Rat r 0,1 -1,0 1,-1
Mouse b = Rat
Iguana r 0,1 -2,1 1,-1
Tanuki b = Iguana
Otter r -1,1 2,0 1,-1
Sable b = Otter
"""
STAMPS: dict[str, int] = {}
STEPS: dict[str, frozenset[tuple[int, int]]] = {}


def _read(table: str) -> list[str]:
    names = []
    for line in table.split("\n"):
        if line:
            name, stamp, *steps = line.lower().split()
            STAMPS[name] = "br".index(stamp)
            if steps[0] == "=":
                STEPS[name] = frozenset((-x, y) for x, y in STEPS[steps[1]])
            else:
                STEPS[name] = frozenset((int(x), int(y)) for x, y in (step.split(",") for step in steps))
            names.append(name)
    return names


BASE = _read(_BASE)
SENSEI = _read(_SENSEI)
TEMPLES: tuple[Square, Square] = ((2, 0), (2, 4))


@dataclass(frozen=True)
class Slow:
    """A position: pieces, cards and the side to move."""

    masters: tuple[Square, Square]
    students: tuple[frozenset[Square], frozenset[Square]]
    hands: tuple[frozenset[str], frozenset[str]]
    side: str
    player: int
    winner: int | None = None

    @classmethod
    def start(cls, cards: str) -> Slow:
        one, two, three, four, side = cards.split("-")
        students = [frozenset((column, row) for column in (0, 1, 3, 4)) for row in (0, 4)]
        hands = (frozenset([one, two]), frozenset([three, four]))
        return cls(TEMPLES, (students[0], students[1]), hands, side, STAMPS[side])

    def pieces(self, player: int) -> frozenset[Square]:
        return self.students[player] | {self.masters[player]}

    def piece_moves(self, player: int) -> list[tuple[str, Square, Square]]:
        found = []
        forward = 1 if player == 0 else -1
        for card in self.hands[player]:
            for column, row in self.pieces(player):
                for x, y in STEPS[card]:
                    target = (column + forward * x, row + forward * y)
                    on_board = 0 <= target[0] < 5 and 0 <= target[1] < 5
                    if on_board and target not in self.pieces(player):
                        found.append((card, (column, row), target))
        return found

    def moves(self) -> set[str]:
        if self.winner is not None:
            return set()
        texts = {f"{card}:{name(start)}{name(end)}" for card, start, end in self.piece_moves(self.player)}
        return texts or {f"{card}:pass" for card in self.hands[self.player]}

    def play(self, text: str) -> Slow:
        card, way = text.split(":")
        me, other = self.player, 1 - self.player
        masters, students = list(self.masters), list(self.students)
        winner = None
        if way != "pass":
            start, end = square(way[:2]), square(way[2:])
            if end == masters[other]:
                winner = me
            students[other] -= {end}
            if start == masters[me]:
                masters[me] = end
                if end == TEMPLES[other]:
                    winner = me
            else:
                students[me] = students[me] - {start} | {end}
        hands = list(self.hands)
        hands[me] = hands[me] - {card} | {self.side}
        return Slow(
            (masters[0], masters[1]), (students[0], students[1]), (hands[0], hands[1]), card, other, winner
        )

    def perft(self, depth: int) -> int:
        if depth == 0 or self.winner is not None:
            return 1
        return sum(self.play(move).perft(depth - 1) for move in self.moves())

    def cells(self) -> bytes:
        """As OnitamaState.cells(); a captured master is not there any more."""
        board = bytearray(25)
        for player in (0, 1):
            if (
                self.winner is None
                or self.winner == player
                or self.masters[player] != self.masters[1 - player]
            ):
                board[self.masters[player][1] * 5 + self.masters[player][0]] = 2 + 2 * player
        for player in (0, 1):
            for column, row in self.students[player]:
                board[row * 5 + column] = 1 + 2 * player
        return bytes(board)


def name(square: Square) -> str:
    return f"{'abcde'[square[0]]}{square[1] + 1}"


def square(text: str) -> Square:
    return "abcde".index(text[0]), int(text[1]) - 1
