"""A node with another build of Tesuji is refused with one line, whatever differs."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import tesuji
from tests.arena.marks import needs_proc
from tests.cli.terminal import begin
from tests.clusters import STORE_BYTES, cluster
from tesuji import _core
from tesuji.scale.build_check import this_build

pytestmark = [pytest.mark.slow, needs_proc]

PATIENCE = 120.0  # seconds; nothing is measured by it
OUR_BUILD = str(this_build())
ALONE = """
import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in type(finder).__module__]
"""
"""The copy is found on the path, also where Tesuji is installed in place."""


def install(site: Path) -> None:
    """Another copy of this Tesuji."""
    package = site / "tesuji"
    shutil.copytree(Path(tesuji.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    core = Path(_core.__file__)
    shutil.copy(core, package / core.name)
    (site / "sitecustomize.py").write_text(ALONE)


def other_version(site: Path) -> None:
    module = site / "tesuji" / "__init__.py"
    ours = f'__version__ = "{tesuji.__version__}"'
    module.write_text(module.read_text().replace(ours, '__version__ = "9.9.9"'))


def other_file(site: Path) -> None:
    with (site / "tesuji" / "bots" / "random.py").open("a") as file:
        file.write("# not as it was\n")


def without_a_module(site: Path) -> None:
    (site / "tesuji" / "scale" / "cluster_actors.py").unlink()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (other_version, "has tesuji 9.9.9 ("),
        (other_file, f"has {OUR_BUILD.rpartition(' ')[0]} "),
        (without_a_module, " cannot create an actor: ModuleNotFoundError: "),
    ],
)
def test_a_node_that_runs_another_build_is_refused(
    change: Callable[[Path], None], said: str, tmp_path: Path
) -> None:
    install(tmp_path)
    change(tmp_path)
    with cluster(nodes=1) as nodes:
        nodes.add_node(num_cpus=1, object_store_memory=STORE_BYTES, env_vars={"PYTHONPATH": str(tmp_path)})
        where = f'ray:address="{nodes.address}",workers=2'
        match = ("match", "hex:size=4", "mcts:iterations=2000", "random", "--games", "400", "--on", where)
        process = begin(*match, "--store", str(tmp_path / "games.db"))
        output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, output, errors.count("\n")) == (2, "", 1), errors
    assert errors.startswith("tesuji: ") and said in errors
    assert errors.endswith(": install the same on every node\n")
    assert "the node at " in errors or f", and this program is {OUR_BUILD}: " in errors
