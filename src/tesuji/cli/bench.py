"""`tesuji bench`: how fast games are played and searched on this machine."""

from __future__ import annotations

import json
import os
import random
import time
from dataclasses import asdict, dataclass
from typing import Annotated, Any

import typer

from tesuji.cli.errors import reading
from tesuji.cli.inputs import GameSpec, Json, Load, read_game
from tesuji.game import CHANCE, Game, start
from tesuji.registry import bots
from tesuji.spec import Spec

SEARCHES = {
    "plain UCT": Spec("mcts", {"knowledge": "off", "rave": "off"}),
    "default mcts": Spec("mcts"),
}
THREADS = (1, 2)
BATCH_SECONDS = 0.05  # of native playouts between two looks at the clock, and at Ctrl-C


@dataclass(frozen=True)
class Speed:
    """One measured figure; the last two only for searches."""

    what: str
    threads: int
    per_second: float
    bot: str | None = None
    nodes_per_simulation: float | None = None
    bytes_per_simulation: float | None = None


def bench(
    game: GameSpec = None,
    seconds: Annotated[float, typer.Option(metavar="S", help="Time for each figure.")] = 1.0,
    file: Load = None,
    as_json: Json = False,
) -> None:
    """Measure playouts and simulations per second.

    Random playouts, plain UCT and the default search, from the first position, with one thread and with two.
    """
    spec, rules = read_game(game, file)
    cores = _cores()
    runs = []
    with reading():  # checks the seconds too
        for what, search in SEARCHES.items():
            for threads in [count for count in THREADS if count <= cores]:
                options = {**search.options, "threads": str(threads), "seconds": str(seconds), "seed": "1"}
                runs.append((what, search, threads, bots.make(Spec(search.name, options), rules)))

    from rich.console import Console

    console = Console(highlight=False, markup=False, stderr=as_json)
    speeds = []
    with console.status("random playouts …") as status:
        speeds.append(Speed("random playouts", 1, playouts_per_second(rules, seconds)))
        for what, search, threads, bot in runs:
            status.update(f"{what}, threads={threads} …")
            speeds.append(measure(rules, bot, seconds, what, threads, str(search)))
    if as_json:
        facts = {"game": spec, "cores": cores, "seconds": seconds}
        print(json.dumps({**facts, "speeds": [asdict(speed) for speed in speeds]}, indent=2))
    else:
        _show(console, spec, cores, speeds)


def playouts_per_second(game: Game, seconds: float) -> float:
    """Random games from the start, in the core where the rules are native."""
    state: Any = start(game, 1)
    native = getattr(getattr(state, "core", None), "playouts", None)
    rng = random.Random(1)
    count, batch, began = 0, 1, time.perf_counter()
    while (passed := time.perf_counter() - began) < seconds:
        if native is None:
            _play_out(state, rng)
            count += 1
            continue
        native(batch, count + 1)
        count += batch
        spent = time.perf_counter() - began - passed
        batch = batch * 2 if spent < BATCH_SECONDS else batch
    return count / passed if count else 0.0


def _play_out(state: Any, rng: random.Random) -> None:
    while state.scores() is None:
        if state.player == CHANCE:
            moves, weights = zip(*state.chances(), strict=True)
            state = state.play(rng.choices(moves, weights)[0])
        else:
            moves = state.moves()
            state = state.play(moves[rng.randrange(len(moves))])


def measure(game: Game, bot: Any, seconds: float, what: str, threads: int, spec: str) -> Speed:
    """Search the first position, again and again where a proof ends the search before its time."""
    state = start(game, 1)
    spent, simulations, analysis = 0.0, 0, None
    while spent < seconds:
        bot.reset()
        analysis = bot.analyse(state)
        spent += max(analysis.seconds, 1e-6)
        simulations += analysis.iterations
    assert analysis is not None
    rate, each = simulations / spent, max(analysis.iterations, 1)
    return Speed(what, threads, rate, spec, analysis.nodes / each, analysis.bytes / each)


def _show(console: Any, spec: str, cores: int, speeds: list[Speed]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    console.print(Text(f"{spec} on {cores} core{'s' if cores > 1 else ''}", "bold"))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("")
    for name in ("threads", "per second", "nodes/simulation", "bytes/simulation"):
        table.add_column(name, justify="right", no_wrap=True)
    for speed in speeds:
        nodes = "" if speed.nodes_per_simulation is None else f"{speed.nodes_per_simulation:.2f}"
        memory = "" if speed.bytes_per_simulation is None else f"{speed.bytes_per_simulation:,.0f}"
        table.add_row(speed.what, str(speed.threads), f"{speed.per_second:,.0f}", nodes, memory)
    console.print(table)


def _cores() -> int:
    """Those this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
