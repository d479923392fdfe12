"""The server itself: a socket, uvicorn, and who is let in at the door.

A connection more than there are places is told so in one line and closed; one that says nothing, or does not
end what it says, is closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, ClassVar

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import get_remote_addr

from tesuji.web.app import make_app
from tesuji.web.rooms import Rooms
from tesuji.web.safety import LOOPBACK

HEAD_SECONDS = 15.0  # until the head of a request is there
KEEP_SECONDS = 30
GOODBYE_SECONDS = 3
REFUSED_SECONDS = 1.0
MOST_REFUSED = 100  # at once; more are closed without further ado
BACKLOG = 512
EVERYWHERE = ("0.0.0.0", "::")
HOUSE_BITS = 64  # of an IPv6 address: a house has at least so many addresses of its own (RFC 6177)


def _refusal(status: bytes, error: bytes) -> bytes:
    line = b'{"error": "%b; try again later"}' % error
    head = b"HTTP/1.1 %b\r\ncontent-type: application/json\r\ncontent-length: %d" % (status, len(line))
    return head + b"\r\nconnection: close\r\nretry-after: 5\r\n\r\n" + line


FULL = _refusal(b"503 Service Unavailable", b"the server has too many connections")
CROWD = _refusal(b"429 Too Many Requests", b"your address has too many connections to this server")


class Door(H11Protocol):
    """A connection over HTTP, where there is a place for it."""

    most = 1200
    most_each = 0
    """For one address; 0: no limit."""
    refused: ClassVar[set[Door]] = set()
    """Those who are still being told."""
    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Let somebody in, or not."""
        refusal = FULL if len(self.connections) >= self.most else CROWD if self._crowded(transport) else None
        self._refused = refusal is not None
        if refusal is not None:
            self.transport = transport
            self._refuse(refusal)
            return
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
        self.refused.discard(self)
        if not self._refused:
            super().connection_lost(exc)

    def eof_received(self) -> None:
        """They have said all."""

    def handle_websocket_upgrade(self, event: Any) -> None:
        """A live connection may be silent for as long as it likes."""
        self._be_patient()
        super().handle_websocket_upgrade(event)

    def _refuse(self, refusal: bytes) -> None:
        """Say so, and hear out what is on its way: over unread bytes a connection is not closed but reset."""
        self.transport.write(refusal)
        if len(self.refused) >= MOST_REFUSED:
            self.transport.close()
            return
        self.refused.add(self)
        self.transport.write_eof()
        self._patience = self.loop.call_later(REFUSED_SECONDS, self._give_up)

    def _crowded(self, transport: Any) -> bool:
        """Whether this address has all the places that one may have."""
        client = get_remote_addr(transport) if self.most_each else None
        if client is None or (house := house_of(client[0])) is None:
            return False
        others = (getattr(one, "client", None) for one in self.connections)
        return sum(one is not None and house_of(one[0]) == house for one in others) >= self.most_each

    def _be_patient(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _give_up(self) -> None:
        """Whoever has not got a whole request out by now is not going to."""
        if not self.transport.is_closing():
            self.transport.close()


@lru_cache(maxsize=4096)
def house_of(address: str) -> str | None:
    """Whose places a connection takes: its address, or of an IPv6 address the network; None: this machine's.

    >>> house_of("192.0.2.7"), house_of("2001:db8::1:2"), house_of("127.0.0.1")
    ('192.0.2.7', '2001:db8::/64', None)
    """
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is None:
            return None if found.is_loopback else str(ip_network((found, HOUSE_BITS), strict=False))
        found = found.ipv4_mapped
    return None if found.is_loopback else str(found)


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
        self.socket = listen(host, port)
        name = socket.gethostname() if host in EVERYWHERE else host
        shown = f"[{name}]" if ":" in name else name
        self.link = f"http://{shown}:{self.socket.getsockname()[1]}/{f'?token={token}' if token else ''}"
        each = 0 if host in LOOPBACK else rooms.limits.per_address
        door = type("Door", (Door,), {"most": rooms.limits.connections, "most_each": each})
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
        logging.getLogger("uvicorn.error").addFilter(_is_ours)
        self._server = uvicorn.Server(config)

    def run(self) -> int:
        """Serve until Ctrl-C, SIGTERM or `stop`."""
        with contextlib.suppress(KeyboardInterrupt):
            self._server.run(sockets=[self.socket])
        return 0

    def stop(self) -> None:
        """End soon; from any thread."""
        self._server.should_exit = True


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether a fault is the server's: a frame whose text is not UTF-8 is its sender's, who gets a 1007."""
    return not record.getMessage().startswith("Invalid UTF-8 sequence received from client")


def listen(host: str, port: int) -> socket.socket:
    """A socket at this address; ValueError where it cannot be had."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        # asyncio turns Nagle's algorithm off where a socket says that it speaks TCP, and only there. With it,
        # the body of an answer waits until its head is acknowledged, and clients may put that off for 40 ms.
        found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
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
