"""The folders of src/core form layers: a file includes only headers of the layers below it."""

import re
from pathlib import Path

import pytest

CORE = Path(__file__).parent.parent / "src" / "core"

SEARCH = {"base", "game", "search/alphabeta", "search/tree", "search"}
ALLOWED = {
    "base": {"base"},
    "game": {"base", "game"},
    "games": {"base", "game", "games"},
    "search/alphabeta": {"base", "game", "search/alphabeta", "search/report.hpp"},
    "search/tree": {"base", "game", "search/tree"},
    "search": SEARCH - {"search/alphabeta"},
    "zero": SEARCH - {"search/alphabeta"} | {"zero"},
    "learn": {"base", "learn"},
    "network": {"network"},
    "bindings": SEARCH | {"games", "zero", "learn", "network", "bindings"},
}
"""The folders, and the single headers, that each folder may include."""
MOST_FILES = 24
"""In one folder."""

FILES = sorted(CORE.rglob("*.?pp"))


def includes(path: Path) -> list[str]:
    """The project headers that a file includes."""
    return re.findall(r'^#include "(.+)"$', path.read_text(encoding="utf-8"), re.MULTILINE)


def layer(path: str) -> str:
    """The layer of a file, given relative to src/core: the innermost folder that has a rule of its own."""
    return next(str(folder) for folder in Path(path).parents if str(folder) in ALLOWED)


def test_every_folder_has_a_layer() -> None:
    folders = {path.name for path in CORE.iterdir() if path.is_dir()}
    assert folders == {folder.split("/")[0] for folder in ALLOWED}
    assert {f"search/{path.name}" for path in (CORE / "search").iterdir() if path.is_dir()} < set(ALLOWED)


def test_no_folder_has_too_many_files() -> None:
    folders = [CORE, *(path for path in CORE.rglob("*") if path.is_dir())]
    counts = {folder: sum(path.is_file() for path in folder.iterdir()) for folder in folders}
    assert not {folder: count for folder, count in counts.items() if count > MOST_FILES}


@pytest.mark.parametrize("folder", ALLOWED)
def test_includes_respect_the_layers(folder: str) -> None:
    for path in FILES:
        here = path.relative_to(CORE)
        if layer(here.as_posix()) != folder:
            continue
        for header in includes(path):
            assert (CORE / header).is_file(), f"{path} includes {header}, which does not exist"
            allowed = {layer(header), header} & ALLOWED[folder]
            assert allowed, f"{path} includes {header}, which is in a higher layer"
            if here.parts[0] == Path(header).parts[0] == "games":
                assert here.parts[1] == Path(header).parts[1], f"{path} includes {header} of another game"
