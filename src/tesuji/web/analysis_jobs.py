"""Analysis jobs of a table: analyse or solve one position, or review the game; one at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

from tesuji.any_game import parse_move
from tesuji.full_game import CHANCE
from tesuji.web.boards import move_clicks
from tesuji.web.search_queue import QueueFull, Search, SearchFailed
from tesuji.web.table_session import TableSession
from tesuji.web.tables import Conflict, Table
from tesuji.web.views import viewer_of

ANALYSIS_SECONDS = 10.0
SOLVE_SECONDS = 60.0
REVIEW_SECONDS = 0.3  # per move
GRACE_SECONDS = 2.0  # that a search may take beyond its budget
RETRY_SECONDS = 1.0  # when the search queue is full


def default_bot(table: Table) -> str:
    """The bot that analyses by default."""
    return str(table.rules.default_bot)


def start_analysis(session: TableSession, ply: int, bot: str, seconds: float | None) -> None:
    """Analyse the position at a ply; cancels the current job."""
    _check_position(session.table, ply)
    session.cancel_job()
    search = _submit(session, ply, bot, seconds or ANALYSIS_SECONDS, live=True)
    _start(session, _analyse(session, search, ply, bot))
    session.analysing = True


def start_solution(session: TableSession, ply: int, seconds: float | None) -> None:
    """Find out who wins after each move of the position at a ply; cancels the current job."""
    table = session.table
    if table.rules.solve_moves is None:
        raise Conflict(f"There is no solver for {table.game}; only small boards of some games have one.")
    _check_position(table, ply)
    session.cancel_job()
    task = {**_position(table, ply), "task": "solve", "seconds": seconds or SOLVE_SECONDS}

    def report(found: Any) -> None:
        session.broadcast({"type": "solution", "ply": ply, **found, "done": False})

    search = session.searches.submit(task, seconds=task["seconds"] + GRACE_SECONDS, progress=report)
    _start(session, _solve(session, search, ply))
    session.analysing = True


def start_review(session: TableSession, bot: str, seconds: float | None) -> None:
    """Analyse every position of the game; cancels the current job."""
    table = session.table
    if not table.played:
        raise Conflict("No moves to review.")
    if table.hidden and not table.over:
        raise Conflict("A game with hidden cards can be reviewed once it is over.")
    session.cancel_job()
    _start(session, _review(session, bot, seconds or REVIEW_SECONDS))


def _check_position(table: Table, ply: int) -> None:
    """Raise Conflict if there is nothing to analyse at this ply."""
    if not 0 <= ply <= len(table.played):
        raise Conflict(f"No position at ply {ply}: the game has {len(table.played)} moves.")
    state = table.states[ply]
    if state.scores() is not None or ply == len(table.played) and table.over:
        raise Conflict("The game is over: nothing to analyse.")
    if state.player == CHANCE:
        raise Conflict("A chance event comes next: nothing to analyse.")
    if table.hidden and not table.over and state.player != viewer_of(table, None):
        raise Conflict("With hidden cards, only the person to move can analyse.")


def _position(table: Table, ply: int) -> dict[str, Any]:
    """The position at a ply, for a worker process."""
    return {"game": table.game, "seed": table.seed, "moves": table.texts[:ply]}


def _start(session: TableSession, job: Any) -> None:
    task = asyncio.get_running_loop().create_task(job)
    session.job, session.analysing = task, False

    def finished(task: asyncio.Task[None]) -> None:
        if session.job is task:
            session.job = None

    task.add_done_callback(finished)


def _submit(session: TableSession, ply: int, bot: str, seconds: float, *, live: bool) -> Search:
    task = {**_position(session.table, ply), "task": "analyse", "bot": bot, "seconds": seconds, "live": live}

    def report(found: Any) -> None:
        session.broadcast({"type": "analysis", "ply": ply, "bot": bot, **found, "done": False})

    return session.searches.submit(task, seconds=seconds + GRACE_SECONDS, progress=report if live else None)


async def _analyse(session: TableSession, search: Search, ply: int, bot: str) -> None:
    about = {"type": "analysis", "ply": ply, "bot": bot}
    empty: dict[str, Any] = {"player": None, "move": None, "value": None, "proven": None, "visits": 0}
    empty |= {"seconds": 0.0, "candidates": []}
    try:
        session.broadcast({**about, **await _result(search), "done": True})
    except SearchFailed as error:
        session.broadcast({**about, **empty, "done": True, "error": f"{bot} could not analyse: {error}"})


async def _solve(session: TableSession, search: Search, ply: int) -> None:
    about: dict[str, Any] = {"type": "solution", "ply": ply}
    empty: dict[str, Any] = {"player": None, "winners": {}, "unsolved": 0, "nodes": 0, "seconds": 0.0}
    try:
        session.broadcast({**about, **await _result(search), "done": True})
    except SearchFailed as error:
        session.broadcast({**about, **empty, "done": True, "error": f"The solver failed: {error}"})


async def _review(session: TableSession, bot: str, seconds: float) -> None:
    """Analyse every position in turn. A move's loss is known after the analysis of the next position."""
    table, two = session.table, session.table.players == 2
    played, states = list(table.played), list(table.states)
    scores = table.scores
    before: dict[str, Any] | None = None
    for ply, state in enumerate(states):
        last = ply == len(states) - 1
        over = state.scores() if state.scores() is not None else scores if last else None
        if over is None and state.player == CHANCE:
            before = None  # the change in value is not the player's loss
            continue
        found: dict[str, Any] = {"player": None, "move": None}
        try:
            if over is None:
                search = await _submit_when_free(session, ply, bot, seconds)
                found = await _result(search)
        except SearchFailed as error:
            message = _review_message(ply, state.player, None, None, None, 0.0)
            session.broadcast({**message, "done": True, "error": f"{bot} could not review: {error}"})
            return
        values = _by_seat(over, found, table.players)
        if before is not None:
            mover = before["player"]
            now = values.get(mover)
            loss = 0.0 if now is None or before["best"] == before["played"] else before["mover"] - now
            message = _review_message(ply - 1, mover, before["value"], before["best"], before["played"], loss)
            session.broadcast({**message, "best_clicks": before["clicks"]})
        value = values.get(0) if two else values.get(found["player"] or 0)
        if last:
            session.broadcast({**_review_message(ply, found["player"], value, None, None, 0.0), "done": True})
            return
        before = {"player": played[ply].player, "best": found["move"], "played": played[ply].text}
        before |= {"value": value, "mover": values.get(played[ply].player, 0.5)}
        before["clicks"] = move_clicks(state, parse_move(state, found["move"]), state.player)


def _review_message(
    ply: int, player: int | None, value: float | None, best: str | None, played: str | None, loss: float
) -> dict[str, Any]:
    message = {"type": "review", "ply": ply, "player": player, "value": value, "best": best, "played": played}
    return {**message, "loss": round(max(0.0, loss), 4), "done": False}


def _by_seat(over: Any, found: dict[str, Any], players: int) -> dict[int, float]:
    """The known win probabilities by seat: the scores if the game is over, else from the analysis."""
    if over is not None:
        return {seat: float(score) for seat, score in enumerate(over)}
    if found.get("value") is None:
        return {}
    values = {found["player"]: found["value"]}
    if players == 2:
        values[1 - found["player"]] = 1 - found["value"]
    return values


async def _submit_when_free(session: TableSession, ply: int, bot: str, seconds: float) -> Search:
    while True:
        try:
            return _submit(session, ply, bot, seconds, live=False)
        except QueueFull:
            await asyncio.sleep(RETRY_SECONDS)


async def _result(search: Search) -> dict[str, Any]:
    """The search's result; cancelling the job cancels the search."""
    try:
        waiting: Awaitable[dict[str, Any]] = search
        return await waiting
    except asyncio.CancelledError:
        search.cancel()
        raise
