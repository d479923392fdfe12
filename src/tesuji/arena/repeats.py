"""Repeated games: the same moves, or the same up to a symmetry of the board.

Most bots answer a rotated or mirrored position with the rotated or mirrored move, so a symmetric copy of a
game adds no more information than the game itself.
"""

from __future__ import annotations

from tesuji.game import Game, parse_move, start
from tesuji.planes import NativePlanes, planes_of
from tesuji.records import Record


class GameKeys:
    """`GameKeys(game).key(record)` is the same for games that are equal up to symmetry.

    The symmetries are those of the network's input planes (`tesuji.planes`). If the game is unknown (None),
    or a move is illegal or missing in its `move_space`, only equal moves count as equal.

    >>> from tesuji.game import game as as_game
    >>> one, rotated, mirrored = (
    ...     Record(game="hex:size=3", players=("random", "random"), moves=moves)
    ...     for moves in (("a1", "b1"), ("c3", "b3"), ("a1", "a2"))
    ... )
    >>> keys = GameKeys(as_game("hex:size=3"))
    >>> keys.key(one) == keys.key(rotated), keys.key(one) == keys.key(mirrored)
    (True, False)
    """

    def __init__(self, game: Game | None) -> None:
        self._game = game
        self._planes = None if game is None else _planes(game)
        self._images = [] if self._planes is None else _images(self._planes)
        """For each symmetry: the image of each policy index."""

    def key(self, record: Record) -> int:
        """A hash of the moves, minimized over the symmetries."""
        if self._game is None or self._planes is None:
            return hash(record.moves)
        state, indices = start(self._game, record.seed), []
        for text in record.moves:
            try:
                move = parse_move(state, text)
                indices.append(self._planes.index(state, move))
            except ValueError:
                return hash(record.moves)
            state = state.play(move)
        return hash(min(tuple(map(image.__getitem__, indices)) for image in self._images))


def _planes(game: Game) -> NativePlanes | None:
    """The game's planes; None if it has no symmetries."""
    if not hasattr(game, "planes") and not getattr(game, "symmetries", ()):
        return None
    try:
        planes = planes_of(game)
    except Exception:  # broken planes must not stop a match
        return None
    return planes if planes.native.symmetries > 1 else None


def _images(planes: NativePlanes) -> list[list[int]]:
    native = planes.native
    return [
        [native.transform_index(symmetry, index) for index in range(planes.policy_size)]
        for symmetry in range(native.symmetries)
    ]
