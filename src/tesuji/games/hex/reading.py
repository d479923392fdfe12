"""A game of Hex as other programs mean it, made ours move by move; `formats` says how the swaps differ."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from tesuji.game import Game, game, parse_move
from tesuji.games.hex.notation import cell_text, parse_cell
from tesuji.records.plain import clip
from tesuji.records.record import Ending, Record
from tesuji.registry import spec_of
from tesuji.spec import Spec

BLACK, WHITE = 0, 1
COLOURS = ("Black", "White")
SWAP = "swap-pieces"
LONGEST_MOVE = 12  # "swap-pieces", and some


class Reading:
    """A game that is being read: `Reading("11")`, then `play` and `resign` as it says, then `record`."""

    def __init__(self, size: str) -> None:
        if not re.fullmatch("[0-9]{1,9}", size):
            raise ValueError(f"the size of the board must be a number such as 11, not {clip(size)}")
        # Whether the swap was allowed, only a swap can tell; the moves are the same in all other ways.
        self.state: Any = _rules(int(size), True).start()
        self.mirrored = False
        self.loser: int | None = None

    @property
    def colour(self) -> int:
        """Who is to move, as the text calls it."""
        return self.state.player ^ self.mirrored  # type: ignore[no-any-return]

    def play(self, word: str) -> None:
        """The next move: a cell, or one of the special words of SGF."""
        if self.loser is not None:
            raise ValueError(f"{clip(word)} comes after {COLOURS[self.loser ^ self.mirrored]} has resigned")
        if word in ("", "pass"):
            raise ValueError("a pass is not legal: Hex has none")
        if len(word) > LONGEST_MOVE:
            raise ValueError(f"{clip(word)} is not a cell")
        meant = SWAP if word in ("swap-sides", "swap") else word
        if self.mirrored and meant != SWAP:
            row, column = divmod(parse_cell(self.state.size, meant), self.state.size)
            meant = cell_text(self.state.size, column * self.state.size + row)
        self.state = self.state.play(parse_move(self.state, meant))
        self.mirrored |= word == "swap-sides"

    def resign(self, colour: int) -> None:
        """A player gives up, whoever is to move."""
        loser = colour ^ self.mirrored
        if self.loser is not None or self.state.scores() is not None and self.state.scores()[loser]:
            raise ValueError(f"{COLOURS[colour]} resigns, but the game is over")
        self.loser = loser

    def record(self, players: tuple[str, str], *, swap: bool = False, **facts: Any) -> Record:
        """What has been read."""
        moves = tuple(map(self.state.text, self.state.history))
        rules = _spec(self.state.size, swap or SWAP in moves)
        ending: Ending = facts.pop("ending", "resigned")
        scores = self.state.scores()
        if scores is not None:
            ending = "played"
            facts.pop("fault", "")
        elif self.loser is not None:
            scores = (0.0, 1.0) if self.loser == BLACK else (1.0, 0.0)
        elif ending == "limit":
            scores = (0.5, 0.5)
        else:
            ending = "unfinished"
        return Record(game=rules, players=players, moves=moves, scores=scores, ending=ending, **facts)


@cache
def _rules(size: int, swap: bool) -> Game:
    return game(Spec("hex", {"size": str(size), "swap": "on" if swap else "off"}))


@cache
def _spec(size: int, swap: bool) -> str:
    return spec_of(_rules(size, swap))
