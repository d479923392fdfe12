"""`pbrain-tesuji`, the name that Gomocup managers look for; with options it is `tesuji engine gomocup`.

Managers start an engine to ask it who it is, and do not wait long: the command line is imported only where
there is something to read on it.
"""

from __future__ import annotations

import sys

INTERRUPTED = 130  # the exit code after Ctrl-C


def main() -> int:
    """Be an engine at the standard input and output."""
    if sys.argv[1:]:
        from tesuji.cli import main as command_line
        from tesuji.cli.app import pbrain

        return command_line(sys.argv[1:], commands=pbrain(), program="pbrain-tesuji")

    from tesuji.engines.gomocup.engine import GomocupEngine
    from tesuji.engines.server import serve

    engine = GomocupEngine()
    engine.exits = True
    try:
        serve(engine)
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0
