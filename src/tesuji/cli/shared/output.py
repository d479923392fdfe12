"""What commands print: lines, JSON and tables, in which names fold between options and numbers never do."""

from __future__ import annotations

import itertools
import json
import os
import re
import textwrap
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tesuji.cli.shared.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from tesuji.full_game import FullState

UNKNOWN = "–"
NARROWEST_NAME = 8
WIDE, NARROW = 3, 2  # spaces between columns
JOINT = "\xa0"  # a space at which no line is cut


def console(*, stderr: bool = False) -> Console:
    """The terminal, without colours for numbers and without markup."""
    from rich.console import Console

    return Console(highlight=False, markup=False, stderr=stderr)


def say(text: str = "", style: str = "", *, whole: bool = False) -> None:
    """Print a line; one that is `whole` is not wrapped, such as a board."""
    from rich.text import Text

    console().print(Text(text, style), soft_wrap=whole)


def show_position(state: FullState, title: str) -> None:
    """A title, the board, and who is to move."""
    say(title, "bold")
    turn = f"{state.game.seat_name(state.player)} to move"
    say(str(state).removesuffix(f"\n{turn}"), whole=True)
    say(f"{turn}\n")


def print_json(data: object, *, ascii: bool = True) -> None:
    """Print data as JSON."""
    print(json.dumps(data, indent=2, ensure_ascii=ascii))


def counted(number: int, noun: str) -> str:
    """A number with its noun: `counted(2000, "simulation") == "2,000 simulations"`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def check_can_write(path: Path | None) -> None:
    """Raise BadInput if the file cannot be written; call it before long work."""
    if path is None:
        return
    if path.is_dir():
        raise BadInput(f"cannot write {path}: it is a directory")
    if not path.parent.is_dir():
        raise BadInput(f"cannot write {path}: no such directory {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise BadInput(f"cannot write {path}: permission denied")


def make_folder(path: Path) -> None:
    """Make a directory for output, if there is none; BadInput if that fails."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror}") from error


def data_table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, names: Collection[str]) -> Table:
    """A table whose columns in `names` hold specs or words, and all others numbers, flush right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    cells = [list(row) for row in rows]
    width = Console().width
    wide = sum(_widths(columns, cells)) + WIDE * (len(columns) - 1) <= width
    cells = fold_names(columns, cells, names=names, width=width, gap=WIDE if wide else NARROW)
    table = Table(
        box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1) if wide else (0, 1, 0, 0)
    )
    for name, least in zip(columns, _widths(columns, cells), strict=True):
        table.add_column(name, justify="left" if name in names else "right", no_wrap=True, min_width=least)
    for row in cells:
        table.add_row(*map(Text, row))
    return table


def plain_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    numbers: Collection[str],
    folded: Collection[str] = (),
) -> Table:
    """A table without lines: columns in `numbers` flush right, those in `folded` folded."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for name in columns:
        side = "right" if name in numbers else "left"
        table.add_column(name, justify=side, no_wrap=name not in folded, overflow="fold")  # type: ignore[arg-type]
    for row in fold_names(columns, list(rows), names=folded, width=Console().width, gap=2):
        table.add_row(*map(Text, row))
    return table


def fold_names(
    columns: Sequence[str], rows: Sequence[Sequence[str]], *, names: Collection[str], width: int, gap: int
) -> list[list[str]]:
    """The cells with those of the named columns folded, as far as the other columns need the room."""
    widths = _widths(columns, rows)
    named = [number for number, name in enumerate(columns) if name in names]
    left = width - gap * (len(columns) - 1) - sum(w for n, w in enumerate(widths) if n not in named)
    for number in sorted(named, key=lambda one: widths[one]):  # what a short column leaves, a long one gets
        share = left // (len(named) or 1)
        widths[number] = min(widths[number], max(NARROWEST_NAME, share))
        left, named = left - widths[number], [one for one in named if one != number]
    folded = [number for number, name in enumerate(columns) if name in names]
    return [[fold(cell, widths[n]) if n in folded else cell for n, cell in enumerate(row)] for row in rows]


def _widths(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    return [
        max(len(line) for cell in (name, *(row[number] for row in rows)) for line in cell.split("\n"))
        for number, name in enumerate(columns)
    ]


def fold(name: str, width: int) -> str:
    r"""A name in lines of at most this width, cut between options where possible.

    >>> fold("mcts:iterations=200,rave=off", 20)
    'mcts:iterations=200,\nrave=off'
    """
    if "\n" in name:
        return "\n".join(fold(line, width) for line in name.split("\n"))
    if len(name) <= width:
        return name
    lines = [""]
    options = re.findall(r"[^,:|\s]*[,:|\s]?", name)
    for part in itertools.chain(*(_pieces(one) if len(one) > width else [one] for one in options)):
        if len(lines[-1]) + len(part.rstrip()) > width:
            lines.append("")
        lines[-1] += part
        while len(lines[-1].rstrip()) > width:
            lines[-1:] = [lines[-1][:width], lines[-1][width:]]
    return "\n".join(line.strip() for line in lines if line.strip())


def _pieces(option: str) -> list[str]:
    """A long option as its name and its value."""
    return re.findall(r"[^=]*=?", option)


def wrapped(lines: Iterable[str], width: int) -> list[str]:
    """Lines cut between words where they are longer than the terminal is wide, intervals in brackets never.

    >>> wrapped(["Elo: 12.5, nElo: 30.2"], 14)
    ['Elo: 12.5,', '  nElo: 30.2']
    """
    found: list[str] = []
    for line in lines:
        kept = re.sub(r"\S+ \[[^\]]*\]", lambda match: match[0].replace(" ", JOINT), line)
        found += textwrap.wrap(
            kept, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
        ) or [""]
    return [line.replace(JOINT, " ") for line in found]
