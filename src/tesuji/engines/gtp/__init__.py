"""GTP in both directions: `GtpEngine` and `serve` offer a bot as an engine, `GtpBot` drives any engine."""

from tesuji.engines.gtp import hexgui, placement  # noqa: F401  # register their commands
from tesuji.engines.gtp.bot import GtpBot
from tesuji.engines.gtp.engine import GtpEngine
from tesuji.engines.process import EngineError
from tesuji.engines.server import serve

__all__ = ["EngineError", "GtpBot", "GtpEngine", "serve"]
