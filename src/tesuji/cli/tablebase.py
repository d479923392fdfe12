"""`tesuji tablebase`: build and inspect endgame tablebases."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tesuji._helpers.atomic_write import write_atomically
from tesuji.cli.errors import BadInput, input_errors
from tesuji.cli.executors import On, open_executor
from tesuji.cli.files import check_can_write
from tesuji.cli.inputs import Json, read_game
from tesuji.scale import ExecutorError

if TYPE_CHECKING:
    from tesuji.games.onitama import Tablebase

app = typer.Typer(
    rich_markup_mode=None, context_settings={"help_option_names": ["-h", "--help"]}, no_args_is_help=False
)


@app.callback(invoke_without_command=True)
def _tablebase(context: typer.Context) -> None:
    """Build and inspect endgame tablebases.

    Bots use one with the option tablebase: alphabeta:tablebase=FILE.
    """
    if context.invoked_subcommand is None:
        print(context.get_help())


def build(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Game spec: onitama, with its five cards.")],
    men: Annotated[int, typer.Option(metavar="2|4|6", help="Maximum men on the board.")] = 4,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Output file; defaults to a name made of the cards.")
    ] = None,
    threads: Annotated[
        int | None, typer.Option(metavar="N", help="Threads; defaults to one per core.", min=1, max=256)
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    on: On = None,
    as_json: Json = False,
) -> None:
    """Solve all positions of five cards with few men.

    4 men take seconds and 9 MB; 6 men take minutes, 1 GB of disk and 2 GB of memory. Ctrl-C stops and leaves
    no file.
    """
    from tesuji.games.onitama import Onitama, Tablebase

    _, rules = read_game(game)
    if not isinstance(rules, Onitama):
        raise BadInput(f"there are no tablebases for {game}, only for onitama")
    if rules.cards is None:
        example = "onitama:cards=ox-boar-horse-elephant-crab"
        raise BadInput(f"name the five cards, as in {example}")
    path = output or Path(f"onitama-{'-'.join(sorted(rules.cards.split('-')))}-{men}.tb")
    check_can_write(path)
    if path.exists() and not path.is_file():
        raise BadInput(f"cannot write {path}: not a regular file")
    if path.exists() and not force:
        raise BadInput(f"{path} exists; overwrite it with --force")
    began = time.perf_counter()
    try:
        if on is None:
            with input_errors(), _progress() as show:
                table = Tablebase.build(rules.cards, men, path, threads=threads, progress=show)
        else:
            _build_on(on, rules.cards, men, threads, path)
            table = Tablebase(path)
    except MemoryError as error:
        raise BadInput(f"not enough memory for {men} men") from error
    _show(table, as_json, {"seconds": time.perf_counter() - began})


def _build_on(on: str, cards: str, men: int, threads: int | None, path: Path) -> None:
    """Build as one task on an executor, such as a node with enough memory, and fetch the file."""
    from rich.console import Console

    from tesuji.games.onitama.tablebase import MEN
    from tesuji.scale.processes import TaskLost

    if men not in MEN:
        raise BadInput(f"men must be 2, 4 or 6, not {men}")
    with open_executor(on) as where, Console(stderr=True).status(f"Solving on {on} … Ctrl-C stops"):
        for _, outcome in where.map(_build_bytes, iter([(cards, men, threads)])):
            if isinstance(outcome, TaskLost):
                raise ExecutorError(f"the tablebase was not built: {outcome.detail}")
            write_atomically(path, outcome)


def _build_bytes(order: tuple[str, int, int | None]) -> bytes:
    """Run by a worker: build a tablebase and return its bytes."""
    from tesuji.games.onitama import Tablebase

    cards, men, threads = order
    with TemporaryDirectory() as folder:
        path = Path(folder, "solved.tb")
        Tablebase.build(cards, men, path, threads=threads)
        return path.read_bytes()


def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Tablebase file.")],
    verify: Annotated[bool, typer.Option("--verify", help="Also verify the checksum.")] = False,
    as_json: Json = False,
) -> None:
    """Show the statistics of a tablebase.

    Its cards and men, the wins, losses and draws for the side to move, and the longest win.
    """
    from tesuji.games.onitama import Tablebase

    with input_errors():
        table = Tablebase(file)
        if verify:
            table.verify()
    _show(table, as_json, {"verified": True} if verify else {})


COMMANDS = (
    ("build", build, "tesuji tablebase build onitama:cards=ox-boar-horse-elephant-crab"),
    ("show", show, "tesuji tablebase show 4.tb --verify"),
)


@contextmanager
def _progress() -> Iterator[Callable[[float, str], object] | None]:
    """A progress bar, on a terminal."""
    from tesuji.arena.progress import open_bar

    bar = open_bar()
    if bar is None:
        yield None
        return
    with closing(bar):
        yield lambda done, phrase: bar.show(done, 1.0, f"{done:.0%} {phrase} · Ctrl-C stops")


def _show(table: Tablebase, as_json: bool, besides: dict[str, Any]) -> None:
    size = table.path.stat().st_size
    if as_json:
        facts = {
            "file": str(table.path),
            "cards": table.cards,
            "men": table.men,
            "positions": len(table),
            "wins": table.wins,
            "losses": table.losses,
            "draws": table.draws,
            "longest": table.longest,
            "bytes": size,
        }
        print(json.dumps({**facts, **besides}, indent=2))
        return
    print(f"{table.path}: all positions with at most {table.men} men, {size:,} bytes")
    print(f"cards      {table.cards}")
    for name, count in (("wins", table.wins), ("losses", table.losses), ("draws", table.draws)):
        print(f"{name:9} {count:>13,}  {count / len(table):.3%}")
    print(f"total     {len(table):>13,}  for the side to move; the longest win takes {table.longest} plies")
    if "seconds" in besides:
        print(f"Built in {besides['seconds']:.1f} s.")
    if "verified" in besides:
        print("The checksum is correct.")
