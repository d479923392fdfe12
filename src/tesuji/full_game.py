"""Games and positions in which every optional member exists, with its default.

Authors write plain classes with the members they need (`any_game.Game`, `any_game.State`), which `adapter.py`
adapts once, where they enter the package: nothing inside asks them what they have. The native games are
subclasses and need no adapting.
"""

from __future__ import annotations

import inspect
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from tesuji import _core, registry
from tesuji._helpers.clipping import clip

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tesuji.board import Board
    from tesuji.features import Features, NativeMoveFeatures
    from tesuji.knowledge import Knowledge
    from tesuji.planes import NativePlanes

CHANCE = -1
"""The player at a chance node: a card is dealt, a die is thrown."""

MOST_PLAYERS = _core.MAX_PLAYERS
"""More seats than any game that we know of."""

DEFAULT_BOT = "mcts"
"""Of games that name none."""

Move: TypeAlias = Any
"""Any hashable value. `Any`, and not `Hashable`, so that a game may declare `play(self, move: int)`."""

OwnState: TypeAlias = Any
"""An author's position, as hooks receive it: they declare the author's own class."""


class FullState(ABC):
    """A position with all optional members; those that the author leaves out have the values given here."""

    __slots__ = ()

    game: FullGame
    """The game with its deal: a dealt position may name what a game leaves open."""

    # What every game has.

    @property
    @abstractmethod
    def player(self) -> int:
        """The player to move, from 0; CHANCE at a chance node."""

    @abstractmethod
    def moves(self) -> Sequence[Move]:
        """The legal moves in a fixed order; empty only when the game is over."""

    @abstractmethod
    def play(self, move: Move) -> Self:
        """The position after a legal move."""

    @abstractmethod
    def scores(self) -> Sequence[float] | None:
        """Each player's score in [0, 1], or None while the game is in progress."""

    # Notation.

    fixed_texts = False
    """Whether a text means the same move in every position, so that readers of records can cache it."""

    def text(self, move: Move) -> str:
        """A move as text; by default `str(move)`."""
        return str(move)

    def parse(self, text: str) -> Move:
        """The move that a text stands for; by default the legal move with this text."""
        for move in self.moves():
            if self.text(move) == text:
                return move
        raise ValueError(f"{clip(text)} is not legal")

    @property
    def history(self) -> tuple[Move, ...]:
        """All moves from the start; ValueError where the position does not know them."""
        raise ValueError(f"{self!r} has no history")

    # Chance and hidden information.

    @property
    def hidden(self) -> bool:
        """Whether players see different things: the author defines `determinize`."""
        return self.offers("determinize")

    def chances(self) -> Sequence[tuple[Move, float]]:
        """The outcomes with their probabilities where the player is CHANCE."""
        raise ValueError("a position with the player CHANCE needs chances()")

    def determinize(self, player: int, rng: random.Random) -> Self:
        """A full position that fits all that the player has seen: itself where nothing is hidden."""
        return self

    def view(self, player: int) -> Hashable:
        """All that the player has seen; None where the author does not say."""
        return None

    def text_for(self, player: int | None) -> str | None:
        """The position as a seat sees it, as text (None: a spectator)."""
        return None

    def last_move_text(self, player: int | None) -> str | None:
        """The result of the last move as a seat sees it."""
        return None

    # For searches and learning.

    @property
    def root(self) -> Any:
        """The position as the core takes it: the author's object, or a state of the core."""
        return self.own

    @property
    def core(self) -> Any:
        """The state of the core in a native game; None in others."""
        return None

    @property
    def own(self) -> Any:
        """The author's object."""
        return self

    def key(self) -> Hashable:
        """Equal for equal positions: caches, transpositions; None where the author gives none."""
        return None

    def features(self, player: int) -> Mapping[str, float]:
        """Named numbers, for learning and for explaining."""
        return {}

    def move_features(self, move: Move) -> Mapping[str, float] | Iterable[Hashable]:
        """Named numbers or codes of a move, for learning a prior."""
        return {}

    def planes(self) -> NDArray[np.float32]:
        """Arrays for networks, [planes, rows, columns]."""
        raise ValueError(f"{self!r} has no planes for a network")

    # For people.

    def svg(
        self, *, heat: Mapping[Move, float] | None = None, labels: Mapping[Move, str] | None = None
    ) -> str | None:
        """The position as SVG; `heat` and `labels` mark candidate moves. None where there is no picture."""
        return None

    def notes(self) -> Sequence[str]:
        """Hints for the person to move."""
        return ()

    def board(self, viewer: int | None = None) -> Board | None:
        """The board for the web page as a seat sees it (None: a spectator): see `tesuji.board`."""
        return None

    def clicks(self, move: Move, names: Collection[str]) -> tuple[str, ...]:
        """What is clicked to play a move, in order; () if it is a button. `names` are those of the board.

        Authors write `clicks(move)`; by default it is the cell or piece with the name of the move's text.

        >>> import tesuji
        >>> tesuji.game("hex").start().clicks(0, names={"a1", "a2"})
        ('a1',)
        """
        text = self.text(move)
        return (text,) if text in names else ()

    def board_view(self, viewer: int | None) -> dict[str, Any] | None:
        """The board as JSON for a renderer of the web page, named by its `kind`."""
        return None

    def offers(self, name: str) -> bool:
        """Whether the author defines this optional member."""
        return getattr(type(self), name) is not getattr(FullState, name)


