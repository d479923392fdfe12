"""The game of Onitama and its positions."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from tesuji import _core
from tesuji.any_game import replay
from tesuji.features import NativeFeatures
from tesuji.full_game import FullGame
from tesuji.games.native import NativeGame, NativeState
from tesuji.games.onitama.cards import SETS, TABLE, Card, deal_text, parse_deal
from tesuji.games.onitama.diagrams import (
    START,
    TablePosition,
    boards,
    compact_table,
    read_table,
    sorted_hands,
)
from tesuji.games.onitama.drawing import draw_svg, draw_text
from tesuji.games.onitama.formats import FORMATS
from tesuji.games.onitama.knowledge import VALUES, onitama_features, onitama_knowledge
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
"""The matches between them are in docs/levels.md."""


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
        """The side card, which the side to move gets next."""
        return TABLE[self.core.held()[4]]

    def hand(self, player: int) -> Cards:
        """A player's two cards."""
        if player not in (0, 1):
            raise ValueError(f"player must be 0 (Blue) or 1 (Red), not {player!r}")
        one, two = self.core.held()[2 * player : 2 * player + 2]
        return TABLE[one], TABLE[two]

    def cells(self) -> bytes:
        """One byte per square from a1: 0 empty, 1 and 2 Blue's student and master, 3 and 4 Red's."""
        return self.core.cells()

    def key(self) -> Hashable:
        """Equal for equal positions: pieces, cards, side to move, and what the limits depend on.

        With a ply limit, that is the number of plies; with a repetition limit, how often each position has
        occurred since the last capture.
        """
        game, core = self.game, self.core
        plies = None if game.ply_limit is None else core.ply
        occurred = frozenset(Counter(core.earlier()).items())
        return core.cells(), tuple(core.held()), core.player, core.winner, plies, occurred

    def text(self, move: int) -> str:
        """A move as text: `boar:a1a2`, `boar:pass`."""
        return move_text(self.core.deal, move)

    def parse(self, text: str) -> int:
        """Parse a move; ValueError for cards and squares that are not in this game."""
        return parse_move_text(self.core.deal, text)

    def notes(self) -> list[str]:
        """Hints for a person who is to move."""
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
        """The board and cards as SVG; `heat` and `labels` draw candidates as arrows, by move."""
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

    def board_view(self, viewer: int | None) -> dict[str, object]:
        """The web page's board: squares from a1, and the cards with their owners; the side card has none."""
        text = "".join(".bBrR"[cell] for cell in self.cells())
        cards = [(0, card) for card in self.hand(0)] + [(1, card) for card in self.hand(1)]
        return {
            "kind": "onitama",
            "cells": [list(text[row * 5 : row * 5 + 5]) for row in range(5)],
            "cards": [
                {"name": card.name, "word": card.word, "owner": owner, "stamp": card.stamp}
                | {"moves": [list(step) for step in card.steps]}
                for owner, card in [*cards, (None, self.side)]
            ],
            "last": None if self.last_move is None else self.text(self.last_move),
        }

    def _held(self) -> tuple[Card, ...]:
        return tuple(TABLE[number] for number in self.core.held())


