"""Descriptions of boards: layouts, validation, plain data, and where moves are clicked."""

from __future__ import annotations

import json
from typing import Any

import pytest

import tesuji
from tesuji.adapter import full_state
from tesuji.board import Board, Cell, Hand, Label, Layout, Piece, hexagons, points, squares


def test_squares_are_named_from_the_bottom_left() -> None:
    layout = squares(3, 2, chequered=True)
    assert [cell.name for cell in layout.cells] == ["a1", "b1", "c1", "a2", "b2", "c2"]
    assert [(cell.x, cell.y, cell.shade) for cell in layout.cells][:4] == [
        (0, 1, 1),
        (1, 1, 0),
        (2, 1, 1),
        (0, 0, 0),
    ]
    assert sorted({label.text for label in layout.labels}) == ["1", "2", "a", "b", "c"]


def test_points_lie_on_lines() -> None:
    layout = points(3, 2)
    assert [list(line) for line in layout.lines] == [
        ["a1", "b1", "c1"],
        ["a2", "b2", "c2"],
        ["a1", "a2"],
        ["b1", "b2"],
        ["c1", "c2"],
    ]
    assert {cell.shape for cell in layout.cells} == {"point"}


@pytest.mark.parametrize("side", range(1, 8))
def test_neighbouring_hexagons_touch_and_none_overlap(side: int) -> None:
    cells = hexagons(side).cells
    assert len(cells) == 3 * side * (side - 1) + 1
    distances = [
        (one.x - other.x) ** 2 + (one.y - other.y) ** 2
        for index, one in enumerate(cells)
        for other in cells[:index]
    ]
    assert all(distance > 0.999 for distance in distances)
    touching = sum(distance < 1.001 for distance in distances)
    assert touching == 9 * side * side - 15 * side + 6  # edges of a hexagon of the triangular lattice


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Cell("", 0, 0), "''"),
        (lambda: Cell(3, 0, 0), "3"),  # type: ignore[arg-type]
        (lambda: Cell("a", float("nan"), 0), "nan"),
        (lambda: Cell("a", 0, 0, "oval"), "square, hexagon, circle, point, card, not 'oval'"),  # type: ignore[arg-type]
        (lambda: Cell("a", 0, 0, shade=3), "0, 1 or 2, not 3"),
        (lambda: Cell("a", 0, 0, colour="pink"), "'pink'"),  # type: ignore[arg-type]
        (lambda: Layout([]), "at least one cell"),
        (lambda: Layout([Cell("a", 0, 0), Cell("a", 1, 0)]), "two cells are called 'a'"),
        (lambda: Layout([Cell("a", 0, 0)], lines=[("a", "b")]), "'b', which is not a cell"),
        (lambda: Piece("pink"), "'pink'"),  # type: ignore[arg-type]
        (lambda: Piece(shape="horse"), "'horse'"),  # type: ignore[arg-type]
        (lambda: Piece(count=-1), "-1"),
        (lambda: Board(squares(2, 2), {"c1": Piece()}), "a piece is on 'c1'"),
        (lambda: Board(squares(2, 2), marks={"a1": "star"}), "'star'"),  # type: ignore[dict-item]
        (lambda: Board(squares(2, 2), hands=[Hand("hand", {"a1": Piece()})]), "'a1'"),
        (lambda: Board(squares(2, 2), players=["pink"]), "'pink'"),  # type: ignore[list-item]
        (lambda: Board(squares(2, 2), surface="lava"), "'lava'"),  # type: ignore[arg-type]
        (lambda: squares(27, 2), "27"),
        (lambda: points(0, 2), "0"),
        (lambda: hexagons(14), "14"),
    ],
)
def test_an_invalid_part_is_named(make: Any, message: str) -> None:
    with pytest.raises(ValueError) as error:
        make()
    assert message in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("piece", "words"),
    [
        (Piece(), "black"),
        (Piece("white", "king"), "white king"),
        (Piece("red", text="3"), "red 3"),
        (Piece("red", "card", text="7♥"), "7♥"),
        (Piece(shape="back"), "face-down card"),
        (Piece("grey", "text", text="x2"), "x2"),
        (Piece("white", "pawn", label="spy"), "spy"),
    ],
)
def test_a_piece_is_described_in_words(piece: Piece, words: str) -> None:
    assert piece.description == words


def test_a_board_becomes_plain_data_without_defaults() -> None:
    layout = Layout([Cell("x", 0, 1.5, "card", text="deck")], labels=[Label("a", 0, 0)])
    board = Board(layout, {"x": Piece("red", "card", "7♥")}, hands=[Hand("mine", {"h": Piece(count=2)}, 1)])
    assert json.loads(json.dumps(board.as_dict())) == {
        "cells": [{"name": "x", "x": 0, "y": 1.5, "shape": "card", "text": "deck"}],
        "labels": [{"text": "a", "x": 0, "y": 0}],
        "pieces": {"x": {"colour": "red", "shape": "card", "text": "7♥", "label": "7♥"}},
        "marks": {},
        "hands": [{"title": "mine", "player": 1, "pieces": {"h": {"count": 2, "label": "black"}}}],
        "seat_colours": ["black", "white"],
        "placing": None,
        "surface": "wood",
        "flips": False,
    }


class Clicked:
    """A state with a board; the tests change its methods."""

    player = 0

    def moves(self) -> list[str]:
        return ["a1", "pass"]

    def play(self, move: str) -> Clicked:
        return self

    def scores(self) -> None:
        return None

    def board(self) -> Any:
        return Board(squares(2, 2))


def test_a_move_named_like_a_cell_is_clicked_there() -> None:
    state = full_state(Clicked())
    board = state.board()
    assert board is not None
    assert state.clicks("a1", board.names) == ("a1",)
    assert state.clicks("pass", board.names) == ()


def test_clicks_may_be_a_name_or_several() -> None:
    class Moves(Clicked):
        def clicks(self, move: str) -> Any:
            return "b2" if move == "a1" else ["a1", "b1"]

    names = Board(squares(2, 2)).names
    assert full_state(Moves()).clicks("a1", names) == ("b2",)
    assert full_state(Moves()).clicks("pass", names) == ("a1", "b1")


def test_a_field_or_a_method_that_is_no_board_is_ignored() -> None:
    class Field(Clicked):
        board = "X.."  # type: ignore[assignment]

    class Other(Clicked):
        def board(self) -> Any:
            return [[0, 1], [1, 0]]

    assert full_state(Field()).board() is None and full_state(Other()).board() is None
    assert tesuji.game("hex").start().board() is None


def test_hidden_cards_need_a_board_that_knows_the_viewer() -> None:
    class Leaking(Clicked):
        def determinize(self, player: int, rng: Any) -> Leaking:
            return self

    class Seen(Leaking):
        def board(self, viewer: int | None = None) -> Any:
            return Board(squares(2, 2), {"a1": Piece(text=str(viewer))})

    assert full_state(Leaking()).board(0) is None
    board = full_state(Seen()).board(1)
    assert board is not None and board.pieces["a1"].text == "1"
