"""A manager's limits as bot options: nodes, depth, threads and memory.

Options that the bot lacks are skipped. Limits in the bot's own spec still apply; memory never exceeds its
default.
"""

from __future__ import annotations

from collections.abc import Mapping

from tesuji.engines.gomocup.info import Info
from tesuji.game import Game
from tesuji.options import OptionInfo
from tesuji.registry import bots
from tesuji.search.zero import BATCH
from tesuji.spec import Spec

PROCESS_MIB = 56  # the process without the bot's search, with the learned value and prior; 47 measured
NETWORK_PROCESS_MIB = 76  # with onnxruntime and a network like gomoku; 73 measured
NETWORK_FREED_MIB = 78  # after a network was used and freed: onnxruntime stays; 76 measured
LEAF_MIB = 3  # such a network, per position of a batch; 2 measured
SMALLEST_WITH_NETWORK_MIB = 96  # less leaves a network too small a tree
WITHOUT_NETWORK = "mcts"

LIMITS = {
    "max_node": ("nodes", "iterations"),
    "max_depth": ("depth",),
    "thread_num": ("threads",),
    "max_memory": ("memory",),
}


def default_bot(game: Game, info: Info) -> Spec:
    """The game's default bot; `mcts` in place of one with a network that exceeds the memory limit.

    >>> from tesuji.games import Gomoku
    >>> str(default_bot(Gomoku(size=5), Info())), str(default_bot(Gomoku(), Info(max_memory=80 << 20)))
    ('mcts', 'mcts')
    """
    spec = Spec.parse(getattr(game, "default_bot", WITHOUT_NETWORK))
    too_small = bool(info.max_memory) and (info.max_memory or 0) >> 20 < SMALLEST_WITH_NETWORK_MIB
    return Spec(WITHOUT_NETWORK) if too_small and bots.has_option(spec.name, "net") else spec


def limited(spec: Spec, info: Info, *, network_loaded: bool = False) -> Spec:
    """The bot's spec with these limits; 0 or less means none.

    With `network_loaded`, the process has used a network before, and onnxruntime stays in memory.

    >>> str(limited(Spec("mcts"), Info(max_node=1000, thread_num=2, max_depth=4)))
    'mcts:iterations=1000,threads=2'
    >>> str(limited(Spec.parse("mcts:iterations=50"), Info(max_node=1000)))
    'mcts:iterations=50'
    """
    given: dict[str, str] = {}
    process = NETWORK_FREED_MIB if network_loaded else PROCESS_MIB
    options = {option.name: option for option in bots.describe(spec.name)}
    for key, names in LIMITS.items():
        limit: int = getattr(info, key) or 0
        for name in names:
            if limit > 0 and name in options:
                given[name] = _within(limit, spec, options[name], process)
    if info.max_memory and info.max_memory > 0 and "net" in options:
        given |= _with_network(info.max_memory >> 20, spec, options)
    return spec.with_options(given)


def _with_network(limit: int, spec: Spec, options: Mapping[str, OptionInfo]) -> dict[str, str]:
    """MiB for the tree, and a batch that takes at most half of the memory beside the network."""
    room = limit - NETWORK_PROCESS_MIB
    batch = _smaller(max(1, room // 2 // LEAF_MIB), spec.options.get("batch", str(BATCH)))
    tree = max(1, room - int(batch) * LEAF_MIB)
    return {"batch": batch, "memory": _smaller(tree, spec.options.get("memory", options["memory"].default))}


def _within(limit: int, spec: Spec, option: OptionInfo, process: int) -> str:
    own = spec.options.get(option.name)
    if option.name != "memory":
        return _smaller(limit, own)
    return _smaller(max(1, (limit >> 20) - process), own or option.default)


def _smaller(limit: int, own: str | None) -> str:
    try:
        return own if own is not None and float(own) <= limit else str(limit)
    except ValueError:  # "off": no limit of its own
        return str(limit)
