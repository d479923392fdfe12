"""The terminal face: `tesuji`, one file per command.

Exit codes: 0 all is well, 1 a broken promise or an exception in a user's game (with its traceback), 2 bad
input (one line that begins with `tesuji:`), 130 ended by Ctrl-C or SIGTERM.
"""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Sequence
from types import TracebackType
from typing import Annotated, Any

import typer
import typer.core
import typer.main

from tesuji.cli import (
    ablate,
    analyse,
    bench,
    bots,
    check,
    engine,
    exam,
    explain,
    games,
    learn,
    match,
    models,
    perft,
    play,
    records,
    serve,
    solve,
    tablebase,
    tournament,
)
from tesuji.cli.errors import BadInput, one_line
from tesuji.cli.interrupts import sigterm_interrupts
from tesuji.records.schema import StoreError
from tesuji.scale import ExecutorError

# Older releases of typer use the package click and newer ones a copy of their own; both lead here.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]

FINE, BROKEN, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
FULL = (errno.ENOSPC, errno.EDQUOT)
"""Errors of a full disk, be it the store's, a file's or the one that the output goes to."""


class OnceEach(typer.core.TyperCommand):
    """A command that refuses an option given twice, where typer would quietly take the last."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse as usual, after a look at what is there."""
        try:
            _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        except UsageError as error:
            error.ctx = ctx  # type: ignore[attr-defined]  # the parser's own do not know whose help to name
            raise
        for parameter in dict.fromkeys(given):
            if given.count(parameter) > 1 and not getattr(parameter, "multiple", False):
                ctx.fail(f"option {parameter.opts[0]} is given twice")
        return super().parse_args(ctx, args)


app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help: it starts faster, and pipes well
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Try: tesuji play hex:size=7",
)
for command, example in (
    (play.play, "tesuji play hex:size=7,swap=on --bot mcts:seconds=2 --seat 1"),
    (serve.serve, "tesuji serve --port 8080 --open"),
    (analyse.analyse, 'tesuji analyse hex --moves "f6 d8" --bot mcts:seconds=5'),
    (explain.explain, "tesuji explain onitama --seed 7 --value model.json"),
    (match.match, "tesuji match hex mcts:rave=off mcts --iterations 500 --games 200"),
    (tournament.tournament, "tesuji tournament hex:size=7 easy medium hard --rounds 20 --svg ratings.svg"),
    (ablate.ablate, "tesuji ablate hex --only rave=off --only solver=off"),
    (exam.exam, "tesuji exam onitama --tablebase 4.tb --bot greedy --bot mcts:iterations=1000"),
    (solve.solve, 'tesuji solve gomoku --moves "h8 a1 i8 a3 j8 a5" --vcf'),
    (games.games, "tesuji games --load examples/connect_four.py"),
    (bots.bots, "tesuji bots --json"),
    (check.check, "tesuji check tictactoe --load examples/tic_tac_toe.py"),
    (bench.bench, "tesuji bench hex:size=9 --seconds 2"),
    (perft.perft, "tesuji perft onitama:cards=ox-boar-horse-elephant-crab 6"),
):
    app.command(cls=OnceEach, epilog=f"Example: {example}")(command)
for group, example in (
    (engine, engine.COMMANDS[0][2]),
    (records, "tesuji records list --game hex"),
    (learn, learn.COMMANDS[0][2]),
    (models, models.COMMANDS[0][2]),
    (tablebase, tablebase.COMMANDS[0][2]),
):
    name = group.__name__.rpartition(".")[2]
    app.add_typer(group.app, name=name, epilog=f"Example: {example}")
    for name, action, example in group.COMMANDS:
        group.app.command(name, cls=OnceEach, epilog=f"Example: {example}")(action)


def _version(asked: bool) -> None:
    if asked:
        from tesuji import __version__

        print(f"tesuji {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _tesuji(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Play, analyse and measure board games.

    Games and bots are named by specs, a name and its options: hex:size=9,swap=on or
    mcts:iterations=5000,rave=off. What there is: tesuji games, tesuji bots.
    """
    if context.invoked_subcommand is None:
        print(context.get_help())


pbrain = typer.Typer(add_completion=False, rich_markup_mode=None)
pbrain.command(
    cls=OnceEach,
    epilog="Example: pbrain-tesuji --bot mcts:iterations=50000",
    context_settings={"help_option_names": ["-h", "--help"]},
)(engine.gomocup)


def main(
    arguments: Sequence[str] | None = None, *, commands: typer.Typer = app, program: str = "tesuji"
) -> int:
    """Run the command line and return its exit code: `main(["games", "--json"])`."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal that cannot show ● shows ?, and the game goes on
            stream.reconfigure(errors="replace")
    if sys.stdin is None:  # closed, as a service may find it
        sys.stdin = open(os.devnull)
    try:
        command = typer.main.get_command(commands)
        with sigterm_interrupts():
            code = command.main(args=arguments, prog_name=program, standalone_mode=False) or FINE
        if sys.stdout is not None:
            sys.stdout.flush()  # now, while what goes wrong can be said
        return code
    except (BadInput, StoreError, ExecutorError) as error:  # the last two also in the middle of the work
        return _complain(str(error))
    except UsageError as error:
        return _complain(_usage(error))
    except (typer.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:  # the reader has seen enough
        _silence()
        return BROKEN
    except OSError as error:
        if error.errno not in FULL:
            return _show_traceback(error)
        _silence()
        return _complain(f"cannot write: {error.strerror}")
    except Exception as error:
        # Not the input's fault: the author of the game or bot wants to see where it happened.
        return _show_traceback(error)


def _show_traceback(error: Exception) -> int:
    traceback.print_exception(error.with_traceback(_without_typer(error.__traceback__)))
    return BROKEN


def _silence() -> None:
    """Whatever is still to be written goes nowhere: it cannot be, and Python would say so at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str) -> int:
    print(f"tesuji: {message}", file=sys.stderr)
    return BAD_INPUT


def _usage(error: Any) -> str:
    """A usage error in one line, with the way to help."""
    message = one_line(error.format_message()).rstrip(".")
    if message[1:2].islower():
        message = message[0].lower() + message[1:]
    path = error.ctx.command_path if error.ctx else "tesuji"
    return f"{message} (see {path} --help)"


def _without_typer(frames: TracebackType | None) -> TracebackType | None:
    """The frames from the command on."""
    here = os.path.dirname(__file__)
    rest = frames.tb_next if frames else None  # the first is main()
    while rest and os.path.dirname(rest.tb_frame.f_code.co_filename) != here:
        rest = rest.tb_next
    return rest or frames
