"""`tesuji exam`: test bots on positions with known answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tesuji.cli.shared.arguments import Json, Load, On, Patience, Processes, argument, option
from tesuji.cli.shared.errors import BadInput, input_errors
from tesuji.cli.shared.inputs import read_game
from tesuji.cli.shared.loading import worker_setup
from tesuji.cli.shared.output import UNKNOWN, console, print_json, say
from tesuji.cli.shared.running import open_executor, watch
from tesuji.registry import spec_of

if TYPE_CHECKING:
    from rich.table import Table

    from tesuji.arena.exam import Exam, ExamScore
    from tesuji.arena.progress import Status
    from tesuji.arena.questions import Section

RANDOM = "random mover"
WIDE = 4  # sections; with more, the columns must be narrow
NARROWEST = len(RANDOM)  # column of names; the widest table then fits 80 columns


def exam(
    game: Annotated[str, argument("GAME", "Game spec: gomoku, hex:size=5 or onitama.")],
    tablebase: Annotated[
        Path | None, option("FILE", "Tablebase with Onitama's answers, made by tesuji tablebase build.")
    ] = None,
    bot: Annotated[
        list[str] | None, option("SPEC", "Bot to test, repeatable; defaults to the game's own.")
    ] = None,
    positions: Annotated[int, option("N", "Number of positions.", min=1)] = 200,
    men: Annotated[int | None, option("N", "Only positions with exactly N men.", min=2)] = None,
    seed: Annotated[int, option("N", "Seed for positions and bots.", min=0)] = 1,
    processes: Processes = None,
    on: On = None,
    patience: Patience = 120.0,
    files: Load = None,
    as_json: Json = False,
) -> int:
    """Test bots on positions with known answers.

    \b
    onitama  keep wins, hold draws, delay losses (tablebase)
    gomoku   make and stop fives, fours and wins by fours
    hex      find the only winning moves (solver)

    Half of Onitama's positions are wins, a quarter draws and a quarter losses; Gomoku's are equally many of
    each kind. Distances to the end are spread evenly. A crash, a hang or an illegal move fails the position.
    The first row is the expected score of a random mover.
    """  # noqa: D301 (\b keeps the lines apart)
    from tesuji.arena.exam import Exam
    from tesuji.engines.driver import starting_within

    _, rules = read_game(game, files)
    if tablebase is None and rules.has_tablebases:
        dealt = spec_of(rules.start(seed).game)  # a tablebase is about one set of cards
        raise BadInput(f"--tablebase FILE is required; make one with: tesuji tablebase build {dealt}")
    # A tablebase of six men has a gigabyte, and long wins are rare.
    status = console(stderr=True).status("Selecting positions … Ctrl-C stops")
    with input_errors(), starting_within(patience), status:
        specs = bot or [rules.default_bot]
        exam = Exam(rules, tablebase, specs, positions=positions, men=men, seed=seed)
    with open_executor(on, processes) as where:
        running = exam.run(on=where, patience=patience, setup=worker_setup(files))
        stopped = watch(running, partial(_status, exam), quiet=as_json, what="answers")
    if as_json:
        print_json(_facts(exam))
    else:
        _show(exam)
    return 130 if stopped else 0


def _status(exam: Exam) -> Status:
    from tesuji.arena.progress import Status

    return Status(exam.done, exam.planned, [_summary(exam)])


def _show(exam: Exam) -> None:
    from tesuji.arena.report import fault_lines

    counts = ", ".join(f"{exam.count(section.kind)} {section.name}" for section in exam.sections)
    say(f"{exam.game}, {len(exam.questions)} positions: {counts}; seed {exam.seed}", "bold")
    console().print(_summary(exam))
    for section in exam.sections:
        if section.by_plies and len(exam.groups(section.kind)) > 1:
            say(f"\n{section.by_plies}", "bold")
            console().print(_by_plies(exam, section))
    for line in fault_lines(exam.faults()):
        say(line)
    if exam.done < exam.planned:
        say(f"Stopped after {exam.done} of {exam.planned} answers.")


def _summary(exam: Exam) -> Table:
    """All kinds: the share of right answers, and for delayed losses the plies given away."""
    digits = 1 if len(exam.sections) <= WIDE else 0
    exact = [exam.score(bot, *exam.exact) for bot in (None, *exam.bots)]
    columns = {
        "exact": [_percent(one.kept, one.asked) for one in exact],
        "95 %": ["", *(_interval(one, digits) for one in exact[1:])],
    }
    for section in exam.sections:
        marks = [exam.score(bot, section.kind) for bot in (None, *exam.bots)]
        columns[section.heading] = [
            _percent(one.best if section.delays else one.kept, one.asked, digits) for one in marks
        ]
        if section.delays:
            columns["plies\nlost"] = [_plies(one) for one in marks]
    return _table(exam, columns | {"time per\nmove": ["", *(_time(exam.seconds(bot)) for bot in exam.bots)]})


def _by_plies(exam: Exam, section: Section) -> Table:
    marks = [exam.score(bot, section.kind) for bot in (None, *exam.bots)]
    columns = {"kept\n95 %": ["", *(_interval(one, digits=0) for one in marks[1:])]}
    if section.timed:
        columns["fastest"] = [_percent(one.best, one.asked) for one in marks]
        columns["plies\nwasted"] = [_plies(one) for one in marks]
    for group, number in exam.groups(section.kind).items():
        parts = [exam.score(bot, section.kind, group=group) for bot in (None, *exam.bots)]
        columns[f"{group}\n({number})"] = [_percent(one.kept, one.asked, digits=0) for one in parts]
    return _table(exam, columns)


def _table(exam: Exam, columns: Mapping[str, Sequence[str]]) -> Table:
    """One row for the random mover and one for each bot."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    table.add_column("bot", overflow="fold", min_width=NARROWEST)
    for head in columns:
        table.add_column(head, justify="right", no_wrap=True)
    for row in zip([RANDOM, *exam.bots], *columns.values(), strict=True):
        table.add_row(*map(Text, row))
    return table


