"""`dir` and Tab completion show public names only."""

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
