"""What a person knows of Gomoku: threats in their order, the order of moves, features that are counts."""

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tesuji
from tests.games.gomoku_boards import RULES, replay, some_state
from tests.games.gomoku_shapes import STEPS, along, line_made
from tests.games.slow_gomoku import stones_of, why_forbidden, wins
from tesuji import _core
from tesuji.games.gomoku import GomokuState, get_pattern_features
from tesuji.games.gomoku.knowledge import (
    PatternOrdering,
    PatternPolicy,
    PatternThreats,
    gomoku_knowledge,
    threat_counts,
)

SEEDS = st.integers(0, 2**32)


class Seen:
    """A board evaluated slowly, by the rules only."""

    def __init__(self, state: GomokuState) -> None:
        self.size, self.rule = state.size, state.game.rule
        self.stones = stones_of(state.size, state.cells())
        self.empty = [cell for cell in range(state.size**2) if divmod(cell, state.size) not in self.stones]

    def fives(self, colour: int) -> set[int]:
        """Where a stone of the colour wins."""
        return {cell for cell in self.empty if self.wins(cell, colour)}

    def wins(self, cell: int, colour: int) -> bool:
        place = divmod(cell, self.size)
        return wins({**self.stones, place: colour}, place, self.rule)

    def legal(self, cell: int, colour: int) -> bool:
        forbids = self.rule == "renju" and colour == 0
        return not (forbids and why_forbidden(self.size, self.stones, divmod(cell, self.size)))

    def ways_after(self, cell: int, colour: int) -> int:
        """In how many ways the colour could win after a stone here; 0 where it may not play."""
        if not self.legal(cell, colour):
            return 0
        self.stones[divmod(cell, self.size)] = colour
        ways = sum(self.wins(other, colour) for other in self.empty if other != cell)
        del self.stones[divmod(cell, self.size)]
        return ways


@settings(max_examples=200, deadline=None)
@given(SEEDS)
def test_threat_responses_rank_own_five_block_five_own_open_four_block_open_four(seed: int) -> None:
    state = some_state(seed)
    own, other = state.colour, 1 - state.colour
    seen = Seen(state)
    found = PatternThreats()(state, state.player) if state.moves() else None
    named = set(found.moves) if found else set()
    assert named <= set(state.moves())
    if seen.fives(own):
        assert named == seen.fives(own)
    elif seen.fives(other):
        assert named == {cell for cell in seen.fives(other) if seen.legal(cell, own)}
    elif named and (winning := {cell for cell in named if seen.ways_after(cell, own) > 1}):
        assert named == winning
    elif named:
        assert not any(seen.ways_after(cell, own) > 1 for cell in state.moves())
        unnamed = [move for move in state.moves() if move not in named]
        for move in random.Random(seed).sample(unnamed, min(len(unnamed), 12)):
            assert not seen.ways_after(move, own)  # no four gains time
            seen.stones[divmod(move, state.size)] = own
            assert any(seen.ways_after(cell, other) > 1 for cell in seen.empty if cell != move)
            del seen.stones[divmod(move, state.size)]
    elif state.game.rule != "renju" and state.moves():
        assert not any(seen.ways_after(cell, colour) > 1 for cell in seen.empty for colour in (own, other))


@pytest.mark.parametrize(
    "moves",
    ["", "h8", "h8 i8 h9 i9", "h8 h9 i8 i9 a1 o15", "h8 a1 i8 a3 d4 c9 e4 c10", "h8 i9 j10 a1 k8 a3"],
)
@pytest.mark.parametrize("rule", RULES)
def test_twos_are_not_urgent(moves: str, rule: str) -> None:
    state = replay(f"gomoku:rule={rule}", moves)
    assert PatternThreats()(state, state.player) is None


def test_threat_responses_are_for_the_side_to_move() -> None:
    state = replay("gomoku", "h8")
    with pytest.raises(ValueError, match="player must be .* 1, not 0"):
        PatternThreats()(state, 0)


