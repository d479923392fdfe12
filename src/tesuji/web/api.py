"""The REST calls about games and tables."""

from __future__ import annotations

import secrets
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import JSONResponse, Response

from tesuji.game import players_of, replay
from tesuji.records import PERSON, Record
from tesuji.records.formats import formats_of
from tesuji.records.serialization import from_dict
from tesuji.web import answers, asking
from tesuji.web.clocks import Clock
from tesuji.web.hosts import Host
from tesuji.web.problems import PROBLEMS
from tesuji.web.rooms import Rooms
from tesuji.web.specs import Refused, allowed_game
from tesuji.web.studies import begin_analysis, begin_review, default_bot
from tesuji.web.tables import Conflict, Table

router = APIRouter(prefix="/api", responses=PROBLEMS)

TableId = Annotated[str, Path(min_length=8, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
PlyAsked = Annotated[int | None, Query(ge=0, le=100_000)]
SeatAsked = Annotated[int | None, Query(ge=0, le=63)]
OPENING_SEED = 2**53  # what JavaScript holds exactly


def rooms_of(request: Request) -> Rooms:
    """The server's parts."""
    rooms: Rooms = request.app.state.rooms
    return rooms


Server = Annotated[Rooms, Depends(rooms_of)]


async def _host(id: TableId, rooms: Server) -> Host:
    return await rooms.hall.find(id)


AtTable = Annotated[Host, Depends(_host)]


async def _shown(host: Host, status: int = 200) -> Response:
    """The table as it is now, when it is safe in the store."""
    await host.kept()
    return JSONResponse(host.view(), status)


@router.get("/games", response_model=list[answers.GameShown])
async def games(rooms: Server) -> Response:
    """All games, with their options and bots."""
    return JSONResponse(rooms.catalogue)


@router.post("/tables", status_code=201, response_model=answers.TableShown)
async def new_table(asked: asking.NewTable, rooms: Server) -> Response:
    """Sit down to a new game."""
    spec, rules = allowed_game(asked.game)
    seats = rooms.bots.seats(asked.seats, spec, players_of(rules))
    seed = secrets.randbelow(OPENING_SEED) if asked.seed is None else asked.seed
    words = tuple(asked.moves.replace(",", " ").split())
    if len(words) > rooms.limits.moves:
        raise Refused(f"a game here has at most {rooms.limits.moves} moves")
    replay(rules, asked.moves, seed=seed)
    record = Record(game=spec, players=tuple(seats), seed=seed, moves=words)
    clock = None if asked.clock is None else Clock([asked.clock.seconds] * len(seats), asked.clock.increment)
    return await _shown(rooms.hall.new(record, seats, clock), 201)


@router.get("/tables/{id}", response_model=answers.TableShown)
async def table(host: AtTable, ply: PlyAsked = None, seat: SeatAsked = None) -> Response:
    """The table now, or after so many moves; as a seat sees it."""
    return JSONResponse(host.view(ply=ply, seat=seat))


@router.delete("/tables/{id}", status_code=204)
async def remove(host: AtTable, rooms: Server) -> Response:
    """Clear the table for good."""
    await rooms.hall.remove(host)
    return Response(status_code=204)


@router.post("/tables/{id}/moves", response_model=answers.TableShown)
async def move(asked: asking.MoveAsked, host: AtTable) -> Response:
    """A person's move."""
    host.play(asked.ply, asked.move, asked.seat)
    return await _shown(host)


@router.post("/tables/{id}/undo", response_model=answers.TableShown)
async def undo(asked: asking.Nothing, host: AtTable) -> Response:
    """Take back the person's last move, and the reply."""
    host.undo()
    return await _shown(host)


@router.post("/tables/{id}/resign", response_model=answers.TableShown)
async def resign(asked: asking.SeatAsked, host: AtTable) -> Response:
    """A person gives the game up."""
    host.resign(asked.seat)
    return await _shown(host)


@router.post("/tables/{id}/stop", response_model=answers.TableShown)
async def stop(asked: asking.Nothing, host: AtTable) -> Response:
    """The bot plays what it has found so far."""
    host.stop()
    return await _shown(host)


@router.post("/tables/{id}/seats", response_model=answers.TableShown)
async def seats(asked: asking.SeatsAsked, host: AtTable, rooms: Server) -> Response:
    """Others sit down, say after a bot has failed."""
    host.seat(rooms.bots.seats(asked.seats, host.table.game, host.table.players))
    return await _shown(host)


@router.post("/tables/{id}/pause", response_model=answers.TableShown)
async def pause(asked: asking.PauseAsked, host: AtTable) -> Response:
    """Bots that play each other wait, or go on."""
    host.pause(not host.table.paused if asked.paused is None else asked.paused)
    return await _shown(host)


@router.post("/tables/{id}/step", response_model=answers.TableShown)
async def step(asked: asking.Nothing, host: AtTable) -> Response:
    """Bots that wait make one move."""
    host.step()
    return await _shown(host)


@router.post("/tables/{id}/speed", response_model=answers.TableShown)
async def speed(asked: asking.SpeedAsked, host: AtTable) -> Response:
    """So long bots wait between two moves."""
    host.speed(asked.seconds)
    return await _shown(host)


@router.post("/tables/{id}/branch", status_code=201, response_model=answers.TableShown)
async def branch(asked: asking.PlyAsked, host: AtTable, rooms: Server) -> Response:
    """Another table, with the first moves of this one: what if?"""
    if asked.ply > len(host.table.played):
        raise Conflict(f"the game has {len(host.table.played)} moves; there is no position after {asked.ply}")
    _closed_cards(host.table)
    kept = host.table
    record = Record(
        game=kept.game, players=tuple(kept.seats), seed=kept.seed, moves=tuple(kept.texts[: asked.ply])
    )
    return await _shown(rooms.hall.new(record, list(kept.seats)), 201)


@router.post("/tables/{id}/analysis", status_code=202, response_model=answers.Begun)
async def analysis(asked: asking.AnalysisAsked, host: AtTable, rooms: Server) -> Response:
    """Analyse a position; what is found comes over the live connection."""
    begin_analysis(host, asked.ply, _bot(asked.bot, host, rooms), asked.seconds)
    return JSONResponse({"begun": True}, 202)


@router.delete("/tables/{id}/analysis", status_code=204)
async def end_analysis(host: AtTable) -> Response:
    """Stop the analysis or the review."""
    host.end_study()
    return Response(status_code=204)


@router.post("/tables/{id}/review", status_code=202, response_model=answers.Begun)
async def review(asked: asking.ReviewAsked, host: AtTable, rooms: Server) -> Response:
    """Look at every move of the game; what is found comes over the live connection."""
    begin_review(host, _bot(asked.bot, host, rooms), asked.seconds)
    return JSONResponse({"begun": True}, 202)


@router.get("/tables/{id}/explain", response_model=answers.Explanations)
async def explain(
    host: AtTable,
    rooms: Server,
    ply: Annotated[int, Query(ge=0, le=100_000)],
    moves: Annotated[str, Query(max_length=500)] = "",
) -> Response:
    """Why the game's value likes moves, feature by feature; the best five where none are named."""
    table = host.table
    if ply > len(table.played):
        raise Conflict(f"the game has {len(table.played)} moves; there is no position after {ply}")
    _closed_cards(table)
    question = {"do": "explain", "game": table.game, "seed": table.seed, "moves": table.texts[:ply]}
    wanted = moves.replace(",", " ").split()
    return JSONResponse(await rooms.searches.ask({**question, "wanted": wanted}, seconds=10))


@router.get("/tables/{id}/record", response_model=answers.RecordShown)
async def record(
    host: AtTable, format: Annotated[str, Query(min_length=1, max_length=40)] = "json"
) -> Response:
    """The game as text."""
    table = host.table
    _closed_cards(table)
    formats = formats_of(table.rules)
    if format not in formats:
        raise Refused(f"there is no format {format!r} for {table.game} ({', '.join(formats)})")
    text = formats[format].write(table.record())
    name = f"{table.game.partition(':')[0]}-{table.began:%Y%m%d-%H%M%S}{formats[format].suffix}"
    return JSONResponse({"format": format, "text": text, "file": name})


@router.post("/records", status_code=201, response_model=answers.TableShown)
async def open_record(asked: asking.RecordAsked, rooms: Server) -> Response:
    """A new table with a game that was kept as text; two people sit there."""
    if asked.game is not None:
        allowed_game(asked.game)
    question = {"do": "read", "text": asked.text, "format": asked.format, "game": asked.game}
    found = await rooms.searches.ask(question, seconds=20)
    if found["record"] is None:
        raise Refused(" ".join(found["error"].split())[:500])
    kept = from_dict(found["record"])
    if len(kept.moves) > rooms.limits.moves:
        raise Refused(f"a game here has at most {rooms.limits.moves} moves, and this one {len(kept.moves)}")
    return await _shown(rooms.hall.new(kept, [PERSON] * len(kept.players)), 201)


def _bot(given: str | None, host: Host, rooms: Rooms) -> str:
    return rooms.bots.check(default_bot(host.table) if given is None else given, host.table.game)


def _closed_cards(table: Table) -> None:
    """What would show the cards of others has to wait for the end."""
    if table.hidden and not table.over:
        raise Conflict("the cards are hidden: this can be had when the game is over")
