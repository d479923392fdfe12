"""Tactical positions: targets agree with the rules and the solver, and held-out positions are excluded."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import tesuji
from tesuji import _core
from tesuji.games.gomoku import Gomoku, GomokuState, solve
from tesuji.games.gomoku.maps import proximity_map
from tesuji.learn.zero.augment import HELD_OUT, held_out_states, tactical_window, tactics
from tesuji.planes import planes_of

SPECS = ("gomoku", "gomoku:rule=renju", "gomoku:rule=standard,size=11", "gomoku:size=9,swap2=on")
COUNT = 10 * len(_core.GOMOKU_TACTICS)


def made(spec: str, count: int = COUNT, seed: int = 1, **more: Any) -> list[_core.PlayedGame]:
    game = tesuji.game(spec)
    return tactics(game, planes_of(game), count, seed=seed, **more)


def position(spec: str, one: _core.PlayedGame) -> GomokuState:
    """Where a game's opening leads, as a position whose opening is settled."""
    game: Any = tesuji.game(spec)
    state = game.start()
    for move in one.moves[: one.opening]:
        state = state.play(move)
    plain = Gomoku(size=game.size, rule=game.rule)
    return plain.from_core(_core.GomokuState.set_up(game.size, game.rule, state.cells(), state.colour))


def wins_at_once(state: GomokuState) -> list[int]:
    return [move for move in state.moves() if state.play(move).scores() not in (None, (0.5, 0.5))]


def turned(state: GomokuState) -> GomokuState:
    """The same stones, the other colour to move."""
    core = _core.GomokuState.set_up(state.size, state.game.rule, state.cells(), 1 - state.colour)
    return state.game.from_core(core)


def image(state: GomokuState) -> tuple[bytes, int]:
    """Equal for positions that are equal under a symmetry."""
    native = planes_of(state.game).native
    cells = state.cells()
    images = []
    for symmetry in range(8):
        board = bytearray(len(cells))
        for cell, owner in enumerate(cells):
            board[native.transform_index(symmetry, cell)] = owner
        images.append(bytes(board))
    return min(images), state.colour


def check(kind: str, state: GomokuState, moves: list[int], value: float) -> None:
    mine, theirs = wins_at_once(state), wins_at_once(turned(state))
    if kind == "five":
        assert moves == mine and value == 1
        return
    assert not mine
    if kind == "stop_five":
        assert moves == theirs and len(moves) == 1
    elif kind == "lost":
        assert set(moves) <= set(theirs) and value == 0
        for move in moves:
            assert solve(state.play(move)).won
    elif kind == "stop_open_four":
        assert not theirs and solve(turned(state)).won and not solve(state).won
        assert not any(solve(state.play(move)).won for move in moves)
        far = [move for move in state.moves() if proximity_map(state).ravel()[move] < 0.1]
        assert all(solve(state.play(move)).won for move in far[:3])
    else:
        assert not theirs and value == 1
        by_fours = solve(state)
        if kind == "open_four":
            assert len(by_fours.line) == 3
            for move in moves:
                assert len(wins_at_once(turned(state.play(move)))) >= 2
        elif kind == "fours":
            assert len(by_fours.line) >= 5 and moves == [by_fours.line[0]]
        else:
            assert kind == "threats" and not by_fours.won and solve(state, "vct").won


@pytest.mark.parametrize("spec", SPECS)
def test_targets_are_correct(spec: str) -> None:
    kinds = _core.GOMOKU_TACTICS
    games = made(spec)
    assert len(games) == COUNT  # so the kinds come in turn
    for number, one in enumerate(games):
        state = position(spec, one)
        value, _, full, target = one.searched[0]
        assert full and sum(target.values()) == pytest.approx(1)
        assert len(set(target.values())) == 1  # no move is better than another
        check(kinds[number % len(kinds)], state, sorted(target), value)


