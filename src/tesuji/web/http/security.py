"""Security middleware around the whole application.

- Cross-origin requests are refused: pages of other sites can neither read nor change anything. On the
  loopback interface the Host header is checked as well, against DNS rebinding.
- A token is required if the server can be reached from other machines: once in the link, then in a cookie.
- Request bodies are limited in size and time.
- Response headers keep browsers from running anything but our own files.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tesuji.web.http.errors import error_response

COOKIE = "tesuji"
COOKIE_SECONDS = 31_536_000  # a year
LOOPBACK = ("localhost", "127.0.0.1", "::1")
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
BODY_SECONDS = 20.0
HEADERS = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",  # browsers revalidate the page's files on every load
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class SecurityMiddleware:
    """ASGI middleware: `SecurityMiddleware(app, body_bytes=262144)`; with a token, all requests need it."""

    def __init__(
        self, app: ASGIApp, *, body_bytes: int, token: str | None = None, hosts: Iterable[str] | None = None
    ):
        """`hosts` are the accepted host names (None: any), `body_bytes` is the limit of a request body."""
        self.app, self.body_bytes, self.token = app, body_bytes, token
        self._too_large = f"Request too large: at most {body_bytes} bytes are allowed."
        self.hosts = None if hosts is None else {host.lower() for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refused = self._refusal(scope, headers)
        if scope["type"] == "websocket":
            if refused is not None:
                await send({"type": "websocket.close", "code": 4403, "reason": refused[1]})
            else:
                await self.app(scope, receive, send)
            return
        send, receive = _with_headers(send), self._limited(receive)
        if self.token is not None and self._has_token_in_link(scope):
            await self._set_cookie(scope)(scope, receive, send)
        elif refused is not None:
            await error_response(*refused)(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if self.hosts is not None and _host_name(host) not in self.hosts:
            return 403, f"Unknown host {host[:100]!a}."
        if self.token is not None and not self._has_token(headers):
            return 401, "Token required: open the link printed by the server."
        changes = scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS
        if changes and not _same_origin(host, headers):
            return 403, "Cross-origin request refused."
        if _length(headers) > self.body_bytes:
            return 413, self._too_large
        return None

    def _has_token(self, headers: Headers) -> bool:
        assert self.token is not None
        given = [headers.get("authorization", "").removeprefix("Bearer ")]
        given += [value for name, value in cookies(headers.get("cookie", "")) if name.startswith(COOKIE)]
        return any(secrets.compare_digest(one.encode(), self.token.encode()) for one in given)

    def _has_token_in_link(self, scope: Scope) -> bool:
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return scope["path"] == "/" and secrets.compare_digest(given.encode(), str(self.token).encode())

    def _set_cookie(self, scope: Scope) -> Response:
        """Move the token from the link to a cookie, and redirect to the page."""
        # Cookies are shared by all ports of a host; the name keeps those of several servers apart.
        name = f"{COOKIE}-{scope['server'][1]}" if scope.get("server") else COOKIE
        response = RedirectResponse("/", 303)
        response.set_cookie(name, str(self.token), COOKIE_SECONDS, httponly=True, samesite="strict")
        return response

    def _limited(self, receive: Receive) -> Receive:
        """Limits the size of a body, and the time it may take to arrive."""
        received, complete = 0, False
        deadline = asyncio.get_running_loop().time() + BODY_SECONDS

        async def receive_limited() -> Message:
            nonlocal received, complete
            try:
                async with asyncio.timeout_at(None if complete else deadline):
                    message = await receive()
            except TimeoutError:
                error = f"Request timeout: the body must arrive within {BODY_SECONDS:g} seconds."
                raise HTTPException(408, error) from None
            received += len(message.get("body", b""))
            if received > self.body_bytes:
                raise HTTPException(413, self._too_large)
            complete = not message.get("more_body", False)
            return message

        return receive_limited


def cookies(header: str) -> list[tuple[str, str]]:
    """The names and values in a Cookie header, including malformed ones of other programs on this host.

    >>> cookies('[bad]=1; =; none; tesuji="abc"; a=b=c')
    [('[bad]', '1'), ('', ''), ('none', ''), ('tesuji', 'abc'), ('a', 'b=c')]

    `http.cookies` stops at the first malformed cookie; browsers send all of them back (RFC 6265, 5.4).
    """
    pairs = (part.partition("=") for part in header.split(";"))
    return [(name.strip(), value.strip().strip('"')) for name, _, value in pairs]


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return send_with_headers


def _length(headers: Headers) -> int:
    """The announced length of the body; 0 if there is none."""
    length = headers.get("content-length", "")
    return int(length) if length.isdecimal() else 0


def _same_origin(host: str, headers: Headers) -> bool:
    """Whether the request is from our own page; programs that are not browsers send no origin."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:
        return False


def _host_name(host: str) -> str | None:
    """The host without its port; None if it is malformed."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port  # raises ValueError if it is not a number
        return parts.hostname
    except ValueError:
        return None
