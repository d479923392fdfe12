"""`dir` and Tab completion show public names only, and the reference lists all of them."""

import pkgutil
import re
from pathlib import Path
from types import ModuleType

import pytest

import tesuji

PACKAGES = [tesuji, tesuji.bots, tesuji.games, tesuji.records, tesuji.search]
EXTRA = {"tesuji": {"__version__"}, "tesuji.games": {"gofish", "gomoku", "hex", "onitama"}}


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_a_package_lists_its_public_names_and_nothing_else(package: ModuleType) -> None:
    public = {*package.__all__, *EXTRA.get(package.__name__, ())}
    assert set(dir(package)) == public
    for name in public:
        assert getattr(package, name) is not None


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_the_reference_lists_every_public_name(package: ModuleType) -> None:
    page = Path(__file__).parent.parent / "docs" / "reference" / "api.md"
    listed = set(
        re.findall(r"\w+", " ".join(re.findall(r"^.*\|.*$|members: .*", page.read_text(), re.MULTILINE)))
    )
    missing = [name for name in package.__all__ if name not in listed]
    assert not missing


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_no_name_is_a_module_and_something_else(package: ModuleType) -> None:
    folder = Path(package.__file__ or "").parent
    for name in package.__all__:
        modules = (folder / f"{name}.py").exists() or (folder / name / "__init__.py").exists()
        assert modules == isinstance(getattr(package, name), ModuleType), name


def test_the_reference_names_only_what_exists() -> None:
    page = (Path(__file__).parent.parent / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^::: (\S+)(?:\n    options:\n      members: \[(.*)\])?", page, re.MULTILINE)
    assert blocks
    for name, members in blocks:
        thing = pkgutil.resolve_name(name)
        for member in filter(None, members.split(", ")):
            assert hasattr(thing, member), f"{name}.{member}"