def _percent(part: float, whole: int, digits: int = 1) -> str:
    return f"{part / whole:.{digits}%}" if whole else UNKNOWN


def _interval(marks: ExamScore, digits: int = 1) -> str:
    from tesuji.arena.exam import wilson

    kept = wilson(marks.kept, marks.asked)
    return f"[{100 * kept.low:.{digits}f}, {100 * kept.high:.{digits}f}]" if marks.asked else UNKNOWN


def _plies(marks: ExamScore) -> str:
    return UNKNOWN if marks.mean_wasted is None else f"{marks.mean_wasted:.2f}"


def _time(seconds: float | None) -> str:
    return UNKNOWN if seconds is None else f"{seconds * 1000:.1f} ms"


def _facts(exam: Exam) -> dict[str, object]:
    return {
        "game": exam.game,
        "tablebase": exam.tablebase,
        "seed": exam.seed,
        "questions": {section.kind: exam.count(section.kind) for section in exam.sections},
        "answers": exam.done,
        "planned": exam.planned,
        "random_mover": _row(exam, None),
        "bots": [{"bot": bot, **_row(exam, bot), "seconds_per_move": exam.seconds(bot)} for bot in exam.bots],
        "faults": dict(exam.faults()),
    }


def _row(exam: Exam, bot: str | None) -> dict[str, object]:
    row: dict[str, object] = {"exact": _marks(exam.score(bot, *exam.exact), bot)}
    for section in exam.sections:
        row[section.kind] = _marks(exam.score(bot, section.kind), bot)
    by_plies = {
        f"{section.kind}_by_plies": {
            group: _marks(exam.score(bot, section.kind, group=group), bot)
            for group in exam.groups(section.kind)
        }
        for section in exam.sections
        if section.by_plies
    }
    return row | by_plies


def _marks(marks: ExamScore, bot: str | None) -> dict[str, object]:
    """For JSON. A random mover's score is exact, so it has no interval."""
    from tesuji.arena.exam import wilson

    kept = wilson(marks.kept, marks.asked)
    interval = {} if bot is None or not marks.asked else {"interval": [kept.low, kept.high]}
    known = {"kept": marks.kept, **interval, "best": marks.best, "mean_wasted": marks.mean_wasted}
    return {"asked": marks.asked, **known}
