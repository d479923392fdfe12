"""Tasks of the worker processes: choose a move, analyse, solve, explain, read a record.

A task is a dictionary, `{"task": "choose", "game": "hex", "seed": 1, "moves": ["f6"], "bot": "easy", …}`, and
so is its result. Moves are texts, and positions are replayed from them, so that only plain data passes
between processes.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias, cast

from tesuji.any_game import parse_move
from tesuji.bots import RESIGN, FullBot
from tesuji.bots import bot as make_bot
from tesuji.bots.levels import LEVELS, level_spec
from tesuji.bots.threads import with_threads
from tesuji.full_game import FullGame, FullState, Move
from tesuji.registry import bots
from tesuji.scale.worker import Report, Stop, limit_memory
from tesuji.search import Analysis
from tesuji.spec import Spec
from tesuji.web.limits import ServerLimits
from tesuji.web.schema import AnalysisView, Explanations, ExplanationView, SolutionView, Step
from tesuji.web.specs import AllowedBots, allowed_game
from tesuji.web.tables.table import Task
from tesuji.web.tables.views import click_names

CACHED_BOTS = 2  # per process, with their trees, each of which may use the memory limit of a search
REPORT_SECONDS = 0.25  # between two reports of a live analysis
MAX_CANDIDATES = 60
MAX_LINES = 12  # only the best candidates get a line
MAX_LINE_LENGTH = 12
EXPLAINED_MOVES = 5

_cached: OrderedDict[str, tuple[str, str, FullBot]] = OrderedDict()


_allowed = AllowedBots(ServerLimits())  # of this process


def setup(allowed: AllowedBots, loads: Callable[[], object] | None = None) -> None:
    """Set up a worker process: limit its memory and its bots, and load the user's games and bots."""
    global _allowed
    _allowed = allowed
    limit_memory(allowed.limits.process_memory)
    if loads is not None:
        loads()


def run(task: Task, report: Report, stop: Stop) -> Mapping[str, object]:
    """Run a task; exceptions of bots and rules propagate to the server."""
    return _TASKS[task["task"]](task, report, stop)


def position(task: Task) -> tuple[FullGame, FullState]:
    """The game and the position of a task."""
    _, rules = allowed_game(task["game"])
    state = rules.start(task["seed"])
    for text in task["moves"]:
        state = state.play(parse_move(state, text))
    return rules, state


def choose(task: Task, report: Report, stop: Stop) -> dict[str, object]:
    """A bot's move: `{"move", "value", "visits", "seconds"}`; the move is None if the bot resigns.

    `owner` is a table's seat: its next move may reuse the bot, with its search tree, if this process has it.
    """
    rules, state = position(task)
    owner, spec = task["owner"], task["bot"]
    bot = _take_cached(owner, task["game"], spec) or _make(task, rules)
    try:
        began = time.perf_counter()
        legal = list(state.moves())
        if bot.analyses and len(legal) > 1:
            found = _analyse(bot, state, None, stop)
            move, value, visits = found.move, _finite(found.value), found.visits
        else:
            move, value, visits = bot.choose(state), None, None
        if move is not RESIGN and move not in legal:
            raise ValueError(f"played {move!r}, which is not legal")
    except BaseException:
        with contextlib.suppress(Exception):
            bot.close()
        raise
    _cache(owner, task["game"], spec, bot)
    return {
        "move": None if move is RESIGN else state.text(legal[legal.index(move)]),
        "value": value,
        "visits": None if visits is None else int(visits),
        "seconds": round(time.perf_counter() - began, 6),
    }


def analyse(task: Task, report: Report, stop: Stop) -> AnalysisView:
    """A bot's analysis of a position, with progress reports if `live`."""
    rules, state = position(task)
    bot = _make(task, rules)
    if not bot.analyses:
        bot.close()
        raise ValueError(f"{task['bot']} cannot analyse, it only chooses moves")
    last = 0.0

    def progress(found: Analysis) -> None:
        nonlocal last
        if task["live"] and time.monotonic() - last >= REPORT_SECONDS:
            last = time.monotonic()
            report(_view(found))

    try:
        return _view(_analyse(bot, state, progress, stop))
    finally:
        bot.close()


def solve(task: Task, report: Report, stop: Stop) -> SolutionView:
    """Who wins after each move, by the game's own solver, with progress reports."""
    rules, state = position(task)
    assert rules.solve_moves is not None
    began = last = time.monotonic()

    def known(winners: Mapping[Move, int], nodes: int) -> SolutionView:
        by_text = {state.text(move): winner for move, winner in winners.items()}
        return {
            "player": state.player,
            "winners": by_text,
            "unsolved": len(state.moves()) - len(by_text),
            "nodes": nodes,
            "seconds": round(time.monotonic() - began, 3),
        }

    def progress(nodes: int, winners: Mapping[Move, int]) -> bool:
        nonlocal last
        if time.monotonic() - last >= REPORT_SECONDS:
            last = time.monotonic()
            report(known(winners, nodes))
        return not stop.requested

    memory = task["memory"] << 20
    found = rules.solve_moves(state, seconds=task["seconds"], memory=memory, progress=progress)
    return known(found.winners, found.nodes)


def explain(task: Task, report: Report, stop: Stop) -> Explanations:
    """The game's value of the requested moves, or of the best ones, feature by feature."""
    from tesuji.learn.explain import explain as explain_moves
    from tesuji.search.values import named_value

    rules, state = position(task)
    found = explain_moves(state, named_value("game", rules), players=rules.players)
    requested = [parse_move(state, text) for text in task["requested"]]
    shown = [next(one for one in found if one.move == move) for move in requested] or found[:EXPLAINED_MOVES]
    return {"unit": found[0].unit, "explanations": [cast(ExplanationView, one.as_dict()) for one in shown]}


