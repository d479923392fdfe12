"""The server: a listening socket and uvicorn. Limits per address and on slow requests are a proxy's work."""

from __future__ import annotations

import contextlib
import logging
import socket
from collections.abc import Iterable

import uvicorn

from tesuji.web.http.app import make_app
from tesuji.web.services import Services

KEEP_ALIVE_SECONDS = 30
SHUTDOWN_SECONDS = 3
BACKLOG = 512
ALL_INTERFACES = ("0.0.0.0", "::")


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
        config = uvicorn.Config(
            make_app(services, token=token, hosts=hosts),
            http="h11",
            limit_concurrency=services.limits.connections,
            ws="websockets-sansio",
            ws_max_size=services.limits.frame_bytes,  # longer frames close the connection
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
