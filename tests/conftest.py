"""What tests of several rooms need."""

import os
import sys

# Tests start hundreds of processes: without bytecode, each compiles the package again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# Before numpy and torch are imported; child processes inherit it. The workers take all cores already,
# and idle threads of these libraries spin: a fit took 9 s of processor time instead of 2.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import children
from tests.clusters import connected
from tests.games.onitama_positions import OX
from tesuji.games.onitama import Tablebase


def pytest_configure() -> None:
    sys.dont_write_bytecode = False  # without bytecode, each worker compiles all tests
    children.let_ctrl_c_through()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put tests that need a cluster side by side, so that one of the worker processes starts it."""

    def alone(item: pytest.Item) -> bool:
        return "one_node" not in getattr(item, "fixturenames", ()) and "[ray:" not in item.name

    items.sort(key=alone)


@pytest.fixture(autouse=True, scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home folder for what libraries and browsers write unasked; the user's own stays as it is."""
    folder = tmp_path_factory.mktemp("home")
    places = {
        "HOME": "",
        "XDG_CACHE_HOME": ".cache",
        "XDG_CONFIG_HOME": ".config",
        "XDG_DATA_HOME": ".local/share",
        "XDG_STATE_HOME": ".local/state",
        "IPYTHONDIR": ".ipython",
        "JUPYTER_CONFIG_DIR": ".jupyter",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, place in places.items():
            patch.setenv(name, str(folder / place))
        yield folder


@pytest.fixture(autouse=True)
def _no_child_outlives_its_test() -> Iterator[None]:
    yield
    children.kill_all()


@pytest.fixture(scope="session")
def four_men(tmp_path_factory: pytest.TempPathFactory) -> Tablebase:
    """All positions of one set of cards with at most four men."""
    return Tablebase.build(OX, 4, tmp_path_factory.mktemp("tablebase") / "four.tb")


@pytest.fixture
def two_men(tmp_path: Path) -> Path:
    """A small tablebase: masters only."""
    path = tmp_path / "two.tb"
    Tablebase.build(OX, 2, path)
    return path


@pytest.fixture(scope="session")
def one_node() -> Iterator[str]:
    """A Ray cluster of one node with four processors, to which this process belongs; its address."""
    pytest.importorskip("ray")
    if children.SANITIZED:
        pytest.skip("Ray's own processes do not live with the sanitizer")
    with connected() as address:
        yield address
