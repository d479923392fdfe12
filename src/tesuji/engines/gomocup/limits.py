"""What a manager's limits mean for a bot: nodes, depth, threads and memory become options of its spec.

A bot gets what it can be told. What its own spec says stays its limit; memory is never more than its default.
"""

from __future__ import annotations

from tesuji.engines.gomocup.info import Info
from tesuji.options import OptionInfo
from tesuji.registry import bots
from tesuji.spec import Spec

OURSELVES = 64  # MiB that the process takes without the bot's search

LIMITS = {
    "max_node": ("nodes", "iterations"),
    "max_depth": ("depth",),
    "thread_num": ("threads",),
    "max_memory": ("memory",),
}


def limited(spec: Spec, info: Info) -> Spec:
    """The bot's spec within these limits; 0 and less mean none.

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
    if option.name == "memory":
        limit = max(1, (limit >> 20) - OURSELVES)
        own = own or option.default
    try:
        return own if own is not None and float(own) <= limit else str(limit)
    except ValueError:  # "off": there is none of its own
        return str(limit)
