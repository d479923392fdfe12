"""The rules of Hex: against OpenSpiel on 2,000 random games, and by their own laws."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tesuji
from tests.games.hex_boards import neighbours
from tesuji.games import Hex
from tesuji.games.hex import HexState

pyspiel: Any = pytest.importorskip("pyspiel")

# 2,000 games in all; the sizes up to 11 most often.
GAMES_BY_SIZE = {2: 100, 3: 200, 4: 200, 5: 250, 6: 250, 7: 250, 8: 200, 9: 200, 11: 200, 13: 100, 19: 50}


def joined(size: int, stones: set[int], *, downwards: bool) -> bool:
    """Whether stones join top and bottom (or left and right), by flooding."""
    position: Callable[[int], int] = (lambda cell: cell // size) if downwards else (lambda cell: cell % size)
    near = neighbours(size)
    reached = {cell for cell in stones if position(cell) == 0}
    waiting = list(reached)
    while waiting:
        fresh = {cell for cell in near[waiting.pop()] if cell in stones} - reached
        reached |= fresh
        waiting += fresh
    return any(position(cell) == size - 1 for cell in reached)


def winners(size: int, cells: bytes) -> list[int]:
    """The players whose sides are joined."""
    black = {cell for cell, colour in enumerate(cells) if colour == 1}
    white = {cell for cell, colour in enumerate(cells) if colour == 2}
    return [0] * joined(size, black, downwards=True) + [1] * joined(size, white, downwards=False)


def after(game: Hex, *moves: int) -> HexState:
    state = game.start()
    for move in moves:
        state = state.play(move)
    return state


def play_indices(game: Hex, indices: list[int]) -> HexState:
    """Play legal moves chosen by arbitrary numbers, as far as the game goes."""
    state = game.start()
    for index in indices:
        if state.scores() is not None:
            break
        state = state.play(state.moves()[index % len(state.moves())])
    return state


@pytest.mark.parametrize(("size", "games"), GAMES_BY_SIZE.items())
def test_random_games_agree_with_openspiel_at_every_ply(size: int, games: int) -> None:
    rng = random.Random(size)
    ours_at_start = Hex(size=size).start()
    theirs_game = pyspiel.load_game(f"hex(board_size={size})")
    for _ in range(games):
        ours, theirs = ours_at_start, theirs_game.new_initial_state()
        while not theirs.is_terminal():
            legal = theirs.legal_actions()
            assert list(ours.moves()) == legal
            assert ours.player == theirs.current_player()
            assert ours.scores() is None
            move = rng.choice(legal)
            ours = ours.play(move)
            theirs.apply_action(move)
        assert list(ours.moves()) == []
        assert [2 * score - 1 for score in ours.scores() or ()] == theirs.returns()


def test_two_thousand_games_are_compared_with_openspiel() -> None:
    assert sum(GAMES_BY_SIZE.values()) == 2000


@given(st.integers(2, 9), st.randoms(use_true_random=False))
def test_a_full_board_has_exactly_one_winner(size: int, rng: random.Random) -> None:
    assert len(winners(size, bytes(rng.choice([1, 2]) for _ in range(size * size)))) == 1


@given(st.integers(2, 6), st.booleans(), st.lists(st.integers(0, 1000), max_size=40))
def test_every_sequence_of_moves_keeps_the_invariants(size: int, swap: bool, indices: list[int]) -> None:
    state = play_indices(Hex(size=size, swap=swap), indices)
    cells, history, swap_move = state.cells(), state.history, size * size
    swapped = swap_move in history

    assert len(cells) == size * size
    assert cells.count(0) == size * size - len(history) + swapped
    assert state.ply == len(history)
    assert state.last_move == (history[-1] if history else None)
    assert state.player == state.ply % 2

    winner = winners(size, cells)
    if winner:
        assert len(winner) == 1
        assert tuple(state.scores() or ()) == ((1.0, 0.0) if winner == [0] else (0.0, 1.0))
        assert list(state.moves()) == []
    else:
        assert state.scores() is None
        empty = [cell for cell, colour in enumerate(cells) if colour == 0]
        may_swap = swap and state.ply == 1
        assert list(state.moves()) == empty + [swap_move] * may_swap


@given(st.integers(2, 19), st.booleans(), st.lists(st.integers(0, 1000), max_size=30))
def test_every_legal_move_round_trips_through_text(size: int, swap: bool, indices: list[int]) -> None:
    state = play_indices(Hex(size=size, swap=swap), indices)
    texts = [state.text(move) for move in state.moves()]
    assert len(set(texts)) == len(texts)
    assert [state.parse(text) for text in texts] == list(state.moves())
    assert [state.parse(text.upper()) for text in texts] == list(state.moves())


@given(st.integers(2, 19), st.booleans(), st.lists(st.integers(0, 1000), max_size=30))
def test_a_repr_can_be_pasted_back(size: int, swap: bool, indices: list[int]) -> None:
    state = play_indices(Hex(size=size, swap=swap), indices)
    again = eval(repr(state), {"tesuji": tesuji})
    assert again.key() == state.key()
    assert again.history == state.history
    assert again.cells() == state.cells()
    assert again.game == state.game
    assert repr(again) == repr(state)


def test_a_repr_names_the_game_and_the_moves() -> None:
    assert repr(tesuji.replay("hex:size=5", "c3 d2")) == "tesuji.replay('hex:size=5', 'c3 d2')"


@given(st.integers(2, 6), st.lists(st.integers(0, 1000), max_size=20))
def test_play_does_not_change_the_original_position(size: int, indices: list[int]) -> None:
    state = play_indices(Hex(size=size, swap=True), indices)
    before = (state.cells(), state.player, list(state.moves()), state.scores(), state.key(), repr(state))
    for move in state.moves():
        state.play(move)
    assert before == (
        state.cells(),
        state.player,
        list(state.moves()),
        state.scores(),
        state.key(),
        repr(state),
    )


def test_black_joins_top_and_bottom() -> None:
    state = tesuji.replay("hex:size=3", "b1 a1 b2 c1 b3")
    assert tuple(state.scores() or ()) == (1.0, 0.0)


def test_white_joins_left_and_right() -> None:
    state = tesuji.replay("hex:size=3", "a1 a2 b1 b2 b3 c2")
    assert tuple(state.scores() or ()) == (0.0, 1.0)


def test_cells_touch_along_the_short_diagonal_and_not_along_the_long_one() -> None:
    assert tesuji.replay("hex:size=2", "b1 a1 a2").scores() is not None
    assert tesuji.replay("hex:size=2", "a1 a2 b2").scores() is None


def test_cells_are_given_row_by_row_with_blacks_stones_as_one_and_whites_as_two() -> None:
    state = after(Hex(size=3), 1, 3)
    assert state.cells() == bytes([0, 1, 0, 2, 0, 0, 0, 0, 0])


@pytest.mark.parametrize("size", [-1, 0, 1, 20, 99])
def test_invalid_sizes_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"size must be from 2 to 19, not {size}"):
        Hex(size=size)
    with pytest.raises(ValueError, match=f"size must be from 2 to 19, not {size}"):
        tesuji.game(f"hex:size={size}")


@pytest.mark.parametrize("size", [2, 19])
def test_the_smallest_and_the_largest_board_can_be_played(size: int) -> None:
    assert list(Hex(size=size).start().moves()) == list(range(size * size))


@pytest.mark.parametrize("move", [4, -1, 9, 10, 1_000_000, 2**40])
def test_a_move_that_is_not_legal_is_refused_and_changes_nothing(move: int) -> None:
    state = after(Hex(size=3), 4)
    with pytest.raises(ValueError):
        state.play(move)
    assert state.cells() == bytes([0, 0, 0, 0, 1, 0, 0, 0, 0])
    assert state.player == 1


def test_no_move_is_legal_after_the_end() -> None:
    over = after(Hex(size=3), 1, 0, 4, 2, 7)
    assert over.scores() is not None
    for move in range(10):
        with pytest.raises(ValueError):
            over.play(move)


@pytest.mark.parametrize("text", ["d1", "a4", "", "a", "swap-pieces", "b2"])
def test_a_text_that_is_no_legal_move_is_refused(text: str) -> None:
    state = after(Hex(size=3), 4)
    with pytest.raises(ValueError):
        state.play(state.parse(text))


def test_the_same_stones_in_another_order_have_the_same_key() -> None:
    game = Hex(size=4)
    assert after(game, 0, 5, 2, 7).key() == after(game, 2, 7, 0, 5).key()
    assert hash(after(game, 0, 5, 2, 7).key()) == hash(after(game, 2, 7, 0, 5).key())


def test_different_stones_have_different_keys() -> None:
    game = Hex(size=3)
    states = [game.start()] + [after(game, first) for first in range(9)]
    states += [after(game, first, second) for first in range(9) for second in range(9) if first != second]
    assert len({state.key() for state in states}) == len(states)


def test_the_player_to_move_is_part_of_the_key() -> None:
    game = Hex(size=3, swap=True)
    plain = after(game, 4, 3)  # b2 black, a2 white, Black to move
    swapped = after(game, 1, 9, 4)  # b1 becomes a white stone on a2, then Black takes b2
    assert plain.cells() == swapped.cells()
    assert plain.player != swapped.player
    assert plain.key() != swapped.key()


def test_the_swap_move_mirrors_the_stone_and_gives_it_to_white() -> None:
    state = tesuji.replay("hex:size=5,swap=on", "d2 swap-pieces")
    assert isinstance(state, HexState)
    stones = {cell: colour for cell, colour in enumerate(state.cells()) if colour}
    assert stones == {3 * 5 + 1: 2}  # d2 is row 2, column 4; b4 is row 4, column 2
    assert state.player == 0
    assert state.ply == 2
    assert state.scores() is None


def test_a_stone_on_the_long_diagonal_changes_only_its_colour() -> None:
    state = after(Hex(size=3, swap=True), 4, 9)
    assert state.cells() == bytes([0, 0, 0, 0, 2, 0, 0, 0, 0])


def test_only_the_second_players_first_move_can_be_a_swap() -> None:
    game = Hex(size=3, swap=True)
    assert 9 not in game.start().moves()
    assert 9 in after(game, 0).moves()
    assert 9 not in after(game, 0, 1).moves()
    assert 9 not in after(game, 0, 9).moves()
    for state in (game.start(), after(game, 0, 1), after(game, 0, 9), after(game, 0, 1, 2)):
        with pytest.raises(ValueError):
            state.play(9)


def test_without_the_option_nobody_can_swap() -> None:
    state = after(Hex(size=3), 0)
    assert 9 not in state.moves()
    with pytest.raises(ValueError):
        state.play(9)


def test_a_swap_leads_to_the_same_game_with_the_players_exchanged() -> None:
    size, rng = 4, random.Random(1)
    mirror = [cell % size * size + cell // size for cell in range(size * size)]
    for _ in range(50):
        order = rng.sample(range(size * size), size * size)
        plain = after(Hex(size=size), order[0])
        swapped = after(Hex(size=size, swap=True), order[0], size * size)
        for cell in order[1:]:
            if plain.scores() is not None:
                break
            plain, swapped = plain.play(cell), swapped.play(mirror[cell])
        assert tuple(swapped.scores() or ()) == tuple(plain.scores() or ())[::-1] != ()


@pytest.mark.parametrize("spec", ["hex:size=2", "hex:size=4", "hex:size=4,swap=on", "hex:size=11"])
def test_check_game_finds_no_problems_in_hex(spec: str) -> None:
    assert tesuji.check_game(tesuji.game(spec)) == []
