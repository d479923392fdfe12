"""Onitama moves as text and as numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.onitama_positions import OX
from tesuji.games import Onitama
from tesuji.games.onitama.cards import TABLE, deal_text, parse_deal
from tesuji.games.onitama.notation import move_text, parse_move_text, square_text, turn_of

DEAL = parse_deal(OX)


@given(st.integers(0, 3124))
def test_move_numbers_encode_card_place_start_and_end(move: int) -> None:
    turn = turn_of(move)
    source, target = turn.squares or (0, 0)
    assert move == turn.place * 625 + source * 25 + target


@given(st.integers(0, 2**64 - 1), st.lists(st.integers(0, 1000), max_size=30))
def test_every_legal_move_round_trips_through_text(seed: int, indices: list[int]) -> None:
    state = Onitama(set="all").start(seed)
    for index in indices:
        texts = [state.text(move) for move in state.moves()]
        assert len(set(texts)) == len(texts)
        assert [state.parse(text) for text in texts] == state.moves()
        assert [state.parse(text.upper()) for text in texts] == state.moves()
        if state.scores() is not None:
            break
        state = state.play(state.moves()[index % len(state.moves())])


def test_squares_are_named_from_blues_left_corner() -> None:
    assert [square_text(square) for square in (0, 4, 5, 12, 24)] == ["a1", "e1", "a2", "c3", "e5"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not a move such as boar:a1a2"),
        ("boar", "is not a move such as boar:a1a2"),
        ("a1a2", "is not a move such as boar:a1a2"),
        ("boar:a1f2", "is not a move such as boar:a1a2"),
        ("boar:a1a1", "a pass is written boar:pass"),
        ("tiger:a1a3", "not in this game"),
        ("unicorn:a1a3", "not in this game"),
    ],
)
def test_text_that_is_not_a_move_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_move_text(DEAL, text)


def test_text_of_a_number_that_is_not_a_move_is_refused() -> None:
    for move in (-1, 3125):
        with pytest.raises(ValueError, match="moves run from 0 to 3124"):
            move_text(DEAL, move)


def test_every_card_can_be_named_in_a_spec() -> None:
    for first in range(0, 30, 5):
        deal = tuple(range(first, first + 5))
        assert parse_deal(deal_text(deal)) == deal
    assert Onitama(cards="SeaSnake-Ox-Boar-Crab-Eel").cards == "seasnake-ox-boar-crab-eel"
    assert TABLE[parse_deal("seasnake-ox-boar-crab-eel")[0]].name == "Sea Snake"
