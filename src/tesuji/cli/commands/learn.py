"""`tesuji learn`: train linear values and priors on recorded games, and networks by self-play."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, cast

from tesuji._helpers.extras import require
from tesuji.cli.commands.learn_zero import zero
from tesuji.cli.shared.arguments import FitOptions, Json, Load, On, RequiredGame, argument, flag, option
from tesuji.cli.shared.errors import BadInput, input_errors, package_errors
from tesuji.cli.shared.inputs import read_game
from tesuji.cli.shared.loading import worker_setup
from tesuji.cli.shared.output import check_can_write, console, data_table, make_folder, print_json, say
from tesuji.cli.shared.running import open_executor
from tesuji.features import move_features_of

if TYPE_CHECKING:
    from tesuji.learn.linear import LinearPrior, LinearValue

HELP = "Train a value, a prior or a network."
POSITIONS = 200_000

EveryOption: TypeAlias = Annotated[
    bool, flag("Use games with any options, such as other board sizes.", "--every-option")
]
L2Penalty: TypeAlias = Annotated[
    str, option("N,N,…", "L2 penalty; several are compared by cross-validation.")
]


def linear(
    game: RequiredGame,
    *,
    fit: FitOptions,
    gamma: Annotated[float, option("G", "Factor of a position's weight per ply before the end.")] = 0.97,
    l1: Annotated[str, option("N,N,…", "L1 penalty; several are compared by cross-validation.")] = "auto",
    l2: L2Penalty = "auto",
    folds: Annotated[int, option("N", "Folds of the cross-validation.")] = 5,
    draws: Annotated[str, option("half|skip", "Count draws as half a win, or exclude drawn games.")] = "half",
    opening: Annotated[
        str, option("skip|keep", "Exclude or keep the positions of a match's opening.")
    ] = "skip",
    every_option: EveryOption = False,
    rule: Annotated[
        str,
        option(
            "RULE", "best: lowest loss; one-standard-error: simplest model within one standard error of it."
        ),
    ] = "best",
    seed: Annotated[int, option("N", "Seed of the assignment to folds.")] = 1,
    without: Annotated[
        str | None, option("NAME,…", "Exclude features; * matches any characters, as in card_*.")
    ] = None,
    report: Annotated[
        Path | None, option("FOLDER", "Directory for report.md, calibration.svg and path.svg.")
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
    from tesuji.learn.validation import penalty_option
    from tesuji.records.store import Store

    _, rules = read_game(game, files)
    if (players := rules.players) != 2:  # before the store is read
        raise BadInput(f"learn linear needs a two-player game; {game} has {players} players")
    check_can_write(fit.output)
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
        value.check_options()
        if opening not in ("skip", "keep"):
            raise ValueError(f"--opening must be skip or keep, not {opening!r}")
        opened = Store(fit.store, create=False)
    with opened, package_errors():
        with nullcontext() if on is None else open_executor(on) as where:
            data = Dataset.from_store(
                opened,
                rules,
                opening=cast(Any, opening),
                every_option=every_option,
                on=where,
                setup=worker_setup(files),
                **fit.filters,
            )
        value.fit(data)
    value.save(fit.output)
    if report is not None:
        make_folder(report)
        write_report(value, data, report)
    if as_json:
        print_json(facts(value), ascii=False)
    else:
        _show_value(value, fit.output, report)


def prior(
    game: Annotated[str, argument("GAME", "Game spec, such as hex:size=11.")],
    *,
    fit: FitOptions,
    positions: Annotated[
        int, option("N", "Use about this many positions at most, chosen at random.", min=1)
    ] = POSITIONS,
    every_option: EveryOption = False,
    l2: L2Penalty = "auto",
    folds: Annotated[int, option("N", "Folds of the cross-validation.", min=2)] = 5,
    seed: Annotated[int, option("N", "Seed of the assignment to folds.", min=0)] = 1,
    files: Load = None,
    as_json: Json = False,
) -> None:
    """Fit a linear prior to recorded games.

    It gives each legal move a probability, the softmax of summed weights of the move's features, fitted to
    the moves played by conditional logistic regression. Bots use it by move_ordering=FILE.
    """
    require("learn", "fitting a linear prior")  # before the games are read
    from tesuji.learn.dataset import MoveDataset
    from tesuji.learn.linear import LinearPrior
    from tesuji.learn.report import facts
    from tesuji.learn.validation import penalty_option
    from tesuji.records.store import Store

    _, rules = read_game(game, files)
    check_can_write(fit.output)
    with input_errors():
        move_features_of(rules)  # before the store is read
        made = LinearPrior(l2=penalty_option("l2", l2), folds=folds, seed=seed)
        opened = Store(fit.store, create=False)
    with opened, package_errors():
        data = MoveDataset.from_store(opened, rules, most=positions, every_option=every_option, **fit.filters)
        made.fit(data)
    made.save(fit.output)
    if as_json:
        print_json(facts(made), ascii=False)
    else:
        _show_prior(made, fit.output)


COMMANDS = (
    ("linear", linear, "tesuji learn linear hex:size=7 --output model.json --report report"),
    ("prior", prior, "tesuji learn prior hex:size=7 --output prior.json"),
    ("zero", zero, "tesuji learn zero gomoku:size=9 --out run --for 30m"),
)


def _show_value(value: LinearValue, output: Path, report: Path | None) -> None:
    from tesuji.learn import report as tables

    say(tables.summary(value), "bold")
    say(f"Cross-validation with {value.folds} folds over games; {tables.weighting(value)}.")
    _print(tables.LOSS_COLUMNS, tables.loss_table(value))
    say(f"\nWeights at λ1 = {value.l1_:g}, λ2 = {value.l2_:g}; bias {value.bias_:+.4f}", "bold")
    _print(tables.WEIGHT_COLUMNS, tables.weight_table(value))
    say(f"Held-out games: {tables.held_out(value)}.")
    for line in tables.notes(value):
        say(line)
    say(f"Model: {output}" + (f", report: {report}" if report else ""))


def _show_prior(made: LinearPrior, output: Path) -> None:
    from tesuji.learn import report

    say(report.summary(made), "bold")
    say(f"Cross-validation with {made.folds} folds over games; mean −log P(move played):")
    for line in report.prior_loss_lines(made):
        say(line)
    say("\nHeld-out games", "bold")
    _print(report.QUALITY_COLUMNS, report.quality_table(made))
    say("\nStrongest weights", "bold")
    _print(report.PRIOR_WEIGHT_COLUMNS, report.prior_weight_table(made))
    say(f"Model: {output}")


def _print(columns: tuple[str, ...], rows: list[list[str]]) -> None:
    console().print(data_table(columns, rows, names=["", "feature", "moves ordered by"]))
