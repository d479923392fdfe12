"""Positions that are set up from diagrams: equal to the same positions reached by moves, and validated."""

import pickle
import random
from typing import Any

import numpy as np
import pytest

import tesuji
from tesuji.planes import planes_of
from tesuji.spec import SpecError

CARDS = "cards=ox-boar-horse-elephant-crab"
SPECS = (
    "hex:size=4",
    "hex:size=5,swap=on",
    "gomoku:size=6",
    "gomoku:size=7,rule=standard",
    "gomoku:size=7,rule=renju",
    f"onitama:{CARDS},ply_limit=off",
)
STONES = ("hex:size=5", "hex:size=5,swap=on", "gomoku:size=7", "gomoku:size=7,rule=renju")
HEX = "..B\n.W.\n..."


def reached(spec: str, seed: int) -> Any:
    """A position in progress, or a finished one of stones, after random moves."""
    rng = random.Random(seed)
    state: Any = tesuji.game(spec).start()
    for _ in range(rng.randrange(24)):
        following = state.play(rng.choice(state.moves()))
        if following.scores() is not None and (spec.startswith("onitama") or rng.random() < 0.5):
            break
        state = following
        if state.scores() is not None:
            break
    return state


def strewn(spec: str, seed: int) -> Any:
    """Any numbers of black and white stones in random cells, either side to move."""
    rng = random.Random(seed)
    size = tesuji.game(spec).size  # type: ignore[attr-defined]
    weights = (8, rng.randrange(1, 5), rng.randrange(1, 5))
    while True:
        cells = rng.choices(".BW", weights, k=size * size)
        rows = ["".join(cells[row * size : (row + 1) * size]) for row in range(size)]
        try:
            state: Any = tesuji.position(spec, "\n".join(rows), rng.randrange(2))
        except ValueError:  # finished, with the winner to move
            continue
        if state.scores() is None:
            return state


def same(one: Any, other: Any) -> None:
    """Two positions are the same to players, learners and searches."""
    assert (one.key(), one.player, one.moves(), one.scores()) == (
        other.key(),
        other.player,
        other.moves(),
        other.scores(),
    )
    assert one == other and hash(one) == hash(other)
    features, planes = one.game.features, planes_of(one.game)
    for player in (0, 1):
        assert features(one, player) == features(other, player)
    if one.scores() is None:
        assert np.array_equal(planes(one), planes(other))


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("seed", range(25))
def test_a_drawing_set_up_again_is_the_position_that_it_draws(spec: str, seed: int) -> None:
    state = reached(spec, seed)
    again: Any = tesuji.position(spec, str(state))
    same(again, state)
    assert str(again) == str(state).replace("[", " ").replace("]", " ") or str(again) == str(state)
    same(eval(repr(again), {"tesuji": tesuji}), state)
    same(pickle.loads(pickle.dumps(again)), state)
    assert tesuji.spec_of(tesuji.game(tesuji.spec_of(again.game))) == tesuji.spec_of(again.game)


@pytest.mark.parametrize("spec", STONES)
@pytest.mark.parametrize("seed", range(25))
def test_playing_from_any_stones_equals_setting_up_the_result(spec: str, seed: int) -> None:
    state, rng = strewn(spec, seed), random.Random(seed)
    state.game.features(state, 0)  # Gomoku's patterns are kept from here on and updated by moves
    for _ in range(4):
        if state.scores() is not None:
            break
        move = rng.choice(state.moves())
        state = state.play(move)
        same(tesuji.position(spec, str(state)), state)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("bot", ["mcts:iterations=300,seed=5", "alphabeta:depth=2,seed=5"])
def test_searches_find_the_same_in_a_position_that_was_set_up(spec: str, bot: str) -> None:
    if spec.startswith("gomoku"):  # the learned prior also looks at the move before the last one
        bot += ",move_ordering=hand"
    for seed in range(6):
        state = reached(spec, seed)
        if state.scores() is not None:
            continue
        again: Any = tesuji.position(spec, str(state))
        found = [
            tesuji.bot(bot, game).analyse(position)
            for game, position in (
                (state.game, state),
                (state.game, again),
                (again.game, again),
            )
        ]
        assert len({(one.move, one.value, one.iterations) for one in found}) == 1


