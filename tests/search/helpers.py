"""What several tests of the search need."""

from typing import Any

import pytest

import tesuji
from examples.tic_tac_toe import TicTacToe, TicTacToeState
from tests.search.small_games import Rules
from tesuji.games.hex import HexState

RAVE = pytest.mark.parametrize("rave", ["off", "node", "global"])
SOLVER = pytest.mark.parametrize("solver", [True, False], ids=["solver", "no solver"])


def analyse(state: tesuji.State, players: int = 2, **options: Any) -> tesuji.Analysis:
    """Search a position of a Python game, or of Hex, with a fresh bot."""
    game = state.game if isinstance(state, HexState) else Rules(state, players)
    return tesuji.MCTS(game, **{"seed": 1, **options}).analyse(state)


def tree_of(analysis: tesuji.Analysis) -> object:
    """All that a search says of its tree."""
    candidates = [(c.move, c.visits, c.value, c.prior, tuple(c.line)) for c in analysis.candidates]
    return analysis.move, analysis.value, analysis.iterations, analysis.visits, analysis.nodes, candidates


def hex_state(size: int, moves: str) -> HexState:
    state = tesuji.replay(f"hex:size={size}", moves)
    assert isinstance(state, HexState)
    return state


def tic_tac_toe(moves: str) -> TicTacToeState:
    state = TicTacToe().start()
    for text in moves.split():
        state = state.play(state.parse(text))
    return state
