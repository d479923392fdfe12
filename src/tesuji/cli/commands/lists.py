"""`tesuji games` and `tesuji bots`: lists of them with their options, generated from the classes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TypeAlias

from tesuji.cli.shared.arguments import Json, Load, argument, flag
from tesuji.cli.shared.errors import input_errors
from tesuji.cli.shared.loading import load
from tesuji.cli.shared.output import console, fold, print_json
from tesuji.options import OptionInfo
from tesuji.registry import Registry, first_line
from tesuji.registry import bots as all_bots
from tesuji.registry import games as all_games

NARROW = 72  # columns of a terminal in which values and defaults get less room
UNLIMITED = re.compile(r"(-?[\d.]+?)\.\.\d{9,}")  # a range whose end is out of reach

EveryOption: TypeAlias = Annotated[bool, flag("List expert and study options too.", "--all")]


def games(
    name: Annotated[str | None, argument("[GAME]", "Only this game.", show_default=False)] = None,
    every: EveryOption = False,
    files: Load = None,
    as_json: Json = False,
) -> None:
    """List the games with their options."""
    _show(all_games, files, name, every, as_json)


def bots(
    name: Annotated[str | None, argument("[BOT]", "Only this bot.", show_default=False)] = None,
    every: EveryOption = False,
    files: Load = None,
    as_json: Json = False,
) -> None:
    """List the bots with their options."""
    _show(all_bots, files, name, every, as_json)


def _show(
    registry: Registry, files: Sequence[Path] | None, name: str | None, every: bool, as_json: bool
) -> None:
    """Print the names in a registry, or one of them, with `every` option or basic ones alone."""
    load(files)
    with input_errors():
        things = {name: registry.get(name) for name in (registry.names() if name is None else [name])}
    if as_json:
        print_json(
            [
                {
                    "name": name,
                    "doc": first_line(cls),
                    "options": [o._asdict() for o in registry.describe(name)],
                }
                for name, cls in things.items()
            ]
        )
        return

    from rich.table import Table
    from rich.text import Text

    out = console()
    for number, (name, cls) in enumerate(things.items()):
        if number:
            out.print()
        heading = Table.grid(padding=(0, 2))
        heading.add_row(Text(name, "bold cyan"), Text(first_line(cls)))
        out.print(heading)
        options = registry.describe(name)
        if not options:
            out.print("  no options")
            continue
        show_options(options if every else [one for one in options if one.visibility == "basic"])
        if hidden := 0 if every else sum(one.visibility != "basic" for one in options):
            out.print(Text(f"  {hidden} more: tesuji {registry.kind}s {name} --all", "dim"))
    out.print(Text(f"\nUsage in a spec: {_example(registry)}", "dim"))


def show_options(options: Sequence[OptionInfo]) -> None:
    """Print options as a table, in sections by their visibility."""
    from rich.table import Table
    from rich.text import Text

    out = console()
    values, default = (18, 10) if out.width >= NARROW else (10, 9)
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for column in ("  option", "values", "default"):
        table.add_column(column, no_wrap=True)
    table.add_column("meaning", overflow="fold")
    section = "basic"
    for option in options:
        if option.visibility != section:
            section = option.visibility
            table.add_row(Text(f"  {section}:", "dim"))
        kind = fold(UNLIMITED.sub(r"≥ \1", option.kind), values)
        cells = (f"  {option.name}", kind, fold(_short(option.default), default), option.doc)
        table.add_row(*map(Text, cells))
    out.print(table)


def _short(default: str) -> str:
    """A default for the table, numbers with at most four digits."""
    try:
        return default if len(default) <= 8 else f"{float(default):.4g}"
    except ValueError:
        return default


def _example(registry: Registry) -> str:
    return "hex:size=9,swap=on" if registry.kind == "game" else "mcts:iterations=5000,rave=off"
