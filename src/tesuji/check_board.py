"""The checks of `board()` and `clicks(move)`: every position can be drawn, and every move clicked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Protocol

from tesuji.board import Board
from tesuji.clicks import clicks_of, takes_viewer
from tesuji.game import CHANCE, Move, text_of


class Reporter(Protocol):
    """The part of check_game that calls the game and collects problems."""

    players: int

    def report(self, rule: str, example: object = "") -> None:
        """Remember the first example of a violated rule."""

    def ask(self, what: str, question: Any) -> Any:
        """Call into the game."""


def check_board(check: Reporter, state: Any, moves: Sequence[Move]) -> None:
    """Report what is wrong with the board of a position and with the clicks of its legal moves."""
    method = getattr(state, "board", None)
    if not callable(method):
        if callable(getattr(state, "clicks", None)):
            check.report("clicks() needs a board() to click on")
        return
    if not takes_viewer(method):
        if hasattr(state, "determinize"):
            check.report("board() must take the viewer if cards are hidden", "define board(self, viewer)")
            return
        board = check.ask("board()", method)
    else:
        for viewer in (None, *range(check.players)):
            board = check.ask("board()", lambda viewer=viewer: method(viewer))
            _check_drawing(check, board)
        if state.player != CHANCE and moves:
            board = check.ask("board()", lambda: method(state.player))
    if _check_drawing(check, board) and state.player != CHANCE:
        _check_clicks(check, state, moves, board)


def _check_drawing(check: Reporter, board: object) -> bool:
    """Whether this is a board; its fields have been checked when it was created."""
    if not isinstance(board, Board):
        check.report("board() must return a tesuji.board.Board", f"not {type(board).__name__}")
        return False
    if len(board.players) < check.players:
        check.report("board() must give each player a colour", f"{list(board.players)} for {check.players}")
    try:
        json.dumps(board.as_dict())
    except (TypeError, ValueError) as error:
        check.report("board() must consist of texts and numbers", error)
    return True


def _check_clicks(check: Reporter, state: Any, moves: Sequence[Move], board: Board) -> None:
    names = board.names
    found: dict[tuple[str, ...], str] = {}
    for move in moves:
        text = text_of(state, move)
        clicks = check.ask("clicks()", lambda move=move: clicks_of(state, move, names))
        for name in clicks:
            if name not in names:
                check.report("clicks() must name cells or pieces in hand", f"{name!r} of {text!r} is neither")
        if clicks and clicks in found:
            check.report(
                "clicks() must be different for different moves", f"{clicks!r} for {found[clicks]} and {text}"
            )
        found[clicks] = text
    for clicks, text in found.items():
        for length in range(1, len(clicks)):
            if clicks[:length] in found:
                check.report(
                    "the clicks of a move must not be the beginning of another's",
                    f"{clicks[:length]!r} plays {found[clicks[:length]]}, so {text} cannot be clicked",
                )
