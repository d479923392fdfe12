"""Maps of a Gomoku board with one number per cell: proximity to stones, and patterns a stone would make.

A map is a float32 array, `map[row, column]`, row 0 at the bottom (a1 is `map[0, 0]`), on a fixed scale from 0
to 1: the same position gives the same numbers in training and in play.

Proximity, by steps to the next stone (diagonal ones count): 1 → 1.0, 2 → 0.5, 3 → 0.2, more → 0.05; a cell
with a stone 0. On the empty board, by steps from the centre: up to 2 → 1.0, up to 4 → 0.7, more → 0.1.

Patterns, by the strongest pattern that a stone makes there, broken or solid: see `PATTERN_SCALE`. A cell that
is forbidden in renju is 0.

The first two functions take positions and cost microseconds, since patterns are updated incrementally. The
other three take a board as an array.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tesuji import _core

if TYPE_CHECKING:
    from tesuji.games.gomoku.game import GomokuState

Map: TypeAlias = NDArray[np.float32]

PATTERN_SCALE: dict[str, float] = {
    threat: round(value, 2)
    for threat, value in zip(_core.GOMOKU_THREATS, _core.GOMOKU_THREAT_SCALE, strict=True)
}
"""Patterns from `none` to `five`, and their numbers in a pattern map."""

DEFENCE = 0.9
"""In the combined map: own five 1.0 > stop five 0.9 > own open four 0.8 > stop open four 0.72 > …"""

DEFENCE_IN_SUM = 1.2
"""Factor of the opponent's patterns in the sum of both."""

STEPS = (1.0, 0.5, 0.2)
"""Proximity at one, two and three steps from the nearest stone."""
FAR = 0.05

NO_PATTERN = 0.3
"""Factor of the proximity in the combined map if no stone would make a pattern."""


def proximity_map(state: GomokuState, *, opening_stones: int = 0) -> Map:
    """Proximity to stones. With fewer stones than `opening_stones` every empty cell is 1.

    >>> import tesuji
    >>> near = proximity_map(tesuji.replay("gomoku", "h8"))
    >>> [f"{near[7, column]:g}" for column in (7, 8, 9, 10, 11)]
    ['0', '1', '0.5', '0.2', '0.05']
    """
    return _core.gomoku_proximity_map(state.core, opening_stones)


def pattern_map(state: GomokuState, player: int) -> Map:
    """The pattern that a stone of this player would make on each empty cell.

    >>> import tesuji
    >>> state = tesuji.replay("gomoku", "g8 a1 h8 a2 j8 a3")
    >>> made = pattern_map(state, 0)
    >>> PATTERN_SCALE["open_four"], f"{made[7, 8]:g}", f"{made[14, 14]:g}"
    (0.8, '0.8', '0')
    """
    return _core.gomoku_pattern_map(state.core, state.core.colour_of(player))


def compute_proximity_mask(board: ArrayLike, max_distance: int = 3, *, opening_stones: int = 0) -> Map:
    """Proximity to stones for a board as an array: 0 is an empty cell, anything else a stone.

    Cells more than `max_distance` steps from every stone count as far away, 0.05; with `max_distance=2` also
    those at three steps.

    >>> board = np.zeros((15, 15), dtype=np.int8)
    >>> empty = compute_proximity_mask(board)
    >>> board[7, 7] = 1
    >>> one = compute_proximity_mask(board)
    >>> [f"{each:g}" for each in (empty[7, 7], empty[0, 0], one[7, 8], one[7, 9], one[0, 0])]
    ['1', '0.1', '1', '0.5', '0.05']
    """
    if max_distance < 1:
        raise ValueError(f"max_distance must be at least 1, not {max_distance!r}")
    cells = _cells(board)
    near = _core.gomoku_proximity_map(cells != 0, opening_stones)
    if max_distance >= len(STEPS) or not cells.any() or np.count_nonzero(cells) < opening_stones:
        return near
    near[(near > 0) & (near < np.float32(STEPS[max_distance - 1]))] = FAR
    return near


def detect_patterns(board: ArrayLike, player: int, *, rule: str = "freestyle") -> Map:
    """The pattern that a stone of `player` would make on each empty cell of a square board of 1, -1 and 0.

    `PATTERN_SCALE` lists the patterns and their numbers. Player 1 is Black.

    >>> board = np.zeros((15, 15), dtype=np.int8)
    >>> board[7, 5:8] = 1
    >>> made = detect_patterns(board, 1)
    >>> f"{made[7, 8]:g}", f"{made[0, 0]:g}"
    ('0.8', '0')
    """
    core, colour = _set_up(board, player, rule, "player")
    return _core.gomoku_pattern_map(core, colour)


def get_pattern_features(
    board: ArrayLike,
    current_player: int,
    *,
    rule: str = "freestyle",
    combine: Literal["strongest", "sum"] = "strongest",
) -> Map:
    """Patterns of both sides and proximity in one map, for a square board of 1, -1 and 0. Player 1 is Black.

    `strongest`: the stronger of own and `DEFENCE` × the opponent's pattern, times the proximity; on a board
    without any pattern `NO_PATTERN` × the proximity. Not normalized, so that the maps of different positions
    can be compared. `sum`: (own + `DEFENCE_IN_SUM` × the opponent's) × the proximity, divided by its maximum.

    >>> board = np.zeros((15, 15), dtype=np.int8)
    >>> board[7, 5:9] = 1
    >>> features = get_pattern_features(board, 1)
    >>> float(features[7, 9]), float(features[0, 0])
    (1.0, 0.0)
    """
    if combine not in ("strongest", "sum"):
        raise ValueError(f"combine must be strongest or sum, not {combine!r}")
    core, colour = _set_up(board, current_player, rule, "current_player")
    own, other = (_core.gomoku_pattern_map(core, each) for each in (colour, 1 - colour))
    near = _core.gomoku_proximity_map(core, 0)
    if combine == "strongest":
        patterns = np.maximum(own, np.float32(DEFENCE) * other)
        return patterns * near if patterns.any() else np.float32(NO_PATTERN) * near
    patterns = (own + np.float32(DEFENCE_IN_SUM) * other) * near
    patterns = patterns if patterns.any() else np.float32(NO_PATTERN) * near
    return np.asarray(patterns / max(patterns.max(), np.float32(1e-12)), dtype=np.float32)


def _set_up(board: ArrayLike, player: int, rule: str, name: str) -> tuple[_core.GomokuState, int]:
    """The native position of a board, and the player's colour."""
    cells = _cells(board)
    if player not in (1, -1):
        raise ValueError(f"{name} must be 1 or -1, not {player!r}")
    if cells.shape[0] != cells.shape[1] or not np.isin(cells, (-1, 0, 1)).all():
        raise ValueError("the board must be square, of 1 (Black), -1 (White) and 0")
    owners = np.where(cells == -1, 2, cells).astype(np.uint8).tobytes()
    colour = 0 if player == 1 else 1
    return _core.GomokuState.set_up(cells.shape[0], rule, owners, colour), colour


def _cells(board: ArrayLike) -> NDArray[np.int64]:
    cells = np.asarray(board)
    if cells.ndim != 2:
        raise ValueError(f"a board is an array of rows and columns, not of shape {cells.shape}")
    return np.ascontiguousarray(cells, dtype=np.int64)
