"""A position as JSON, for the page to draw. Cells are named like moves, so that the page needs no rules."""

from __future__ import annotations

from typing import Any

from tesuji.game import State


def describe_board(state: Any, viewer: int | None) -> dict[str, Any]:
    """The position's own `board_view(viewer)`, else its picture or text; `kind` selects the renderer.

    >>> import tesuji
    >>> describe_board(tesuji.replay("hex:size=2", "a2"), None)
    {'kind': 'hex', 'size': 2, 'cells': [['.', '.'], ['b', '.']], 'last': 'a2'}
    """
    board_view = getattr(state, "board_view", None)
    if board_view is not None:
        return dict(board_view(viewer))
    if has_hidden_information(state):
        return {"kind": "text", "text": _visible_text(state, viewer)}
    picture = getattr(state, "svg", None)
    if picture is not None:
        return {"kind": "svg", "svg": str(picture())}
    return {"kind": "text", "text": str(state)}


def _visible_text(state: Any, viewer: int | None) -> str:
    """What the viewer may see of a position; `str(state)` might show the cards of others."""
    if hasattr(state, "seen_by"):
        return str(state.seen_by(viewer))
    return "" if viewer is None or not hasattr(state, "view") else repr(state.view(viewer))


def has_hidden_information(state: State) -> bool:
    """Whether players see different things."""
    return hasattr(state, "determinize")
