"""Inputs of networks: planes, symmetries, and games written in Python."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tesuji
from examples.pig import Pig
from examples.tic_tac_toe import TicTacToe, TicTacToeState
from tesuji import _core
from tesuji.games.gomoku.maps import get_pattern_features, pattern_map, proximity_map
from tesuji.games.onitama.cards import TABLE, Card
from tesuji.planes import NativePlanes, planes_of

ONITAMA = "onitama:cards=crab-tiger-monkey-crane-ox"  # Ox is no mirror of itself, the others are
DEALT = "onitama:set=all"
SPECS = (
    "gomoku:size=9",
    "gomoku:size=7,rule=renju",
    "gomoku:size=6,rule=standard,swap2=on",
    "hex:size=5,swap=on",
    "hex:size=4",
    ONITAMA,
    "tictactoe",
)


def positions(game: Any, seed: int) -> Iterator[Any]:
    """All positions of a random game in which somebody is to move."""
    rng, state = random.Random(seed), game.start()
    while state.scores() is None:
        yield state
        state = state.play(rng.choice(state.moves()))


@pytest.mark.parametrize("spec", SPECS)
def test_every_legal_move_has_a_place_of_its_own_in_the_policy(spec: str) -> None:
    game = tesuji.game(spec)
    planes = planes_of(game)
    assert (
        planes.policy_size == planes.native.policy_planes * np.prod(planes.shape[1:]) + planes.native.extras
    )
    for seed in range(5):
        for state in positions(game, seed):
            places = [planes.index(state, move) for move in state.moves()]
            assert len(set(places)) == len(places)
            assert all(0 <= place < planes.policy_size for place in places)


@pytest.mark.parametrize("spec", SPECS)
def test_planes_of_a_transformed_game_are_the_transformed_planes(spec: str) -> None:
    game = mirrored = tesuji.game(spec)
    if spec == ONITAMA:  # the image has the mirrored cards
        game = tesuji.game("onitama:cards=ox-goose-eel-viper-crab")
        mirrored = tesuji.game("onitama:cards=horse-rooster-cobra-seasnake-crab")
    planes = planes_of(game)
    for symmetry in range(planes.native.symmetries):
        rng, state = random.Random(symmetry), game.start()
        twin = (mirrored if symmetry else game).start()
        while state.scores() is None:
            expected: Any = planes.native.transform_planes(symmetry, planes(state))
            assert np.array_equal(planes(twin), expected), (symmetry, str(state))
            move = rng.choice(state.moves())
            place = planes.native.transform_index(symmetry, planes.index(state, move))
            (other,) = [each for each in twin.moves() if planes.index(twin, each) == place]
            state, twin = state.play(move), twin.play(other)
        assert state.scores() == twin.scores()


@pytest.mark.parametrize(("spec", "count"), list(zip(SPECS, (8, 8, 8, 2, 2, 2, 8), strict=True)))
def test_every_symmetry_can_be_undone(spec: str, count: int) -> None:
    planes = planes_of(tesuji.game(spec))
    native: Any = planes.native
    assert native.symmetries == count
    image = np.random.default_rng(1).random(planes.shape, dtype=np.float32)
    policy = range(native.policy_size)
    images = [native.transform_planes(symmetry, image) for symmetry in range(count)]
    assert np.array_equal(images[0], image)
    for a in range(count):
        assert not any(np.array_equal(images[a], images[b]) for b in range(a))
        back = [
            b
            for b in range(count)
            if np.array_equal(native.transform_planes(b, images[a]), image)
            and all(native.transform_index(b, native.transform_index(a, i)) == i for i in policy)
        ]
        assert len(back) == 1


def test_the_planes_of_gomoku_agree_with_their_names() -> None:
    game = tesuji.game("gomoku:size=8,rule=renju,swap2=on")
    planes = planes_of(game)
    for seed in range(20):
        for state in positions(game, seed):
            named = dict(zip(planes.names, planes(state), strict=True))
            cells = np.frombuffer(state.cells(), dtype=np.uint8).reshape(8, 8)
            assert np.array_equal(named["own"], cells == state.colour + 1)
            assert np.array_equal(named["other"], cells == 2 - state.colour)
            assert (named["board"] == 1).all() and (named["black"] == (state.colour == 0)).all()
            last = (
                np.zeros(64)
                if state.last_move is None or state.last_move >= 64
                else np.eye(64)[state.last_move]
            )
            assert np.array_equal(named["last_move"].ravel(), last)
            assert np.flatnonzero(named["black_forbidden"]).tolist() == state.forbidden()
            assert (named["renju"] == 1).all() and not named["standard"].any()
            for stage in ("three_stones", "second_chooses", "two_stones", "first_chooses"):
                assert (named[stage] == (state.core.stage == stage)).all()
            own = 0 if state.core.colour_of(0) == state.colour else 1
            assert np.array_equal(named["own_patterns"], pattern_map(state, own))
            assert np.array_equal(named["other_patterns"], pattern_map(state, 1 - own))
            assert np.array_equal(named["proximity"], proximity_map(state))


def test_maps_can_be_left_out_of_gomoku() -> None:
    game = tesuji.game("gomoku:size=7")
    state = tesuji.replay(game, "d4 e4 d5")
    full = dict(zip(planes_of(game).names, planes_of(game)(state), strict=True))
    for left_out in ({"own_patterns", "other_patterns"}, {"proximity"}):
        options = {"patterns": "own_patterns" not in left_out, "proximity": "proximity" not in left_out}
        planes = planes_of(game, **options)
        assert set(full) - set(planes.names) == left_out
        assert all(
            np.array_equal(plane, full[name]) for name, plane in zip(planes.names, planes(state), strict=True)
        )


def test_planes_of_hex_show_the_side_to_move_joining_top_and_bottom() -> None:
    game = tesuji.game("hex:size=5,swap=on")
    planes = planes_of(game)
    start = planes(game.start())
    assert np.flatnonzero(start[planes.names.index("own_sides")].any(axis=1)).tolist() == [0, 4]
    for seed in range(20):
        for state in positions(game, seed):
            named = dict(zip(planes.names, planes(state), strict=True))
            cells = np.frombuffer(state.core.cells(), dtype=np.uint8).reshape(5, 5)
            seen = cells if state.player == 0 else cells.T
            assert np.array_equal(named["own"], seen == state.player + 1)
            assert np.array_equal(named["other"], seen == 2 - state.player)
            assert (named["swap"] == state.core.may_swap).all()
            for move in state.moves():
                row, column = divmod(move, 5)
                place = move if state.player == 0 or move == 25 else column * 5 + row
                assert planes.index(state, move) == place
                # The opponent sees the same cell elsewhere.
                assert planes.native.reply_index(place) == (
                    move if state.player == 1 or move == 25 else column * 5 + row
                )


STEPS = sorted({step[::-1] for card in TABLE for step in card.steps})
"""All steps as (forward, right), in the order of the planes."""


def pair_of(card: Card) -> tuple[int, int]:
    """Where a card stands in a hand: by its pair of mirror images, then by its number in the table."""
    mirrored = {(-right, forward) for right, forward in card.steps}
    number, other = TABLE.index(card), next(i for i, each in enumerate(TABLE) if set(each.steps) == mirrored)
    return min(number, other), number


def turned(player: int, square: int) -> int:
    """A square from a player's point of view, moving up."""
    return 24 - square if player else square


