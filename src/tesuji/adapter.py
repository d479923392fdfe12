"""Adapts an author's game and its positions, once, where they enter the package: `full_game(TicTacToe())`.

What the author leaves out has the default of `full_game.py`. The author's own object is `own`: hooks, bots of
users and the core receive it.
"""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Collection, Mapping, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Self, cast

from tesuji.full_game import MOST_PLAYERS, FullGame, FullState, Move

if TYPE_CHECKING:
    from tesuji.board import Board


class AdaptedState(FullState):
    """A position of an author's own class, which keeps its other members, too: see `adapted_state`."""

    __slots__ = ("_own", "game")

    game: AdaptedGame

    def __init__(self, game: AdaptedGame, own: Any) -> None:
        self.game = game
        self._own = own

    @property
    def own(self) -> Any:
        """The author's object."""
        return self._own

    @property
    def player(self) -> int:
        """The player to move."""
        return cast(int, self.own.player)

    def moves(self) -> Sequence[Move]:
        """The legal moves."""
        return cast(Sequence[Move], self.own.moves())

    def play(self, move: Move) -> Self:
        """The position after a legal move."""
        return cast(Self, adapted_state(self.game, self.own.play(move)))

    def scores(self) -> Sequence[float] | None:
        """Each player's score, or None."""
        return cast("Sequence[float] | None", self.own.scores())

    def __eq__(self, other: object) -> bool:
        return bool(self.own == (other.own if isinstance(other, FullState) else other))

    def __hash__(self) -> int:
        return hash(self.own)

    def __repr__(self) -> str:
        return repr(self.own)

    def __str__(self) -> str:
        return str(self.own)

    def __reduce__(self) -> tuple[Any, ...]:
        return adapted_state, (self.game, self.own)

    if not TYPE_CHECKING:  # a type checker would believe any attribute

        def __getattr__(self, name: str) -> Any:
            if name == "_own":  # while it is unpickled
                raise AttributeError(name)
            return getattr(self._own, name)


def adapted_state(game: AdaptedGame, own: Any) -> FullState:
    """The position around an author's state; one that is around it already, or is ours, stays as it is."""
    return own if isinstance(own, FullState) else _adapted_class(cast(Any, type(own)))(game, own)


OPTIONAL = tuple(name for name in vars(FullState) if name[0] != "_" and name not in vars(AdaptedState))
"""The optional members of a position."""

EARLIER = {"text_for": "seen_by", "last_move_text": "told", "notes": "remarks"}
"""Optional members by what earlier versions called them, as authors' classes may still do."""


@cache
def _adapted_class(kind: type) -> type[AdaptedState]:
    """The adapter of a class of states: each optional member that the class defines is passed on."""
    members: dict[str, Any] = {"__slots__": ()}
    for name in OPTIONAL:
        given = _given_name(kind, name)
        found = getattr(kind, given, None)
        if name == "history":
            if found is not None:
                members[name] = property(lambda self: self._own.history)
        elif name == "fixed_texts":
            members[name] = bool(found)
        elif callable(found) and name not in ("offers", "hidden", "root", "core"):  # not a field of this name
            members[name] = _SPECIAL.get(name, _passed_on)(given, found)
    return type(kind.__name__, (AdaptedState,), members)


def _given_name(kind: type, name: str) -> str:
    """The name by which a class defines a member; a warning where that is one of an earlier version."""
    earlier = EARLIER.get(name)
    if earlier is None or hasattr(kind, name) or not callable(getattr(kind, earlier, None)):
        return name
    warnings.warn(f"{earlier}() of {kind.__name__} is now called {name}()", FutureWarning, stacklevel=2)
    return earlier


def _passed_on(name: str, method: Any) -> Any:
    def call(self: AdaptedState, *arguments: Any) -> Any:
        return getattr(self._own, name)(*arguments)

    return call


def _text(name: str, method: Any) -> Any:
    return lambda self, move: str(self.own.text(move))


def _determinize(name: str, method: Any) -> Any:
    return lambda self, player, rng: adapted_state(self.game, self.own.determinize(player, rng))


def _svg(name: str, method: Any) -> Any:
    """A picture that marks no moves is drawn without them."""
    marks = {"heat", "labels"} & parameters(method).keys()

    def svg(self: AdaptedState, **given: Any) -> str:
        return str(self.own.svg(**{key: value for key, value in given.items() if key in marks}))

    return svg


def _board(name: str, method: Any) -> Any:
    """In a game with hidden cards a board that does not take the viewer is not used: it might show them."""
    takes = takes_viewer(method)

    def board(self: AdaptedState, viewer: int | None = None) -> Board | None:
        from tesuji.board import Board

        if self.hidden and not takes:
            return None
        found = self.own.board(viewer) if takes else self.own.board()
        return found if isinstance(found, Board) else None

    return board


def _clicks(name: str, method: Any) -> Any:
    def clicks(self: AdaptedState, move: Move, names: Collection[str]) -> tuple[str, ...]:
        found = self.own.clicks(move)
        return (found,) if isinstance(found, str) else tuple(found)

    return clicks


_SPECIAL = {"text": _text, "determinize": _determinize, "svg": _svg, "board": _board, "clicks": _clicks}


