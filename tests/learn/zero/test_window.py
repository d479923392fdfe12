"""The window: samples are the positions played, arrays are exact, invalid games are refused."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

import examples.tic_tac_toe  # noqa: F401
import tesuji
from tests.learn.zero.played import played
from tesuji import _core
from tesuji.learn.zero.window import Batch, Window
from tesuji.planes import planes_of

SPECS = (
    "gomoku:size=7",
    "gomoku:size=6,rule=renju",
    "gomoku:size=6,swap2=on",
    "hex:size=5,swap=on",
    "hex:size=4",
    "onitama:cards=ox-tiger-monkey-crane-crab,ply_limit=40",
    "tictactoe",
)


def filled(spec: str = "gomoku:size=7", games: int = 20, *, full: float = 1.0, **options: Any) -> Window:
    game = tesuji.game(spec)
    planes = planes_of(game)
    window = Window(game, planes, **{"capacity": 100_000, **options})
    window.add([played(game, planes, seed, full=full, opening=seed % 3) for seed in range(games)])
    return window


def same(one: Batch, other: Batch) -> bool:
    return all(np.array_equal(getattr(one, each.name), getattr(other, each.name)) for each in fields(Batch))


@pytest.mark.parametrize("spec", SPECS)
def test_training_sees_bit_for_bit_what_play_sees(spec: str) -> None:
    game = tesuji.game(spec)
    planes = planes_of(game)
    native: Any = planes.native
    one = played(game, planes, 5, full=0.7, opening=1)
    window = Window(game, planes, capacity=1000, fast_search_weight=1.0)
    window.add([one])
    states: list[Any] = [game.start()]
    move_of = getattr(planes, "move_space", range(10_000))
    for number in one.moves:
        states.append(states[-1].play(move_of[number]))
    batch = window.sample(400, seed=3)
    seen = Counter[int]()
    for row in range(400):
        ply = len(one.moves) - int(batch.moves_left[row])
        state, search = states[ply], one.searched[ply - one.opening]
        seen[ply] += 1
        assert batch.value[row] == pytest.approx(one.scores[state.player]) and batch.value_weight[row] == 1
        assert batch.root_value[row] == np.float32(search[0])
        assert batch.policy_weight[row] == search[2]
        check_policy(planes, state, batch, row, batch.policy[row], search[3] if search[2] else {})
        following = one.searched[ply - one.opening + 1] if ply + 1 < len(one.moves) else None
        replied = following is not None and following[2] and states[ply + 1].player != state.player
        assert batch.reply_weight[row] == replied
        reply = (
            {native.reply_index(i): share for i, share in following[3].items()}
            if following and replied
            else {}
        )
        check_policy(planes, state, batch, row, batch.reply[row], reply)
    assert set(seen) == set(range(one.opening, len(one.moves)))  # every position, and none of the opening


def check_policy(
    planes: Any, state: Any, batch: Batch, row: int, policy: Any, target: dict[int, float]
) -> None:
    """Planes and target are the position's under one symmetry; it may look the same under several."""
    native = planes.native
    total = sum(target.values())
    for s in range(native.symmetries):
        if not np.array_equal(native.transform_planes(s, planes(state)), batch.planes[row]):
            continue
        expected = np.zeros(native.policy_size)
        for index, share in target.items():
            expected[native.transform_index(s, index)] = share / total
        if np.allclose(policy, expected, atol=1e-4):
            return
    pytest.fail(f"row {row} is not {state} with {target} under any symmetry")


def test_all_symmetries_are_drawn() -> None:
    game = tesuji.game("gomoku:size=5")
    planes = planes_of(game)
    window = Window(game, planes, capacity=10)
    window.add([_core.PlayedGame([1, 0], [0.5, 0.5], 1, [(0.5, 0, True, {0: 1.0})])])
    drawn = Counter(int(np.argmax(policy)) for policy in window.sample(2000, seed=1).policy)
    assert set(drawn) == {0, 4, 20, 24}  # the corners
    assert all(count > 400 for count in drawn.values())


@pytest.mark.parametrize("spec", SPECS)
def test_arrays_keep_a_window_exactly(spec: str) -> None:
    window = filled(spec, full=0.5)
    other = filled(spec, games=0)
    arrays = window.to_arrays()
    other.add_arrays(arrays)
    assert (other.games, other.positions) == (window.games, window.positions)
    assert same(window.sample(300, seed=8), other.sample(300, seed=8))
    again = other.to_arrays()
    assert arrays.keys() == again.keys()
    assert all(np.array_equal(arrays[name], again[name]) for name in arrays)


def test_windows_of_shards_equal_the_whole() -> None:
    window, half = filled(games=20), filled(games=0)
    half.add_arrays(filled(games=10).to_arrays())
    game = tesuji.game("gomoku:size=7")
    half.add([played(game, planes_of(game), seed, opening=seed % 3) for seed in range(10, 20)])
    assert same(window.sample(300, seed=8), half.sample(300, seed=8))


