"""Analysis jobs of a table: analyse or solve one position, or review the game; one at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from tesuji.any_game import parse_move
from tesuji.full_game import CHANCE
from tesuji.web.schema import (
    AnalysisMessage,
    AnalysisView,
    Message,
    ReviewMessage,
    SolutionMessage,
    SolutionView,
)
from tesuji.web.search_queue import SearchFailed
from tesuji.web.tables.session import TableSession
from tesuji.web.tables.table import Conflict, Table, Task
from tesuji.web.tables.views import move_clicks, viewer_of

ANALYSIS_SECONDS = 10.0
SOLVE_SECONDS = 60.0
REVIEW_SECONDS = 0.3  # per move
GRACE_SECONDS = 2.0  # that a search may take beyond its budget


def start_analysis(session: TableSession, ply: int, bot: str, seconds: float | None) -> None:
    """Analyse the position at a ply; cancels the current job."""
    _check_position(session.table, ply)
    task = _analysis(session.table, ply, bot, seconds or ANALYSIS_SECONDS, live=True)

    def message(found: AnalysisView, done: bool) -> AnalysisMessage:
        return {"type": "analysis", "ply": ply, "bot": bot, "done": done, **found}

    _start_search(session, task, message, f"{bot} could not analyse")


def start_solution(session: TableSession, ply: int, seconds: float | None) -> None:
    """Find out who wins after each move of the position at a ply; cancels the current job."""
    table = session.table
    if table.rules.solve_moves is None:
        raise Conflict(f"There is no solver for {table.game}; only small boards of some games have one.")
    _check_position(table, ply)
    task: Task = {**table.position(ply), "task": "solve", "seconds": seconds or SOLVE_SECONDS}

    def message(found: SolutionView, done: bool) -> SolutionMessage:
        return {"type": "solution", "ply": ply, "done": done, **found}

    _start_search(session, task, message, "The solver failed")


def start_review(session: TableSession, bot: str, seconds: float | None) -> None:
    """Analyse every position of the game; cancels the current job."""
    table = session.table
    if not table.played:
        raise Conflict("No moves to review.")
    if table.hidden and not table.over:
        raise Conflict("A game with hidden cards can be reviewed once it is over.")
    session.start_job(_review(session, bot, seconds or REVIEW_SECONDS))


def _check_position(table: Table, ply: int) -> None:
    """Raise Conflict if there is nothing to analyse at this ply."""
    table.check_ply(ply)
    state = table.states[ply]
    if state.scores() is not None or ply == len(table.played) and table.over:
        raise Conflict("The game is over: nothing to analyse.")
    if state.player == CHANCE:
        raise Conflict("A chance event comes next: nothing to analyse.")
    if table.hidden and not table.over and state.player != viewer_of(table, None):
        raise Conflict("With hidden cards, only the person to move can analyse.")


def _analysis(table: Table, ply: int, bot: str, seconds: float, *, live: bool) -> Task:
    return {**table.position(ply), "task": "analyse", "bot": bot, "seconds": seconds, "live": live}


def _start_search(
    session: TableSession, task: Task, message: Callable[[Any, bool], Message], failure: str
) -> None:
    """Run a task as the table's job; its progress and its result are sent as messages."""
    session.cancel_job()
    search = session.searches.submit(
        task,
        seconds=task["seconds"] + GRACE_SECONDS,
        progress=lambda found: session.broadcast(message(found, False)),
    )

    async def work() -> None:
        try:
            session.broadcast(message(await search, True))
        except SearchFailed as error:
            session.broadcast({"type": "error", "error": f"{failure}: {error}"})

    session.start_job(work(), analysing=True)


async def _review(session: TableSession, bot: str, seconds: float) -> None:
    """Analyse every position in turn. A move's loss is known after the analysis of the next position."""
    table = session.table
    played, states, final = list(table.played), list(table.states), table.scores
    before: ReviewMessage | None = None
    before_value = 0.5  # of its mover
    for ply, state in enumerate(states):
        last = ply == len(states) - 1
        scores = state.scores() or (final if last else None)
        if scores is None and state.player == CHANCE:
            before = None  # the change in value is not the player's loss
            continue
        found: AnalysisView | None = None
        if scores is None:
            task = _analysis(table, ply, bot, seconds, live=False)
            try:
                search = await session.searches.submit_when_free(task, seconds + GRACE_SECONDS)
                found = cast(AnalysisView, await search)
            except SearchFailed as error:
                session.broadcast({"type": "error", "error": f"{bot} could not review: {error}"})
                return
        values = _by_seat(scores, found, table.players)
        if before is not None:
            now = values.get(cast(int, before["player"]))
            if now is not None and before["best"] != before["played"]:
                before["loss"] = round(max(0.0, before_value - now), 4)
            session.broadcast(before)
        best, player = (found["move"], found["player"]) if found is not None else (None, None)
        before = {
            "type": "review",
            "ply": ply,
            "player": player if last else played[ply].player,
            "value": values.get(0 if table.players == 2 or player is None else player),
            "best": None if last else best,
            "played": None if last else played[ply].text,
            "best_clicks": None
            if last or best is None
            else move_clicks(state, parse_move(state, best), state.player),
            "loss": 0.0,
            "done": last,
        }
        if last:
            session.broadcast(before)
        else:
            before_value = values.get(played[ply].player, 0.5)


def _by_seat(scores: Sequence[float] | None, found: AnalysisView | None, players: int) -> dict[int, float]:
    """The known win probabilities by seat: the scores if the game is over, else from the analysis."""
    if scores is not None:
        return {seat: float(score) for seat, score in enumerate(scores)}
    if found is None or found["value"] is None:
        return {}
    values = {found["player"]: found["value"]}
    if players == 2:
        values[1 - found["player"]] = 1 - found["value"]
    return values
