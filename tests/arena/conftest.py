"""A user's file with games and bots, known in this process and, by `setup`, in the workers."""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.registered import only_own
from tesuji.arena.match import checked_bot
from tesuji.arena.playing import GameBots
from tesuji.cli.shared.loading import load
from tesuji.registry import bots, games

HERE = Path(__file__).parent
USERS = HERE / "users.py"
TIC_TAC_TOE = HERE.parents[1] / "examples" / "tic_tac_toe.py"

collect_ignore = ["users.py"]  # to be loaded, as a user does, and not imported


@pytest.fixture
def loading(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Path], Callable[[], object]]]:
    """Load a file here; returns the setup of the workers. What it registers is gone after the test."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(GameBots, "_cache", [])
    checked_bot.cache_clear()

    def loaded(path: Path) -> Callable[[], object]:
        load([path])
        return partial(load, [path])

    with only_own(games), only_own(bots):
        yield loaded
    checked_bot.cache_clear()
    for name in [name for name in sys.modules if name.startswith("tesuji_loaded_")]:
        del sys.modules[name]


@pytest.fixture
def users(loading: Callable[[Path], Callable[[], object]]) -> Callable[[], object]:
    return loading(USERS)


@pytest.fixture
def tic_tac_toe(loading: Callable[[Path], Callable[[], object]]) -> Callable[[], object]:
    return loading(TIC_TAC_TOE)
