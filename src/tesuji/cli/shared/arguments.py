"""Arguments and options that several commands have, each declared once; `grouped` declares sets of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, get_type_hints

import typer

if TYPE_CHECKING:
    from tesuji.arena.match import PairingOptions

DEFAULT_STORE = Path("games.db")


def option(metavar: str, help: str, *names: str, **more: Any) -> Any:
    """An option with a value; its name is the parameter's unless `names` are given."""
    return typer.Option(*names, metavar=metavar, help=help, **more)


def flag(help: str, *names: str, **more: Any) -> Any:
    """An option without a value."""
    return typer.Option(*names, help=help, **more)


def argument(metavar: str, help: str, **more: Any) -> Any:
    """An argument without a name."""
    return typer.Argument(metavar=metavar, help=help, **more)


GameSpec: TypeAlias = Annotated[
    str | None,
    argument("GAME", "Game spec, such as hex:size=7; defaults to hex, or the first game of --load."),
]
RequiredGame: TypeAlias = Annotated[str, argument("GAME", "Game spec, such as hex:size=7.")]
Load: TypeAlias = Annotated[
    list[Path] | None,
    option("FILE.py", "Load a Python file that registers games or bots; repeatable.", "--load"),
]
PositionFile: TypeAlias = Annotated[
    str | None, option("FILE", "Begin from the diagram or SGF in this file; - for standard input.")
]
Moves: TypeAlias = Annotated[str, option("MOVES", 'Moves played so far, such as "f6 d8".')]
DealSeed: TypeAlias = Annotated[int | None, option("N", "Seed for deals.", min=0)]
Json: TypeAlias = Annotated[bool, flag("Print JSON.", "--json")]
StoreFile: TypeAlias = Annotated[Path, option("FILE", "Game store.")]
On: TypeAlias = Annotated[
    str | None,
    option("SPEC", "Executor: processes:workers=N, threads:workers=N or, on a cluster, ray:address=auto."),
]
Processes: TypeAlias = Annotated[
    int | None, option("N", "Worker processes; defaults to one per core.", min=1)
]
Patience: TypeAlias = Annotated[
    float, option("S", "Seconds per move after which a bot counts as hung.", min=0.1)
]
Openings: TypeAlias = Annotated[
    str | None,
    option(
        "SPEC",
        "Openings: book, random:plies=2, near:plies=3, file:path=FILE or none; defaults to the game's.",
    ),
]
MatchSeed: TypeAlias = Annotated[int, option("N", "Seed for openings, deals and bots.", min=0)]


@dataclass(frozen=True, kw_only=True)
class ContestOptions:
    """How the games of a match or tournament are played."""

    iterations: Annotated[
        int | None, option("N", "Simulations per move, unless the bot's spec sets a budget.", min=1)
    ] = None
    seconds: Annotated[
        float | None, option("S", "Seconds per move, unless the bot's spec sets a budget.", min=0.001)
    ] = None
    clock: Annotated[
        str | None,
        option("S[+INC]", "Time control: seconds per game and increment per move, such as 10+0.1."),
    ] = None
    openings: Openings = None
    seed: MatchSeed = 1
    processes: Processes = None
    on: On = None
    move_limit: Annotated[int | None, option("N", "Adjudicate a draw after N moves.", min=1)] = None
    patience: Patience = 120.0

    @property
    def plan(self) -> PairingOptions:
        """What a pairing takes of them."""
        return {
            "openings": self.openings,
            "seed": self.seed,
            "move_limit": self.move_limit,
            "clock": self.clock,
        }


@dataclass(frozen=True, kw_only=True)
class GameFilters:
    """Which games of a store; `since` and `until` as they were written."""

    game: Annotated[str | None, option("SPEC", "Only this game: hex, or hex:size=9.")] = None
    bot: Annotated[str | None, option("SPEC", "Only games with this bot, in any seat: mcts.")] = None
    since: Annotated[str | None, option("TIME", "Only games since this day or time (UTC).")] = None
    until: Annotated[str | None, option("TIME", "Only games until this day (inclusive) or time (UTC).")] = (
        None
    )
    result: Annotated[
        str | None,
        option("RESULT", "Only this result: the winner's seat (0, 1, …), draw or unfinished."),
    ] = None
    ending: Annotated[
        str | None,
        option("ENDING", "Only this ending: played, resigned, limit, illegal, crashed, hung or unfinished."),
    ] = None
    match: Annotated[str | None, option("KEY", "Only games of this match.")] = None


@dataclass(frozen=True, kw_only=True)
class FitOptions:
    """From which games a model is fitted, and where it goes."""

    output: Annotated[Path, option("FILE", "Model file to write (JSON).")]
    store: Annotated[Path, option("FILE", "Store with the games.")] = DEFAULT_STORE
    bot: Annotated[str | None, option("SPEC", "Use only games with this bot, in any seat.")] = None
    match: Annotated[str | None, option("KEY", "Use only games of this match.")] = None

    @property
    def filters(self) -> dict[str, str]:
        """The games to use, as a store's filters."""
        return {key: each for key, each in (("bot", self.bot), ("match", self.match)) if each}


def grouped(action: Callable[..., object]) -> Callable[..., object]:
    """A command in which every argument that is one of these dataclasses is a set of options."""
    hints = get_type_hints(action, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(action).parameters.items():
        group = groups.get(name)
        types = hints if group is None else get_type_hints(group, include_extras=True)
        every = [parameter] if group is None else inspect.signature(group).parameters.values()
        parameters += [
            one.replace(annotation=types[one.name], kind=inspect.Parameter.KEYWORD_ONLY) for one in every
        ]

    def call(**given: Any) -> object:
        for name, kind in groups.items():
            given[name] = kind(**{field.name: given.pop(field.name) for field in fields(kind)})
        return action(**given)

    call.__name__, call.__doc__ = action.__name__, action.__doc__
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return call
