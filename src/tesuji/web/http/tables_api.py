"""The REST API of games and tables."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request

from tesuji.any_game import replay, set_up
from tesuji.options import unknown
from tesuji.records import PERSON, Record
from tesuji.records.formats import formats_of
from tesuji.records.serialization import from_dict
from tesuji.registry import spec_of
from tesuji.web.http import requests
from tesuji.web.http.errors import ERROR_RESPONSES
from tesuji.web.schema import Explanations, GameView, JobStarted, PositionView, RecordView, TableView
from tesuji.web.services import Services
from tesuji.web.specs import BadRequest, allowed_game
from tesuji.web.tables.analysis_jobs import start_analysis, start_review, start_solution
from tesuji.web.tables.session import TableSession
from tesuji.web.tables.table import Conflict, Table, TableClock, Task
from tesuji.web.tables.views import describe_board

router = APIRouter(prefix="/api", responses=ERROR_RESPONSES)

TableId = Annotated[str, Path(min_length=8, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
PlyQuery = Annotated[int | None, Query(ge=0, le=100_000)]
SeatQuery = Annotated[int | None, Query(ge=0, le=63)]
EXPLAIN_SECONDS = 10.0
READ_SECONDS = 20.0
MAX_SEED = 2**53  # JavaScript represents smaller integers exactly


def services_of(request: Request) -> Services:
    """The services of the running server."""
    services: Services = request.app.state.services
    return services


ServicesDependency = Annotated[Services, Depends(services_of)]


async def _session(id: TableId, services: ServicesDependency) -> TableSession:
    return await services.registry.get(id)


SessionDependency = Annotated[TableSession, Depends(_session)]


async def _saved(session: TableSession) -> TableView:
    """The table, once it is saved in the store."""
    await session.saved()
    return session.view()


@router.get("/games")
async def games(services: ServicesDependency) -> list[GameView]:
    """List all games, with their options and bots."""
    return services.catalogue


@router.post("/tables", status_code=201)
async def new_table(body: requests.NewTableRequest, services: ServicesDependency) -> TableView:
    """Create a table."""
    spec, rules = allowed_game(body.game)
    seats = services.bots.seats(body.seats, spec, rules.players)
    seed = secrets.randbelow(MAX_SEED) if body.seed is None else body.seed
    moves = tuple(body.moves.replace(",", " ").split())
    _check_length(moves, services)
    replay(rules, body.moves, seed=seed)
    record = Record(game=spec, players=tuple(seats), seed=seed, moves=moves)
    clock = (
        None if body.clock is None else TableClock([body.clock.seconds] * len(seats), body.clock.increment)
    )
    return await _saved(services.registry.create(record, seats, clock))


@router.post("/positions")
async def position(body: requests.PositionRequest) -> PositionView:
    """The game that begins from a diagram, and its board; or what is wrong with the diagram."""
    _, rules = allowed_game(body.game)
    try:
        if body.diagram is not None:
            rules = set_up(rules, body.diagram, body.player)
        state = rules.start()
        spec, _ = allowed_game(spec_of(state.game))
    except ValueError as error:  # usual while a position is edited, and no error of the request
        return {"problem": " ".join(str(error).removeprefix("position: ").split())}
    if state.hidden:
        raise BadRequest(f"{body.game} has hidden cards and cannot be set up")
    return {
        "game": spec,
        "board": describe_board(state, None),
        "turn": state.player,
        "diagram": str(state),
        "over": state.scores() is not None,
        "problem": None,
    }


@router.get("/tables/{id}")
async def table(session: SessionDependency, ply: PlyQuery = None, seat: SeatQuery = None) -> TableView:
    """The table, now or at an earlier ply, as seen from a seat."""
    return session.view(ply=ply, seat=seat)


@router.delete("/tables/{id}", status_code=204)
async def remove(session: SessionDependency, services: ServicesDependency) -> None:
    """Delete the table."""
    await services.registry.delete(session)


@router.post("/tables/{id}/moves")
async def move(body: requests.MoveRequest, session: SessionDependency) -> TableView:
    """Play a person's move."""
    session.play(body.ply, body.move, body.seat)
    return await _saved(session)


@router.post("/tables/{id}/undo")
async def undo(body: requests.EmptyRequest, session: SessionDependency) -> TableView:
    """Take back the last move of a person, and the reply."""
    session.undo()
    return await _saved(session)


@router.post("/tables/{id}/resign")
async def resign(body: requests.ResignRequest, session: SessionDependency) -> TableView:
    """Resign for a person."""
    session.resign(body.seat)
    return await _saved(session)


@router.post("/tables/{id}/stop")
async def stop(body: requests.EmptyRequest, session: SessionDependency) -> TableView:
    """Make the bot play its best move so far."""
    session.stop_thinking()
    return await _saved(session)


@router.post("/tables/{id}/seats")
async def seats(
    body: requests.SeatsRequest, session: SessionDependency, services: ServicesDependency
) -> TableView:
    """Change the players, for example after a bot has failed."""
    session.set_seats(services.bots.seats(body.seats, session.table.game, session.table.players))
    return await _saved(session)


