"""The Gomocup protocol both ways: `GomocupEngine` makes a bot an engine, `GomocupBot` an engine a bot."""

from tesuji.engines.gomocup.bot import GomocupBot
from tesuji.engines.gomocup.engine import GomocupEngine
from tesuji.engines.process import EngineError

__all__ = ["EngineError", "GomocupBot", "GomocupEngine"]
