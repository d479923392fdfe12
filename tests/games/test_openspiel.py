"""Games of OpenSpiel: their rules, and our bots in their matches."""

from __future__ import annotations

import random
from typing import Any

import pytest

import tesuji
from tesuji.spec import Spec

pyspiel = pytest.importorskip("pyspiel")

from tesuji.engines.openspiel import OpenSpielBot  # noqa: E402
from tesuji.games.openspiel import OpenSpiel  # noqa: E402

GAMES = ["tic_tac_toe", "connect_four", "hex(board_size=4)", "breakthrough(rows=6,columns=6)", "kuhn_poker"]
GAMES += ["leduc_poker(players=3)", "pig", "y(board_size=4)"]


@pytest.mark.parametrize("name", GAMES)
def test_they_keep_the_promises_of_games(name: str) -> None:
    assert tesuji.check_game(OpenSpiel(game=name), games=3) == []


@pytest.mark.parametrize("name", GAMES)
def test_a_spec_makes_them_and_a_replay_repeats_them(name: str) -> None:
    game = tesuji.game(Spec("openspiel", {"game": name}))
    assert tesuji.game(tesuji.spec_of(game)) == game
    state: Any = game.start()
    rng = random.Random(1)
    while state.scores() is None:
        state = state.play(rng.choice(state.moves()))
    assert str(tesuji.replay(game, state.history)) == str(state)
    assert state.scores() == tuple(game.score(one) for one in state.state.returns())  # type: ignore[attr-defined]


def test_our_rules_and_theirs_agree() -> None:
    game = OpenSpiel(game="hex(board_size=3)")
    assert tesuji.MCTS(game, iterations=10_000, seed=1).analyse(game.start()).proven == 1.0


def test_moves_have_texts_of_one_word() -> None:
    state = OpenSpiel(game="othello").start()
    assert [state.text(move) for move in state.moves()] == [
        state.state.action_to_string(0, move) for move in state.moves()
    ]
    assert "<svg" in state.svg()


def test_every_search_plays_them() -> None:
    game = OpenSpiel(game="tic_tac_toe")
    state = tesuji.replay(game, [0, 3, 1, 4])  # X wins at 2
    for spec in ("mcts:iterations=300", "alphabeta:depth=4", "easy"):
        assert state.play(tesuji.bot(spec, game).choose(state)).scores() == (1.0, 0.0), spec


def test_a_playout_by_openspiel_is_the_value() -> None:
    game = OpenSpiel(game="connect_four")
    assert tesuji.MCTS(game).options.playout_depth == 0
    plain = tesuji.MCTS(game, iterations=50, knowledge="off", seed=1)
    assert plain.options.playout_depth is None and plain.analyse(game.start()).iterations == 50


def test_the_values_of_playouts_are_scores_of_their_player() -> None:
    game = OpenSpiel(game="tic_tac_toe")
    state = tesuji.replay(game, [0, 3, 1, 4, 8])  # O wins at 5, or X at 2
    values = [game.knowledge.objectives.value(state, 1) for _ in range(400)]  # type: ignore[union-attr]
    assert set(values) <= {0.0, 0.5, 1.0}
    assert 0.25 < sum(values) / len(values) < 0.75
    three = OpenSpiel(game="leduc_poker(players=3)")
    dealt: Any = three.start()
    while dealt.player < 0:
        dealt = dealt.play(dealt.moves()[0])
    objectives: Any = three.knowledge.objectives
    scores = [objectives.value(dealt, player) for player in range(3)]
    assert sum(scores) == pytest.approx(sum(three.score(0.0) for _ in range(3)))  # one playout, zero-sum


def test_alphabeta_does_not_trust_a_random_playout() -> None:
    assert tesuji.AlphaBeta(OpenSpiel(game="tic_tac_toe")).options.value == "off"


def test_a_search_finds_a_win_in_one_and_keeps_its_tree() -> None:
    game = OpenSpiel(game="connect_four")
    state = tesuji.replay(game, [3, 0, 3, 0, 3, 0])
    bot = tesuji.MCTS(game, iterations=300, seed=1)
    analysis = bot.analyse(state)
    assert (analysis.move, analysis.proven) == (3, 1.0)
    assert tesuji.AlphaBeta(game, depth=3).choose(state) == 3
    first = bot.analyse(game.start())
    assert bot.analyse(game.start().play(first.move), iterations=1).visits > 1


def test_a_seed_repeats_the_search_of_a_new_game() -> None:
    found = []
    for _ in range(2):
        game = OpenSpiel(game="pig")
        found.append(tesuji.MCTS(game, iterations=300, seed=7).analyse(game.start()).candidates)
    assert found[0] == found[1]


def test_a_spec_of_an_earlier_version_still_plays_with_a_warning() -> None:
    with pytest.warns(FutureWarning, match="openspiel no longer has the option native"):
        game = tesuji.game("openspiel:game=tic_tac_toe,native=off")
    assert tesuji.spec_of(game) == "openspiel"


def test_our_bots_play_in_their_games() -> None:
    for name in ("tic_tac_toe", "kuhn_poker"):
        game = pyspiel.load_game(name)
        rng = random.Random(1)
        total = 0.0
        for seat in (0, 1) * 5:
            ours = OpenSpielBot(game, seat, "mcts:iterations=100,seed=1")
            state = game.new_initial_state()
            ours.restart()
            while not state.is_terminal():
                if state.current_player() == seat:
                    action = ours.step(state)
                else:
                    action = rng.choice(state.legal_actions())
                state.apply_action(action)
            total += state.returns()[seat]
        if name == "tic_tac_toe":
            assert total > 5
    assert ours.player_id() == 1


def test_the_evaluation_of_openspiel_runs_our_bots() -> None:
    game = pyspiel.load_game("tic_tac_toe")
    bots = [OpenSpielBot(game, 0, "mcts:iterations=200,seed=1"), pyspiel.make_uniform_random_bot(1, 7)]
    assert pyspiel.evaluate_bots(game.new_initial_state(), bots, 3)[0] == 1.0


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("othelo", "did you mean 'othello'"),
        ("hex(board=3)", "OpenSpiel cannot make 'hex"),
        ("matrix_rps", "is not sequential"),
        ("liars_dice", "cannot resample"),
    ],
)
def test_a_game_that_cannot_be_played_is_refused(name: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        OpenSpiel(game=name)
