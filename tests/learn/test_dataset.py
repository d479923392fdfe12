"""From records to a table: positions, labels and exclusions."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tesuji
from tests.learn.games import HEX, NAMES, hex_games, line_games
from tesuji import _core
from tesuji.any_game import is_position_of
from tesuji.arena.playing import Task, play
from tesuji.features import features_of
from tesuji.learn.dataset import Dataset
from tesuji.records import Record, Store

PLAYED = Record(
    game="hex:size=2",
    players=("mcts", "random"),
    moves=("a1", "b1", "a2"),
    scores=(1.0, 0.0),
    ending="played",
)


def test_every_position_before_the_end_is_a_row_from_the_side_to_move() -> None:
    data = Dataset.read(hex_games())
    rules = tesuji.game(HEX)
    assert (data.game, data.names, data.version) == (HEX, NAMES, 1)
    by_key = {Dataset.read([record]).keys[0]: record for record in hex_games()}
    row = 0
    for game, key in enumerate(data.keys):
        record = by_key[key]
        for state in record.states():
            if state.scores() is not None:
                continue
            expected = list(features_of(rules)(state, state.player).values())
            assert data.table[row].tolist() == expected
            assert record.scores is not None
            assert data.scores[row] == record.scores[state.player]
            assert data.games[row] == game
            row += 1
    assert row == len(data.table)


def test_the_last_position_before_the_end_has_no_plies_to_go() -> None:
    data = Dataset.read([PLAYED])
    assert data.remaining.tolist() == [2, 1, 0]
    assert data.scores.tolist() == [1.0, 0.0, 1.0]


def test_after_a_resignation_the_last_position_is_a_row_too() -> None:
    given_up = replace(PLAYED, moves=("a1", "b1"), ending="resigned")
    data = Dataset.read([given_up])
    assert data.remaining.tolist() == [2, 1, 0]
    assert data.scores.tolist() == [1.0, 0.0, 1.0]


def test_a_draw_is_half_a_win_for_both() -> None:
    drawn = replace(PLAYED, moves=("a1", "b1"), scores=(0.5, 0.5), ending="limit")
    data = Dataset.read([drawn, PLAYED])
    assert sorted(data.scores.tolist()) == [0.0, 0.5, 0.5, 0.5, 1.0, 1.0]
    assert data.draws == 1


def test_unfinished_games_and_faults_are_excluded_and_counted() -> None:
    unfinished = replace(PLAYED, moves=("a1",), scores=None, ending="unfinished")
    crashed = replace(PLAYED, moves=("a1",), ending="crashed", fault="random: KeyError")
    data = Dataset.read([unfinished, PLAYED, crashed, unfinished])
    assert len(data.keys) == 1
    assert data.left_out == {"unfinished": 2, "crashed": 1}
    with pytest.raises(ValueError, match=r"no finished games .*\(2 unfinished\)$"):
        Dataset.read([unfinished, unfinished])


def test_the_order_of_the_games_does_not_matter() -> None:
    records = list(hex_games())
    first = Dataset.read(records)
    random.Random(5).shuffle(records)
    second = Dataset.read(records)
    assert first.keys == second.keys
    assert first.table.tobytes() == second.table.tobytes()
    assert first.scores.tobytes() == second.scores.tobytes()


def test_games_of_other_options_are_refused() -> None:
    other = replace(PLAYED, game="hex:size=3", moves=("a1",), ending="resigned")
    with pytest.raises(ValueError, match="^game 2 is of hex:size=3, not of hex:size=2"):
        Dataset.read([PLAYED, other])


@pytest.mark.parametrize(
    ("moves", "says"),
    [
        (("a1", "a1", "b1"), "game 2: move 2: 'a1' is not legal"),
        (("a1", "z9"), "game 2: 'z9' is not a cell"),
        (("a1", "b1", "a2", "b2"), "game 2: move 4: 'b2' is not legal; the game is over"),
    ],
)
def test_an_illegal_game_is_named(moves: tuple[str, ...], says: str) -> None:
    with pytest.raises(ValueError) as error:
        Dataset.read([PLAYED, replace(PLAYED, moves=moves)])
    assert str(error.value).startswith(says)


def test_a_store_gives_the_games_with_exactly_these_options(tmp_path: Path) -> None:
    with Store(tmp_path / "games.db") as store:
        for record in hex_games():
            store.add(record)
        store.add(PLAYED)
        store.add(replace(PLAYED, game="hex", moves=("a1",), ending="resigned"))
        store.add(replace(PLAYED, game="hex:size=11", moves=("a1",), ending="resigned"))
        data = Dataset.from_store(store, HEX)
        assert len(data.keys) == len(hex_games())
        assert data.store == "games.db"
        assert len(Dataset.from_store(store, "hex").keys) == 2
        assert len(Dataset.from_store(store, HEX, bot="mcts").keys) == 40


def test_a_python_game_learns_from_the_features_of_its_states(lines: str) -> None:
    data = Dataset.read(line_games())
    assert data.names == ("my-open-lines", "their-open-lines", "one")
    assert data.draws > 0
    assert data.table[data.remaining == data.remaining.max()].tolist()[0] == [8.0, 8.0, 1.0]


def test_a_game_without_features_says_so() -> None:
    class Bare:
        def start(self) -> object:
            return object()

        def __repr__(self) -> str:
            return "Bare()"

    with pytest.raises(ValueError, match=r"^Bare\(\) has no features"):
        features_of(Bare())  # type: ignore[arg-type]


def test_the_core_refuses_counts_that_do_not_fit() -> None:
    rules = tesuji.game("hex:size=2")
    native: Any = features_of(rules).native
    start = rules.start().core
    moves = np.array([0, 1, 2], dtype=np.uint32)
    for counts in ([2], [4], [-1], [1, 2]):
        with pytest.raises(ValueError, match="the counts do not match|one start"):
            _core.extract_games(native, [start], moves, np.array(counts, dtype=np.int64))
    with pytest.raises(ValueError, match="game 1, move 1: illegal move 99"):
        _core.extract_games(native, [start], np.array([99], np.uint32), np.array([1], np.int64))


def test_a_dealt_position_belongs_to_the_game_that_deals_it() -> None:
    game: Any = tesuji.game("onitama")
    dealt = game.start(seed=7)
    assert is_position_of(game, dealt)
    assert is_position_of(dealt.game, dealt)
    assert not is_position_of(game.start(seed=8).game, dealt)
    assert not is_position_of(tesuji.game("onitama:ply_limit=99"), dealt)
    assert not is_position_of(tesuji.game(HEX), dealt)


def test_positions_of_an_opening_are_excluded_unless_kept() -> None:
    task = Task(game=HEX, players=("random", "random"), seed=3, opening=("a1", "d4", "b2"))
    record = play(task)
    assert record.opening == 3
    whole = Dataset.read([record], opening="keep")
    after = Dataset.read([record])
    assert len(whole.table) == len(record.moves)
    assert after.table.tolist() == whole.table[3:].tolist()
    assert after.scores.tolist() == whole.scores[3:].tolist()
    assert after.remaining.tolist() == whole.remaining[3:].tolist()
    only = replace(record, moves=record.moves[:3], opening=3, notes=(), scores=(1.0, 0.0), ending="resigned")
    with pytest.raises(ValueError, match="positions after its opening"):
        Dataset.read([replace(only, opening=4)])


def test_threads_share_the_games_and_change_nothing() -> None:
    records = hex_games(60)
    starts: list[Any] = [tesuji.game(HEX).start() for _ in range(5) for _ in records]
    texts = [record.moves for record in records] * 5
    moves = np.array([starts[0].parse(text) for game in texts for text in game], dtype=np.uint32)
    counts = np.array([len(game) for game in texts], dtype=np.int64)
    features = starts[0].game.features.native
    cores = [state.core for state in starts]
    alone, shared = (_core.extract_games(features, cores, moves, counts, threads) for threads in (1, 3))
    assert all(np.array_equal(one, two) for one, two in zip(alone, shared, strict=True))
    moves[-1] = 999
    with pytest.raises(ValueError, match="^game 300, move .*: illegal move 999"):
        _core.extract_games(features, cores, moves, counts, 3)
