"""Errors as responses: every error is `{"error": "one line"}` with a status code."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from tesuji.records.store import StoreError
from tesuji.web.schema import ErrorResponse
from tesuji.web.search_queue import QueueFull, SearchFailed
from tesuji.web.tables.registry import NotFound, ServerFull
from tesuji.web.tables.table import Conflict

STATUS_CODES: tuple[tuple[type[Exception], int], ...] = (
    (NotFound, 404),
    (Conflict, 409),
    (SearchFailed, 409),
    (QueueFull, 429),
    (ServerFull, 503),
    (StoreError, 503),
    (ValueError, 400),  # last: some of the others are ValueErrors
)
DESCRIPTIONS = {
    400: "Invalid request.",
    401: "Token required.",
    403: "Cross-origin request refused.",
    404: "Not found.",
    405: "Method not allowed.",
    408: "Request timeout.",
    409: "Not possible at this table now.",
    413: "Request too large.",
    429: "Too many queued searches.",
    500: "A game's rules raised an exception.",
    503: "Server full, or its store unavailable.",
}
ERROR_RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorResponse, "description": description}
    for status, description in DESCRIPTIONS.items()
}


def install(app: FastAPI) -> None:
    """Register the handlers."""
    for error_type, status in STATUS_CODES:
        app.add_exception_handler(error_type, _handler(status))
    app.add_exception_handler(RequestValidationError, _handle_invalid)
    app.add_exception_handler(HTTPException, _handle_http)
    app.add_exception_handler(Exception, _handle_unexpected)


def _handler(status: int) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def handle(request: Request, error: Exception) -> Response:
        return error_response(status, str(error))

    return handle


async def _handle_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    field = ".".join(str(part) for part in first["loc"][1:])
    return error_response(400, f"{field}: {first['msg']}" if field else str(first["msg"]))


async def _handle_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    text = DESCRIPTIONS[error.status_code] if error.status_code in (404, 405) else str(error.detail)
    return error_response(error.status_code, text, error.headers)


async def _handle_unexpected(request: Request, error: Exception) -> Response:
    """Most likely a user's game raised an exception; the table is unchanged.

    Starlette re-raises the error, so that the server logs its traceback and closes the connection. The
    response announces this, so that the client does not reuse the connection.
    """
    return error_response(500, f"Internal error: {type(error).__name__}: {error}", {"connection": "close"})


def error_response(status: int, error: str, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON response with one line: `error_response(404, "Not found.")`."""
    line = " ".join(error.encode(errors="replace").decode().split())[:500]
    return JSONResponse({"error": line}, status, headers)
