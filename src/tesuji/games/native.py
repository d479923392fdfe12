"""The public State around a native one.

The native state has the rules; this adds the history, equality, and a repr that can be pasted back.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Hashable, Sequence
from typing import Generic, Self, TypeVar

from tesuji import _core
from tesuji.any_game import replay
from tesuji.full_game import FullGame, FullState
from tesuji.knowledge import Threat
from tesuji.registry import spec_of

G = TypeVar("G", bound="NativeGame")
C = TypeVar("C", bound=_core.HexState | _core.GomokuState | _core.OnitamaState)


class NativeGame(FullGame):
    """A game with native rules: `from_core` makes the public state from a native one, for hooks in Python."""

    native = True


class NativeState(FullState, Generic[G, C]):
    """A position of a native game. `core` is the state that searches use.

    A position that a search passes to a hook has no history (None here): the native state does not keep it.
    """

    __slots__ = ("_history", "core", "game")

    fixed_texts = True

    game: G
    core: C

    def __init__(self, game: G, core: C, history: tuple[int, ...] | None = ()) -> None:
        self.game = game
        self.core = core
        self._history = history

    @property
    def root(self) -> C:
        """The state of the core."""
        return self.core

    @property
    def history(self) -> tuple[int, ...]:
        """All moves from the start, which may be a position that was set up."""
        if self._history is None:
            raise ValueError(
                "a position inside a search has no history; use state.last_move for its last move"
            )
        return self._history

    @property
    def player(self) -> int:
        """The side to move."""
        return self.core.player

    @property
    def ply(self) -> int:
        """Moves so far, including choices such as a swap; the stones of a set-up board count as moves."""
        return self.core.ply

    @property
    def last_move(self) -> int | None:
        """The last move, None at the start."""
        return self.core.last_move

    def moves(self) -> list[int]:
        """The legal moves; empty when the game is over."""
        return self.core.moves()

    def play(self, move: int) -> Self:
        """The position after a legal move; ValueError for any other."""
        try:
            core = self.core.play(move)
        except TypeError:
            raise ValueError(f"a move is a number, not {move!r}; use state.parse(text)") from None
        except ValueError:
            raise ValueError(f"{self._name(move)} is not a legal move here") from None
        history = None if self._history is None else (*self._history, move)
        return type(self)(self.game, core, history)  # type: ignore[arg-type]

    def scores(self) -> tuple[float, ...] | None:
        """Each player's score; None until the game is over."""
        return self.core.scores()

    @abstractmethod
    def key(self) -> Hashable:
        """Equal for equal positions, regardless of the order of moves."""

    @abstractmethod
    def text(self, move: int) -> str:
        """A move as text."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NativeState):
            return NotImplemented
        return bool(self.game.rules == other.game.rules) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash((self.game.rules, self.key()))

    def __repr__(self) -> str:
        spec = spec_of(self.game)
        if self._history is None:
            return f"<{type(self).__name__} of {spec} inside a search>"
        return f"tesuji.replay({spec!r}, {' '.join(map(self.text, self.history))!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return replay, (self.game, self.history)

    def _name(self, move: int) -> str:
        try:
            return repr(self.text(move))
        except ValueError:
            return repr(move)


# Hooks of the core, callable from Python; the searches use `native`.


class NativeThreats:
    """A threat response of the core."""

    def __init__(self, native: _core.ThreatResponse) -> None:
        self.native = native

    def __call__(self, state: FullState, player: int) -> Threat | None:
        """The replies for the side to move."""
        if player != state.player:
            raise ValueError(f"player must be the side to move, {state.player}, not {player}")
        moves, urgent = self.native(state.core)
        return Threat(moves, urgent) if moves else None


class NativeOrdering:
    """A move ordering of the core."""

    def __init__(self, native: _core.MoveOrdering) -> None:
        self.native = native

    def __call__(self, state: FullState, player: int, moves: Sequence[int]) -> dict[int, float]:
        """A weight for each move, best first."""
        return self.native(state.core, list(moves))


class NativePolicy:
    """A playout policy of the core."""

    def __init__(self, native: _core.PlayoutPolicy) -> None:
        self.native = native

    def __call__(self, state: FullState, player: int, moves: Sequence[int], rng: random.Random) -> int:
        """One move of a playout."""
        return self.native(state.core, rng.getrandbits(64))


class NativeProximity:
    """A proximity of the core."""

    def __init__(self, native: _core.Proximity) -> None:
        self.native = native

    def __call__(self, state: FullState, player: int, moves: Sequence[int], hard: bool) -> list[float]:
        """A weight from 0 to 1 for each move."""
        return self.native(state.core, list(moves), hard)
