"""The server: a listening socket, uvicorn, and limits on connections.

A connection beyond the limits gets a one-line error and is closed. So is one whose request headers do not
arrive in time.
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
from tesuji.web.security import LOOPBACK
from tesuji.web.services import Services

HEADER_SECONDS = 15.0
KEEP_ALIVE_SECONDS = 30
SHUTDOWN_SECONDS = 3
REFUSED_SECONDS = 1.0
MAX_REFUSED = 100  # refused connections kept open for their unread input; more are closed at once
BACKLOG = 512
ALL_INTERFACES = ("0.0.0.0", "::")
IPV6_PREFIX_BITS = 64  # every site has at least a /64 of its own (RFC 6177)


def _refusal(status: bytes, error: bytes) -> bytes:
    line = b'{"error": "%b; try again later."}' % error
    head = b"HTTP/1.1 %b\r\ncontent-type: application/json\r\ncontent-length: %d" % (status, len(line))
    return head + b"\r\nconnection: close\r\nretry-after: 5\r\n\r\n" + line


SERVER_FULL = _refusal(b"503 Service Unavailable", b"Too many connections")
ADDRESS_FULL = _refusal(b"429 Too Many Requests", b"Too many connections from your address")


class LimitedProtocol(H11Protocol):
    """An HTTP connection, refused beyond `max_connections` and `max_per_address`."""

    max_connections = 1200
    max_per_address = 0
    """0: no limit."""
    refused: ClassVar[set[LimitedProtocol]] = set()
    """Refused connections that are still open."""
    _timeout: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Accept or refuse the connection."""
        refusal = None
        if len(self.connections) >= self.max_connections:
            refusal = SERVER_FULL
        elif self._address_is_full(transport):
            refusal = ADDRESS_FULL
        self._refused = refusal is not None
        if refusal is not None:
            self.transport = transport
            self._refuse(refusal)
            return
        super().connection_made(transport)
        self._timeout = self.loop.call_later(HEADER_SECONDS, self._close)

    def data_received(self, data: bytes) -> None:
        """Handle input; headers, and bodies that the application does not read, are subject to a timeout."""
        if self._refused:
            return
        super().data_received(data)
        unread = self.conn.their_state is h11.SEND_BODY and self.conn.our_state is h11.DONE
        if self.conn.their_state is not h11.IDLE and not unread:
            self._cancel_timeout()
        elif self._timeout is None:
            self._timeout = self.loop.call_later(HEADER_SECONDS, self._close)

    def connection_lost(self, exc: Exception | None) -> None:
        """Clean up."""
        self._cancel_timeout()
        self.refused.discard(self)
        if not self._refused:
            super().connection_lost(exc)

    def eof_received(self) -> None:
        """Keep the connection open for the response."""

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Exempt WebSockets from the timeout."""
        self._cancel_timeout()
        super().handle_websocket_upgrade(event)

    def _refuse(self, refusal: bytes) -> None:
        """Send the error and wait for unread input: closing with unread bytes would reset the connection."""
        self.transport.write(refusal)
        if len(self.refused) >= MAX_REFUSED:
            self.transport.close()
            return
        self.refused.add(self)
        self.transport.write_eof()
        self._timeout = self.loop.call_later(REFUSED_SECONDS, self._close)

    def _address_is_full(self, transport: Any) -> bool:
        client = get_remote_addr(transport) if self.max_per_address else None
        if client is None or (group := address_group(client[0])) is None:
            return False
        others = (getattr(one, "client", None) for one in self.connections)
        return (
            sum(one is not None and address_group(one[0]) == group for one in others) >= self.max_per_address
        )

    def _cancel_timeout(self) -> None:
        if self._timeout is not None:
            self._timeout.cancel()
            self._timeout = None

    def _close(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()


@lru_cache(maxsize=4096)
def address_group(address: str) -> str | None:
    """The key by which connections are counted: the address, of IPv6 its /64 network; None on loopback.

    >>> address_group("192.0.2.7"), address_group("2001:db8::1:2"), address_group("127.0.0.1")
    ('192.0.2.7', '2001:db8::/64', None)
    """
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is None:
            return None if found.is_loopback else str(ip_network((found, IPV6_PREFIX_BITS), strict=False))
        found = found.ipv4_mapped
    return None if found.is_loopback else str(found)


class Server:
    """A server with its socket: `Server(services, host="127.0.0.1", port=8000).run()`; `link` is its URL."""

    def __init__(
        self,
        services: Services,
        *,
        host: str,
        port: int,
        token: str | None = None,
        hosts: Iterable[str] | None = None,
    ) -> None:
        _raise_file_limit()
        self.socket = listen(host, port)
        name = socket.gethostname() if host in ALL_INTERFACES else host
        shown = f"[{name}]" if ":" in name else name
        self.link = f"http://{shown}:{self.socket.getsockname()[1]}/{f'?token={token}' if token else ''}"
        per_address = 0 if host in LOOPBACK else services.limits.per_address
        attributes = {"max_connections": services.limits.connections, "max_per_address": per_address}
        protocol = type("LimitedProtocol", (LimitedProtocol,), attributes)
        config = uvicorn.Config(
            make_app(services, token=token, hosts=hosts),
            http=protocol,
            ws="websockets-sansio",
            ws_max_size=services.limits.frame_bytes * 16,  # longer frames close the connection
            ws_per_message_deflate=False,  # costs more time and memory than it saves
            ws_ping_interval=20.0,
            ws_ping_timeout=40.0,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=SHUTDOWN_SECONDS,
            backlog=BACKLOG,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            lifespan="on",
        )
        logging.getLogger("uvicorn.error").addFilter(_is_server_error)
        self._server = uvicorn.Server(config)

    def run(self) -> int:
        """Serve until Ctrl-C, SIGTERM or `stop()`."""
        with contextlib.suppress(KeyboardInterrupt):
            self._server.run(sockets=[self.socket])
        return 0

    def stop(self) -> None:
        """Shut down soon; may be called from any thread."""
        self._server.should_exit = True


def _is_server_error(record: logging.LogRecord) -> bool:
    """Drops messages about frames that are not UTF-8: a client error, answered with close code 1007."""
    return not record.getMessage().startswith("Invalid UTF-8 sequence received from client")


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; ValueError if the address is not available."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        # asyncio disables Nagle's algorithm only for sockets created with IPPROTO_TCP. With it, the body of a
        # response would wait until its headers are acknowledged, which clients may delay by 40 ms.
        found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.bind((host, port))
            found.listen(BACKLOG)  # before the link is printed
        except OSError:
            found.close()
            raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise ValueError(f"cannot listen on {host}:{port}: {reason}; choose another with --port") from error
    return found


def _raise_file_limit() -> None:
    """Allow as many open files as the system does: every connection is one."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
