"""Moves on a described board: `state.board()` and `state.clicks(move)`.

`clicks(move)` names the cells and pieces in hand that are clicked to play a move, in order: `("c3",)`,
`("a2", "b3")`, or `()` for a move that is a button below the board. Without it, a move is clicked on the cell
that has the same name as the move's text.
"""

from __future__ import annotations

import inspect
from collections.abc import Collection
from typing import Any

from tesuji.board import Board
from tesuji.game import Move, State, text_of


def board_of(state: State, viewer: int | None = None) -> Board | None:
    """The board of a state as seen from a seat (None: by a spectator), or None if it describes none.

    In a game with hidden cards, `board(viewer)` takes the seat; one that does not is not used.
    """
    method = getattr(state, "board", None)
    if not callable(method):  # such as a field of this name
        return None
    if takes_viewer(method):
        board = method(viewer)
    elif hasattr(state, "determinize"):
        return None
    else:
        board = method()
    return board if isinstance(board, Board) else None


def takes_viewer(method: Any) -> bool:
    """Whether a method `board` has a parameter for the seat."""
    try:
        return bool(inspect.signature(method).parameters)
    except ValueError:  # compiled methods may have no signature
        return False


def clicks_of(state: State, move: Move, names: Collection[str]) -> tuple[str, ...]:
    """What is clicked to play a move, in order; () if the move is a button. `names` are those of the board.

    >>> import tesuji
    >>> from tesuji.board import squares
    >>> clicks_of(tesuji.game("hex").start(), 0, Board(squares(11, 11)).names)
    ('a1',)
    """
    clicks = getattr(state, "clicks", None)
    if clicks is None:
        text = text_of(state, move)
        return (text,) if text in names else ()
    found = clicks(move)
    return (found,) if isinstance(found, str) else tuple(found)
