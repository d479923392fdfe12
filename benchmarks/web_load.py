"""Load test of the web server: many players at once, each making a move every few seconds against a bot.

    python benchmarks/web_load.py [--sessions 200] [--minutes 10] [--games hex,gomoku,onitama] [--bot easy]
    python benchmarks/web_load.py --sessions 50 --minutes 2 --games hex:size=7 --bot random --pause 0,0

Every session has a table and a live connection, like a page. It waits a few seconds, makes a random move,
and waits for the bot's reply over the live connection; after a game it starts another one. Reports errors,
response times, the time until the bot's reply, the memory of the server and its workers, and the size of the
store's write-ahead log: a row every ten seconds, then a summary.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

MAX_P95 = 0.1  # seconds, response time
MAX_GROWTH = 0.1  # of the memory
MAX_LOG = 64  # MiB, write-ahead log
SAMPLE_SECONDS = 10.0
LOG_SECONDS = 0.1  # between two samples of the log's size


class Connection:
    """An HTTP connection; minimal, because all of them share the machine with the server."""

    def __init__(self, base: str, times: list[float]) -> None:
        self.host, _, self.port = base.removeprefix("http://").rpartition(":")
        self.times = times
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, body: object) -> Any:
        content = json.dumps(body).encode()
        head = f"POST /api{path} HTTP/1.1\r\nhost: {self.host}\r\ncontent-type: application/json\r\n"
        began = time.perf_counter()
        if self.streams is None or self.streams[0].at_eof():  # the server closes idle connections
            self.streams = await asyncio.open_connection(self.host, int(self.port))
        reader, writer = self.streams
        writer.write(f"{head}content-length: {len(content)}\r\n\r\n".encode() + content)
        answer = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)).decode().lower()
        length = int(answer.partition("content-length: ")[2].partition("\r")[0])
        text = await reader.readexactly(length)
        self.times.append(time.perf_counter() - began)
        if int(answer.split()[1]) >= 400:
            raise RuntimeError(f"{answer.split()[1]} {json.loads(text)['error']}")
        return json.loads(text)

    async def close(self) -> None:
        if self.streams is not None:
            self.streams[1].close()


class Load:
    """All sessions, and their measurements."""

    def __init__(self, base: str, given: argparse.Namespace, end: float) -> None:
        self.base, self.end = base, end
        self.games, self.bot, self.pause = given.games.split(","), given.bot, given.pause
        self.requests: list[float] = []
        self.replies: list[float] = []
        self.errors: Counter[str] = Counter()
        self.finished = 0

    async def session(self, number: int) -> None:
        """One player, game after game."""
        rng = random.Random(number)
        await asyncio.sleep(rng.uniform(0, max(1.0, self.pause[1])))
        while time.monotonic() < self.end:
            http = Connection(self.base, self.requests)
            try:
                while time.monotonic() < self.end:
                    await self.game(http, rng)
            except Exception as error:
                self.errors[f"{type(error).__name__}: {error}"[:120]] += 1
                await asyncio.sleep(1)
            finally:
                await http.close()

    async def game(self, http: Connection, rng: random.Random) -> None:
        request = {"game": rng.choice(self.games), "seats": ["person", self.bot]}
        table = await http.post("/tables", request)
        address = f"{self.base.replace('http', 'ws', 1)}/api/tables/{table['id']}/live"
        async with connect(address, proxy=None, compression=None) as live:
            table = await self.until_our_turn(live)
            while not table["over"] and time.monotonic() < self.end:
                await asyncio.sleep(rng.uniform(*self.pause))
                move = {"ply": table["plies"], "move": rng.choice(table["legal"]), "seat": 0}
                await http.post(f"/tables/{table['id']}/moves", move)
                began = time.perf_counter()
                table = await self.until_our_turn(live, move["ply"] + 1)
                self.replies.append(time.perf_counter() - began)
        self.finished += bool(table["over"])

    async def until_our_turn(self, live: Any, plies: int = 0) -> Any:
        while True:
            message = json.loads(await asyncio.wait_for(live.recv(), 30))
            if message["type"] == "error" or message.get("message"):
                raise RuntimeError(message.get("error") or message["message"])
            if message["plies"] >= plies and (message["over"] or message["turn"] == 0):
                return message


def memory(pid: int) -> tuple[int, int]:
    """Resident memory of the server and of all its workers, in MiB."""
    workers = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        workers += sum(_resident(int(child)) for child in (task / "children").read_text().split())
    return _resident(pid) >> 10, workers >> 10


def _resident(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _share(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(share * len(times)))] if times else float("nan")


class Log:
    """The size of the store's write-ahead log in MiB, and its maximum."""

    def __init__(self, store: Path) -> None:
        self._file = store.with_name(f"{store.name}-wal")
        self.largest = 0.0

    def size(self) -> float:
        size = self._file.stat().st_size / 2**20 if self._file.exists() else 0.0
        self.largest = max(self.largest, size)
        return size

    async def watch(self) -> None:
        while True:
            self.size()
            await asyncio.sleep(LOG_SECONDS)


