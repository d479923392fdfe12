"""Renju's forbidden moves, written out: a star is forbidden to Black, a plus looks like it but is allowed.

Every picture is judged by the definitions too, so that no picture can be wrong.
"""

from __future__ import annotations

import pytest

from tests.games.gomoku_boards import Picture, bytes_of, picture
from tests.games.slow_gomoku import BLACK, WHITE, stones_of, why_forbidden
from tesuji import _core

DOUBLE_THREES = {
    "two threes": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . X X * . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "two threes with gaps": """
        . . . . . . . . .
        . . . . . . . X .
        . . . . . . . . .
        . . . . . X . . .
        . X . X * . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "one of them is blocked": """
        . . . . . . . . .
        . . . . O . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . X X + . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "one of them has five cells of room": """
        . . . . . . . . .
        . . . . X . . . .
        . . . . . . . . .
        . . . . X . . . .
        O . X X + . O . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "one of them lies at the edge": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . X . . . . . .
        . X . . . . . . .
        + . X X . . . . .""",
    "a stone behind makes the four too long at one end": """
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . X . . . .
        . . . . . . X . . . .
        . . . . . . . . . . .
        . X . . X X + . O . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .""",
    "a third three leaves two": """
        . . . . . . . . .
        . . . . O . . . .
        . . . . X . . . .
        . . . . X X . . .
        . . X X * . . . .
        . . . X . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "the extension makes two fours": """
        . . . . . . . . .
        . X X . + . . . .
        . . . X . . . . .
        . . X X . . . . .
        . . . . . . . . .
        . . . X . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "the extension makes an overline": """
        . . . . . . . X .
        . . . . X . X . .
        . . . . X X . . .
        . . . . . X . . .
        . . . X + . . . .
        . . X X . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "the extension makes two threes": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . X . . .
        . . . X X . . . .
        . . . . + . . . .
        . . . X . X . . .
        . . X . . . . . .
        . . . . . . . . .""",
    "the extension seems to make two threes, but one of them cannot be extended": """
        . . . X . . . . .
        . . . . X . . . .
        . . . . . . . . .
        . . . . . X X . .
        . . . . . * . . .
        . . . . X X . . .
        . . X . X . . . .
        . . . . . . X . .
        . . . . . . . . .""",
    "the extension makes a five of another row": """
        . . . . . . . . .
        . . . . . . X . .
        . . . X . . . . .
        . . . . + X . . .
        . . . X . X . . .
        . . . . . X . . .
        . . . . . X . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "four and three": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        O X X X + . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "four, three and three": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . X . .
        . . . . X X . . .
        O X X X * . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
}

DOUBLE_FOURS = {
    "two fours": """
        . . . . . . . . .
        . . . . O . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . . . X . . . .
        O X X X * . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "on one line, one stone apart": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . X . X * X . X .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "on one line, in pairs": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        X X . X * . X X .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "on one line, with threes outside": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        X X X . * . X X X
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "a straight four is one four": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . X X X + . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "one of them would become an overline": """
        . . . . . . . . .
        . . . . . . O . .
        . . . . . . X . .
        . . . . . . X . .
        . . . . . . X . .
        O X X X . X + O .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "one of them has no room": """
        . . . . . . . . .
        . . . . O . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . . . X . . . .
        O X X X + O . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
}

OVERLINES = {
    "six": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . X X X * X X . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "nine, along a diagonal": """
        . . . . . . . . X
        . . . . . . . X .
        . . . . . . X . .
        . . . . . X . . .
        . . . . * . . . .
        . . . X . . . . .
        . . X . . . . . .
        . X . . . . . . .
        X . . . . . . . .""",
}

FIVES = {
    "five and overline": """
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . . . X . . . .
        . X X X + X X . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "five and two fours": """
        . . . . . . . . .
        . . . . . . . X .
        . . . . X . X . .
        . . . . X X . . .
        X X X X + . . . .
        . . . . X . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "five and two threes": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . X . .
        . . . . X X . . .
        X X X X + . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
}

