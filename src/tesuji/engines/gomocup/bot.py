"""Driving a Gomocup engine as a bot.

The engine keeps its own board. If only the newest stone is new to it, it is sent by TURN; otherwise the board
is cleared and all stones are sent by BOARD, in the order of the game. The swap2 opening uses SWAP2BOARD,
whose answers hold up to three moves.
"""

from __future__ import annotations

import dataclasses
import re
import time
from dataclasses import dataclass
from typing import Any

from tesuji._helpers.clipping import clip
from tesuji.any_game import Game
from tesuji.engines.driver import EngineBot
from tesuji.engines.gomocup.brain import GAME
from tesuji.engines.gomocup.protocol import OPPONENT, OWN, RULE_BITS, UNLIMITED, Stones, parse_points
from tesuji.engines.process import Program
from tesuji.full_game import FullState, Move
from tesuji.options import Options, option
from tesuji.registry import spec_of
from tesuji.spec import Spec

MESSAGES = re.compile(r"(MESSAGE|DEBUG)\b", re.IGNORECASE)
FAILURES = "ERROR|UNKNOWN"
POINTS = "[0-9]+,[0-9]+( +[0-9]+,[0-9]+)*$"
OK = re.compile(rf"(OK|{FAILURES})\b", re.IGNORECASE)
MOVE = re.compile(rf"{POINTS}|SUGGEST [0-9]+,[0-9]+$|({FAILURES})\b", re.IGNORECASE)
OPENING = re.compile(rf"{POINTS}|SWAP$|({FAILURES})\b", re.IGNORECASE)
AGAINST_A_PROGRAM = 1  # game_type
PAUSE = 0.02
"""Seconds from an answer to the next command. Some programs answer before their search has ended, and misread
what arrives in between: Rapfi drops the word INFO."""

SWAP2_STAGES = {"three_stones": 0, "second_chooses": 3, "first_chooses": 5}
"""The stages in which SWAP2BOARD is sent, with their number of stones."""


@dataclass(frozen=True, kw_only=True)
class GomocupOptions(Options):
    """Options of `GomocupBot`."""

    command: str = dataclasses.field(metadata={"doc": "the program and its arguments, as in a shell"})
    seconds: float | None = option(
        None, "time per move, sent to the engine; off: no limit is sent", minimum=0
    )
    match: float | None = option(
        None, "time for all its moves of a game, in seconds; off: no limit", minimum=0.001
    )
    memory: int | None = option(None, "memory limit in MiB, sent to the engine; off: none is sent", minimum=1)
    setup: str | None = option(
        None, "lines to send after START, with ; between them: INFO and others without an answer"
    )
    start: float = option(60.0, "seconds that the program may take to be ready", minimum=0.1)


