"""The examples with boards keep their rules: beside OpenSpiel's, and beside slow ones."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples.breakthrough import Breakthrough
from examples.reversi import PASS, Reversi
from examples.yavalath import LAYOUT, NAMES, Yavalath
from tesuji.any_game import replay

THEIRS: dict[str, Any] = {"breakthrough(rows=8,columns=8)": Breakthrough(), "othello()": Reversi()}


def test_breakthrough_and_reversi_have_the_known_numbers_of_games() -> None:
    def count(state: Any, plies: int) -> int:
        if plies == 0 or state.scores() is not None:
            return 1
        return sum(count(state.play(move), plies - 1) for move in state.moves())

    assert [count(Reversi().start(), plies) for plies in range(6)] == [1, 4, 12, 56, 244, 1396]
    assert [count(Breakthrough().start(), plies) for plies in range(4)] == [1, 22, 484, 11132]


@pytest.mark.parametrize("name", THEIRS)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_the_rules_agree_with_open_spiel_on_any_sequence_of_moves(name: str, data: st.DataObject) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game(name).new_initial_state()
    ours: Any = THEIRS[name].start()
    while ours.scores() is None:
        assert not theirs.is_terminal()
        table = {written(theirs, action): action for action in theirs.legal_actions()}
        moves = {cells_of(ours, move): move for move in ours.moves()}
        assert sorted(moves) == sorted(table), str(theirs)
        text = data.draw(st.sampled_from(sorted(moves)))
        ours = ours.play(moves[text])
        theirs.apply_action(table[text])
    assert theirs.is_terminal()
    assert list(ours.scores()) == [(1 + result) / 2 for result in theirs.returns()]


def cells_of(ours: Any, move: Any) -> str:
    """A move in OpenSpiel's notation; in Breakthrough its first player is Black, who starts at the top."""
    text = ours.text(move)
    if isinstance(move, int):
        return str(text)
    return "".join(f"{cell[0]}{9 - int(cell[1])}" for cell in (text[:2], text[3:]))


def written(theirs: Any, action: int) -> str:
    """OpenSpiel's text of an action: `a7b6*` is a capture, `d3 (x)` a disc."""
    text: str = theirs.action_to_string(theirs.current_player(), action)
    return text.split()[0].rstrip("*").lower()


@pytest.mark.parametrize(
    ("moves", "scores"),
    [
        ("e4 e1 e5 a1 e7 a3 e6", (1.0, 0.0)),  # four in a row
        ("e4 e1 e5 a1 e6", (0.0, 1.0)),  # three
        ("a1 e5 b1 e6 i1 e7", (1.0, 0.0)),
        ("a1 e5 b2 i1 c3", (0.0, 1.0)),  # along a diagonal
        ("a1 e5 b2 i1 i5", None),
    ],
)
def test_yavalath_is_won_by_four_and_lost_by_three(moves: str, scores: tuple[float, float] | None) -> None:
    assert replay(Yavalath(), moves).scores() == scores


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_yavalath_agrees_with_lines_found_on_the_board(data: st.DataObject) -> None:
    place = {cell.name: (cell.x, cell.y) for cell in LAYOUT.cells}
    state: Any = Yavalath().start()
    while True:
        own = [place[NAMES[cell]] for cell in range(61) if state.stones[1 - state.player] >> cell & 1]
        longest = max((run(own, one, other) for one in own for other in own if near(one, other)), default=1)
        if longest >= 3:
            winner = 1 - state.player if longest >= 4 else state.player
            assert state.scores() == (float(winner == 0), float(winner == 1))
            return
        if len(state.moves()) == 0:
            assert state.scores() == (0.5, 0.5)
            return
        assert state.scores() is None
        state = state.play(data.draw(st.sampled_from(state.moves())))


Place = tuple[float, float]


def near(one: Place, other: Place) -> bool:
    return abs((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 - 1) < 0.01


def run(own: list[Place], one: Place, other: Place) -> int:
    """The number of stones in a row from one in the direction of the other."""
    dx, dy = other[0] - one[0], other[1] - one[1]
    length = 1
    while any(near_to(stone, (one[0] + length * dx, one[1] + length * dy)) for stone in own):
        length += 1
    return length


def near_to(one: Place, other: Place) -> bool:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) < 0.01


def test_a_player_without_a_placement_must_pass_and_the_game_ends_when_neither_has_one() -> None:
    passes = 0
    for seed in range(40):
        rng, state = random.Random(seed), Reversi(size=4).start()
        while state.scores() is None:
            moves = state.moves()
            assert (PASS in moves) == (not state.placements(state.player))
            passes += moves == [PASS]
            state = state.play(rng.choice(moves))
        assert state.placements(0) == state.placements(1) == []
    assert passes > 0


@pytest.mark.parametrize(
    "make", [lambda: Reversi(size=5), lambda: Breakthrough(columns=1), lambda: Breakthrough(rows=4)]
)
def test_sizes_are_checked(make: Any) -> None:
    with pytest.raises(ValueError, match=r"not (5|1|8 and 4)"):
        make()
