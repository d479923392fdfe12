"""Only `scale/` imports libraries for parallel work."""

from __future__ import annotations

import ast
from pathlib import Path

import tesuji

PACKAGE = Path(tesuji.__file__).parent
ONLY_IN_SCALE = {"ray", "concurrent", "multiprocessing"}


def imported(path: Path) -> set[str]:
    """The first names of all modules that a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        if isinstance(node, ast.ImportFrom) and not node.level:
            found.add((node.module or "").partition(".")[0])
    return found


def test_only_scale_imports_libraries_for_parallel_work() -> None:
    sources = list(PACKAGE.rglob("*.py"))
    outside = {path for path in sources if PACKAGE / "scale" not in path.parents}
    found = {str(path.relative_to(PACKAGE)): imported(path) & ONLY_IN_SCALE for path in outside}
    assert {path: names for path, names in found.items() if names} == {}
    assert any(imported(path) & ONLY_IN_SCALE for path in set(sources) - outside)