@pytest.mark.parametrize(
    "spec", ["gomoku:size=9", "gomoku:size=9,rule=renju", "hex:size=5", "hex:size=5,swap=on"]
)
def test_a_network_finds_the_same_in_a_position_that_was_set_up(spec: str) -> None:
    for seed in (1, 2):
        state = reached(spec, seed)
        if state.scores() is None:
            again: Any = tesuji.position(spec, str(state))
            one, other = (
                tesuji.bot("zero:visits=24,seed=3", position.game).analyse(position)
                for position in (state, again)
            )
            assert (one.move, one.value) == (other.move, other.value)


def test_a_prover_is_right_with_any_number_of_stones() -> None:
    empty = "\n......." * 6
    solve = tesuji.bot("mcts:iterations=50", "gomoku:size=7").analyse
    assert solve(tesuji.position("gomoku:size=7", f"..XXX..{empty}", 0)).proven
    white = tesuji.position("gomoku:size=7", f"...XXXX{empty}", 1)
    assert white.text(solve(white).move) == "c7"


def test_the_swap_is_offered_after_one_black_stone_only() -> None:
    for diagram, player, offered in (
        ("...\n.B.\n...", 1, True),
        ("...\n.W.\n...", 1, False),
        ("...\n.B.\n..B", 1, False),
        ("...\n...\n...", 1, False),
    ):
        state: Any = tesuji.position("hex:size=3,swap=on", diagram, player)
        assert ("swap-pieces" in map(state.text, state.moves())) is offered
    first: Any = tesuji.position("hex:size=3,swap=on", "...\n...\n...", 1)
    after = first.play(first.parse("a1"))
    assert "swap-pieces" not in map(after.text, after.moves())
    taken: Any = tesuji.position("hex:size=3,swap=on", "..B\n...\n...", 1)
    assert list(taken.play(taken.parse("swap")).cells()) == [0, 0, 0, 0, 0, 0, 2, 0, 0]


@pytest.mark.parametrize(
    "diagram",
    [
        HEX,
        HEX.replace("B", "X").replace("W", "O"),
        ". . b\n. w .\n. . .",
        "   a b c\n 1 \\ . . B \\ 1\n  2 \\ . W . \\ 2\n   3 \\ . . . \\ 3\nBlack to move",
        "3 ...\n2 .W.\n1 ..B",
        "2b/1w1/3-b",
        "2b/1w1/3 black",
    ],
)
def test_a_diagram_may_leave_out_what_is_obvious(diagram: str) -> None:
    same(tesuji.position("hex:size=3", diagram), tesuji.position("hex:size=3", HEX, 0))


def test_the_argument_decides_who_moves() -> None:
    assert tesuji.position("hex:size=3", f"{HEX}\nWhite to move").player == 1
    assert tesuji.position("hex:size=3", f"{HEX}\nWhite to move", 0).player == 0
    drawn = str(tesuji.position("hex:size=3", HEX, 1))
    assert drawn.endswith("White to move")


def test_swap2_ends_with_a_set_up_position() -> None:
    state: Any = tesuji.position("gomoku:size=5,swap2=on", "X....\n.....\n.....\n.....\n.....")
    assert state.game.swap2 is False and state.player == 1
    with pytest.raises(ValueError, match="swap2=off"):
        tesuji.game(f"gomoku:size=5,swap2=on,position={state.game.position}")


@pytest.mark.parametrize(
    "spec", ["hex:size=4,position=4/1bw1/4/4-b", "gomoku:size=9,position=9/9/9/9/4b4/9/9/9/9-w"]
)
def test_books_and_problems_are_those_of_the_rules(spec: str) -> None:
    game: Any = tesuji.game(spec)
    assert game.openings == () and game.problems.game == game.rules == tesuji.game(spec.partition(",")[0])


def test_the_empty_board_is_the_usual_start() -> None:
    for spec in ("hex:size=3", "gomoku:size=5", f"onitama:{CARDS}"):
        game = tesuji.game(spec)
        start: Any = tesuji.position(spec, str(game.start()))
        assert start.game == game


