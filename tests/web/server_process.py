"""A server started as users start it, and clients of its API."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import httpx
from websockets.sync.client import ClientConnection, connect

TIMEOUT = 60.0  # seconds; the machine may be busy
USER_PLUGIN = Path(__file__).with_name("user_plugin.py")
DESCRIBED_GAMES = Path(__file__).with_name("described_games.py")


def run_in_thread(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine in its own thread: Playwright leaves an event loop in the main thread."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


class ServerProcess:
    """`tesuji serve` in a process of its own, on a free port."""

    def __init__(self, store: Path, *options: str, port: int = 0) -> None:
        command = [sys.executable, "-c", "from tesuji.cli import main; raise SystemExit(main())", "serve"]
        self.process = subprocess.Popen(  # not by `children.start`: it may serve many tests
            [*command, "--port", str(port), "--store", str(store), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        link = next((word for word in line.split() if word.startswith("http://")), None)
        if link is None:
            self.process.kill()
            raise AssertionError((line, self.process.communicate(timeout=TIMEOUT)[1]))
        self.link = link
        self.base = f"http://127.0.0.1:{urlsplit(link).port}"

    def end(self) -> str:
        """Terminate it; returns its standard error."""
        self.process.terminate()
        return self.process.communicate(timeout=TIMEOUT)[1]

    def kill(self) -> None:
        """Kill it without a chance to clean up."""
        self.process.kill()
        self.process.communicate(timeout=TIMEOUT)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.returncode is None:
            self.kill()


class ApiClient:
    """Calls the API as the page does."""

    def __init__(self, base: str, **headers: str) -> None:
        self.base, self.headers = base, headers
        self.http = httpx.Client(base_url=f"{base}/api", timeout=TIMEOUT, headers=headers, trust_env=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def new(self, game: str, *seats: str, **more: Any) -> Any:
        response = self.http.post("/tables", json={"game": game, "seats": list(seats), **more})
        assert response.status_code == 201, response.text
        return response.json()

    def post(self, path: str, **body: Any) -> httpx.Response:
        return self.http.post(path, json=body)

    def table(self, id: str, **query: Any) -> Any:
        response = self.http.get(f"/tables/{id}", params=query)
        assert response.status_code == 200, response.text
        return response.json()

    def move(self, table: Any, move: str, **more: Any) -> Any:
        response = self.post(f"/tables/{table['id']}/moves", ply=table["plies"], move=move, **more)
        assert response.status_code == 200, response.text
        return response.json()

    def until(self, id: str, condition: Callable[[Any], bool]) -> Any:
        """The table, as soon as the condition holds."""
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            table = self.table(id)
            if condition(table):
                return table
            time.sleep(0.02)
        raise AssertionError(f"the condition never held: {table}")

    @contextlib.contextmanager
    def live(self, id: str, query: str = "", **headers: str) -> Iterator[LiveConnection]:
        address = f"{self.base.replace('http', 'ws', 1)}/api/tables/{id}/live{query}"
        with connect(address, additional_headers={**self.headers, **headers}, proxy=None) as socket:
            yield LiveConnection(socket)


class LiveConnection:
    """A live connection."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def next(self) -> Any:
        return json.loads(self.socket.recv(timeout=TIMEOUT))

    def until(self, condition: Callable[[Any], bool]) -> Any:
        """The first message for which the condition holds."""
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            message = self.next()
            if condition(message):
                return message
        raise AssertionError("no such message")


def error_of(response: httpx.Response) -> tuple[int, str]:
    """The status and the one-line error."""
    body = response.json()
    assert list(body) == ["error"] and "\n" not in body["error"]
    return response.status_code, body["error"]
