"""Training data from records: one row per position in which a player is to move.

Terminal positions and chance nodes are excluded. A row has the features for the side to move, that player's
final score, and the number of plies to the game's last row. Features are named numbers, and codes where the
game has them. Games of native rules are replayed in C++.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tesuji import _core, scale
from tesuji.any_game import Game
from tesuji.any_game import game as as_game
from tesuji.features import Features, FeaturesError, features_of
from tesuji.full_game import CHANCE
from tesuji.learn.codes import Codes
from tesuji.learn.recorded import RecordedGame, Specs, native_moves, positions, take_games, verified
from tesuji.records import Record, Store, StoredRecord
from tesuji.registry import spec_of
from tesuji.scale.executor import Executor
from tesuji.scale.processes import TaskLost

Array: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int32]
Opening: TypeAlias = Literal["skip", "keep"]

CHUNK = 500  # games per task of an executor


class _Rows(NamedTuple):
    table: Array
    codes: Codes | None
    games: Integers
    ply: Integers
    player: Integers


@dataclass(frozen=True)
class Dataset:
    """The positions of recorded games: `Dataset.read(records)`."""

    game: str
    """The game's spec."""
    names: tuple[str, ...]
    version: int
    """The version of the features."""
    table: Array
    """One row per position, one column per named feature, for the side to move."""
    scores: Array
    """The final score of the side to move."""
    games: Integers
    """For each row, the index of its game in `keys`."""
    remaining: Integers
    """For each row, the plies to the game's last row, which has 0."""
    keys: tuple[str, ...]
    """For each game, a digest of its start and moves; identical games have the same."""
    codes: Codes | None = None
    """The codes of each position, for the side to move; None if the game has none."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Numbers of excluded games by reason."""
    store: str = ""
    """The file name of the store."""

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
            table, codes, games, ply, player = _extract(specs, taken, scale.cores())
        else:
            table, codes, games, ply, player = _extract_on(on, specs, taken, setup)
        if not np.isfinite(table).all():
            column = features.names[int(np.argmin(np.isfinite(table).all(axis=0)))]
            raise ValueError(f"feature {column!r} is not finite in every position")
        if opening == "skip":
            begins = np.array([sample.record.opening for sample in taken], dtype=np.int32)
            chosen = ply >= begins[games]
            if not chosen.all():
                table, codes = table[chosen], codes and codes.take(chosen)
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
            codes=codes,
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
        specs = Specs(rules, every_option=every_option)
        found = store.records(game=spec_of(rules).partition(":")[0], **filters)
        same = (stored for stored in found if specs.fits(stored.record.game))
        return cls.read(
            same,
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
    codes = [rows.codes for rows in ordered if rows.codes is not None]
    table, _, *places = zip(*ordered, strict=True)
    return _Rows(np.concatenate(table), Codes.join(codes) if codes else None, *map(np.concatenate, places))


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
    return _extract_native(specs, native, samples, threads)


def _extract_native(
    specs: Specs, features: _core.Features, samples: Sequence[RecordedGame], threads: int
) -> _Rows:
    found = native_moves(specs, samples)
    try:
        table, offsets, indices, *places = _core.extract_games(features, *found, threads)
        codes = Codes(offsets, indices, features.code_count) if features.code_count else None
        return _Rows(table, codes, *places)
    except ValueError:
        for sample in samples:  # find the invalid game, to name it
            verified(sample)
        raise


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
