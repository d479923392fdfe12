"""Arguments that commands share, and their conversion to games, bots and positions."""

from __future__ import annotations

import importlib.util
import os
import shlex
import sys
import traceback
from collections.abc import Sequence
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Annotated, TypeAlias

import typer

from tesuji.any_game import game, parse_move, set_up, spaces_hint
from tesuji.bots import FullBot
from tesuji.bots import bot as make_bot
from tesuji.cli.errors import BadInput, input_errors, one_line
from tesuji.full_game import FullGame, FullState
from tesuji.options import unknown
from tesuji.records.verification import Replayed
from tesuji.registry import bots, games, spec_of
from tesuji.spec import Spec

DEFAULT_GAME = "hex"
DEFAULT_STORE = Path("games.db")
LARGEST_POSITION = 1 << 20  # bytes of a file with a position

GameSpec: TypeAlias = Annotated[
    str | None,
    typer.Argument(
        metavar="GAME", help="Game spec, such as hex:size=7; defaults to hex, or the first game of --load."
    ),
]
Load: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option(
        "--load", metavar="FILE.py", help="Load a Python file that registers games or bots; repeatable."
    ),
]
LOAD_VARIABLE = "TESUJI_LOAD"
"""Environment variable with files that every command loads first, separated as in PATH."""
PositionFile: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--position", metavar="FILE", help="Begin from the diagram or SGF in this file; - for standard input."
    ),
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]


class _SourceLoader(SourceFileLoader):
    """Loads a module from source that was read on another machine."""

    def __init__(self, name: str, path: str, source: bytes) -> None:
        super().__init__(name, path)
        self._source = source

    def get_code(self, fullname: str) -> CodeType:
        """Compile the given source."""
        return self.source_to_code(self._source, self.path)


def files_to_load(given: Sequence[Path] | None) -> list[Path]:
    """The files of the environment variable and of --load, each once."""
    named = [Path(text) for text in os.environ.get(LOAD_VARIABLE, "").split(os.pathsep) if text]
    found = {path.absolute(): path for path in (*named, *(given or ()))}
    return list(found.values())


def load(given: Sequence[Path] | None) -> list[str]:
    """Load all files; returns the names of the games that those of --load register."""
    named = {path.absolute() for path in given or ()}
    names = []
    for path in files_to_load(given):
        registered = load_file(path)
        names += registered if path.absolute() in named else []
    return names


def load_option(given: Sequence[Path] | None) -> str:
    """The --load options for a command that is suggested to the user, with a space before each."""
    return "".join(f" --load {shlex.quote(str(path))}" for path in given or ())


def load_file(path: Path, source: bytes | None = None) -> list[str]:
    """Run a user's Python file, as `python FILE.py` would; returns the names of the games it registers.

    With `source` given, the file need not exist on this machine.
    """
    if source is None and not path.is_file():
        raise BadInput(f"cannot load {path}: {'not a file' if path.exists() else 'no such file'}")
    before = set(games.names())
    name = f"tesuji_loaded_{path.stem}"  # not just the stem: a file may be called random.py
    loader = None if source is None else _SourceLoader(name, str(path.absolute()), source)
    found = importlib.util.spec_from_file_location(name, path.absolute(), loader=loader)
    if found is None or found.loader is None:
        raise BadInput(f"cannot load {path}: its name must end in .py")
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module  # dataclasses look their module up
    sys.path.insert(0, str(path.resolve().parent))
    try:
        found.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if Path(frame.filename) == path.absolute()]
        where = f", line {lines[-1]}" if lines else ""
        message = one_line(f"{type(error).__name__}: {error}").removesuffix(":")
        raise BadInput(f"cannot load {path}{where}: {message}") from error
    return [name for name in games.names() if name not in before]


def read_game(
    text: str | None, files: Sequence[Path] | None = None, *, for_a_bot: bool = False
) -> tuple[str, FullGame]:
    """A game and its spec, after loading the user's files; defaults to the first of theirs, or to Hex.

    Files that register no game do not mean Hex, unless it is played by a bot (`for_a_bot`) of theirs.
    """
    known = len(bots.names())
    loaded = load(files)
    if files and text is None and not loaded and not (for_a_bot and len(bots.names()) > known):
        both = "neither a game nor a bot" if for_a_bot else "no game"
        raise BadInput(
            f"{both} is registered by {', '.join(map(str, files))}; "
            'put @tesuji.register_game("name") before the class, or name a game such as hex'
        )
    with input_errors():
        spec = Spec.parse(text if text is not None else (loaded[0] if loaded else DEFAULT_GAME))
        if not files_to_load(files) and not games.knows(spec.name):
            raise ValueError(
                f"{unknown(f'game {spec.name!r}', spec.name, games.names())}; use --load FILE.py for your own"
            )
        return str(spec), game(spec)


def read_start(text: str | None, files: Sequence[Path] | None, position: str | None) -> tuple[str, FullGame]:
    """A game and its spec as by `read_game`, beginning from the diagram or SGF in a file.

    Of an SGF file, it is the last position of the first game. Without a spec, the file says which game it is.
    """
    if position is None:
        return read_game(text, files, for_a_bot=True)
    diagram = _read_text(position)
    with input_errors(position):
        if not diagram.lstrip().startswith("("):
            _, rules = read_game(text, files, for_a_bot=True)
            return _begun(rules, diagram)
        from tesuji.records.formats import read_records

        record = read_records(diagram, "sgf")[0]
        spec, rules = read_game(record.game if text is None else text, files)
        if Spec.parse(spec).name != Spec.parse(record.game).name:
            raise ValueError(f"it is a game of {Spec.parse(record.game).name}, not of {spec}")
        *_, last = record.states()
        return _begun(rules, str(last))


def _begun(rules: FullGame, diagram: str) -> tuple[str, FullGame]:
    begun = set_up(rules, diagram)
    return spec_of(begun), begun


def _read_text(path: str) -> str:
    try:
        data = sys.stdin.buffer.read(LARGEST_POSITION + 1) if path == "-" else _start_of(Path(path))
        if len(data) > LARGEST_POSITION:
            raise BadInput(f"cannot read {path}: over {LARGEST_POSITION >> 20} MiB")
        return data.decode("utf-8-sig")
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise BadInput(f"cannot read {path}: not a text file") from None


def _start_of(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(LARGEST_POSITION + 1)


def read_bot(
    text: str | None, game: FullGame, *, seed: int | None = None, threads: bool = False
) -> tuple[str, FullBot]:
    """A bot and its spec; the seed applies to bots that take one and whose spec sets none.

    `threads`: use as many as help on this machine.
    """
    with input_errors():
        spec = Spec.parse(text or str(game.default_bot))
        spec = bots.seeded(spec, seed)
        if threads:
            from tesuji.bots.threads import with_threads  # here: other commands do not need it

            spec = with_threads(spec, game)
        return str(spec), make_bot(spec, game)


def read_moves(state: FullState, text: str) -> FullState:
    """The position after moves as text. Unlike `tesuji.replay`, an exception of play() is not bad input."""
    for number, word in enumerate(text.replace(",", " ").split(), 1):
        with input_errors(f"move {number}"):
            try:
                move = parse_move(state, word)
            except ValueError as error:
                raise ValueError(f"{error}{spaces_hint(state)}") from error
        state = state.play(move)
    return state


def player_name(game: FullGame | Replayed, player: int) -> str:
    """A player's name: from the game's `player_names` if it has any, otherwise `player 0`."""
    names = game.player_names
    return str(names[player]) if player < len(names) else f"player {player}"
