"""`tesuji match`: measure the difference in strength between two bots."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from tesuji.cli.data_table import wrapped
from tesuji.cli.errors import BadInput, input_errors
from tesuji.cli.executors import On, Processes, open_executor, setup
from tesuji.cli.inputs import DEFAULT_STORE, Json, Load, read_game

if TYPE_CHECKING:
    from rich.console import Console, Group
    from rich.table import Table

    from tesuji.arena.match import Match

DEFAULT_GAMES = 100
REFRESH_SECONDS = 0.25
LOG_SECONDS = 60.0
"""Interval of progress reports to standard error if it is not a terminal."""

StoreFile: TypeAlias = Annotated[
    Path,
    typer.Option("--store", metavar="FILE", help="Game store."),
]
Openings: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="SPEC",
        help="Openings: book, random:plies=2, near:plies=3, file:path=FILE or none; defaults to the game's.",
    ),
]
Seed: TypeAlias = Annotated[int, typer.Option(metavar="N", min=0, help="Seed for openings, deals and bots.")]
Iterations: TypeAlias = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="Simulations per move, unless the bot's spec sets a budget."),
]
Seconds: TypeAlias = Annotated[
    float | None,
    typer.Option(metavar="S", min=0.001, help="Seconds per move, unless the bot's spec sets a budget."),
]
ClockTimes: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--clock",
        metavar="S[+INC]",
        help="Time control: seconds per game and increment per move, such as 10+0.1.",
    ),
]
MoveLimit: TypeAlias = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Adjudicate a draw after N moves.")
]
Patience: TypeAlias = Annotated[
    float,
    typer.Option(metavar="S", min=0.1, help="Seconds per move after which a bot counts as hung."),
]


def match(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Game spec, such as hex:size=7.")],
    first: Annotated[str, typer.Argument(metavar="BOT", help="Bot spec, such as mcts:iterations=1000.")],
    second: Annotated[str, typer.Argument(metavar="BOT", help="Spec of its opponent.")],
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N", help=f"Maximum games; defaults to {DEFAULT_GAMES} without --sprt and --error."
        ),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(metavar="H0,H1", help="Run an SPRT of H0,H1 (normalized Elo), such as 0,20."),
    ] = None,
    alpha: Annotated[
        float, typer.Option(metavar="P", help="SPRT: probability of accepting H1 wrongly.")
    ] = 0.05,
    beta: Annotated[
        float, typer.Option(metavar="P", help="SPRT: probability of accepting H0 wrongly.")
    ] = 0.05,
    error: Annotated[
        float | None,
        typer.Option(metavar="ELO", help="Stop when the 95 % confidence interval is within ±ELO."),
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
    store: StoreFile = DEFAULT_STORE,
    files: Load = None,
    as_json: Json = False,
) -> int:
    """Measure the Elo difference of two bots.

    Each opening is played twice with colours reversed. Every game is stored; the same command resumes a
    stopped match, and a larger --games extends it. A bot that crashes, hangs, exceeds its time or makes an
    illegal move loses the game.
    """
    from tesuji.arena.match import Goal, Match, Pairing, with_budgets
    from tesuji.engines.driver import starting_within
    from tesuji.records.store import Store

    spec, rules = read_game(game, files)
    with input_errors(), starting_within(patience):
        if rules.players != 2:
            raise BadInput(
                f"a match needs a game for two players; {spec} has {rules.players} (see tournament)"
            )
        specs = with_budgets((first, second), iterations=iterations, seconds=seconds)
        contest = Pairing(rules, specs, openings=openings, seed=seed, move_limit=move_limit, clock=clock)
        goal = Goal(games=_games(games, sprt, error), sprt=_sprt(sprt, alpha, beta), error=error)
        kept = Store(store)
    with kept:
        with input_errors():
            played = Match(contest, goal, kept)
        with open_executor(on, processes) as where:
            running = played.play(on=where, patience=patience, setup=setup(files))
            stopped = watch(running, partial(_live, played, time.monotonic()), quiet=as_json)
        _show(played, store, as_json)
    return 130 if stopped else 0


def watch(running: Iterator[object], picture: Callable[[Console], Group], *, quiet: bool) -> bool:
    """Run the work with a live display; returns True if Ctrl-C stopped it."""
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True, highlight=False, markup=False)
    try:
        if quiet or not console.is_terminal:
            last = time.monotonic()
            for _ in running:
                if not quiet and time.monotonic() - last >= LOG_SECONDS:
                    console.print(picture(console))
                    last = time.monotonic()
            return False
        with Live(console=console, auto_refresh=False, transient=True) as live:
            live.update(picture(console), refresh=True)
            last = time.monotonic()
            for _ in running:
                if time.monotonic() - last >= REFRESH_SECONDS:
                    live.update(picture(console), refresh=True)
                    last = time.monotonic()
        return False
    except KeyboardInterrupt:
        return True
    finally:
        close: Any = getattr(running, "close", None)
        if close is not None:
            close()


def _live(match: Match, began: float, console: Console) -> Group:
    from rich.console import Group
    from rich.text import Text

    from tesuji.arena.report import match_lines

    fresh = max(len(match.games) - match.resumed, 0)  # games of later rounds may have been stored before
    lines = map(Text, match_lines(match))
    return Group(*lines, progress_line(len(match.games), match.goal.games, fresh, began))


def progress_line(done: int, planned: int | None, fresh: int, began: float, *, what: str = "games") -> Table:
    """A bar with `pace` beside it, below a table that is drawn anew."""
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    from tesuji.arena.progress import pace

    status = pace(done, planned, fresh, began, what=what)
    grid = Table.grid(padding=(0, 1))
    bar = ProgressBar(planned, done, width=20, pulse=planned is None)
    grid.add_row(bar, Text(f"{status} · Ctrl-C stops", "dim"))
    return grid


def _show(match: Match, store: Path, as_json: bool) -> None:
    from tesuji.arena.report import match_data, match_lines

    if as_json:
        print(json.dumps(match_data(match), indent=2))
        return
    before = f" ({match.resumed} from earlier runs)" if match.resumed else ""
    lines = match_lines(match)
    if sys.stdout.isatty():
        lines = wrapped(lines, shutil.get_terminal_size().columns)
    lines.append(f"Games are in {store}{before}, match {match.key}.")  # whole: a path is for copying
    if not match.reached:
        lines.append("Stopped early; run the same command to resume.")
    print("\n".join(lines))


def _games(games: int | None, sprt: str | None, error: float | None) -> int | None:
    return DEFAULT_GAMES if games is None and sprt is None and error is None else games


def _sprt(text: str | None, alpha: float, beta: float) -> Any:
    from tesuji.arena.sprt import SPRT

    if text is None:
        return None
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise BadInput(f"--sprt must be two numbers, such as 0,20, not {text!r}") from None
    return SPRT(low, high, alpha=alpha, beta=beta)
