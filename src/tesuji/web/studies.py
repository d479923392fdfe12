"""Studies of a table: a live analysis of one position, or a review of the whole game. One at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

from tesuji.game import CHANCE
from tesuji.web.hosts import Host
from tesuji.web.searches import Busy, Fault, Search
from tesuji.web.tables import Conflict, Table
from tesuji.web.views import viewer_of

ANALYSIS_SECONDS = 10.0
REVIEW_SECONDS = 0.3
"""For each move, where the page does not say."""
MORE = 2.0  # seconds that a search may need beyond what its bot was told


def default_bot(table: Table) -> str:
    """Who looks at positions where the page names nobody: the game's own bot."""
    return str(getattr(table.rules, "default_bot", "mcts"))


def begin_analysis(host: Host, ply: int, bot: str, seconds: float | None) -> None:
    """Analyse the position after so many moves; an earlier study of the table ends."""
    table = host.table
    if not 0 <= ply <= len(table.played):
        raise Conflict(f"the game has {len(table.played)} moves; there is no position after {ply}")
    state = table.states[ply]
    if state.scores() is not None or ply == len(table.played) and table.over:
        raise Conflict("the game is over: there is nothing to analyse")
    if state.player == CHANCE:
        raise Conflict("nature moves next: there is nothing to analyse")
    if table.hidden and not table.over and state.player != viewer_of(table, None):
        raise Conflict("only the cards of the person who is to move can be analysed")
    host.end_study()
    search = _ask(host, ply, bot, seconds or ANALYSIS_SECONDS, live=True)
    _begin(host, _analyse(host, search, ply, bot))
    host.analysing = True


def begin_review(host: Host, bot: str, seconds: float | None) -> None:
    """Look at every position of a game; an earlier study of the table ends."""
    table = host.table
    if not table.played:
        raise Conflict("there is no move to review")
    if table.hidden and not table.over:
        raise Conflict("the cards are hidden: a game can be reviewed when it is over")
    host.end_study()
    _begin(host, _review(host, bot, seconds or REVIEW_SECONDS))


def _begin(host: Host, study: Any) -> None:
    task = asyncio.get_running_loop().create_task(study)
    host.study, host.analysing = task, False

    def ended(task: asyncio.Task[None]) -> None:
        if host.study is task:
            host.study = None

    task.add_done_callback(ended)


def _ask(host: Host, ply: int, bot: str, seconds: float, *, live: bool) -> Search:
    table = host.table
    question = {"do": "analyse", "game": table.game, "seed": table.seed, "moves": table.texts[:ply]}
    question |= {"bot": bot, "seconds": seconds, "live": live}

    def show(found: Any) -> None:
        host.tell({"type": "analysis", "ply": ply, "bot": bot, **found, "done": False})

    return host.searches.ask(question, seconds=seconds + MORE, progress=show if live else None)


async def _analyse(host: Host, search: Search, ply: int, bot: str) -> None:
    about = {"type": "analysis", "ply": ply, "bot": bot}
    empty: dict[str, Any] = {"player": None, "move": None, "value": None, "proven": None, "visits": 0}
    empty |= {"seconds": 0.0, "candidates": []}
    try:
        host.tell({**about, **await _or_drop(search), "done": True})
    except Fault as fault:
        host.tell({**about, **empty, "done": True, "error": f"{bot} cannot analyse this: {fault}"})


async def _review(host: Host, bot: str, seconds: float) -> None:
    """Every position in turn. What a move has lost is known when the position after it was looked at."""
    table, two = host.table, host.table.players == 2
    played, states = list(table.played), list(table.states)
    scores = table.scores
    before: dict[str, Any] | None = None
    for ply, state in enumerate(states):
        last = ply == len(states) - 1
        over = state.scores() if state.scores() is not None else scores if last else None
        if over is None and state.player == CHANCE:
            before = None  # what luck has done is nobody's loss
            continue
        found: dict[str, Any] = {"player": None, "move": None}
        try:
            if over is None:
                search = await _patiently(host, ply, bot, seconds)
                found = await _or_drop(search)
        except Fault as fault:
            frame = _reviewed(ply, state.player, None, None, None, 0.0)
            host.tell({**frame, "done": True, "error": f"{bot} cannot review this: {fault}"})
            return
        values = _by_seat(over, found, table.players)
        if before is not None:
            mover = before["player"]
            now = values.get(mover)
            loss = 0.0 if now is None or before["best"] == before["played"] else before["mover"] - now
            host.tell(_reviewed(ply - 1, mover, before["value"], before["best"], before["played"], loss))
        value = values.get(0) if two else values.get(found["player"] or 0)
        if last:
            host.tell({**_reviewed(ply, found["player"], value, None, None, 0.0), "done": True})
            return
        before = {"player": played[ply].player, "best": found["move"], "played": played[ply].text}
        before |= {"value": value, "mover": values.get(played[ply].player, 0.5)}


def _reviewed(
    ply: int, player: int | None, value: float | None, best: str | None, played: str | None, loss: float
) -> dict[str, Any]:
    frame = {"type": "review", "ply": ply, "player": player, "value": value, "best": best, "played": played}
    return {**frame, "loss": round(max(0.0, loss), 4), "done": False}


def _by_seat(over: Any, found: dict[str, Any], players: int) -> dict[int, float]:
    """What is known of each seat's chance in a position."""
    if over is not None:
        return {seat: float(score) for seat, score in enumerate(over)}
    if found.get("value") is None:
        return {}
    values = {found["player"]: found["value"]}
    if players == 2:
        values[1 - found["player"]] = 1 - found["value"]
    return values


async def _patiently(host: Host, ply: int, bot: str, seconds: float) -> Search:
    while True:
        try:
            return _ask(host, ply, bot, seconds, live=False)
        except Busy:
            await asyncio.sleep(1)


async def _or_drop(search: Search) -> dict[str, Any]:
    """The answer; where nobody waits for it any more, the search ends."""
    try:
        waiting: Awaitable[dict[str, Any]] = search
        return await waiting
    except asyncio.CancelledError:
        search.drop()
        raise
