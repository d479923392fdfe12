"""The layers of docs/architecture.md: a folder imports only folders above it.

Top-level modules are one layer, above all folders but the private helpers. `__init__`, which gathers the
public names, and `__main__`, which starts the command line, are free. Imports inside functions count as well.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "tesuji"
TOP = "(top)"
HELPERS = "_helpers"
MOST_TOP_LEVEL_MODULES = 13
ENTRY_POINTS = {"__init__.py", "__main__.py"}

ALLOWED = {
    # Types only: what a bot's analysis returns.
    ("full_bot.py", "search"),
    # The script pbrain-tesuji imports the command line only if it has arguments, to start quickly.
    ("engines/gomocup/main.py", "cli"),
    # Exam positions are mistakes of a weak search; the import is lazy, and only exams need it.
    ("games/hex/problems.py", "search"),
}


def documented_order() -> list[str]:
    """The folders in the order of the Python table."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = text[text.index("| Python, `src/tesuji/`") :].split("\n\n")[0]
    return re.findall(r"^\| `(\w+)/` ", table, re.MULTILINE)


def imported(path: Path) -> Iterator[str]:
    """The full names of the package's modules that a file imports; `tesuji` is the package itself."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module, f"{path}: imports must be absolute"
            names = [node.module]
            if node.module == "tesuji":
                names = [f"tesuji.{alias.name}" for alias in node.names]
        yield from (name for name in names if name.partition(".")[0] == "tesuji")


def layer_of(module: str) -> str:
    """The folder of a module, TOP for a top-level module, `__init__` for names of the package itself."""
    first = module.split(".")[1] if "." in module else "__init__"
    if (PACKAGE / first).is_dir():
        return first
    if first in ("_core", "__version__"):
        return TOP
    return TOP if first != "__init__" and (PACKAGE / f"{first}.py").exists() else "__init__"


def dependencies() -> Iterator[tuple[str, str, str]]:
    """(file, its layer, a layer that it imports)."""
    for path in sorted(PACKAGE.rglob("*.py")):
        file = path.relative_to(PACKAGE)
        own = file.parts[0] if len(file.parts) > 1 else TOP
        for name in imported(path):
            yield file.as_posix(), own, layer_of(name)


def test_every_folder_is_in_the_table() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert sorted({*documented_order(), HELPERS}) == sorted(folders)


def test_few_modules_stand_beside_the_folders() -> None:
    assert len(list(PACKAGE.glob("*.py"))) <= MOST_TOP_LEVEL_MODULES


def test_a_folder_imports_only_folders_above_it() -> None:
    order = [HELPERS, TOP, *(name for name in documented_order() if name != HELPERS)]
    wrong, used = [], set()
    for file, own, other in dependencies():
        if file in ENTRY_POINTS or own == other:
            continue
        if (file, other) in ALLOWED:
            used.add((file, other))
        elif other == "__init__" or order.index(other) > order.index(own):
            wrong.append(f"{file} imports {other}")
    assert wrong == []
    assert used == ALLOWED
