"""The command line: `tesuji`, one module per command in `commands`, and what they share in `shared`.

Exit codes: 0 success; 1 a failed check, or an exception in a user's game, with its traceback; 2 bad input,
with one line that begins with `tesuji:`; 130 interrupted by Ctrl-C or SIGTERM.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer


def main(
    arguments: Sequence[str] | None = None, *, commands: typer.Typer | None = None, program: str = "tesuji"
) -> int:
    """Run the command line and return its exit code: `main(["games", "--json"])`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            if stream.encoding.lower().replace("_", "-") in ("utf-8", "utf8"):
                stream.reconfigure(errors="replace")  # lone surrogates
            else:  # a terminal that cannot show ● shows X instead
                from tesuji.cli.shared import ascii

                ascii.install()
                stream.reconfigure(errors=ascii.NAME)
    if sys.stdin is None:  # closed, as in some services
        sys.stdin = open(os.devnull)
    try:
        if list(sys.argv[1:] if arguments is None else arguments) == ["--version"]:
            print_version()  # without importing typer, which takes longer than all the rest
            code = 0
        else:
            from tesuji.cli.app import run

            code = run(arguments, commands, program)
        if sys.stdout is not None:
            sys.stdout.flush()  # while an error can still be reported
        return code
    except (Exception, KeyboardInterrupt) as error:
        from tesuji.cli.shared.errors import report

        return report(error)


def print_version() -> None:
    """Print the version of the package."""
    from tesuji import __version__

    print(f"tesuji {__version__}")
