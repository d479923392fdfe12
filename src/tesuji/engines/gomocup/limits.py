"""A manager's limits: the settings that it sends, as options of the bot, and as time for a move.

A manager measures time from its command to our answer, including pipes and threads; the time manager of
`tesuji.bots.timing` learns this overhead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tesuji._helpers.clipping import clip
from tesuji.bots.timing import TimeManager
from tesuji.engines.gomocup.protocol import UNLIMITED
from tesuji.full_game import FullGame
from tesuji.options import OptionInfo
from tesuji.registry import bots
from tesuji.spec import Spec

PROCESS_MIB = 64  # the process without the tree; 58 measured, where a limit had replaced zero by mcts
SMALLEST_WITH_NETWORK_MIB = 96  # less leaves a network too small a tree
WITHOUT_NETWORK = "mcts"

LIMITS = {
    "max_node": ("nodes", "iterations"),
    "max_depth": ("depth",),
    "thread_num": ("threads",),
    "max_memory": ("memory",),
}

AT_ONCE = 0.01  # seconds, where the manager wants a move as fast as possible

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)


@dataclass
class Info:
    """The settings that a manager sends as `INFO key value`; None where not set, unknown keys are ignored.

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


def default_bot(game: FullGame, info: Info) -> Spec:
    """The game's default bot; `mcts` in place of one with a network that exceeds the memory limit.

    >>> from tesuji.games import Gomoku
    >>> str(default_bot(Gomoku(size=5), Info())), str(default_bot(Gomoku(), Info(max_memory=80 << 20)))
    ('mcts', 'mcts')
    """
    spec = Spec.parse(game.default_bot)
    too_small = bool(info.max_memory) and (info.max_memory or 0) >> 20 < SMALLEST_WITH_NETWORK_MIB
    return Spec(WITHOUT_NETWORK) if too_small and bots.has_option(spec.name, "net") else spec


def limited(spec: Spec, info: Info) -> Spec:
    """The bot's spec with these limits; 0 or less means none, and options that the bot lacks are skipped.

    Limits in the bot's own spec still apply; memory never exceeds its default.

    >>> str(limited(Spec("mcts"), Info(max_node=1000, thread_num=2, max_depth=4)))
    'mcts:iterations=1000,threads=2'
    >>> str(limited(Spec.parse("mcts:iterations=50"), Info(max_node=1000)))
    'mcts:iterations=50'
    """
    given: dict[str, str] = {}
    options = {option.name: option for option in bots.describe(spec.name)}
    for key, names in LIMITS.items():
        limit: int = vars(info)[key] or 0
        for name in names:
            if limit > 0 and name in options:
                given[name] = _within(limit, spec, options[name])
    return spec.with_options(given)


def _within(limit: int, spec: Spec, option: OptionInfo) -> str:
    own = spec.options.get(option.name)
    if option.name != "memory":
        return _smaller(limit, own)
    return _smaller(max(1, (limit >> 20) - PROCESS_MIB), own or option.default)


def _smaller(limit: int, own: str | None) -> str:
    try:
        return own if own is not None and float(own) <= limit else str(limit)
    except ValueError:  # "off": no limit of its own
        return str(limit)


class GomocupClock(TimeManager):
    """Allots time: `GomocupClock().budget(Info(timeout_turn=1000), moves=12)` is a bit less than 1."""

    def budget(self, info: Info, moves: float) -> float | None:
        """Seconds for a move, with `moves` still expected; None without a limit."""
        limits = []
        if info.timeout_turn == 0:
            limits.append(AT_ONCE)
        elif info.timeout_turn is not None:
            limits.append(self.for_move(info.timeout_turn / 1000))
        if info.match_time is not None:
            limits.append(self.for_game(info.match_time / 1000, moves))
        return min(limits, default=None)