REASONS = {"double three": DOUBLE_THREES, "double four": DOUBLE_FOURS, "overline": OVERLINES, "five": FIVES}
CASES = [
    pytest.param(reason, picture(text), id=f"{reason}: {name}")
    for reason, pictures in REASONS.items()
    for name, text in pictures.items()
]


def turned(board: Picture, turns: int, mirror: bool) -> Picture:
    """The picture by quarter turns, and in a mirror."""
    last = board.size - 1

    def move(cell: tuple[int, int]) -> tuple[int, int]:
        row, column = cell
        if mirror:
            column = last - column
        for _ in range(turns):
            row, column = column, last - row
        return row, column

    def moved(cells: list[int]) -> list[int]:
        return [board.size * row + column for row, column in (move(divmod(c, board.size)) for c in cells)]

    stones = {move(cell): colour for cell, colour in stones_of(board.size, board.cells).items()}
    return Picture(board.size, bytes_of(board.size, stones), moved(board.stars), moved(board.pluses))


@pytest.mark.parametrize(("reason", "board"), CASES)
def test_pictured_cells_are_forbidden_or_allowed_under_every_symmetry(reason: str, board: Picture) -> None:
    for turns in range(4):
        for mirror in (False, True):
            size, cells, stars, pluses = turned(board, turns, mirror)
            stones = stones_of(size, cells)
            state = _core.GomokuState.set_up(size, "renju", cells, BLACK)
            for star in stars:
                assert why_forbidden(size, stones, divmod(star, size)) == reason
                assert star in state.forbidden_cells()
                assert star not in state.moves()
                with pytest.raises(ValueError):
                    state.play(star)
            for plus in pluses:
                assert why_forbidden(size, stones, divmod(plus, size)) is None
                assert plus not in state.forbidden_cells()
                assert state.play(plus).scores() == ((1.0, 0.0) if reason == "five" else None)


@pytest.mark.parametrize(("reason", "board"), CASES)
def test_only_black_in_renju_has_forbidden_moves(reason: str, board: Picture) -> None:
    swapped = board.cells.translate(bytes([0, 2, 1]) + bytes(253))
    white = _core.GomokuState.set_up(board.size, "renju", swapped, WHITE)
    for cell in board.stars + board.pluses:
        # An overline is a five to White.
        assert white.play(cell).scores() == ((0.0, 1.0) if reason in ("five", "overline") else None)
        for rule in ("freestyle", "standard"):
            assert cell in _core.GomokuState.set_up(board.size, rule, board.cells, BLACK).moves()


@pytest.mark.parametrize(("rule", "colour"), [("standard", BLACK), ("standard", WHITE), ("freestyle", WHITE)])
@pytest.mark.parametrize("text", OVERLINES.values(), ids=OVERLINES)
def test_an_overline_wins_only_by_the_free_rule(rule: str, colour: int, text: str) -> None:
    board = picture(text)
    cells = board.cells if colour == BLACK else board.cells.translate(bytes([0, 2, 1]) + bytes(253))
    scores = _core.GomokuState.set_up(board.size, rule, cells, colour).play(board.stars[0]).scores()
    assert scores == (None if rule == "standard" else (0.0, 1.0))


def test_black_without_a_legal_cell_has_a_draw() -> None:
    board = picture(
        """
        O O O O X X O
        O O O O X O O
        O X X O X X X
        X X X * X X O
        O X O O O O X
        O O X X X O O
        X X O X X X X"""
    )
    state = _core.GomokuState.set_up(7, "renju", board.cells, BLACK)
    assert state.forbidden_cells() == board.stars
    assert (state.moves(), state.scores()) == ([], (0.5, 0.5))
    assert _core.GomokuState.set_up(7, "renju", board.cells, WHITE).moves() == board.stars
