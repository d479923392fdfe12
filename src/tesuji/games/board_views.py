"""Views of boards of black and white stones, as the web page draws them (`state.board_view`)."""

from __future__ import annotations

from typing import Any

from tesuji.games.coordinates import cell_text


def stone_board_view(kind: str, state: Any) -> dict[str, Any]:
    """A square board with row 1 first, its last move, and the winning line once the game is won.

    >>> import tesuji
    >>> stone_board_view("hex", tesuji.replay("hex:size=2", "a2"))
    {'kind': 'hex', 'size': 2, 'cells': [['.', '.'], ['b', '.']], 'last': 'a2'}
    """
    size: int = state.size
    text = "".join(".bw"[cell] for cell in state.cells())
    last, line = state.last_cell(), state.winning_line()
    view = {
        "kind": kind,
        "size": size,
        "cells": [list(text[row * size : (row + 1) * size]) for row in range(size)],
        "last": None if last is None else cell_text(kind, size, last),
    }
    return view | ({"winning_line": [cell_text(kind, size, cell) for cell in line]} if line else {})