def reached(state: Any, viewer: int, player: int, card: Card, pieces: str) -> NDArray[np.float32]:
    """How many of a player's masters or students reach each square by a card, as `viewer` sees the board."""
    found = np.zeros((5, 5), np.float32)
    for square, piece in enumerate(state.cells()):
        if piece != 1 + 2 * player + (pieces == "master"):
            continue
        row, column = divmod(turned(player, square), 5)
        for right, forward in card.steps:
            to = row + forward, column + right
            if 0 <= to[0] < 5 and 0 <= to[1] < 5:
                found[divmod(turned(viewer, turned(player, to[0] * 5 + to[1])), 5)] += 1
    return found


@pytest.mark.parametrize("seed", range(12))
def test_planes_of_onitama_show_pieces_cards_and_what_they_reach(seed: int) -> None:
    game: Any = tesuji.game(DEALT)
    planes = planes_of(game)
    assert len(STEPS) == 16
    for state in positions(game, seed):
        named = dict(zip(planes.names, planes(state), strict=True))
        player = state.player
        hands = {"own": state.hand(player), "other": state.hand(1 - player)}
        expected = {"board": np.ones((5, 5)), "plies_left": np.full((5, 5), (300 - state.ply) / 300)}
        cells = np.frombuffer(state.cells(), np.uint8)
        cells = (cells[::-1] if player else cells).reshape(5, 5)
        held = {"side_card": state.side}
        for side, owner in (("own", player), ("other", 1 - player)):
            expected[f"{side}_students"] = cells == 1 + 2 * owner
            expected[f"{side}_master"] = cells == 2 + 2 * owner
            one, two = sorted(hands[side], key=pair_of)
            held |= {f"{side}_card_1": one, f"{side}_card_2": two}
            for name, card in (("card_1", one), ("card_2", two), ("side_card", state.side)):
                for pieces in ("master", "students"):
                    seen = reached(state, player, owner, card, pieces)
                    expected[f"{side}_{pieces}_reach_by_{name}"] = seen
        for name, card in held.items():
            for forward, right in STEPS:
                expected[f"{name}_{right}_{forward}"] = np.full((5, 5), (right, forward) in card.steps)
        assert set(expected) == set(named)
        for name, plane in expected.items():
            assert np.array_equal(named[name], plane.astype(np.float32)), (name, str(state))


