"""A position of Go Fish: the rules, as a user of Tesuji would write them, and what each seat has seen.

The deck lies shuffled in the state, so that a state and its moves decide everything. What everybody has seen
is the log: who asked whom for what, how many cards were given, who drew, and which books were laid down. A
seat knows the log and its own hand; `determinization.py` says what follows from that.

A search makes thousands of positions a second, so hands are numbers (`cards.py`), and what is rarely asked
for is worked out from the log when it is asked for.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from tesuji.clipping import clip
from tesuji.games.gofish.cards import EACH, RANK_NAMES, RANKS, SUITS, asks, counts, parse_rank, size
from tesuji.games.gofish.determinization import DealSampler
from tesuji.games.gofish.drawing import draw_svg, draw_text
from tesuji.registry import spec_of

if TYPE_CHECKING:
    from tesuji.games.gofish.game import GoFish

HIDDEN, SHOWN = 1, 2


class Turn(NamedTuple):
    """What everybody saw of one ask."""

    asker: int
    target: int
    rank: int
    given: int
    """How many cards the asker got; 0: go fish."""
    fished: int
    """0: no card was drawn; 1: one that nobody else saw; 2: the rank that was asked for, which was shown."""
    book: int
    """The rank of the book that was laid down, or -1. Where cards were fished, the fished card is of it."""
    drew: tuple[int, ...]
    """Who drew a card afterwards, having none left."""


class GoFishState:
    """A position of Go Fish: `GoFish(players=3).start(seed=7)`.

    >>> import tesuji
    >>> state = tesuji.game("gofish").start(seed=7)
    >>> state.player, [state.text(move) for move in state.moves()]
    (0, ['A', '3', '4', '8', '9', 'J'])
    >>> state.play(state.parse("A")).turns
    (Turn(asker=0, target=1, rank=0, given=0, fished=1, book=-1, drew=()),)
    """

    __slots__ = (
        "_books",
        "_samplers",
        "_deck",
        "_hands",
        "_log",
        "_none",
        "_ply",
        "_scores",
        "_sure",
        "_top",
        "game",
        "player",
        "seed",
    )

    def __init__(
        self,
        game: GoFish,
        seed: int | None,
        player: int,
        hands: list[int],
        deck: tuple[int, ...],
        top: int,
        books: list[int],
        sure: list[int],
        none: list[int],
        log: Any,
        ply: int,
    ) -> None:
        self.game = game
        self.seed = seed
        """What the cards were shuffled by; None where somebody imagined them."""
        self.player = player
        """Who asks."""
        # Lists are never changed once a state has them: they are quicker to copy than tuples.
        self._hands = hands
        self._deck = deck
        self._top = top  # the place of the next card in the deck
        self._books = books  # how many each player has
        self._sure = sure  # cards that all know a player to hold, packed like a hand
        self._none = none  # ranks that a player was last seen without, as lower bits
        self._log = log  # (the log before, *Turn), at the bottom (the deal,)
        self._ply = ply
        self._scores: tuple[float, ...] | None = None
        self._samplers: dict[int, DealSampler] | None = None

    # The rules.

    def moves(self) -> tuple[int, ...]:
        """Whom to ask for what: `target · 13 + rank`. A player without cards cannot be asked."""
        if self._scores is not None:
            return ()
        player, hands = self.player, self._hands
        hand = hands[player]
        if len(hands) == 2:
            return asks((hand | hand >> 1) & EACH, 2 - player)
        others = sum(1 << other for other, cards in enumerate(hands) if cards and other != player)
        return asks((hand | hand >> 1) & EACH, others)

    def play(self, move: int) -> GoFishState:
        """The position after an ask, and all that follows from it."""
        game, asker, hands = self.game, self.player, self._hands.copy()
        players = len(hands)
        target, rank = divmod(move, RANKS)
        if not 0 <= target < players or target == asker or self._scores is not None or not hands[target]:
            raise ValueError(f"{self._name(move)} is not a legal move here")
        shift = 2 * rank
        all_of_it = 3 << shift
        own, theirs = hands[asker] >> shift & 3, hands[target] & all_of_it
        if not own:
            raise ValueError(f"{self._name(move)} is not a legal move here")

        book, fished, player = -1, 0, asker
        sure, none = self._sure.copy(), self._none.copy()
        deck, top, books = self._deck, self._top, self._books
        sure[target] &= ~all_of_it
        none[target] |= 1 << shift
        none[asker] &= ~(1 << shift)
        if not sure[asker] & all_of_it:  # who asks for a rank has it
            sure[asker] += 1 << shift
        if theirs:
            hands[target] -= theirs
            if own + (theirs >> shift) == game.book:
                book = rank
            else:
                hands[asker] += theirs
                sure[asker] += theirs
        else:
            lucky = False
            if top < len(deck):
                card = deck[top]
                top += 1
                lucky = card == rank and game.again
                fished = SHOWN if lucky else HIDDEN
                if (hands[asker] >> 2 * card & 3) + 1 == game.book:
                    book = card
                else:
                    hands[asker] += 1 << 2 * card
                    if lucky:
                        sure[asker] += 1 << shift
            if not lucky:
                player = target if game.next == "asked" else (asker + 1) % players
        if book >= 0:
            hands[asker] &= ~(3 << 2 * book)
            sure[asker] &= ~(3 << 2 * book)
            books = books.copy()
            books[asker] += 1

        ply = self._ply + 1
        over = ply == game.ply_limit or (book >= 0 and sum(books) == game.books_in_all)
        drew: tuple[int, ...] = ()
        if not over and not all(hands):
            player, top, drew = settle(hands, player, deck, top)
        log = (self._log, asker, target, rank, theirs >> shift, fished, book, drew)
        after = GoFishState(game, self.seed, player, hands, deck, top, books, sure, none, log, ply)
        if over:
            most = max(books)
            share = 1.0 / books.count(most)
            after._scores = tuple(share if number == most else 0.0 for number in books)
        return after

    def scores(self) -> tuple[float, ...] | None:
        """Once all books are made: 1 for whoever has most, shared where several have."""
        return self._scores

    # What is seen.

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Every ask so far, as everybody saw it."""
        turns, log = [], self._log
        while len(log) > 1:
            turns.append(Turn(*log[1:]))
            log = log[0]
        return tuple(reversed(turns))

    @property
    def deal(self) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
        """The ranks of the books that each player was dealt, and who drew a card before the first ask."""
        log = self._log
        while len(log) > 1:
            log = log[0]
        deal: tuple[tuple[tuple[int, ...], ...], tuple[int, ...]] = log[0]
        return deal

    @property
    def ply(self) -> int:
        """How many asks there have been."""
        return self._ply

    @property
    def deck_size(self) -> int:
        """How many cards are left to fish."""
        return len(self._deck) - self._top

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards each player holds."""
        return tuple(map(size, self._hands))

    def hand(self, player: int) -> list[int]:
        """How many cards of each rank a player holds. Others do not see this."""
        return counts(self._hands[player])

    def sure(self, player: int) -> list[int]:
        """How many cards of each rank everybody knows a player to hold at least, by asks and answers."""
        return counts(self._sure[player])

    def books(self, player: int) -> tuple[int, ...]:
        """The ranks of a player's books, in the order in which they were laid down."""
        made = [turn.book for turn in self.turns if turn.asker == player and turn.book >= 0]
        return (*self.deal[0][player], *made)

    def drawn(self) -> tuple[int, ...]:
        """The ranks that were drawn at the last ask, in their order. Others do not see these."""
        turn = Turn(*self._log[1:])
        number = (turn.fished > 0) + len(turn.drew)
        if self._top < number:
            raise ValueError("cards that somebody imagined were not drawn")
        return self._deck[self._top - number : self._top]

    def view(self, player: int) -> Hashable:
        """All that a seat has seen: equal in two positions that it cannot tell apart."""
        return player, self._hands[player], self.player, self.deal, self.turns

    def determinize(self, player: int, rng: random.Random) -> GoFishState:
        """The position with cards as they may be for all that this seat has seen (`determinization.py`)."""
        if self._scores is not None:
            return self
        if self._samplers is None:
            self._samplers = {}
        if player not in self._samplers:
            self._samplers[player] = DealSampler(self, player)
        hands, deck = self._samplers[player].draw(rng)
        log, ply = self._log, self._ply
        return GoFishState(
            self.game, None, self.player, hands, deck, 0, self._books, self._sure, self._none, log, ply
        )

    def features(self, player: int) -> dict[str, float]:
        """Named numbers from what this seat has seen, for learning and for explaining."""
        from tesuji.games.gofish.knowledge import features

        return features(self, player)

    # Texts and pictures.

    def text(self, move: int) -> str:
        """An ask as people write it: `K` between two, `2:K` (player 2 is asked for kings) among more."""
        target, rank = divmod(move, RANKS)
        if not 0 <= target < self.game.players:
            raise ValueError(f"a move is a number below {self.game.players * RANKS}, not {move}")
        return RANK_NAMES[rank] if self.game.players == 2 else f"{target}:{RANK_NAMES[rank]}"

    def parse(self, text: str) -> int:
        """The move that a text means; between two the player may be left out."""
        name, colon, rank = text.strip().rpartition(":")
        if not colon and self.game.players == 2:
            return (1 - self.player) * RANKS + parse_rank(rank)
        if name not in {str(player) for player in range(self.game.players)}:
            raise ValueError(f"{clip(text)} names no player; write whom you ask and a rank, such as 1:K")
        return int(name) * RANKS + parse_rank(rank)

    def remarks(self) -> list[str]:
        """What a person should know who is to ask."""
        lines = []
        if self.ply == 0:
            how = "Ask for" if self.game.players == 2 else "Say whom you ask and for what:"
            lines.append(f"{how} a rank that you hold, such as {self.text(self.moves()[0])}.")
        left = None if self.game.ply_limit is None else self.game.ply_limit - self.ply
        if left is not None and left <= 20:
            lines.append(f"The game ends after {left} more ask{'s' if left > 1 else ''}.")
        return lines

    def told(self, player: int | None = None) -> str:
        """What the last ask led to, in the words of a seat that was there; None: of somebody who watches."""
        if not self._ply:
            return ""
        from tesuji.games.gofish.narration import narrate

        return narrate(self, player)

    def seen_by(self, player: int | None) -> str:
        """The table as one seat sees it: its own cards open, those of others closed; None: all are closed."""
        return draw_text(self, player)

    def __str__(self) -> str:
        return draw_text(self, self.player)

    def svg(self, *, heat: Mapping[int, float] | None = None, labels: Mapping[int, str] | None = None) -> str:
        """A picture of the table as the player to move sees it; `heat` and `labels` mark what to ask for."""
        return draw_svg(self, self.player, heat=heat or {}, labels=labels or {})

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        spec, texts = spec_of(self.game), []
        for turn in self.turns:
            texts.append(self.text(turn.target * RANKS + turn.rank))
        if self.seed is None:
            return f"<GoFishState of {spec} as it may be after {' '.join(texts) or 'the deal'}>"
        return f"tesuji.replay({spec!r}, {' '.join(texts)!r}, seed={self.seed})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GoFishState):
            return NotImplemented
        return self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash(self._facts())

    def _facts(self) -> tuple[Any, ...]:
        return self.game, self.player, tuple(self._hands), self._deck[self._top :], self.deal, self.turns

    def _name(self, move: int) -> str:
        try:
            return repr(self.text(move))
        except (TypeError, ValueError):
            return repr(move)


