"""The live connection (WebSocket) of a page to its table: changes, analysis and review results.

A page sends nothing. uvicorn answers its pings, sends its own, and limits the size of frames.
"""

from __future__ import annotations

import asyncio
import contextlib
import json

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from tesuji.records.store import StoreError
from tesuji.web.services import Services
from tesuji.web.tables.registry import NotFound, ServerFull
from tesuji.web.tables.session import Subscriber
from tesuji.web.tables.table import Conflict

router = APIRouter()

NOT_FOUND, TOO_MANY, BAD_SEAT = 4404, 4429, 4400  # close codes
SEND_SECONDS = 20.0  # then a page that does not read is disconnected


@router.websocket("/api/tables/{id}/live")
async def live(socket: WebSocket, id: str) -> None:
    """Send the table, then every change."""
    services: Services = socket.app.state.services
    await socket.accept()
    try:
        session = await services.registry.get(id[:100])
        if len(session.subscribers) >= services.limits.subscribers:
            await _refuse(socket, TOO_MANY, "Too many live connections to this table.")
            return
        subscriber = Subscriber(_seat(socket.query_params.get("seat")))
        session.subscribe(subscriber)
    except (NotFound, ServerFull, StoreError) as error:
        await _refuse(socket, NOT_FOUND, str(error))
        return
    except (Conflict, ValueError) as error:
        await _refuse(socket, BAD_SEAT, str(error))
        return
    tasks = [asyncio.create_task(work) for work in (_send(socket, subscriber), _until_closed(socket))]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        session.unsubscribe(subscriber)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.close()


@router.websocket("/{path:path}")
async def unknown(socket: WebSocket, path: str) -> None:
    """Refuse all other live connections."""
    await socket.close(NOT_FOUND)


async def _send(socket: WebSocket, subscriber: Subscriber) -> None:
    while True:
        message = await subscriber.next()
        async with asyncio.timeout(SEND_SECONDS):
            await socket.send_text(json.dumps(message, separators=(",", ":")))


async def _until_closed(socket: WebSocket) -> None:
    """Ignore what the page sends, until it disconnects."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass


async def _refuse(socket: WebSocket, code: int, error: str) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(json.dumps({"type": "error", "error": error}))
        await socket.close(code, error[:120])


def _seat(text: str | None) -> int | None:
    if not text:
        return None
    if not text.isdecimal() or len(text) > 2:
        raise Conflict(f"seat must be a number from 0 to 99, not {text[:20]!a}.")
    return int(text)
