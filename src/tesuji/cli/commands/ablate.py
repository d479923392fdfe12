"""`tesuji ablate`: the Elo that each component of a bot is worth."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from tesuji._helpers.atomic_write import write_atomically
from tesuji.cli.shared.arguments import (
    DEFAULT_STORE,
    Json,
    Load,
    MatchSeed,
    On,
    Openings,
    Processes,
    StoreFile,
    argument,
    option,
)
from tesuji.cli.shared.errors import BadInput, input_errors
from tesuji.cli.shared.inputs import read_game
from tesuji.cli.shared.loading import worker_setup
from tesuji.cli.shared.output import UNKNOWN, check_can_write, console, data_table, print_json, say
from tesuji.cli.shared.running import open_executor, watch
from tesuji.full_game import DEFAULT_BOT, FullGame
from tesuji.registry import bots, spec_of
from tesuji.spec import Spec

if TYPE_CHECKING:
    from rich.table import Table

    from tesuji.arena.ablate import Ablation
    from tesuji.arena.match import Match
    from tesuji.arena.progress import Status


def ablate(
    game: Annotated[str, argument("GAME", "Game spec, such as hex.")],
    bot: Annotated[str | None, option("SPEC", "Bot to ablate; defaults to the game's own.")] = None,
    iterations: Annotated[int, option("N", "Simulations per move; 0 omits this column.", min=0)] = 1000,
    seconds: Annotated[float, option("S", "Seconds per move; 0 omits this column.", min=0)] = 0.01,
    error: Annotated[float, option("ELO", "Stop a row when its 95 % interval is within ±ELO.")] = 30.0,
    games: Annotated[int, option("N", "Maximum games per row.")] = 1000,
    only: Annotated[
        list[str] | None, option("CHANGE", "Measure only this change, such as rave=off; repeatable.")
    ] = None,
    openings: Openings = None,
    seed: MatchSeed = 1,
    processes: Processes = None,
    on: On = None,
    markdown: Annotated[Path | None, option("FILE", "Also write the table as Markdown.")] = None,
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
    budgets = {"iterations": str(iterations)} if iterations else {}
    budgets |= {"seconds": f"{seconds:g}"} if seconds else {}
    if not budgets:
        raise BadInput("--iterations and --seconds are both 0; at least one must be positive")
    check_can_write(markdown)
    spec = bot or _default_bot(rules)
    with input_errors():
        goal = Goal(error=error, games=games)
        plan: Any = {"budgets": budgets, "only": only or (), "openings": openings, "seed": seed}
        ablation_pairings(rules, spec, **plan)  # checks its arguments before the store is created
        kept = Store(store)
    with kept:
        with input_errors():
            ablation = Ablation(rules, spec, kept, goal=goal, **plan)
        with open_executor(on, processes) as where:
            running = ablation.play(on=where, setup=worker_setup(files))
            stopped = watch(running, partial(_status, ablation), quiet=as_json)
        if as_json:
            print_json(_facts(ablation))
        else:
            _show(ablation, store)
    if markdown is not None:
        write_atomically(markdown, markdown_table(ablation))
    return 130 if stopped else 0


def _default_bot(rules: FullGame) -> str:
    """The game's default bot if its work is counted in iterations, otherwise mcts."""
    spec = str(rules.default_bot)
    return spec if bots.has_option(Spec.parse(spec).name, "iterations") else DEFAULT_BOT


def _status(ablation: Ablation) -> Status:
    from rich.text import Text

    from tesuji.arena.progress import Status

    done = sum(match.reached for match in ablation.matches)
    row = Text(f"{done} of {len(ablation.matches)} matches done", "dim")
    return Status(sum(match.counts.games for match in ablation.matches), None, [_table(ablation), row])


def _show(ablation: Ablation, store: Path) -> None:
    say(
        f"{spec_of(ablation.rules)}: Elo of {ablation.bot} against itself with one change, 95 % interval",
        "bold",
    )
    console().print(_table(ablation))
    say(f"Games are in {store}.")
    if not all(match.reached for match in ablation.matches):
        say("Stopped early; run the same command to resume.")


def _table(ablation: Ablation) -> Table:
    return data_table(_heads(ablation), _cells(ablation), names=["change"])


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
    return match.counts.elo().text() if match.counts.pairs else UNKNOWN


def markdown_table(ablation: Ablation) -> str:
    """The table for a page of documentation."""
    heads = _heads(ablation)
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for change, *cells in _cells(ablation):
        cells = [cell.replace("-", "−") for cell in cells]
        lines.append(f"| `{change}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _facts(ablation: Ablation) -> dict[str, object]:
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
