"""A position of a game whose rules are native: the public State around the core's.

The core's state knows the rules; this adds the history, equality, and a repr that can be pasted back.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Generic, Protocol, Self, TypeVar

from tesuji import _core
from tesuji.registry import spec_of

G = TypeVar("G", bound="NativeGame")
C = TypeVar("C", bound=_core.State)


class NativeGame(Protocol):
    """A game with a native core: `wrap` makes the public state from the core's, for hooks in Python."""

    def wrap(self, core: Any) -> Any:
        """The public state for a core state, without its history."""


class NativeState(Generic[G, C]):
    """A position of a native game. `core` is the state that searches use."""

    __slots__ = ("core", "game", "history")

    def __init__(self, game: G, core: C, history: tuple[int, ...] = ()) -> None:
        self.game = game
        self.core = core
        self.history = history

    @property
    def player(self) -> int:
        """Who moves."""
        return self.core.player

    @property
    def last_move(self) -> int | None:
        """The newest move, None at the start."""
        return self.history[-1] if self.history else None

    def moves(self) -> list[int]:
        """The legal moves; empty when the game is over."""
        return self.core.moves()

    def play(self, move: int) -> Self:
        """The position after a legal move; ValueError for any other."""
        try:
            core = self.core.play(move)
        except (TypeError, ValueError):
            raise ValueError(f"{self._name(move)} is not a legal move here") from None
        return type(self)(self.game, core, (*self.history, move))  # type: ignore[arg-type]

    def scores(self) -> tuple[float, ...] | None:
        """Each player's score once the game is over."""
        return self.core.scores()

    def key(self) -> Hashable:
        """Equal for equal positions, whatever way led there."""
        raise NotImplementedError

    def text(self, move: int) -> str:
        """A move as people write it."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NativeState):
            return NotImplemented
        return self.game == other.game and self.key() == other.key()

    def __hash__(self) -> int:
        return hash((self.game, self.key()))

    def __repr__(self) -> str:
        position, moves = self, []
        for move in self.history:
            moves.append(position.text(move))
        return f"tesuji.replay({spec_of(self.game)!r}, {' '.join(moves)!r})"

    def _name(self, move: object) -> str:
        try:
            return f"{self.text(move)!r}" if isinstance(move, int) else repr(move)
        except ValueError:
            return repr(move)
