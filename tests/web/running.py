"""A server as people start it, and a page that talks to it."""

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

PATIENCE = 60.0  # seconds; the machine may be busy
STRANGE = Path(__file__).with_name("strange.py")


def run_alone(work: Coroutine[Any, Any, None]) -> None:
    """Run it in a thread of its own: the browser's driver leaves an event loop in the tests' thread."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


class Running:
    """`tesuji serve` in a process of its own, at a port that was free."""

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
        said = self.process.stdout.readline().split()
        if said[:3] != ["Tesuji", "is", "at"]:
            self.process.kill()
            raise AssertionError((said, self.process.communicate(timeout=PATIENCE)[1]))
        self.link = said[3]
        self.base = f"http://127.0.0.1:{urlsplit(self.link).port}"

    def end(self) -> str:
        """End it as Ctrl-C does; what it complained of."""
        self.process.terminate()
        return self.process.communicate(timeout=PATIENCE)[1]

    def kill(self) -> None:
        """Nobody says goodbye."""
        self.process.kill()
        self.process.communicate(timeout=PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.returncode is None:
            self.kill()


class Page:
    """What the page does, by program."""

    def __init__(self, base: str, **headers: str) -> None:
        self.base, self.headers = base, headers
        self.http = httpx.Client(base_url=f"{base}/api", timeout=PATIENCE, headers=headers, trust_env=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def new(self, game: str, *seats: str, **more: Any) -> Any:
        answer = self.http.post("/tables", json={"game": game, "seats": list(seats), **more})
        assert answer.status_code == 201, answer.text
        return answer.json()

    def post(self, path: str, **body: Any) -> httpx.Response:
        return self.http.post(path, json=body)

    def table(self, id: str, **query: Any) -> Any:
        answer = self.http.get(f"/tables/{id}", params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def move(self, table: Any, move: str, **more: Any) -> Any:
        answer = self.post(f"/tables/{table['id']}/moves", ply=table["plies"], move=move, **more)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def until(self, id: str, condition: Callable[[Any], bool]) -> Any:
        """The table as soon as it is so."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            table = self.table(id)
            if condition(table):
                return table
            time.sleep(0.02)
        raise AssertionError(f"it never came so far: {table}")

    @contextlib.contextmanager
    def live(self, id: str, query: str = "", **headers: str) -> Iterator[Live]:
        address = f"{self.base.replace('http', 'ws', 1)}/api/tables/{id}/live{query}"
        with connect(address, additional_headers={**self.headers, **headers}, proxy=None) as socket:
            yield Live(socket)


class Live:
    """A live connection."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def next(self) -> Any:
        return json.loads(self.socket.recv(timeout=PATIENCE))

    def until(self, condition: Callable[[Any], bool]) -> Any:
        """The first frame for which it is so."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            frame = self.next()
            if condition(frame):
                return frame
        raise AssertionError("no such frame has come")


def errors(answer: httpx.Response) -> tuple[int, str]:
    """The status and the one line."""
    body = answer.json()
    assert list(body) == ["error"] and "\n" not in body["error"]
    return answer.status_code, body["error"]
