"""The settings that a manager sends as `INFO key value`: limits and the rule; unknown keys are ignored."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tesuji._helpers.clipping import clip
from tesuji.engines.gomocup.protocol import UNLIMITED

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)


@dataclass
class Info:
    """The settings as received; None where not set.

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
    """Milliseconds left of these before a move; negative when overrun."""
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
        """Set a key; False for an unknown key, ValueError for a bad value."""
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
            raise ValueError(f"INFO {key} must be at least 0, not {number}")
        setattr(self, key, number)
        return True

    @property
    def match_time(self) -> int | None:
        """Milliseconds left for the game, None without a limit."""
        if self.time_left is not None:
            return None if self.time_left >= UNLIMITED else self.time_left
        return self.timeout_match or None
