"""check_game finds boards that cannot be drawn and moves that cannot be clicked."""

from __future__ import annotations

import random
from typing import Any

import pytest

import tests.web.described_games
from examples import breakthrough, reversi, yavalath
from tesuji.board import Board, Piece, squares
from tesuji.check import check_game


class Row:
    """Take the cells of a row in turn."""

    def __init__(self, taken: tuple[int, ...] = ()) -> None:
        self.taken, self.player = taken, len(taken) % 2

    def moves(self) -> list[int]:
        return [cell for cell in range(3) if cell not in self.taken]

    def play(self, move: int) -> Any:
        return type(self)((*self.taken, move))

    def scores(self) -> tuple[float, float] | None:
        return (0.5, 0.5) if len(self.taken) == 3 else None

    def board(self) -> Any:
        return Board(squares(3, 1), {"abc"[cell] + "1": Piece() for cell in self.taken})

    def clicks(self, move: int) -> Any:
        return "abc"[move] + "1"


def problems(state: Any) -> list[str]:
    class Game:
        def start(self) -> Any:
            return state()

    return check_game(Game(), games=2)


def test_a_board_that_can_be_clicked_has_no_problems() -> None:
    assert problems(Row) == []


class Raising(Row):
    def board(self) -> Any:
        raise KeyError("a9")


class Invalid(Row):
    def board(self) -> Any:
        return Board(squares(3, 1), {"d1": Piece()})


class NoBoard(Row):
    def board(self) -> Any:
        return "a1 b1 c1"


class OneColour(Row):
    def board(self) -> Any:
        return Board(squares(3, 1), players=("red",))


class NotPlain(Row):
    def board(self) -> Any:
        text: Any = {1, 2}
        return Board(squares(3, 1), {"a1": Piece(text=text)})


class OutsideTheBoard(Row):
    def clicks(self, move: int) -> Any:
        return "abcdef"[move + 1] + "1"


class NotNames(Row):
    def clicks(self, move: int) -> Any:
        return [[move]]


class Ambiguous(Row):
    def clicks(self, move: int) -> Any:
        return ("a1",)


class Beginning(Row):
    def clicks(self, move: int) -> Any:
        return [("a1",), ("a1", "b1"), ("c1",)][move]


class RaisingClicks(Row):
    def clicks(self, move: int) -> Any:
        raise ZeroDivisionError("clicks")


class NothingToClickOn(Row):
    board = "..."  # type: ignore[assignment]


class Hidden(Row):
    def determinize(self, player: int, rng: random.Random) -> Any:
        return type(self)(self.taken)


@pytest.mark.parametrize(
    ("state", "rule"),
    [
        (Raising, "board() raised KeyError"),
        (Invalid, "board() raised ValueError"),
        (NoBoard, "board() must return a tesuji.board.Board"),
        (OneColour, "board() must give each player a colour"),
        (NotPlain, "board() must consist of texts and numbers"),
        (OutsideTheBoard, "clicks() must name cells or pieces in hand"),
        (NotNames, "clicks() must name cells or pieces in hand"),
        (Ambiguous, "clicks() must be different for different moves"),
        (Beginning, "the clicks of a move must not be the beginning of another's"),
        (RaisingClicks, "clicks() raised ZeroDivisionError"),
        (NothingToClickOn, "clicks() needs a board() to click on"),
        (Hidden, "board() must take the viewer if cards are hidden"),
    ],
)
def test_each_kind_of_problem_is_reported(state: type, rule: str) -> None:
    found = problems(state)
    assert any(problem.startswith(rule) for problem in found), found


@pytest.mark.parametrize("game", [reversi.Reversi(size=6), breakthrough.Breakthrough(), yavalath.Yavalath()])
def test_the_examples_have_no_problems(game: Any) -> None:
    assert check_game(game, games=3) == []


def test_hands_and_hidden_cards_have_no_problems() -> None:
    games = tests.web.described_games
    assert check_game(games.Drops(), games=3) == []
    assert check_game(games.Duel(), games=10) == []
