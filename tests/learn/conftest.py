"""A Python game with features, known by its name while a test runs."""

from collections.abc import Iterator

import pytest

from tests.learn.games import Lines
from tesuji.registry import games


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    games.names()
    monkeypatch.setattr(games, "_entries", {**games._entries, "lines": Lines})
    yield "lines"
