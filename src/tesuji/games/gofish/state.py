"""A position of Go Fish: the rules, as a user of Tesuji would write them, and what each seat has observed.

The shuffled deck is part of the state, so a state and its moves determine everything. The public log has who
asked whom for what, how many cards were given, who drew, and which books were laid down. A seat knows the log
and its own hand; `determinization.py` samples deals consistent with that.

A search makes thousands of positions per second, so hands are integers (`cards.py`), and what is rarely
needed is computed from the log on demand.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from tesuji._helpers.clipping import clip
from tesuji.games.gofish.cards import EACH, RANK_NAMES, RANKS, SUITS, asks, counts, parse_rank, size
from tesuji.games.gofish.determinization import DealSampler
from tesuji.games.gofish.display import draw_svg, draw_text, gofish_board_view, narrate
from tesuji.games.gofish.observed import HIDDEN, SHOWN
from tesuji.registry import spec_of

if TYPE_CHECKING:
    from tesuji.games.gofish.game import GoFish


class Turn(NamedTuple):
    """The public part of one ask."""

    asker: int
    target: int
    rank: int
    given: int
    """Cards that the asker got; 0: go fish."""
    fished: int
    """0: no card was drawn; 1: a hidden card; 2: the rank asked for, which was shown."""
    book: int
    """The rank of the book that was laid down, or -1. If a card was fished, it completed the book."""
    drew: tuple[int, ...]
    """Players who drew a card afterwards because they had none left."""


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
        """The seed of the shuffle; None in a determinized position."""
        self.player = player
        """The player to ask."""
        # Lists are never changed once a state has them; copying them is faster than copying tuples.
        self._hands = hands
        self._deck = deck
        self._top = top  # index of the next card in the deck
        self._books = books  # number per player
        self._sure = sure  # cards that each player is publicly known to hold, packed like a hand
        self._none = none  # ranks that each player was last known to lack, as lower bits
        self._log = log  # a linked list: (previous log, *Turn), ending in (deal,)
        self._ply = ply
        self._scores: tuple[float, ...] | None = None
        self._samplers: dict[int, DealSampler] | None = None

    # The rules.

    def moves(self) -> tuple[int, ...]:
        """Asks as `target · 13 + rank`. A player without cards cannot be asked."""
        if self._scores is not None:
            return ()
        player, hands = self.player, self._hands
        hand = hands[player]
        if len(hands) == 2:
            return asks((hand | hand >> 1) & EACH, 2 - player)
        others = sum(1 << other for other, cards in enumerate(hands) if cards and other != player)
        return asks((hand | hand >> 1) & EACH, others)

    def play(self, move: int) -> GoFishState:
        """The position after an ask and its consequences."""
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
        if not sure[asker] & all_of_it:  # an asker holds the rank
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
        """Once all books are made: 1 for the player with most books, shared equally in a tie."""
        return self._scores

    # Observations.

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Every ask so far, as seen by everybody."""
        turns, log = [], self._log
        while len(log) > 1:
            turns.append(Turn(*log[1:]))
            log = log[0]
        return tuple(reversed(turns))

    @property
    def deal(self) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
        """The ranks of the books dealt to each player, and the players who drew before the first ask."""
        log = self._log
        while len(log) > 1:
            log = log[0]
        deal: tuple[tuple[tuple[int, ...], ...], tuple[int, ...]] = log[0]
        return deal

    @property
    def ply(self) -> int:
        """The number of asks so far."""
        return self._ply

    @property
    def deck_size(self) -> int:
        """Cards left in the deck."""
        return len(self._deck) - self._top

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """Cards in each hand."""
        return tuple(map(size, self._hands))

    def hand(self, player: int) -> list[int]:
        """Cards of each rank in a player's hand. Hidden from the others."""
        return counts(self._hands[player])

    def sure(self, player: int) -> list[int]:
        """Cards of each rank that a player is publicly known to hold, from asks and answers."""
        return counts(self._sure[player])

    def books(self, player: int) -> tuple[int, ...]:
        """The ranks of a player's books, in the order in which they were laid down."""
        made = [turn.book for turn in self.turns if turn.asker == player and turn.book >= 0]
        return (*self.deal[0][player], *made)

    def drawn(self) -> tuple[int, ...]:
        """The ranks drawn at the last ask, in order. Hidden from the others."""
        turn = Turn(*self._log[1:])
        number = (turn.fished > 0) + len(turn.drew)
        if self._top < number:
            raise ValueError("a determinized position does not know which cards were drawn")
        return self._deck[self._top - number : self._top]

    def view(self, player: int) -> Hashable:
        """Everything a seat has observed: equal for positions that it cannot distinguish."""
        return player, self._hands[player], self.player, self.deal, self.turns

    def determinize(self, player: int, rng: random.Random) -> GoFishState:
        """The position with a random deal that is consistent with what this seat has observed."""
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
        """Named features of what this seat has observed, for learning and explaining."""
        from tesuji.games.gofish.knowledge import features

        return features(self, player)

    # Texts and pictures.

    def text(self, move: int) -> str:
        """An ask as text: `K` with two players, `2:K` (ask player 2 for kings) with more."""
        target, rank = divmod(move, RANKS)
        if not 0 <= target < self.game.players:
            raise ValueError(f"a move is a number below {self.game.players * RANKS}, not {move}")
        return RANK_NAMES[rank] if self.game.players == 2 else f"{target}:{RANK_NAMES[rank]}"

    def parse(self, text: str) -> int:
        """Parse a move; with two players the target may be left out."""
        name, colon, rank = text.strip().rpartition(":")
        if not colon and self.game.players == 2:
            return (1 - self.player) * RANKS + parse_rank(rank)
        if name not in {str(player) for player in range(self.game.players)}:
            raise ValueError(f"no player in {clip(text)}; write the player to ask and the rank, such as 1:K")
        return int(name) * RANKS + parse_rank(rank)

    def notes(self) -> list[str]:
        """Hints for a person who is to move."""
        lines = []
        if self.ply == 0:
            how = "Ask for" if self.game.players == 2 else "Name a player and"
            lines.append(f"{how} a rank that you hold, such as {self.text(self.moves()[0])}.")
        left = None if self.game.ply_limit is None else self.game.ply_limit - self.ply
        if left is not None and left <= 20:
            lines.append(f"The game ends after {left} more ask{'s' if left > 1 else ''}.")
        return lines

    def last_move_text(self, player: int | None = None) -> str:
        """The last ask in words, from the view of a seat, or of a spectator (None)."""
        return narrate(self, player) if self._ply else ""

    def text_for(self, player: int | None) -> str:
        """The table as one seat sees it: its own cards face up, all others face down; None: all face down."""
        return draw_text(self, player)

    def board_view(self, viewer: int | None) -> dict[str, object]:
        """The table for the web page, as one seat sees it."""
        return gofish_board_view(self, viewer)

    def __str__(self) -> str:
        return draw_text(self, self.player)

    def svg(self, *, heat: Mapping[int, float] | None = None, labels: Mapping[int, str] | None = None) -> str:
        """The table as SVG, as the player to move sees it; `heat` and `labels` mark ranks to ask for."""
        return draw_svg(self, self.player, heat=heat or {}, labels=labels or {})

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        spec, texts = spec_of(self.game), []
        for turn in self.turns:
            texts.append(self.text(turn.target * RANKS + turn.rank))
        if self.seed is None:
            return f"<GoFishState of {spec}, determinized after {' '.join(texts) or 'the deal'}>"
        return f"tesuji.replay({spec!r}, {' '.join(texts)!r}, seed={self.seed})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GoFishState):
            return NotImplemented
        return self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash(self._facts())

    def _facts(self) -> tuple[object, ...]:
        return self.game, self.player, tuple(self._hands), self._deck[self._top :], self.deal, self.turns

    def _name(self, move: int) -> str:
        try:
            return repr(self.text(move))
        except (TypeError, ValueError):
            return repr(move)


def first_state(game: GoFish, seed: int, deck: list[int]) -> GoFishState:
    """Deal from a shuffled deck and lay down complete books."""
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
    """The next player to ask, the deck's next index, and the players who drew.

    A player without cards draws one, or is skipped where the deck is empty. Where nobody else has cards, the
    turn passes to the next player, who draws. As the game is not over, cards of some rank lie in at least two
    places, so a player is found.
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
    """The deck for a seed: the same in every version of Python, since records are replayed by it."""
    rng, deck = random.Random(seed), [rank for rank in range(ranks) for _ in range(SUITS)]
    for last in range(len(deck) - 1, 0, -1):
        other = int(rng.random() * (last + 1))
        deck[last], deck[other] = deck[other], deck[last]
    return deck
