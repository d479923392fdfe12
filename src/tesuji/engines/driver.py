"""Base of the bots that drive another program, whatever the protocol.

The program is started when the bot is made, and restarted after every error, since its state is unknown then.
Subclasses implement the protocol.
"""

from __future__ import annotations

import contextlib
import math
import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from typing import Any, ClassVar

from tesuji.adapter import full_state
from tesuji.any_game import Game, State
from tesuji.any_game import game as as_game
from tesuji.engines.process import EngineError, Program
from tesuji.full_bot import FullBot
from tesuji.full_game import FullState, Move
from tesuji.options import Options, to_text
from tesuji.registry import spec_of
from tesuji.spec import Spec

_start_limit: ContextVar[float] = ContextVar("start_limit", default=math.inf)


@contextlib.contextmanager
def starting_within(seconds: float) -> Iterator[None]:
    """A block in which programs must be ready within `seconds`, whatever their option `start`."""
    token = _start_limit.set(seconds)
    try:
        yield
    finally:
        _start_limit.reset(token)


class EngineBot(FullBot):
    """A bot around a program: `GtpBot`, `GomocupBot`.

    A command that cannot be started or does not speak the protocol is a ValueError. Later failures are
    EngineErrors, and the next `choose` restarts the program.
    """

    Options: ClassVar[type[Options]]
    options: Any
    protocol: ClassVar[str]
    """The bot's name in specs."""
    quit_command: ClassVar[str]
    """The command that ends a program."""

    def __init__(self, game: Game | str, options: Mapping[str, object]) -> None:
        self.game = as_game(game)
        if "command" not in options:
            raise ValueError(
                f'{self.protocol} needs a command, such as {self.protocol}:command="engine --quiet"'
            )
        self.options = self.Options.of(options, thing=self.protocol)
        self._program: Program | None = None
        self._check_game()
        if not self.game.start().offers("history"):
            name = Spec.parse(spec_of(self.game)).name
            raise ValueError(f"{self.protocol} needs states with a history; those of {name} have none")
        try:
            self._running()
        except EngineError as error:
            raise ValueError(str(error)) from error

    def choose(self, state: State) -> Move:
        """The engine's move, or RESIGN where the protocol supports it."""
        state = full_state(state, self.game)
        if state.game.rules != self.game.rules:
            raise ValueError(
                f"this bot plays {self.game.display_name}, but the position is of another game: {state!r}"
            )
        if state.scores() is not None:
            raise ValueError("the game is over: there is no move to choose")
        with self._closing_on_error():
            return self._ask_for_move(self._running(), state, list(state.history))

    def reset(self) -> None:
        """Clear the engine's board, as for a new game."""
        if self._program is not None:
            # After a failure the engine is closed; a new one has an empty board, too.
            with contextlib.suppress(EngineError), self._closing_on_error():
                self._clear(self._program)
                self._program.ignored = 0

    @property
    def ignored_lines(self) -> int:
        """Number of lines since `reset` that were no answers and were ignored."""
        return 0 if self._program is None else self._program.ignored

    def close(self) -> None:
        """End the engine; a later `choose` restarts it."""
        if self._program is not None:
            self._program.close()
            self._program = None

    def __repr__(self) -> str:
        given = ", ".join(f"{key}={value!r}" for key, value in to_text(self.options).items())
        return f"{type(self).__name__}({self.game!r}, {given})"

    @property
    def _setup_lines(self) -> list[str]:
        """The lines of the option `setup`."""
        return [line.strip() for line in re.split(r"[;\n]", self.options.setup or "") if line.strip()]

    @abstractmethod
    def _check_game(self) -> None:
        """Raise a ValueError if the game cannot be played over this protocol."""

    @abstractmethod
    def _handshake(self, program: Program) -> None:
        """Send everything that precedes the first game; leaves an empty board."""

    @abstractmethod
    def _clear(self, program: Program) -> None:
        """Clear the board."""

    @abstractmethod
    def _ask_for_move(self, program: Program, state: FullState, history: list[Move]) -> Move:
        """Ask the program for its move."""

    def _running(self) -> Program:
        """The engine; started with an empty board if it is not running."""
        if self._program is not None:
            return self._program
        with self._closing_on_error():
            program = self._program = Program(self.options.command, quit_command=self.quit_command)
            with program.deadline(min(self.options.start, _start_limit.get())):
                self._handshake(program)
            return program

    @contextlib.contextmanager
    def _closing_on_error(self) -> Iterator[None]:
        """Close the engine after an error or Ctrl-C: its next answer could be to an earlier command."""
        try:
            yield
        except BaseException:
            self.close()
            raise
