"""Tesuji, a board-game AI toolkit: games, searching and learning bots, and an arena to measure them.

>>> import tesuji
>>> game = tesuji.game("hex:size=5")
>>> bot = tesuji.bot("mcts:iterations=1000,seed=1", game)
>>> state = game.start().play(bot.choose(game.start()))
>>> state.player
1
"""

import sys as _sys
from typing import TYPE_CHECKING

from tesuji.registry import bots as _bots
from tesuji.registry import games as _games
from tesuji.registry import register_bot, register_game, spec_of

_games.register_lazily("hex", "tesuji.games.hex:Hex")
_games.register_lazily("gomoku", "tesuji.games.gomoku:Gomoku")
_games.register_lazily("onitama", "tesuji.games.onitama:Onitama")
_games.register_lazily("gofish", "tesuji.games.gofish:GoFish")
_games.register_lazily("openspiel", "tesuji.games.openspiel:OpenSpiel", foreign=True)
_bots.register_lazily("mcts", "tesuji.search:MCTS")
_bots.register_lazily("alphabeta", "tesuji.search:AlphaBeta")
_bots.register_lazily("zero", "tesuji.search.zero:Zero")
_bots.register_lazily("greedy", "tesuji.bots.greedy:GreedyBot")
_bots.register_lazily("heuristic", "tesuji.bots.heuristic:HeuristicBot")
_bots.register_lazily("random", "tesuji.bots:RandomBot")
_bots.register_lazily("careful", "tesuji.games.gofish.careful:CarefulBot")
_bots.register_lazily("easy", "tesuji.bots.levels:Easy")
_bots.register_lazily("medium", "tesuji.bots.levels:Medium")
_bots.register_lazily("hard", "tesuji.bots.levels:Hard")
_bots.register_lazily("expert", "tesuji.bots.levels:Expert")
_bots.register_lazily("gtp", "tesuji.engines.gtp:GtpBot")
_bots.register_lazily("gomocup", "tesuji.engines.gomocup:GomocupBot")

if TYPE_CHECKING:
    from tesuji import bots, games, records, search
    from tesuji.any_game import CHANCE, FullGame, FullState, Game, Move, State, game, position, replay
    from tesuji.arena.contests import MatchResult, TournamentResult, match, tournament
    from tesuji.bots import Bot, FullBot, RandomBot, bot
    from tesuji.check import check_game
    from tesuji.knowledge import Knowledge, Objective, Objectives, Threat
    from tesuji.search import MCTS, AlphaBeta, Analysis, Candidate, Zero

__version__ = "0.2.0"

__all__ = [
    "CHANCE",
    "MCTS",
    "AlphaBeta",
    "Analysis",
    "Bot",
    "Candidate",
    "FullBot",
    "FullGame",
    "FullState",
    "Game",
    "Knowledge",
    "MatchResult",
    "Move",
    "Objective",
    "Objectives",
    "RandomBot",
    "State",
    "Threat",
    "TournamentResult",
    "Zero",
    "bot",
    "bots",
    "check_game",
    "game",
    "games",
    "match",
    "position",
    "records",
    "register_bot",
    "register_game",
    "replay",
    "search",
    "spec_of",
    "tournament",
]

_SUBMODULES = ("bots", "games", "records", "search")
_LAZY = {"check_game": "check"}
_LAZY |= dict.fromkeys(
    ("CHANCE", "FullGame", "FullState", "Game", "Move", "State", "game", "position", "replay"), "any_game"
)
_LAZY |= dict.fromkeys(("Bot", "FullBot", "RandomBot", "bot"), "bots")
_LAZY |= dict.fromkeys(("Knowledge", "Objective", "Objectives", "Threat"), "knowledge")
_LAZY |= dict.fromkeys(("match", "tournament"), "arena.contests")
_LAZY |= dict.fromkeys(("MatchResult", "TournamentResult"), "arena.contests")
_LAZY |= dict.fromkeys(("MCTS", "AlphaBeta", "Analysis", "Candidate", "Zero"), "search")


def __getattr__(name: str) -> object:
    """Import a submodule, or a name from one, on first use."""
    from importlib import import_module

    if name in _SUBMODULES:
        return import_module(f"{__name__}.{name}")
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


if "IPython" in _sys.modules:
    from tesuji._helpers import notebook as _notebook

    _notebook.enable()
