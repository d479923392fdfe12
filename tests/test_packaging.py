"""What surrounds the package: its version, its README on PyPI, and the choice of tests for a change."""

from __future__ import annotations

import importlib.util
import os
import pty
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import tesuji
from tesuji._helpers.extras import DISTRIBUTION

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


FOREIGN_NAME = re.compile(
    r"""(?ix)
    \b(?:pip\d?|pipx|uv|uvx)\ (?![^\n]*\buninstall\b)[^\n`;&|#]*?(?<![\w/.])tesuji(?![\w-])
    | (?<![\w-])tesuji(?:\[(?:board|zero|learn|all|train|ray|openspiel|envs|test|lint|docs|bench)\b|==|>=|~=)
    | pypi\.org/(?:p|project)/tesuji(?!-ai\b)
    | \bversion\(["']tesuji["']\)
    """
)
"""What asks pip for `tesuji`, which is somebody else's program on PyPI; ours is `tesuji-ai`."""


def tracked_texts() -> list[tuple[str, str]]:
    """(path, text) for every text file that git tracks."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True, check=True)
    found = []
    for name in filter(None, listed.stdout.split("\0")):
        data = (ROOT / name).read_bytes() if (ROOT / name).is_file() else b"\0"
        if b"\0" not in data:
            found.append((name, data.decode("utf-8", errors="replace")))
    return found


def test_nothing_tells_a_reader_to_install_the_other_tesuji() -> None:
    texts = tracked_texts()
    assert len(texts) > 100
    own = Path(__file__).name
    found = [(name, match[0]) for name, text in texts for match in FOREIGN_NAME.finditer(text)]
    assert [one for one in found if not one[0].endswith(own)] == []


@pytest.mark.parametrize(
    ("line", "foreign"),
    [
        ("pip install tesuji", True),
        ('pip install -U "tesuji"', True),
        ("uvx tesuji serve", True),
        ("python -m pip install numpy tesuji", True),
        ('needs "tesuji[zero]"', True),
        ("url: https://pypi.org/p/tesuji", True),
        ('pip install "tesuji-ai[zero]"', False),
        ("`pip install .` and then `tesuji serve --open`", False),
        ("pip install ./tesuji", False),
        ("pip install . && tesuji serve", False),
    ],
)
def test_the_other_tesuji_is_recognised(line: str, foreign: bool) -> None:
    assert bool(FOREIGN_NAME.search(line)) == foreign


def test_the_distribution_has_a_name_of_its_own() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["name"] == DISTRIBUTION == "tesuji-ai"
    assert project["scripts"]["tesuji"] == "tesuji.cli:main"
    release = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    assert f"https://pypi.org/p/{DISTRIBUTION}\n" in release


BUILD = """
import sys
for step in (1, 2):
    print(f"  [{step}/2] Building CXX object core/mcts_{step}.cpp.o")
print("a warning")
sys.exit(int(sys.argv[1]))
"""


def progress(code: str, stdout: int = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / ".ci/progress.py"), sys.executable, "-c", BUILD, code]
    return subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=60)


def test_a_build_that_works_is_quiet_and_one_that_fails_prints_everything() -> None:
    works, fails = progress("0"), progress("3")
    assert (works.returncode, works.stdout, works.stderr) == (0, "", "")
    assert (fails.returncode, fails.stdout) == (3, "")
    assert "core/mcts_1.cpp.o" in fails.stderr and fails.stderr.endswith("a warning\n")


def test_a_terminal_shows_every_step_of_a_build_on_one_line() -> None:
    ours, theirs = pty.openpty()
    try:
        done = progress("0", stdout=theirs)
        shown = os.read(ours, 65536).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    assert (done.returncode, done.stderr) == (0, "")
    steps = shown.split("\r\x1b[K")
    assert steps == [
        "",
        "[1/2] Building CXX object mcts_1.cpp.o",
        "[2/2] Building CXX object mcts_2.cpp.o",
        "",
    ]


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