@dataclass(frozen=True, kw_only=True)
class Onitama(NativeGame, Options):
    """Onitama: capture the master or reach the temple, by five cards. `Onitama().start(seed=7)`."""

    cards: str | None = option(
        None,
        "Blue's two cards, Red's two and the side card: ox-boar-horse-elephant-crab; off: dealt",
        visibility="expert",
    )
    set: Literal["base", "sensei", "all"] = option("base", "set of cards to deal from")
    ply_limit: int | None = option(
        300, "moves after which the game is a draw", minimum=1, maximum=100_000, visibility="expert"
    )
    repetition_limit: int | None = option(
        None, "occurrences of a position that make a draw", minimum=2, maximum=1000, visibility="expert"
    )
    position: str | None = option(
        None,
        "position to begin from, as written by tesuji.position; off: the usual start",
        visibility="expert",
    )

    deals = True
    title = "Onitama"
    goal = "Capture the enemy master or reach the enemy temple."
    players = 2
    player_names = ("Blue", "Red")
    default_bot = "alphabeta"
    typical_plies = 40
    levels = LEVELS
    record_formats = FORMATS
    values = VALUES
    set_up_pieces = {"b": "Blue student", "B": "Blue master", "r": "Red student", "R": "Red master"}

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.cards is not None:
            try:
                deal = parse_deal(self.cards)
            except ValueError as error:
                raise OptionError(str(error)) from error
            object.__setattr__(self, "cards", deal_text(deal))
        if self.position is not None:
            try:
                self._check_position(read_table(self.position).completed(None))
            except ValueError as error:
                raise OptionError(f"position: {error}") from error

    def set_up(self, diagram: str, player: int | None = None) -> Onitama:
        """This game, beginning from a diagram, with this player to move; see `tesuji.position`.

        A diagram without cards leaves them with those who hold them in this game.
        """
        table = read_table(diagram).completed(player)
        if table.held is None and self.position is not None:
            table = table._replace(held=read_table(self.position).held)
        return replace(self, position=compact_table(table, ()))

    @cached_property
    def rules(self) -> Onitama:
        """This game from its usual start."""
        return self if self.position is None else replace(self, position=None)

    def _check_position(self, table: TablePosition) -> None:
        """Check the option `position` and write it in its usual form; it may name the cards."""
        if self.cards is None and table.held is None:
            raise ValueError("name the cards, such as onitama:cards=ox-boar-horse-elephant-crab")
        if self.cards is None:
            object.__setattr__(self, "cards", deal_text(table.held or ()))
            object.__setattr__(self, "set", "base")
        deal = parse_deal(self.cards or "")
        if table.held is not None:
            if set(table.held) != set(deal):
                raise ValueError(f"it has the cards {deal_text(table.held)}, but the game has {self.cards}")
            table = table._replace(held=sorted_hands(table.held, deal))
        self._set_up_core(table)
        usual = table.cells == START and table.held in (None, deal) and table.player == TABLE[deal[4]].stamp
        object.__setattr__(self, "position", None if usual else compact_table(table, deal))

    def _set_up_core(self, table: TablePosition) -> _core.OnitamaState:
        pieces, masters = boards(table.cells)
        return _core.OnitamaState.set_up(
            list(parse_deal(self.cards or "")),
            table.player or 0,
            pieces,
            masters,
            self.ply_limit or 0,
            self.repetition_limit or 0,
            None if table.held is None else list(table.held),
        )

    def start(self, seed: int | None = None) -> OnitamaState:
        """The first position; unless the game names its cards, they are dealt from the seed, or at random.

        The state's game names the cards, so that its repr can be pasted back.

        >>> Onitama().start(seed=7)
        tesuji.replay('onitama:cards=dragon-boar-tiger-mantis-horse', '')
        """
        if self.cards is None:
            drawn = random.SystemRandom().getrandbits(64) if seed is None else seed % 2**64
            pack = SETS[self.set]
            deal = _core.onitama_deal(drawn, *pack)
            dealt = replace(self, cards=deal_text(deal), set="base")
            return OnitamaState(dealt, self._first(deal, pack))
        if self.position is not None:
            return OnitamaState(self, self._set_up_core(read_table(self.position)))
        return OnitamaState(self, self._first(parse_deal(self.cards)))

    def _first(self, deal: Sequence[int], pack: tuple[int, int] | None = None) -> _core.OnitamaState:
        return _core.OnitamaState(list(deal), self.ply_limit or 0, self.repetition_limit or 0, pack)

    def includes(self, game: FullGame) -> bool:
        """Whether this game deals cards, among others those of the other game, whose rules are the same.

        >>> Onitama(set="all").includes(Onitama()), Onitama().includes(Onitama(set="all"))
        (True, False)
        """
        other = game.own
        if not isinstance(other, Onitama) or self.cards is not None:
            return False
        if replace(other, cards=None, set=self.set, position=None) != self:
            return False
        first, end = SETS[self.set]
        cards = range(*SETS[other.set]) if other.cards is None else parse_deal(other.cards)
        return all(first <= card < end for card in cards)

    def from_core(self, core: _core.OnitamaState) -> OnitamaState:
        """The public state for a native one, without its history."""
        dealt = self if self.cards else replace(self, cards=deal_text(core.deal), set="base")
        return OnitamaState(dealt, core, None)

    def open_tablebase(self, source: str | os.PathLike[str] | Tablebase) -> Tablebase:
        """Exact endgames for the searches: a file written by `Tablebase.build`, or an open tablebase.

        ValueError if the game names other cards than the table. Where cards are dealt, the table is used only
        for deals of its cards.
        """
        if not isinstance(source, Tablebase | str | os.PathLike):
            raise ValueError(f"a tablebase of Onitama is a file or an opened Tablebase, not {source!r}")
        table = source if isinstance(source, Tablebase) else Tablebase(source)
        if self.cards is not None and set(self.cards.split("-")) != set(table.cards.split("-")):
            raise ValueError(f"{table.path} has the cards {table.cards}, but the game has {self.cards}")
        return table

    @property
    def preview(self) -> OnitamaState:
        """A position for the home page."""
        spec = "onitama:cards=ox-boar-horse-elephant-crab"
        return replay(spec, "boar:c1c2 horse:d5d4")  # type: ignore[return-value]

    @property
    def knowledge(self) -> Knowledge:
        """A value learned from games."""
        return onitama_knowledge()

    def planes(self) -> NativePlanes:
        """The network's input planes, with the cards among them: one network plays every deal."""
        return NativePlanes(_core.OnitamaPlanes(self.ply_limit or 0, self.repetition_limit or 0))

    @property
    def features(self) -> NativeFeatures:
        """The features for learning a value."""
        return onitama_features()


def _ordinal(number: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(number, f"{number}th")
