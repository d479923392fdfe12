"""Who may talk to the server, and how much they may say: one layer around everything else.

- The page's own origin alone: a page of another site can neither read nor change anything. A server on the
  loopback interface also checks by which name it is called, against sites whose own name points here.
- A token, where the server can be reached from outside: in the link once, then in a cookie.
- Bodies are bounded, and come in their time.
- Every answer has headers that keep a browser from running anything but our own files.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from collections.abc import Iterable
from urllib.parse import parse_qs, urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "tesuji"
LOOPBACK = ("localhost", "127.0.0.1", "::1")
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
BODY_SECONDS = 20.0
LEFTOVER_SECONDS = 30.0  # for what is still on its way when a request was refused, as nginx's lingering_time
LEFTOVER_PAUSE = 5.0  # seconds between two parts of it, as its lingering_timeout
LEFTOVER_BYTES = 256 << 20
HEADERS = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """The layer: `Guard(app, body=262144)`; with a token, only whoever knows it comes through."""

    def __init__(
        self, app: ASGIApp, *, body: int, token: str | None = None, hosts: Iterable[str] | None = None
    ):
        """Calls are for one of the `hosts`, None: for any; `body` is how many bytes a request may have."""
        self.app, self.body, self.token = app, body, token
        self.hosts = None if hosts is None else {host.lower() for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refused = self._refusal(scope, headers)
        if scope["type"] == "websocket":
            if refused is not None:
                await send({"type": "websocket.close", "code": 4403, "reason": refused[1]})
                return
            await self.app(scope, receive, send)
            return
        sending = _with_headers(send)
        if self.token is not None and self._has_token_in_link(scope):
            await self._enter(scope, sending)
        elif refused is not None:
            await refuse(receive, sending, *refused)
        elif scope["method"] in SAFE_METHODS:
            await self.app(scope, receive, sending)
        else:
            await self._with_body(scope, headers, receive, sending)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if self.hosts is not None and _name(host) not in self.hosts:
            return 403, "this server is called by another name"
        if self.token is not None and not self._has_token(headers):
            return 401, "this server needs its token: open the link that it printed"
        changes = scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS
        if changes and not _same_origin(host, headers):
            return 403, "only the page of this server may do that"
        return None

    def _has_token(self, headers: dict[str, str]) -> bool:
        assert self.token is not None
        given = [headers.get("authorization", "").removeprefix("Bearer ")]
        given += [value for name, value in cookies(headers.get("cookie", "")) if name.startswith(COOKIE)]
        return any(secrets.compare_digest(one.encode(), self.token.encode()) for one in given)

    def _has_token_in_link(self, scope: Scope) -> bool:
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return scope["path"] == "/" and secrets.compare_digest(given.encode(), str(self.token).encode())

    async def _enter(self, scope: Scope, send: Send) -> None:
        """The link was opened: the token becomes a cookie, and leaves the address."""
        # Ports share their cookies: another server of this machine must not take ours away.
        name = f"{COOKIE}-{scope['server'][1]}" if scope.get("server") else COOKIE
        cookie = f"{name}={self.token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000"
        headers = [(b"location", b"/"), (b"set-cookie", cookie.encode()), (b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    async def _with_body(self, scope: Scope, headers: dict[str, str], receive: Receive, send: Send) -> None:
        """Read the whole body first: what is too long or too slow never reaches the rest."""
        said = headers.get("content-length", "0")
        if said.isdecimal() and int(said[:20]) > self.body:
            await refuse(receive, send, 413, f"a request has at most {self.body} bytes, not {said[:20]}")
            return
        said_so_far, more = bytearray(), True
        try:
            async with asyncio.timeout(BODY_SECONDS):
                while more and len(said_so_far) <= self.body:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return
                    said_so_far += message.get("body", b"")
                    more = message.get("more_body", False)
        except TimeoutError:
            await refuse(receive, send, 408, f"a request comes within {BODY_SECONDS:g} seconds")
            return
        if len(said_so_far) > self.body:
            await refuse(receive, send, 413, f"a request has at most {self.body} bytes", more=more)
            return
        body: Message | None = {"type": "http.request", "body": bytes(said_so_far), "more_body": False}

        async def again() -> Message:
            nonlocal body
            if body is None:
                return await receive()
            message, body = body, None
            return message

        await self.app(scope, again, send)


async def refuse(receive: Receive, send: Send, status: int, error: str, *, more: bool = True) -> None:
    """Answer in one line, hear out what is still on its way, and close.

    A connection closed over bytes that nobody read is reset, and a reset may overtake the answer (RFC 9112,
    9.6). So the rest is read and dropped, for a while: many clients look for an answer only when all is sent.
    """
    body = json.dumps({"error": error}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    headers += [(b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": True})
    left = LEFTOVER_BYTES
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LEFTOVER_SECONDS):
            while more and left > 0:
                async with asyncio.timeout(LEFTOVER_PAUSE):
                    message = await receive()  # a disconnect has no more_body
                left -= len(message.get("body", b""))
                more = message.get("more_body", False)
    await send({"type": "http.response.body", "body": b""})


def cookies(header: str) -> list[tuple[str, str]]:
    """The names and values in a Cookie header, those that programs at other ports of this host have set too.

    >>> cookies('[bad]=1; =; none; tesuji="abc"; a=b=c')
    [('[bad]', '1'), ('', ''), ('none', ''), ('tesuji', 'abc'), ('a', 'b=c')]

    `http.cookies` ends at the first that is not to its liking; browsers send what they were given (RFC 6265,
    5.4).
    """
    pairs = (part.partition("=") for part in header.split(";"))
    return [(name.strip(), value.strip().strip('"')) for name, _, value in pairs]


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            added = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
            message = {**message, "headers": [*message.get("headers", []), *added]}
        await send(message)

    return sending


def _same_origin(host: str, headers: dict[str, str]) -> bool:
    """Whether a browser says that our own page asks; programs that are no browsers say nothing."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:
        return False


def _name(host: str) -> str | None:
    """The host without its port; None where it is none."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port  # raises where it is no number
        return parts.hostname
    except ValueError:
        return None
