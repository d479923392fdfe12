"""Training data from records: positions for a value, moves for a prior.

A `Dataset` has a row for each position in which a player is to move: the features for the side to move, that
player's final score, and the number of plies to the game's last row. Terminal positions and chance nodes are
excluded. Features are named numbers, and sparse features where the game has them.

A `MoveDataset` has the legal moves of positions, and which of them was played. A position is used if a player
made a move there, after a match's opening, and had more than one to choose from. The moves of a Python game
are described by its states' `move_features(move)`.

Games of native rules are replayed in C++.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tesuji import _core, scale
from tesuji.any_game import Game, parse_move
from tesuji.any_game import game as as_game
from tesuji.features import (
    Features,
    FeaturesError,
    NativeMoveFeatures,
    StateMoveFeatures,
    features_of,
    move_features_of,
)
from tesuji.full_game import CHANCE, Move
from tesuji.learn.recorded import (
    RecordedGame,
    Specs,
    native_moves,
    positions,
    replaying,
    stored_games,
    take_games,
)
from tesuji.learn.sparse import SparseFeatures, index_type
from tesuji.records import Record, Store, StoredRecord
from tesuji.registry import spec_of
from tesuji.scale.executor import Executor
from tesuji.scale.processes import TaskLost
from tesuji.search.bot import native_hook

Array: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int32]
Opening: TypeAlias = Literal["skip", "keep"]

CHUNK = 500  # games per task of an executor


class _Rows(NamedTuple):
    table: Array
    sparse: SparseFeatures | None
    games: Integers
    ply: Integers
    player: Integers


@dataclass(frozen=True, kw_only=True)
class _Recorded:
    """What positions and moves have in common."""

    game: str
    """The game's spec."""
    names: tuple[str, ...]
    """The named features; of moves, those of a Python game."""
    version: int
    """The version of the features."""
    games: Integers
    """For each position, the index of its game in `keys`."""
    keys: tuple[str, ...]
    """For each game, a digest of its start and moves; identical games have the same."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Numbers of excluded games by reason."""
    store: str = ""
    """The file name of the store."""


