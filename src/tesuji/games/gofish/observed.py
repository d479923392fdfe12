"""What everybody knows of the hands, read from the log.

A card that comes to a player unseen lies in a *slot*; slots are numbered in the order of coming, and those of
the deal come first. What is asked and answered says what lay in them:

- A player who is asked for a rank gives all of it, or has none. So it is known how many slots held the rank:
  those that came since the last time that all of it was gone. From now on none of these does. A book that is
  laid down says the same.
- A player who asks for a rank has it: in a slot, where nobody has seen such a card come.
- A fished card that is not shown is not of the rank that was asked for.

Cards that are given and cards that are shown lie in no slot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tesuji.games.gofish.cards import RANKS, SUITS

if TYPE_CHECKING:
    from tesuji.games.gofish.state import GoFishState

SHOWN = 2  # a fished card


class RemovedCards(NamedTuple):
    """Cards that have left the hand, of the slots that came unseen: which of them, nobody knows."""

    rank: int
    first: int
    """They lay in slots from this one on,"""
    last: int
    """and before this one;"""
    number: int
    """so many of these slots held the rank."""
    asked: int
    """One of them came before this one: the player had asked for the rank."""


class ObservedHand:
    """What everybody knows of one hand.

    >>> import tesuji
    >>> zero, one = observe_hands(tesuji.replay("gofish", "A 6", seed=7))
    >>> zero.known[0], zero.hidden, one.room(0), one.room(5)  # no ace, and fished no six
    (1, 7, 1, 6)
    """

    def __init__(self, dealt: int, paired: int) -> None:
        self.slots = [-1] * dealt
        """For each card that came unseen the rank that it cannot be, or -1."""
        self.dealt = dealt
        """So many slots are of the deal,"""
        self.paired = paired
        """and in the deal was a pair of these ranks (a bit each), which was laid down."""
        self.left: list[RemovedCards] = []
        self.hidden = dealt
        """How many cards are in the hand of which nobody knows the rank."""
        self.known = [0] * RANKS
        """Cards of each rank that all know of."""
        self.since = [0] * RANKS
        """Slots before this one do not hold the rank any more."""
        self.asked = [0] * RANKS
        """One of the cards that are known is in a slot before this one: the player asked for the rank."""

    def draws(self, not_rank: int = -1) -> None:
        """A card comes unseen."""
        self.slots.append(not_rank)
        self.hidden += 1

    def asks(self, rank: int) -> None:
        """Who asks for a rank has it."""
        if not self.known[rank]:
            self.known[rank] = 1
            self.asked[rank] = len(self.slots)
            self.hidden -= 1

    def loses(self, rank: int, number: int) -> None:
        """All cards of a rank leave the hand: so many."""
        now, asked = len(self.slots), self.asked[rank]
        unseen = number - self.known[rank]
        self.hidden -= unseen
        if unseen or asked:
            last = now if unseen else asked
            self.left.append(RemovedCards(rank, self.since[rank], last, unseen + bool(asked), asked or now))
        self.known[rank] = self.asked[rank] = 0
        self.since[rank] = now

    def room(self, rank: int) -> int:
        """How many of the hidden cards may be of a rank: those that came since it was last seen without."""
        since = self.since[rank]
        came = len(self.slots) - since - self.slots[since:].count(rank)
        gone = sum(left.number for left in self.left if left.first >= since)
        gone += sum(asked > 0 and self.since[other] >= since for other, asked in enumerate(self.asked))
        return max(0, min(came - gone, self.hidden))


def observe_hands(state: GoFishState) -> list[ObservedHand]:
    """What everybody knows of every hand, by the turns so far."""
    game = state.game
    dealt, drew = state.deal
    hands = []
    for books in dealt:
        paired = sum(1 << rank for rank in set(books)) if game.book < SUITS else 0
        hands.append(ObservedHand(game.cards_each - game.book * len(books), paired))
    for player in drew:
        hands[player].draws()
    for turn in state.turns:
        asker, rank = hands[turn.asker], turn.rank
        asker.asks(rank)
        hands[turn.target].loses(rank, turn.given)
        asker.known[rank] += turn.given
        if turn.fished and turn.book >= 0:
            asker.known[turn.book] += 1
        elif turn.fished == SHOWN:
            asker.known[rank] += 1
        elif turn.fished:
            asker.draws(rank if game.again else -1)
        if turn.book >= 0:
            asker.loses(turn.book, game.book)
        for player in turn.drew:
            hands[player].draws()
    return hands
