"""Stepping through a recorded game at the terminal."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.text import Text

from tesuji.cli.record_views import console, end_text, show_board, show_header
from tesuji.records.store import StoredRecord
from tesuji.records.verification import Replayed

FORWARD = {"", "\r", "\n", " ", "n", "\x1b[C", "\x1bOC", "\x1b[B", "\x1bOB"}  # also the arrows right and down
BACK = {"b", "p", "\x7f", "\x1b[D", "\x1bOD", "\x1b[A", "\x1bOA"}
FIRST = {"g", "\x1b[H", "\x1bOH", "\x1b[1~"}
LAST = {"G", "\x1b[F", "\x1bOF", "\x1b[4~"}
QUIT = {"q", "Q", "\x04"}
ONE_KEY = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Z]|.", re.DOTALL)
KEYS = "Enter or →: next · b or ←: back · g, G: first, last · q: quit"


def replay(stored: StoredRecord, game: Replayed) -> None:
    """Show positions one at a time, controlled by keys."""
    out = console()
    ply, last = 0, len(game.positions) - 1
    with _keys() as keys:
        while True:
            out.clear()
            show_header(out, stored, game)
            show_board(out, stored, game, ply)
            if ply == last:
                out.print(Text(end_text(stored.record, game), "bold"))
            out.print(Text(KEYS, "dim"))
            key = next(keys, "q")
            if key in QUIT:
                return
            if key in FORWARD:
                ply = min(ply + 1, last)
            elif key in BACK:
                ply = max(ply - 1, 0)
            elif key in FIRST:
                ply = 0
            elif key in LAST:
                ply = last


@contextmanager
def _keys() -> Iterator[Iterator[str]]:
    """Keys as they are pressed; lines on terminals without that. Ctrl-C still interrupts."""
    try:
        import termios
        import tty
    except ImportError:
        yield (line.strip() for line in sys.stdin)
        return
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)
        yield _pressed(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _pressed(terminal: int) -> Iterator[str]:
    """Single keys, also if several arrive at once; ends with the input."""
    while data := os.read(terminal, 64):
        yield from ONE_KEY.findall(data.decode(errors="replace"))
