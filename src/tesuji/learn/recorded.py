"""Recorded games to learn from: which ones are used, their moves and positions.

Games are sorted by a digest, so the same games give the same table, and the same model bit for bit, in
whatever order they are read.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tesuji import _core
from tesuji.any_game import game as as_game
from tesuji.any_game import is_position_of, parse_move, received_game
from tesuji.full_game import FullGame, FullState
from tesuji.records import Record, Store, StoredRecord
from tesuji.records.verification import last_position
from tesuji.registry import games, spec_of
from tesuji.spec import Spec

FAULTS = ("illegal", "crashed", "hung")  # such a result says nothing about the position


class RecordedGame(NamedTuple):
    """A finished game."""

    key: str
    """A digest of its start and moves; identical games have the same."""
    record: Record
    name: str
    """For messages."""


class NativeMoves(NamedTuple):
    """The games as the core replays them."""

    starts: list[_core.State]
    moves: NDArray[np.uint32]
    """The moves of all games, one after another."""
    counts: NDArray[np.int64]


class Specs:
    """Which specs mean the game or a deal of it; each spec is parsed once."""

    def __init__(self, rules: FullGame, *, every_option: bool = False) -> None:
        """`every_option`: games with any options fit, such as Hex on boards of all sizes."""
        self.rules = rules
        self._every_option = every_option
        self._games: dict[str, FullGame] = {}
        self._fits: dict[str, bool] = {}
        self._heads: dict[str, tuple[str, bool]] = {}

    def game(self, text: str) -> FullGame:
        """The game of a spec; ValueError for foreign rules other than those of the game itself."""
        if text not in self._games:
            self._games[text] = as_game(text) if text == spec_of(self.rules) else received_game(text)
        return self._games[text]

    def digest(self, record: Record) -> str:
        """Equal for games with the same start and moves."""
        if record.game not in self._heads:
            rules = self.game(record.game)
            self._heads[record.game] = spec_of(rules), _deals(rules)
        spec, deals = self._heads[record.game]
        seed = record.seed if deals else None
        return hashlib.sha256(repr((spec, seed, record.moves)).encode()).hexdigest()

    def fits(self, text: str) -> bool:
        """Whether games of this spec may be used."""
        if text not in self._fits:
            self._fits[text] = text == spec_of(self.rules) or self._is_same_kind(text)
        return self._fits[text]

    def _is_same_kind(self, text: str) -> bool:
        if games.is_foreign(Spec.parse(text).name):
            return False
        other = self.game(text)
        return spec_of(other) == spec_of(self.rules) or (
            type(other.own) is type(self.rules.own)
            and (self._every_option or is_position_of(self.rules, other.start()))
        )


def take_games(
    records: Iterable[Record | StoredRecord], game: FullGame | None, *, every_option: bool = False
) -> tuple[Specs, list[RecordedGame], dict[str, int]]:
    """The game, the games to use, sorted, and the numbers of excluded ones by reason."""
    specs = None if game is None else Specs(game, every_option=every_option)
    left_out = Counter[str]()
    taken: list[RecordedGame] = []
    for place, item in enumerate(records, 1):
        record, number = (item.record, item.number) if isinstance(item, StoredRecord) else (item, place)
        specs = specs or Specs(received_game(record.game), every_option=every_option)
        if not specs.fits(record.game):
            spec = spec_of(specs.rules)
            raise ValueError(
                f"game {number} is of {record.game}, not of {spec} like the others: select one game"
            )
        if record.ending in FAULTS or record.scores is None:
            left_out[record.ending] += 1
        else:
            taken.append(RecordedGame(specs.digest(record), record, f"game {number}"))
    if specs is None or not taken:
        reasons = ", ".join(f"{number} {reason}" for reason, number in left_out.items())
        kind = "" if specs is None else f" of {spec_of(specs.rules)}"
        raise ValueError(f"no finished games{kind} to learn from" + (f" ({reasons})" if reasons else ""))
    taken.sort(key=lambda sample: (sample.key, sample.record.scores))
    return specs, taken, dict(left_out)


def native_moves(specs: Specs, samples: Sequence[RecordedGame]) -> NativeMoves:
    """The games as numbers; ValueError, with the game's name, for a move that cannot be read."""
    starts = [specs.game(sample.record.game).start(sample.record.seed) for sample in samples]
    known: dict[FullGame, dict[str, int]] = {}
    moves: list[int] = []
    for sample, first in zip(samples, starts, strict=True):
        moves += move_numbers(sample, first, known.setdefault(first.game, {}))
    counts = np.array([len(sample.record.moves) for sample in samples], dtype=np.int64)
    return NativeMoves([state.core for state in starts], np.array(moves, dtype=np.uint32), counts)


def move_numbers(sample: RecordedGame, first: FullState, known: dict[str, int]) -> list[int]:
    """The moves of a game as numbers; each text is parsed once if its meaning is fixed."""
    try:
        if first.fixed_texts:
            for text in sample.record.moves:
                if text not in known:
                    known[text] = first.parse(text)
            return [known[text] for text in sample.record.moves]
        state, moves = first, []
        for text in sample.record.moves:
            moves.append(parse_move(state, text))
            state = state.play(moves[-1])
        return moves
    except ValueError as error:
        raise ValueError(f"{sample.name}: {error}") from error


def positions(sample: RecordedGame) -> Iterator[FullState]:
    """The positions of a game; ValueError, with the game's name, for a move that cannot be read."""
    state = as_game(sample.record.game).start(sample.record.seed)
    yield state
    for number, text in enumerate(sample.record.moves, 1):
        try:
            move = parse_move(state, text)
        except ValueError as error:
            raise ValueError(f"{sample.name}: move {number}: {error}") from error
        state = state.play(move)
        yield state


@contextmanager
def replaying(samples: Sequence[RecordedGame]) -> Iterator[None]:
    """Name the invalid game if the core finds one."""
    try:
        yield
    except ValueError:
        for sample in samples:
            try:
                last_position(sample.record)
            except ValueError as error:
                raise ValueError(f"{sample.name}: {error}") from error
        raise


def stored_games(
    store: Store, rules: FullGame, every_option: bool, filters: Mapping[str, Any]
) -> Iterator[StoredRecord]:
    """The games of a store with this spec, or deals of it; filters as in `Store.records`."""
    specs = Specs(rules, every_option=every_option)
    found = store.records(game=spec_of(rules).partition(":")[0], **filters)
    return (stored for stored in found if specs.fits(stored.record.game))


def _deals(rules: FullGame) -> bool:
    """Whether the seed changes the start of the game."""
    try:
        return rules.deals
    except ValueError:
        return True