@pytest.mark.parametrize("spec", SPECS)
def test_the_winning_line_follows(spec: str) -> None:
    for one in made(spec):
        state: Any = tesuji.game(spec).start()
        for move in one.moves:
            state = state.play(move)
        value = one.searched[0][0]
        if value == 0.5:
            assert one.scores != one.scores and len(one.moves) == one.opening + 1  # NaN: nobody knows
            continue
        assert one.scores == state.scores()
        winner = one.scores.index(1.0)
        mover = (len(one.moves) - one.opening) % 2 == 1  # who makes five moved first from there
        assert (value == 1) == mover
        assert winner in (0, 1)


@pytest.mark.parametrize("spec", SPECS)
def test_every_move_is_near_the_stones(spec: str) -> None:
    for one in made(spec):
        near = proximity_map(position(spec, one)).ravel()
        assert all(near[move] >= 0.5 for move in one.searched[0][3])


def test_positions_are_different_under_every_symmetry_and_all_over_the_board() -> None:
    states = [position("gomoku", one) for one in made("gomoku", 700, threads=2)]
    assert len({image(state) for state in states}) == len(states) >= 690
    stones = Counter(cell for state in states for cell, owner in enumerate(state.cells()) if owner)
    assert len(stones) == 225
    assert {state.colour for state in states} == {0, 1}


def test_excluded_positions_do_not_appear_in_any_symmetry() -> None:
    spec = "gomoku:size=9"
    first = [position(spec, one) for one in made(spec)]
    native = planes_of(first[0].game).native
    mirrored = []
    for number, state in enumerate(first):
        board = bytearray(81)
        for cell, owner in enumerate(state.cells()):
            board[native.transform_index(number % 8, cell)] = owner
        core = _core.GomokuState.set_up(9, "freestyle", bytes(board), state.colour)
        mirrored.append(state.game.from_core(core))
    half = mirrored[::2]
    left = {image(position(spec, one)) for one in made(spec, exclude=half)}
    assert left == {image(state) for state in first[1::2]}


def test_held_out_positions_are_excluded_and_their_answers_are_correct() -> None:
    game = Gomoku()
    asked = {image(state) for state in held_out_states(game)}
    assert len(asked) == len(HELD_OUT)
    assert not asked & {image(position("gomoku", one)) for one in made("gomoku", 350, seed=9)}
    assert held_out_states(Gomoku(size=9)) == []
    for state, answers in zip(held_out_states(game), HELD_OUT.values(), strict=True):
        right = {state.parse(text) for text in answers.split()}
        # Own five, or else stop five, or else own open four, or else stop it.
        known = (
            wins_at_once(state)
            or wins_at_once(turned(state))
            or open_fours(state)
            or open_fours(turned(state))
        )
        assert right <= set(known)


def open_fours(state: GomokuState) -> list[int]:
    return [move for move in state.moves() if len(wins_at_once(turned(state.play(move)))) >= 2]


def test_positions_depend_on_the_seed_and_not_on_threads() -> None:
    one, other, third = made("gomoku:size=9"), made("gomoku:size=9", threads=3), made("gomoku:size=9", seed=2)
    assert [each.moves for each in one] == [each.moves for each in other]
    assert [each.moves for each in one] != [each.moves for each in third]


def test_a_window_of_tactical_positions_gives_batches() -> None:
    game = tesuji.game("gomoku:size=9")
    window = tactical_window(game, planes_of(game), COUNT, seed=1)
    batch = window.sample(1000, seed=1)
    assert window.positions == window.games <= COUNT
    assert (batch.policy_weight == 1).all() and not batch.reply_weight.any()
    assert set(batch.value.tolist()) == {0.0, 0.5, 1.0}
    assert ((batch.value == 0.5) == (batch.value_weight == 0)).all()


def test_only_gomoku_has_tactical_positions() -> None:
    game = tesuji.game("hex:size=5")
    with pytest.raises(ValueError, match="not for hex:size=5"):
        tactics(game, planes_of(game), 5, seed=1)
    with pytest.raises(ValueError, match="size 9.*size 15"):
        tactics(Gomoku(size=15), planes_of(Gomoku(size=9)), 5, seed=1)
    with pytest.raises(ValueError, match="threads .*not 0"):
        tactics(Gomoku(), planes_of(Gomoku()), 5, seed=1, threads=0)