def test_a_move_of_onitama_is_numbered_by_card_step_and_square() -> None:
    game: Any = tesuji.game(DEALT)
    planes = planes_of(game)
    for seed in range(10):
        for state in positions(game, seed):
            hand = sorted(state.hand(state.player), key=pair_of)
            for move in state.moves():
                index, (name, squares) = planes.index(state, move), state.text(move).split(":")
                slot = [card.word for card in hand].index(name)
                if squares == "pass":
                    assert index == 800 + slot == planes.native.reply_index(index)
                    continue
                start, end = divmod(move % 625, 25)
                seen = turned(state.player, start)
                (row, column), (to_row, to_column) = divmod(seen, 5), divmod(turned(state.player, end), 5)
                step = STEPS.index((to_row - row, to_column - column))
                assert index == (slot * 16 + step) * 25 + seen
                assert planes.native.reply_index(index) == (slot * 16 + step) * 25 + 24 - seen


def test_equal_positions_of_different_deals_of_onitama_have_equal_planes() -> None:
    planes = planes_of(tesuji.game(DEALT))
    one = tesuji.replay("onitama:cards=ox-boar-horse-elephant-crab", "boar:c1c2")
    others = "onitama:cards=crab-ox-elephant-horse-boar"
    diagram = "rrRrr/5/5/2B2/bb1bb-r-ox-crab-horse-elephant-boar"
    other = tesuji.game(f"{others},position={diagram}").start()
    assert planes.names[-1] == "plies_left"
    assert np.array_equal(planes(one)[:-1], planes(other)[:-1])
    for move in one.moves():
        assert planes.index(one, move) == planes.index(other, other.parse(one.text(move)))


