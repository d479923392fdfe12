"""The searches' Python face: their options, and what they find."""

from tesuji.search.alphabeta import AlphaBeta, AlphaBetaOptions
from tesuji.search.analysis import Analysis, Candidate
from tesuji.search.mcts import MCTS, MCTSOptions

__all__ = ["MCTS", "AlphaBeta", "AlphaBetaOptions", "Analysis", "Candidate", "MCTSOptions"]