@settings(max_examples=300, deadline=None)
@given(SEEDS)
def test_moves_are_ordered_by_their_threats(seed: int) -> None:
    """A cell that is good for both sides never ranks above a more urgent one."""
    state = some_state(seed, most=16)
    if not state.moves():
        return
    order = list(PatternOrdering()(state, state.player, state.moves()))
    patterns = _core.GomokuPatterns(state.core)

    def urgency(move: int) -> int:
        mine, theirs = (patterns.threat(move, colour) for colour in (state.colour, 1 - state.colour))
        steps = (mine == "five", theirs == "five", mine == "open_four", theirs == "open_four")
        return steps.index(True) if any(steps) else len(steps)

    assert sorted(order) == sorted(state.moves())
    assert [urgency(move) for move in order] == sorted(urgency(move) for move in order)


def test_an_own_open_four_is_tried_before_stopping_one() -> None:
    state = replay("gomoku", "d4 k11 e4 l11 f4 m11")
    first = list(PatternOrdering()(state, 0, state.moves()))[:4]
    assert [state.text(move) for move in sorted(first[:2])] == ["c4", "g4"]
    assert [state.text(move) for move in sorted(first[2:])] == ["j11", "n11"]


def test_a_cell_good_for_both_sides_is_not_counted_twice() -> None:
    """Either would make an open four on h8; later Black has a five elsewhere, and White too."""
    board = [[0] * 15 for _ in range(15)]
    for column in (4, 5, 6):
        board[7][column] = 1
    for row in (4, 5, 6):
        board[row][7] = -1
    both = get_pattern_features(board, 1)
    alone = get_pattern_features([[max(cell, 0) for cell in row] for row in board], 1)
    assert both[7, 7] == alone[7, 7] == pytest.approx(0.8)
    for column in (10, 11, 12, 13):
        board[0][column] = 1
    for row in (10, 11, 12, 13):
        board[row][14] = -1
    features = get_pattern_features(board, 1)
    five, stop_five, four = features[0, 9], features[9, 14], features[7, 7]
    assert five > stop_five > four


def brute_threat(state: GomokuState, cell: int, colour: int) -> str:
    """What a stone makes of its four lines together, from the definitions."""
    forbids = state.game.rule == "renju" and colour == 0
    exact = state.game.rule == "standard" or forbids
    lines = Counter(
        line_made(*along(state.size, state.cells(), cell, step, colour), exact, forbids) for step in STEPS
    )
    fours = lines["four"] + lines["open_four"] + 2 * lines["double_four"]
    threes = lines["open_three"]
    ranked = [
        ("five", lines["five"] > 0),
        ("forbidden", forbids and (lines["overline"] > 0 or fours > 1)),
        ("double_three", forbids and threes > 1),
        ("open_four", lines["open_four"] > 0 or fours > 1),
        ("four_three", fours > 0 and threes > 0),
        ("four", fours > 0),
        ("double_three", threes > 1),
        ("open_three", threes > 0),
        ("double_two", lines["open_two"] > 1),
        ("three", lines["three"] > 0),
        ("open_two", lines["open_two"] > 0),
        ("two", lines["two"] > 0),
    ]
    return next((name for name, holds in ranked if holds), "less")


@settings(max_examples=120, deadline=None)
@given(SEEDS)
def test_features_are_counts_of_cells(seed: int) -> None:
    state = some_state(seed)
    empty = [cell for cell, owner in enumerate(state.cells()) if owner == 0]
    counts = [Counter(brute_threat(state, cell, colour) for cell in empty) for colour in (0, 1)]
    for player in (0, 1):
        found = threat_counts()(state, player)
        assert len(found) == 20
        for name, value in found.items():
            whose, _, threat = name.partition("_")
            assert value == counts[player if whose == "my" else 1 - player][threat], name


