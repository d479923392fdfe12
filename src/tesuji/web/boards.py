"""A position as JSON, for the page to draw. Cells are named as moves are, so the page needs no rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tesuji.game import State
from tesuji.games.coordinates import cell_text

Board = dict[str, Any]


def board_of(name: str, state: Any, viewer: int | None) -> Board:
    """The board of a game by its name; a game that has none of its own is its picture or its text.

    >>> import tesuji
    >>> board_of("hex", tesuji.replay("hex:size=2", "a2"), None)
    {'kind': 'hex', 'size': 2, 'cells': [['.', '.'], ['b', '.']], 'last': 'a2'}
    """
    draw = _BOARDS.get(name)
    if draw is not None:
        return draw(state, viewer)
    if hasattr(state, "determinize"):
        return _hidden(state, viewer)
    picture = getattr(state, "svg", None)
    if picture is not None:
        return {"kind": "svg", "svg": str(picture())}
    return {"kind": "text", "text": str(state)}


def _hidden(state: Any, viewer: int | None) -> Board:
    """Cards of others stay closed."""
    if hasattr(state, "seen_by"):
        return {"kind": "text", "text": str(state.seen_by(viewer))}
    return {
        "kind": "text",
        "text": "" if viewer is None or not hasattr(state, "view") else repr(state.view(viewer)),
    }


def _stones(kind: str, state: Any) -> Board:
    """A square board of black and white stones, row 1 first."""
    size: int = state.size
    text = "".join(".bw"[cell] for cell in state.cells())
    last = state.last_cell()
    return {
        "kind": kind,
        "size": size,
        "cells": [list(text[row * size : (row + 1) * size]) for row in range(size)],
        "last": None if last is None else cell_text(kind, size, last),
    }


def _hex(state: Any, viewer: int | None) -> Board:
    board = _stones("hex", state)
    if (scores := state.scores()) is not None:
        winner = 1 if scores[0] == 1 else 2
        board["path"] = [
            cell_text("hex", state.size, cell) for cell in winning_path(state.size, state.cells(), winner)
        ]
    return board


def winning_path(size: int, cells: bytes, winner: int) -> list[int]:
    """A shortest chain of the winner's stones from edge to edge, by breadth-first search; 1 is Black.

    >>> winning_path(3, bytes([0, 1, 0, 0, 1, 2, 1, 2, 2]), 1)
    [1, 4, 6]
    """

    def along(cell: int) -> int:
        return cell // size if winner == 1 else cell % size

    first = [cell for cell in range(size * size) if cells[cell] == winner and along(cell) == 0]
    came: dict[int, int | None] = dict.fromkeys(first)
    for cell in (line := list(first)):
        if along(cell) == size - 1:
            path: list[int] = []
            step: int | None = cell
            while step is not None:
                path.append(step)
                step = came[step]
            return path[::-1]
        row, column = divmod(cell, size)
        for down, right in ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)):
            other = (row + down) * size + column + right
            inside = 0 <= row + down < size and 0 <= column + right < size
            if inside and other not in came and cells[other] == winner:
                came[other] = cell
                line.append(other)
    return []


def _gomoku(state: Any, viewer: int | None) -> Board:
    board = _stones("gomoku", state) | {"colour": "bw"[state.colour]}
    size, last = state.size, state.last_cell()
    if state.game.swap2:
        board["black"] = state.black if state.core.stage == "settled" else None
    if (scores := state.scores()) is not None and max(scores) == 1 and last is not None:
        board["five"] = [cell_text("gomoku", size, cell) for cell in winning_row(size, state.cells(), last)]
    if forbidden := state.crosses():
        board["forbidden"] = [cell_text("gomoku", size, cell) for cell in forbidden]
    return board


def winning_row(size: int, cells: bytes, last: int) -> list[int]:
    """The stones in a row with the last one, five or more; empty where there is no such row.

    >>> winning_row(5, bytes([1, 1, 1, 1, 1] + [0] * 20), 2)
    [0, 1, 2, 3, 4]
    """
    colour = cells[last]
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        row = [last]
        for sign in (-1, 1):
            column, line = last % size, last // size
            while True:
                column, line = column + sign * right, line + sign * up
                if not (0 <= column < size and 0 <= line < size) or cells[line * size + column] != colour:
                    break
                row.append(line * size + column)
        if len(row) >= 5:
            return sorted(row)
    return []


def _onitama(state: Any, viewer: int | None) -> Board:
    text = "".join(".bBrR"[cell] for cell in state.cells())
    owners = (
        [(0, card) for card in state.hand(0)] + [(1, card) for card in state.hand(1)] + [(None, state.side)]
    )
    return {
        "kind": "onitama",
        "cells": [list(text[row * 5 : row * 5 + 5]) for row in range(5)],
        "cards": [
            {"name": card.name, "word": card.word, "owner": owner, "stamp": card.stamp}
            | {"moves": [list(step) for step in card.steps]}
            for owner, card in owners
        ],
        "last": None if state.last_move is None else state.text(state.last_move),
    }


def _gofish(state: Any, viewer: int | None) -> Board:
    from tesuji.games.gofish.cards import RANK_NAMES

    over = state.scores() is not None
    seats = []
    for seat, count in enumerate(state.hand_sizes):
        cards = [RANK_NAMES[rank] for rank, number in enumerate(state.hand(seat)) for _ in range(number)]
        books = [RANK_NAMES[rank] for rank in state.books(seat)]
        known = [RANK_NAMES[rank] for rank, number in enumerate(state.sure(seat)) for _ in range(number)]
        shown = cards if over or seat == viewer else None
        seats.append({"cards": shown, "known": known, "count": count, "books": books})
    return {"kind": "gofish", "seats": seats, "deck": state.deck_size, "viewer": viewer}


_BOARDS: Mapping[str, Callable[[Any, int | None], Board]] = {
    "hex": _hex,
    "gomoku": _gomoku,
    "onitama": _onitama,
    "gofish": _gofish,
}


def hides(state: State) -> bool:
    """Whether seats see different things."""
    return hasattr(state, "determinize")
