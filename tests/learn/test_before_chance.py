"""Values before a chance move: those of player 0, for whoever asks; nature has no features."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

import tesuji
from tests.learn.games import line_games
from tests.search.small_games import LOSS, WIN, Choice, Rules
from tests.search.test_chance import Cast
from tesuji.learn.linear import LinearValue


class FeaturedCast(Cast):
    """A game of chance with the features of the game of lines, which only players have."""

    def play(self, move: str) -> FeaturedCast:
        return FeaturedCast(super().play(move).node)

    def features(self, player: int) -> dict[str, float]:
        assert player in (0, 1)
        return {"my-open-lines": (5.0, 3.0)[player], "their-open-lines": (3.0, 5.0)[player], "one": 1.0}


@dataclass(frozen=True)
class Known(Rules):
    knowledge: tesuji.Knowledge = field(default_factory=tesuji.Knowledge)


def roll_or_stop(player: int) -> FeaturedCast:
    """Player 0 has more open lines, whoever is to move; one of the moves leads to chance."""
    rolled = Choice(tesuji.CHANCE, {"one": Choice(player, {"x": WIN}), "six": Choice(player, {"x": LOSS})})
    return FeaturedCast(Choice(player, {"roll": rolled, "stop": Choice(1 - player, {"x": WIN, "y": LOSS})}))


def test_the_value_before_a_chance_move_is_that_of_player_0(lines: str) -> None:
    value = LinearValue(l1=0.0, l2=0.5).fit(line_games())
    rolled = roll_or_stop(1).play("roll")
    to_move = FeaturedCast(Choice(0, {"x": WIN}))
    assert rolled.player == tesuji.CHANCE
    assert value.logit(rolled) == value.logit(to_move) != 0
    for player in (0, 1):
        assert value.value(rolled, player) == value.value(to_move, player)
        assert value(rolled, player) == value(to_move, player)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("bot", ["heuristic", "greedy", "mcts"])
def test_no_bot_asks_for_the_features_of_nature(lines: str, bot: str, player: int) -> None:
    value = LinearValue(l1=0.0, l2=0.5).fit(line_games())
    state = roll_or_stop(player)
    game = Known(state, knowledge=tesuji.Knowledge(objectives=value))
    spec = "mcts:iterations=30,playout_depth=1,solver=off,expand_after=100" if bot == "mcts" else bot
    assert tesuji.bot(spec, game).choose(state) in state.moves()


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("bot", ["greedy", "mcts:iterations=20,playout_depth=0,expand_after=100"])
def test_before_a_chance_move_a_value_is_asked_for_one_seat(bot: str, player: int) -> None:
    asked: set[tuple[int, int]] = set()

    def value(state: Any, seat: int) -> float:
        asked.add((state.player, seat))
        return 0.7

    state = roll_or_stop(player)
    made: Any = tesuji.bot(bot, Rules(state))
    options = {name: getattr(made.options, name) for name in made.given}
    type(made)(Rules(state), **{**options, "value": value, "seed": 1}).choose(state)
    assert {seat for mover, seat in asked if mover == tesuji.CHANCE} == {0}
    assert {(mover, seat) for mover, seat in asked if mover != tesuji.CHANCE} <= {(0, 0), (1, 1)}


@pytest.mark.parametrize("bot", ["greedy", "heuristic"])
def test_a_chance_node_has_no_move_to_choose(bot: str) -> None:
    rolled = roll_or_stop(0).play("roll")
    knowledge = tesuji.Knowledge(objectives={"even": tesuji.Objective(lambda state, player: 0.5, weight=1)})
    with pytest.raises(ValueError, match="^a chance move is next: there is no move to choose$"):
        tesuji.bot(bot, Known(rolled, knowledge=knowledge)).choose(rolled)
