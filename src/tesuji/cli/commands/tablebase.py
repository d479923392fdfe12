"""`tesuji tablebase`: build and inspect endgame tablebases."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

from tesuji._helpers.atomic_write import write_atomically
from tesuji.cli.shared.arguments import Json, On, argument, flag, option
from tesuji.cli.shared.errors import BadInput, input_errors
from tesuji.cli.shared.inputs import read_game
from tesuji.cli.shared.output import check_can_write, console, print_json
from tesuji.cli.shared.running import open_executor
from tesuji.scale import ExecutorError

if TYPE_CHECKING:
    from tesuji.games.onitama import Tablebase

HELP = """Build and inspect endgame tablebases.

Bots use one with the option tablebase: alphabeta:tablebase=FILE."""


def build(
    game: Annotated[str, argument("GAME", "Game spec: onitama, with its five cards.")],
    men: Annotated[int, option("2|4|6", "Maximum men on the board.")] = 4,
    output: Annotated[
        Path | None, option("FILE", "Output file; defaults to a name made of the cards.")
    ] = None,
    threads: Annotated[int | None, option("N", "Threads; defaults to one per core.", min=1, max=256)] = None,
    force: Annotated[bool, flag("Overwrite an existing file.", "--force")] = False,
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
    from tesuji.games.onitama.tablebase import MEN
    from tesuji.scale.processes import TaskLost

    if men not in MEN:
        raise BadInput(f"men must be 2, 4 or 6, not {men}")
    with open_executor(on) as where, console(stderr=True).status(f"Solving on {on} … Ctrl-C stops"):
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
    file: Annotated[Path, argument("FILE", "Tablebase file.")],
    verify: Annotated[bool, flag("Also verify the checksum.", "--verify")] = False,
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

    bar = open_bar(ticks=True)
    if bar is None:
        yield None
        return
    with closing(bar):
        yield lambda done, phrase: bar.show(done, 1.0, f"{done:.0%} {phrase} · Ctrl-C stops")


def _show(table: Tablebase, as_json: bool, besides: dict[str, object]) -> None:
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
        print_json({**facts, **besides})
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
