"""Kills, signals, too many connections, requests without end."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from tests.web.server_process import TIMEOUT, ApiClient, ServerProcess, run_in_thread
from tesuji.records.store import Store
from tesuji.records.unfinished_games import UnfinishedGames
from tesuji.web import server as web_server
from tesuji.web.limits import Limits
from tesuji.web.services import Services

REQUEST = b"GET /api/games HTTP/1.1\r\nhost: localhost\r\n\r\n"


def test_games_resume_after_the_server_is_killed(tmp_path: Path) -> None:
    store = tmp_path / "games.db"
    with ServerProcess(store, "--workers", "2") as server, ApiClient(server.base) as client:
        quiet = client.new("hex:size=5", "person", "person", clock={"seconds": 500, "increment": 1})
        quiet = client.move(quiet, "c3")
        thinking = client.new("hex:size=11", "person", "mcts:seconds=60")
        client.move(thinking, "f6")
        client.until(thinking["id"], lambda now: now["thinking"] is not None)
        dealt = client.new("onitama", "person", "easy", seed=3)
        client.move(dealt, dealt["legal"][2])
        dealt = client.until(dealt["id"], lambda now: now["plies"] == 2)
        server.kill()

    with ServerProcess(store, "--workers", "2") as server, ApiClient(server.base) as client:
        back = client.table(quiet["id"])
        assert (back["moves"], back["board"]) == (quiet["moves"], quiet["board"])
        assert back["clock"]["left"][0] == pytest.approx(501, abs=1) and back["clock"]["running"] == 1
        same = {"moves", "board", "legal", "seats", "game", "turn"}
        again = client.table(dealt["id"])
        assert {key: again[key] for key in same} == {key: dealt[key] for key in same}
        asked = client.until(thinking["id"], lambda now: now["thinking"] is not None)
        assert asked["plies"] == 1  # the bot thinks again
        client.move(back, "a1")
        with client.live(quiet["id"]) as live:
            assert live.next()["plies"] == 2
        assert server.end() == ""
    with Store(store) as kept:
        assert list(kept.problems()) == [] and UnfinishedGames(kept).count() == 3


def test_workers_do_not_outlive_a_killed_server(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "games.db", "--workers", "2") as server:
        tasks = Path(f"/proc/{server.process.pid}/task")
        if not tasks.exists():
            pytest.skip("needs /proc")
        end = time.monotonic() + TIMEOUT
        while len(found := _workers(tasks)) < 2 and time.monotonic() < end:
            time.sleep(0.05)
        assert len(found) == 2
        server.kill()
    while any(map(_is_running, found)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(map(_is_running, found))


def _workers(tasks: Path) -> list[str]:
    children = [pid for task in tasks.iterdir() for pid in (task / "children").read_text().split()]
    return list(filter(_is_running, children))


def _command(pid: str) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()  # that of a zombie is empty
    except OSError:
        return ""


def _is_running(pid: str) -> bool:
    return "spawn_main" in _command(pid)


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_end_the_server_and_close_its_store(ending: signal.Signals, tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "games.db", "--workers", "1") as server, ApiClient(server.base) as client:
        table = client.new("hex:size=11", "person", "mcts:seconds=60")
        client.move(table, "f6")
        with client.live(table["id"]) as live:
            live.next()
            server.process.send_signal(ending)
            said = server.process.communicate(timeout=TIMEOUT)[1]
        assert (server.process.returncode, said) == (0, "")
    assert [file.name for file in tmp_path.iterdir()] == ["games.db"]


def test_connections_beyond_the_limit_are_refused(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "games.db", "--workers", "1") as server:
        host, port = server.base.removeprefix("http://").split(":")
        with ExitStack() as stack:
            for _ in range(1300):
                newest = stack.enter_context(socket.create_connection((host, int(port)), TIMEOUT))
            newest.settimeout(TIMEOUT)
            response = newest.recv(1000)
            assert response.startswith(b"HTTP/1.1 503 ") and b"Too many connections" in response
        end = time.monotonic() + TIMEOUT
        status = 503
        while status == 503 and time.monotonic() < end:
            status = httpx.get(f"{server.base}/api/games", trust_env=False).status_code
        assert status == 200
        assert server.end() == ""


@contextmanager
def listening(folder: Path, host: str, **limits: int) -> Iterator[tuple[str, int]]:
    """The address of a server running in a thread."""
    with Store(folder / "games.db") as store:
        server = web_server.Server(Services(store, Limits(workers=1, **limits)), host=host, port=0)
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            yield "127.0.0.1", server.socket.getsockname()[1]
        finally:
            server.stop()
            thread.join(TIMEOUT)


@pytest.mark.parametrize("host", ["0.0.0.0", "127.0.0.1"])
def test_connections_per_address_are_limited(
    host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_server, "address_group", str)  # all that can be had here are this machine's own

    def status(address: tuple[str, int], source: str = "127.0.0.1") -> int:
        with socket.create_connection(address, TIMEOUT, source_address=(source, 0)) as connection:
            connection.sendall(REQUEST.replace(b"\r\n\r\n", b"\r\nconnection: close\r\n\r\n"))
            response = b"".join(iter(lambda: connection.recv(100_000), b""))
        if b" 429 " in response[:20]:
            assert b"from your address" in response
        return int(response.split()[1])

    with (
        listening(tmp_path, host, per_address=4) as address,
        ApiClient(f"http://127.0.0.1:{address[1]}") as client,
    ):
        table = client.new("hex:size=5", "person", "person")
        with ExitStack() as stack:
            stack.enter_context(client.live(table["id"])).next()
            for _ in range(2):  # with the page's requests and its live connection, four
                stack.enter_context(socket.create_connection(address, TIMEOUT))
            assert status(address) == (429 if host == "0.0.0.0" else 200)
            if sys.platform == "linux":  # elsewhere this machine has one such address
                assert status(address, "127.0.0.2") == 200
        end = time.monotonic() + TIMEOUT
        while (found := status(address)) == 429 and time.monotonic() < end:
            time.sleep(0.02)
        assert found == 200


def test_nagles_algorithm_is_disabled() -> None:
    """With it, the body of a response would wait for an acknowledgement, up to 40 ms."""

    async def work() -> None:
        delays: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def met(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            accepted = writer.get_extra_info("socket")
            delays.set_result(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listener = web_server.listen("127.0.0.1", 0)
        async with await asyncio.start_server(met, sock=listener):
            with socket.create_connection(listener.getsockname(), TIMEOUT):
                assert await delays

    run_in_thread(work())


@pytest.fixture
def hasty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, int]]:
    """The address of a server with a timeout of 0.3 seconds for headers."""
    monkeypatch.setattr(web_server, "HEADER_SECONDS", 0.3)
    with listening(tmp_path, "127.0.0.1") as address:
        yield address


@pytest.mark.parametrize("before", [b"", REQUEST], ids=["the first", "a later one"])
def test_a_request_without_end_is_disconnected(before: bytes, hasty: tuple[str, int]) -> None:
    with socket.create_connection(hasty, TIMEOUT) as connection:
        connection.sendall(before)
        response = b""
        while before and not response.endswith(b"]"):
            response += connection.recv(100_000)
        connection.sendall(b"GET / HTTP/1.1\r\nhost: local")
        assert connection.recv(100) == b""


def test_an_unread_body_without_end_is_disconnected(hasty: tuple[str, int]) -> None:
    with socket.create_connection(hasty, TIMEOUT) as connection:
        connection.sendall(REQUEST.replace(b"\r\n\r\n", b"\r\ncontent-length: 1000000\r\n\r\n"))
        end = time.monotonic() + TIMEOUT
        with pytest.raises(ConnectionError):
            while time.monotonic() < end:
                connection.sendall(b"x")
                time.sleep(0.02)