@dataclass(frozen=True, kw_only=True)
class Dataset(_Recorded):
    """The positions of recorded games: `Dataset.read(records)`."""

    table: Array
    """One row per position, one column per named feature, for the side to move."""
    scores: Array
    """The final score of the side to move."""
    remaining: Integers
    """For each row, the plies to the game's last row, which has 0."""
    sparse: SparseFeatures | None = None
    """The sparse features of each position, for the side to move; None if the game has none."""

    @property
    def draws(self) -> int:
        """The number of drawn games."""
        return len(np.unique(self.games[self.scores == 0.5]))

    @classmethod
    def read(
        cls,
        records: Iterable[Record | StoredRecord],
        *,
        game: Game | str | None = None,
        opening: Opening = "skip",
        every_option: bool = False,
        store: str = "",
        on: Executor | None = None,
        setup: Callable[[], object] | None = None,
    ) -> Dataset:
        """Read the positions of games, which must all have the same spec, or be deals of it.

        `every_option` also takes games with other options, if the features mean the same for all.

        Unfinished games and games lost by a fault are excluded. Unless `opening` is keep, so are the
        positions in which a match's opening was played: random moves miss immediate wins, which would
        bias the value.

        Games are replayed by threads of this process, or by the workers of the executor `on`, which call
        `setup` first. The table is the same.

        >>> record = Record(
        ...     game="hex:size=2",
        ...     players=("mcts", "random"),
        ...     moves=("a1", "b1", "a2"),
        ...     scores=(1.0, 0.0),
        ...     ending="played",
        ... )
        >>> data = Dataset.read([record])
        >>> data.table.shape, data.scores, data.remaining
        ((3, 8), array([1., 0., 1.]), array([2, 1, 0], dtype=int32))
        """
        specs, taken, left_out = take_games(
            records, None if game is None else as_game(game), every_option=every_option
        )
        rules = specs.rules
        if (players := rules.players) != 2:
            raise ValueError(
                f"a linear value needs a two-player game; {spec_of(rules)} has {players} players"
            )
        features = features_of(rules)
        if every_option and not features.general:
            raise ValueError(f"the features of {spec_of(rules)} depend on its options")
        if on is None:
            table, sparse, games, ply, player = _extract(specs, taken, scale.cores())
        else:
            table, sparse, games, ply, player = _extract_on(on, specs, taken, setup)
        if not np.isfinite(table).all():
            column = features.names[int(np.argmin(np.isfinite(table).all(axis=0)))]
            raise ValueError(f"feature {column!r} is not finite in every position")
        if opening == "skip":
            begins = np.array([sample.record.opening for sample in taken], dtype=np.int32)
            chosen = ply >= begins[games]
            if not chosen.all():
                table, sparse = table[chosen], sparse and sparse.take(chosen)
                games, ply, player = games[chosen], ply[chosen], player[chosen]
        if not len(games):
            raise ValueError("no game has positions after its opening: nothing to learn from")
        results = np.array([sample.record.scores for sample in taken], dtype=np.float64)
        last = np.full(len(taken), -1, dtype=np.int32)
        np.maximum.at(last, games, ply)
        return cls(
            game=spec_of(rules),
            names=tuple(features.names),
            version=features.version,
            table=table,
            sparse=sparse,
            scores=results[games, player],
            games=games,
            remaining=last[games] - ply,
            keys=tuple(sample.key for sample in taken),
            left_out=left_out,
            store=store,
        )

    @classmethod
    def from_store(
        cls,
        store: Store,
        game: Game | str,
        *,
        opening: Opening = "skip",
        every_option: bool = False,
        on: Executor | None = None,
        setup: Callable[[], object] | None = None,
        **filters: Any,
    ) -> Dataset:
        """Read the games of a store with this spec, or deals of it; filters as in `Store.records`."""
        rules = as_game(game)
        return cls.read(
            stored_games(store, rules, every_option, filters),
            game=rules,
            opening=opening,
            every_option=every_option,
            store=store.path.name,
            on=on,
            setup=setup,
        )


def _extract_on(
    on: Executor, specs: Specs, samples: Sequence[RecordedGame], setup: Callable[[], object] | None
) -> _Rows:
    """Extract on an executor, in chunks; the rows are in the same order as without."""
    spec = spec_of(specs.rules)
    parts = [(spec, start, samples[start : start + CHUNK]) for start in range(0, len(samples), CHUNK)]
    found: dict[int, _Rows] = {}
    with closing(on.map(_extract_chunk, iter(parts), setup=setup)) as going:
        for (_, start, part), rows in going:
            if rows is None or isinstance(rows, TaskLost):
                rows = _extract(specs, part, scale.cores())  # again here, so that the caller gets the error
            found[start] = rows._replace(games=rows.games + np.int32(start))
    ordered = [found[start] for start in sorted(found)]
    sparse = [rows.sparse for rows in ordered if rows.sparse is not None]
    table, _, *places = zip(*ordered, strict=True)
    joined = SparseFeatures.join(sparse) if sparse else None
    return _Rows(np.concatenate(table), joined, *map(np.concatenate, places))


def _extract_chunk(part: tuple[str, int, Sequence[RecordedGame]]) -> _Rows | None:
    """The task of a worker; None if the games are invalid."""
    try:
        return _extract(Specs(as_game(part[0])), part[2], 1)
    except Exception:
        return None


def _extract(specs: Specs, samples: Sequence[RecordedGame], threads: int) -> _Rows:
    features = features_of(specs.rules)
    native = features.native
    if native is None:
        return _extract_python(features, samples)
    moves = native_moves(specs, samples)
    with replaying(samples):
        table, offsets, indices, *places = _core.extract_games(native, *moves, threads)
        count = features.code_count
        return _Rows(table, SparseFeatures(offsets, indices, count) if count else None, *places)