def test_forbidden_cells_of_a_drawing_are_empty() -> None:
    state: Any = tesuji.replay("gomoku:size=15,rule=renju", "g8 a1 i8 a3 h7 a5 h9 a7")
    assert "×" in str(state)
    same(tesuji.position("gomoku:rule=renju", str(state)), state)
    ascii_drawing = str(state).translate(str.maketrans("·●○×", ".BWx"))
    same(tesuji.position("gomoku:rule=renju", ascii_drawing), state)


def test_the_cards_of_onitama_are_those_that_the_players_hold() -> None:
    spec = f"onitama:{CARDS}"
    diagram = "..R..\n.....\n..b..\n.....\n..B.r"
    state: Any = tesuji.position(spec, f"{diagram}\nox-crab-horse-elephant-boar", 1)
    assert [card.word for card in (*state.hand(0), *state.hand(1), state.side)] == [
        "ox",
        "crab",
        "horse",
        "elephant",
        "boar",
    ]
    assert state.player == 1 and state.game.cards == "ox-boar-horse-elephant-crab"
    unnamed: Any = tesuji.position("onitama", f"{diagram}\nRed to move\ncards: ox-crab-horse-elephant-boar")
    assert unnamed.game.cards == "ox-crab-horse-elephant-boar"
    assert sorted(map(unnamed.text, unnamed.moves())) == sorted(map(state.text, state.moves()))


@pytest.mark.parametrize(
    ("spec", "diagram", "player", "named"),
    [
        ("hex:size=3", "..B\n.W.", None, "3 rows"),
        ("hex:size=3", "..\n..", None, "size is 2"),
        ("hex:size=3", "..B\n.W\n...", None, "row 2"),
        ("hex:size=3", "..Q\n...\n...", None, "'Q'"),
        ("hex:size=3", "", None, "3 rows"),
        ("hex:size=3", "BB.\n...\n...", None, "who moves"),
        ("hex:size=3", HEX, 2, "2"),
        ("hex:size=3", "B..\nB..\nB..", 0, "then White is to move"),
        ("hex:size=3", "2b/1w1/3-x", None, "'x'"),
        ("hex:size=3", "2b/1w1/3-b-a1", None, "a1"),
        ("hex:size=3", "[.]..\n...\n...", None, "a1"),
        ("hex:size=3", "1 ...\n1 ...\n3 ...", None, "1, 1, 3"),
        ("gomoku:size=5", "XXXXX\nOOOOO\n.....\n.....\n.....", 0, "five in a row"),
        ("onitama", "rrRrr/5/5/5/bbBbb-b", None, "cards"),
        (f"onitama:{CARDS}", "rrRrr/5/5/5/bbBbb", None, "Blue to move"),
        (f"onitama:{CARDS}", "rrrrr/5/5/5/bbBbb-b", None, "Red must have one master"),
        (f"onitama:{CARDS}", "rrRrr/5/5/5/bbBbb-b-ox-boar-horse-elephant-tiger", None, "tiger"),
        (f"onitama:{CARDS}", "rrRrr/5/5/5/bbBxb-b", None, "'x'"),
        ("gofish", "A A", None, "hidden"),
    ],
)
def test_a_bad_diagram_is_one_line_that_names_what_is_wrong(
    spec: str, diagram: str, player: int | None, named: str
) -> None:
    with pytest.raises(ValueError) as caught:
        tesuji.position(spec, diagram, player)
    assert named in str(caught.value) and "\n" not in str(caught.value)
    assert not isinstance(caught.value, SpecError)


def test_diagrams_of_any_text_are_read_or_refused() -> None:
    rng = random.Random(1)
    alphabet = " .BWXO[]/-\\123abc·●○\nto move"
    for _ in range(2000):
        text = "".join(rng.choices(alphabet, k=rng.randrange(40)))
        for spec in ("hex:size=2", f"onitama:{CARDS}"):
            try:
                tesuji.position(spec, text)
            except ValueError as error:
                assert "\n" not in str(error)
