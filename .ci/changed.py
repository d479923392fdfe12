"""The tests of what has changed: `python .ci/changed.py main` prints paths for pytest.

Tests mirror the sources: a change of `src/tesuji/arena/elo.py` runs `tests/arena/test_elo.py`, or all of
`tests/arena` if no test has the module's name. Tests that need a browser or a cluster run only if they,
or the part that they test, have changed. The whole suite is `make test`.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ALWAYS = [
    "tests/test_layers.py",
    "tests/test_layers_core.py",
    "tests/test_spec.py",
    "tests/cli/test_imports.py",
    "tests/arena/test_fingerprint.py",
]
CORE = {
    "search": ["tests/search"],
    "zero": ["tests/learn/zero/test_selfplay.py", "tests/search/test_zero_bot.py"],
    "base": ["tests/search"],
    "game": ["tests/search"],
    "learn": ["tests/learn/test_sparse.py", "tests/learn/test_sparse_value.py", "tests/learn/test_prior.py"],
    "network": ["tests/models/test_native.py", "tests/models/test_kernels.py"],
    "bindings": ["tests/search", "tests/games", "tests/models/test_native.py"],
}
"""Tests for the folders of `src/core`; a game's folder has the tests of its name."""
OUTSIDE = {
    "docs": "tests/test_docs.py",
    "README.md": "tests/test_docs.py",
    "results": "tests/test_docs.py",
    "pyproject.toml": "tests/test_extras.py",
    ".ci": "tests/test_packaging.py",
}


def changed_files(base: str) -> list[str]:
    """Files that differ from where this branch left `base`, committed or not."""

    def git(*arguments: str) -> list[str]:
        done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True)
        return done.stdout.splitlines()

    start = (git("merge-base", base, "HEAD") or ["HEAD"])[0]
    return sorted({*git("diff", "--name-only", start), *git("ls-files", "--others", "--exclude-standard")})


def tests_of(file: str) -> Iterator[str]:
    """The tests for one file, as paths that exist."""
    path = Path(file)
    if file.startswith("tests/core/"):
        yield from CORE["network"]
    elif file.startswith("tests/"):
        own = path.name.startswith("test_")
        yield file if own else str(path.parent) if len(path.parts) > 2 else ALWAYS[0]
    elif file.startswith("src/core/games/"):
        yield from _named("tests/games", f"test_{path.parts[3]}*.py")
    elif file.startswith("src/core/"):
        yield from CORE.get(path.parts[2], [])
    elif file.startswith("src/tesuji/"):
        yield from _mirrored(path.relative_to("src/tesuji"))
    elif path.parts[0] in OUTSIDE:
        yield OUTSIDE[path.parts[0]]


def _mirrored(module: Path) -> Iterator[str]:
    """The tests of a Python module: by its own name, by its folder's name, or its folder."""
    folder = Path("tests") / module.parent
    if module.parent == Path("."):
        yield from _named("tests", f"test_{module.stem}*.py")
    elif module.parts[0] == "games" and len(module.parts) > 2:
        yield from _named("tests/games", f"test_{module.parts[1]}*.py")
    else:
        while not (ROOT / folder).is_dir():
            folder = folder.parent
        found = list(_named(str(folder), f"test_{module.stem}*.py"))
        yield from found or (list(_named(str(folder), "test_*.py")))


def _named(folder: str, pattern: str) -> Iterator[str]:
    yield from (str(path.relative_to(ROOT)) for path in sorted((ROOT / folder).glob(pattern)))


def main(base: str = "main") -> None:
    """Print the tests, one per line."""
    chosen = {test for file in changed_files(base) for test in tests_of(file) if (ROOT / test).exists()}
    folders = {test for test in chosen if (ROOT / test).is_dir()}
    inside = {test for test in chosen if any(test.startswith(f"{folder}/") for folder in folders)}
    print("\n".join(sorted({*ALWAYS, *(chosen - inside)})))


if __name__ == "__main__":
    main(*sys.argv[1:])
