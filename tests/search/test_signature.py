"""The signature of the search: seed and iterations fix the tree, so its size and choice are pinned.

A change here is a change of play: it needs a commit that says so, and why.
"""

from __future__ import annotations

import pytest

import tesuji
from examples import connect_four, tic_tac_toe  # noqa: F401


@pytest.mark.parametrize(
    ("game", "bot", "moves", "nodes", "choice"),
    [],
)
def test_the_tree_is_what_it_was(game: str, bot: str, moves: str, nodes: int, choice: str) -> None:
    state = tesuji.replay(game, moves)
    analysis = tesuji.bot(f"{bot},seed=1", tesuji.game(game)).analyse(state)  # type: ignore[attr-defined]
    assert (analysis.nodes, analysis.as_dict()["move"]) == (nodes, choice)
