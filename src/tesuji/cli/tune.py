"""`tesuji tune`: find better numbers for a bot's options by games."""

from __future__ import annotations

import json
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tesuji.atomic_write import write_atomically
from tesuji.cli.data_table import data_table
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

if TYPE_CHECKING:
    from rich.console import Console, Group
    from rich.table import Table

    from tesuji.arena.match import Match
    from tesuji.arena.tune import Tuning


def tune(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Game spec, such as hex:size=7.")],
    bot: Annotated[str, typer.Argument(metavar="BOT", help="Spec of the bot to tune.")],
    parameters: Annotated[
        list[str],
        typer.Option(
            "--param", metavar="NAME=LOW..HIGH[:log]", help="Option to tune, with its range; repeatable."
        ),
    ],
    games: Annotated[int, typer.Option(metavar="N", help="Games to tune with.")] = 2000,
    test_games: Annotated[
        int, typer.Option(metavar="N", help="Maximum games of the test against the start.")
    ] = 4000,
    stop_after: Annotated[
        float | None,
        typer.Option(metavar="S", min=0.1, help="Seconds after which to stop tuning, and test the result."),
    ] = None,
    iterations: Iterations = None,
    seconds: Seconds = None,
    clock: ClockTimes = None,
    openings: Openings = None,
    seed: Seed = 1,
    processes: Processes = None,
    on: On = None,
    move_limit: MoveLimit = None,
    patience: Patience = 120.0,
    file: Annotated[
        Path, typer.Option("--state", metavar="FILE", help="File of the tuning; an existing one is resumed.")
    ] = Path("tuning.json"),
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Plot the parameters over the games.")
    ] = None,
    store: StoreFile = DEFAULT_STORE,
    files: Load = None,
    as_json: Json = False,
) -> int:
    """Tune the options of a bot by games.

    The bot plays itself with numbers that differ a little, and they move towards the winner (SPSA). At the
    end, the tuned bot plays the original on other openings, as an SPRT of 0,20 normalized Elo; only a bot
    that passes is recommended. The same command resumes a stopped tuning.
    """
    from tesuji.arena.match import with_budgets
    from tesuji.arena.tune import Tuning
    from tesuji.arena.tuning_plot import tuning_svg
    from tesuji.records.store import Store

    _, rules = read_game(game, files)
    check_can_write(file)
    check_can_write(svg)
    with input_errors():
        (spec,) = with_budgets((bot,), iterations=iterations, seconds=seconds)
        tuning = Tuning(
            rules,
            spec,
            parameters,
            file,
            games=games,
            openings=openings,
            seed=seed,
            move_limit=move_limit,
            clock=clock,
        )
        kept = Store(store)
    match: Match | None = None
    with kept, open_executor(on, processes) as where:
        running = tuning.play(on=where, seconds=stop_after, patience=patience, setup=setup(files))
        picture = partial(_live, tuning, tuning.games, time.monotonic())
        stopped = watch(running, picture, quiet=as_json)
        if svg is not None:
            write_atomically(svg, tuning_svg(tuning.spsa, f"{tuning.pairing.game}, {tuning.bot}"))
        if not stopped and tuning.tuned != tuning.bot:
            match = tuning.test(kept, test_games)
            testing = match.play(on=where, patience=patience, setup=setup(files))
            stopped = watch(testing, partial(_live_test, tuning, match), quiet=as_json)
    _show(tuning, match, stopped, as_json)
    return 130 if stopped else 0


def _live(tuning: Tuning, resumed: int, began: float, console: Console) -> Group:
    from rich.console import Group

    planned = 2 * tuning.spsa.iterations
    return Group(_table(tuning), progress_line(tuning.games, planned, tuning.games - resumed, began))


def _live_test(tuning: Tuning, match: Match, console: Console) -> Group:
    from rich.console import Group
    from rich.text import Text

    from tesuji.arena.report import match_lines

    return Group(_table(tuning), *map(Text, match_lines(match)))


def _table(tuning: Tuning) -> Table:
    tuned = tuning.spsa.options()
    rows = [
        (one.name, f"{one.low:g}..{one.high:g}{' log' if one.log else ''}", f"{start:.4g}", tuned[one.name])
        for one, start in zip(tuning.spsa.parameters, tuning.start, strict=True)
    ]
    return data_table(("option", "range", "start", "tuned"), rows, names=["option", "range"])


def _passed(match: Match | None) -> bool:
    test = None if match is None else match.goal.sprt
    return match is not None and test is not None and test.decision(match.counts) == "H1"


def _show(tuning: Tuning, match: Match | None, stopped: bool, as_json: bool) -> None:
    from rich.console import Console

    from tesuji.arena.report import fault_lines, match_data, match_lines

    if as_json:
        data: dict[str, Any] = {
            "game": tuning.pairing.game,
            "bot": tuning.bot,
            "games": tuning.games,
            "tuned": tuning.tuned,
            "recommended": tuning.tuned if _passed(match) else None,
            "faults": dict(tuning.faults),
            "test": None if match is None else match_data(match),
        }
        print(json.dumps(data, indent=2))
        return
    console = Console(highlight=False, markup=False)
    console.print(f"{tuning.pairing.game}, {tuning.bot}: {tuning.games} games")
    console.print(_table(tuning))
    lines = fault_lines(tuning.faults) + ([] if match is None else match_lines(match))
    if stopped:
        lines.append("Stopped early; run the same command to resume.")
    elif _passed(match):
        lines.append(f"Recommended: {tuning.tuned}")
    else:
        lines.append(f"Not recommended: the tuned bot has not won its test. Keep {tuning.bot}")
    print("\n".join(lines))