def test_rows_depend_on_the_seed_and_not_on_threads() -> None:
    window = filled()
    batch = window.sample(500, seed=4)
    assert same(batch, window.sample(500, seed=4, threads=5))
    assert not same(batch, window.sample(500, seed=5))


def test_the_oldest_games_are_evicted() -> None:
    game = tesuji.game("hex:size=4")
    planes = planes_of(game)
    games = [played(game, planes, seed) for seed in range(10)]
    window = Window(game, planes, capacity=50)
    for each in games:
        window.add([each])
        assert window.positions <= 50
    kept = window.games
    assert sum(len(each.moves) for each in games[-kept:]) == window.positions
    assert window.positions + len(games[-kept - 1].moves) > 50
    window.capacity = 1
    assert (window.games, window.positions) == (1, len(games[-1].moves))  # the newest is always kept
    window.capacity = 1000
    window.add(games[:2])
    assert window.games == 3


def test_surprising_positions_are_sampled_more_often() -> None:
    game = tesuji.game("gomoku:size=5")
    planes = planes_of(game)
    moves = [0, 5, 1, 6]
    surprises = (0.0, 1.0, 3.0, 0.0)
    searched = [(0.5, surprise, True, {move: 1.0}) for move, surprise in zip(moves, surprises, strict=True)]
    for share in (0.0, 0.5, 1.0):
        window = Window(game, planes, capacity=10, surprise=share)
        window.add([_core.PlayedGame(moves, [0.5, 0.5], 0, searched)])
        drawn = Counter(4 - int(left) for left in window.sample(8000, seed=2).moves_left)
        for ply, surprise in enumerate(surprises):
            assert drawn[ply] / 8000 == pytest.approx((1 - share + share * surprise) / 4, abs=0.02)


def test_positions_without_a_full_search_are_sampled_only_if_requested() -> None:
    assert (filled(full=0.3).sample(500, seed=1).policy_weight == 1).all()
    batch = filled(full=0.3, fast_search_weight=0.5, surprise=0.0).sample(4000, seed=1)
    expected = 0.3 / (0.3 + 0.7 * 0.5)
    assert batch.policy_weight.mean() == pytest.approx(expected, abs=0.05)
    assert not batch.policy[batch.policy_weight == 0].any()


def test_a_game_without_a_result_has_no_value_target() -> None:
    game = tesuji.game("gomoku:size=5")
    window = Window(game, planes_of(game), capacity=10)
    nan = float("nan")
    window.add([_core.PlayedGame([0], [nan, nan], 0, [(0.5, 0, True, {0: 1.0})])])
    other = Window(game, planes_of(game), capacity=10)
    other.add_arrays(window.to_arrays())
    for each in (window, other):
        batch = each.sample(10, seed=1)
        assert not batch.value_weight.any() and (batch.value == 0.5).all()


def test_batches_can_be_concatenated() -> None:
    window = filled()
    one, other = window.sample(3, seed=1), window.sample(4, seed=2)
    both = one.concatenate(other)
    assert both.planes.shape[0] == both.value.shape[0] == 7
    assert np.array_equal(both.policy[3:], other.policy)


def test_an_empty_window_cannot_be_sampled() -> None:
    with pytest.raises(ValueError, match="no position"):
        filled(games=0).sample(1, seed=1)
    assert filled().sample(0, seed=1).planes.shape == (0, 17, 7, 7)


SEARCH = (0.5, 0.1, True, {3: 1.0})


@pytest.mark.parametrize(
    ("moves", "scores", "searched", "words"),
    [
        ([3, 3], [1, 0], [SEARCH] * 2, "move 2: illegal move 3"),
        ([70_000], [1, 0], [SEARCH], "illegal move 70000"),
        ([3], [1, 1], [SEARCH], "add up to 1"),
        ([3], [2, -1], [SEARCH], "from 0 to 1"),
        ([3], [1, float("nan")], [SEARCH], "add up to 1"),
        ([3], [1, 0], [(0.5, 0.1, True, {})], "must have a target"),
        ([3], [1, 0], [(0.5, 0.1, True, {49: 1.0})], "index 49 is not below 49"),
        ([3], [1, 0], [(0.5, 0.1, True, {3: float("nan")})], "share must be"),
        ([3], [1, 0], [(0.5, 0.1, True, {3: -1.0})], "share must be"),
        ([3], [1, 0], [(float("nan"), 0.1, True, {3: 1.0})], "value must be"),
        ([3], [1, 0], [(0.5, float("inf"), True, {3: 1.0})], "surprise must be"),
        ([0, 7, 1, 8, 2, 9, 3, 10, 4], [0, 1], [SEARCH] * 9, "score differs"),
        ([0, 7, 1, 8, 2, 9, 3, 10, 4, 11], [1, 0], [SEARCH] * 10, "move 10: illegal"),
    ],
)
def test_an_illegal_game_is_refused_and_nothing_is_added(
    moves: list[int], scores: list[float], searched: list[Any], words: str
) -> None:
    window = filled(games=2)
    before = window.to_arrays()
    good = _core.PlayedGame([3], [1, 0], 0, [SEARCH])
    with pytest.raises(ValueError, match=words) as caught:
        window.add([good, _core.PlayedGame(moves, scores, 0, searched)])
    assert str(caught.value).startswith("game 2: ")
    after = window.to_arrays()
    assert all(np.array_equal(before[name], after[name]) for name in before)


