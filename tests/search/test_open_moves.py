"""No bot plays a proven loss while another legal move is open, and no analysis leaves a move out."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tesuji
from tests.search.small_games import DRAW, LOSS, WIN, Choice, Tree
from tests.search.test_proximity import Known, only

GAMES = {
    "gomoku:size=6": 24,
    "gomoku:size=6,rule=renju": 28,
    "gomoku:size=7,rule=standard": 30,
    "hex:size=4": 9,
    "onitama": 30,
}
"""A game, and the plies of random play before most of its positions are decided."""

SEARCHES = {
    "alphabeta": ("nodes={}", ["threat_response=off", "prover=off", "lines=3", "aspiration=off"]),
    "mcts": ("iterations={}", ["threat_response=off", "prover=off", "solver=off", "rave=node"]),
}


def position(game: str, seed: int) -> Any:
    """A random position; the last of the game at the latest."""
    rng = random.Random(seed)
    state: Any = tesuji.game(game).start()
    for _ in range(rng.randrange(GAMES[game] // 2, GAMES[game])):
        after = state.play(rng.choice(state.moves()))
        if after.scores() is not None:
            break
        state = after
    return state


def assert_open_moves_come_first(found: tesuji.Analysis) -> None:
    assert {each.move for each in found.candidates} == set(found.state.moves())
    chosen = next(each for each in found.candidates if each.move == found.move)
    assert chosen is found.candidates[0]
    if chosen.proven == 0.0 and found.proven != 0.0:
        assert {each.proven for each in found.candidates} == {0.0}


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(GAMES)), st.sampled_from(sorted(SEARCHES)), st.integers(0, 2**32), st.data())
def test_no_search_plays_a_proven_loss_while_a_move_is_open(
    game: str, search: str, seed: int, data: st.DataObject
) -> None:
    limit, switches = SEARCHES[search]
    options = [limit.format(data.draw(st.integers(1, 400))), f"seed={seed}"]
    if game.startswith("gomoku"):
        options.append("proximity=" + data.draw(st.sampled_from(["off", "soft", "hard", "narrow", "filter"])))
    options += data.draw(st.lists(st.sampled_from(switches), unique=True))
    state = position(game, seed)
    bot = tesuji.bot(f"{search}:{','.join(options)}", state.game)
    assert_open_moves_come_first(bot.analyse(state))


@pytest.mark.parametrize("how", ["hard", "narrow"])
@pytest.mark.parametrize("prover", ["game", "off"])
def test_moves_that_proximity_excludes_are_candidates(how: str, prover: str) -> None:
    game = tesuji.game("gomoku:size=6,rule=renju,position=b1b2b/www1wb/bb2bw/w1wwww/2wwwb/2bwb1-w")
    for nodes in (1, 30, 300):
        spec = f"alphabeta:proximity={how},threat_response=off,prover={prover},nodes={nodes},seed=1"
        found = tesuji.bot(spec, game).analyse(game.start())
        assert {each.move for each in found.candidates} == set(game.start().moves())


FAR_MOVE_HOLDS = Tree(
    Choice(
        0,
        {
            "near": Choice(1, {"a": LOSS, "b": WIN}),
            "close": Choice(1, {"a": WIN, "b": LOSS}),
            "far": Choice(1, {"a": DRAW, "b": WIN}),
        },
    )
)


@pytest.mark.parametrize("nodes", range(1, 20))
def test_a_search_cut_off_when_all_near_moves_lose_plays_a_move_that_was_excluded(nodes: int) -> None:
    game = Known(FAR_MOVE_HOLDS, knowledge=tesuji.Knowledge(proximity=only("near", "close", "a", "b")))
    found = tesuji.AlphaBeta(game, proximity="hard", nodes=nodes, seed=1).analyse(FAR_MOVE_HOLDS)
    assert_open_moves_come_first(found)
    if all(each.proven == 0.0 for each in found.candidates if each.move != "far"):
        assert found.move == "far"


FIVE_TO_STOP = "gomoku:size=9,position=9/9/9/1wbbbb3/9/9/3w5/3w5/3w5-w"


@pytest.mark.parametrize("spec", ["alphabeta:nodes=1", "alphabeta:nodes=40", "mcts:iterations=1"])
def test_a_five_is_stopped_however_short_the_search(spec: str) -> None:
    game = tesuji.game(FIVE_TO_STOP)
    for seed in range(5):
        found = tesuji.bot(f"{spec},prover=off,seed={seed}", game).analyse(game.start())
        assert game.start().text(found.move) == "g6"
        lost = {each.move for each in found.candidates if each.proven == 0.0}
        assert lost >= set(game.start().moves()) - {found.move}
