"""A second implementation of Hex, by brute force over sets of bits, for comparison."""

from __future__ import annotations

from functools import cache

from tesuji.games.hex import HexState

STEPS = [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1)]


class SlowHex:
    """A board size, with everything that was worked out on it. Positions are the stones of both players."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.cells = size * size
        self.near = [
            sum(
                1 << (row + down) * size + column + right
                for down, right in STEPS
                if 0 <= row + down < size and 0 <= column + right < size
            )
            for row in range(size)
            for column in range(size)
        ]
        top, left = (1 << size) - 1, sum(1 << row * size for row in range(size))
        self.sides = ((top, top << size * (size - 1)), (left, left << size - 1))
        self.mover_wins = cache(self._mover_wins)

    def stones(self, state: HexState) -> tuple[int, int]:
        """The stones of a public state."""
        cells = state.cells()
        black, white = (sum(1 << i for i, owner in enumerate(cells) if owner == n) for n in (1, 2))
        return black, white

    def reached(self, seed: int, stones: int) -> int:
        """The stones that are connected with a seed."""
        reached = fresh = stones & seed
        while fresh:
            around = 0
            while fresh:
                lowest = fresh & -fresh
                fresh ^= lowest
                around |= self.near[lowest.bit_length() - 1]
            fresh = around & stones & ~reached
            reached |= fresh
        return reached

    def connects(self, stones: int, player: int) -> bool:
        """Whether the stones join the player's sides."""
        start, goal = self.sides[player]
        return bool(self.reached(start, stones) & goal)

    def empty(self, black: int, white: int) -> list[int]:
        """The empty cells."""
        return [cell for cell in range(self.cells) if not (black | white) >> cell & 1]

    def _mover_wins(self, black: int, white: int, player: int) -> bool:
        stones = [black, white]
        if self.connects(stones[1 - player], 1 - player):
            return False
        if self.connects(stones[player], player):
            return True
        for cell in self.empty(black, white):
            after = list(stones)
            after[player] |= 1 << cell
            if not self.mover_wins(after[0], after[1], 1 - player):
                return True
        return False

    def winner(self, state: HexState) -> int:
        """Who wins a position that is not over."""
        wins = self.mover_wins(*self.stones(state), state.player)
        return state.player if wins else 1 - state.player

    def holds(self, mine: int, theirs: int, ends: tuple[int, int], *, first: bool) -> bool:
        """Whether two sets of cells (within `mine`) get connected on the cells that are left to both.

        `first`: the player who wants the connection moves first.
        """

        @cache
        def connected(own: int, enemy: int, mover: bool) -> bool:
            if self.reached(ends[0], own) & ends[1]:
                return True
            free = [cell for cell in range(self.cells) if not (own | enemy) >> cell & 1]
            if mover:
                return any(connected(own | 1 << cell, enemy, False) for cell in free)
            return bool(free) and all(connected(own, enemy | 1 << cell, True) for cell in free)

        return connected(mine, theirs, first)
