"""One server for all API tests; each test has its own tables."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.server_process import USER_PLUGIN, ApiClient, ServerProcess


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    server = ServerProcess(
        tmp_path_factory.mktemp("web") / "games.db", "--load", str(USER_PLUGIN), "--workers", "2"
    )
    yield server
    said = server.end()
    assert said.count("Traceback") == said.count("RuntimeError: no third move"), said  # nothing else


@pytest.fixture(scope="session")
def client(server: ServerProcess) -> Iterator[ApiClient]:
    with ApiClient(server.base) as client:
        yield client
