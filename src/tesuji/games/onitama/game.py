"""The game of Onitama and its positions."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from tesuji import _core
from tesuji.features import NativeFeatures
from tesuji.games.native import NativeState
from tesuji.games.onitama.cards import SETS, TABLE, Card, deal_text, parse_deal
from tesuji.games.onitama.drawing import draw_svg, draw_text
from tesuji.games.onitama.features import onitama_features
from tesuji.games.onitama.formats import FORMATS
from tesuji.games.onitama.knowledge import VALUES, onitama_knowledge
from tesuji.games.onitama.notation import move_text, parse_move_text, turn_of
from tesuji.games.onitama.tablebase import Tablebase
from tesuji.knowledge import Knowledge
from tesuji.options import OptionError, Options, option
from tesuji.planes import NativePlanes

Cards = tuple[Card, Card]

LEVELS = {
    "easy": "greedy",
    "medium": "alphabeta:nodes=500",
    "hard": "alphabeta:nodes=10000",
    "expert": "alphabeta:nodes=500000",
}
"""docs/levels.md has the matches between them."""


class OnitamaState(NativeState["Onitama", _core.OnitamaState]):
    """An Onitama position: `Onitama(cards="ox-boar-horse-elephant-crab").start()`.

    >>> import tesuji
    >>> state = tesuji.replay("onitama:cards=ox-boar-horse-elephant-crab", "boar:c1c2 horse:d5d4")
    >>> state.player, [card.name for card in state.hand(0)], state.side.name
    (0, ['Ox', 'Crab'], 'Horse')
    >>> state.text(630), state.parse("ox:c2c3"), len(state.moves())
    ('boar:a1a2', 187, 17)
    """

    __slots__ = ()

    @property
    def side(self) -> Card:
        """The card that whoever moves next will get."""
        return TABLE[self.core.held()[4]]

    def hand(self, player: int) -> Cards:
        """A player's two cards."""
        if player not in (0, 1):
            raise ValueError(f"player must be 0 (Blue) or 1 (Red), not {player!r}")
        one, two = self.core.held()[2 * player : 2 * player + 2]
        return TABLE[one], TABLE[two]

    def cells(self) -> bytes:
        """One byte a square from a1: 0 empty, 1 and 2 Blue's student and master, 3 and 4 Red's."""
        return self.core.cells()

    def key(self) -> Hashable:
        """Equal for equal positions: pieces, cards, player, and what the limits look at.

        With a ply limit that is the number of plies, with a repetition limit which positions have occurred
        how often since the last capture.
        """
        game, core = self.game, self.core
        plies = None if game.ply_limit is None else core.ply
        occurred = frozenset(Counter(core.earlier()).items())
        return core.cells(), tuple(core.held()), core.player, core.winner, plies, occurred

    def text(self, move: int) -> str:
        """A move as people write it: `boar:a1a2`, `boar:pass`."""
        return move_text(self.core.deal, move)

    def parse(self, text: str) -> int:
        """The move that a text means; ValueError where it is none of this game's cards and squares."""
        return parse_move_text(self.core.deal, text)

    def remarks(self) -> list[str]:
        """What a person should know who is to move here."""
        lines = []
        if self.moves() and turn_of(self.moves()[0]).squares is None:
            words = " or ".join(self.text(move) for move in self.moves())
            lines.append(f"You cannot move any piece: choose the card to give away, {words}.")
        limit, seen = self.game.repetition_limit, self.core.occurrences
        if limit is not None and seen > 1:
            lines.append(
                f"This position occurs for the {_ordinal(seen)} time; the {_ordinal(limit)} is a draw."
            )
        left = None if self.game.ply_limit is None else self.game.ply_limit - self.ply
        if left is not None and left <= 20:
            lines.append(f"The game is a draw after {left} more move{'s' if left > 1 else ''}.")
        return lines

    def __str__(self) -> str:
        return draw_text(self.cells(), self._held(), self.player, last_move=self.last_move)

    def svg(self, *, heat: Mapping[int, float] | None = None, labels: Mapping[int, str] | None = None) -> str:
        """A picture of the board and the cards; `heat` and `labels` mark candidates as arrows, by move."""
        mover = None if self.scores() is not None else self.player
        names = {move: self.text(move) for move in {*(heat or {}), *(labels or {})}}
        return draw_svg(
            self.cells(),
            self._held(),
            mover,
            last_move=self.last_move,
            heat=heat,
            labels=labels,
            names=names,
        )

    def _repr_svg_(self) -> str:
        return self.svg()

    def _held(self) -> tuple[Card, ...]:
        return tuple(TABLE[number] for number in self.core.held())


