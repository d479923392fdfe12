"""The server lives on: killed in mid game, too many connections, requests without end, Ctrl-C."""

from __future__ import annotations

import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.web.running import PATIENCE, Page, Running
from tesuji.records.store import Store
from tesuji.records.tables import Tables
from tesuji.web import serving
from tesuji.web.limits import Limits
from tesuji.web.rooms import Rooms

REQUEST = b"GET /api/games HTTP/1.1\r\nhost: localhost\r\n\r\n"


def test_games_come_back_after_the_server_was_killed(tmp_path: Path) -> None:
    store = tmp_path / "games.db"
    with Running(store, "--workers", "2") as server, Page(server.base) as page:
        quiet = page.new("hex:size=5", "person", "person", clock={"seconds": 500, "increment": 1})
        quiet = page.move(quiet, "c3")
        thinking = page.new("hex:size=11", "person", "mcts:seconds=60")
        page.move(thinking, "f6")
        page.until(thinking["id"], lambda now: now["thinking"] is not None)
        dealt = page.new("onitama", "person", "easy", seed=3)
        page.move(dealt, dealt["legal"][2])
        dealt = page.until(dealt["id"], lambda now: now["plies"] == 2)
        server.kill()

    with Running(store, "--workers", "2") as server, Page(server.base) as page:
        back = page.table(quiet["id"])
        assert (back["moves"], back["board"]) == (quiet["moves"], quiet["board"])
        assert back["clock"]["left"][0] == pytest.approx(501, abs=1) and back["clock"]["running"] == 1
        same = {"moves", "board", "legal", "seats", "game", "turn"}
        again = page.table(dealt["id"])
        assert {key: again[key] for key in same} == {key: dealt[key] for key in same}
        asked = page.until(thinking["id"], lambda now: now["thinking"] is not None)
        assert asked["plies"] == 1  # the bot thinks again
        page.move(back, "a1")
        with page.live(quiet["id"]) as live:
            assert live.next()["plies"] == 2
        assert server.end() == ""
    with Store(store) as kept:
        assert list(kept.problems()) == [] and Tables(kept).count() == 3


def test_workers_do_not_outlive_a_server_that_was_killed(tmp_path: Path) -> None:
    with Running(tmp_path / "games.db", "--workers", "2") as server:
        tasks = Path(f"/proc/{server.process.pid}/task")
        if not tasks.exists():
            pytest.skip("needs /proc")
        end = time.monotonic() + PATIENCE
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


def test_ctrl_c_ends_the_server_and_what_it_started(tmp_path: Path) -> None:
    with Running(tmp_path / "games.db", "--workers", "1") as server, Page(server.base) as page:
        table = page.new("hex:size=11", "person", "mcts:seconds=60")
        page.move(table, "f6")
        with page.live(table["id"]) as live:
            live.next()
            server.process.send_signal(signal.SIGINT)
            said = server.process.communicate(timeout=PATIENCE)[1]
        assert (server.process.returncode, said) == (0, "")


def test_too_many_connections_are_told_so_and_the_server_lives(tmp_path: Path) -> None:
    with Running(tmp_path / "games.db", "--workers", "1") as server:
        host, port = server.base.removeprefix("http://").split(":")
        with ExitStack() as stack:
            for _ in range(1300):
                newest = stack.enter_context(socket.create_connection((host, int(port)), PATIENCE))
            newest.settimeout(PATIENCE)
            answer = newest.recv(1000)
            assert answer.startswith(b"HTTP/1.1 503 ") and b"too many connections" in answer
        end = time.monotonic() + PATIENCE
        status = 503
        while status == 503 and time.monotonic() < end:
            status = httpx.get(f"{server.base}/api/games", trust_env=False).status_code
        assert status == 200
        assert server.end() == ""


@pytest.fixture
def hasty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, int]]:
    """Where a server listens that waits a third of a second for the rest of a request."""
    monkeypatch.setattr(serving, "HEAD_SECONDS", 0.3)
    with Store(tmp_path / "games.db") as store:
        server = serving.Server(Rooms(store, Limits(workers=1)), host="127.0.0.1", port=0)
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            yield server.socket.getsockname()
        finally:
            server.stop()
            thread.join(PATIENCE)


@pytest.mark.parametrize("before", [b"", REQUEST], ids=["the first", "a later one"])
def test_a_request_that_never_ends_loses_its_place(before: bytes, hasty: tuple[str, int]) -> None:
    with socket.create_connection(hasty, PATIENCE) as connection:
        connection.sendall(before)
        answer = b""
        while before and not answer.endswith(b"]"):
            answer += connection.recv(100_000)
        connection.sendall(b"GET / HTTP/1.1\r\nhost: local")
        assert connection.recv(100) == b""


def test_a_body_that_nobody_reads_and_that_never_ends_loses_its_place(hasty: tuple[str, int]) -> None:
    with socket.create_connection(hasty, PATIENCE) as connection:
        connection.sendall(REQUEST.replace(b"\r\n\r\n", b"\r\ncontent-length: 1000000\r\n\r\n"))
        end = time.monotonic() + PATIENCE
        with pytest.raises(ConnectionError):
            while time.monotonic() < end:
                connection.sendall(b"x")
                time.sleep(0.02)
