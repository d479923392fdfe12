"""`tesuji tune`: find better numbers for a bot's options by games."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tesuji._helpers.atomic_write import write_atomically
from tesuji.cli.shared.arguments import (
    DEFAULT_STORE,
    ContestOptions,
    Json,
    Load,
    RequiredGame,
    StoreFile,
    argument,
    option,
)
from tesuji.cli.shared.errors import input_errors
from tesuji.cli.shared.inputs import read_game
from tesuji.cli.shared.loading import worker_setup
from tesuji.cli.shared.output import check_can_write, console, data_table, print_json
from tesuji.cli.shared.running import open_executor, watch

if TYPE_CHECKING:
    from rich.table import Table

    from tesuji.arena.match import Match
    from tesuji.arena.progress import Status
    from tesuji.arena.tune import Tuning


def tune(
    game: RequiredGame,
    bot: Annotated[str, argument("BOT", "Spec of the bot to tune.")],
    *,
    parameters: Annotated[
        list[str],
        option("NAME=LOW..HIGH[:log]", "Option to tune, with its range; repeatable.", "--param"),
    ],
    games: Annotated[int, option("N", "Games to tune with.")] = 2000,
    test_games: Annotated[int, option("N", "Maximum games of the test against the start.")] = 4000,
    stop_after: Annotated[
        float | None, option("S", "Seconds after which to stop tuning, and test the result.", min=0.1)
    ] = None,
    contest: ContestOptions,
    file: Annotated[
        Path, option("FILE", "File of the tuning; an existing one is resumed.", "--state")
    ] = Path("tuning.json"),
    svg: Annotated[Path | None, option("FILE", "Plot the parameters over the games.")] = None,
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
        (spec,) = with_budgets((bot,), iterations=contest.iterations, seconds=contest.seconds)
        tuning = Tuning(rules, spec, parameters, file, games=games, **contest.plan)
        kept = Store(store)
    match: Match | None = None
    with kept, open_executor(contest.on, contest.processes) as on:
        running = tuning.play(on=on, seconds=stop_after, patience=contest.patience, setup=worker_setup(files))
        stopped = watch(running, partial(_status, tuning), quiet=as_json)
        if svg is not None:
            write_atomically(svg, tuning_svg(tuning.spsa, f"{tuning.pairing.game}, {tuning.bot}"))
        if not stopped and tuning.tuned != tuning.bot:
            match = tuning.test(kept, test_games)
            testing = match.play(on=on, patience=contest.patience, setup=worker_setup(files))
            stopped = watch(testing, partial(_test_status, tuning, match), quiet=as_json)
    _show(tuning, match, stopped, as_json)
    return 130 if stopped else 0


def _status(tuning: Tuning) -> Status:
    from tesuji.arena.progress import Status

    return Status(tuning.games, 2 * tuning.spsa.iterations, [_table(tuning)])


def _test_status(tuning: Tuning, match: Match) -> Status:
    from rich.text import Text

    from tesuji.arena.progress import Status
    from tesuji.arena.report import match_lines

    lines = [Text(line) for line in match_lines(match)]
    return Status(len(match.games), match.goal.games, [_table(tuning), *lines])


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
    from tesuji.arena.report import fault_lines, match_data, match_lines

    if as_json:
        print_json(
            {
                "game": tuning.pairing.game,
                "bot": tuning.bot,
                "games": tuning.games,
                "tuned": tuning.tuned,
                "recommended": tuning.tuned if _passed(match) else None,
                "faults": dict(tuning.faults),
                "test": None if match is None else match_data(match),
            }
        )
        return
    out = console()
    out.print(f"{tuning.pairing.game}, {tuning.bot}: {tuning.games} games")
    out.print(_table(tuning))
    lines = fault_lines(tuning.faults) + ([] if match is None else match_lines(match))
    if stopped:
        lines.append("Stopped early; run the same command to resume.")
    elif _passed(match):
        lines.append(f"Recommended: {tuning.tuned}")
    else:
        lines.append(f"Not recommended: the tuned bot has not won its test. Keep {tuning.bot}")
    print("\n".join(lines))
