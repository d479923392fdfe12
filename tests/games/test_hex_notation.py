"""Names of Hex cells."""

import re
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tesuji._helpers.clipping import clip
from tesuji.games import coordinates

cell_text = partial(coordinates.cell_text, "Hex")
parse_cell = partial(coordinates.parse_cell, "Hex")

SIZES = st.integers(2, 19)


@given(SIZES, st.data())
def test_every_cell_round_trips_through_text(size: int, data: st.DataObject) -> None:
    cell = data.draw(st.integers(0, size * size - 1))
    text = cell_text(size, cell)
    assert re.fullmatch(r"[a-s][1-9][0-9]?", text)
    assert parse_cell(size, text) == parse_cell(size, text.upper()) == parse_cell(size, f" {text} ") == cell


@given(SIZES)
def test_no_two_cells_share_a_name(size: int) -> None:
    assert len({cell_text(size, cell) for cell in range(size * size)}) == size * size


@given(SIZES, st.text())
def test_any_text_is_a_cell_or_a_one_line_error(size: int, text: str) -> None:
    try:
        cell = parse_cell(size, text)
    except ValueError as error:
        assert f"{clip(text)} is not a cell of {size}×{size} Hex; cells run from a1 to " in str(error)
    else:
        assert cell_text(size, cell) == text.strip().lower()


@pytest.mark.parametrize(
    ("text", "cell"), [("a1", 0), ("b1", 1), ("k1", 10), ("a2", 11), ("f6", 60), ("a11", 110), ("k11", 120)]
)
def test_the_letter_is_the_column_and_the_number_the_row(text: str, cell: int) -> None:
    assert parse_cell(11, text) == cell
    assert cell_text(11, cell) == text


@pytest.mark.parametrize(
    "text", ["", "z9", "l1", "a0", "a12", "11a", "a", "1", "aa1", "a01", "a-1", "a²", "ä1"]
)
def test_text_that_is_not_a_cell_is_refused_with_the_range_of_cells(text: str) -> None:
    with pytest.raises(ValueError, match="is not a cell of 11×11 Hex; cells run from a1 to k11") as caught:
        parse_cell(11, text)
    assert str(caught.value).startswith(repr(text))


@pytest.mark.parametrize("cell", [-1, 9, 100])
def test_a_number_off_the_board_has_no_name(cell: int) -> None:
    with pytest.raises(ValueError, match=f"{cell} is not a cell of 3×3 Hex; cells run from 0 to 8"):
        cell_text(3, cell)
