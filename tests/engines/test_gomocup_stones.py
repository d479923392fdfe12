"""Stones sent by a Gomocup manager: owners, order and invalid positions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tesuji.engines.gomocup.protocol import BLACK, OPPONENT, OWN, WHITE, Point, Stones


def stones(size: int, *owners: int) -> Stones:
    """Stones in the top row, from the left."""
    made = Stones(size)
    for x, owner in enumerate(owners):
        made.put(Point(x, 0), owner)
    return made


@given(st.integers(min_value=5, max_value=20), st.data())
def test_cells_and_points_are_two_names_for_one_place(size: int, data: st.DataObject) -> None:
    cell = data.draw(st.integers(min_value=0, max_value=size**2 - 1))
    made = Stones(size)
    assert made.cell(made.point(cell)) == cell
    assert made.point(0) == Point(0, size - 1)


def test_colours_follow_from_the_number_of_stones() -> None:
    assert stones(5).colour == BLACK
    assert stones(5, OPPONENT).colour == WHITE
    assert stones(5, OWN, OPPONENT).colour == BLACK
    assert stones(5, OPPONENT, OWN, OPPONENT).colour == WHITE


def test_stones_are_sent_in_game_order() -> None:
    assert stones(5).sequence() == []
    assert stones(5, OWN, OPPONENT).sequence() == [20, 21]
    assert stones(5, OPPONENT, OWN).sequence() == [21, 20]
    assert stones(5, OPPONENT, OPPONENT, OWN).sequence() == [20, 22, 21]


@pytest.mark.parametrize("owners", [(OWN,), (OPPONENT, OPPONENT), (OWN, OWN, OPPONENT)])
def test_impossible_stone_counts_have_cells_but_no_sequence(owners: tuple[int, ...]) -> None:
    made = stones(5, *owners)
    assert made.sequence() is None
    ours = 1 + made.colour
    assert list(made.cells()[20 : 20 + len(owners)]) == [ours if own == OWN else 3 - ours for own in owners]


def test_stones_are_placed_and_removed() -> None:
    made = stones(5, OWN, OPPONENT, OWN)
    made.take(Point(1, 0))
    assert len(made) == 2
    made.put(Point(1, 0), OWN)
    with pytest.raises(ValueError, match="1,0 is taken"):
        made.put(Point(1, 0), OPPONENT)
    with pytest.raises(ValueError, match="there is no stone on 4,4"):
        made.take(Point(4, 4))


@pytest.mark.parametrize(
    ("point", "owner", "says"),
    [
        (Point(5, 0), OWN, "5,0 is not on the board; x and y go from 0 to 4"),
        (Point(0, 99), OWN, "0,99 is not on the board"),
        (Point(0, 0), 3, "0,0,3: blocked"),
        (Point(0, 0), 0, "0,0,0: unknown owner 0; expected x,y,1"),
        (Point(0, 0), 4, "0,0,4: "),
    ],
)
def test_invalid_stones_are_refused(point: Point, owner: int, says: str) -> None:
    made = Stones(5)
    with pytest.raises(ValueError) as caught:
        made.put(point, owner)
    assert says in str(caught.value)
    assert len(made) == 0
