"""Repeated games: the same moves, or the same up to a symmetry of the board.

Most bots answer a rotated or mirrored position with the rotated or mirrored move, so a symmetric copy of a
game adds no more information than the game itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from tesuji._helpers.seeds import derived_seed
from tesuji.any_game import Move, parse_move
from tesuji.any_game import game as as_game
from tesuji.full_game import FullGame, FullState
from tesuji.planes import NativePlanes, planes_of
from tesuji.records import Record


class GameKeys:
    """`GameKeys(game).key(record)` is the same for games that are equal up to symmetry.

    The symmetries are those of the network's input planes (`tesuji.planes`); games of different deals differ.
    If the game is unknown (None), or a move is illegal or missing in its `move_space`, only equal moves count
    as equal.

    >>> one, rotated, mirrored = (
    ...     Record(game="hex:size=3", players=("random", "random"), moves=moves)
    ...     for moves in (("a1", "b1"), ("c3", "b3"), ("a1", "a2"))
    ... )
    >>> keys = GameKeys(as_game("hex:size=3"))
    >>> keys.key(one) == keys.key(rotated), keys.key(one) == keys.key(mirrored)
    (True, False)
    """

    def __init__(self, game: FullGame | None) -> None:
        self._game = game
        self._planes = None if game is None else _planes(game)
        self._images = [] if self._planes is None else _images(self._planes)
        """For each symmetry: the image of each policy index."""

    def key(self, record: Record) -> int:
        """A hash of the moves, minimized over the symmetries; replays the game."""
        if self._game is None:
            return derived_seed(*record.moves)
        first = self._game.start(record.seed)
        return self.of(record.moves, first, _replayed(first, record.moves))

    def of(self, texts: Sequence[str], first: FullState, played: Iterable[tuple[FullState, Move]]) -> int:
        """The same of a game in hand: the first position, and every move with the one it was played in."""
        if self._planes is None:
            return derived_seed(*texts)
        try:
            indices = [self._planes.index(state, move) for state, move in played]
        except ValueError:
            return derived_seed(*texts)
        seen = self._planes(first)  # differs from deal to deal
        turned = self._planes.native.transform_planes
        images = (
            (turned(symmetry, seen).tobytes(), *map(image.__getitem__, indices))
            for symmetry, image in enumerate(self._images)
        )
        return derived_seed(*min(images))


@lru_cache(maxsize=8)
def keys_of(game: str, kind: type) -> GameKeys:
    """The keys of a game; `kind` is its class, which a notebook may redefine under the same spec."""
    return GameKeys(as_game(game))


def _replayed(state: FullState, texts: Sequence[str]) -> Iterator[tuple[FullState, Move]]:
    for text in texts:
        move = parse_move(state, text)
        yield state, move
        state = state.play(move)


def _planes(game: FullGame) -> NativePlanes | None:
    """The game's planes; None if it has no symmetries."""
    if game.planes is None and not game.symmetries:
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
