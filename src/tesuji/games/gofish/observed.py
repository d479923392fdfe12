"""Public knowledge about the hands, derived from the log.

A card that a player receives unseen fills a *slot*; slots are numbered in order of arrival, those of the deal
first. Asks and answers restrict what a slot may hold:

- A player who is asked for a rank gives all cards of it, or has none. This tells how many slots held the
  rank, among those filled since the player was last known to have none. From then on none of them does. A
  book that is laid down tells the same.
- A player who asks for a rank holds it: in a slot, unless such a card was seen to arrive.
- A fished card that is not shown is not of the rank asked for.

Cards that are given or shown fill no slot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tesuji.games.gofish.cards import RANKS, SUITS

if TYPE_CHECKING:
    from tesuji.games.gofish.state import GoFishState

HIDDEN, SHOWN = 1, 2  # a fished card, to the other players


class RemovedCards(NamedTuple):
    """Cards of one rank that left the hand from unseen slots; which slots is unknown."""

    rank: int
    first: int
    """The first slot that may have held one."""
    last: int
    """The first slot after those."""
    number: int
    """How many of these slots held the rank."""
    asked: int
    """At least one of them is before this slot: the player had asked for the rank."""


class ObservedHand:
    """Public knowledge about one hand.

    >>> import tesuji
    >>> zero, one = observe_hands(tesuji.replay("gofish", "A 6", seed=7))
    >>> zero.known[0], zero.hidden, one.room(0), one.room(5)  # no ace, and fished no six
    (1, 7, 1, 6)
    """

    def __init__(self, dealt: int, paired: int) -> None:
        self.slots = [-1] * dealt
        """For each slot the rank that it cannot hold, or -1."""
        self.dealt = dealt
        """The number of slots filled by the deal."""
        self.paired = paired
        """Ranks (a bit each) of which a pair was dealt and laid down."""
        self.left: list[RemovedCards] = []
        self.hidden = dealt
        """The number of cards in the hand whose rank is not public."""
        self.known = [0] * RANKS
        """Cards of each rank that are publicly known to be in the hand."""
        self.since = [0] * RANKS
        """Slots before this one no longer hold the rank."""
        self.asked = [0] * RANKS
        """One of the known cards is in a slot before this one: the player asked for the rank."""

    def draws(self, not_rank: int = -1) -> None:
        """A card arrives unseen."""
        self.slots.append(not_rank)
        self.hidden += 1

    def asks(self, rank: int) -> None:
        """The player asks for a rank, and so holds it."""
        if not self.known[rank]:
            self.known[rank] = 1
            self.asked[rank] = len(self.slots)
            self.hidden -= 1

    def loses(self, rank: int, number: int) -> None:
        """All cards of a rank, `number` in total, leave the hand."""
        now, asked = len(self.slots), self.asked[rank]
        unseen = number - self.known[rank]
        self.hidden -= unseen
        if unseen or asked:
            last = now if unseen else asked
            self.left.append(RemovedCards(rank, self.since[rank], last, unseen + bool(asked), asked or now))
        self.known[rank] = self.asked[rank] = 0
        self.since[rank] = now

    def room(self, rank: int) -> int:
        """How many hidden cards may be of a rank: those received since the player was known to lack it."""
        since = self.since[rank]
        came = len(self.slots) - since - self.slots[since:].count(rank)
        gone = sum(left.number for left in self.left if left.first >= since)
        gone += sum(asked > 0 and self.since[other] >= since for other, asked in enumerate(self.asked))
        return max(0, min(came - gone, self.hidden))


def observe_hands(state: GoFishState) -> list[ObservedHand]:
    """Public knowledge about every hand after the turns so far."""
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
