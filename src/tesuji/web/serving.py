"""The server itself: a socket, uvicorn, and who is let in at the door.

A connection more than there are places is told so in one line and closed; one that says nothing, or does not
end what it says, is closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterable
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from tesuji.web.app import make_app
from tesuji.web.rooms import Rooms

HEAD_SECONDS = 15.0  # until the head of a request is there
KEEP_SECONDS = 30
GOODBYE_SECONDS = 3
BACKLOG = 512
EVERYWHERE = ("0.0.0.0", "::")
_LINE = b'{"error": "the server has too many connections; try again later"}'
REFUSAL = b"\r\n".join(
    (
        b"HTTP/1.1 503 Service Unavailable",
        b"content-type: application/json",
        b"content-length: %d" % len(_LINE),
        b"connection: close",
        b"retry-after: 5",
        b"",
        _LINE,
    )
)


class Door(H11Protocol):
    """A connection over HTTP, where there is a place for it."""

    most = 1200
    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Let somebody in, or not."""
        if len(self.connections) >= self.most:
            transport.write(REFUSAL)
            transport.close()
            self.transport = transport
            self._refused = True
            return
        self._refused = False
        super().connection_made(transport)
        self._patience = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def data_received(self, data: bytes) -> None:
        """Something was said; the head of any request, and a body that nobody reads, must end in its time."""
        if self._refused:
            return
        super().data_received(data)
        unread = self.conn.their_state is h11.SEND_BODY and self.conn.our_state is h11.DONE
        if self.conn.their_state is not h11.IDLE and not unread:
            self._be_patient()
        elif self._patience is None:
            self._patience = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """They are gone."""
        self._be_patient()
        if not self._refused:
            super().connection_lost(exc)

    def eof_received(self) -> None:
        """They have said all."""

    def handle_websocket_upgrade(self, event: Any) -> None:
        """A live connection may be silent for as long as it likes."""
        self._be_patient()
        super().handle_websocket_upgrade(event)

    def _be_patient(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _give_up(self) -> None:
        """Whoever has not got a whole request out by now is not going to."""
        if not self.transport.is_closing():
            self.transport.close()


class Server:
    """A server that has its port: `Server(rooms, host="127.0.0.1", port=8000).run()`; `link` leads there."""

    def __init__(
        self,
        rooms: Rooms,
        *,
        host: str,
        port: int,
        token: str | None = None,
        hosts: Iterable[str] | None = None,
    ) -> None:
        _more_files()
        self.socket = _listen(host, port)
        name = socket.gethostname() if host in EVERYWHERE else host
        shown = f"[{name}]" if ":" in name else name
        self.link = f"http://{shown}:{self.socket.getsockname()[1]}/{f'?token={token}' if token else ''}"
        door = type("Door", (Door,), {"most": rooms.limits.connections})
        config = uvicorn.Config(
            make_app(rooms, token=token, hosts=hosts),
            http=door,
            ws="websockets-sansio",
            ws_max_size=rooms.limits.frame * 16,  # what is too long gets an answer, up to this
            ws_per_message_deflate=False,  # costs more time and memory than it saves on the way
            ws_ping_interval=20.0,
            ws_ping_timeout=40.0,
            timeout_keep_alive=KEEP_SECONDS,
            timeout_graceful_shutdown=GOODBYE_SECONDS,
            backlog=BACKLOG,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            lifespan="on",
        )
        self._server = uvicorn.Server(config)

    def run(self) -> int:
        """Serve until Ctrl-C or `stop`."""
        with contextlib.suppress(KeyboardInterrupt):
            self._server.run(sockets=[self.socket])
        return 0

    def stop(self) -> None:
        """End soon; from any thread."""
        self._server.should_exit = True


def _listen(host: str, port: int) -> socket.socket:
    """A socket at this address; ValueError where it cannot be had."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        found = socket.socket(family, socket.SOCK_STREAM)
        try:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.bind((host, port))
            found.listen(BACKLOG)  # now: whoever is quick with the link waits, and is not refused
        except OSError:
            found.close()
            raise
    except OSError as error:
        said = error.strerror or str(error)
        raise ValueError(f"cannot listen at {host}:{port}: {said}; --port names another") from error
    return found


def _more_files() -> None:
    """Every connection is an open file: take as many as the system allows."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
