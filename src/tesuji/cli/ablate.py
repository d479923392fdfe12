"""`tesuji ablate`: the Elo that each component of a bot is worth."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tesuji._helpers.atomic_write import write_atomically
from tesuji.cli.data_table import data_table
from tesuji.cli.errors import BadInput, input_errors
from tesuji.cli.executors import On, Processes, open_executor, setup
from tesuji.cli.files import check_can_write
from tesuji.cli.inputs import DEFAULT_STORE, Json, Load, read_game
from tesuji.cli.match import Openings, Seed, StoreFile, watch
from tesuji.full_game import DEFAULT_BOT, FullGame
from tesuji.registry import bots
from tesuji.spec import Spec

if TYPE_CHECKING:
    from rich.console import Console, Group
    from rich.table import Table

    from tesuji.arena.ablate import Ablation
    from tesuji.arena.match import Match


def ablate(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Game spec, such as hex.")],
    bot: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Bot to ablate; defaults to the game's own.")
    ] = None,
    iterations: Annotated[
        int, typer.Option(metavar="N", min=0, help="Simulations per move; 0 omits this column.")
    ] = 1000,
    seconds: Annotated[
        float, typer.Option(metavar="S", min=0, help="Seconds per move; 0 omits this column.")
    ] = 0.01,
    error: Annotated[
        float, typer.Option(metavar="ELO", help="Stop a row when its 95 % interval is within ±ELO.")
    ] = 30.0,
    games: Annotated[int, typer.Option(metavar="N", help="Maximum games per row.")] = 1000,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="CHANGE", help="Measure only this change, such as rave=off; repeatable."),
    ] = None,
    openings: Openings = None,
    seed: Seed = 1,
    processes: Processes = None,
    on: On = None,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the table as Markdown.")
    ] = None,
    store: StoreFile = DEFAULT_STORE,
    files: Load = None,
    as_json: Json = False,
) -> int:
    """Measure the Elo of a bot's components.

    The bot plays copies of itself with one component changed, at equal simulations and at equal time. Elo is
    the unchanged bot's: positive where the component helps. The same command resumes a stopped run.
    """
    from tesuji.arena.ablate import Ablation, ablation_pairings
    from tesuji.arena.match import Goal
    from tesuji.records.store import Store

    _, rules = read_game(game, files)
    budgets = {}
    if iterations:
        budgets["iterations"] = str(iterations)
    if seconds:
        budgets["seconds"] = f"{seconds:g}"
    if not budgets:
        raise BadInput("--iterations and --seconds are both 0; at least one must be positive")
    check_can_write(markdown)
    spec = bot or _default_bot(rules)
    with input_errors():
        goal = Goal(error=error, games=games)
        # Checks its arguments before the store is created.
        ablation_pairings(rules, spec, budgets=budgets, only=only or (), openings=openings, seed=seed)
        kept = Store(store)
    with kept:
        with input_errors():
            ablation = Ablation(
                rules, spec, kept, budgets=budgets, goal=goal, only=only or (), openings=openings, seed=seed
            )
        with open_executor(on, processes) as where:
            running = ablation.play(on=where, setup=setup(files))
            stopped = watch(running, lambda console: _live(ablation, console), quiet=as_json)
        if as_json:
            print(json.dumps(_facts(ablation), indent=2))
        else:
            _show(ablation, store)
    if markdown is not None:
        write_atomically(markdown, markdown_table(ablation))
    return 130 if stopped else 0


def _default_bot(rules: FullGame) -> str:
    """The game's default bot if its work is counted in iterations, otherwise mcts."""
    spec = str(rules.default_bot)
    return spec if bots.has_option(Spec.parse(spec).name, "iterations") else DEFAULT_BOT


def _live(ablation: Ablation, console: Console) -> Group:
    from rich.console import Group
    from rich.text import Text

    done = sum(match.reached for row in ablation.rows for match in row.matches.values())
    matches = len(ablation.rows) * len(ablation.budgets)
    status = f"{done} of {matches} matches done · Ctrl-C stops, the same command resumes"
    return Group(_table(ablation), Text(status, "dim"))


def _show(ablation: Ablation, store: Path) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, markup=False)
    console.print(Text(_title(ablation), "bold"))
    console.print(_table(ablation))
    console.print(Text(f"Games are in {store}."))
    if not all(match.reached for row in ablation.rows for match in row.matches.values()):
        console.print(Text("Stopped early; run the same command to resume."))


def _title(ablation: Ablation) -> str:
    from tesuji.registry import spec_of

    return f"{spec_of(ablation.rules)}: Elo of {ablation.bot} against itself with one change, 95 % interval"


def _heads(ablation: Ablation) -> list[str]:
    heads = ["change"]
    for budget, amount in ablation.budgets.items():
        shown = f"{int(amount):,} iterations" if budget == "iterations" else f"{float(amount) * 1000:g} ms"
        heads += [shown, "games"]
    return heads


def _cells(ablation: Ablation) -> list[list[str]]:
    return [
        [
            str(row.ingredient),
            *(cell for match in row.matches.values() for cell in (_elo(match), str(match.counts.games))),
        ]
        for row in ablation.rows
    ]


def _elo(match: Match) -> str:
    """`+36 [+2, +69]`; `over +620` where the interval has no end."""
    elo = match.counts.elo()
    if not match.counts.pairs:
        return "–"
    if math.isinf(elo.high) and math.isinf(elo.low):
        return "unknown"
    if math.isinf(elo.high):
        return f"over {elo.low:+.0f}"
    if math.isinf(elo.low):
        return f"under {elo.high:+.0f}"
    return f"{elo.value:+.0f} [{elo.low:+.0f}, {elo.high:+.0f}]"


def _table(ablation: Ablation) -> Table:
    return data_table(_heads(ablation), _cells(ablation), names=["change"])


def markdown_table(ablation: Ablation) -> str:
    """The table for a page of documentation."""
    heads = _heads(ablation)
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for change, *cells in _cells(ablation):
        cells = [cell.replace("-", "−") for cell in cells]
        lines.append(f"| `{change}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _facts(ablation: Ablation) -> dict[str, Any]:
    from tesuji.arena.report import match_data

    return {
        "bot": ablation.bot,
        "rows": [
            {
                "change": str(row.ingredient),
                **{budget: match_data(match) for budget, match in row.matches.items()},
            }
            for row in ablation.rows
        ],
    }
