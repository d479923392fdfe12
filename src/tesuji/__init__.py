"""Tesuji: write the rules of a board game once, and get opponents that search, learn and can be measured.

>>> import tesuji
>>> game = tesuji.game("hex:size=5")
>>> bot = tesuji.bot("mcts:iterations=1000,seed=1", game)
>>> state = game.start().play(bot.choose(game.start()))
>>> state.player
1
"""

from tesuji.registry import bots as _bots
from tesuji.registry import games as _games
from tesuji.registry import register_bot, register_game, spec_of

_games.register_lazily("hex", "tesuji.games.hex:Hex")
_games.register_lazily("gomoku", "tesuji.games.gomoku:Gomoku")
_games.register_lazily("onitama", "tesuji.games.onitama:Onitama")
_games.register_lazily("gofish", "tesuji.games.gofish:GoFish")
_bots.register_lazily("mcts", "tesuji.search:MCTS")
_bots.register_lazily("alphabeta", "tesuji.search:AlphaBeta")
_bots.register_lazily("zero", "tesuji.search.zero:Zero")
_bots.register_lazily("greedy", "tesuji.bots.greedy:GreedyBot")
_bots.register_lazily("random", "tesuji.bots:RandomBot")
_bots.register_lazily("careful", "tesuji.games.gofish.careful:CarefulBot")
_bots.register_lazily("easy", "tesuji.bots.levels:Easy")
_bots.register_lazily("medium", "tesuji.bots.levels:Medium")
_bots.register_lazily("hard", "tesuji.bots.levels:Hard")
_bots.register_lazily("expert", "tesuji.bots.levels:Expert")
_bots.register_lazily("gtp", "tesuji.engines.gtp:GtpBot")
_bots.register_lazily("gomocup", "tesuji.engines.gomocup:GomocupBot")

from tesuji import games  # noqa: E402
from tesuji.bots import Bot, RandomBot, bot  # noqa: E402
from tesuji.check import check_game  # noqa: E402
from tesuji.game import CHANCE, Game, Move, State, game, replay  # noqa: E402
from tesuji.knowledge import Knowledge, Objective, Objectives, Threat  # noqa: E402
from tesuji.search import MCTS, AlphaBeta, Analysis, Candidate  # noqa: E402

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "MCTS",
    "AlphaBeta",
    "Analysis",
    "Bot",
    "Candidate",
    "Game",
    "Knowledge",
    "Move",
    "Objective",
    "Objectives",
    "RandomBot",
    "State",
    "Threat",
    "bot",
    "check_game",
    "game",
    "games",
    "register_bot",
    "register_game",
    "replay",
    "spec_of",
]
