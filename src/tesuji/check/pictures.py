"""The checks of what people see of a position: `text`, `svg`, `notes`, `text_for` and `last_move_text`."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

from tesuji.adapter import offers, parameters
from tesuji.check.keys import Reporter
from tesuji.full_game import Move

DRAWN = 10  # positions of a game that are drawn: pictures take longer than moves
SVG = "{http://www.w3.org/2000/svg}svg"


class PictureCheck:
    """Checks the optional methods that return text for people."""

    def __init__(self, check: Reporter, players: int) -> None:
        self.check, self.players = check, players
        self.left = DRAWN

    def begin_game(self) -> None:
        """Start a new game."""
        self.left = DRAWN

    def position(self, state: Any, moves: list[Move], *, over: bool) -> None:
        """Check a position; pictures of the first positions and of the last one."""
        for seat in (None, *range(self.players)):
            for method in ("text_for", "last_move_text"):
                if offers(state, method):
                    self._text(state, method, seat)
        if not over and offers(state, "notes"):
            notes = self.check.attempt("notes()", state.notes)
            listed = isinstance(notes, list | tuple) and all(isinstance(one, str) for one in notes)
            if notes is not None and not listed:
                self.check.report("notes() must return a list of texts", repr(notes))
        if offers(state, "svg") and (self.left > 0 or over):
            self.left -= 1
            self._svg(self.check.attempt("svg()", state.svg))
            if moves and _takes_marks(state.svg):
                marked = {moves[0]: 0.5}, {moves[0]: "50%"}
                drawn = self.check.attempt(
                    "svg(heat=…, labels=…)", lambda: state.svg(heat=marked[0], labels=marked[1])
                )
                self._svg(drawn)

    def texts(self, state: Any, moves: list[Move]) -> bool:
        """Whether `text` returns a text for each move."""
        for move in moves:
            text = self.check.call(state, "text", move)
            if not isinstance(text, str):
                self.check.report("text() must return a text", f"{text!r} for the move {move!r}")
                return False
        return True

    def _text(self, state: Any, method: str, seat: int | None) -> None:
        told = self.check.attempt(f"{method}()", lambda: getattr(state, method)(seat))
        if told is not None and not isinstance(told, str):
            self.check.report(f"{method}() must return a text", repr(told))

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


def _takes_marks(svg: Any) -> bool:
    return {"heat", "labels"} <= parameters(svg).keys()
