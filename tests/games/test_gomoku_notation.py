"""Names of Gomoku's moves."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tesuji.games.gomoku import Gomoku

SIZES = st.integers(5, 20)


def move_text(size: int, move: int) -> str:
    return Gomoku(size=size).start().text(move)


def parse_move_text(size: int, text: str) -> int:
    return Gomoku(size=size).start().parse(text)


@given(SIZES, st.data())
def test_every_move_survives_the_way_to_text_and_back(size: int, data: st.DataObject) -> None:
    move = data.draw(st.integers(0, size * size + 1))
    text = move_text(size, move)
    assert re.fullmatch(r"[a-t][1-9][0-9]?|swap|two", text)
    for written in (text, text.upper(), f" {text} "):
        assert parse_move_text(size, written) == move


@given(SIZES)
def test_no_two_moves_share_a_name(size: int) -> None:
    assert len({move_text(size, move) for move in range(size * size + 2)}) == size * size + 2


@pytest.mark.parametrize(
    ("size", "text", "cell"),
    [(15, "a1", 0), (15, "o1", 14), (15, "a2", 15), (15, "h8", 112), (15, "o15", 224), (20, "t20", 399)],
)
def test_the_letter_is_the_column_and_the_number_the_row(size: int, text: str, cell: int) -> None:
    assert parse_move_text(size, text) == cell
    assert move_text(size, cell) == text


@pytest.mark.parametrize("text", ["", "p1", "a0", "a16", "8h", "h", "8", "aa1", "a01", "a-1", "a²", "swap2"])
def test_what_is_no_move_is_refused_with_the_range_of_cells(text: str) -> None:
    with pytest.raises(ValueError, match="is not a cell of 15×15 Gomoku; cells run from a1 to o15"):
        parse_move_text(15, text)


@pytest.mark.parametrize("move", [-1, 27, 1000])
def test_a_number_that_is_no_move_has_no_name(move: int) -> None:
    with pytest.raises(ValueError, match=f"{move} is not a cell of 5×5 Gomoku; cells run from 0 to 24"):
        move_text(5, move)
