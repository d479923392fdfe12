"""A Python game with features, known by its name while a test runs."""

from collections.abc import Iterator

import pytest

from tests.learn.games import Lines
from tests.registered import registered
from tesuji.registry import games


@pytest.fixture
def lines() -> Iterator[str]:
    with registered(games, lines=Lines):
        yield "lines"