class FullGame(ABC):
    """A game with all optional members; those that the author leaves out have the values given here."""

    @abstractmethod
    def start(self, seed: int | None = None) -> FullState:
        """The first position; the seed reaches only games that deal."""

    def includes(self, game: FullGame) -> bool:
        """Whether this game deals the start of the other one, too."""
        return False

    @property
    def own(self) -> Any:
        """The author's object."""
        return self

    @property
    def display_name(self) -> str:
        """The game in a message: its spec, or its `repr` if it has none."""
        return registry.games.spec_of(self) or repr(self.own)

    # Seats.

    @property
    def players(self) -> int:
        """The number of players."""
        return 2

    @property
    def player_names(self) -> Sequence[str]:
        """The names of the seats; may be empty."""
        return ()

    def seat_name(self, player: int) -> str:
        """The game's name for a player; defaults to `Player 0`."""
        if player == CHANCE:
            return "Chance"
        names = self.player_names
        return str(names[player]) if player < len(names) else f"Player {player}"

    # What kind of game it is.

    @property
    def deals(self) -> bool:
        """Whether something is dealt at the start, from its seed."""
        return False

    @cached_property
    def hidden(self) -> bool:
        """Whether players see different things."""
        return self.start().hidden

    @property
    def native(self) -> bool:
        """Whether the core has the rules, so that searches call no Python."""
        return False

    def from_core(self, core: Any) -> FullState:
        """The public state for a state of the core, without its history."""
        raise ValueError(f"{self!r} has no native rules")

    @property
    def rules(self) -> FullGame:
        """The game from its usual start."""
        return self

    @property
    def typical_plies(self) -> float | None:
        """Moves of a typical game, of all players together."""
        return None

    # For people.

    @property
    def title(self) -> str | None:
        """The name for people; None: its registered name."""
        return None

    @property
    def goal(self) -> str | None:
        """How to win, in one line."""
        return None

    @property
    def preview(self) -> FullState | None:
        """A position for the home page; None: the first one."""
        return None

    # Opponents and measuring.

    @property
    def knowledge(self) -> Knowledge:
        """What a person knows of the game, for the searches; by default nothing."""
        return _no_knowledge()

    @property
    def values(self) -> Mapping[str, Callable[[], Any]]:
        """Values by name, for the option `value`."""
        return {}

    @property
    def priors(self) -> Mapping[str, Callable[[], Any]]:
        """Priors by name, for the options `move_ordering` and `playout_policy`."""
        return {}

    @property
    def default_bot(self) -> str:
        """The spec of the bot that plays where none is named."""
        return DEFAULT_BOT

    @property
    def levels(self) -> Mapping[str, str]:
        """The specs of the levels that the game sets itself."""
        return {}

    @property
    def openings(self) -> Sequence[str]:
        """Balanced openings for matches."""
        return ()

    @property
    def problems(self) -> Any:
        """Positions with known best moves, for `tesuji exam`; None where there are none."""
        return None

    @property
    def solve_moves(self) -> Callable[..., Any] | None:
        """Finds out who wins after each move; None where that takes too long."""
        return None

    @property
    def has_tablebases(self) -> bool:
        """Whether there are tablebases of its endgames."""
        return type(self).open_tablebase is not FullGame.open_tablebase

    def open_tablebase(self, source: Any) -> Any:
        """Open a file of exact endgames."""
        raise ValueError(f"{self!r} has no tablebases")

    # Positions that are set up, and records.

    @property
    def can_set_up(self) -> bool:
        """Whether the game can begin from a diagram."""
        return type(self).set_up is not FullGame.set_up

    def set_up(self, diagram: str, player: int | None = None) -> FullGame:
        """The game that begins from a diagram: see `tesuji.position`."""
        raise ValueError(f"{self!r} cannot be set up from a diagram")

    @property
    def set_up_pieces(self) -> Mapping[str, str]:
        """What an editor can put on a cell, by the symbols of diagrams."""
        return {}

    @property
    def record_formats(self) -> Mapping[str, Any]:
        """Formats of its records, by name."""
        return {}

    # Rules that engine protocols must know.

    @property
    def swap(self) -> bool | None:
        """Whether the second player may take over the first stone; None where there is no such rule."""
        return None

    @property
    def swap2(self) -> bool:
        """Whether the game begins with swap2."""
        return False

    # For learning.

    @property
    def features(self) -> Features | None:
        """An object that reads the features of positions; None: their own `features(player)`, if any."""
        return None

    @property
    def features_version(self) -> int:
        """Increases when features of positions or moves change."""
        return 1

    @property
    def move_features(self) -> NativeMoveFeatures | None:
        """An object that reads the features of moves; None: the positions' own, if any."""
        return None

    @property
    def planes(self) -> Callable[..., NativePlanes] | None:
        """Makes the planes from their options; None: the positions' own `planes()`, if any."""
        return None

    @property
    def plane_options(self) -> tuple[str, ...]:
        """The options that `planes` takes."""
        return () if self.planes is None else tuple(inspect.signature(self.planes).parameters)

    @property
    def plane_names(self) -> Sequence[str] | None:
        """The names of the positions' planes."""
        return None

    @property
    def planes_version(self) -> int:
        """Increases when the meaning of a plane or index changes."""
        return 1

    @property
    def move_space(self) -> Sequence[Move]:
        """Every possible move: a move's place is its index in the policy. Empty where the game has none."""
        return ()

    @property
    def symmetries(self) -> Sequence[tuple[Sequence[int], Sequence[int]]]:
        """Pairs of permutations that preserve the game, of cells and of moves."""
        return ()

    def offers(self, name: str) -> bool:
        """Whether the author defines this optional member."""
        return getattr(type(self), name) is not getattr(FullGame, name)


@cache
def _no_knowledge() -> Knowledge:
    from tesuji.knowledge import Knowledge

    return Knowledge()
