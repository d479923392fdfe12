"""What a worker process does for the server: bots choose moves, analyse and explain; records are read.

A question is a dictionary, `{"do": "choose", "game": "hex", "seed": 1, "moves": ["f6"], "bot": "easy", …}`,
and so is its answer: all plain data, with moves as texts. Positions are rebuilt from the moves, so that
nothing but texts goes between the processes.
"""

from __future__ import annotations

import contextlib
import inspect
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from tesuji.bots import RESIGN, close
from tesuji.bots.levels import LEVELS, level_spec
from tesuji.game import Game, State, game, parse_move, players_of, start, text_of
from tesuji.registry import bots
from tesuji.scale.worker import Stop, Tell
from tesuji.search import Analysis
from tesuji.spec import Spec

KEPT = 2  # bots of games in progress, with what they know: a tree may take as much memory as it is allowed
FRAME_SECONDS = 0.25  # between two frames of a live analysis
MOST_CANDIDATES = 60
WITH_LINES = 12  # of the candidates have their line: people look at the best ones
LONGEST_LINE = 12
EXPLAINED = 5

_kept: OrderedDict[str, tuple[str, str, Any]] = OrderedDict()


def setup(memory: int, loads: Callable[[], object] | None = None) -> None:
    """The first thing in a worker: it gets no more than so many MiB, and knows the user's games."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        most = memory << 20
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    if loads is not None:
        loads()


def answer(question: Mapping[str, Any], tell: Tell, stop: Stop) -> dict[str, Any]:
    """Do what is asked for; what bots and rules raise goes to whoever asked."""
    return _DOES[question["do"]](question, tell, stop)


def position(question: Mapping[str, Any]) -> tuple[Game, State]:
    """The game, and the position after its moves."""
    rules = game(question["game"])
    state = start(rules, question["seed"])
    for text in question["moves"]:
        state = state.play(parse_move(state, text))
    return rules, state


def choose(question: Mapping[str, Any], tell: Tell, stop: Stop) -> dict[str, Any]:
    """A bot's move: `{"move", "value", "visits", "seconds"}`; the move is None where it resigns."""
    rules, state = position(question)
    owner, spec = question["owner"], question["bot"]
    bot = _take(owner, question["game"], spec) or bots.make(bounded(spec, rules, question["memory"]), rules)
    try:
        began = time.perf_counter()
        legal = list(state.moves())
        if hasattr(bot, "analyse") and len(legal) > 1:
            found = _analyse(bot, state, None, stop)
            move, value, visits = found.move, _finite(found.value), found.visits
        else:
            move, value, visits = bot.choose(state), None, None
        if move is not RESIGN and move not in legal:
            raise ValueError(f"played {move!r}, which is not legal")
    except BaseException:
        with contextlib.suppress(Exception):
            close(bot)
        raise
    _keep(owner, question["game"], spec, bot)
    return {
        "move": None if move is RESIGN else text_of(state, legal[legal.index(move)]),
        "value": value,
        "visits": None if visits is None else int(visits),
        "seconds": round(time.perf_counter() - began, 6),
    }


def analyse(question: Mapping[str, Any], tell: Tell, stop: Stop) -> dict[str, Any]:
    """What a bot thinks of a position, told while it thinks."""
    rules, state = position(question)
    bot = bots.make(bounded(question["bot"], rules, question["memory"], question["seconds"]), rules)
    if not hasattr(bot, "analyse"):
        close(bot)
        raise ValueError(f"{question['bot']} chooses moves, and cannot say what it thinks of them")
    last = 0.0

    def progress(found: Analysis) -> None:
        nonlocal last
        if stop.asked:  # it was asked before the search had begun
            bot.cancel()
        if question["live"] and time.monotonic() - last >= FRAME_SECONDS:
            last = time.monotonic()
            tell(_frame(found))

    try:
        return _frame(_analyse(bot, state, progress, stop))
    finally:
        close(bot)


def explain(question: Mapping[str, Any], tell: Tell, stop: Stop) -> dict[str, Any]:
    """Why the game's value likes these moves, or the best ones."""
    from tesuji.learn.explain import explain as explained
    from tesuji.search.values import named_value

    rules, state = position(question)
    found = explained(state, named_value("game", rules), players=players_of(rules))
    wanted = [parse_move(state, text) for text in question["wanted"]]
    shown = [next(one for one in found if one.move == move) for move in wanted] or found[:EXPLAINED]
    return {
        "moves": [
            {
                "move": one.text,
                "value": one.probability,
                "unit": one.unit,
                "base": one.base,
                "total": one.total,
                "features": [
                    {"name": term.name, "value": term.reading}
                    | {"weight": term.weight, "part": term.contribution}
                    for term in sorted(one.terms, key=lambda term: -abs(term.contribution))
                ],
            }
            for one in shown
        ]
    }


