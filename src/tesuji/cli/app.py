"""The commands of `tesuji`, each imported when it is called or listed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
import typer.core
import typer.main

from tesuji.cli import print_version
from tesuji.cli.shared.arguments import grouped
from tesuji.cli.shared.errors import UsageError, one_line_warnings
from tesuji.cli.shared.interrupts import sigterm_interrupts

HELP_OPTIONS = {"help_option_names": ["-h", "--help"]}

EXAMPLES = {
    "play": "tesuji play hex:size=7,swap=on --bot mcts:seconds=2 --seat 1",
    "serve": "tesuji serve --port 8080 --open",
    "analyse": 'tesuji analyse hex --moves "f6 d8" --bot mcts:seconds=5',
    "explain": "tesuji explain onitama --seed 7 --value model.json",
    "match": "tesuji match hex mcts:rave=off mcts --iterations 500 --games 200",
    "tournament": "tesuji tournament hex:size=7 easy medium hard --rounds 20",
    "ablate": "tesuji ablate hex --only rave=off --only solver=off",
    "tune": "tesuji tune hex mcts --param exploration=0.1..1.5 --iterations 500",
    "exam": "tesuji exam onitama --tablebase 4.tb --bot greedy --bot mcts",
    "solve": "tesuji solve hex:size=5 --all-moves",
    "games": "tesuji games --load mygame.py",
    "bots": "tesuji bots --json",
    "new": "tesuji new mygame",
    "check": "tesuji check mygame --load mygame.py",
    "bench": "tesuji bench hex:size=9 --seconds 2",
    "perft": "tesuji perft onitama:cards=ox-boar-horse-elephant-crab 6",
}
"""Commands, each a function of the same name in `tesuji.cli.commands.NAME`, with an example."""
GROUPS = ("engine", "records", "learn", "models", "tablebase")
"""Commands with subcommands: their modules have `COMMANDS`, with names and examples, and a `HELP`."""
MODULES = {"games": "lists", "bots": "lists"}
"""Modules with several commands."""


class StrictCommand(typer.core.TyperCommand):
    """A command that refuses an option given twice, where typer would silently take the last."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse as usual, after a check for repeated options."""
        try:
            _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        except UsageError as error:
            error.ctx = ctx  # type: ignore[attr-defined]  # the parser's own do not know whose help to name
            raise
        for parameter in dict.fromkeys(given):
            if given.count(parameter) > 1 and not getattr(parameter, "multiple", False):
                ctx.fail(f"option {parameter.opts[0]} is given twice")
        return super().parse_args(ctx, args)


class LazyGroup(typer.core.TyperGroup):
    """A group that imports a command's module when the command is called or listed."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands: dict[str, Any] = dict.fromkeys((*EXAMPLES, *GROUPS))  # typer suggests from the names

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import and build the command of that name, or return None."""
        if cmd_name not in self.commands:
            return None
        if self.commands[cmd_name] is None:
            self.commands[cmd_name] = _build(cmd_name)
        return self.commands[cmd_name]


def _build(name: str) -> Any:
    module: Any = import_module(f"tesuji.cli.commands.{MODULES.get(name, name)}")
    if name not in GROUPS:
        return typer.main.get_command(_single(getattr(module, name), EXAMPLES[name]))
    group = typer.Typer(
        rich_markup_mode=None,
        context_settings=HELP_OPTIONS,
        invoke_without_command=True,
        callback=_help_without_command,
        help=module.HELP,
        epilog=_example(module.COMMANDS[0][2]),
    )
    for subcommand, action, example in module.COMMANDS:
        group.command(subcommand, cls=StrictCommand, epilog=_example(example))(grouped(action))
    return typer.main.get_group(group)


def _help_without_command(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


def _example(line: str) -> str:
    """The last line of a help text, kept whole: wrapping would cut a spec at a hyphen."""
    return f"\b\nExample: {line}"


def _single(action: Callable[..., object], example: str) -> typer.Typer:
    """An app of one command."""
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    single.command(cls=StrictCommand, epilog=_example(example), context_settings=HELP_OPTIONS)(
        grouped(action)
    )
    return single


app = typer.Typer(
    cls=LazyGroup,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help starts faster, and pipes well
    context_settings=HELP_OPTIONS,
    epilog="Try: tesuji play hex:size=7",
)


def _version(given: bool) -> None:
    if given:
        print_version()
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
    mcts:iterations=5000,rave=off. List them with tesuji games and tesuji bots.
    """
    _help_without_command(context)


def pbrain() -> typer.Typer:
    """The command line of pbrain-tesuji, which is `tesuji engine gomocup`."""
    from tesuji.cli.commands.engine import gomocup

    return _single(gomocup, "pbrain-tesuji --bot mcts:iterations=50000")


def run(arguments: Sequence[str] | None, commands: typer.Typer | None, program: str) -> int:
    """Run a command line; exceptions reach the caller."""
    command = typer.main.get_command(commands or app)
    with sigterm_interrupts(), one_line_warnings():
        return command.main(args=arguments, prog_name=program, standalone_mode=False) or 0
