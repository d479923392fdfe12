"""Planes: the input of a network for a position, and the index of each move in its policy.

A game offers them as `game.planes(**options)`. A game written in Python offers them like this instead:

    state.planes()        an array [planes, rows, columns] of finite numbers, from the side to move's view
    game.move_space       every possible move; a move's index is its index in the policy. Moves on cells come
                          first, one per cell row by row, once or several times
    game.symmetries       optional: pairs of permutations that preserve the game, of cells and of moves
    game.plane_names      optional: names of the planes
    game.planes_version   optional, default 1: increase it when the meaning of a plane or index changes

A network stores the names, shape and version it was trained with, and refuses others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tesuji import _core
from tesuji.adapter import full_game, full_state, own_of
from tesuji.any_game import Game, State
from tesuji.full_game import FullGame, Move
from tesuji.options import unknown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class NativePlanes:
    """Planes computed by the core: `NativePlanes(_core.GomokuPlanes(start))`.

    >>> import tesuji
    >>> game = tesuji.game("gomoku:size=9")
    >>> planes = planes_of(game)
    >>> planes.names[:3], planes(game.start()).shape
    (('own', 'other', 'board'), (17, 9, 9))
    """

    def __init__(self, native: _core.Planes) -> None:
        self.native = native
        self.names = tuple(native.names)
        self.version = int(native.version)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Planes, rows and columns."""
        return len(self.names), self.native.rows, self.native.columns

    @property
    def policy_size(self) -> int:
        """Length of the policy: `policy_planes` per cell, then the extra moves."""
        return self.native.policy_size

    def root(self, state: State) -> Any:
        """The position as an argument for the core."""
        core = full_state(state).core
        if core is None:
            raise ValueError(f"{state!r} is not a position of a native game, as these planes need")
        return core

    def __call__(self, state: State) -> NDArray[np.float32]:
        """The planes of a position, from the side to move's view."""
        return self.native(self.root(state))

    def number(self, move: Move) -> int:
        """A move's number in the core's self-play games."""
        return int(move)

    def move(self, number: int) -> Move:
        """The move with that number."""
        return number

    def index(self, state: State, move: Move) -> int:
        """The index of a legal move in the policy."""
        return self.native.index(self.root(state), self.number(move))

    def __repr__(self) -> str:
        return f"<{len(self.names)} planes, version {self.version}: {', '.join(self.names)}>"


class StatePlanes(NativePlanes):
    """Planes of a game written in Python: its states' `planes()` and the game's `move_space`."""

    def __init__(self, game: FullGame) -> None:
        if game.players != 2:
            raise ValueError(f"planes need a game for two players; {game.display_name} has {game.players}")
        first = game.start()
        if not first.offers("planes") or not game.move_space:
            raise ValueError(
                f"{type(game.own).__name__} has no planes for a network: define planes() on its states and "
                f"move_space on the game"
            )
        self.move_space = tuple(game.move_space)
        self._numbers = {move: number for number, move in enumerate(self.move_space)}
        import numpy as np

        shape = np.shape(first.planes())
        if len(shape) != 3 or 0 in shape:
            raise ValueError(f"planes() must return an array [planes, rows, columns], not shape {shape}")
        names = list(game.plane_names or [f"plane_{i + 1}" for i in range(shape[0])])
        if len(names) != shape[0]:
            raise ValueError(f"plane_names has {len(names)} names for {shape[0]} planes")
        symmetries = [
            (list(map(int, cells)), list(map(int, moves)))
            for cells, moves in game.symmetries
            if list(cells) != list(range(len(cells)))  # the identity is always included
        ]
        version = game.planes_version
        super().__init__(
            _core.PythonPlanes(names, version, shape[1], shape[2], list(self.move_space), symmetries)
        )

    def root(self, state: State) -> Any:
        """The position as an argument for the core."""
        return own_of(state)

    def number(self, move: Move) -> int:
        """A move's index in `move_space`."""
        try:
            return self._numbers[move]
        except KeyError:
            raise ValueError(f"the move {move!r} is not in move_space") from None

    def move(self, number: int) -> Move:
        """The move at that index of `move_space`."""
        return self.move_space[number]


def planes_of(game: Game, /, **options: bool) -> NativePlanes:
    """The planes of a game; ValueError if it has none.

    >>> import tesuji
    >>> planes_of(tesuji.game("hex:size=9,swap=on"), swap=False)
    <6 planes, version 1: own, other, board, own_sides, other_sides, last_move>
    """
    game = full_game(game)
    if game.planes is None:
        if options:
            raise ValueError(f"the planes of {game.display_name} have no option {next(iter(options))!r}")
        return StatePlanes(game)
    for name, value in options.items():
        if name not in game.plane_options:
            raise ValueError(unknown(f"option {name!r} of planes", name, game.plane_options))
        if not isinstance(value, bool):
            raise ValueError(f"option {name!r} of planes must be true or false, not {value!r}")
    planes: NativePlanes = game.planes(**options)
    return planes
