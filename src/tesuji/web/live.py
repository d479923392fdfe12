"""The live connection of a page to its table: every change, analyses and reviews, as they come."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from tesuji.records.store import StoreError
from tesuji.web.hall import Full, Missing
from tesuji.web.hosts import Host
from tesuji.web.rooms import Rooms
from tesuji.web.tables import Conflict
from tesuji.web.watchers import Watcher

router = APIRouter()

NO_TABLE, TOO_MANY, BAD_SEAT = 4404, 4429, 4400
SEND_SECONDS = 20.0
"""Who does not take a frame in this time is gone."""
MOST_FAULTS = 100
"""Bad frames; who sends more is not a page of ours."""


@router.websocket("/api/tables/{id}/live")
async def live(socket: WebSocket, id: str) -> None:
    """Send the table at once, and all that happens then. The page may send pings."""
    rooms: Rooms = socket.app.state.rooms
    await socket.accept()
    seat = socket.query_params.get("seat")
    try:
        host = await rooms.hall.find(id[:100])
        if len(host.watchers) >= rooms.limits.watchers:
            await _refuse(socket, TOO_MANY, "too many pages look at this table")
            return
        watcher = Watcher(_seat(seat))
        host.watch(watcher)
    except (Missing, Full, StoreError) as error:
        await _refuse(socket, NO_TABLE, str(error))
        return
    except (Conflict, ValueError) as error:
        await _refuse(socket, BAD_SEAT, str(error))
        return
    sender = asyncio.create_task(_send(socket, watcher))
    listener = asyncio.create_task(_listen(socket, watcher, host, rooms.limits.frame))
    try:
        await asyncio.wait((sender, listener), return_when=asyncio.FIRST_COMPLETED)
    finally:
        host.leave(watcher)
        for task in (sender, listener):
            task.cancel()
        await asyncio.gather(sender, listener, return_exceptions=True)
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.close()


async def _send(socket: WebSocket, watcher: Watcher) -> None:
    while True:
        frame = await watcher.next()
        async with asyncio.timeout(SEND_SECONDS):
            await socket.send_text(json.dumps(frame, separators=(",", ":")))


async def _listen(socket: WebSocket, watcher: Watcher, host: Host, longest: int) -> None:
    faults = 0
    while faults < MOST_FAULTS:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code") or 1000)
        answer = _answer(message, longest)
        faults += answer["type"] == "error"
        watcher.send(answer)


def _answer(message: Any, longest: int) -> dict[str, Any]:
    """What a frame of the page gets: a pong for a ping, a clear line for anything else."""
    text = message.get("text")
    if text is None:
        return {"type": "error", "error": "a frame is text, and not bytes"}
    if len(text) > longest:
        return {"type": "error", "error": f"a frame has at most {longest} characters"}
    try:
        frame = json.loads(text)
    except (ValueError, RecursionError):
        return {"type": "error", "error": "a frame is JSON, and this is none"}
    if frame != {"type": "ping"}:
        return {"type": "error", "error": 'a page sends {"type": "ping"} alone'}
    return {"type": "pong"}


async def _refuse(socket: WebSocket, code: int, error: str) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(json.dumps({"type": "error", "error": error}))
        await socket.close(code, error[:120])


def _seat(text: str | None) -> int | None:
    if text is None or text == "":
        return None
    if not text.isdecimal() or len(text) > 2:
        raise Conflict("a seat is a number from 0 on")
    return int(text)