class GomocupBot(EngineBot):
    """A program that speaks the Gomocup protocol: `GomocupBot(game, command="pbrain-rapfi", seconds=1)`."""

    Options = GomocupOptions
    protocol = "gomocup"
    quit_command = "END"

    def __init__(self, game: Game | str, **options: object) -> None:
        self._known: list[tuple[int, int]] = []  # cells and owners of the engine's stones
        self._plan: tuple[list[Move], list[Move]] = ([], [])
        self._left = 0.0
        self._clock: float | None = None
        self._match_time_sent = False
        self._answered = 0.0
        super().__init__(game, options)

    def time_left(self, seconds: float, increment: float) -> None:
        """Set the remaining time, sent before the next move; the protocol has no increment."""
        self._clock = seconds

    def _check_game(self) -> None:
        name = Spec.parse(spec_of(self.game)).name
        if name != GAME:
            raise ValueError(f"the Gomocup protocol is for {GAME}, not for {name}")

    def _handshake(self, program: Program) -> None:
        game = self.game
        self._ask_ok(program, f"START {game.size}")
        settings: dict[str, float | None] = {
            "rule": RULE_BITS[game.rule],
            "game_type": AGAINST_A_PROGRAM,
            "timeout_turn": None if self.options.seconds is None else self.options.seconds * 1000,
            "timeout_match": 0 if self.options.match is None else self.options.match * 1000,
            "max_memory": None if self.options.memory is None else self.options.memory << 20,
        }
        for key, value in settings.items():
            if value is not None:
                program.send(f"INFO {key} {value:.0f}")
        for line in self._setup_lines:
            program.send(line)
        self._match_time_sent = self.options.match is not None
        self._forget()

    def _clear(self, program: Program) -> None:
        if self._known:
            self._ask_ok(program, "RESTART")
        self._forget()

    def _forget(self) -> None:
        self._known = []
        self._plan = ([], [])
        self._left = self.options.match or 0.0

    def _ask_for_move(self, program: Program, state: FullState, history: list[Move]) -> Move:
        after, moves = self._plan
        if moves and history == after:
            self._plan = ([*history, moves[0]], moves[1:])
            return moves[0]
        stones = Stones(self.game.size)
        cells = [move for move in history if move < stones.size**2]
        time.sleep(max(0.0, self._answered + PAUSE - time.monotonic()))
        self._tell_clock(program)
        began = time.monotonic()
        stage: str = state.root.stage
        if SWAP2_STAGES.get(stage) == len(cells):
            moves = self._ask_opening(program, state, stones, cells)
            self._plan = ([*history, moves[0]], moves[1:])
        else:
            moves = [self._ask_stone(program, state, stones, cells)]
        self._answered = time.monotonic()
        self._left -= self._answered - began
        return moves[0]

    def _tell_clock(self, program: Program) -> None:
        clock, self._clock = self._clock, None
        own = None if self.options.match is None else self._left
        lefts = [seconds for seconds in (clock, own) if seconds is not None]
        left = round(min(lefts) * 1000) if lefts else UNLIMITED
        if (
            clock is not None and not self._match_time_sent
        ):  # the protocol wants the limit of the game before what is left
            self._match_time_sent = True
            program.send(f"INFO timeout_match {left}")
        program.send(f"INFO time_left {left}")

    def _ask_stone(self, program: Program, state: Any, stones: Stones, cells: list[int]) -> int:
        """Send TURN if only the newest stone is new to the engine, else the whole board."""
        owners: bytes = state.cells()
        set_up = state.game.set_up_stones
        begun = [] if set_up is None else [cell for cell, owner in enumerate(set_up.cells) if owner]
        placed = [(cell, owners[cell]) for cell in (*begun, *cells)]
        if cells and placed[:-1] == self._known:
            program.send(f"TURN {stones.point(cells[-1])}")
        else:
            if self._known:
                self._ask_ok(program, "RESTART")
            program.send("BOARD" if placed else "BEGIN")
            for cell, owner in placed:
                program.send(f"{stones.point(cell)},{OWN if owner == state.colour + 1 else OPPONENT}")
            if placed:
                program.send("DONE")
        self._known = placed
        reply = self._read(program, MOVE)
        if reply.upper().startswith("SUGGEST "):  # its move, to be confirmed
            program.send(f"PLAY {reply.split(None, 1)[1]}")
            reply = self._read(program, MOVE)
        moves = self._legal(program, state, stones, reply, (1,))
        self._known = [*placed, (moves[0], state.colour + 1)]
        return moves[0]

    def _ask_opening(
        self, program: Program, state: FullState, stones: Stones, cells: list[int]
    ) -> list[Move]:
        """Our moves of the swap2 opening, up to the other player's next."""
        swap, two = stones.size**2, stones.size**2 + 1
        if self._known:
            self._ask_ok(program, "RESTART")
            self._known = []  # the BOARD that follows needs no other RESTART
        for line in ("SWAP2BOARD", *(str(stones.point(cell)) for cell in cells), "DONE"):
            program.send(line)
        reply = self._read(program, OPENING)
        if cells and reply.upper() == "SWAP":
            return [swap]
        wanted = {0: (3,), 3: (1, 2), 5: (1,)}[len(cells)]
        moves = self._legal(program, state, stones, reply, wanted)
        return [two, *moves] if len(cells) == 3 and len(moves) == 2 else moves

    def _legal(
        self, program: Program, state: FullState, stones: Stones, reply: str, wanted: tuple[int, ...]
    ) -> list[int]:
        """The cells of an answer: legal, distinct, and as many as wanted."""
        legal = set(state.moves())
        try:
            cells = [stones.cell(point) for point in parse_points(reply)]
        except ValueError:
            cells = []
        if len(cells) not in wanted or len(set(cells)) < len(cells) or not legal.issuperset(cells):
            what = "a legal move" if wanted == (1,) else "legal moves"
            raise program.error(f"answered {clip(reply)}, which is not {what}")
        return cells

    def _ask_ok(self, program: Program, command: str) -> None:
        program.send(command)
        self._read(program, OK)

    def _read(self, program: Program, form: re.Pattern[str]) -> str:
        """The engine's answer; EngineError for ERROR and UNKNOWN."""
        reply = program.read_answer(form, MESSAGES)
        if re.match(FAILURES, reply, re.IGNORECASE):
            raise program.error(f"answered {clip(reply)}")
        return reply
