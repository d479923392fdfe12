"""`tesuji records`: list, show, count, check, import and export the games in a store."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from tesuji._helpers.atomic_write import write_atomically
from tesuji.cli.shared.arguments import (
    DEFAULT_STORE,
    GameFilters,
    Json,
    Load,
    StoreFile,
    argument,
    flag,
    option,
)
from tesuji.cli.shared.errors import BadInput, input_errors
from tesuji.cli.shared.loading import load
from tesuji.cli.shared.output import counted, print_json
from tesuji.cli.shared.record_files import (
    STDIO,
    format_game,
    format_of,
    load_hint,
    read_file,
    with_hint,
    write_bytes,
)

if TYPE_CHECKING:
    from tesuji.records import Record
    from tesuji.records.filters import Filters
    from tesuji.records.store import Store, StoredRecord

HELP = "List, show, import and export games."
ROWS = 20  # of the list, by default

Limit: TypeAlias = Annotated[int | None, option("N", "Only the newest N games.", "--limit", min=1)]
FormatName: TypeAlias = Annotated[
    str | None, option("NAME", "json, sgf, hexworld or psq; defaults to the file's suffix.", "--format")
]


def list_games(
    *,
    only: GameFilters,
    limit: Annotated[
        int | None,
        option("N", f"Newest games to list; defaults to {ROWS}, or all with --json.", "--limit", min=1),
    ] = None,
    store: StoreFile = DEFAULT_STORE,
    as_json: Json = False,
) -> None:
    """List games, newest last."""
    from tesuji.cli.shared import record_views

    filters = _filters(only)
    with _opened(store) as opened:
        fitting = opened.count(**filters)
        found = _newest(opened, filters, limit if as_json else limit or ROWS)
        everything = opened.count()
    if as_json:
        print_json([record_views.summary(stored) for stored in found])
    elif not found:
        print(f"No games in {store} match." if everything else f"No games in {store} yet.")
    else:
        record_views.show_list(found, fitting)


def show(
    number: Annotated[int | None, argument("N", "Game number; defaults to the newest.")] = None,
    at: Annotated[int | None, option("PLY", "Show only the position after PLY moves.")] = None,
    board: Annotated[bool, flag("Show the board after every move.", "--board")] = False,
    step: Annotated[bool, flag("Step through the game with the keyboard.", "--step")] = False,
    store: StoreFile = DEFAULT_STORE,
    files: Load = None,
    as_json: Json = False,
) -> None:
    """Show the moves and the board of a game.

    Moves are shown with the bot's evaluation, if it was recorded.
    """
    from tesuji.cli.shared import record_views
    from tesuji.records.verification import replayed

    if step and not sys.stdin.isatty():
        raise BadInput("--step needs a terminal; use --board to show every position")
    if sum((at is not None, board, step, as_json)) > 1:
        raise BadInput("--at, --board, --step and --json exclude each other")
    load(files)
    with _opened(store) as opened:
        if number is None:
            newest = list(opened.records(limit=1, newest_first=True))
            if not newest:
                raise BadInput(f"no games in {store} yet")
            stored = newest[0]
        else:
            stored = opened.find(number)
    if as_json:
        print_json(record_views.full(stored), ascii=False)
        return
    moves = len(stored.record.moves)
    if at is not None and not 0 <= at <= moves:
        raise BadInput(f"--at must be from 0 to {moves}, the length of game {stored.number}, not {at}")
    with input_errors(f"game {stored.number}"), with_hint():
        game = replayed(stored.record)
    if step:
        record_views.step_through(stored, game)
    elif at is not None:
        record_views.show_position(stored, game, at)
    else:
        record_views.show_game(stored, game, boards=board)


def export(
    numbers: Annotated[list[int] | None, argument("N", "Game numbers; defaults to all that match.")] = None,
    *,
    format: FormatName = None,
    output: Annotated[str, option("FILE", "Output file; - is standard output.", "--output", "-o")] = STDIO,
    only: GameFilters,
    limit: Limit = None,
    store: StoreFile = DEFAULT_STORE,
    files: Load = None,
) -> None:
    """Export games as JSON, SGF, psq or HexWorld.

    JSON keeps the whole record, SGF what other programs understand, a link only the moves.
    """
    load(files)
    filters = _filters(only)
    name = format or ("json" if output == STDIO else format_of(output))
    if numbers and ({*filters.values()} != {None} or limit):
        raise BadInput("give game numbers or filters, not both")
    with _opened(store) as opened:
        found = [opened.find(number) for number in numbers] if numbers else _newest(opened, filters, limit)
    if not found:
        raise BadInput(f"no games in {store} match; there is nothing to export")
    text = "".join(format_game(stored, name) for stored in found)
    if output == STDIO:
        write_bytes(text)
    else:
        path = Path(output)
        if path.exists() and path.samefile(store):
            raise BadInput(f"--output {path} is the store itself; choose another file")
        write_atomically(path, text)
        print(f"{counted(len(found), 'game')} written to {output}.")


def import_games(
    files: Annotated[list[str], argument("FILE", "Files to read; - is standard input.")],
    format: FormatName = None,
    store: StoreFile = DEFAULT_STORE,
    loads: Load = None,
) -> None:
    """Import games from files.

    Every game is verified by replaying it. If any cannot be read or is illegal, none is added. Games that are
    already in the store are skipped.
    """
    load(loads)
    records: list[Record] = []
    for name in files:
        records += read_file(name, format or ("" if name == STDIO else format_of(name)))
    with _opened(store, create=True) as opened:
        numbers = opened.add_new(records)
    added = [number for number in numbers if number is not None]
    skipped = len(numbers) - len(added)
    known = f"; {counted(skipped, 'duplicate')} skipped" if skipped else ""
    span = (
        f", number {added[0]}" if len(added) == 1 else f", numbers {added[0]} to {added[-1]}" if added else ""
    )
    print(f"{counted(len(added), 'game')} added to {store}{span}{known}.")


def stats(
    *,
    only: GameFilters,
    limit: Limit = None,
    store: StoreFile = DEFAULT_STORE,
    as_json: Json = False,
) -> None:
    """Count games by game, bot and ending."""
    from tesuji.cli.shared.record_stats import Stats

    filters = _filters(only)
    counts = Stats()
    with _opened(store) as opened:
        for stored in opened.records(limit=limit, newest_first=True, **filters):
            counts.add(stored.record)
    if as_json:
        print_json(counts.as_dict(), ascii=False)
    elif not counts.games:
        print(f"No games in {store} match." if {*filters.values()} != {None} else f"No games in {store} yet.")
    else:
        counts.show(str(store))


def matches(store: StoreFile = DEFAULT_STORE, as_json: Json = False) -> None:
    """List matches with their keys for --match."""
    with _opened(store) as opened:
        found = opened.matches()[::-1]
    if as_json:
        print_json([{"match": key, "games": games, "plan": plan} for key, plan, games in found])
    elif not found:
        print(f"No matches in {store} yet.")
    else:
        from tesuji.cli.shared import record_views

        record_views.show_matches(found)


def check(store: StoreFile = DEFAULT_STORE, files: Load = None) -> int:
    """Check the store's file, checksums and games.

    Every game is verified by replaying it. The exit code is 1 if there is a problem.
    """
    load(files)
    wrong = 0
    with _opened(store, check=False) as opened:
        for problem in opened.problems():
            wrong += 1
            print(f"✗ {problem}{load_hint(problem)}", flush=True)
        games = 0 if wrong else opened.count()
    if wrong:
        print(f"✗ {store}: {counted(wrong, 'problem')} found.")
        return 1
    print(f"✓ {store}: no problems found in {counted(games, 'game')}.")
    return 0


COMMANDS: tuple[tuple[str, Callable[..., int | None], str], ...] = (
    ("list", list_games, "tesuji records list --game hex --bot mcts --limit 10"),
    ("show", show, "tesuji records show 12 --at 7"),
    ("export", export, "tesuji records export 12 13 --output games.sgf"),
    ("import", import_games, "tesuji records import games.sgf --store mine.db"),
    ("stats", stats, "tesuji records stats --since 2026-01-31"),
    ("matches", matches, "tesuji records matches"),
    ("check", check, "tesuji records check --store games.db"),
)
"""Names, functions and examples."""


def _opened(path: Path, *, create: bool = False, check: bool = True) -> Store:
    from tesuji.records.store import Store

    if not create and not os.path.lexists(path):
        raise BadInput(f"no store {path}; choose one with --store FILE, or make one with tesuji match")
    return Store(path, create=create, check=check)


def _filters(only: GameFilters) -> Filters:
    from tesuji.records.filters import where

    with input_errors():
        found: Filters = {
            "game": only.game,
            "bot": only.bot,
            "since": None if only.since is None else _time(only.since, "--since"),
            "until": None if only.until is None else _time(only.until, "--until", end_of_day=True),
            "result": only.result,
            "ending": only.ending,
            "match": only.match,
        }
        where(**found)  # reports a bad value before a bad store
    return found


def _time(text: str, option: str, *, end_of_day: bool = False) -> datetime:
    from tesuji.records.serialization import parse_time

    try:
        when = parse_time(text)
        whole_day = end_of_day and re.fullmatch(r"[0-9-]+|[0-9]+-?W[0-9-]+", text.strip())
        return when + timedelta(days=1) if whole_day else when
    except OverflowError as error:
        raise ValueError(f"{option} must be before 9999-12-31, not {text!r}") from error
    except ValueError as error:
        raise ValueError(f"{option}: {error}") from error


def _newest(store: Store, filters: Filters, limit: int | None) -> list[StoredRecord]:
    found = list(store.records(limit=limit, newest_first=True, **filters))
    return found[::-1]
