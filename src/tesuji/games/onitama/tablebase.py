"""Endgame tablebases of Onitama: all positions of five cards with few men, solved exactly.

The core solves and probes them (`games/onitama/tablebase*`); this is the file handling and Python interface.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

from tesuji import _core
from tesuji._helpers.atomic_write import replacing
from tesuji.games.onitama.cards import deal_text, parse_deal

if TYPE_CHECKING:
    from tesuji.games.onitama.game import Onitama, OnitamaState

Kind = Literal["win", "loss", "draw"]
Progress = Callable[[float, str], object]

MEN = (2, 4, 6)
POSITIONS_OF_EIGHT_MEN = 46_968_231_030

_PIECE = 1 << 23  # bytes written between checks for Ctrl-C


class Tablebase:
    """All positions of five cards with at most `men` men: the winner and the plies to the end.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     table = Tablebase.build("ox-boar-horse-elephant-crab", 2, f"{folder}/two.tb")
    >>> table.cards, table.men, len(table)
    ('boar-crab-elephant-horse-ox', 2, 16590)
    >>> table.wins, table.losses, table.draws, table.longest
    (11514, 5076, 0, 25)
    >>> index = table.sample("win", 1, seed=1)[0]
    >>> table.probe(table.position(index)) == (1.0, table.entry(index))
    True
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Open a file; ValueError if it is no tablebase or damaged. Up to four men are checked in full."""
        self.path = Path(path)
        try:
            self.native = _core.OnitamaTablebase(os.fsencode(path))
        except OSError as error:
            raise ValueError(f"cannot read {path}: {error.strerror}") from error
        except ValueError as error:
            raise ValueError(f"cannot read {path}: {error}") from None

    @classmethod
    def build(
        cls,
        cards: str,
        men: int,
        path: str | os.PathLike[str],
        *,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Solve all positions of these cards with at most `men` men and write them to a file.

        Four men take 9 MB, six 1 GB (and 2 GB of memory while solving). `threads` defaults to all cores.
        `progress` is called with the share done, from 0 to 1, and a phrase; an exception from it, or Ctrl-C,
        stops the work and leaves no file.
        """
        if men == 8:
            size = f"{POSITIONS_OF_EIGHT_MEN:,} bytes, {POSITIONS_OF_EIGHT_MEN / 2**30:.0f} GiB"
            raise ValueError(f"a tablebase of 8 men would have {size}; men must be 2, 4 or 6")
        if men not in MEN:
            raise ValueError(f"men must be 2, 4 or 6, not {men!r}")

        def report(done: float, plies: int) -> None:
            if progress is not None:
                progress(done, f"games of {plies} plies")

        with replacing(Path(path)) as file:  # opened first, so that a bad path fails before solving
            solved = _core.solve_onitama(list(parse_deal(cards)), men, threads or 0, report)
            if progress is not None:
                progress(1.0, "writing")
            file.write(solved.header)
            entries = solved.entries
            for start in range(0, len(entries), _PIECE):
                file.write(entries[start : start + _PIECE].data)
        return cls(path)

    @property
    def cards(self) -> str:
        """The five cards, in alphabetical order: `boar-crab-elephant-horse-ox`."""
        return deal_text(self.native.cards)

    @property
    def men(self) -> int:
        """The largest number of men; neither side has more than half of them."""
        return self.native.men

    @property
    def wins(self) -> int:
        """Positions that the side to move wins."""
        return self.native.wins

    @property
    def losses(self) -> int:
        """Positions that the side to move loses."""
        return self.native.losses

    @property
    def draws(self) -> int:
        """Drawn positions."""
        return self.native.draws

    @property
    def longest(self) -> int:
        """Plies of the longest win."""
        return self.native.longest

    def __len__(self) -> int:
        return self.native.states

    def probe(self, state: OnitamaState) -> tuple[float, int] | None:
        """The score of the side to move and the plies to the end (0 for a draw) with best play.

        The limits of the state's game are respected. None: too many men, other cards, a finished game, or a
        result that depends on repetitions.
        """
        return self.native.probe(state.core)

    def entry(self, index: int) -> int:
        """The entry of a position: 0 for a draw, else plies to the end; odd if the side to move wins."""
        return self.native.entry(index)

    def position(self, index: int, game: Onitama | None = None) -> OnitamaState:
        """The position with this index, Blue to move, with the limits of the given game."""
        from tesuji.games.onitama.game import Onitama

        rules = game or Onitama()
        core = self.native.position(index, rules.ply_limit or 0, rules.repetition_limit or 0)
        return replace(rules, cards=deal_text(core.deal), set="base").from_core(core)

    def index(self, state: OnitamaState) -> int | None:
        """The index of a position; None if it is not in the table."""
        return self.native.index(state.core)

    def sample(self, kind: Kind, count: int, seed: int, men: int | None = None) -> list[int]:
        """Indices of distinct positions, drawn at random: wins, losses or draws of the side to move.

        With `men`, only positions with exactly this many men. Fewer if there are not enough.
        """
        if men is not None and not 2 <= men <= self.men:
            raise ValueError(f"men must be from 2 to {self.men}, not {men!r}")
        if count < 0:
            raise ValueError(f"count must be at least 0, not {count!r}")
        return self.native.sample(kind, count, seed % 2**64, men or 0)

    def verify(self) -> None:
        """Check the checksum of the whole file; ValueError if it differs. Takes a second for six men."""
        if not self.native.intact():
            raise ValueError(f"{self.path} is damaged: its checksum does not match")

    def __repr__(self) -> str:
        return f"Tablebase({str(self.path)!r})"
