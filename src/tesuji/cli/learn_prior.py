"""`tesuji learn prior`: fit a linear prior to recorded games."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from tesuji._helpers.extras import require
from tesuji.cli.data_table import data_table
from tesuji.cli.errors import input_errors, package_errors
from tesuji.cli.files import check_can_write
from tesuji.cli.inputs import DEFAULT_STORE, Json, Load, read_game
from tesuji.cli.learn_options import EveryOption, GamesStore, L2Penalty, ModelFile, OnlyBot, OnlyMatch
from tesuji.features import move_features_of

POSITIONS = 200_000


def prior(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Game spec, such as hex:size=11.")],
    output: ModelFile,
    store: GamesStore = DEFAULT_STORE,
    bot: OnlyBot = None,
    match: OnlyMatch = None,
    positions: Annotated[
        int, typer.Option(metavar="N", help="Use about this many positions at most, chosen at random.", min=1)
    ] = POSITIONS,
    every_option: EveryOption = False,
    l2: L2Penalty = "auto",
    folds: Annotated[int, typer.Option(metavar="N", help="Folds of the cross-validation.", min=2)] = 5,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the assignment to folds.", min=0)] = 1,
    files: Load = None,
    as_json: Json = False,
) -> None:
    """Fit a linear prior to recorded games.

    It gives each legal move a probability, the softmax of summed weights of the move's features, fitted to
    the moves played by conditional logistic regression. Bots use it by move_ordering=FILE.
    """
    require("learn", "fitting a linear prior")  # before the games are read
    from tesuji.learn.choices import Choices
    from tesuji.learn.prior import LinearPrior
    from tesuji.learn.prior_report import facts
    from tesuji.learn.settings import penalty_option
    from tesuji.records.store import Store

    _, rules = read_game(game, files)
    check_can_write(output)
    with input_errors():
        move_features_of(rules)  # before the store is read
        made = LinearPrior(l2=penalty_option("l2", l2), folds=folds, seed=seed)
        opened = Store(store, create=False)
    with opened, package_errors():
        filters = {key: each for key, each in (("bot", bot), ("match", match)) if each}
        data = Choices.from_store(opened, rules, most=positions, every_option=every_option, **filters)
        made.fit(data)
    made.save(output)
    if as_json:
        print(json.dumps(facts(made), indent=2, ensure_ascii=False))
        return

    from rich.console import Console

    from tesuji.learn import prior_report as report

    console = Console(highlight=False, markup=False)
    console.print(report.summary(made), style="bold")
    console.print(f"Cross-validation with {folds} folds over games; mean −log P(move played):")
    for line in report.loss_lines(made):
        console.print(line)
    console.print("\nHeld-out games", style="bold")
    console.print(data_table(report.QUALITY_COLUMNS, report.quality_table(made), names=["moves ordered by"]))
    console.print("\nStrongest weights", style="bold")
    console.print(data_table(report.WEIGHT_COLUMNS, report.weight_table(made), names=["feature"]))
    console.print(f"Model: {output}")