def read(question: Mapping[str, Any], tell: Tell, stop: Stop) -> dict[str, Any]:
    """The first game in a text, as plain data; its moves have been played by the rules."""
    from tesuji.records.formats import all_formats, read_records
    from tesuji.records.serialization import as_dict
    from tesuji.records.verification import verify

    names = [question["format"]] if question["format"] else list(all_formats())
    faults = []
    for name in names:
        try:
            records = [one for one in read_records(question["text"], name) if _is(one.game, question["game"])]
            if records:
                verify(records[0])
                return {"record": as_dict(records[0])}
            faults.append(f"{name}: there is no game{' of ' + question['game'] if question['game'] else ''}")
        except ValueError as error:
            faults.append(f"{name}: {error}")
    return {
        "record": None,
        "error": faults[0] if len(names) == 1 else f"no format fits ({'; '.join(faults)})",
    }


def nothing(question: Mapping[str, Any], tell: Tell, stop: Stop) -> dict[str, Any]:
    """For a process that is to be ready."""
    from tesuji.bots import greedy  # noqa: F401  # what most bots need

    return {}


def bounded(text: str, rules: Game, memory: int, seconds: float | None = None) -> Spec:
    """The spec of the bot that plays, within what one search may use; a level becomes what it stands for.

    The seconds are for bots that take some and whose spec names no other end.
    """
    spec = Spec.parse(text)
    seed = spec.options.get("seed")
    if spec.name in LEVELS:
        spec = level_spec(rules, spec.name)
        spec = bots.seeded(spec, None if seed is None or seed == "off" else int(seed))
    takes = {info.name: info for info in bots.describe(spec.name)}
    more: dict[str, str] = {}
    if "memory" in takes and spec.options.get("memory") != "off":
        given = spec.options.get("memory", takes["memory"].default)
        more["memory"] = str(min(int(float(given)), memory))
    ends = ("iterations", "nodes", "visits", "depth", "seconds")
    if seconds is not None and "seconds" in takes and not any(end in spec.options for end in ends):
        more["seconds"] = f"{seconds:g}"
    return spec.with_options(more)


def _analyse(bot: Any, state: State, progress: Callable[[Analysis], None] | None, stop: Stop) -> Analysis:
    def insist(found: Analysis) -> None:
        if stop.asked:  # cancel() means nothing to a search that has not begun
            bot.cancel()

    stop.calls(getattr(bot, "cancel", None))
    try:
        reports = "progress" in inspect.signature(bot.analyse).parameters
        found: Analysis = bot.analyse(state, progress=progress or insist) if reports else bot.analyse(state)
        return found
    finally:
        stop.calls(None)


def _frame(found: Analysis) -> dict[str, Any]:
    """An analysis for the page: what was looked at, best first."""
    shown = [one for one in found.candidates if one.visits or one.proven is not None][:MOST_CANDIDATES]
    return {
        "player": found.state.player,
        "move": text_of(found.state, found.move),
        "value": _finite(found.value),
        "proven": found.proven,
        "visits": found.visits,
        "seconds": round(found.seconds, 3),
        "candidates": [
            {
                "move": text_of(found.state, one.move),
                "visits": one.visits,
                "value": _finite(one.value),
                "prior": _finite(one.prior),
                "proven": one.proven,
                "line": found.texts(one.line[:LONGEST_LINE]) if place < WITH_LINES else [],
            }
            for place, one in enumerate(shown)
        ],
    }


def _finite(number: float) -> float | None:
    return float(number) if math.isfinite(number) else None


def _is(spec: str, wanted: str | None) -> bool:
    return wanted is None or Spec.parse(spec).name == Spec.parse(wanted).name


def _take(owner: str, rules: str, spec: str) -> Any:
    """The bot that played here before, if it is still the same one."""
    kept = _kept.pop(owner, None)
    if kept is None or kept[:2] == (rules, spec):
        return kept and kept[2]
    close(kept[2])
    return None


def _keep(owner: str, rules: str, spec: str, bot: Any) -> None:
    _kept[owner] = rules, spec, bot
    while len(_kept) > KEPT:
        close(_kept.popitem(last=False)[1][2])


_DOES: Mapping[str, Callable[[Mapping[str, Any], Tell, Stop], dict[str, Any]]] = {
    "choose": choose,
    "analyse": analyse,
    "explain": explain,
    "read": read,
    "nothing": nothing,
}
