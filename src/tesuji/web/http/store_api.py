"""The REST API of the store: records, matches and ratings, read only."""

from __future__ import annotations

import asyncio
from typing import Annotated, cast

from fastapi import APIRouter, Path, Query

from tesuji.arena.plot import ratings_svg
from tesuji.arena.standings import match_report, matches, standings
from tesuji.records.serialization import format_time, result_of
from tesuji.records.store import StoreError
from tesuji.web.http import requests
from tesuji.web.http.errors import ERROR_RESPONSES
from tesuji.web.http.tables_api import ServicesDependency, open_record
from tesuji.web.schema import MatchSummary, MatchView, RatingsView, RecordSummary, TableView
from tesuji.web.tables.registry import NotFound

router = APIRouter(prefix="/api", responses=ERROR_RESPONSES)
MAX_NUMBER = 2**53


@router.get("/matches")
async def list_matches(services: ServicesDependency) -> list[MatchSummary]:
    """Every match in the store, newest first."""
    return cast(list[MatchSummary], await asyncio.to_thread(matches, services.store))


@router.get("/matches/{id}")
async def show_match(
    services: ServicesDependency, id: Annotated[str, Path(min_length=1, max_length=200)]
) -> MatchView:
    """The report of a match."""
    found: MatchView | None = await services.store_cache.get(
        f"match {id}", lambda: match_report(services.store, id)
    )
    if found is None:
        raise NotFound("No such match.")
    return found


@router.get("/ratings")
async def ratings(services: ServicesDependency) -> list[RatingsView]:
    """The ratings of every game, from the newest results in the store."""

    def compute() -> list[dict[str, object]]:
        return [
            {**one.as_dict(), "svg": ratings_svg(one.ratings, f"{one.game}, {len(one.results)} games")}
            for one in standings(services.store)
        ]

    found: list[RatingsView] = await services.store_cache.get("ratings", compute)
    return found


@router.get("/records")
async def records(
    services: ServicesDependency, limit: Annotated[int, Query(ge=1, le=200)] = 50
) -> list[RecordSummary]:
    """The newest games in the store."""

    def compute() -> list[RecordSummary]:
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
            for stored in services.store.records(limit=limit, newest_first=True)
        ]

    return await asyncio.to_thread(compute)


@router.post("/records/{number}", status_code=201)
async def open_stored_record(
    body: requests.EmptyRequest,
    services: ServicesDependency,
    number: Annotated[int, Path(ge=1, lt=MAX_NUMBER)],
) -> TableView:
    """Create a table from a record of the store; people play all seats."""
    try:
        record = await asyncio.to_thread(services.store.get, number)
    except StoreError as error:
        raise NotFound(str(error)) from error
    return await open_record(record, services)
