"""The greedy bot, which looks one move ahead."""

from __future__ import annotations

from typing import Any

import pytest

import tesuji
from tests.search.small_games import DRAW, LOSS, WIN, Choice, Nim, Rules, Tree
from tesuji.bots.greedy import GreedyBot
from tesuji.games import Hex


def test_a_win_on_the_spot_is_taken_and_a_loss_avoided() -> None:
    state = Tree(Choice(0, {"lose": LOSS, "draw": DRAW, "win": WIN}))
    assert GreedyBot(Rules(state)).choose(state) == "win"
    worse = Tree(Choice(0, {"lose": LOSS, "draw": DRAW}))
    assert GreedyBot(Rules(worse)).choose(worse) == "draw"


@pytest.mark.parametrize("certain", [0.0, 1.0])
def test_a_result_counts_more_than_a_value_that_is_certain(certain: float) -> None:
    later = Choice(1, {"x": WIN})
    value = lambda state, player: certain  # noqa: E731
    winning = Tree(Choice(0, {"later": later, "win": WIN, "much later": later}))
    losing = Tree(Choice(0, {"lose": LOSS, "later": later}))
    for seed in range(9):
        assert GreedyBot(Rules(winning), value=value, seed=seed).choose(winning) == "win"
        assert GreedyBot(Rules(losing), value=value, seed=seed).choose(losing) == "later"


def test_the_move_with_the_best_value_after_it_is_chosen() -> None:
    # The value is the mover's: a small pile is good for who has to take from it.
    bot = GreedyBot(Rules(Nim(9)), value=lambda state, player: 1 / (1 + state.pile))
    assert bot.choose(Nim(9)) == 1


def test_with_more_than_two_players_the_movers_own_value_counts() -> None:
    three: dict[str, Choice | tuple[float, ...]] = {
        "a": Choice(1, {"x": (1.0, 0.0, 0.0)}),
        "b": Choice(2, {"x": (0.0, 1.0, 0.0)}),
    }
    state = Tree(Choice(0, three))

    def value(state: Any, player: int) -> float:
        assert player == 0
        return 0.9 if state.player == 2 else 0.1

    assert GreedyBot(Rules(state, players=3), value=value).choose(state) == "b"


def test_the_seed_decides_among_equals() -> None:
    game = Hex(size=5)
    moves = [
        [GreedyBot(game, value="off", seed=seed).choose(game.start()) for seed in range(9)] for _ in (0, 1)
    ]
    assert moves[0] == moves[1] and len(set(moves[0])) > 3


def test_it_agrees_with_alpha_beta_at_depth_one() -> None:
    game = Hex(size=5)
    state = tesuji.replay(game, "c3 b2 d2")
    best = tesuji.AlphaBeta(game, depth=1, lines=25, seed=1).analyse(state)
    equals = {candidate.move for candidate in best.candidates if candidate.value == best.value}
    assert {GreedyBot(game, seed=seed).choose(state) for seed in range(5)} <= equals


def test_a_finished_game_has_no_move_to_choose() -> None:
    with pytest.raises(ValueError, match="the game is over"):
        GreedyBot(Rules(Nim(0))).choose(Nim(0))


def test_it_is_a_bot_by_name() -> None:
    bot = tesuji.bot("greedy:seed=3", Hex(size=4))
    assert isinstance(bot, GreedyBot) and tesuji.spec_of(bot) == "greedy:seed=3"
    assert repr(bot) == f"GreedyBot({Hex(size=4)!r}, seed=3)"