@pytest.mark.parametrize("opening", [0, 2])
def test_every_move_after_the_opening_needs_a_search(opening: int) -> None:
    with pytest.raises(ValueError, match="one search per move"):
        _core.PlayedGame([3], [1, 0], opening, [])


def changed(name: str, change: Callable[[Any], Any]) -> Callable[[dict[str, Any]], None]:
    def damage(arrays: dict[str, Any]) -> None:
        arrays[name] = change(arrays[name].copy())

    return damage


def with_first(value: Any) -> Callable[[Any], Any]:
    def change(column: Any) -> Any:
        column[0] = value
        return column

    return change


COLUMNS = sorted(filled(games=1).to_arrays())


@pytest.mark.parametrize(
    "damage",
    [
        *(changed(name, lambda column: column[:-1]) for name in COLUMNS),
        *(changed(name, lambda column: np.append(column, column[:1])) for name in COLUMNS),
        *(changed(name, lambda column: column.astype(np.complex64)) for name in COLUMNS),
        *(changed(name, lambda column: column.reshape(-1, 1)) for name in COLUMNS),
        *(changed(name, lambda column: "text") for name in COLUMNS),
        *((lambda arrays, name=name: arrays.pop(name)) for name in COLUMNS if name != "deals"),
        changed("moves", with_first(65535)),
        changed("openings", with_first(65535)),
        changed("indices", with_first(49)),
        changed("shares", with_first(0)),
        changed("scores", with_first(7.0)),
        changed("values", with_first(np.nan)),
        changed("surprises", with_first(-1.0)),
        changed("resigned_by", with_first(9)),
        changed("target_counts", with_first(60_000)),
    ],
)
def test_damaged_arrays_are_refused(damage: Callable[[dict[str, Any]], None]) -> None:
    arrays = filled(games=4).to_arrays()
    damage(arrays)
    window = filled(games=0)
    with pytest.raises(ValueError, match=r"window's file|game \d+: |a column"):
        window.add_arrays(arrays)
    assert window.games == 0


def test_arrays_of_another_game_are_refused() -> None:
    with pytest.raises(ValueError, match="game 1: "):
        filled("hex:size=4", games=0).add_arrays(filled("gomoku:size=7").to_arrays())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"capacity": 0}, "capacity"),
        ({"surprise": 1.5}, "surprise"),
        ({"fast_search_weight": float("nan")}, "fast_search_weight"),
    ],
)
def test_invalid_options_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        filled(games=0, **options)


def test_planes_and_game_must_belong_together() -> None:
    with pytest.raises(ValueError, match="size 7"):
        Window(tesuji.game("gomoku:size=9"), planes_of(tesuji.game("gomoku:size=7")), capacity=10)


@pytest.mark.threads
@pytest.mark.parametrize("spec", ["gomoku:size=7", "tictactoe"])
def test_one_thread_may_sample_while_another_adds(spec: str) -> None:
    game = tesuji.game(spec)
    planes = planes_of(game)
    window = filled(spec, games=3, capacity=100)
    games = [played(game, planes, seed) for seed in range(60)]
    errors: list[BaseException] = []

    def draw() -> None:
        try:
            for seed in range(40):
                assert np.isfinite(window.sample(100, seed=seed, threads=2).planes).all()
        except BaseException as error:
            errors.append(error)

    drawing = [threading.Thread(target=draw) for _ in range(2)]
    for each in drawing:
        each.start()
    for one in games:
        window.add([one])
    for each in drawing:
        each.join()
    assert not errors
    assert window.positions <= 100


def test_games_of_files_without_deals_are_read() -> None:
    window = filled("hex:size=4", games=5)
    arrays = window.to_arrays()
    assert not arrays.pop("deals").any()
    again = filled("hex:size=4", games=0)
    again.add_arrays(arrays)
    assert same(again.sample(30, seed=2), window.sample(30, seed=2))


def test_positions_of_a_dealt_game_are_sampled_from_its_own_deal() -> None:
    game: Any = tesuji.game("onitama:set=all")
    planes = planes_of(game)
    window = Window(game, planes, capacity=100_000, surprise=0.0)
    states: list[Any] = [game.start(seed) for seed in (1, 2, 3)]
    search = (0.5, 0.0, True, {0: 1.0})
    for seed, state in zip((1, 2, 3), states, strict=True):
        move = state.moves()[0]
        window.add([_core.PlayedGame([move], [0.5, 0.5], 0, [search], deal=seed)])
    images = {
        np.asarray(planes.native.transform_planes(s, planes(x))).tobytes() for s in (0, 1) for x in states
    }
    again = Window(game, planes, capacity=100_000, surprise=0.0)
    again.add_arrays(window.to_arrays())
    for each in (window, again):
        assert {row.tobytes() for row in each.sample(200, seed=1).planes} == images
