"""Kills, signals, too many connections."""

from __future__ import annotations

import asyncio
import signal
import socket
import time
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.web.server_process import TIMEOUT, ApiClient, ServerProcess, run_in_thread
from tesuji.records.store import Store
from tesuji.records.unfinished_games import UnfinishedGames
from tesuji.web.http import server as web_server


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
            newest.sendall(b"GET /api/games HTTP/1.1\r\nhost: localhost\r\n\r\n")
            assert newest.recv(1000).startswith(b"HTTP/1.1 503 ")
        end = time.monotonic() + TIMEOUT
        status = 503
        while status == 503 and time.monotonic() < end:
            status = httpx.get(f"{server.base}/api/games", trust_env=False).status_code
        assert status == 200
        assert set(server.end().splitlines()) == {"WARNING:  Exceeded concurrency limit."}


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
