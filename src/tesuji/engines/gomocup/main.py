"""`pbrain-tesuji`, the program for Gomocup managers; with options it is `tesuji engine gomocup`.

Managers start an engine to ask for its name and do not wait long, so the command line is imported only if
there are options.
"""

from __future__ import annotations

import sys

INTERRUPTED = 130  # the exit code after Ctrl-C


def main() -> int:
    """Run the engine on standard input and output."""
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
