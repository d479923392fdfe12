"""Driving a GTP engine: any program that speaks GTP is a bot.

The engine has a board of its own. It is told the moves that it does not know yet; where the game went
elsewhere, its board is cleared and all moves are told again.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tesuji.bots import RESIGN
from tesuji.engines.gtp.engine import PROTOCOL_VERSION
from tesuji.engines.gtp.protocol import parse_answer, parse_command
from tesuji.engines.gtp.wire import RESIGN_WORD, SwapForm, WirePosition, check_playable
from tesuji.engines.lines import clean, shortened
from tesuji.engines.process import EngineError, Program
from tesuji.game import Game, Move, State, start
from tesuji.game import game as as_game
from tesuji.options import Options, option, to_text

LONGEST_ANSWER = 1000  # lines


@dataclass(frozen=True, kw_only=True)
class GtpOptions(Options):
    """What `GtpBot` can be told."""

    command: str = dataclasses.field(metadata={"doc": "the program and its arguments, as in a shell"})
    seconds: float | None = option(
        None, "time per move, in whole seconds for the engine; off: as it likes", minimum=0.001
    )
    swap: SwapForm = option(
        "pieces", "the swap: stone mirrors (pieces), stays (sides), or stays but is called pieces (mohex)"
    )
    setup: str | None = option(None, "GTP commands to send first, with ; between them")
    start: float = option(60.0, "seconds that the program may take to be ready", minimum=0.1)


class GtpBot:
    """A program that speaks GTP: `GtpBot(game, command="mohex --quiet")`.

    It is started at once. A command that cannot be started, or that does not speak GTP, is a ValueError; what
    goes wrong later is an EngineError, and the next `choose` starts the program anew.
    """

    Options = GtpOptions

    def __init__(self, game: Game | str, **options: Any) -> None:
        self.game = as_game(game)
        if "command" not in options:
            raise ValueError('gtp needs a command, such as gtp:command="mohex --quiet"')
        self.options = GtpOptions.of(options, thing="gtp")
        self._spec = check_playable(self.game)
        if not hasattr(start(self.game), "history"):
            raise ValueError(f"gtp needs positions with a history, and those of {self._spec.name} have none")
        self._program: Program | None = None
        self._known: list[Move] = []
        self._position = WirePosition(start(self.game), self.options.swap)
        self._told_seconds: float | None = None
        try:
            self._ready()
        except EngineError as error:
            raise ValueError(str(error)) from error

    def choose(self, state: State) -> Move:
        """The engine's move, or RESIGN."""
        if getattr(state, "game", self.game) != self.game:
            raise ValueError(f"this bot plays {self.game!r}, and the position is not one of it: {state!r}")
        if state.scores() is not None:
            raise ValueError("the game is over: there is no move to choose")
        history: Any = state.history  # type: ignore[attr-defined]
        with self._closing_on_error():
            program = self._ready()
            self._tell_time(program)
            self._tell_moves(program, list(history))
            word = self._ask(program, f"genmove {self._position.colour}")
            if word.lower() == RESIGN_WORD:
                return RESIGN
            try:
                move, after = self._position.read(word)
            except ValueError as error:
                raise program.fault(f"answered {shortened(word)}, which is not a legal move") from error
            self._known.append(move)
            self._position = after
            return move

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
        return f"GtpBot({self.game!r}, {given})"

    def _ready(self) -> Program:
        """The engine, started and with an empty board where it was not there."""
        if self._program is not None:
            return self._program
        with self._closing_on_error():
            program = self._program = Program(self.options.command, farewell="quit")
            with program.within(self.options.start):
                version = self._ask(program, "protocol_version")
                if version != PROTOCOL_VERSION:
                    raise program.fault(f"answered {shortened(version)}, and only version 2 will do")
                for line in re.split(r"[;\n]", self.options.setup or ""):
                    if parse_command(line) is not None:  # nobody answers an empty line or a comment
                        self._ask(program, line.strip())
                self._ask(program, f"boardsize {self.game.size}")  # type: ignore[attr-defined]
                self._told_seconds = None
                self._tell_time(program)
                self._clear(program)
            return program

    def _clear(self, program: Program) -> None:
        self._ask(program, "clear_board")
        self._known = []
        self._position = WirePosition(start(self.game), self.options.swap)

    def _tell_time(self, program: Program) -> None:
        """Where it changed: as byo-yomi of one stone, which is time per move."""
        seconds = self.options.seconds
        if seconds == self._told_seconds:
            return
        # "0 1 0" means no limit.
        told = "0 1 0" if seconds is None else f"0 {math.ceil(seconds)} 1"
        self._ask(program, f"time_settings {told}")
        self._told_seconds = seconds

    def _tell_moves(self, program: Program, history: list[Move]) -> None:
        if history[: len(self._known)] != self._known:
            self._clear(program)
        for move in history[len(self._known) :]:
            self._ask(program, f"play {self._position.colour} {self._position.word(move)}")
            self._known.append(move)
            self._position = self._position.play(move)

    def _ask(self, program: Program, command: str) -> str:
        """What the engine answers; EngineError where it complains, or does not speak GTP."""
        program.send(command)
        good, text = _read_answer(program)
        if not good:
            raise program.fault(f"answered {shortened('? ' + text)}")
        return text.strip()

    @contextlib.contextmanager
    def _closing_on_error(self) -> Iterator[None]:
        """After an error, or Ctrl-C, nobody knows what the engine will say next: start anew."""
        try:
            yield
        except BaseException:
            self.close()
            raise


def _read_answer(program: Program) -> tuple[bool, str]:
    """Whether it is good, and what it says: all lines up to an empty one.

    Some programs send an empty line too many; it comes before the next answer.
    """
    lines: list[str] = []
    good = False
    for _ in range(LONGEST_ANSWER):
        line = clean(program.read_line())
        if lines and line:
            lines.append(line)
        elif lines:
            return good, "\n".join(lines)
        elif line.strip():
            answer = parse_answer(line)
            if answer is None:  # at once: who does not speak GTP may send no empty line either
                raise program.fault(f"answered {shortened(line)}; an answer begins with = or ?")
            good = answer[0]
            lines = [answer[1]]
    raise program.fault(f"sent {LONGEST_ANSWER} lines without an answer")
