"""Resource limits of the server."""

from __future__ import annotations

from dataclasses import dataclass

from tesuji.options import Options, option
from tesuji.scale import cores


@dataclass(frozen=True, kw_only=True)
class ServerLimits(Options):
    """Resource limits of a server: `ServerLimits(workers=2, seconds=10)`."""

    workers: int = option(0, "search processes; 0: the number of processors plus one", minimum=0, maximum=256)
    queued: int = option(1000, "queued searches, for quick and long ones each", minimum=1)
    seconds: float = option(60.0, "seconds per search", minimum=0.1)
    iterations: int = option(
        2_000_000, "simulations or positions per search that a page may request", minimum=1
    )
    threads: int = option(1, "threads per search", minimum=1, maximum=256)
    memory: int = option(256, "MiB for the tree or table of one search", minimum=1)
    process_memory: int = option(4096, "MiB that a worker process may allocate", minimum=256)
    tables: int = option(1000, "tables in memory; others are in the store only", minimum=1)
    idle_seconds: float = option(120.0, "seconds until an unwatched table is unloaded from memory", minimum=1)
    stored_tables: int = option(20_000, "tables in the store; the oldest are deleted", minimum=1)
    body_bytes: int = option(256 * 1024, "bytes per request body", minimum=1024)
    frame_bytes: int = option(4096, "bytes per WebSocket frame from a page", minimum=64)
    connections: int = option(1200, "concurrent connections", minimum=4)
    subscribers: int = option(50, "live connections per table", minimum=1)
    moves: int = option(2000, "moves per game", minimum=10)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.workers:
            object.__setattr__(self, "workers", cores() + 1)
