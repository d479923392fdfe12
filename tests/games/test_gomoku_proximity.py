"""Proximity of Gomoku in the searches: which moves are pruned, which never are, and the priors."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tesuji
from tests.games.gomoku_boards import RULES, replay, some_state
from tests.games.gomoku_shapes import STEPS, along, line_made
from tests.games.slow_gomoku import stones_of, why_forbidden, wins
from tesuji.games import Gomoku
from tesuji.games.gomoku import GomokuState, proximity_map
from tesuji.games.gomoku.knowledge import FILTER, NARROW, OPENING_STONES, PROXIMITIES, StoneProximity

KEPT_LINES = {"open_three", "four", "double_four", "open_four", "five"}
SEEDS = st.integers(0, 2**32)


def weights(state: GomokuState, hard: bool = True, opening_stones: int = 0) -> dict[int, float]:
    moves = state.moves()
    found = StoneProximity(opening_stones)(state, state.player, moves, hard)
    return dict(zip(moves, found, strict=True))


def makes(state: GomokuState, cell: int, colour: int) -> set[str]:
    """What a stone makes in its lines, from the definitions."""
    exact = state.game.rule == "standard" or (state.game.rule == "renju" and colour == 0)
    texts = (along(state.size, state.cells(), cell, step, colour) for step in STEPS)
    return {line_made(*text, exact, state.game.rule == "renju" and colour == 0) for text in texts}


def steps_to_stone(state: GomokuState, cell: int) -> int:
    stones = stones_of(state.size, state.cells())
    row, column = divmod(cell, state.size)
    return min((max(abs(row - r), abs(column - c)) for r, c in stones), default=99)


@settings(max_examples=150, deadline=None)
@given(SEEDS)
def test_proximity_never_prunes_moves_that_make_or_stop_fives_fours_and_open_threes(seed: int) -> None:
    state = some_state(seed)
    stones = stones_of(state.size, state.cells())
    for cell, weight in weights(state).items():
        if weight > 0:
            continue
        assert steps_to_stone(state, cell) >= 3
        place = divmod(cell, state.size)
        for colour in (0, 1):
            assert not wins({**stones, place: colour}, place, state.game.rule)
            if not (state.game.rule == "renju" and colour == 0 and why_forbidden(state.size, stones, place)):
                assert not makes(state, cell, colour) & KEPT_LINES


@settings(max_examples=150, deadline=None)
@given(SEEDS)
def test_near_moves_keep_their_weight_and_some_move_always_remains(seed: int) -> None:
    state = some_state(seed)
    near, found = proximity_map(state), weights(state)
    for cell, weight in found.items():
        assert weight in (0, 1, near.flat[cell])
        if steps_to_stone(state, cell) <= 2:
            assert weight == near.flat[cell]
    assert not found or max(found.values()) > 0


def test_the_only_legal_moves_are_kept_at_any_distance() -> None:
    state = replay("gomoku", "h8")
    far = [move for move in state.moves() if steps_to_stone(state, move) > 2]
    hook = StoneProximity(0)
    assert hook(state, state.player, far, True) == [1.0] * len(far)
    assert hook(state, state.player, far[:1], True) == [1.0]


@pytest.mark.parametrize(("size", "columns", "rows"), [(15, "ghi", "789"), (6, "bcde", "2345")])
def test_the_first_stone_goes_to_the_middle_or_beside_it(size: int, columns: str, rows: str) -> None:
    state = Gomoku(size=size).start()
    kept = {move for move, weight in weights(state, opening_stones=OPENING_STONES).items() if weight > 0}
    assert kept == {state.parse(column + row) for column in columns for row in rows}
    for bot in ("alphabeta:nodes=20000", "mcts:iterations=500"):
        assert tesuji.bot(bot, state.game).choose(state) in kept


def test_swap2_opening_stones_may_be_anywhere() -> None:
    assert min(weights(Gomoku(swap2=True).start(), opening_stones=OPENING_STONES).values()) > 0


@pytest.mark.parametrize("stones", range(1, OPENING_STONES + 1))
def test_proximity_prunes_nothing_during_the_opening(stones: int) -> None:
    state = replay("gomoku", "h8 i9 g7 h9 i8"[: 3 * stones])
    found = StoneProximity()(state, state.player, state.moves(), True)
    if stones < OPENING_STONES:
        assert min(found) > 0
    else:
        dropped = [move for move, weight in zip(state.moves(), found, strict=True) if weight == 0]
        assert dropped and all(steps_to_stone(state, move) >= 3 for move in dropped)


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_soft_weights_are_the_proximity_map(seed: int) -> None:
    state = some_state(seed)
    near = proximity_map(state)
    assert weights(state, hard=False) == {move: near.flat[move] for move in state.moves()}


@pytest.mark.parametrize("ordering", ["off", "game"])
@pytest.mark.parametrize("rule", RULES)
def test_soft_priors_are_multiplied_by_proximity_and_sum_to_one(rule: str, ordering: str) -> None:
    state = replay(f"gomoku:size=9,rule={rule}", "e5 d4 f4 d6 e7")
    near = proximity_map(state)

    def priors(proximity: str) -> dict[int, float]:
        bot = tesuji.bot(
            f"mcts:iterations=2000,seed=1,threat_response=off,solver=off,proximity={proximity},move_ordering={ordering}",
            state.game,
        )
        return {candidate.move: candidate.prior for candidate in bot.analyse(state).candidates}

    soft, plain = priors("soft"), priors("off")
    assert set(soft) == set(plain) == set(state.moves())
    assert sum(soft.values()) == pytest.approx(1, abs=1e-4)
    total = sum(plain[move] * near.flat[move] for move in plain)
    for move in plain:
        assert soft[move] == pytest.approx(plain[move] * near.flat[move] / total, rel=1e-3, abs=1e-6)


@pytest.mark.parametrize("search", ["mcts:iterations=2000", "alphabeta:depth=2"])
def test_hard_proximity_searches_near_moves_until_they_are_proven_lost(search: str) -> None:
    state = replay("gomoku", "h8 i9 g7 h9 i8 g10")
    bot = tesuji.bot(f"{search},seed=1,proximity=hard", state.game)
    seen = {candidate.move for candidate in bot.analyse(state).candidates if candidate.visits}
    assert seen
    kept = {move for move, weight in weights(state).items() if weight > 0}
    assert seen <= kept
    assert len(kept) < len(state.moves()) / 2


def test_maps_of_an_empty_board_a_single_stone_and_a_four() -> None:
    """An empty board, a single stone, and a four: the centre, the rings, and what lies beside a pattern."""
    empty, one = Gomoku().start(), replay("gomoku", "h8")
    assert proximity_map(empty)[7, 7] == 1
    assert proximity_map(empty)[0, 0] == pytest.approx(0.1)
    found = [proximity_map(one)[cell] for cell in ((7, 8), (7, 9), (0, 0))]
    assert found == pytest.approx([1, 0.5, 0.05])
    four = replay("gomoku", "f8 a1 g8 a3 h8 a5 i8 a7")
    state_features = tesuji.games.gomoku.get_pattern_features(
        [[(0, 1, -1)[owner] for owner in four.cells()[row * 15 : row * 15 + 15]] for row in range(15)], 1
    )
    assert state_features[7, 9] == state_features[7, 4] == 1
    assert state_features[14, 14] < 0.02


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_filter_keeps_cells_within_three_steps_and_their_priors(seed: int) -> None:
    state = some_state(seed)
    moves = state.moves()
    stones = len(stones_of(state.size, state.cells()))
    found = dict(zip(moves, FILTER(state, state.player, moves, True), strict=True))
    if stones < 6:
        assert stones == 0 or set(found.values()) == {1.0}
        return
    for move, weight in found.items():
        assert weight in (0.0, 1.0)
        if steps_to_stone(state, move) <= 3:
            assert weight == 1.0


def test_narrow_leaves_cells_next_to_stones_and_those_of_open_threes() -> None:
    state = replay("gomoku", "h8 i9 g7 h9 i8 g10 f6")
    moves = state.moves()
    kept = {m for m, w in zip(moves, NARROW(state, state.player, moves, True), strict=True) if w > 0}
    assert {move for move in moves if steps_to_stone(state, move) == 1} <= kept
    for move in kept:
        beside = steps_to_stone(state, move) == 1
        assert beside or any(makes(state, move, colour) & KEPT_LINES for colour in (0, 1))
    assert 20 <= len(kept) <= 40


@pytest.mark.parametrize("search", ["mcts:iterations=300", "alphabeta:depth=2", "zero:visits=16,net=gomoku"])
@pytest.mark.parametrize("form", sorted(PROXIMITIES))
def test_every_search_takes_every_form_of_proximity(search: str, form: str) -> None:
    state = replay("gomoku", "h8 i9 g7 h9 i8 g10")
    assert tesuji.bot(f"{search},seed=1,proximity={form}", state.game).choose(state) in state.moves()


def test_a_game_without_this_form_of_proximity_names_the_forms_it_has() -> None:
    game = tesuji.game("hex:size=5")
    hook = tesuji.Knowledge(proximity=lambda state, player, moves, hard: [1.0] * len(moves))
    with pytest.raises(ValueError, match="proximity=narrow: .* soft, hard"):
        tesuji.MCTS(game, knowledge=hook, proximity="narrow")


def test_soft_proximity_acts_through_priors_unless_their_weight_is_given() -> None:
    game = tesuji.game("hex:size=5")

    def hook(state: object, player: int, moves: list[int], hard: bool) -> list[float]:
        return [1.0 if move == 12 else 0.001 for move in moves]

    def visits(**options: Any) -> int:
        bot = tesuji.MCTS(
            game,
            knowledge=tesuji.Knowledge(proximity=hook),
            proximity="soft",
            iterations=400,
            seed=1,
            **options,
        )
        return next(each.visits for each in bot.analyse(game.start()).candidates if each.move == 12)

    assert visits() > 2 * visits(prior_weight=0)


def test_a_win_in_one_is_found_where_soft_proximity_is_zero() -> None:
    state: Any = tesuji.replay("hex:size=3", "b1 a1 b2 a3")
    win = state.parse("b3")

    def hook(state: object, player: int, moves: list[int], hard: bool) -> list[float]:
        return [0.0 if move == win and len(moves) > 1 else 1.0 for move in moves]

    for solver in (True, False):
        bot = tesuji.MCTS(
            state.game,
            knowledge=tesuji.Knowledge(proximity=hook),
            proximity="soft",
            iterations=2000,
            seed=1,
            solver=solver,
        )
        assert bot.choose(state) == win
