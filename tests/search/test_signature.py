"""The signature of the search: seed and iterations fix the tree, so its size and choice are pinned.

A change here is a change of play: it needs a commit that says so, and why.
"""

from __future__ import annotations

import pytest

import tesuji
from examples import connect_four, tic_tac_toe  # noqa: F401


@pytest.mark.parametrize(
    ("game", "bot", "moves", "nodes", "choice"),
    [
        ("hex", "mcts:iterations=20000,exploration_floor=0,prover=off", "f6 d8", 6027, "e8"),
        (
            "hex:size=7",
            "mcts:iterations=5000,knowledge=off,rave=off,exploration_floor=0,prover=off",
            "d4",
            5001,
            "b5",
        ),
        (
            "hex:size=9,swap=on",
            "mcts:iterations=5000,rave=global,exploration_floor=0,prover=off,threat_response=game",
            "a2",
            1399,
            "f4",
        ),
        (
            "hex:size=5",
            "mcts:iterations=2000,playout_depth=3,prior_weight=0.5,exploration_floor=0,prover=off",
            "c3 b2",
            545,
            "d2",
        ),
        ("tictactoe", "mcts:iterations=5000", "", 5001, "b2"),
        ("connect_four", "mcts:iterations=5000,rave=node", "d d c", 5001, "e"),
        ("hex", "mcts:iterations=20000,prover=off", "f6 d8", 6018, "e8"),
        ("hex", "mcts:iterations=20000", "f6 d8", 6115, "e8"),
        ("hex", "mcts:iterations=20000,move_ordering=neighbours", "f6 d8", 5755, "e8"),
        ("hex:swap=on", "mcts:iterations=20000,exploration_floor=0,prover=off", "f6", 6109, "swap-pieces"),
    ],
)
def test_the_tree_of_a_fixed_seed_is_unchanged(
    game: str, bot: str, moves: str, nodes: int, choice: str
) -> None:
    state = tesuji.replay(game, moves)
    analysis = tesuji.bot(f"{bot},seed=1", tesuji.game(game)).analyse(state)
    assert (analysis.nodes, analysis.as_dict()["move"]) == (nodes, choice)
