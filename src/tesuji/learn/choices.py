"""Training data of a prior: the legal moves of recorded positions, and which of them was played.

A position is used if a player made a move there, after a match's opening, and had more than one to choose
from. Games of native rules are replayed in C++; the moves of a Python game are described by its states'
`move_features(move)`.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tesuji import _core, scale
from tesuji.features import FeaturesError
from tesuji.full_game import CHANCE, Move
from tesuji.game import Game, parse_move
from tesuji.game import game as as_game
from tesuji.learn.codes import Codes, index_type
from tesuji.learn.recorded import RecordedGame, Specs, native_moves, positions, take_games, verified
from tesuji.move_features import NativeMoveFeatures, StateMoveFeatures, move_features_of
from tesuji.records import Record, Store, StoredRecord
from tesuji.registry import spec_of

Array: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class Choices:
    """Positions with their legal moves: `Choices.read(records)`."""

    game: str
    """The game's spec."""
    version: int
    """The version of the features of moves."""
    names: tuple[str, ...]
    """The names of the features of a Python game; empty for a native game's codes."""
    codes: Codes
    """A row for each legal move."""
    ends: NDArray[np.int64]
    """For each position, the end of its rows."""
    chosen: NDArray[np.int32]
    """For each position, the place of the move played among its rows."""
    games: NDArray[np.int32]
    """For each position, the index of its game in `keys`."""
    keys: tuple[str, ...]
    """For each game, a digest of its start and moves; identical games have the same."""
    ordering: NDArray[np.float32] | None = None
    """For each row, the weight by the game's own move ordering, if it has one."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Numbers of excluded games by reason."""
    store: str = ""
    """The file name of the store."""

    @property
    def positions(self) -> int:
        """The number of positions."""
        return len(self.ends)

    @property
    def begins(self) -> NDArray[np.int64]:
        """For each position, its first row."""
        return np.append(0, self.ends[:-1]).astype(np.int64)

    @classmethod
    def read(
        cls,
        records: Iterable[Record | StoredRecord],
        *,
        game: Game | str | None = None,
        most: int | None = None,
        every_option: bool = False,
        store: str = "",
    ) -> Choices:
        """Read the positions of games, which must all have the same spec, or be deals of it.

        `most` limits the number of positions, by a random choice; `every_option` also takes games with other
        options, such as other board sizes, which needs features with the same meaning for all of them.

        >>> record = Record(
        ...     game="hex:size=3",
        ...     players=("mcts", "random"),
        ...     moves=("b2", "a1", "b1", "c1", "a3"),
        ...     scores=(1.0, 0.0),
        ...     ending="played",
        ... )
        >>> choices = Choices.read([record])
        >>> choices.positions, choices.ends.tolist(), choices.chosen.tolist()
        (5, [9, 17, 24, 30, 35], [4, 0, 0, 0, 2])
        """
        rules = None if game is None else as_game(game)
        specs, taken, left_out = take_games(records, rules, every_option=every_option)
        features = move_features_of(specs.rules)
        if every_option and not features.general:
            raise ValueError(f"the features of {spec_of(specs.rules)} depend on its options")
        plies = sum(len(sample.record.moves) - (sample.record.opening or 0) for sample in taken)
        share = 1.0 if most is None else min(1.0, most / max(plies, 1))
        if isinstance(features, NativeMoveFeatures):
            found = _read_native(specs, features, taken, share)
        else:
            found = _read_python(features, taken, share)
        if not len(found["ends"]):
            raise ValueError("no game has moves to choose from after its opening: nothing to learn from")
        keys = tuple(sample.key for sample in taken)
        return cls(
            game=spec_of(specs.rules),
            version=features.version,
            keys=keys,
            left_out=left_out,
            store=store,
            **found,
        )

    @classmethod
    def from_store(
        cls,
        store: Store,
        game: Game | str,
        *,
        most: int | None = None,
        every_option: bool = False,
        **filters: Any,
    ) -> Choices:
        """Read the games of a store with this spec, or deals of it; filters as in `Store.records`."""
        rules = as_game(game)
        specs = Specs(rules, every_option=every_option)
        found = store.records(game=spec_of(rules).partition(":")[0], **filters)
        same = (stored for stored in found if specs.fits(stored.record.game))
        return cls.read(same, game=rules, most=most, every_option=every_option, store=store.path.name)


def _read_native(
    specs: Specs, features: NativeMoveFeatures, samples: list[RecordedGame], share: float
) -> dict[str, Any]:
    first = [sample.record.opening or 0 for sample in samples]
    own = specs.rules.knowledge.move_ordering
    ordering = getattr(own, "native", None)
    try:
        offsets, indices, weights, ends, chosen, games = _core.extract_moves(
            features.native, *native_moves(specs, samples), first, share, ordering, scale.cores()
        )
    except ValueError:
        for sample in samples:  # find the invalid game, to name it
            verified(sample)
        raise
    return {
        "names": (),
        "codes": Codes(offsets, indices, features.code_count),
        "ordering": None if ordering is None else weights,
        "ends": ends,
        "chosen": chosen,
        "games": games,
    }


def _read_python(features: StateMoveFeatures, samples: list[RecordedGame], share: float) -> dict[str, Any]:
    numbers: dict[str, int] = {}
    rows: list[dict[str, float]] = []
    ends, chosen, games, weights = [], [], [], []
    rng = random.Random(0)
    for number, sample in enumerate(samples):
        rules = as_game(sample.record.game)
        own = rules.knowledge.move_ordering
        for ply, (state, text) in enumerate(zip(positions(sample), sample.record.moves, strict=False)):
            moves = list(state.moves())
            skipped = ply < (sample.record.opening or 0) or rng.random() >= share
            if skipped or state.player == CHANCE or len(moves) < 2:
                continue
            try:
                rows += [features(state, move) for move in moves]
            except FeaturesError as error:
                raise FeaturesError(f"{sample.name}, position {ply + 1}: {error}") from error
            if own is not None:
                weights += _weights(own(state, state.player, moves), moves)
            ends.append(len(rows))
            chosen.append(moves.index(parse_move(state, text)))
            games.append(number)
    for row in rows:
        for name in row:
            numbers.setdefault(name, len(numbers))
    if rows and not numbers:
        raise ValueError("move_features() is empty for every move")
    offsets = np.append(0, np.cumsum([len(row) for row in rows])).astype(np.int64)
    indices = np.array([numbers[name] for row in rows for name in row], dtype=index_type(len(numbers)))
    values = np.array([number for row in rows for number in row.values()], dtype=np.float64)
    return {
        "names": tuple(numbers),
        "codes": Codes(offsets, indices, len(numbers), values),
        "ordering": np.array(weights, dtype=np.float32) if weights else None,
        "ends": np.array(ends, dtype=np.int64),
        "chosen": np.array(chosen, dtype=np.int32),
        "games": np.array(games, dtype=np.int32),
    }


def _weights(found: Any, moves: list[Move]) -> list[float]:
    """The weights of a Python move ordering; by place if it only orders."""
    if isinstance(found, Mapping):
        return [float(found.get(move, 0.0)) for move in moves]
    places = {move: place for place, move in enumerate(found)}
    return [float(len(moves) - places.get(move, len(moves))) for move in moves]