def first_state(game: GoFish, seed: int, deck: list[int]) -> GoFishState:
    """Deal from a shuffled deck, and lay down the books that were dealt."""
    players, hand = game.players, game.cards_each
    hands, dealt = [], []
    for player in range(players):
        cards = deck[player * hand : (player + 1) * hand]
        numbers = [cards.count(rank) for rank in range(RANKS)]
        made = [rank for rank in range(RANKS) for _ in range(numbers[rank] // game.book)]
        dealt.append(tuple(made))
        hands.append(sum(number % game.book << 2 * rank for rank, number in enumerate(numbers)))
    books, rest = [len(made) for made in dealt], tuple(deck[players * hand :])
    player, top, drew = settle(hands, 0, rest, 0)
    nothing, log = [0] * players, ((tuple(dealt), drew),)
    return GoFishState(game, seed, player, hands, rest, top, books, nothing, nothing, log, 0)


def settle(
    hands: list[int], player: int, deck: tuple[int, ...], top: int
) -> tuple[int, int, tuple[int, ...]]:
    """Who asks next, the deck's next place, and who drew: the player whose turn it is may have no cards.

    It draws one, and is passed over where the deck is empty. Where nobody else has cards, nobody can be
    asked: the turn passes on, to somebody who draws. The game is not over, so cards of one rank lie in two
    places at least, and somebody is found.
    """
    drew: tuple[int, ...] = ()
    while True:
        if not hands[player] and top < len(deck):
            hands[player] = 1 << 2 * deck[top]
            top += 1
            drew = (*drew, player)
        if hands[player] and sum(map(bool, hands)) > 1:
            return player, top, drew
        player = (player + 1) % len(hands)


def shuffled(seed: int, ranks: int) -> list[int]:
    """The deck that a seed gives: the same in every version of Python, for records are replayed by it."""
    rng, deck = random.Random(seed), [rank for rank in range(ranks) for _ in range(SUITS)]
    for last in range(len(deck) - 1, 0, -1):
        other = int(rng.random() * (last + 1))
        deck[last], deck[other] = deck[other], deck[last]
    return deck
