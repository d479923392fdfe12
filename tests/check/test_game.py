"""check_game finds each kind of problem, and nothing in correct games."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

import tesuji
from examples.connect_four import ConnectFour
from examples.tic_tac_toe import TicTacToe
from tesuji.any_game import CHANCE, Game
from tesuji.check import check_game


class Heap:
    """Take one or two stones; the player who takes the last one wins. Has all optional methods."""

    def __init__(self, stones: int = 7, player: int = 0) -> None:
        self.stones, self.player = stones, player

    def moves(self) -> Any:
        return [take for take in (1, 2) if take <= self.stones]

    def play(self, move: int) -> Any:
        return type(self)(self.stones - move, 1 - self.player)

    def scores(self) -> Any:
        return None if self.stones else (float(self.player == 1), float(self.player == 0))

    def key(self) -> Any:
        return self.stones, self.player

    def text(self, move: int) -> str:
        return "ab"[move - 1]

    def parse(self, text: str) -> int:
        if text not in ("a", "b"):
            raise ValueError(f"a or b, not {text!r}")
        return "ab".index(text) + 1

    def determinize(self, player: int, rng: random.Random) -> Any:
        return type(self)(self.stones, self.player)

    def features(self, player: int) -> Any:
        return {"stones": self.stones, "mine": player == self.player}

    def planes(self) -> Any:
        return [[[float(self.stones)] * 3], [[float(self.player)] * 3]]

    def __str__(self) -> str:
        return "o" * self.stones


class Dice(Heap):
    """The same heap, where nature takes every third time."""

    def __init__(self, stones: int = 9, turn: int = 0) -> None:
        super().__init__(stones, CHANCE if turn == 2 else turn)
        self.turn = turn

    def play(self, move: int) -> Any:
        return type(self)(self.stones - move, (self.turn + 1) % 3)

    def scores(self) -> Any:
        return None if self.stones else (0.5, 0.5)

    def chances(self) -> Any:
        return [(move, 1 / len(self.moves())) for move in self.moves()]

    def determinize(self, player: int, rng: random.Random) -> Any:
        return type(self)(self.stones, self.turn)


class Cells:
    """Colour four cells in turn: a position that several orders of moves reach."""

    def __init__(self, history: tuple[int, ...] = ()) -> None:
        self.history, self.player = history, len(history) % 2

    def moves(self) -> list[int]:
        return [cell for cell in range(4) if cell not in self.history]

    def play(self, move: int) -> Any:
        return type(self)((*self.history, move))

    def scores(self) -> Any:
        return None if len(self.history) < 4 else (0.5, 0.5)

    def key(self) -> Any:
        return frozenset(self.history[::2]), frozenset(self.history[1::2])

    def __str__(self) -> str:
        marks = {cell: "XO"[ply % 2] for ply, cell in enumerate(self.history)}
        return "".join(marks.get(cell, ".") for cell in range(4))


class Rules:
    """A game made of a state class."""

    def __init__(self, state: type, players: int = 2) -> None:
        self.state, self.players = state, players

    def start(self) -> Any:
        return self.state()


@pytest.mark.parametrize("state", [Heap, Dice, Cells])
def test_games_with_every_optional_part_have_no_problems(state: type) -> None:
    assert check_game(Rules(state)) == []


@pytest.mark.parametrize("game", [TicTacToe(), ConnectFour(), "tictactoe", "connect_four"])
def test_the_examples_have_no_problems(game: str | Game) -> None:
    assert check_game(game) == []


class PlayerOutOfRange(Heap):
    def __init__(self, stones: int = 7, player: int = 0) -> None:
        super().__init__(stones, 2 if stones == 3 else player)


class OneScore(Heap):
    def scores(self) -> Any:
        return None if self.stones else 1


class ScoresByPlayer(Heap):
    def scores(self) -> Any:
        return None if self.stones else dict(enumerate(super().scores()))


class PlayReturnsNothing(Heap):
    def play(self, move: int) -> Any:
        super().play(move)


class NoMovesWhileGoingOn(Heap):
    def moves(self) -> Any:
        return [] if self.stones < 3 else super().moves()


class MovesAfterTheEnd(Heap):
    def moves(self) -> Any:
        return super().moves() or [1]


class MovesInAnotherOrder(Heap):
    asked = itertools.count()

    def moves(self) -> Any:
        return super().moves()[:: 1 if next(self.asked) % 2 else -1]


class MovesForEver(Heap):
    def moves(self) -> Any:
        return itertools.count()


class UnhashableMoves(Heap):
    def moves(self) -> Any:
        return [[move] for move in super().moves()]


class MoveListedTwice(Heap):
    def moves(self) -> Any:
        return [1, *super().moves()] if self.stones else []


class OneListForAll(Heap):
    shared: list[int] = []

    def moves(self) -> Any:
        self.shared[:] = super().moves()
        return self.shared


class PlayInPlace(Heap):
    def play(self, move: int) -> Any:
        self.stones -= move
        self.player = 1 - self.player
        return self


class PlayChangesItsState(Heap):
    def play(self, move: int) -> Any:
        after = super().play(move)
        self.stones -= 1
        return after


class PlayChangesAnEarlierSuccessor(Heap):
    latest: Any = None

    def play(self, move: int) -> Any:
        if self.latest and self.latest.stones == 2:
            self.latest.stones = 1
        self.latest = super().play(move)
        return self.latest


class ChangesLater(Heap):
    def __init__(self, stones: int = 7, player: int = 0, first: Any = None) -> None:
        super().__init__(stones, player)
        self.first = first or self

    def play(self, move: int) -> Any:
        if self.stones < 5:
            self.first.stones = 6
        return type(self)(self.stones - move, 1 - self.player, self.first)


class RandomPlay(Heap):
    def play(self, move: int) -> Any:
        return type(self)(random.randrange(self.stones), 1 - self.player)


class AskingChanges(Heap):
    def features(self, player: int) -> Any:
        self.stones = max(1, self.stones - 1)
        return super().features(player)


class ThreeScores(Heap):
    def scores(self) -> Any:
        return None if self.stones else (1.0, 0.0, 0.0)


class MinusOneScores(Heap):
    def scores(self) -> Any:
        return None if self.stones else (1.0, -1.0)


class NotANumberScores(Heap):
    def scores(self) -> Any:
        return None if self.stones else (float("nan"), 1.0)


class BothWin(Heap):
    def scores(self) -> Any:
        return None if self.stones else (1.0, 1.0)


class RandomStart(Heap):
    def __init__(self, stones: int | None = None, player: int = 0) -> None:
        super().__init__(random.randrange(5, 50) if stones is None else stones, player)


class UnhashableKey(Heap):
    def key(self) -> Any:
        return [self.stones, self.player]


class KeyWithoutPlayer(Heap):
    def key(self) -> Any:
        return self.stones


class KeyWithoutStones(Heap):
    def key(self) -> Any:
        return self.player, not self.stones


class KeyWithoutPoints(Heap):
    """The player who took more stones in the first two moves wins; the key does not include that."""

    def __init__(self, stones: int = 7, player: int = 0, taken: tuple[int, ...] = ()) -> None:
        super().__init__(stones, player)
        self.taken = taken

    determinize = property()  # hides nothing

    def play(self, move: int) -> Any:
        return type(self)(self.stones - move, 1 - self.player, (*self.taken, move)[:2])

    def scores(self) -> Any:
        if self.stones:
            return None
        first = self.taken[0] > self.taken[1]
        return float(first), float(not first)

    def __str__(self) -> str:
        return f"{self.stones} left, {self.taken} taken"


class KeyOfHistory(Cells):
    def key(self) -> Any:
        return self.history


class KeyOfHistoryWithEquality(KeyOfHistory):
    __str__ = object.__str__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cells) and Cells.key(self) == Cells.key(other)

    def __hash__(self) -> int:
        return 0


class OneTextForAll(Heap):
    def text(self, move: int) -> str:
        return "a"


class TextOfTwoWords(Heap):
    def text(self, move: int) -> str:
        return f"take {move}"

    def parse(self, text: str) -> int:
        return int(text.removeprefix("take "))


class ParseGivesAnotherMove(Heap):
    def parse(self, text: str) -> int:
        return 3 - super().parse(text)


class ParseRaisesKeyError(Heap):
    def parse(self, text: str) -> int:
        return {"a": 1, "b": 2}[text]


class NoChances(Dice):
    @property
    def chances(self) -> Any:
        raise AttributeError


class ChancesForOtherMoves(Dice):
    def chances(self) -> Any:
        return [(1, 0.5), (3, 0.5)]


class NegativeChances(Dice):
    def chances(self) -> Any:
        return [(move, 1.5 - move) for move in self.moves()]


class ChancesAddUpToHalf(Dice):
    def chances(self) -> Any:
        return [(move, 0.5 / len(self.moves())) for move in self.moves()]


class DeterminizeChangesThePlayer(Heap):
    def determinize(self, player: int, rng: random.Random) -> Any:
        return type(self)(self.stones, 1 - self.player)


class DeterminizeChangesTheMoves(Heap):
    def determinize(self, player: int, rng: random.Random) -> Any:
        return type(self)(1, self.player)


class DeterminizeEndsTheGame(Heap):
    def determinize(self, player: int, rng: random.Random) -> Any:
        return type(self)(0, self.player)


class DeterminizeFromGlobalChance(Heap):
    def determinize(self, player: int, rng: random.Random) -> Any:
        return type(self)(random.randrange(2, 50), self.player)


class FeaturesCannotBeNamed(Heap):
    def features(self, player: int) -> Any:
        return [self.stones]


class FeaturesOfPlayersOnly(Dice):
    def features(self, player: int) -> Any:
        return {"mine": {0: 0.0, 1: 1.0}[self.player] == player}


class FeaturesComeAndGo(Heap):
    def features(self, player: int) -> Any:
        return {"stones": 1, "last": 1} if self.stones < 3 else {"stones": 1}


class InfiniteFeature(Heap):
    def features(self, player: int) -> Any:
        return {"stones": float("inf")}


class PlanesChangeShape(Heap):
    def planes(self) -> Any:
        return [[[0.0] * self.stones]]


class PlayRaises(Heap):
    def play(self, move: int) -> Any:
        if self.stones == 5:
            raise RuntimeError("five is\nunlucky")
        return super().play(move)


class NoEnd(Heap):
    def play(self, move: int) -> Any:
        return type(self)(self.stones, 1 - self.player)


class NoScores:
    player = 0

    def moves(self) -> list[int]:
        return [1]


@pytest.mark.parametrize(
    ("state", "start"),
    [
        (PlayerOutOfRange, "player must be from 0 to 1, or CHANCE: 2"),
        (NoMovesWhileGoingOn, "moves() must not be empty while scores() is None"),
        (MovesAfterTheEnd, "moves() must be empty when scores() is not None: [1]"),
        (MovesInAnotherOrder, "moves() must return the same moves in the same order"),
        (MovesForEver, "moves() must return a sequence: not a count"),
        (UnhashableMoves, "moves must be hashable: [1]"),
        (MoveListedTwice, "moves() must list each move once: 1"),
        (OneListForAll, "moves() must not change a list"),
        (PlayInPlace, "play() must return a new state"),
        (PlayChangesItsState, "play() must not change its state"),
        (PlayChangesAnEarlierSuccessor, "play() must not change earlier successors"),
        (ChangesLater, "a state must not change while its successors are played"),
        (RandomPlay, "play() must return the same position"),
        (AskingChanges, "a state must not change when its methods are called"),
        (OneScore, "scores() must return None or a sequence with one score per player: 1"),
        (ScoresByPlayer, "scores() must return None or a sequence with one score per player: {0: "),
        (PlayReturnsNothing, "play() must return a state: it returned None"),
        (ThreeScores, "scores() must have one score for each of the 2 players: (1.0, 0.0, 0.0)"),
        (MinusOneScores, "each score must be a number from 0 to 1: (1.0, -1.0)"),
        (NotANumberScores, "each score must be a number from 0 to 1: (nan, 1.0)"),
        (BothWin, "the scores of two players must add up to 1: (1.0, 1.0)"),
        (RandomStart, "start() must return the same position"),
        (KeyWithoutPoints, "positions with equal keys must continue equally: scores() is ("),
        (UnhashableKey, "key() must be hashable: [7, 0]"),
        (KeyWithoutPlayer, "positions with equal keys must have equal player"),
        (KeyWithoutStones, "positions with equal keys must have equal moves()"),
        (KeyOfHistory, "equal positions must have equal keys"),
        (KeyOfHistoryWithEquality, "equal positions must have equal keys"),
        (OneTextForAll, "text() must be different for different moves: 'a' stands for two"),
        (TextOfTwoWords, "text() must be one word without commas, as replay() reads it: 'take 1'"),
        (ParseGivesAnotherMove, "parse(text(move)) must return the move: 'a' gives 2, not 1"),
        (ParseRaisesKeyError, "parse() must raise ValueError for an invalid text: '?!' raised KeyError"),
        (NoChances, "a state needs chances() if player is CHANCE"),
        (ChancesForOtherMoves, "chances() must contain exactly the moves: [1, 3] for [1, 2]"),
        (NegativeChances, "probabilities must be above 0: {1: 0.5, 2: -0.5}"),
        (ChancesAddUpToHalf, "probabilities must add up to 1"),
        (DeterminizeChangesThePlayer, "determinize() must keep the player to move: 1, not 0"),
        (DeterminizeChangesTheMoves, "determinize() must keep the legal moves of its player"),
        (DeterminizeEndsTheGame, "determinize() must not end the game"),
        (DeterminizeFromGlobalChance, "determinize() must use only its rng"),
        (FeaturesCannotBeNamed, "features() must map names to numbers: [7]"),
        (
            FeaturesComeAndGo,
            "features() must have the same names in every state: ['last']",
        ),
        (FeaturesOfPlayersOnly, "features() raised KeyError: -1"),
        (InfiniteFeature, "features must be finite numbers: stones is inf"),
        (PlanesChangeShape, "planes() must always have the same shape"),
        (PlayRaises, "play() raised RuntimeError: five is unlucky"),
        (NoEnd, "a game must end: not over after 100 plies"),
        (NoScores, "scores() raised AttributeError: 'NoScores' object has no attribute 'scores'"),
    ],
)
def test_each_kind_of_problem_is_reported(state: type, start: str) -> None:
    problems = check_game(Rules(state), max_plies=100)
    assert any(problem.startswith(start) for problem in problems), problems
    assert all(len(problem.splitlines()) == 1 for problem in problems)


def test_objectives_are_tried_before_a_chance_move_and_hooks_of_moves_are_not() -> None:
    asked: dict[str, set[int]] = {"objective": set(), "ordering": set()}

    def measure(state: Any, player: int) -> float:
        asked["objective"].add(state.player)
        assert player in (0, 1)
        return {0: 0.0, 1: 1.0}[state.player]

    def ordering(state: Any, player: int, moves: Any) -> Any:
        asked["ordering"].add(player)
        return moves

    class Known(Rules):
        knowledge = tesuji.Knowledge(
            objectives={"turn": tesuji.Objective(measure, weight=1)}, move_ordering=ordering
        )

    [problem] = check_game(Known(Dice))
    assert problem.startswith("objectives raised KeyError")
    assert asked == {"objective": {0, 1, CHANCE}, "ordering": {0, 1}}


def test_a_move_outside_the_move_space_is_reported() -> None:
    class Spaced(Rules):
        move_space = (1,)

    [problem] = check_game(Spaced(Heap))
    assert problem.startswith("move_space must contain every possible move: 2 is missing")


def test_more_than_two_players_may_not_all_score_nothing() -> None:
    class NobodyWins(Heap):
        def scores(self) -> Any:
            return None if self.stones else (0.0, 0.0, 0.0)

    assert "the scores must not all be 0" in check_game(Rules(NobodyWins, players=3))[0]


def test_a_report_names_the_ply_and_the_moves_and_comes_once() -> None:
    class LostAtTwo(Heap):
        def scores(self) -> Any:
            return (1.0, 1.0) if self.stones < 2 else None

        def moves(self) -> Any:
            return [2] if self.stones >= 2 else []

    [problem] = check_game(Rules(LostAtTwo))
    assert problem == "the scores of two players must add up to 1: (1.0, 1.0) (at ply 3, after b b b)"


def test_a_long_report_is_cut() -> None:
    class Endless(Heap):
        def play(self, move: int) -> Any:
            return type(self)(self.stones + move, 1 - self.player)

    [problem] = check_game(Rules(Endless), games=1, max_plies=300)
    assert "at ply 300, after … " in problem
    assert len(problem) < 300


def test_the_same_seed_gives_the_same_report() -> None:
    reports = [check_game(Rules(KeyWithoutStones), seed=3) for _ in range(2)]
    assert reports[0] == reports[1]


def test_an_invalid_number_of_players_is_reported() -> None:
    [problem] = check_game(Rules(Heap, players=17))
    assert "not 17" in problem


class Heaps:
    """The game of heaps, which can begin from any of them."""

    def __init__(self, stones: int = 7, player: int = 0) -> None:
        self.stones, self.first = stones, player

    def start(self) -> Any:
        return Heap(self.stones, self.first)

    def set_up(self, diagram: str, player: int | None = None) -> Any:
        return type(self)(diagram.count("o"), player or 0)


class ForgetfulHeaps(Heaps):
    def set_up(self, diagram: str, player: int | None = None) -> Any:
        return type(self)(diagram.count("o"))


class StrictHeaps(Heaps):
    def set_up(self, diagram: str, player: int | None = None) -> Any:
        raise ValueError("heaps have numbers")


@pytest.mark.parametrize(
    ("game", "found"),
    [(Heaps, None), (ForgetfulHeaps, "must begin from"), (StrictHeaps, "heaps have numbers")],
)
def test_a_position_that_is_set_up_from_its_drawing_is_checked(game: type, found: str | None) -> None:
    problems = check_game(game())
    assert problems == [] if found is None else any(found in problem for problem in problems)
