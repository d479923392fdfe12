"""The folders of src/core form layers: a file includes only headers of the layers below it."""

import re
from pathlib import Path

import pytest

CORE = Path(__file__).parent.parent / "src" / "core"

ALLOWED = {
    "base": {"base"},
    "game": {"base", "game"},
    "games": {"base", "game", "games"},
    "search": {"base", "game", "search"},
    "zero": {"base", "game", "search", "zero"},
    "learn": {"base", "learn"},
    "network": {"network"},
    "bindings": {"base", "game", "games", "search", "zero", "learn", "network", "bindings"},
}
"""The folders that each folder may include."""

FILES = sorted(CORE.rglob("*.?pp"))


def includes(path: Path) -> list[str]:
    """The project headers that a file includes."""
    return re.findall(r'^#include "(.+)"$', path.read_text(encoding="utf-8"), re.MULTILINE)


def test_every_folder_has_a_layer() -> None:
    assert {path.name for path in CORE.iterdir() if path.is_dir()} == set(ALLOWED)


@pytest.mark.parametrize("folder", ALLOWED)
def test_includes_respect_the_layers(folder: str) -> None:
    for path in FILES:
        here = path.relative_to(CORE).parts
        if here[0] != folder:
            continue
        for header in includes(path):
            there = Path(header).parts
            assert (CORE / header).is_file(), f"{path} includes {header}, which does not exist"
            assert there[0] in ALLOWED[folder], f"{path} includes {header}, which is in a higher layer"
            if here[0] == there[0] == "games":
                assert here[1] == there[1], f"{path} includes {header} of another game"
