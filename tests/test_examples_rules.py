"""The example games keep their rules; any game can be started, replayed and read by the same functions."""

import functools
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples.connect_four import ConnectFour
from examples.tic_tac_toe import TicTacToe, TicTacToeState
from tesuji.adapter import full_game, full_state
from tesuji.any_game import State, game, parse_move, replay
from tesuji.registry import spec_of

EXAMPLES = {"tictactoe": "tic_tac_toe", "connect_four": "connect_four"}  # and their names in OpenSpiel


def positions_by_ply(state: Any, plies: int) -> list[int]:
    level = {state.key(): state}
    counts = [1]
    for _ in range(plies):
        successors = [position.play(move) for position in level.values() for move in position.moves()]
        level = {successor.key(): successor for successor in successors}
        counts.append(len(level))
    return counts


def test_tic_tac_toe_has_5478_positions() -> None:
    assert sum(positions_by_ply(game("tictactoe").start(), 9)) == 5478


def test_tic_tac_toe_has_as_many_games_with_each_end_as_are_known() -> None:
    @functools.cache
    def endings(key: int) -> Counter[tuple[float, float]]:
        state = TicTacToeState(key >> 9, key & 511, key.bit_count() % 2)
        scores = state.scores()
        if scores is not None:
            return Counter([scores])
        return sum((endings(state.play(move).key()) for move in state.moves()), Counter())

    assert endings(0) == {(1.0, 0.0): 131_184, (0.0, 1.0): 77_904, (0.5, 0.5): 46_080}


def test_connect_four_has_as_many_positions_after_each_ply_as_are_known() -> None:
    # https://oeis.org/A212693
    assert positions_by_ply(game("connect_four").start(), 6) == [1, 7, 49, 238, 1120, 4263, 16422]


@pytest.mark.parametrize("name", EXAMPLES)
@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_the_rules_agree_with_open_spiel_on_any_sequence_of_moves(name: str, data: st.DataObject) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game(EXAMPLES[name]).new_initial_state()
    ours: Any = game(name).start()
    while ours.scores() is None:
        assert not theirs.is_terminal()
        assert (ours.player, list(ours.moves())) == (theirs.current_player(), theirs.legal_actions())
        move = data.draw(st.sampled_from(ours.moves()))
        ours = ours.play(move)
        theirs.apply_action(move)
    assert theirs.is_terminal()
    assert ours.moves() == ()
    assert list(ours.scores()) == [(1 + result) / 2 for result in theirs.returns()]


@pytest.mark.parametrize(
    ("name", "moves", "scores"),
    [
        ("tictactoe", "a1 b1 a2 b2 a3", (1.0, 0.0)),
        ("tictactoe", "a1 b1 a2 b2 c3 b3", (0.0, 1.0)),
        ("tictactoe", "a1 b2 c3 a2 c2 c1 a3 b3 b1", (0.5, 0.5)),
        ("connect_four", "a b a b a b a", (1.0, 0.0)),
        ("connect_four", "g a b a c a g a", (0.0, 1.0)),
        ("connect_four", "a b b c c d c d d g d", (1.0, 0.0)),
        ("connect_four", "a a a a a a b b b", None),
    ],
)
def test_known_games_end_as_they_should(name: str, moves: str, scores: tuple[float, float] | None) -> None:
    assert replay(name, moves).scores() == scores


def test_a_line_does_not_wrap_around_the_top_of_a_column() -> None:
    # three stones at the top of column a and one at the bottom of b, with one empty bit between them
    assert replay("connect_four", "b a c a c a a d a d a").scores() is None


def test_positions_are_drawn() -> None:
    assert str(replay("tictactoe", "b2 a1")) == "  a b c\n1 O . .\n2 . X .\n3 . . ."
    assert str(replay("connect_four", "d d e")).splitlines()[-3:] == [
        ". . . O . . .",
        ". . . X X . .",
        "a b c d e f g",
    ]


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_illegal_move_is_refused(name: str) -> None:
    state = game(name).start()
    for move in (-1, 9, "a"):
        with pytest.raises(ValueError, match="is not legal here"):
            state.play(move)


def test_examples_have_specs() -> None:
    assert spec_of(TicTacToe()) == "tictactoe"
    assert isinstance(game("connect_four").own, ConnectFour)


def test_a_game_can_be_replayed_from_text_or_from_moves() -> None:
    by_text, by_moves = (replay("tictactoe", moves) for moves in ("a1, b2 c3", [0, 4, 8]))
    assert str(by_text) == str(by_moves)
    assert str(replay(TicTacToe(), "")) == str(game("tictactoe").start())


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("a1 z9", "move 2: a move is a column a-c and a row 1-3, such as b2, not 'z9'; legal: "),
        ("a1 b2 a1", "move 3: 'a1' is not legal; legal: b1, c1, a2, c2, a3, b3, c3"),
        ([0, 77], "move 2: 77 is not legal; legal: b1, c1, a2, b2, c2, a3, b3, c3"),
        ("a1 b1 a2 b2 a3 c3", "move 6: 'c3' is not legal; the game is over"),
    ],
)
def test_a_wrong_move_in_a_replay_is_named_with_its_number(moves: str | list[int], message: str) -> None:
    with pytest.raises(ValueError) as error:
        replay("tictactoe", moves)
    assert str(error.value).startswith(message)


class Deal:
    """A game for three whose first position depends on a seed, and whose moves have no text of their own."""

    players = 3

    def __init__(self, cards: int = 20, player: int = 0) -> None:
        self.cards, self.player = cards, player

    def start(self, seed: int = 0) -> "Deal":
        return Deal(seed + 20)

    def moves(self) -> list[tuple[str, int]]:
        return [("take", number) for number in range(self.cards)]

    def play(self, move: tuple[str, int]) -> "Deal":
        return Deal(self.cards - move[1] - 1, (self.player + 1) % 3)

    def scores(self) -> list[float] | None:
        return None if self.cards else [1.0, 0.0, 0.0]


def test_the_seed_reaches_only_games_that_deal() -> None:
    dealt: Any = full_game(Deal()).start(seed=7)
    assert dealt.cards == 27
    assert game("tictactoe").start(seed=7).scores() is None
    assert (full_game(Deal()).players, game("tictactoe").players) == (3, 2)


def test_moves_without_a_text_of_their_own_are_written_and_read_by_their_str() -> None:
    state: State = Deal()
    assert full_state(state).text(("take", 3)) == "('take', 3)"
    assert parse_move(full_state(state), "('take', 3)") == ("take", 3)
    with pytest.raises(ValueError, match=r"'take' is not legal; legal: \('take', 0\), .*, … \(20 moves\)"):
        parse_move(full_state(state), "take")
