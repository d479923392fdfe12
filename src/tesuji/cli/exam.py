"""`tesuji exam`: how often bots play what is certainly right."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tesuji.cli.errors import BadInput, reading
from tesuji.cli.inputs import DEFAULT_BOT, Json, Load, read_game
from tesuji.cli.match import Patience, Processes, progress_line, setup, watch
from tesuji.game import start
from tesuji.registry import spec_of
from tesuji.scale import cores

if TYPE_CHECKING:
    from rich.console import Console, Group
    from rich.table import Table

    from tesuji.arena.exam import Exam, Marks

RANDOM = "a random mover"
NARROWEST = len(RANDOM)  # the names may be: the widest table is then as wide as a small terminal


def exam(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game spec, such as onitama.")],
    tablebase: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="What knows the answers; tesuji tablebase build makes one."),
    ] = None,
    bot: Annotated[
        list[str] | None,
        typer.Option(metavar="SPEC", help="A bot to ask, may be repeated; else the game's own."),
    ] = None,
    positions: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            help="How many questions: half wins, a quarter draws, a quarter losses, and more wins where "
            "there are too few of these. Wins and losses are taken evenly from near the end and far from it.",
        ),
    ] = 200,
    men: Annotated[
        int | None, typer.Option(metavar="N", min=2, help="Only positions with exactly so many men.")
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, help="For questions and bots: another seed, other questions.")
    ] = 1,
    processes: Processes = None,
    patience: Patience = 120.0,
    file: Load = None,
    as_json: Json = False,
) -> int:
    """See how often bots play what is certainly right.

    The questions are positions of a tablebase in which the choice matters: do they keep a win, hold a draw,
    delay a loss? A bot that crashes, hangs or plays what is not legal has failed that question. The first row
    is what a random mover would score.
    """
    from rich.console import Console

    from tesuji.arena.exam import Exam

    _, rules = read_game(game, file)
    if tablebase is None and hasattr(rules, "open_tablebase"):
        dealt = spec_of(getattr(start(rules, seed), "game", rules))  # a tablebase is about one set of cards
        raise BadInput(f"an exam needs --tablebase FILE; this makes one: tesuji tablebase build {dealt}")
    # Six men are a gigabyte to look through.
    with reading(), Console(stderr=True).status("Looking for questions … Ctrl-C stops"):
        specs = bot or [str(getattr(rules, "default_bot", DEFAULT_BOT))]
        sat = Exam(rules, tablebase or "", specs, positions=positions, men=men, seed=seed)
    going = sat.sit(processes=processes or cores(), patience=patience, setup=setup(file))
    stopped = watch(going, partial(_live, sat, time.monotonic()), quiet=as_json)
    if as_json:
        print(json.dumps(_facts(sat), indent=2))
    else:
        _show(sat)
    return 130 if stopped else 0


def _live(sat: Exam, began: float, console: Console) -> Group:
    from rich.console import Group

    return Group(_summary(sat), progress_line(sat.done, sat.planned, sat.done, began, what="answers"))


def _show(sat: Exam) -> None:
    from rich.console import Console
    from rich.text import Text

    from tesuji.arena.report import fault_lines

    console = Console(highlight=False, markup=False)
    counts = f"{sat.count('win')} wins, {sat.count('draw')} draws, {sat.count('loss')} losses"
    title = f"{sat.game}, {len(sat.questions)} questions: {counts}; seed {sat.seed}"
    console.print(Text(title, "bold"))
    console.print(_summary(sat))
    console.print(Text("\nWins, and the share kept by the plies to the end:", "bold"))
    console.print(_wins(sat))
    for line in fault_lines(sat.faults()):
        console.print(Text(line))
    if sat.done < sat.planned:
        console.print(Text(f"Stopped after {sat.done} of {sat.planned} answers."))


def _summary(sat: Exam) -> Table:
    heads = ("exact", "95 %", "wins\nkept", "draws\nheld", "longest\ndefence", "plies\nlost", "time\na move")

    def cells(bot: str | None) -> list[str]:
        both, lost = sat.marks(bot, "win", "draw"), sat.marks(bot, "loss")
        return [
            _percent(both.kept, both.asked),
            "" if bot is None else _interval(both),
            *(_percent(marks.kept, marks.asked) for marks in (sat.marks(bot, "win"), sat.marks(bot, "draw"))),
            _percent(lost.best, lost.asked),
            _plies(lost),
            "" if bot is None else _time(sat.seconds(bot)),
        ]

    return _table(sat, heads, cells)


def _wins(sat: Exam) -> Table:
    groups = sat.groups("win")
    heads = ["kept\n95 %", "fastest", "plies\nwasted", *(f"{group}\n({n})" for group, n in groups.items())]

    def cells(bot: str | None) -> list[str]:
        won = sat.marks(bot, "win")
        parts = [sat.marks(bot, "win", group=group) for group in groups]
        return [
            "" if bot is None else _interval(won, digits=0),
            _percent(won.best, won.asked),
            _plies(won),
            *(_percent(marks.kept, marks.asked, digits=0) for marks in parts),
        ]

    return _table(sat, heads, cells)


def _table(sat: Exam, heads: Sequence[str], cells: Callable[[str | None], list[str]]) -> Table:
    """One row for the random mover and one for each bot."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    table.add_column("bot", overflow="fold", min_width=NARROWEST)
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    for bot in (None, *sat.bots):
        table.add_row(*map(Text, [bot or RANDOM, *cells(bot)]))
    return table


def _percent(part: float, whole: int, digits: int = 1) -> str:
    return f"{part / whole:.{digits}%}" if whole else "–"


def _interval(marks: Marks, digits: int = 1) -> str:
    from tesuji.arena.exam import share

    kept = share(marks.kept, marks.asked)
    return f"[{100 * kept.low:.{digits}f}, {100 * kept.high:.{digits}f}]" if marks.asked else "–"


def _plies(marks: Marks) -> str:
    return "–" if marks.mean_wasted is None else f"{marks.mean_wasted:.2f}"


def _time(seconds: float | None) -> str:
    return "–" if seconds is None else f"{seconds * 1000:.1f} ms"


def _facts(sat: Exam) -> dict[str, Any]:
    from tesuji.arena.questions import KINDS

    return {
        "game": sat.game,
        "tablebase": sat.tablebase,
        "seed": sat.seed,
        "questions": {kind: sat.count(kind) for kind in KINDS},
        "answers": sat.done,
        "planned": sat.planned,
        "random_mover": _row(sat, None),
        "bots": [{"bot": bot, **_row(sat, bot), "seconds_a_move": sat.seconds(bot)} for bot in sat.bots],
        "faults": dict(sat.faults()),
    }


def _row(sat: Exam, bot: str | None) -> dict[str, Any]:
    from tesuji.arena.questions import KINDS

    groups = {group: sat.marks(bot, "win", group=group) for group in sat.groups("win")}
    return {
        "exact": _marks(sat.marks(bot, "win", "draw"), bot),
        **{kind: _marks(sat.marks(bot, kind), bot) for kind in KINDS},
        "win_by_plies": {group: _marks(marks, bot) for group, marks in groups.items()},
    }


def _marks(marks: Marks, bot: str | None) -> dict[str, Any]:
    """For JSON. What is known of a random mover is no estimate."""
    from tesuji.arena.exam import share

    kept = share(marks.kept, marks.asked)
    interval = {} if bot is None or not marks.asked else {"interval": [kept.low, kept.high]}
    known = {"kept": marks.kept, **interval, "best": marks.best, "mean_wasted": marks.mean_wasted}
    return {"asked": marks.asked, **known}
