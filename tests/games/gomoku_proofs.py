"""A judge of proofs and lines of Gomoku that knows the rules of slow_gomoku, and nothing of the core."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.games.slow_gomoku import BLACK, DIRECTIONS, Stones, empty_near, why_forbidden, wins


class Judge:
    """Stones on a board, changed and changed back while a proof is played through."""

    def __init__(self, size: int, rule: str, stones: Stones) -> None:
        self.size, self.rule, self.stones = size, rule, dict(stones)

    def empty(self) -> list[int]:
        """The empty cells."""
        return [cell for cell in range(self.size**2) if divmod(cell, self.size) not in self.stones]

    def legal(self, cell: int, colour: int) -> bool:
        """Whether the colour may play there."""
        place = divmod(cell, self.size)
        forbids = self.rule == "renju" and colour == BLACK
        return place not in self.stones and not (forbids and why_forbidden(self.size, self.stones, place))

    def makes_five(self, cell: int, colour: int) -> bool:
        """Whether the colour wins there."""
        place = divmod(cell, self.size)
        self.stones[place] = colour
        won = wins(self.stones, place, self.rule)
        del self.stones[place]
        return won

    def fault(self, proof: Any, attacker: int) -> str | None:
        """What is wrong with a proof, against all defences; None: it proves a win of the attacker to move.

        A proof has the attacker's `move`, the proofs that follow the `replies` it names, and the one that
        follows `otherwise`. A reply that is not legal is none: that is asked only where it would help.
        """
        if not self.legal(proof.move, attacker):
            return f"{proof.move} is not legal"
        if self.makes_five(proof.move, attacker):
            return None
        defender = 1 - attacker
        with_move = Judge(self.size, self.rule, {**self.stones, divmod(proof.move, self.size): attacker})
        if not any(with_move.legal(cell, defender) for cell in with_move.empty()):
            return f"a draw: nothing is legal after {proof.move}"
        for reply in with_move.empty():
            found = with_move.fault_after(reply, proof, attacker)
            if found is not None and with_move.legal(reply, defender):
                return f"{proof.move} {reply}: {found}"
        return None

    def fault_after(self, reply: int, proof: Any, attacker: int) -> str | None:
        """As `fault`, after a reply."""
        follows = proof.replies.get(reply, proof.otherwise)
        if self.makes_five(reply, 1 - attacker):
            return "the defender wins"
        if follows is None:
            return "nothing follows"
        place = divmod(reply, self.size)
        self.stones[place] = 1 - attacker
        found = self.fault(follows, attacker)
        del self.stones[place]
        return found

    def line_fault(self, line: Iterable[int], attacker: int) -> str | None:
        """What is wrong with a line of fours; None: each reply but the last is the only one, and it wins."""
        line = list(line)
        after = Judge(self.size, self.rule, self.stones)
        for ply, cell in enumerate(line):
            colour = attacker if ply % 2 == 0 else 1 - attacker
            if not after.legal(cell, colour):
                return f"{cell} is not legal"
            if ply % 2 == 1:
                if any(after.makes_five(five, colour) for five in after.empty()):
                    return f"the defender wins instead of {cell}"
                fives = [five for five in after.empty() if after.makes_five(five, attacker)]
                stopped = len(fives) == 1 and after.legal(fives[0], colour)
                if not fives or stopped != (ply < len(line) - 2) or (stopped and fives != [cell]):
                    return f"{cell} is not what the fours before it lead to"
            if after.makes_five(cell, colour) != (ply == len(line) - 1):
                return f"{cell} does not make five at the end, or makes one before"
            after.stones[divmod(cell, self.size)] = colour
        return None if len(line) % 2 == 1 else "the line ends with a reply"

    def shortest(self, attacker: int, most_plies: int) -> int | None:
        """The plies of the shortest win by fours of the attacker to move, by trying every four; slow."""
        if any(self.makes_five(cell, attacker) for cell in self.empty()):
            return 1
        lengths = range(3, most_plies + 1, 2)
        return next((plies for plies in lengths if self._wins_within(attacker, plies)), None)

    def _wins_within(self, attacker: int, plies: int) -> bool:
        defender = 1 - attacker
        forced = {cell for cell in self.empty() if self.makes_five(cell, defender)}
        for cell in sorted(forced) if forced else self.empty():
            place = divmod(cell, self.size)
            self.stones[place] = attacker
            near = {near for step in DIRECTIONS for near in empty_near(self.size, self.stones, place, step)}
            fives = [r * self.size + c for r, c in near if self.makes_five(r * self.size + c, attacker)]
            del self.stones[place]
            if not fives or forced - {cell} or not self.legal(cell, attacker):
                continue
            after = Judge(self.size, self.rule, {**self.stones, place: attacker})
            if len(fives) == 1 and after.legal(fives[0], defender):
                after.stones[divmod(fives[0], self.size)] = defender
                if plies > 3 and after._wins_within(attacker, plies - 2):
                    return True
            elif any(after.legal(reply, defender) for reply in after.empty()):
                return True
        return False
