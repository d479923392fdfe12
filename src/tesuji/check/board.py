"""The checks of `board()` and `clicks(move)`: every position can be drawn, and every move clicked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Any, TypeGuard

from tesuji.adapter import full_state, offers, parameters
from tesuji.board import Board
from tesuji.check.keys import Reporter
from tesuji.full_game import CHANCE, FullGame, FullState, Move


def check_board(check: Reporter, game: FullGame, state: Any, moves: Sequence[Move]) -> None:
    """Report what is wrong with the board of a position and with the clicks of its legal moves."""
    if not callable(getattr(state, "board", None)):
        if offers(state, "clicks"):
            check.report("clicks() needs a board() to click on")
        return
    method = state.board
    if not parameters(method):
        if offers(state, "determinize"):
            check.report("board() must take the viewer if cards are hidden", "define board(self, viewer)")
            return
        boards: dict[int | None, object] = {state.player: check.attempt("board()", method)}
    else:
        viewers = (None, *range(game.players))
        boards = {viewer: check.attempt("board()", partial(method, viewer)) for viewer in viewers}
    for viewer, board in boards.items():
        if _is_drawable(board, check, game.players) and viewer == state.player != CHANCE:
            _check_clicks(check, full_state(state, game), moves, board.names)


def _is_drawable(board: object, check: Reporter, players: int) -> TypeGuard[Board]:
    """Whether this is a board; its fields were checked when it was created."""
    if board is None:
        return False  # attempt() has reported an exception; None itself means no board
    if not isinstance(board, Board):
        check.report("board() must return a tesuji.board.Board", f"not {type(board).__name__}")
        return False
    if len(board.players) < players:
        check.report("board() must give each player a colour", f"{list(board.players)} for {players}")
    try:
        json.dumps(board.as_dict())
    except (TypeError, ValueError) as error:
        check.report("board() must consist of texts and numbers", error)
    return True


def _check_clicks(check: Reporter, full: FullState, moves: Sequence[Move], names: frozenset[str]) -> None:
    found: dict[tuple[str, ...], str] = {}
    for move in moves:
        text = full.text(move)
        clicks: tuple[Any, ...] = check.attempt("clicks()", partial(full.clicks, move, names)) or ()
        unknown = [name for name in clicks if not isinstance(name, str) or name not in names]
        if unknown:
            example = f"{unknown[0]!r} of {text!r} is neither"
            check.report("clicks() must name cells or pieces in hand", example)
        if unknown or not clicks:
            continue
        if clicks in found:
            example = f"{clicks!r} for {found[clicks]} and {text}"
            check.report("clicks() must be different for different moves", example)
        found[clicks] = text
    for clicks, text in found.items():
        for short in (clicks[:length] for length in range(1, len(clicks))):
            if short in found:
                example = f"{short!r} plays {found[short]}, so {text} cannot be clicked"
                check.report("the clicks of a move must not be the beginning of another's", example)
