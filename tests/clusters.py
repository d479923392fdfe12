"""Small Ray clusters on this machine, which end with the test."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

# Before ray is imported anywhere: its ports are open to this machine alone, and it tells nobody about us.
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

STORE_BYTES = 80 << 20


@contextmanager
def folder() -> Iterator[None]:
    """Where Ray may write. Its sockets need a short path, so pytest's own folders will not do."""
    before = os.environ.get("RAY_TMPDIR")
    path = Path(tempfile.mkdtemp(prefix="ray-", dir=tempfile.gettempdir()))
    (path / "ray").mkdir()  # as Ray names it; not every part of Ray makes it
    os.environ["RAY_TMPDIR"] = str(path)
    try:
        yield
    finally:
        if before is None:
            del os.environ["RAY_TMPDIR"]
        else:
            os.environ["RAY_TMPDIR"] = before
        shutil.rmtree(path, ignore_errors=True)


@contextmanager
def connected(cpus: int = 4) -> Iterator[str]:
    """A cluster of one node, to which this process belongs; gives its address."""
    import ray

    with folder():
        context: Any = ray.init(
            address="local",
            num_cpus=cpus,
            object_store_memory=STORE_BYTES,
            include_dashboard=False,
            log_to_driver=False,
            logging_level="ERROR",
        )
        try:
            yield context.address_info["gcs_address"]
        finally:
            ray.shutdown()


@contextmanager
def cluster(nodes: int = 2, cpus: int = 1) -> Iterator[Any]:
    """Several nodes, and a head without processors for work; this process does not belong to it."""
    from ray.cluster_utils import Cluster

    with folder():
        common = {"object_store_memory": STORE_BYTES, "include_dashboard": False}
        made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, **common})
        try:
            for _ in range(nodes):
                made.add_node(num_cpus=cpus, object_store_memory=STORE_BYTES)
            yield made
        finally:
            made.shutdown()