def _extract_python(features: Features, samples: Sequence[RecordedGame]) -> _Rows:
    """Extraction in Python, position by position."""
    rows: list[tuple[float, ...]] = []
    places: list[tuple[int, int, int]] = []
    for number, sample in enumerate(samples):
        for ply, state in enumerate(positions(sample)):
            if state.scores() is None and state.player != CHANCE:
                try:
                    rows.append(tuple(features(state, state.player).values()))
                except FeaturesError as error:
                    raise FeaturesError(f"{sample.name}, position {ply + 1}: {error}") from error
                places.append((number, ply, state.player))
    table = np.array(rows, dtype=np.float64).reshape(len(rows), len(features.names))
    games, ply_of, player = np.array(places, dtype=np.int32).reshape(len(rows), 3).T
    return _Rows(table, None, games, ply_of, player)


@dataclass(frozen=True, kw_only=True)
class MoveDataset(_Recorded):
    """Positions with their legal moves: `MoveDataset.read(records)`."""

    sparse: SparseFeatures
    """A row for each legal move."""
    ends: NDArray[np.int64]
    """For each position, the end of its rows."""
    chosen: Integers
    """For each position, the place of the move played among its rows."""
    ordering: NDArray[np.float32] | None = None
    """For each row, the weight by the game's own move ordering, if it has one."""

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
    ) -> MoveDataset:
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
        >>> data = MoveDataset.read([record])
        >>> data.positions, data.ends.tolist(), data.chosen.tolist()
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
            found = _native_moves(specs, features, taken, share)
        else:
            found = _python_moves(features, taken, share)
        if not len(found["ends"]):
            raise ValueError("no game has moves to choose from after its opening: nothing to learn from")
        return cls(
            game=spec_of(specs.rules),
            version=features.version,
            keys=tuple(sample.key for sample in taken),
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
    ) -> MoveDataset:
        """Read the games of a store with this spec, or deals of it; filters as in `Store.records`."""
        rules = as_game(game)
        records = stored_games(store, rules, every_option, filters)
        return cls.read(records, game=rules, most=most, every_option=every_option, store=store.path.name)


def _native_moves(
    specs: Specs, features: NativeMoveFeatures, samples: list[RecordedGame], share: float
) -> dict[str, Any]:
    first = [sample.record.opening or 0 for sample in samples]
    ordering = native_hook(specs.rules.knowledge, "move_ordering")
    moves = native_moves(specs, samples)
    with replaying(samples):
        offsets, indices, weights, ends, chosen, games = _core.extract_moves(
            features.native, *moves, first, share, ordering, scale.cores()
        )
    return {
        "names": (),
        "sparse": SparseFeatures(offsets, indices, features.code_count),
        "ordering": None if ordering is None else weights,
        "ends": ends,
        "chosen": chosen,
        "games": games,
    }


def _python_moves(features: StateMoveFeatures, samples: list[RecordedGame], share: float) -> dict[str, Any]:
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
                weights += _order_weights(own(state, state.player, moves), moves)
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
        "sparse": SparseFeatures(offsets, indices, len(numbers), values),
        "ordering": np.array(weights, dtype=np.float32) if weights else None,
        "ends": np.array(ends, dtype=np.int64),
        "chosen": np.array(chosen, dtype=np.int32),
        "games": np.array(games, dtype=np.int32),
    }


def _order_weights(found: Sequence[Move] | Mapping[Move, float], moves: list[Move]) -> list[float]:
    """The weights of a Python move ordering; by place if it only orders."""
    if isinstance(found, Mapping):
        return [float(found.get(move, 0.0)) for move in moves]
    places = {move: place for place, move in enumerate(found)}
    return [float(len(moves) - places.get(move, len(moves))) for move in moves]
