"""The REST calls about what the store holds: records, matches, ratings. Nothing here is changed."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from fastapi.responses import JSONResponse, Response

from tesuji.arena.plot import ratings_svg
from tesuji.arena.standings import match_report, matches, standings
from tesuji.records import PERSON
from tesuji.records.serialization import format_time, result_of
from tesuji.records.store import StoreError
from tesuji.web import answers, asking
from tesuji.web.api import Server
from tesuji.web.hall import Missing
from tesuji.web.problems import PROBLEMS
from tesuji.web.specs import Refused

router = APIRouter(prefix="/api", responses=PROBLEMS)
LARGEST = 2**53


@router.get("/matches", response_model=list[answers.MatchListed])
async def list_matches(rooms: Server) -> Response:
    """Every match in the store, newest first."""
    return JSONResponse(await asyncio.to_thread(matches, rooms.store))


@router.get("/matches/{id}", response_model=answers.MatchShown)
async def show_match(rooms: Server, id: Annotated[str, Path(min_length=1, max_length=200)]) -> Response:
    """How a match stands."""
    found = await rooms.shelf.ask(f"match {id}", lambda: match_report(rooms.store, id))
    if found is None:
        raise Missing("there is no such match")
    return JSONResponse(found)


@router.get("/ratings", response_model=list[answers.RatingsShown])
async def ratings(rooms: Server) -> Response:
    """The ratings of every game, by the newest results in the store."""

    def work() -> list[dict[str, Any]]:
        return [
            {**one.as_dict(), "svg": ratings_svg(one.ratings, f"{one.game}, {len(one.results)} games")}
            for one in standings(rooms.store)
        ]

    return JSONResponse(await rooms.shelf.ask("ratings", work))


@router.get("/records", response_model=list[answers.RecordListed])
async def records(rooms: Server, limit: Annotated[int, Query(ge=1, le=200)] = 50) -> Response:
    """The newest games in the store."""

    def work() -> list[dict[str, Any]]:
        return [
            {
                "number": stored.number,
                "game": stored.record.game,
                "players": list(stored.record.players),
                "result": result_of(stored.record),
                "ending": stored.record.ending,
                "plies": len(stored.record.moves),
                "when": format_time(stored.record.when),
            }
            for stored in rooms.store.records(limit=limit, newest_first=True)
        ]

    return JSONResponse(await asyncio.to_thread(work))


@router.post("/records/{number}", status_code=201, response_model=answers.TableShown)
async def open_kept(
    asked: asking.Nothing, rooms: Server, number: Annotated[int, Path(ge=1, lt=LARGEST)]
) -> Response:
    """A new table with a game of the store; people sit there."""
    try:
        record = await asyncio.to_thread(rooms.store.get, number)
    except StoreError as error:
        raise Missing(str(error)) from error
    if len(record.moves) > rooms.limits.moves:
        raise Refused(f"a game here has at most {rooms.limits.moves} moves, and this one {len(record.moves)}")
    host = rooms.hall.new(record, [PERSON] * len(record.players))
    await host.kept()
    return JSONResponse(host.view(), 201)