class AdaptedGame(FullGame):
    """An author's game, which keeps its other members, too: `full_game(TicTacToe())`."""

    def __init__(self, own: Any) -> None:
        self._own = own

    @property
    def own(self) -> Any:
        """The author's object."""
        return self._own

    @cached_property
    def deals(self) -> bool:
        """Whether `start` takes a seed."""
        return "seed" in parameters(self.own.start)

    def start(self, seed: int | None = None) -> FullState:
        """The first position."""
        return adapted_state(
            self, self.own.start(seed=seed) if self.deals and seed is not None else self.own.start()
        )

    @property
    def players(self) -> int:
        """The number of players; ValueError where the author names an impossible one."""
        players = getattr(self.own, "players", 2)
        if not isinstance(players, int) or not 1 <= players <= MOST_PLAYERS:
            raise ValueError(f"players must be from 1 to {MOST_PLAYERS}, not {players!r}")
        return players

    @property
    def typical_plies(self) -> float | None:
        """Moves of a typical game; ValueError where that is no number."""
        plies = getattr(self.own, "typical_plies", None)
        if plies is not None and not (isinstance(plies, int | float) and 0 < plies < math.inf):
            raise ValueError(f"typical_plies must be a number greater than 0, not {plies!r}")
        return plies

    @property
    def features_version(self) -> int:
        """The version; ValueError where it is none."""
        version = getattr(self.own, "features_version", 1)
        if isinstance(version, bool) or not isinstance(version, int) or version < 1:
            raise ValueError(f"features_version must be a whole number of at least 1, not {version!r}")
        return version

    @property
    def rules(self) -> FullGame:
        """The game from its usual start."""
        return full_game(getattr(self.own, "rules", self.own))

    @property
    def preview(self) -> FullState | None:
        """A position for the home page."""
        found = getattr(self.own, "preview", None)
        return None if found is None else adapted_state(self, found)

    @property
    def can_set_up(self) -> bool:
        """Whether the author defines `set_up`."""
        return self.offers("set_up")

    def set_up(self, diagram: str, player: int | None = None) -> FullGame:
        """The game that begins from a diagram."""
        return (
            full_game(self.own.set_up(diagram, player))
            if self.can_set_up
            else super().set_up(diagram, player)
        )

    @property
    def has_tablebases(self) -> bool:
        """Whether the author defines `open_tablebase`."""
        return self.offers("open_tablebase")

    def open_tablebase(self, source: Any) -> Any:
        """Open a file of exact endgames."""
        return self.own.open_tablebase(source) if self.has_tablebases else super().open_tablebase(source)

    def offers(self, name: str) -> bool:
        """Whether the author defines this optional member."""
        return hasattr(self.own, name)

    def __eq__(self, other: object) -> bool:
        return bool(self.own == (other.own if isinstance(other, FullGame) else other))

    def __hash__(self) -> int:
        return hash(self.own)

    def __repr__(self) -> str:
        return repr(self.own)

    if not TYPE_CHECKING:  # a type checker would believe any attribute

        def __getattr__(self, name: str) -> Any:
            if name in ("own", "_own"):  # while it is unpickled
                raise AttributeError(name)
            return getattr(self._own, name)


def _attribute(name: str, default: property) -> property:
    """What the author gives under this name, or the default."""

    def read(self: AdaptedGame) -> Any:
        found = getattr(self.own, name, None)
        return default.fget(self) if found is None and default.fget is not None else found

    return property(read)


for _name, _default in list(vars(FullGame).items()):
    if isinstance(_default, property) and _name not in (*vars(AdaptedGame), "native", "plane_options"):
        setattr(AdaptedGame, _name, _attribute(_name, _default))


def full_game(game: Any) -> FullGame:
    """A game with all optional members; ValueError for what is no game.

    >>> class Coin:
    ...     player, moves, play = 0, list, None
    ...     def scores(self): return (1.0, 0.0)
    >>> class Game:
    ...     def start(self): return Coin()
    >>> game = full_game(Game())
    >>> game.players, game.seat_name(1), game.hidden, game.start().svg()
    (2, 'Player 1', False, None)
    """
    if isinstance(game, FullGame):
        return game
    if isinstance(game, type):
        raise ValueError(f"{game.__name__} is a class, not a game; use {game.__name__}()")
    if not callable(getattr(game, "start", None)):
        raise ValueError(f"{game!r} is not a game: it has no start()")
    return AdaptedGame(game)


def offers(thing: object, name: str) -> bool:
    """Whether an author's class or object defines this optional member.

    >>> import tesuji
    >>> offers(tesuji.games.Hex, "set_up"), offers(tesuji.games.GoFish, "set_up")
    (True, False)
    """
    kind = thing if isinstance(thing, type) else type(thing)
    ours = next((base for base in (FullGame, FullState) if issubclass(kind, base)), object)
    return getattr(thing, name, None) is not None and getattr(kind, name, None) is not getattr(
        ours, name, None
    )


def defines(thing: object, method: str) -> bool:
    """Whether a class overrides a method of `object`: `defines(state, "__str__")`."""
    return getattr(type(thing), method) is not getattr(object, method)


def own_of(thing: Any) -> Any:
    """The author's object for a game or position of ours, and any other object as it is."""
    return thing.own if isinstance(thing, FullState | FullGame) else thing


def full_state(state: Any, game: FullGame | None = None) -> FullState:
    """A position with all optional members, as a person passes it to a bot; by default of its own game."""
    if isinstance(state, FullState):
        return state
    if game is None or isinstance(game, AdaptedGame):
        return adapted_state(game or AdaptedGame(getattr(state, "game", None)), state)
    raise ValueError(f"this bot plays {game.display_name}, but the position is of another game: {state!r}")


def parameters(method: Any) -> Mapping[str, inspect.Parameter]:
    """The parameters of an author's method; none for a compiled one without a signature."""
    try:
        return inspect.signature(method).parameters
    except ValueError:
        return {}


def takes_viewer(board: Any) -> bool:
    """Whether a class's method `board` has a parameter for the seat."""
    return len(parameters(board)) > 1
