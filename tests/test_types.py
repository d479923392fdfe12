"""Types: the code of the documentation passes mypy --strict, and a misspelt option does not.

The Python blocks of a page are one module, each line at its own line number.
"""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_docs import ROOT, blocks
from tesuji.registry import bots

PAGES = ("README.md", "docs/search.md", "docs/arena.md", "docs/write-your-own-bot.md")

WRONG = """
import tesuji

game = tesuji.game("hex:size=5")
tesuji.MCTS(game, iterationz=5)
tesuji.MCTS(game, iterations="many")
tesuji.AlphaBeta(game, dept=3)
tesuji.bot("mcts", game).analyse(game.start(), second=1.0)
tesuji.RandomBot(game, sede=1)
game.start().txt(0)
"""


def mypy(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the modules of a folder with the project's settings, which are strict."""
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml")]
    return subprocess.run(
        [*command, *map(str, sorted(folder.glob("*.py")))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
    )


def python_of(page: Path) -> str:
    lines: list[str] = []
    for block in blocks(page):
        if block.language == "python":
            lines += [""] * (block.line - len(lines)) + block.text.splitlines()
    return "\n".join(lines) + "\n"


def test_the_code_of_the_documentation_passes_mypy_strict(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    for page in PAGES:
        (tmp_path / f"page_{Path(page).stem.replace('-', '_')}.py").write_text(
            python_of(ROOT / page), encoding="utf-8"
        )
    done = mypy(tmp_path)
    assert done.returncode == 0, done.stdout


def test_misspelt_options_limits_and_methods_are_type_errors(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    done = mypy(tmp_path)
    named = {int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error:" in line}
    assert named == set(range(5, 11)), done.stdout


@pytest.mark.parametrize(
    "name", ["mcts", "alphabeta", "zero", "random", "greedy", "heuristic", "easy", "careful"]
)
def test_help_and_editors_see_every_option_of_a_bot(name: str) -> None:
    parameters = inspect.signature(bots.get(name)).parameters
    assert parameters.keys() == {"game", *(option.name for option in bots.describe(name))}