def test_features_follow_the_colours_after_a_swap() -> None:
    state = replay("gomoku:swap2=on", "h8 a1 i8 swap a3 j8 a5 a7")
    features = threat_counts()
    assert state.black == 1
    assert features(state, 1)["my_open_four"] == features(state, 0)["their_open_four"] == 2
    mine = {state.game.features.native.code_group(code) for code in state.game.features.codes(state, 1)}
    theirs = {state.game.features.native.code_group(code) for code in state.game.features.codes(state, 0)}
    assert "my open four" in mine and "their open four" in theirs


def test_a_broken_three_counts_as_a_solid_one() -> None:
    broken = replay("gomoku", "g8 a1 i8 o1 j8 a15")
    assert threat_counts()(broken, 0)["my_open_four"] == 1
    found = PatternThreats()(broken, 0)
    assert found is not None and [broken.text(move) for move in found.moves] == ["h8"]
    white = broken.play(broken.parse("o15"))
    answers = PatternThreats()(white, 1)
    assert answers is not None
    assert {white.text(move) for move in answers.moves} == {"f8", "h8", "k8"}


def test_playouts_answer_threats_and_stay_legal() -> None:
    rng = random.Random(1)
    policy = PatternPolicy()
    for seed in range(40):
        state = some_state(seed)
        while state.scores() is None:
            moves = state.moves()
            threat = PatternThreats()(state, state.player)
            move = policy(state, state.player, moves, rng)
            assert move in (threat.moves if threat else moves)
            state = state.play(move)


def test_the_value_is_symmetric_in_the_colours_and_sums_to_one() -> None:
    value: Any = gomoku_knowledge().objectives
    for seed in range(60):
        state = some_state(seed)
        if state.game.rule != "freestyle" or state.scores() is not None:
            continue
        swapped = bytes((0, 2, 1)[owner] for owner in state.cells())
        other = state.game.from_core(
            _core.GomokuState.set_up(state.size, "freestyle", swapped, 1 - state.colour)
        )
        mine = value.value(state, state.player)
        assert mine == value.value(other, other.player)
        assert mine + value.value(state, 1 - state.player) == pytest.approx(1)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    "bot", ["greedy:seed=1", "mcts:iterations=300,seed=1", "alphabeta:nodes=3000,seed=1"]
)
def test_the_first_stones_are_close_to_the_centre_and_to_each_other(bot: str, rule: str) -> None:
    game = tesuji.game(f"gomoku:rule={rule}")
    most = 3 if bot.startswith("greedy") and rule != "freestyle" else 2
    for state in (game.start(), game.start().play(112)):  # h8
        row, column = divmod(tesuji.bot(bot, game).choose(state), 15)
        assert max(abs(row - 7), abs(column - 7)) <= most


def test_an_own_open_three_is_good_and_the_opponents_is_bad() -> None:
    value: Any = gomoku_knowledge().objectives
    mine = replay("gomoku", "h8 a1 h9 a15 h10")  # White to move
    assert value.value(mine, 0) > 0.75
    groups = value(mine, 0)  # for Black
    assert groups["their open four"].value * groups["their open four"].weight > 0
    quiet = replay("gomoku", "h8 a1 h9 a15 o8")
    assert value.value(mine, 0) > value.value(quiet, 0) + 0.1


def test_the_learned_prior_takes_a_win_then_stops_one() -> None:
    prior: Any = gomoku_knowledge().move_ordering
    for moves, best in (
        ("h8 a1 h9 a2 h10 a3 h11 o15", {"h7", "h12"}),
        ("h8 a1 h9 a2 h10 a3 o15 a4", {"a5", "h7", "h11"}),
        ("a1 h8 a3 h9 o15 h10", {"h7", "h11"}),
    ):
        state = replay("gomoku", moves)
        first = next(iter(prior(state, state.player, state.moves())))
        assert state.text(first) in best
