"""A position of a game whose rules are native: the public State around the core's.

The core's state knows the rules; this adds the history, equality, and a repr that can be pasted back.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Any, Generic, Protocol, Self, TypeVar

from tesuji import _core
from tesuji.game import replay
from tesuji.registry import spec_of

G = TypeVar("G", bound="NativeGame")
C = TypeVar("C", bound=_core.State)


class NativeGame(Protocol):
    """A game with a native core: `wrap` makes the public state from the core's, for hooks in Python."""

    def wrap(self, core: Any) -> Any:
        """The public state for a core state, without its history."""


class NativeState(ABC, Generic[G, C]):
    """A position of a native game. `core` is the state that searches use.

    A position that a search shows to a hook has no history (None here): the core knows where it is, not the
    way that led there.
    """

    __slots__ = ("_history", "core", "game")

    fixed_texts = True
    """A text means the same move in every position of a game: readers of many games parse each text once."""

    def __init__(self, game: G, core: C, history: tuple[int, ...] | None = ()) -> None:
        self.game = game
        self.core = core
        self._history = history

    @property
    def history(self) -> tuple[int, ...]:
        """Every move from the start."""
        if self._history is None:
            raise ValueError("a position inside a search has no history; its newest move is state.last_move")
        return self._history

    @property
    def player(self) -> int:
        """Who moves."""
        return self.core.player

    @property
    def ply(self) -> int:
        """How many moves have been played, choices such as a swap among them."""
        core: Any = self.core
        return int(core.ply)

    @property
    def last_move(self) -> int | None:
        """The newest move, None at the start."""
        core: Any = self.core
        move: int | None = core.last_move
        return move

    def moves(self) -> list[int]:
        """The legal moves; empty when the game is over."""
        return self.core.moves()

    def play(self, move: int) -> Self:
        """The position after a legal move; ValueError for any other."""
        try:
            core = self.core.play(move)
        except TypeError:
            raise ValueError(f"a move is a number, not {move!r}; state.parse(text) reads one") from None
        except ValueError:
            raise ValueError(f"{self._name(move)} is not a legal move here") from None
        history = None if self._history is None else (*self._history, move)
        return type(self)(self.game, core, history)  # type: ignore[arg-type]

    def scores(self) -> tuple[float, ...] | None:
        """Each player's score once the game is over."""
        return self.core.scores()

    @abstractmethod
    def key(self) -> Hashable:
        """Equal for equal positions, whatever way led there."""

    @abstractmethod
    def text(self, move: int) -> str:
        """A move as people write it."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NativeState):
            return NotImplemented
        return self.game == other.game and self.key() == other.key()

    def __hash__(self) -> int:
        return hash((self.game, self.key()))

    def __repr__(self) -> str:
        spec = spec_of(self.game)
        if self._history is None:
            return f"<{type(self).__name__} of {spec} inside a search>"
        return f"tesuji.replay({spec!r}, {' '.join(map(self.text, self.history))!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return replay, (self.game, self.history)

    def _name(self, move: int) -> str:
        try:
            return repr(self.text(move))
        except ValueError:
            return repr(move)
