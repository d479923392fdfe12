"""The last ask in words, as one seat or a spectator saw it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tesuji.games.gofish.cards import RANK_NAMES
from tesuji.games.gofish.observed import SHOWN

if TYPE_CHECKING:
    from tesuji.games.gofish.state import GoFishState


def narrate(state: GoFishState, seat: int | None) -> str:
    """The last ask and what it led to.

    >>> import tesuji
    >>> state = tesuji.replay("gofish", "A", seed=7)
    >>> narrate(state, 1)
    'Player 0 asks you for A: go fish. Player 0 draws a card.'
    """
    turn = state.turns[-1]
    rank, asker = RANK_NAMES[turn.rank], turn.asker
    if turn.given:
        reply = f"{turn.given} card{'s' if turn.given > 1 else ''}."
    elif turn.fished:
        reply = "go fish."
    else:
        reply = "none, and the deck is empty."
    whom = "you" if turn.target == seat else f"player {turn.target}"
    lines = [f"{_who(asker, seat)} {'ask' if asker == seat else 'asks'} {whom} for {rank}: {reply}"]
    drawn = state.drawn()
    if turn.fished:
        seen = turn.fished == SHOWN or asker == seat or turn.book >= 0
        lines.append(f"{_draws(asker, seat)} {RANK_NAMES[drawn[0]] if seen else 'a card'}.")
    if turn.book >= 0:
        lays = "lay" if asker == seat else "lays"
        lines.append(f"{_who(asker, seat)} {lays} down {RANK_NAMES[turn.book]}.")
    refills = drawn[1:] if turn.fished else drawn
    for player, card in zip(turn.drew, refills, strict=True):
        what = RANK_NAMES[card] if player == seat else "a card"
        lines.append(f"{_draws(player, seat)} {what}, having none.")
    return " ".join(lines)


def _who(player: int, seat: int | None) -> str:
    return "You" if player == seat else f"Player {player}"


def _draws(player: int, seat: int | None) -> str:
    return "You draw" if player == seat else f"Player {player} draws"
