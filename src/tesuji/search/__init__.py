"""The searches: their options and results. The algorithms are native (`src/core/search`)."""

from tesuji.search.alphabeta import AlphaBeta, AlphaBetaOptions
from tesuji.search.analysis import Analysis, Candidate
from tesuji.search.mcts import MCTS, MCTSOptions
from tesuji.search.zero import Zero, ZeroOptions

__all__ = [
    "MCTS",
    "AlphaBeta",
    "AlphaBetaOptions",
    "Analysis",
    "Candidate",
    "MCTSOptions",
    "Zero",
    "ZeroOptions",
]


def __dir__() -> list[str]:
    return __all__
