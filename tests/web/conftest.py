"""One server for the tests of its calls; each test has tables of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.running import STRANGE, Page, Running


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    server = Running(tmp_path_factory.mktemp("web") / "games.db", "--load", str(STRANGE), "--workers", "2")
    yield server
    said = server.end()
    assert said.count("Traceback") == said.count("RuntimeError: no third move"), said  # nothing else


@pytest.fixture(scope="session")
def page(running: Running) -> Iterator[Page]:
    with Page(running.base) as page:
        yield page
