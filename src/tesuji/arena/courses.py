"""Which games went alike: the same moves, or an image of them under a symmetry of the game.

A bot that does not look at where on the board it plays answers a turned position by the turned move. So an
image of a game that was played says no more than the game played again.
"""

from __future__ import annotations

from tesuji.game import Game, parse_move, start
from tesuji.planes import NativePlanes, planes_of
from tesuji.records import Record


class Courses:
    """How games of these rules go: `Courses(game).of(record)` is equal for games that are images.

    The symmetries are those that the game tells networks of (`tesuji.planes`). Where the game is unknown
    (None), or a move is not one of it (by other rules, or missing in its `move_space`), only equal moves are
    equal.

    >>> import tesuji
    >>> one, turned, mirrored = (
    ...     Record(game="hex:size=3", players=("random", "random"), moves=moves)
    ...     for moves in (("a1", "b1"), ("c3", "b3"), ("a1", "a2"))
    ... )
    >>> courses = Courses(tesuji.game("hex:size=3"))
    >>> courses.of(one) == courses.of(turned), courses.of(one) == courses.of(mirrored)
    (True, False)
    """

    def __init__(self, game: Game | None) -> None:
        self._game = game
        self._planes = None if game is None else _planes(game)
        self._images = [] if self._planes is None else _images(self._planes)
        """Where each symmetry takes each move, as the policy of a network numbers moves."""

    def of(self, record: Record) -> int:
        """A number for the course of a game."""
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
    """What knows the symmetries; None where there are none."""
    if not hasattr(game, "planes") and not getattr(game, "symmetries", ()):
        return None
    try:
        planes = planes_of(game)
    except Exception:  # what a network would see is no matter of a match
        return None
    return planes if planes.native.symmetries > 1 else None


def _images(planes: NativePlanes) -> list[list[int]]:
    native = planes.native
    return [
        [native.transform_index(symmetry, index) for index in range(planes.policy_size)]
        for symmetry in range(native.symmetries)
    ]
