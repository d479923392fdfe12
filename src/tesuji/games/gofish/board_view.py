"""A Go Fish position as the web page draws it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tesuji.games.gofish.cards import RANK_NAMES

if TYPE_CHECKING:
    from tesuji.games.gofish.state import GoFishState


def gofish_board_view(state: GoFishState, viewer: int | None) -> dict[str, Any]:
    """Hands, books and the deck. Until the game is over, only the viewer's cards are open."""
    over = state.scores() is not None
    seats = [
        {
            "cards": _names(state.hand(seat)) if over or seat == viewer else None,
            "known": _names(state.sure(seat)),
            "count": count,
            "books": [RANK_NAMES[rank] for rank in state.books(seat)],
        }
        for seat, count in enumerate(state.hand_sizes)
    ]
    return {"kind": "gofish", "seats": seats, "deck": state.deck_size, "viewer": viewer}


def _names(counts: Iterable[int]) -> list[str]:
    return [RANK_NAMES[rank] for rank, count in enumerate(counts) for _ in range(count)]
