"""GTP both ways: `GtpEngine` and `serve` make a bot an engine for others, `GtpBot` makes any engine a bot."""

from tesuji.engines.gtp import hexgui  # noqa: F401  # its commands
from tesuji.engines.gtp.bot import GtpBot
from tesuji.engines.gtp.engine import GtpEngine
from tesuji.engines.process import EngineError
from tesuji.engines.server import serve

__all__ = ["EngineError", "GtpBot", "GtpEngine", "serve"]