@dataclass(frozen=True, kw_only=True)
class Onitama(Options):
    """Onitama: five cards say how to take the master or reach the temple. `Onitama().start(seed=7)`."""

    cards: str | None = option(
        None, "Blue's two cards, Red's two and the side card: ox-boar-horse-elephant-crab; off: dealt"
    )
    set: Literal["base", "sensei", "all"] = option("base", "set of cards to deal from")
    ply_limit: int | None = option(300, "moves after which the game is a draw", minimum=1, maximum=100_000)
    repetition_limit: int | None = option(
        None, "occurrences of a position that make a draw", minimum=2, maximum=1000
    )

    players = 2
    player_names = ("Blue", "Red")
    default_bot = "alphabeta"
    typical_plies = 40
    levels = LEVELS
    record_formats = FORMATS
    values = VALUES

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.cards is not None:
            try:
                deal = parse_deal(self.cards)
            except ValueError as error:
                raise OptionError(str(error)) from error
            object.__setattr__(self, "cards", deal_text(deal))

    def start(self, seed: int | None = None) -> OnitamaState:
        """The first position, dealt by the seed where the game names no cards; without a seed by chance.

        The state's own game names the cards, so that its repr can be pasted back.

        >>> Onitama().start(seed=7)
        tesuji.replay('onitama:cards=dragon-boar-tiger-mantis-horse', '')
        """
        if self.cards is None:
            drawn = random.SystemRandom().getrandbits(64) if seed is None else seed % 2**64
            deal = _core.onitama_deal(drawn, *SETS[self.set])
            return replace(self, cards=deal_text(deal), set="base").start()
        deal = list(parse_deal(self.cards))
        return OnitamaState(self, _core.OnitamaState(deal, self.ply_limit or 0, self.repetition_limit or 0))

    def wrap(self, core: _core.OnitamaState) -> OnitamaState:
        """The public state for a core state, without its history."""
        dealt = self if self.cards else replace(self, cards=deal_text(core.deal), set="base")
        return OnitamaState(dealt, core, None)

    def open_tablebase(self, source: str | os.PathLike[str] | Tablebase) -> Tablebase:
        """Exact endgames for the searches: a file that `Tablebase.build` wrote, or one that is open already.

        ValueError where the game names its cards and the table has others. Where cards are dealt, a table
        answers for the deals of its cards alone.
        """
        if not isinstance(source, Tablebase | str | os.PathLike):
            raise ValueError(f"a tablebase of Onitama is a file or an opened Tablebase, not {source!r}")
        table = source if isinstance(source, Tablebase) else Tablebase(source)
        if self.cards is not None and set(self.cards.split("-")) != set(table.cards.split("-")):
            raise ValueError(f"{table.path} has the cards {table.cards}, and the game {self.cards}")
        return table

    @property
    def knowledge(self) -> Knowledge:
        """A value learned from games."""
        return onitama_knowledge()

    def planes(self) -> NativePlanes:
        """How a position looks to a network; ValueError where the game does not name its cards."""
        if self.cards is None:
            raise ValueError("a network plays one set of five cards: name them, onitama:cards=…")
        return NativePlanes(_core.OnitamaPlanes(self.start().core))

    @property
    def features(self) -> NativeFeatures:
        """What a value of Onitama is learned from: numbers of a position."""
        return onitama_features()


def _ordinal(number: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(number, f"{number}th")
