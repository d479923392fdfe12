"""Driving another program as a bot: what all protocols share.

The program is started when the bot is made, and anew after every error: nobody knows then what it would say
next. A subclass knows the protocol.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar

from tesuji.engines.process import EngineError, Program
from tesuji.game import Game, Move, State, shown, start
from tesuji.game import game as as_game
from tesuji.options import Options, to_text
from tesuji.registry import spec_of
from tesuji.spec import Spec


class EngineBot(ABC):
    """A bot around a program: `GtpBot`, `GomocupBot`.

    A command that cannot be started, or that does not speak the protocol, is a ValueError; what goes wrong
    later is an EngineError, and the next `choose` starts the program anew.
    """

    Options: ClassVar[type[Options]]
    options: Any
    protocol: ClassVar[str]
    """The bot's name in specs."""
    quit_command: ClassVar[str]
    """What asks a program to end."""

    def __init__(self, game: Game | str, options: dict[str, Any]) -> None:
        self.game = as_game(game)
        if "command" not in options:
            raise ValueError(
                f'{self.protocol} needs a command, such as {self.protocol}:command="engine --quiet"'
            )
        self.options = self.Options.of(options, thing=self.protocol)
        self._program: Program | None = None
        self._check_game()
        if not hasattr(start(self.game), "history"):
            name = Spec.parse(spec_of(self.game)).name
            raise ValueError(f"{self.protocol} needs positions with a history, and those of {name} have none")
        try:
            self._running()
        except EngineError as error:
            raise ValueError(str(error)) from error

    def choose(self, state: State) -> Move:
        """The engine's move, or RESIGN where its protocol has that."""
        if getattr(state, "game", self.game) != self.game:
            raise ValueError(
                f"this bot plays {shown(self.game)}, and the position is not one of it: {state!r}"
            )
        if state.scores() is not None:
            raise ValueError("the game is over: there is no move to choose")
        history: Any = state.history  # type: ignore[attr-defined]
        with self._closing_on_error():
            return self._ask_for_move(self._running(), state, list(history))

    def reset(self) -> None:
        """Clear the engine's board, as before a new game."""
        if self._program is not None:
            # One that cannot do it is closed, and the next has an empty board too.
            with contextlib.suppress(EngineError), self._closing_on_error():
                self._clear(self._program)

    def close(self) -> None:
        """End the engine; a later `choose` starts it anew."""
        if self._program is not None:
            self._program.close()
            self._program = None

    def __repr__(self) -> str:
        given = ", ".join(f"{key}={value!r}" for key, value in to_text(self.options).items())
        return f"{type(self).__name__}({self.game!r}, {given})"

    @abstractmethod
    def _check_game(self) -> None:
        """ValueError where the game cannot be played over this protocol."""

    @abstractmethod
    def _handshake(self, program: Program) -> None:
        """All that comes before the first game; the board is empty afterwards."""

    @abstractmethod
    def _clear(self, program: Program) -> None:
        """An empty board."""

    @abstractmethod
    def _ask_for_move(self, program: Program, state: State, history: list[Move]) -> Move:
        """The program's move."""

    def _running(self) -> Program:
        """The engine, started and with an empty board where it was not there."""
        if self._program is not None:
            return self._program
        with self._closing_on_error():
            program = self._program = Program(self.options.command, quit_command=self.quit_command)
            with program.deadline(self.options.start):
                self._handshake(program)
            return program

    @contextlib.contextmanager
    def _closing_on_error(self) -> Iterator[None]:
        """After an error, or Ctrl-C, nobody knows what the engine will say next: start anew."""
        try:
            yield
        except BaseException:
            self.close()
            raise
