"""Texts of the command line as games, bots and positions."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from tesuji.any_game import game, parse_move, set_up, spaces_hint
from tesuji.bots import bot as make_bot
from tesuji.cli.shared.errors import BadInput, input_errors
from tesuji.cli.shared.loading import files_to_load, load
from tesuji.full_bot import FullBot
from tesuji.full_game import CHANCE, FullGame, FullState
from tesuji.options import unknown
from tesuji.registry import bots, games, spec_of
from tesuji.spec import Spec

DEFAULT_GAME = "hex"
LARGEST_POSITION = 1 << 20  # bytes of a file with a position


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


def to_move(state: FullState, why: str) -> FullState:
    """The position, unless nobody is to move there; `why` follows "the game is over"."""
    if state.scores() is not None:
        raise BadInput(f"the game is over {why}")
    if state.player == CHANCE:
        raise BadInput("the next move is a chance move; add its outcome to --moves")
    return state
