"""The game of Go Fish and its options."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Literal

from tesuji.any_game import replay
from tesuji.games.gofish.cards import RANKS, SUITS
from tesuji.games.gofish.knowledge import VALUES, gofish_knowledge
from tesuji.games.gofish.state import GoFishState, first_state, shuffled
from tesuji.knowledge import Knowledge
from tesuji.options import OptionError, Options, option

LEVELS = {
    "easy": "random",
    "medium": "careful",
    "hard": "mcts:iterations=100",
    "expert": "mcts:iterations=2000",
}
"""The matches between them are in docs/levels.md."""

FEW_PLAYERS, MANY_CARDS, FEW_CARDS = 3, 7, 5


@dataclass(frozen=True, kw_only=True)
class GoFish(Options):
    """Go Fish: ask for cards, and collect books. `GoFish(players=3).start(seed=7)`."""

    players: int = option(2, "number of players", minimum=2, maximum=6)
    hand: int | None = option(
        None,
        "cards dealt to each player; off: 7 for two or three players, otherwise 5",
        minimum=1,
        maximum=26,
        visibility="expert",
    )
    ranks: int = option(
        RANKS,
        "number of ranks in the deck, starting with the ace",
        minimum=2,
        maximum=RANKS,
        visibility="expert",
    )
    books: Literal["fours", "pairs"] = option(
        "fours", "size of a book: all four cards of a rank, or two", visibility="expert"
    )
    again: bool = option(
        True, "a player who fishes the requested rank takes another turn", visibility="expert"
    )
    next: Literal["left", "asked"] = option(
        "left", "next turn after 'go fish': the player to the left, or the player asked", visibility="expert"
    )
    ply_limit: int | None = option(
        1000, "turns after which the game ends and is scored", minimum=1, maximum=100_000, visibility="expert"
    )
    book: int = field(init=False, repr=False, compare=False)
    """Cards in a book."""
    books_in_all: int = field(init=False, repr=False, compare=False)
    cards_each: int = field(init=False, repr=False, compare=False)
    """Cards dealt to each player."""

    title = "Go Fish"
    goal = "Ask for a rank that you hold. Four of a rank make a book; the most books win."
    default_bot = "mcts:iterations=300"
    levels = LEVELS
    values = VALUES

    @property
    def typical_plies(self) -> float:
        """Asks in a typical game, of all players together; it hardly depends on their number."""
        return 4.2 * self.ranks

    def __post_init__(self) -> None:
        super().__post_init__()
        usual = MANY_CARDS if self.players <= FEW_PLAYERS else FEW_CARDS
        object.__setattr__(self, "book", SUITS if self.books == "fours" else SUITS // 2)
        object.__setattr__(self, "books_in_all", self.ranks * SUITS // self.book)
        object.__setattr__(self, "cards_each", usual if self.hand is None else self.hand)
        if self.players * self.cards_each > self.ranks * SUITS:
            most = self.ranks * SUITS // self.players
            raise OptionError(
                f"hand must be at most {most} with {self.players} players and {self.ranks} ranks, "
                f"not {self.cards_each}"
            )

    def start(self, seed: int | None = None) -> GoFishState:
        """The first position, dealt from the seed, or at random without one.

        >>> GoFish().start(seed=7)
        tesuji.replay('gofish', '', seed=7)
        """
        seed = random.SystemRandom().getrandbits(63) if seed is None else seed
        return first_state(self, seed, shuffled(seed, self.ranks))

    @property
    def preview(self) -> GoFishState:
        """A position for the home page."""
        return replay("gofish", "6 8 8 7", seed=2)  # type: ignore[return-value]

    @property
    def knowledge(self) -> Knowledge:
        """Hooks and settings for the searches."""
        return gofish_knowledge(self.players == 2 and self.books == "fours" and self.ranks == RANKS)
