"""What can go wrong with a call, and how the page hears of it: `{"error": "one clear line"}`."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from tesuji.records.store import StoreError
from tesuji.web.answers import Problem
from tesuji.web.hall import Full, Missing
from tesuji.web.searches import Busy, Fault
from tesuji.web.tables import Conflict

STATUS: tuple[tuple[type[Exception], int], ...] = (
    (Missing, 404),
    (Conflict, 409),
    (Fault, 409),
    (Busy, 429),
    (Full, 503),
    (StoreError, 503),
    (ValueError, 400),  # the last: the others may be ones
)
WORDS = {
    400: "what was sent cannot be used",
    401: "the token is missing",
    403: "another page asked",
    404: "there is no such thing",
    405: "not in this way",
    408: "too slow",
    409: "not now, at this table",
    413: "too long",
    429: "too many searches wait, or too many connections of one address",
    500: "a game's own rules failed",
    503: "the server is full, or its store does not work",
}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": words} for status, words in WORDS.items()
}
logger = logging.getLogger("tesuji.web")


def install(app: FastAPI) -> None:
    """Have every error answered in one line of JSON."""
    for kind, status in STATUS:
        app.add_exception_handler(kind, _answering(status))
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unforeseen)


def _answering(status: int) -> Any:
    async def handle(request: Request, error: Exception) -> Response:
        return problem(status, str(error))

    return handle


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"][1:])
    return problem(400, f"{place}: {first['msg']}" if place else str(first["msg"]))


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    said = error.detail if error.status_code != 404 else "there is nothing at this address"
    return problem(error.status_code, str(said), error.headers)


async def _unforeseen(request: Request, error: Exception) -> Response:
    """Most likely a game of the user's that raised: the table stays as it was.

    The error goes on to the server, which shows where it comes from and closes: the answer says so, lest the
    next call be sent into a closed connection.
    """
    return problem(500, f"this did not work: {type(error).__name__}: {error}", {"connection": "close"})


def problem(status: int, error: str, headers: Any = None) -> Response:
    """One line of JSON: `problem(404, "there is no such table")`."""
    line = " ".join(error.encode(errors="replace").decode().split())[:500]
    return JSONResponse({"error": line}, status, headers)
