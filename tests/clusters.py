"""Ray clusters for tests: small, on this machine alone, and gone afterwards."""

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
def folder() -> Iterator[Path]:
    """Where Ray may write. Its sockets need a short path, so pytest's own folders will not do."""
    path = Path(tempfile.mkdtemp(prefix="ray-", dir=tempfile.gettempdir()))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextmanager
def connected(cpus: int = 4) -> Iterator[str]:
    """A cluster of one node, to which this process belongs; gives its address."""
    import ray

    with folder() as path:
        context: Any = ray.init(
            address="local",
            num_cpus=cpus,
            object_store_memory=STORE_BYTES,
            include_dashboard=False,
            log_to_driver=False,
            logging_level="ERROR",
            _temp_dir=str(path),
        )
        try:
            yield context.address_info["gcs_address"]
        finally:
            ray.shutdown()


@contextmanager
def cluster(nodes: int = 2, cpus: int = 1) -> Iterator[Any]:
    """Several nodes, and a head without processors for work; this process does not belong to it."""
    from ray.cluster_utils import Cluster

    with folder() as path:
        common = {"object_store_memory": STORE_BYTES, "include_dashboard": False}
        made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "temp_dir": str(path), **common})
        try:
            for _ in range(nodes):
                made.add_node(num_cpus=cpus, object_store_memory=STORE_BYTES)
            yield made
        finally:
            made.shutdown()
