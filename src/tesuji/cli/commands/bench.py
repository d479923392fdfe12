"""`tesuji bench`: playouts and simulations per second on this machine, and fingerprints of play."""

from __future__ import annotations

import random
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated

from tesuji.any_game import after_chance
from tesuji.bots import bot as make_bot
from tesuji.cli.shared.arguments import GameSpec, Json, Load, argument, flag, option
from tesuji.cli.shared.errors import BadInput, input_errors
from tesuji.cli.shared.inputs import read_game
from tesuji.cli.shared.output import UNKNOWN, console, counted, data_table, print_json
from tesuji.full_bot import FullBot
from tesuji.full_game import FullGame, FullState
from tesuji.scale import cores
from tesuji.spec import Spec

if TYPE_CHECKING:
    from rich.console import Console

SEARCHES = {
    "plain UCT": Spec("mcts", {"knowledge": "off", "rave": "off"}),
    "default mcts": Spec("mcts"),
}
THREADS = (1, 2)
MIN_SIMULATIONS = 1_000  # in one tree, for its memory per simulation to be meaningful
BUSY = 0.9  # CPUs per thread; with less, other processes slowed the measurement
BATCH_SECONDS = 0.05  # of native playouts between checks of the clock and Ctrl-C


@dataclass(frozen=True)
class Speed:
    """One measured row; `per_second` is None for a search that is over before its first simulation.

    The last two fields are None for searches that end too soon.
    """

    what: str
    threads: int
    per_second: float | None
    cpus: float
    """CPU seconds per second: fewer than the threads if the machine is busy."""
    bot: str | None = None
    nodes_per_simulation: float | None = None
    bytes_per_simulation: float | None = None


def bench(
    game: GameSpec = None,
    players: Annotated[list[str] | None, argument("[BOT]...", "Bots, with --signature.")] = None,
    seconds: Annotated[float, option("S", "Seconds per measurement.")] = 1.0,
    signature: Annotated[
        bool, flag("Print fingerprints of play; defaults to all bots and levels.", "--signature")
    ] = False,
    files: Load = None,
    as_json: Json = False,
) -> None:
    """Measure the speed of playouts and search.

    Random playouts, plain UCT and the default search, from the start position, with one thread and two.

    With --signature, a fingerprint for each bot instead: it changes when the bot's play changes, and is the
    same on every machine.
    """
    spec, rules = read_game(game, files)
    if signature:
        return _show_signatures(spec, rules, players, as_json)
    if players:
        raise BadInput("bots are for --signature; the speeds are those of the game's mcts")
    processors = cores()
    runs = []
    with input_errors():  # also checks the seconds
        for what, search in SEARCHES.items():
            for threads in [count for count in THREADS if count <= processors]:
                options = {**search.options, "threads": str(threads), "seconds": str(seconds), "seed": "1"}
                bot = make_bot(Spec(search.name, options), rules)
                runs.append((what, search, threads, bot))

    out = console(stderr=as_json)
    speeds = []
    with out.status("random playouts …") as status:
        speeds.append(measure_playouts(rules, seconds))
        for what, search, threads, bot in runs:
            status.update(f"{what}, threads={threads} …")
            speeds.append(measure_search(rules, bot, seconds, what, threads, str(search)))
    if as_json:
        facts = {"game": spec, "cores": processors, "seconds": seconds}
        print_json({**facts, "speeds": [asdict(speed) for speed in speeds]})
    else:
        _show(out, spec, processors, speeds)


def _show_signatures(spec: str, rules: FullGame, players: list[str] | None, as_json: bool) -> None:
    from tesuji.arena.fingerprint import default_bots, fingerprint

    with input_errors():
        found = {bot: fingerprint(bot, rules) for bot in players or default_bots(rules)}
    if as_json:
        print_json({"game": spec, "signatures": found})
        return
    for bot, digest in found.items():
        print(f"{digest or 'none':16}  {bot}")


def measure_playouts(game: FullGame, seconds: float) -> Speed:
    """Random games from the start position, in the core for native games."""
    state = game.start(1)
    native = state.core.playouts if game.native else None
    rng = random.Random(1)
    count, batch, began, used = 0, 1, time.perf_counter(), time.process_time()
    while (passed := time.perf_counter() - began) < seconds or count == 0:
        if native is None:
            _play_out(state, rng)
            count += 1
            continue
        native(batch, count + 1)
        count += batch
        spent = time.perf_counter() - began - passed
        batch = batch * 2 if spent < BATCH_SECONDS else batch
    return Speed("random playouts", 1, count / passed, (time.process_time() - used) / passed)


def _play_out(state: FullState, rng: random.Random) -> None:
    while (state := after_chance(state, rng)).scores() is None:
        moves = state.moves()
        state = state.play(moves[rng.randrange(len(moves))])


def measure_search(game: FullGame, bot: FullBot, seconds: float, what: str, threads: int, spec: str) -> Speed:
    """Search the first position, repeatedly if a proof ends the search early."""
    state = after_chance(game.start(1), random.Random(1))
    spent, simulations, began, used = 0.0, 0, time.perf_counter(), time.process_time()
    while True:
        bot.reset()
        analysis = bot.analyse(state)
        spent += analysis.seconds
        simulations += analysis.iterations
        if (passed := time.perf_counter() - began) >= seconds:
            break
    cpus = (time.process_time() - used) / passed
    rate = simulations / max(spent, 1e-9) if simulations else None
    each = analysis.iterations
    if each < MIN_SIMULATIONS:
        return Speed(what, threads, rate, cpus, spec)
    return Speed(what, threads, rate, cpus, spec, analysis.nodes / each, analysis.bytes / each)


def _show(out: Console, spec: str, cores: int, speeds: list[Speed]) -> None:
    from rich.text import Text

    out.print(Text(f"{spec} on {counted(cores, 'core')}", "bold"))
    rows = []
    for speed in speeds:
        nodes = "" if speed.nodes_per_simulation is None else f"{speed.nodes_per_simulation:.2f}"
        memory = "" if speed.bytes_per_simulation is None else f"{speed.bytes_per_simulation:,.0f}"
        rate = UNKNOWN if speed.per_second is None else f"{speed.per_second:,.0f}"
        figures = (str(speed.threads), f"{speed.cpus:.2f}", rate, nodes, memory)
        rows.append((speed.what, *figures))
    heads = ("", "threads", "CPUs", "per second", "nodes/sim", "bytes/sim")
    out.print(data_table(heads, rows, names=[""]))
    if over := list(dict.fromkeys(speed.what for speed in speeds if speed.per_second is None)):
        out.print(
            f"–: {' and '.join(over)} solves the start position without a simulation. Try a larger board."
        )
    if any(speed.cpus < BUSY * speed.threads for speed in speeds):
        out.print("Some threads got less than one CPU (busy machine or Python rules): speeds are low.")