async def sample(pid: int, load: Load, log: Log) -> None:
    """Print memory, log size and response times every few seconds."""
    print("second  server  workers       log  requests  median")
    began, seen = time.monotonic(), 0
    for number in itertools.count():
        await asyncio.sleep(began + SAMPLE_SECONDS * number - time.monotonic())
        ours, workers = memory(pid)
        new, seen = load.requests[seen:], len(load.requests)
        print(
            f"{SAMPLE_SECONDS * number:6.0f} {ours:3} MiB {workers:4} MiB {log.size():5.1f} MiB "
            f"{len(new):9} {_share(new, 0.5) * 1e3:4.1f} ms",
            flush=True,
        )


async def measure(given: argparse.Namespace, server: subprocess.Popen[str], base: str, log: Log) -> bool:
    load = Load(base, given, time.monotonic() + 60 * given.minutes)
    sessions = [asyncio.create_task(load.session(number)) for number in range(given.sessions)]
    watching = asyncio.create_task(log.watch())
    await asyncio.sleep(min(60.0, 15 * given.minutes))  # until all sessions have started
    first = memory(server.pid)
    begun, busy, clock = len(load.requests), _cpu_seconds(server.pid), time.monotonic()
    sampling = asyncio.create_task(sample(server.pid, load, log))
    await asyncio.gather(*sessions)
    sampling.cancel()
    watching.cancel()
    last, busy = memory(server.pid), _cpu_seconds(server.pid) - busy

    requests = load.requests[begun:]
    p95 = _share(requests, 0.95)
    print(f"{given.sessions} sessions, {given.minutes:g} minutes, {given.games} against {given.bot}")
    print(f"requests: {len(load.requests)}, games finished: {load.finished}, errors: {load.errors.total()}")
    for error, number in load.errors.most_common(5):
        print(f"  {number} × {error}")
    print(f"response time: median {_share(requests, 0.5) * 1e3:.1f} ms, p95 {p95 * 1e3:.1f} ms, ", end="")
    print(f"p99 {_share(requests, 0.99) * 1e3:.1f} ms (limit: p95 under {MAX_P95 * 1e3:.0f} ms)")
    print(f"bot's reply: median {_share(load.replies, 0.5) * 1e3:.1f} ms, ", end="")
    print(f"p95 {_share(load.replies, 0.95) * 1e3:.1f} ms")
    print(f"CPU: {busy / (time.monotonic() - clock):.0%} of one processor, without the workers")
    print(f"memory: server {first[0]} MiB → {last[0]} MiB, workers {first[1]} MiB → {last[1]} MiB")
    print(f"write-ahead log: maximum {log.largest:.1f} MiB (limit: {MAX_LOG} MiB)")
    flat = sum(last) <= sum(first) * (1 + MAX_GROWTH) and log.largest < MAX_LOG
    return not load.errors and p95 < MAX_P95 and flat


def _pause(text: str) -> tuple[float, float]:
    minimum, maximum = map(float, text.split(","))
    return minimum, maximum


def main() -> int:
    """Start a server, load it and report; exit code 1 if a limit is exceeded."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sessions", type=int, default=200, help="Simulated players.")
    parser.add_argument("--minutes", type=float, default=10, help="Duration.")
    parser.add_argument("--games", default="hex,gomoku,onitama", help="Comma-separated game specs.")
    parser.add_argument("--bot", default="easy", help="Spec of the opponent.")
    parser.add_argument("--pause", type=_pause, default=(1.0, 5.0), help="Seconds before a move: MIN,MAX.")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", "from tesuji.cli import main; raise SystemExit(main())", "serve"]
        store = Path(folder) / "games.db"
        command += ["--port", "0", "--store", str(store)]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            link = next(word for word in server.stdout.readline().split() if word.startswith("http://"))
            return 0 if asyncio.run(measure(given, server, link.rstrip("/"), Log(store))) else 1
        finally:
            server.terminate()
            server.communicate(timeout=30)


if __name__ == "__main__":
    sys.exit(main())
