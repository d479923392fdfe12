"""A position as JSON, for the page to draw. Cells are named like moves, so that the page needs no rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tesuji.full_game import FullState, Move


def describe_board(state: FullState, viewer: int | None) -> dict[str, Any]:
    """The position's own `board_view(viewer)` or `board()`, else its picture or text.

    `kind` selects the renderer.

    >>> import tesuji
    >>> describe_board(tesuji.replay("hex:size=2", "a2"), None)
    {'kind': 'hex', 'size': 2, 'cells': [['.', '.'], ['b', '.']], 'last': 'a2'}
    """
    if (view := state.board_view(viewer)) is not None:
        return dict(view)
    if (board := state.board(viewer)) is not None:
        return {"kind": "board", "viewer": viewer, **board.as_dict()}
    if state.hidden:
        return {"kind": "text", "text": _visible_text(state, viewer)}
    if (picture := state.svg()) is not None:
        return {"kind": "svg", "svg": picture}
    return {"kind": "text", "text": str(state)}


def click_names(state: FullState, viewer: int | None) -> frozenset[str] | None:
    """The names that can be clicked; None if the page does not draw the state by its `board()`."""
    board = None if state.offers("board_view") else state.board(viewer)
    return None if board is None else board.names


def describe_clicks(state: FullState, moves: Iterable[Move], viewer: int | None) -> dict[str, list[str]]:
    """Where each move is clicked, by the move's text."""
    names = click_names(state, viewer) or ()
    return {state.text(move): list(state.clicks(move, names)) for move in moves}


def move_clicks(state: FullState, move: Move, viewer: int | None) -> list[str] | None:
    """Where one move is clicked; None without a `board()`."""
    names = click_names(state, viewer)
    return None if names is None else list(state.clicks(move, names))


def _visible_text(state: FullState, viewer: int | None) -> str:
    """What the viewer may see of a position; `str(state)` might show the cards of others."""
    if (seen := state.text_for(viewer)) is not None:
        return str(seen)
    view = None if viewer is None else state.view(viewer)
    return "" if view is None else repr(view)
