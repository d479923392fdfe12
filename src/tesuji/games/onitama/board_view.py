"""An Onitama position as the web page draws it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tesuji.games.onitama.game import OnitamaState


def onitama_board_view(state: OnitamaState) -> dict[str, Any]:
    """Squares from a1, and the five cards with their owners; the side card has none."""
    text = "".join(".bBrR"[cell] for cell in state.cells())
    cards = [(0, card) for card in state.hand(0)] + [(1, card) for card in state.hand(1)]
    return {
        "kind": "onitama",
        "cells": [list(text[row * 5 : row * 5 + 5]) for row in range(5)],
        "cards": [
            {"name": card.name, "word": card.word, "owner": owner, "stamp": card.stamp}
            | {"moves": [list(step) for step in card.steps]}
            for owner, card in [*cards, (None, state.side)]
        ],
        "last": None if state.last_move is None else state.text(state.last_move),
    }