@pytest.mark.parametrize(
    ("planes", "state", "words"),
    [
        ("gomoku", "hex:size=5", "Gomoku"),
        ("hex:size=5", "gomoku", "Hex"),
        ("gomoku:size=9", "gomoku:size=10", "up to size 9"),
        ("hex:size=5,swap=on", "hex:size=5", "with the swap"),
        ("hex:size=5", "hex:size=6", "up to size 5"),
        ("gomoku", "tictactoe", "native"),
        (ONITAMA, "gomoku", "Onitama"),
        (ONITAMA, ONITAMA + ",ply_limit=9", "other limits"),
    ],
)
def test_positions_of_another_game_are_refused(planes: str, state: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        planes_of(tesuji.game(planes))(tesuji.game(state).start())


def test_wrong_numbers_are_refused() -> None:
    planes = planes_of(tesuji.game("hex:size=3,swap=on"))
    start = tesuji.game("hex:size=3,swap=on").start()
    with pytest.raises(ValueError, match="illegal move 77"):
        planes.index(start, 77)
    for symmetry in (-1, 2):
        with pytest.raises(ValueError, match="symmetry must be from 0 to 1"):
            planes.native.transform_index(symmetry, 0)
        with pytest.raises(ValueError, match="symmetry must be from 0 to 1"):
            planes.native.transform_planes(symmetry, planes(start))
    with pytest.raises(ValueError, match="index must be from 0 to 9"):
        planes.native.transform_index(0, 10)
    with pytest.raises(ValueError, match="shape of this game's planes"):
        planes.native.transform_planes(0, np.zeros((7, 4, 4), dtype=np.float32))
    with pytest.raises(ValueError, match="did you mean 'patterns'"):
        planes_of(tesuji.game("gomoku"), pattern=False)
    with pytest.raises(ValueError, match="'patterns' .* not 1"):
        planes_of(tesuji.game("gomoku"), patterns=1)  # type: ignore[arg-type]


class BrokenState(TicTacToeState):
    """A position whose planes are set on the class."""

    __slots__ = ()
    given: Any = np.zeros((2, 3, 3))

    def planes(self) -> NDArray[Any]:
        if isinstance(self.given, Exception):
            raise self.given
        return self.given if self.player else np.zeros((2, 3, 3))

    def play(self, move: int) -> BrokenState:
        after = super().play(move)
        return type(self)(after._last, after._next, after.player)


@dataclass
class Broken:
    """Tic-tac-toe with something wrong."""

    move_space: Any = range(9)
    symmetries: Any = ()
    plane_names: Any = ("own", "other")
    players: int = 2
    planes_version: Any = 1

    def start(self) -> BrokenState:
        return BrokenState()


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Broken(move_space=(0, 1, 0)), "move_space has 0 twice"),
        (Broken(plane_names=("own",)), "1 names"),
        (Broken(players=3), "two players"),
        (Broken(symmetries=[([1, 0], [1, 0])]), "each of the 9 cells"),
        (Broken(symmetries=[([1] * 9, list(range(9)))]), "each to a different place"),
        (
            Broken(symmetries=[([8, 1, 2, 3, 4, 5, 6, 7, 0], [-1, 1, 2, 3, 4, 5, 6, 7, 0])]),
            "each of the 9 moves",
        ),
        (Pig(), "Pig"),
    ],
)
def test_inconsistent_planes_of_a_python_game_are_refused(game: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        planes_of(game)


def after_one_move(given: Any) -> NDArray[np.float32]:
    class State(BrokenState):
        __slots__ = ()

    State.given = given
    planes = planes_of(Broken())
    return planes(State().play(4))


def test_planes_of_a_python_game_may_be_lists_and_whole_numbers() -> None:
    given = np.arange(18).reshape(2, 3, 3)
    assert np.array_equal(after_one_move(given.tolist()), given)
    assert np.array_equal(after_one_move(given[::-1]), given[::-1])
    assert after_one_move(given).dtype == np.float32


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (np.zeros((3, 3, 3)), r"at the start it was \(2, 3, 3\)"),
        (np.zeros(18), "at the start"),
        (np.full((2, 3, 3), np.nan), "not finite"),
        (np.full((2, 3, 3), np.inf), "not finite"),
        ("own", "could not convert"),
    ],
)
def test_planes_of_another_shape_or_without_numbers_are_refused(given: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        after_one_move(given)


def test_errors_of_planes_reach_the_user() -> None:
    planes = planes_of(Broken())

    class State(BrokenState):
        __slots__ = ()
        given = ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        planes(State())


def test_a_move_outside_the_move_space_is_named() -> None:
    planes = planes_of(Broken(move_space=range(8)))
    with pytest.raises(ValueError, match="move 8 is not in move_space"):
        planes.index(BrokenState(), 8)


def test_moves_that_are_on_no_cell_are_extras() -> None:
    game = Broken(move_space=[*range(9), "pass", "resign"])
    native = planes_of(game).native
    assert (native.policy_planes, native.extras, native.policy_size) == (1, 2, 11)


def test_the_repr_names_the_planes() -> None:
    assert repr(planes_of(TicTacToe())) == "<2 planes, version 1: own, other>"
    assert isinstance(planes_of(TicTacToe()).native, _core.PythonPlanes)
    assert isinstance(planes_of(tesuji.game("hex")), NativePlanes)


@pytest.mark.parametrize("moves", ["", "d4", "d4 e4 d5 e5 d6", "d4 a1 d5 a2 d6 a3 d7 g1"])
def test_patterns_times_proximity_as_one_plane(moves: str) -> None:
    game = tesuji.game("gomoku:size=7")
    state: Any = tesuji.replay(game, moves)
    planes = planes_of(game, combined=True)
    assert planes.names == (*planes_of(game).names, "combined")
    cells = np.frombuffer(state.cells(), dtype=np.uint8).reshape(7, 7)
    board = np.array([0, 1, -1])[cells]
    expected = get_pattern_features(board, 1 if state.colour == 0 else -1, combine="sum")
    assert planes(state)[-1] == pytest.approx(expected)