def read(task: Task, report: Report, stop: Stop) -> dict[str, object]:
    """The first game in a text, verified by the rules, as plain data."""
    from tesuji.records.formats import all_formats, read_records
    from tesuji.records.serialization import as_dict
    from tesuji.records.verification import verify

    given, game = task["format"], task.get("game")
    names = [given] if given else list(all_formats())
    errors = []
    for name in names:
        try:
            records = [one for one in read_records(task["text"], name) if _is_game(one.game, game)]
            if records:
                allowed_game(records[0].game)
                verify(records[0])
                return {"record": as_dict(records[0])}
            errors.append(f"{name}: no game{f' of {game}' if game else ''}")
        except ValueError as error:
            errors.append(f"{name}: {error}")
    return {
        "record": None,
        "error": errors[0] if len(names) == 1 else f"no format matches ({'; '.join(errors)})",
    }


def warm_up(task: Task, report: Report, stop: Stop) -> Mapping[str, object]:
    """Start the process and import what most bots need."""
    from tesuji.bots import greedy  # noqa: F401

    return {}


def _make(task: Task, rules: FullGame) -> FullBot:
    """The bot of a task, within the server's limits."""
    given = _allowed.allowed(task["bot"], task["game"])
    spec = bounded(given, rules, task["memory"], task.get("seconds"))
    return make_bot(with_threads(spec, rules, task["threads"]), rules)


def bounded(spec: Spec, rules: FullGame, memory: int, seconds: float | None = None) -> Spec:
    """A bot's spec within the server's limits; a level becomes the spec behind it.

    `seconds` applies to bots with that option whose spec sets no other budget.
    """
    seed = spec.options.get("seed")
    if spec.name in LEVELS:
        spec = level_spec(rules, spec.name)
        spec = bots.seeded(spec, None if seed in (None, "auto", "off") else int(seed))
    options = {info.name: info for info in bots.describe(spec.name)}
    limited: dict[str, str] = {}
    if "memory" in options and spec.options.get("memory") != "off":
        given = spec.options.get("memory", options["memory"].default)
        limited["memory"] = str(min(int(float(given)), memory))
    budgets = ("iterations", "nodes", "visits", "depth", "seconds")
    if seconds is not None and "seconds" in options and not any(budget in spec.options for budget in budgets):
        limited["seconds"] = f"{seconds:g}"
    return spec.with_options(limited)


def _analyse(
    bot: FullBot, state: FullState, progress: Callable[[Analysis], None] | None, stop: Stop
) -> Analysis:
    def watch(found: Analysis) -> None:
        if stop.requested:  # cancel() has no effect before the search starts
            bot.cancel()
        if progress is not None:
            progress(found)

    stop.set_callback(bot.cancel)
    try:
        return bot.analyse(state, progress=watch)
    finally:
        stop.set_callback(None)


def _view(found: Analysis) -> AnalysisView:
    """An analysis as JSON: the visited candidates, best first, with the beginnings of the best lines."""
    best = [one for one in found.candidates if one.visits or one.proven is not None][:MAX_CANDIDATES]
    lines = [one.line[:MAX_LINE_LENGTH] if rank < MAX_LINES else () for rank, one in enumerate(best)]
    shown = [replace(one, line=line) for one, line in zip(best, lines, strict=True)]
    view = replace(found, candidates=tuple(shown)).as_dict()
    names = click_names(found.state, found.state.player)
    for candidate, line in zip(view["candidates"], lines, strict=True):
        candidate["steps"] = [] if names is None else _steps(found.state, line, names)
    for entry in (view, *view["candidates"]):  # JSON has no NaN, which a person's own bot may give
        entry |= {name: _finite(entry[name]) for name in ("value", "prior") if name in entry}
    return cast(AnalysisView, {"player": found.state.player, **view})


def _finite(number: float) -> float | None:
    return float(number) if math.isfinite(number) else None


def _steps(state: FullState, line: Sequence[Move], names: Collection[str]) -> list[Step]:
    """Who plays each move of a line, and where it is clicked."""
    steps: list[Step] = []
    for number, move in enumerate(line, 1):
        steps.append({"player": state.player, "clicks": list(state.clicks(move, names))})
        if number < len(line):
            state = state.play(move)
    return steps


def _is_game(spec: str, game_spec: str | None) -> bool:
    return game_spec is None or Spec.parse(spec).name == Spec.parse(game_spec).name


def _take_cached(owner: str, rules: str, spec: str) -> FullBot | None:
    """The cached bot of this owner, if its game and spec are the same."""
    entry = _cached.pop(owner, None)
    if entry is None:
        return None
    if entry[:2] == (rules, spec):
        return entry[2]
    entry[2].close()
    return None


def _cache(owner: str, rules: str, spec: str, bot: FullBot) -> None:
    _cached[owner] = rules, spec, bot
    while len(_cached) > CACHED_BOTS:
        _cached.popitem(last=False)[1][2].close()


Function: TypeAlias = Callable[[Task, Report, Stop], Mapping[str, object]]
_FUNCTIONS: tuple[Function, ...] = (
    choose,
    analyse,
    solve,
    explain,
    read,
    warm_up,
)
_TASKS = {function.__name__: function for function in _FUNCTIONS}
