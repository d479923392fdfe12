"""`tesuji tournament`: rate several bots."""

from __future__ import annotations

import json
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tesuji._helpers.atomic_write import write_atomically
from tesuji.cli.data_table import data_table, wrapped
from tesuji.cli.errors import input_errors
from tesuji.cli.executors import On, Processes, open_executor, setup
from tesuji.cli.files import check_can_write
from tesuji.cli.inputs import DEFAULT_STORE, Json, Load, read_game
from tesuji.cli.match import (
    ClockTimes,
    Iterations,
    MoveLimit,
    Openings,
    Patience,
    Seconds,
    Seed,
    StoreFile,
    progress_line,
    watch,
)
from tesuji.records.record import count_faults

if TYPE_CHECKING:
    from rich.console import Console, Group
    from rich.table import Table

    from tesuji.arena.elo import Estimate
    from tesuji.arena.tournament import Tournament


def tournament(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Game spec, such as hex:size=7.")],
    bots: Annotated[list[str], typer.Argument(metavar="BOT", help="Two or more bot specs.")],
    rounds: Annotated[
        int, typer.Option(metavar="N", min=1, help="Openings per pairing, each played from every seat.")
    ] = 10,
    gauntlet: Annotated[
        bool, typer.Option("--gauntlet", help="Pair only the first bot with the others.")
    ] = False,
    iterations: Iterations = None,
    seconds: Seconds = None,
    clock: ClockTimes = None,
    openings: Openings = None,
    seed: Seed = 1,
    processes: Processes = None,
    on: On = None,
    move_limit: MoveLimit = None,
    patience: Patience = 120.0,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also draw the ratings with their intervals, as SVG.")
    ] = None,
    store: StoreFile = DEFAULT_STORE,
    files: Load = None,
    as_json: Json = False,
) -> int:
    """Rate bots by a round robin or gauntlet.

    Ratings are Elo with 95 % intervals, from one fit to all games that includes the advantage of the first
    move and draws. Every game is stored; the same command resumes a stopped tournament.
    """
    from tesuji.arena.match import with_budgets
    from tesuji.arena.tournament import Kind, Tournament, schedule
    from tesuji.engines.driver import starting_within
    from tesuji.records.store import Store

    _, rules = read_game(game, files)
    kind: Kind = "gauntlet" if gauntlet else "round-robin"
    check_can_write(svg)
    with input_errors(), starting_within(patience):
        specs = with_budgets(bots, iterations=iterations, seconds=seconds)
        schedule(
            rules, specs, kind, openings=openings, seed=seed, clock=clock
        )  # before there is a store for it
        kept = Store(store)
    with kept:
        with input_errors():
            played = Tournament(
                rules,
                specs,
                kept,
                kind=kind,
                rounds=rounds,
                openings=openings,
                seed=seed,
                move_limit=move_limit,
                clock=clock,
            )
        with open_executor(on, processes) as where:
            running = played.play(on=where, patience=patience, setup=setup(files))
            stopped = watch(running, partial(_live, played, time.monotonic()), quiet=as_json)
        _show(played, store, as_json)
    if svg is not None and played.results:
        _draw(played, svg)
    return 130 if stopped else 0


def _live(played: Tournament, began: float, console: Console) -> Group:
    from rich.console import Group

    done = len(played.games)
    parts: list[Any] = [_ratings(played)] if done else []
    return Group(*parts, progress_line(done, played.planned, done - played.resumed, began))


def _show(played: Tournament, store: Path, as_json: bool) -> None:
    from rich.console import Console
    from rich.text import Text

    from tesuji.arena.report import fault_lines

    if as_json:
        print(json.dumps(_facts(played), indent=2))
        return
    console = Console(highlight=False, markup=False)
    clock = f", clock {played.clock}" if played.clock else ""
    console.print(Text(f"{played.game}{clock}, {len(played.games)} of {played.planned} games", "bold"))
    if played.results:
        console.print(_ratings(played))
        for line in wrapped(_terms(played), console.width):
            console.print(Text(line))
        console.print(Text("\nPoints of row against column:", "bold"))
        console.print(_cross_table(played))
    for line in fault_lines(count_faults(record.fault for record in played.games)):
        console.print(Text(line))
    before = f" ({played.resumed} from earlier runs)" if played.resumed else ""
    console.print(Text(f"Games are in {store}{before}."))
    if len(played.games) < played.planned:
        console.print(Text("Stopped early; run the same command to resume."))


def _ratings(played: Tournament) -> Table:
    rows = []
    for rank, row in enumerate(played.ratings().table, 1):
        interval = f"[{row.low:+z.0f}, {row.high:+z.0f}]"
        score = f"{row.points / row.games:.1%}" if row.games else "–"
        rows.append((str(rank), row.name, f"{row.elo:+z.0f}", interval, str(row.games), score))
    return data_table(("#", "bot", "Elo", "95 %", "games", "score"), rows, names=["bot"])


def _terms(played: Tournament) -> list[str]:
    """The fit's other parameters."""
    from tesuji.arena.tournament import shared_first

    ratings = played.ratings()
    lines = []
    if ratings.first_move is not None:
        lines.append(f"First move: {_interval(ratings.first_move)} Elo")
    if ratings.draw_share is not None and any(shared_first(result) for result in played.results):
        share = ratings.draw_share
        lines.append(f"Draws between equal bots: {share.value:.1%} [{share.low:.1%}, {share.high:.1%}]")
    if ratings.seats:
        lines.append("Seats: " + ", ".join(f"{n} {_interval(seat)}" for n, seat in enumerate(ratings.seats)))
    if not ratings.connected:
        lines.append("Some groups of bots have no games between them; their ratings are not comparable.")
    return lines


def _interval(estimate: Estimate) -> str:
    return f"{estimate.value:+z.0f} [{estimate.low:+z.0f}, {estimate.high:+z.0f}]"


def _cross_table(played: Tournament) -> Table:
    """Rows and columns in the order of the ratings; columns by rank, as names are long."""
    names = [row.name for row in played.ratings().table]
    points = played.cross_table()
    rows = []
    for rank, name in enumerate(names, 1):
        cells = []
        for other in names:
            won, games = points[name].get(other, (0.0, 0))
            cells.append("–" if games == 0 else f"{won:g}/{games}")
        rows.append([str(rank), name, *cells])
    return data_table(["#", "bot", *map(str, range(1, len(names) + 1))], rows, names=["bot"])


def _facts(played: Tournament) -> dict[str, Any]:
    from tesuji.arena.report import ratings_data

    return {
        "game": played.game,
        "clock": None if played.clock is None else str(played.clock),
        "kind": played.kind,
        "rounds": played.rounds,
        "games": len(played.games),
        "planned": played.planned,
        **ratings_data(played.ratings(), played.cross_table()),
        "faults": count_faults(record.fault for record in played.games),
    }


def _draw(played: Tournament, path: Path) -> None:
    from tesuji.arena.plot import ratings_svg

    write_atomically(path, ratings_svg(played.ratings(), f"{played.game}, {len(played.games)} games"))
