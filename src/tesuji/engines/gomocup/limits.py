"""A manager's limits as bot options: nodes, depth, threads and memory.

Options that the bot lacks are skipped. Limits in the bot's own spec still apply; memory never exceeds its
default.
"""

from __future__ import annotations

from tesuji.engines.gomocup.info import Info
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
    """The bot's spec with these limits; 0 or less means none.

    >>> str(limited(Spec("mcts"), Info(max_node=1000, thread_num=2, max_depth=4)))
    'mcts:iterations=1000,threads=2'
    >>> str(limited(Spec.parse("mcts:iterations=50"), Info(max_node=1000)))
    'mcts:iterations=50'
    """
    given: dict[str, str] = {}
    options = {option.name: option for option in bots.describe(spec.name)}
    for key, names in LIMITS.items():
        limit: int = getattr(info, key) or 0
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
