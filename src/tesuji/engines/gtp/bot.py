"""Driving a GTP engine as a bot.

The engine keeps its own board. It is sent only the new moves; where the position does not continue its game,
the board is cleared and all moves are sent.
"""

from __future__ import annotations

import dataclasses
import math
import re
import warnings
from dataclasses import dataclass

from tesuji._helpers.clipping import clip
from tesuji.any_game import Game
from tesuji.any_game import game as as_game
from tesuji.bots import RESIGN
from tesuji.engines.driver import EngineBot
from tesuji.engines.gtp.engine import PROTOCOL_VERSION
from tesuji.engines.gtp.protocol import parse_answer, parse_command
from tesuji.engines.gtp.wire import RESIGN_WORD, SwapForm, WirePosition, check_playable
from tesuji.engines.lines import clean
from tesuji.engines.process import EngineError, Program
from tesuji.full_game import FullGame, FullState, Move
from tesuji.options import Options, option

LONGEST_ANSWER = 1000  # lines
ANSWER = re.compile("[=?]")


class FailureResponse(EngineError):
    """An answer that begins with a question mark: the command failed."""


@dataclass(frozen=True, kw_only=True)
class GtpOptions(Options):
    """Options of `GtpBot`."""

    command: str = dataclasses.field(metadata={"doc": "the program and its arguments, as in a shell"})
    seconds: float | None = option(
        None, "time per move, sent to the engine in whole seconds; off: no limit is sent", minimum=0.001
    )
    swap: SwapForm = option(
        "pieces", "the swap: stone mirrors (pieces), stays (sides), or stays but is called pieces (mohex)"
    )
    setup: str | None = option(None, "GTP commands to send first, with ; between them")
    start: float = option(60.0, "seconds that the program may take to be ready", minimum=0.1)


class GtpBot(EngineBot):
    """A program that speaks GTP: `GtpBot(game, command="mohex --quiet")`."""

    Options = GtpOptions
    protocol = "gtp"
    quit_command = "quit"
    _position: WirePosition

    def __init__(self, game: Game | str, **options: object) -> None:
        self._known: list[Move] = []
        self._begun: FullGame = as_game(game).rules  # what the engine's board began from
        self._told_seconds: float | None = None
        self._left: float | None = None
        self._knows_clock: bool | None = None
        self._takes_time = True
        self._warned = False
        super().__init__(game, options)

    def time_left(self, seconds: float, increment: float) -> None:
        """Set the remaining time, sent before the next move if the engine supports `time_left`.

        In whole seconds, as in GTP, which has no increment. Ignored where the option `seconds` is set.
        """
        self._left = seconds if self.options.seconds is None else None

    def _check_game(self) -> None:
        check_playable(self.game)

    def _handshake(self, program: Program) -> None:
        version = self._ask(program, "protocol_version")
        if version != PROTOCOL_VERSION:
            raise program.error(f"answered {clip(version)}; only version 2 is supported")
        for line in self._setup_lines:
            if parse_command(line) is not None:  # comments get no answer
                self._ask(program, line)
        self._ask(program, f"boardsize {self.game.size}")
        self._told_seconds = None
        self._knows_clock = None
        self._takes_time = True
        self._tell_time(program)
        self._clear(program)

    def _ask_for_move(self, program: Program, state: FullState, history: list[Move]) -> Move:
        self._tell_time(program)
        self._tell_moves(program, state, history)
        self._tell_clock(program)
        word = self._ask(program, f"genmove {self._position.colour}")
        if word.lower() == RESIGN_WORD:
            return RESIGN
        try:
            move, after = self._position.read(word)
        except ValueError as error:
            raise program.error(f"answered {clip(word)}, which is not a legal move") from error
        self._known.append(move)
        self._position = after
        return move

    def _clear(self, program: Program) -> None:
        self._set_up(program, self.game.rules)

    def _set_up(self, program: Program, game: FullGame) -> None:
        """Clear the board, and put the stones of the position from which a game begins, if it has one."""
        self._ask(program, "clear_board")
        self._known, self._begun = [], game
        self._position = WirePosition(game.start(), self.options.swap)
        if game == game.rules:
            return
        position = self._position
        stones = [(owner - 1, cell) for cell, owner in enumerate(position.stones()) if owner]
        stones.sort(key=lambda stone: stone[0] != position.state.player)  # last, the side that has moved
        words = [f"{position.colour_of(player)} {position.word(cell)}" for player, cell in stones]
        if self._knows(program, "set_position"):
            self._ask(program, f"set_position {' '.join(words)}")
        else:
            for word in words:
                self._ask(program, f"play {word}")

    def _tell_time(self, program: Program) -> None:
        """Send the time per move, if it changed: a byo-yomi period of one stone."""
        seconds = self.options.seconds
        if seconds == self._told_seconds:
            return
        # "0 1 0" means no limit.
        self._set_time(program, "0 1 0" if seconds is None else f"0 {math.ceil(seconds)} 1")
        self._told_seconds = seconds

    def _tell_clock(self, program: Program) -> None:
        if self._left is None:
            return
        left, self._left = math.floor(self._left), None
        if self._knows_clock is None:
            self._knows_clock = self._knows(program, "time_left")
            if self._knows_clock:
                self._set_time(program, f"{max(1, left)} 0 0")
        if self._knows_clock:
            self._ask(program, f"time_left {self._position.colour} {left} 0")

    def _set_time(self, program: Program, settings: str) -> None:
        """Send `time_settings`; an engine without the command plays without a limit."""
        if not self._takes_time:
            return
        try:
            self._ask(program, f"time_settings {settings}")
        except FailureResponse:
            self._takes_time = self._knows(program, "time_settings")
            if self._takes_time:
                raise
            if not self._warned:
                self._warned = True
                warnings.warn(
                    f"{program.command!r} does not support time_settings: its thinking time is not limited",
                    RuntimeWarning,
                    stacklevel=2,
                )

    def _knows(self, program: Program, command: str) -> bool:
        try:
            return self._ask(program, f"known_command {command}").lower() == "true"
        except FailureResponse:
            return False

    def _tell_moves(self, program: Program, state: FullState, history: list[Move]) -> None:
        game = state.game
        if game != self._begun or history[: len(self._known)] != self._known:
            self._set_up(program, game)
        for move in history[len(self._known) :]:
            self._ask(program, f"play {self._position.colour} {self._position.word(move)}")
            self._known.append(move)
            self._position = self._position.play(move)

    def _ask(self, program: Program, command: str) -> str:
        """The engine's answer; FailureResponse for a `?`, EngineError where it does not speak GTP."""
        program.send(command)
        good, text = _read_answer(program)
        if not good:
            raise FailureResponse(str(program.error(f"answered {clip('? ' + text)}")))
        return text.strip()


def _read_answer(program: Program) -> tuple[bool, str]:
    """Whether the command succeeded, and the text: all lines up to an empty one."""
    line = program.read_answer(ANSWER)
    answer = parse_answer(line)
    if answer is None:
        raise program.error(f"answered {clip(line)}; an answer begins with = or ? and a space")
    good, lines = answer[0], [answer[1]]
    while line := clean(program.read_line()):
        lines.append(line)
        if len(lines) > LONGEST_ANSWER:
            raise program.error(f"sent an answer of more than {LONGEST_ANSWER} lines")
    return good, "\n".join(lines)
