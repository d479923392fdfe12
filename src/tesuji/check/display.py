"""The checks of what people see of a position, as text or picture, and of the board on which they click."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Any, TypeGuard
from xml.etree import ElementTree

from tesuji.adapter import full_state, offers, parameters
from tesuji.board import Board
from tesuji.check.reporter import Reporter
from tesuji.full_game import CHANCE, Move, OwnState

DRAWN = 10  # positions of a game that are drawn: pictures take longer than moves
SVG = "{http://www.w3.org/2000/svg}svg"


class DisplayCheck:
    """Checks the optional methods that show a position to people."""

    def __init__(self, check: Reporter) -> None:
        self.check = check
        self.left = DRAWN

    def begin_game(self) -> None:
        """Start a new game."""
        self.left = DRAWN

    def position(self, state: OwnState, moves: list[Move], *, over: bool) -> None:
        """Check a position; pictures of the first positions and of the last one."""
        full = full_state(state, self.check.game)
        for method in ("text_for", "last_move_text"):
            for seat in (None, *range(self.check.players)):
                text = self.check.attempt(f"{method}()", partial(getattr(full, method), seat))
                if text is not None and not isinstance(text, str):
                    self.check.report(f"{method}() must return a text", repr(text))
        if not over:
            notes = self.check.attempt("notes()", full.notes)
            listed = isinstance(notes, list | tuple) and all(isinstance(one, str) for one in notes)
            if notes is not None and not listed:
                self.check.report("notes() must return a list of texts", repr(notes))
        if offers(state, "svg") and (self.left > 0 or over):
            self.left -= 1
            self._svg(self.check.attempt("svg()", state.svg))
            if moves and {"heat", "labels"} <= parameters(state.svg).keys():
                marked = {moves[0]: 0.5}, {moves[0]: "50%"}
                drawn = self.check.attempt(
                    "svg(heat=…, labels=…)", lambda: state.svg(heat=marked[0], labels=marked[1])
                )
                self._svg(drawn)
        self._board(state, moves)

    def texts(self, state: OwnState, moves: list[Move]) -> bool:
        """Whether `text` returns a text for each move."""
        for move in moves:
            text = self.check.call(state, "text", move)
            if not isinstance(text, str):
                self.check.report("text() must return a text", f"{text!r} for the move {move!r}")
                return False
        return True

    def _svg(self, drawn: object) -> None:
        if drawn is None:
            return  # attempt() has reported an exception; None itself means no picture
        if not isinstance(drawn, str):
            self.check.report("svg() must return a text", repr(drawn))
            return
        try:
            root = ElementTree.fromstring(drawn)
        except ElementTree.ParseError as error:
            self.check.report("svg() must return valid XML", error)
            return
        if root.tag != SVG:
            rule = 'svg() must return <svg xmlns="http://www.w3.org/2000/svg">…</svg>'
            self.check.report(rule, f"its element is {root.tag!r}")

    def _board(self, state: OwnState, moves: Sequence[Move]) -> None:
        """Report what is wrong with the board of a position and with the clicks of its legal moves."""
        if not callable(getattr(state, "board", None)):
            if offers(state, "clicks"):
                self.check.report("clicks() needs a board() to click on")
            return
        method = state.board
        if not parameters(method):
            if offers(state, "determinize"):
                self.check.report(
                    "board() must take the viewer if cards are hidden", "define board(self, viewer)"
                )
                return
            boards: dict[int | None, object] = {state.player: self.check.attempt("board()", method)}
        else:
            viewers = (None, *range(self.check.players))
            boards = {viewer: self.check.attempt("board()", partial(method, viewer)) for viewer in viewers}
        for viewer, board in boards.items():
            if self._is_drawable(board) and viewer == state.player != CHANCE:
                self._clicks(state, moves, board.names)

    def _is_drawable(self, board: object) -> TypeGuard[Board]:
        """Whether this is a board; its fields were checked when it was created."""
        if board is None:
            return False  # attempt() has reported an exception; None itself means no board
        if not isinstance(board, Board):
            self.check.report("board() must return a tesuji.board.Board", f"not {type(board).__name__}")
            return False
        if len(board.players) < self.check.players:
            self.check.report(
                "board() must give each player a colour", f"{list(board.players)} for {self.check.players}"
            )
        try:
            json.dumps(board.as_dict())
        except (TypeError, ValueError) as error:
            self.check.report("board() must consist of texts and numbers", error)
        return True

    def _clicks(self, state: OwnState, moves: Sequence[Move], names: frozenset[str]) -> None:
        full = full_state(state, self.check.game)
        found: dict[tuple[str, ...], str] = {}
        for move in moves:
            text = full.text(move)
            clicks: tuple[Any, ...] = self.check.attempt("clicks()", partial(full.clicks, move, names)) or ()
            unknown = [name for name in clicks if not isinstance(name, str) or name not in names]
            if unknown:
                example = f"{unknown[0]!r} of {text!r} is neither"
                self.check.report("clicks() must name cells or pieces in hand", example)
            if unknown or not clicks:
                continue
            if clicks in found:
                example = f"{clicks!r} for {found[clicks]} and {text}"
                self.check.report("clicks() must be different for different moves", example)
            found[clicks] = text
        for clicks, text in found.items():
            for short in (clicks[:length] for length in range(1, len(clicks))):
                if short in found:
                    example = f"{short!r} plays {found[short]}, so {text} cannot be clicked"
                    self.check.report("the clicks of a move must not be the beginning of another's", example)