@router.post("/tables/{id}/pause")
async def pause(body: requests.PauseRequest, session: SessionDependency) -> TableView:
    """Pause or resume a game between bots."""
    session.pause(not session.table.paused if body.paused is None else body.paused)
    return await _saved(session)


@router.post("/tables/{id}/step")
async def step(body: requests.EmptyRequest, session: SessionDependency) -> TableView:
    """Play one move of a game between bots."""
    session.step()
    return await _saved(session)


@router.post("/tables/{id}/speed")
async def speed(body: requests.SpeedRequest, session: SessionDependency) -> TableView:
    """Set the seconds between two moves of bots."""
    session.set_speed(body.seconds)
    return await _saved(session)


@router.post("/tables/{id}/branch", status_code=201)
async def branch(
    body: requests.BranchRequest, session: SessionDependency, services: ServicesDependency
) -> TableView:
    """Create a new table from an earlier position of this one."""
    table = session.table
    table.check_ply(body.ply)
    _check_open(table)
    moves = tuple(table.texts[: body.ply])
    record = Record(game=table.game, players=tuple(table.seats), seed=table.seed, moves=moves)
    return await _saved(services.registry.create(record, list(table.seats)))


@router.post("/tables/{id}/analysis", status_code=202)
async def analysis(
    body: requests.AnalysisRequest, session: SessionDependency, services: ServicesDependency
) -> JobStarted:
    """Start analysing a position; the results arrive over the live connection."""
    start_analysis(session, body.ply, _bot(body.bot, session, services), body.seconds)
    return {"started": True}


@router.delete("/tables/{id}/analysis", status_code=204)
async def stop_analysis(session: SessionDependency) -> None:
    """Stop the analysis, the solver or the review."""
    session.cancel_job()


@router.post("/tables/{id}/solution", status_code=202)
async def solution(body: requests.SolutionRequest, session: SessionDependency) -> JobStarted:
    """Start solving a position: who wins after each move. The results arrive over the live connection."""
    start_solution(session, body.ply, body.seconds)
    return {"started": True}


@router.post("/tables/{id}/review", status_code=202)
async def review(
    body: requests.ReviewRequest, session: SessionDependency, services: ServicesDependency
) -> JobStarted:
    """Start reviewing all moves; the results arrive over the live connection."""
    start_review(session, _bot(body.bot, session, services), body.seconds)
    return {"started": True}


@router.get("/tables/{id}/explain")
async def explain(
    session: SessionDependency,
    services: ServicesDependency,
    ply: Annotated[int, Query(ge=0, le=100_000)],
    moves: Annotated[str, Query(max_length=500)] = "",
) -> Explanations:
    """Explain the value of moves, feature by feature; by default of the best five."""
    table = session.table
    table.check_ply(ply)
    _check_open(table)
    task: Task = {**table.position(ply), "task": "explain", "requested": moves.replace(",", " ").split()}
    found: Explanations = await services.searches.submit(task, seconds=EXPLAIN_SECONDS)
    return found


@router.get("/tables/{id}/record")
async def record(
    session: SessionDependency, format: Annotated[str, Query(min_length=1, max_length=40)] = "json"
) -> RecordView:
    """The game as text."""
    table = session.table
    _check_open(table)
    formats = formats_of(table.rules)
    if format not in formats:
        raise BadRequest(unknown(f"format {format!r} for {table.game}", format, formats))
    text = formats[format].write(table.record())
    name = f"{table.game.partition(':')[0]}-{table.began:%Y%m%d-%H%M%S}{formats[format].suffix}"
    return {"format": format, "text": text, "filename": name}


@router.post("/records", status_code=201)
async def import_record(body: requests.ImportRequest, services: ServicesDependency) -> TableView:
    """Create a table from a record; people play all seats."""
    task: Task = {"task": "read", "text": body.text, "format": body.format}
    if body.game is not None:
        allowed_game(body.game)  # an error of the request, not of the text
        task["game"] = body.game
    found = await services.searches.submit(task, seconds=READ_SECONDS)
    if found["record"] is None:
        raise BadRequest(" ".join(found["error"].split())[:500])
    return await open_record(from_dict(found["record"]), services)


async def open_record(record: Record, services: Services) -> TableView:
    """A new table with a recorded game; people play all seats."""
    _check_length(record.moves, services)
    return await _saved(services.registry.create(record, [PERSON] * len(record.players)))


def _bot(spec: str | None, session: TableSession, services: Services) -> str:
    return services.bots.check(spec or session.table.rules.default_bot, session.table.game)


def _check_length(moves: Sequence[str], services: Services) -> None:
    if len(moves) > services.limits.moves:
        raise BadRequest(f"A game may have at most {services.limits.moves} moves, not {len(moves)}.")


def _check_open(table: Table) -> None:
    """Refuse requests that would reveal hidden cards of a running game."""
    if table.hidden and not table.over:
        raise Conflict("The cards are hidden until the game is over.")
