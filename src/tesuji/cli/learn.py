"""`tesuji learn`: train linear values on recorded games, and networks by self-play."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from tesuji._helpers.extras import require
from tesuji.cli.data_table import data_table
from tesuji.cli.errors import BadInput, input_errors, package_errors
from tesuji.cli.executors import On, open_executor, setup
from tesuji.cli.files import check_can_write, make_folder
from tesuji.cli.inputs import DEFAULT_STORE, Json, Load, read_game
from tesuji.cli.learn_options import EveryOption, GamesStore, L2Penalty, ModelFile, OnlyBot, OnlyMatch
from tesuji.cli.learn_prior import prior
from tesuji.cli.learn_zero import zero

if TYPE_CHECKING:
    from tesuji.learn.linear import LinearValue

app = typer.Typer(
    rich_markup_mode=None, context_settings={"help_option_names": ["-h", "--help"]}, no_args_is_help=False
)


@app.callback(invoke_without_command=True)
def _learn(context: typer.Context) -> None:
    """Train a value, a prior or a network."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def linear(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Game spec, such as hex:size=7.")],
    output: ModelFile,
    store: GamesStore = DEFAULT_STORE,
    bot: OnlyBot = None,
    match: OnlyMatch = None,
    gamma: Annotated[
        float, typer.Option(metavar="G", help="Factor of a position's weight per ply before the end.")
    ] = 0.97,
    l1: Annotated[
        str, typer.Option(metavar="N,N,…", help="L1 penalty; several are compared by cross-validation.")
    ] = "auto",
    l2: L2Penalty = "auto",
    folds: Annotated[int, typer.Option(metavar="N", help="Folds of the cross-validation.")] = 5,
    draws: Annotated[
        str, typer.Option(metavar="half|skip", help="Count draws as half a win, or exclude drawn games.")
    ] = "half",
    opening: Annotated[
        str, typer.Option(metavar="skip|keep", help="Exclude or keep the positions of a match's opening.")
    ] = "skip",
    every_option: EveryOption = False,
    rule: Annotated[
        str,
        typer.Option(
            metavar="RULE",
            help="best: lowest loss; one-standard-error: simplest model within one standard error of it.",
        ),
    ] = "best",
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the assignment to folds.")] = 1,
    without: Annotated[
        str | None,
        typer.Option(metavar="NAME,…", help="Exclude features; * matches any characters, as in card_*."),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Directory for report.md, calibration.svg and path.svg."),
    ] = None,
    files: Load = None,
    on: On = None,
    as_json: Json = False,
) -> None:
    """Fit a linear value to recorded games.

    It gives the log-odds that the side to move wins, as a weighted sum of the game's features, fitted by
    logistic regression with elastic net. Penalties are chosen by cross-validation over games.
    """
    require("learn", "fitting a linear value")  # before the games are read
    from tesuji.learn.dataset import Dataset
    from tesuji.learn.linear import LinearValue
    from tesuji.learn.report import facts, write_report
    from tesuji.learn.settings import check_options, penalty_option
    from tesuji.records.store import Store

    _, rules = read_game(game, files)
    if (players := rules.players) != 2:  # before the store is read
        raise BadInput(f"learn linear needs a two-player game; {game} has {players} players")
    check_can_write(output)
    with input_errors():
        value = LinearValue(
            gamma=gamma,
            l1=penalty_option("l1", l1),
            l2=penalty_option("l2", l2),
            folds=folds,
            draws=cast(Any, draws),
            rule=cast(Any, rule),
            seed=seed,
            without=without.split(",") if without else (),
        )
        check_options(value)
        if opening not in ("skip", "keep"):
            raise ValueError(f"--opening must be skip or keep, not {opening!r}")
        opened = Store(store, create=False)
    with opened, package_errors():
        filters = {key: each for key, each in (("bot", bot), ("match", match)) if each}
        with nullcontext() if on is None else open_executor(on) as where:
            data = Dataset.from_store(
                opened,
                rules,
                opening=cast(Any, opening),
                every_option=every_option,
                on=where,
                setup=setup(files),
                **filters,
            )
        value.fit(data)
    value.save(output)
    if report is not None:
        make_folder(report)
        write_report(value, data, report)
    if as_json:
        print(json.dumps(facts(value), indent=2, ensure_ascii=False))
    else:
        _show(value, output, report)


COMMANDS = (
    ("linear", linear, "tesuji learn linear hex:size=7 --output model.json --report report"),
    ("prior", prior, "tesuji learn prior hex:size=7 --output prior.json"),
    ("zero", zero, "tesuji learn zero gomoku:size=9 --out run --for 30m"),
)


def _show(value: LinearValue, output: Path, report: Path | None) -> None:
    from rich.console import Console
    from rich.text import Text

    from tesuji.learn import report as tables

    console = Console(highlight=False, markup=False)

    def say(line: str, style: str = "") -> None:
        console.print(Text(line, style))

    say(tables.summary(value), "bold")
    say(f"Cross-validation with {value.folds} folds over games; {tables.weighting(value)}.")
    _print(console, tables.LOSS_COLUMNS, tables.loss_table(value))
    say(f"\nWeights at λ1 = {value.l1_:g}, λ2 = {value.l2_:g}; bias {value.bias_:+.4f}", "bold")
    _print(console, tables.WEIGHT_COLUMNS, tables.weight_table(value))
    say(f"Held-out games: {tables.held_out(value)}.")
    for line in tables.remarks(value):
        say(line)
    say(f"Model: {output}" + (f", report: {report}" if report else ""))


def _print(console: Any, columns: tuple[str, ...], rows: list[list[str]]) -> None:
    console.print(data_table(columns, rows, names=["", "feature"]))
