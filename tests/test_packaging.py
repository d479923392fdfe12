"""What surrounds the package: its version, its README on PyPI, and the choice of tests for a change."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import tesuji

ROOT = Path(__file__).resolve().parent.parent


def load(name: str) -> ModuleType:
    """A script of `.ci`, which is no package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / ".ci" / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_version_is_the_same_everywhere() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {tesuji.__version__}\n" in citation
    assert f"\n## [{tesuji.__version__}] - " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_readme_on_pypi_has_absolute_links_only() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    links = len(re.findall(r"\]\((?!#)", page))
    for rule in project["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]:
        page = re.sub(rule["pattern"], rule["replacement"], page)
    assert len(re.findall(r"\]\(https://", page)) == links > 20
    images = re.findall(r"!\[[^\]]*\]\(([^)]*)\)", page)
    assert images and all(image.startswith("https://raw.githubusercontent.com/") for image in images)
    for address in re.findall(r"/(?:blob/)?main/([^)#]+)", page):
        assert (ROOT / address).exists(), address


@pytest.mark.parametrize(
    ("file", "tests"),
    [
        ("src/tesuji/arena/elo.py", ["tests/arena/test_elo.py"]),
        ("src/tesuji/spec.py", ["tests/test_spec.py"]),
        ("tests/bots/test_levels.py", ["tests/bots/test_levels.py"]),
        ("docs/search.md", ["tests/test_docs.py"]),
        ("LICENSE", []),
    ],
)
def test_a_change_runs_the_tests_that_mirror_it(file: str, tests: list[str]) -> None:
    assert list(load("changed").tests_of(file)) == tests


def test_a_change_of_native_code_runs_the_tests_of_its_game() -> None:
    found = list(load("changed").tests_of("src/core/games/hex/solver.cpp"))
    assert "tests/games/test_hex_solver.py" in found
    assert all("test_hex_" in test for test in found)


def test_every_source_file_has_tests() -> None:
    tests_of = load("changed").tests_of
    sources = [*(ROOT / "src").rglob("*.cpp"), *(ROOT / "src/tesuji").rglob("*/*.py")]
    without = [path for path in sources if not list(tests_of(str(path.relative_to(ROOT))))]
    assert [path.name for path in without] == []
