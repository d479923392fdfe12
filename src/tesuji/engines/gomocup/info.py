"""What a manager tells by `INFO key value`: limits, the rule, and much that can be ignored."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tesuji.clipping import clip
from tesuji.engines.gomocup.protocol import UNLIMITED

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)


@dataclass
class Info:
    """All that was told, as it was told; None where nothing was.

    >>> info = Info()
    >>> info.set("timeout_turn 5000")
    True
    >>> info.set("colour blue"), info.timeout_turn
    (False, 5000)
    """

    timeout_turn: int | None = None
    """Milliseconds for a move; 0: as fast as possible."""
    timeout_match: int | None = None
    """Milliseconds for all moves of a game; 0: no limit."""
    time_left: int | None = None
    """What is left of these before a move; negative where it is over."""
    max_memory: int | None = None
    """Bytes; 0: no limit."""
    game_type: int | None = None
    """0 against a person, 1 against a program, 2 in a tournament, 3 in one over a network."""
    rule: int | None = None
    """A sum of 1 exactly five, 2 continuous play, 4 renju, 8 caro."""
    max_node: int | None = None
    max_depth: int | None = None
    thread_num: int | None = None

    def set(self, argument: str) -> bool:
        """Take a key and its value in; False where the key means nothing to us, ValueError for bad values."""
        key, _, value = argument.partition(" ")
        key, value = key.lower(), value.strip()
        if not key:
            raise ValueError("expected INFO key value")
        if key not in vars(self):
            return False
        if not _INTEGER.fullmatch(value):
            raise ValueError(f"INFO {key} takes a whole number, not {clip(value)}")
        number = int(value)
        if number < 0 and key in ("timeout_turn", "timeout_match", "max_memory", "rule"):
            raise ValueError(f"INFO {key} cannot be negative, and {number} is")
        setattr(self, key, number)
        return True

    @property
    def match_time(self) -> int | None:
        """Milliseconds that are left for the game, None where there is no such limit."""
        if self.time_left is not None:
            return None if self.time_left >= UNLIMITED else self.time_left
        return self.timeout_match or None
