"""Fixtures for tests of the bots that drive engines; a test module or a parameter says the `protocol`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.engines.scripted import Scripts
from tesuji.engines import process
from tesuji.engines.driver import EngineBot
from tesuji.engines.gomocup import GomocupBot
from tesuji.engines.gtp import GtpBot


@pytest.fixture
def scripts(protocol: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scripts:
    monkeypatch.setattr(process, "EXIT_SECONDS", 0.3)
    return Scripts(tmp_path, protocol)


@pytest.fixture
def make(protocol: str) -> Iterator[Callable[..., EngineBot]]:
    """Makes bots that are closed after the test."""
    made: list[EngineBot] = []

    def make_bot(game: str, **options: object) -> EngineBot:
        made.append({"gtp": GtpBot, "gomocup": GomocupBot}[protocol](game, **options))
        return made[-1]

    yield make_bot
    for bot in made:
        bot.close()
