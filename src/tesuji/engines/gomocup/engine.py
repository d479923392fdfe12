"""A Gomocup engine: one board, one bot, and an answer to every line that needs one.

ERROR and UNKNOWN leave the board unchanged. INFO is never answered, since a manager would take the line for
our next move. An INFO that cannot be parsed is ignored, with a line on standard error; one that cannot be
honoured (a rule, a number of threads) is an ERROR at the next move, as the protocol requires.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from tesuji._helpers.clipping import clip
from tesuji.bots.timing import SHORTEST
from tesuji.engines.gomocup.brain import GAME, Brain
from tesuji.engines.gomocup.limits import GomocupClock, Info
from tesuji.engines.gomocup.protocol import (
    OPPONENT,
    OWN,
    GomocupCommand,
    Point,
    Stones,
    is_info,
    parse_command,
    parse_numbers,
)
from tesuji.engines.lines import Line
from tesuji.engines.server import Engine
from tesuji.engines.timed import CANCEL_AGAIN
from tesuji.spec import Spec

ABOUT = 'name="Tesuji", version="{}", author="The Tesuji developers", country="International"'
GRACE = 0.7  # seconds for the bot to stop after END; managers wait for one second


class _Board(NamedTuple):
    """The lines between BOARD or SWAP2BOARD and DONE."""

    asked: str
    stones: Stones
    points: list[Point]
    faults: list[str]
    arrived: float


class GomocupEngine(Engine):
    r"""A bot that plays over the Gomocup protocol: `GomocupEngine("mcts").answer("START 15") == "OK\n"`.

    The bot defaults to the game's own. `rules` is a spec of Gomoku; the manager may change size and rule.

    >>> engine = GomocupEngine("random:seed=1")
    >>> engine.answer("START 3"), engine.answer("JUMP")
    ('ERROR size must be from 5 to 20, not 3\n', "UNKNOWN command 'JUMP'\n")
    """

    def __init__(
        self, bot: str | Spec | None = None, *, rules: str | Spec = GAME, seed: int | None = None
    ) -> None:
        self.info = Info()
        self.exits = False
        """Exit the process if the bot does not stop in time after END."""
        self.stones: Stones | None = None
        self.brain = Brain(bot, info=self.info, rules=rules, seed=seed)
        self._clock = GomocupClock()
        self._board: _Board | None = None
        self._arrived = 0.0
        self._ending = False

    def respond(self, line: Line) -> str:
        """The answer to a line; empty where the protocol has none."""
        self._arrived = time.monotonic() if line.arrived is None else line.arrived
        asked = parse_command(line)
        reply = "" if asked is None else self._answer(asked)
        return f"{reply}\n" if reply else ""

    def refuse(self, line: Line, message: str) -> str:
        """The answer to a line that failed."""
        if is_info(line):
            print(f"tesuji: ERROR {message}", file=sys.stderr)
            return ""
        return f"ERROR {message}\n"

    def intercept(self, line: Line) -> bool:
        """Stop the running search on END."""
        if not self._ending and line.text.strip().upper() == "END":
            self._ending = True
            threading.Thread(target=self._shut_down, daemon=True).start()
        return False

    def interrupt(self) -> None:
        """Stop a running search soon, with its result so far; from any thread."""
        self.brain.cancel()

    def close(self) -> None:
        """Release the bot."""
        self.ended = True
        self.brain.close()

    def _answer(self, asked: GomocupCommand) -> str:
        if self._board is not None:
            if asked.name == "DONE":
                board, self._board = self._board, None
                return self._done(board)
            if asked.name not in COMMANDS:
                return self._stone(self._board, asked.text)
            if asked.name != "INFO":  # another command abandons the board
                self._board = None
        if asked.name not in COMMANDS:
            return f"UNKNOWN command {clip(asked.text)}"
        form, command = COMMANDS[asked.name]
        if form == "key value":
            return command(self, asked.argument)
        if form:
            return command(self, *parse_numbers(asked.argument, form))
        if asked.argument:
            raise ValueError(f"{asked.name} takes no argument, not {clip(asked.argument)}")
        return command(self)

    # The commands, in the order of the specification.

    def _start(self, size: int) -> str:
        self._clock.note(self.brain.warm_up(size))
        return self._clear(size)

    def _rectstart(self, width: int, height: int) -> str:
        if width != height:
            raise ValueError(f"only square boards are supported, not {width},{height}")
        return self._start(width)

    def _restart(self) -> str:
        return self._clear(self._started().size)

    def _begin(self) -> str:
        if len(stones := self._started()):
            raise ValueError(f"BEGIN needs an empty board; it has {len(stones)} stones")
        return self._move(stones)

    def _turn(self, x: int, y: int) -> str:
        stones = self._started()
        stones.put(Point(x, y), OPPONENT)
        try:
            return self._move(stones)
        except BaseException:
            stones.take(Point(x, y))
            raise

    def _play(self, x: int, y: int) -> str:
        """Play the manager's move as our own."""
        stones, point = self._started(), Point(x, y)
        state = self.brain.position(stones)
        if stones.put(point, OWN) not in state.moves():
            stones.take(point)
            raise ValueError(f"{point} is not a legal move")
        return str(point)

    def _takeback(self, x: int, y: int) -> str:
        self._started().take(Point(x, y))
        return "OK"

    def _info(self, argument: str) -> str:
        """Store a setting; prepare the bot for it."""
        if self.info.set(argument) and self.stones is not None:
            try:
                self.brain.prepare(self.stones.size)  # now, not on the clock of the next move
            except ValueError:
                pass  # reported at the next move
        return ""

    def _about(self) -> str:
        from tesuji import __version__

        return ABOUT.format(__version__)

    def _end(self) -> str:
        self.ended = True
        return ""

    def _stray_done(self) -> str:
        raise ValueError("DONE without BOARD")

    # Helpers.

    def _started(self) -> Stones:
        if self.stones is None:
            raise ValueError("no board yet; send START first")
        return self.stones

    def _expect(self, asked: str) -> str:
        """Collect lines until DONE, which gets the only answer, errors included."""
        size = 1 if self.stones is None else self.stones.size
        self._board = _Board(asked, Stones(size), [], [], self._arrived)
        return ""

    def _stone(self, board: _Board, text: str) -> str:
        """Add a line of a BOARD; errors are reported at DONE."""
        try:
            swaps = board.asked == "SWAP2BOARD" and text.count(",") == 1
            x, y, owner = parse_numbers(f"{text},{OWN}" if swaps else text, "x,y,field")
            board.stones.put(Point(x, y), owner)
            board.points.append(Point(x, y))
        except ValueError as error:
            board.faults.append(str(error))
        return ""

    def _done(self, board: _Board) -> str:
        self._arrived = board.arrived
        self._started()
        if board.faults:
            raise ValueError(f"invalid board: {board.faults[0]}")
        if board.asked == "SWAP2BOARD":
            return self._open(board)
        reply = self._move(board.stones)
        self.stones = board.stones
        return reply

    def _clear(self, size: int) -> str:
        self.stones = Stones(size)
        self.info.time_left = None  # sent before every move; this was for another game
        self._clock.restart()
        self.brain.reset()
        return "OK"

    def _seconds(self, stones: Stones) -> float | None:
        """Seconds left for this answer."""
        if self._ending:
            return SHORTEST
        seconds = self._clock.budget(self.info, self.brain.moves_to_come(stones))
        return None if seconds is None else max(SHORTEST, seconds - self._passed())

    def _move(self, stones: Stones) -> str:
        """Choose our move and put the stone."""
        seconds = self._seconds(stones)
        point = stones.point(self.brain.choose(stones, seconds))
        stones.put(point, OWN)
        self._spend(seconds)
        return str(point)

    def _open(self, board: _Board) -> str:
        """The answer to SWAP2BOARD. With one stone added, we keep White."""
        before = [board.stones.cell(point) for point in board.points]
        seconds = self._seconds(board.stones)
        added = self.brain.open(board.stones.size, before, seconds)
        self.stones = Stones(board.stones.size)
        points = [self.stones.point(cell) for cell in (*before, *added)]
        for number, point in enumerate(points):
            self.stones.put(point, OWN if number % 2 == (len(added) == 1) else OPPONENT)
        self._spend(seconds)
        return " ".join(map(str, points[len(before) :])) or "SWAP"

    def _passed(self) -> float:
        return time.monotonic() - self._arrived

    def _spend(self, seconds: float | None) -> None:
        """Record the time of an answer; it is subtracted until the manager sends `time_left`."""
        left = self.info.match_time
        if left is not None:
            self.info.time_left = left - int(self._passed() * 1000)
        if seconds is not None:
            self._clock.note(self._passed() - seconds)

    def _shut_down(self) -> None:
        """Stop the search after END; exit if the bot does not stop in time."""
        until = time.monotonic() + GRACE
        while not self.ended:
            self.interrupt()  # repeatedly: the search may not have begun
            time.sleep(CANCEL_AGAIN)
            if self.exits and time.monotonic() > until:
                os._exit(0)


COMMANDS: dict[str, tuple[str, Callable[..., str]]] = {
    "START": ("size", GomocupEngine._start),
    "RECTSTART": ("width,height", GomocupEngine._rectstart),
    "RESTART": ("", GomocupEngine._restart),
    "BEGIN": ("", GomocupEngine._begin),
    "TURN": ("x,y", GomocupEngine._turn),
    "PLAY": ("x,y", GomocupEngine._play),
    "TAKEBACK": ("x,y", GomocupEngine._takeback),
    "BOARD": ("", lambda engine: engine._expect("BOARD")),
    "SWAP2BOARD": ("", lambda engine: engine._expect("SWAP2BOARD")),
    "DONE": ("", GomocupEngine._stray_done),
    "INFO": ("key value", GomocupEngine._info),
    "ABOUT": ("", GomocupEngine._about),
    "END": ("", GomocupEngine._end),
}
"""The commands, with the form of their argument."""
