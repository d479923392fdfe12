"""How much the server does at once, and how long anything may be."""

from __future__ import annotations

from dataclasses import dataclass

from tesuji.options import Options, option
from tesuji.scale import cores


@dataclass(frozen=True, kw_only=True)
class Limits(Options):
    """What a server allows: `Limits(workers=2, seconds=10)`."""

    workers: int = option(0, "processes that search; 0: one more than processors", minimum=0, maximum=256)
    waiting: int = option(1000, "searches that may wait, quick and long ones each", minimum=1)
    seconds: float = option(60.0, "for one search", minimum=0.1)
    iterations: int = option(
        2_000_000, "simulations or positions of one search that a page asks for", minimum=1
    )
    memory: int = option(256, "MiB for the tree or table of one search", minimum=1)
    process_memory: int = option(4096, "MiB for one worker process", minimum=256)
    tables: int = option(1000, "tables in memory; others wait in the store", minimum=1)
    idle: float = option(120.0, "seconds until a table that nobody looks at leaves memory", minimum=1)
    kept: int = option(20_000, "tables in the store; the oldest go", minimum=1)
    body: int = option(256 * 1024, "bytes of a request", minimum=1024)
    frame: int = option(4096, "bytes of a frame that a page sends", minimum=64)
    connections: int = option(1200, "at once", minimum=4)
    per_address: int = option(
        100, "connections of one address at once, where others can reach the server; 0: no limit", minimum=0
    )
    watchers: int = option(50, "live connections of one table", minimum=1)
    moves: int = option(2000, "moves of a game", minimum=10)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.workers:
            object.__setattr__(self, "workers", cores() + 1)
