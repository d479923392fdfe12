"""`tesuji records`: the games in a store, listed, shown, counted, checked, exchanged with other programs."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from tesuji.cli.errors import BadInput, one_line, reading
from tesuji.cli.files import write_file
from tesuji.cli.inputs import DEFAULT_STORE, Json, Load, load
from tesuji.cli.record_files import STDIO, format_of, read_file, with_hint, write_bytes, written
from tesuji.cli.thinking import counted

if TYPE_CHECKING:
    from tesuji.records import Record
    from tesuji.records.store import Store, StoredRecord

ROWS = 20  # of the list, where --limit says nothing

StoreFile: TypeAlias = Annotated[Path, typer.Option("--store", metavar="FILE", help="The store.")]
OfGame: TypeAlias = Annotated[
    str | None, typer.Option("--game", metavar="SPEC", help="Only of this game: hex, or hex:size=9.")
]
OfBot: TypeAlias = Annotated[
    str | None, typer.Option("--bot", metavar="SPEC", help="Only with this bot, in any seat: mcts.")
]
Since: TypeAlias = Annotated[
    str | None, typer.Option("--since", metavar="TIME", help="Only from this day or time on, in UTC.")
]
Until: TypeAlias = Annotated[
    str | None, typer.Option("--until", metavar="TIME", help="Only to the end of this day, or up to a time.")
]
Result: TypeAlias = Annotated[
    str | None,
    typer.Option("--result", metavar="RESULT", help="The seat that won (0, 1, …), draw or unfinished."),
]
Ended: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--ending", metavar="HOW", help="played, resigned, limit, illegal, crashed, hung, unfinished."
    ),
]
OfMatch: TypeAlias = Annotated[str | None, typer.Option("--match", metavar="KEY", help="Only of this match.")]
Limit: TypeAlias = Annotated[
    int | None, typer.Option("--limit", metavar="N", help="Only the newest N of these.", min=1)
]
FormatName: TypeAlias = Annotated[
    str | None,
    typer.Option("--format", metavar="NAME", help="json, sgf, hexworld or psq; else by the file's suffix."),
]

app = typer.Typer(
    rich_markup_mode=None, context_settings={"help_option_names": ["-h", "--help"]}, no_args_is_help=False
)


@app.callback(invoke_without_command=True)
def _records(context: typer.Context) -> None:
    """List, show, count, check and exchange recorded games."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def list_games(
    game: OfGame = None,
    bot: OfBot = None,
    since: Since = None,
    until: Until = None,
    result: Result = None,
    ending: Ended = None,
    match: OfMatch = None,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", help=f"The newest N: {ROWS}, in JSON all.", min=1)
    ] = None,
    store: StoreFile = DEFAULT_STORE,
    as_json: Json = False,
) -> None:
    """List the games, the newest last."""
    from tesuji.cli import record_views

    filters = _filters(game, bot, since, until, result, ending, match)
    with _opened(store) as opened:
        fitting = opened.count(**filters)
        found = _newest(opened, filters, limit if as_json else limit or ROWS)
        everything = opened.count()
    if as_json:
        print(json.dumps([record_views.summary(stored) for stored in found], indent=2))
    elif not found:
        print(f"No game in {store} fits." if everything else f"There are no games in {store} yet.")
    else:
        record_views.show_list(found, fitting)


def show(
    number: Annotated[
        int | None, typer.Argument(metavar="N", help="The game's number; the newest where none is given.")
    ] = None,
    at: Annotated[
        int | None, typer.Option(metavar="PLY", help="Only the position after so many moves.")
    ] = None,
    board: Annotated[bool, typer.Option("--board", help="The board after every move.")] = False,
    step: Annotated[bool, typer.Option("--step", help="Go through the game move by move.")] = False,
    store: StoreFile = DEFAULT_STORE,
    file: Load = None,
    as_json: Json = False,
) -> None:
    """Show a game with its players, moves and board.

    Beside a move stands what its player thought of it, where that is known.
    """
    from tesuji.cli import record_views
    from tesuji.cli.replay import replay

    if step and not sys.stdin.isatty():
        raise BadInput("--step needs a terminal; --board shows every position")
    if sum((at is not None, board, step, as_json)) > 1:
        raise BadInput("give one of --at, --board, --step and --json")
    load(file)
    with _opened(store) as opened:
        if number is None:
            newest = list(opened.records(limit=1, newest_first=True))
            if not newest:
                raise BadInput(f"there are no games in {store} yet")
            stored = newest[0]
        else:
            stored = opened.find(number)
    if as_json:
        print(json.dumps(record_views.whole(stored), indent=2, ensure_ascii=False))
        return
    moves = len(stored.record.moves)
    if at is not None and not 0 <= at <= moves:
        raise BadInput(f"--at must be from 0 to {moves}, the moves of game {stored.number}, not {at}")
    with reading(f"game {stored.number}"), with_hint():
        states = list(stored.record.states())
    if step:
        replay(stored, states)
    elif at is not None:
        record_views.show_position(stored, states, at)
    else:
        record_views.show_game(stored, states, boards=board)


