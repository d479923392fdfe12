"""A position as JSON, for the page to draw. Cells are named like moves, so that the page needs no rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tesuji.clicks import board_of, clicks_of
from tesuji.game import Move, State, text_of


def describe_board(state: Any, viewer: int | None) -> dict[str, Any]:
    """The position's own `board_view(viewer)` or `board()`, else its picture or text.

    `kind` selects the renderer.

    >>> import tesuji
    >>> describe_board(tesuji.replay("hex:size=2", "a2"), None)
    {'kind': 'hex', 'size': 2, 'cells': [['.', '.'], ['b', '.']], 'last': 'a2'}
    """
    board_view = getattr(state, "board_view", None)
    if board_view is not None:
        return dict(board_view(viewer))
    board = board_of(state, viewer)
    if board is not None:
        return {"kind": "board", "viewer": viewer, **board.as_dict()}
    if has_hidden_information(state):
        return {"kind": "text", "text": _visible_text(state, viewer)}
    picture = getattr(state, "svg", None)
    if picture is not None:
        return {"kind": "svg", "svg": str(picture())}
    return {"kind": "text", "text": str(state)}


def click_names(state: State, viewer: int | None) -> frozenset[str] | None:
    """The names that can be clicked; None if the page does not draw the state by its `board()`."""
    board = None if hasattr(state, "board_view") else board_of(state, viewer)
    return None if board is None else board.names


def describe_clicks(state: State, moves: Iterable[Move], viewer: int | None) -> dict[str, list[str]]:
    """Where each move is clicked, by the move's text."""
    names = click_names(state, viewer) or ()
    return {text_of(state, move): list(clicks_of(state, move, names)) for move in moves}


def move_clicks(state: State, move: Move, viewer: int | None) -> list[str] | None:
    """Where one move is clicked; None without a `board()`."""
    names = click_names(state, viewer)
    return None if names is None else list(clicks_of(state, move, names))


def _visible_text(state: Any, viewer: int | None) -> str:
    """What the viewer may see of a position; `str(state)` might show the cards of others."""
    if hasattr(state, "seen_by"):
        return str(state.seen_by(viewer))
    return "" if viewer is None or not hasattr(state, "view") else repr(state.view(viewer))


def has_hidden_information(state: State) -> bool:
    """Whether players see different things."""
    return hasattr(state, "determinize")
