"""OpenSpiel's C++ in searches: it agrees with its Python interface, and is used only where it is safe."""

from __future__ import annotations

import random
import sys
from typing import Any

import pytest

import tesuji
from tesuji import _core

pyspiel = pytest.importorskip("pyspiel")
if sys.platform != "linux":
    pytest.skip("OpenSpiel's C++ is called on Linux only", allow_module_level=True)

from tesuji.games.openspiel import OpenSpiel, native  # noqa: E402

GAMES = ["tic_tac_toe", "connect_four", "hex(board_size=5)", "othello", "breakthrough", "go(board_size=5)"]
GAMES += ["chess", "pig", "pig(players=3)", "backgammon", "2048", "havannah(board_size=4)", "mancala"]
GAMES += ["checkers"]


def rules_of(game: OpenSpiel) -> native.NativeRules:
    rules = game.native_rules
    assert rules is not None
    return rules


@pytest.mark.parametrize("name", GAMES)
def test_native_positions_are_those_of_python(name: str) -> None:
    game = OpenSpiel(game=name)
    rules, rng = rules_of(game), random.Random(1)
    state = game.start()
    core: _core.State = rules.root(state)
    for _ in range(150):
        assert (core.player, core.moves()) == (state.state.current_player(), state.moves())
        assert core.same_position(rules.root(state))
        if state.scores() is not None:
            break
        move = rng.choice(state.moves())
        core, state = core.play(move), state.play(move)
        assert str(rules.wrap(core)) == str(state)  # type: ignore[arg-type]
    assert core.scores() == (state.scores() and pytest.approx(state.scores()))


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "pig(players=3)", "backgammon"])
def test_native_playouts_end_in_scores_of_the_game(name: str) -> None:
    game = OpenSpiel(game=name)
    won = rules_of(game).root(game.start()).playouts(400, seed=1)
    rng, expected = random.Random(1), 0
    for _ in range(400):
        state: Any = game.start()
        while state.scores() is None:
            if state.player == tesuji.CHANCE:
                outcomes, chances = zip(*state.chances(), strict=True)
                state = state.play(rng.choices(outcomes, chances)[0])
            else:
                state = state.play(rng.choice(state.moves()))
        expected += state.scores()[0] == 1.0
    assert abs(won - expected) < 100


@pytest.mark.parametrize("threads", [1, 2])
def test_searches_find_a_win_in_one(threads: int) -> None:
    game = OpenSpiel(game="connect_four")
    state = tesuji.replay(game, [3, 0, 3, 0, 3, 0])
    analysis = tesuji.MCTS(game, iterations=2000, threads=threads, seed=1).analyse(state)
    assert (analysis.move, analysis.proven) == (3, 1.0)
    assert tesuji.AlphaBeta(game, depth=3).choose(state) == 3


def test_a_seed_repeats_a_search_of_the_same_game() -> None:
    game = OpenSpiel(game="pig")
    state = game.start()
    first, second = (tesuji.MCTS(game, iterations=300, seed=7).analyse(state) for _ in range(2))
    assert first.candidates == second.candidates


def test_a_benchmark_plays_in_the_core(monkeypatch: pytest.MonkeyPatch) -> None:
    from tesuji.cli import bench

    monkeypatch.delattr(bench, "_play_out")  # the playout of Python states
    assert bench.measure_playouts(OpenSpiel(game="tic_tac_toe"), 0.01).per_second > 0


def test_the_tree_is_kept_between_moves() -> None:
    game = OpenSpiel(game="hex(board_size=4)")
    bot = tesuji.MCTS(game, iterations=500, seed=1, solver=False)
    state = game.start()
    analysis = bot.analyse(state)
    after = state.play(analysis.candidates[0].move)
    assert bot.analyse(after, iterations=1).visits > 1


def test_hooks_in_python_see_the_public_state() -> None:
    game = OpenSpiel(game="tic_tac_toe")
    seen: list[Any] = []

    def value(state: Any, player: int) -> float:
        seen.append((state.history, state.game))
        return 0.5

    tesuji.MCTS(game, iterations=20, playout_depth=0, value=value).analyse(tesuji.replay(game, [4]))
    assert seen and all(history[0] == 4 and owner == game for history, owner in seen)


@pytest.mark.parametrize("name", ["kuhn_poker", "python_tic_tac_toe"])
def test_games_that_need_python_are_searched_by_python(name: str) -> None:
    pytest.importorskip("open_spiel.python.games")
    game = OpenSpiel(game=name)
    assert game.native_rules is None
    state: Any = game.start()
    while state.player == tesuji.CHANCE:
        state = state.play(state.moves()[0])
    assert tesuji.MCTS(game, iterations=20, seed=1).analyse(state).iterations == 20


def test_another_version_of_openspiel_is_searched_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "MAJOR_VERSIONS", ("0",))
    game = OpenSpiel(game="tic_tac_toe")
    with pytest.raises(ValueError, match=r"0\.x only"):
        native.NativeRules(game)
    assert tesuji.MCTS(game, iterations=20).options.playout_depth == 0


def test_what_cannot_be_called_is_an_error() -> None:
    game = OpenSpiel(game="tic_tac_toe")
    with pytest.raises(ValueError, match="not a position of tic_tac_toe"):
        tesuji.MCTS(game, iterations=5).analyse(OpenSpiel(game="connect_four").start())
    with pytest.raises(RuntimeError, match="absent.so is not loaded"):
        _core.OpenSpielRules("absent.so", 2, -1.0, 1.0, 9)
    with pytest.raises(RuntimeError, match="does not export"):
        _core.OpenSpielRules(_core.__file__, 2, -1.0, 1.0, 9)
    rules = _core.OpenSpielRules(pyspiel.__file__, 2, -1.0, 1.0, 4)
    with pytest.raises(ValueError, match="no C"):
        _core.OpenSpielState(rules, "state")
    with pytest.raises(IndexError, match="below 4"):
        _core.OpenSpielState(rules, game.start().state).moves()