def export(
    numbers: Annotated[
        list[int] | None, typer.Argument(metavar="[N]...", help="Numbers of games; else all that fit.")
    ] = None,
    format: FormatName = None,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where to; - is standard output.")
    ] = STDIO,
    game: OfGame = None,
    bot: OfBot = None,
    since: Since = None,
    until: Until = None,
    result: Result = None,
    ending: Ended = None,
    match: OfMatch = None,
    limit: Limit = None,
    store: StoreFile = DEFAULT_STORE,
    file: Load = None,
) -> None:
    """Write games as JSON, SGF, psq or HexWorld links.

    JSON keeps all of a record, SGF what other programs know, a link the moves.
    """
    load(file)
    filters = _filters(game, bot, since, until, result, ending, match)
    name = format or ("json" if output == STDIO else format_of(output))
    if numbers and (filters or limit):
        raise BadInput("give numbers of games, or what they have in common, not both")
    with _opened(store) as opened:
        found = [opened.find(number) for number in numbers] if numbers else _newest(opened, filters, limit)
    if not found:
        raise BadInput(f"no game in {store} fits: there is nothing to export")
    text = "".join(written(stored, name) for stored in found)
    if output == STDIO:
        write_bytes(text)
    else:
        path = Path(output)
        if path.exists() and path.samefile(store):
            raise BadInput(f"--output {path} is the store itself")
        write_file(path, text)
        print(f"{counted(len(found), 'game')} written to {output}.")


def import_games(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Files to read; - is standard input.")
    ],
    format: FormatName = None,
    store: StoreFile = DEFAULT_STORE,
    file: Load = None,
) -> None:
    """Add games from files.

    Every game is played again by the rules first. Where one cannot be read or is not legal, none is added.
    Games that the store has already are skipped.
    """
    load(file)
    records: list[Record] = []
    for name in files:
        records += read_file(name, format or ("" if name == STDIO else format_of(name)))
    with _opened(store, create=True) as opened:
        numbers = opened.add_new(records)
    added = [number for number in numbers if number is not None]
    skipped = len(numbers) - len(added)
    known = f"; {counted(skipped, 'game')} skipped, known already" if skipped else ""
    span = (
        f", number {added[0]}" if len(added) == 1 else f", numbers {added[0]} to {added[-1]}" if added else ""
    )
    print(f"{counted(len(added), 'game')} added to {store}{span}{known}.")


def stats(
    game: OfGame = None,
    bot: OfBot = None,
    since: Since = None,
    until: Until = None,
    result: Result = None,
    ending: Ended = None,
    match: OfMatch = None,
    limit: Limit = None,
    store: StoreFile = DEFAULT_STORE,
    as_json: Json = False,
) -> None:
    """Count the games: by game, by bot, by how they ended."""
    from tesuji.cli.record_stats import Stats

    filters = _filters(game, bot, since, until, result, ending, match)
    counts = Stats()
    with _opened(store) as opened:
        for stored in opened.records(limit=limit, newest_first=True, **filters):
            counts.add(stored.record)
    if as_json:
        print(json.dumps(counts.as_dict(), indent=2, ensure_ascii=False))
    elif not counts.games:
        print(f"No game in {store} fits." if filters else f"There are no games in {store} yet.")
    else:
        counts.show(str(store))


def matches(store: StoreFile = DEFAULT_STORE, as_json: Json = False) -> None:
    """List the matches, with the keys that --match takes."""
    with _opened(store) as opened:
        found = opened.matches()[::-1]
    if as_json:
        print(
            json.dumps([{"match": key, "games": games, "plan": plan} for key, plan, games in found], indent=2)
        )
    elif not found:
        print(f"There are no matches in {store} yet.")
    else:
        from tesuji.cli import record_views

        record_views.show_matches(found)


def check(store: StoreFile = DEFAULT_STORE, file: Load = None) -> int:
    """Check the file, its checksums and its games.

    Every game is played again by its rules. One line for each problem; the exit code is 1 where there is one.
    """
    load(file)
    wrong = 0
    with _opened(store, check=False) as opened:
        for problem in opened.problems():
            wrong += 1
            brings = "; --load FILE.py brings yours" if "unknown game" in problem else ""
            print(f"✗ {problem}{brings}", flush=True)
        games = 0 if wrong else opened.count()
    if wrong:
        print(f"✗ {counted(wrong, 'problem')} in {store}.")
        return 1
    print(f"✓ {store} is sound: {counted(games, 'game')}.")
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


@contextmanager
def _opened(path: Path, *, create: bool = False, check: bool = True) -> Iterator[Store]:
    """The store; whatever is wrong with it is bad input."""
    from tesuji.records.store import Store, StoreError

    try:
        if not create and not os.path.lexists(path):
            raise BadInput(f"there is no store {path}; --store FILE names another, tesuji match makes one")
        with Store(path, create=create, check=check) as store:
            yield store
    except StoreError as error:
        raise BadInput(one_line(str(error))) from error


def _filters(
    game: str | None,
    bot: str | None,
    since: str | None,
    until: str | None,
    result: str | None,
    ending: str | None,
    match: str | None,
) -> dict[str, Any]:
    from tesuji.records.filters import where

    filters = {"game": game, "bot": bot, "result": result, "ending": ending, "match": match}
    found: dict[str, Any] = {name: value for name, value in filters.items() if value is not None}
    with reading():
        if since is not None:
            found["since"] = _time(since, "--since")
        if until is not None:
            found["until"] = _time(until, "--until", end_of_day=True)
        where(**found)  # so that a bad value is told before a bad store
    return found


def _time(text: str, option: str, *, end_of_day: bool = False) -> datetime:
    from tesuji.records.serialization import parse_time

    try:
        when = parse_time(text)
        whole_day = end_of_day and re.fullmatch(r"[0-9-]+|[0-9]+-?W[0-9-]+", text.strip())
        return when + timedelta(days=1) if whole_day else when
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{option}: {error}") from error


def _newest(store: Store, filters: dict[str, Any], limit: int | None) -> list[StoredRecord]:
    found = list(store.records(limit=limit, newest_first=True, **filters))
    return found[::-1]
