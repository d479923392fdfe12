"""The live connection (WebSocket) of a page to its table: changes, analysis and review results."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from tesuji.records.store import StoreError
from tesuji.web.services import Services
from tesuji.web.subscriber import Subscriber
from tesuji.web.table_registry import NotFound, ServerFull
from tesuji.web.tables import Conflict

router = APIRouter()

NOT_FOUND, TOO_MANY, BAD_SEAT = 4404, 4429, 4400  # close codes
SEND_SECONDS = 20.0  # then a page that does not read is disconnected
MAX_BAD_FRAMES = 100  # then the connection is closed


@router.websocket("/api/tables/{id}/live")
async def live(socket: WebSocket, id: str) -> None:
    """Send the table, then every change. The page may send pings."""
    services: Services = socket.app.state.services
    await socket.accept()
    seat = socket.query_params.get("seat")
    try:
        session = await services.registry.get(id[:100])
        if len(session.subscribers) >= services.limits.subscribers:
            await _refuse(socket, TOO_MANY, "Too many live connections to this table.")
            return
        subscriber = Subscriber(_seat(seat))
        session.subscribe(subscriber)
    except (NotFound, ServerFull, StoreError) as error:
        await _refuse(socket, NOT_FOUND, str(error))
        return
    except (Conflict, ValueError) as error:
        await _refuse(socket, BAD_SEAT, str(error))
        return
    sender = asyncio.create_task(_send(socket, subscriber))
    listener = asyncio.create_task(_listen(socket, subscriber, services.limits.frame_bytes))
    try:
        await asyncio.wait((sender, listener), return_when=asyncio.FIRST_COMPLETED)
    finally:
        session.unsubscribe(subscriber)
        for task in (sender, listener):
            task.cancel()
        await asyncio.gather(sender, listener, return_exceptions=True)
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.close()


async def _send(socket: WebSocket, subscriber: Subscriber) -> None:
    while True:
        message = await subscriber.next()
        async with asyncio.timeout(SEND_SECONDS):
            await socket.send_text(json.dumps(message, separators=(",", ":")))


async def _listen(socket: WebSocket, subscriber: Subscriber, frame_bytes: int) -> None:
    bad_frames = 0
    while bad_frames < MAX_BAD_FRAMES:
        event = await socket.receive()
        if event["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(event.get("code") or 1000)
        error = _frame_error(event, frame_bytes)
        bad_frames += error is not None
        subscriber.send({"type": "pong"} if error is None else {"type": "error", "error": error})


def _frame_error(event: Any, frame_bytes: int) -> str | None:
    """What is wrong with a frame; None for a ping, the only message that a page may send."""
    text = event.get("text")
    if text is None:
        return "Binary frames are not supported."
    if len(text) > frame_bytes:
        return f"Frame too large: {len(text)} characters, at most {frame_bytes} are allowed."
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return "The frame is not JSON."
    return None if message == {"type": "ping"} else 'Unknown message; only {"type": "ping"} is supported.'


async def _refuse(socket: WebSocket, code: int, error: str) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(json.dumps({"type": "error", "error": error}))
        await socket.close(code, error[:120])


def _seat(text: str | None) -> int | None:
    if text is None or text == "":
        return None
    if not text.isdecimal() or len(text) > 2:
        raise Conflict(f"seat must be a number from 0 to 99, not {text[:20]!a}.")
    return int(text)
