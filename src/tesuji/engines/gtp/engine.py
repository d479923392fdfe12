"""A GTP engine: one game, one bot, and an answer to every line.

A failure response leaves the position unchanged. A stone out of turn sets up a position, as GTP allows; games
with a swap refuse it.
"""

from __future__ import annotations

import contextlib
import re
import time

from tesuji._helpers.clipping import clip
from tesuji.any_game import Game
from tesuji.any_game import game as as_game
from tesuji.bots import RESIGN
from tesuji.bots.timing import moves_to_come
from tesuji.engines.gtp.clock import GtpClock, TimeLeft
from tesuji.engines.gtp.protocol import COMMANDS, command, format_answer, parse_command
from tesuji.engines.gtp.wire import RESIGN_WORD, SwapForm, WirePosition, check_playable, parse_colour
from tesuji.engines.lines import Line, clean
from tesuji.engines.server import Engine
from tesuji.engines.timed import TimedBot
from tesuji.full_game import FullGame
from tesuji.registry import games, spec_of
from tesuji.search.analysis import Analysis
from tesuji.spec import Spec

PROTOCOL_VERSION = "2"
NAME = "Tesuji"
SIZE = re.compile("[0-9]{1,4}")
LONGEST_TIME = 1e9  # seconds


class GtpEngine(Engine):
    r"""A bot that plays over GTP: `GtpEngine("hex:size=5", "mcts:iterations=100").answer("genmove black")`.

    `swap` is the form of the swap in the protocol (see `wire`). The seed is for bots with that option.

    >>> engine = GtpEngine("hex:size=3", "mcts:iterations=100,seed=1")
    >>> engine.answer("7 play black b2")
    '=7 \n\n'
    >>> engine.answer("play black b2")
    "? illegal move 'b2'\n\n"
    """

    def __init__(
        self,
        game: Game | str,
        bot: str | Spec | None = None,
        *,
        seed: int | None = None,
        swap: SwapForm = "pieces",
    ) -> None:
        given = as_game(game)
        self.game = given.rules
        self.game_spec = check_playable(self.game)
        self._bot, self._seed = bot, seed  # the default bot may depend on the board
        self.timed = TimedBot(bot, self.game, seed=seed)
        self.swap = swap
        self.clock = GtpClock()
        self.analysis: Analysis | None = None  # of the current position, for the analyze commands
        self._id = ""
        self._positions: list[WirePosition] = []
        self._resigned: str | None = None
        self.begin(given)

    @property
    def position(self) -> WirePosition:
        """The current position."""
        return self._positions[-1]

    def respond(self, line: Line) -> str:
        """The answer to a line; empty for an empty line."""
        self._id = ""
        asked = parse_command(line)
        if asked is None:
            return ""
        self._id = asked.id
        if asked.name not in COMMANDS:
            raise ValueError("unknown command")
        return format_answer(COMMANDS[asked.name].run(self, asked.arguments), id=self._id)

    def refuse(self, line: Line, message: str) -> str:
        """The failure response."""
        return format_answer(message, id=self._id, good=False)

    def intercept(self, line: Line) -> bool:
        """Stop the running search on `# interrupt`, which HexGui and GoGui send."""
        if clean(line.text).split() != ["#", "interrupt"]:
            return False
        self.interrupt()
        return True

    def interrupt(self) -> None:
        """Stop a running search soon, with its result so far; from any thread."""
        self.timed.bot.cancel()

    def close(self) -> None:
        """Release the bot."""
        self.ended = True
        self.timed.bot.close()

    # The commands, in the order of the specification.

    @command("protocol_version")
    def protocol_version(self) -> str:
        """The version of GTP."""
        return PROTOCOL_VERSION

    @command("name")
    def name(self) -> str:
        """The engine's name."""
        return NAME

    @command("version")
    def version(self) -> str:
        """The engine's version."""
        from tesuji import __version__

        return __version__

    @command("known_command NAME")
    def known_command(self, name: str) -> str:
        """Whether a command is supported."""
        return "true" if name in COMMANDS else "false"

    @command("list_commands")
    def list_commands(self) -> str:
        """All commands."""
        return "\n".join(COMMANDS)

    @command("quit")
    def quit(self) -> None:
        """End the engine."""
        self.ended = True

    @command("boardsize SIZE [SIZE]")
    def boardsize(self, width: str, height: str | None = None) -> None:
        """Start a new game on a board of this size."""
        if not SIZE.fullmatch(width) or height is not None and not SIZE.fullmatch(height):
            raise ValueError("unacceptable size")
        if height is not None and int(height) != int(width):
            raise ValueError("unacceptable size")
        spec = Spec(self.game_spec.name, {**self.game_spec.options, "size": str(int(width))})
        try:
            game: FullGame = games.make(spec)
        except ValueError as error:
            raise ValueError("unacceptable size") from error
        self.begin(game)

    @command("clear_board")
    def clear_board(self) -> None:
        """Start a new game."""
        self.begin(self.game)

    @command("play COLOUR MOVE")
    def play(self, colour: str, word: str) -> None:
        """Play a move of either player."""
        colour = parse_colour(colour)
        if word.lower() == RESIGN_WORD:
            self._resigned = colour
            return
        if colour != self.position.colour:
            self._play_out_of_turn(colour, word)
            return
        try:
            _, after = self.position.read(word)
        except ValueError:
            raise ValueError(f"illegal move {clip(word)}{self._hint(word)}") from None
        self.advance(after)

    @command("genmove COLOUR")
    def genmove(self, colour: str) -> str:
        """Choose a move and play it."""
        word, after = self._think(parse_colour(colour))
        if after is None:
            self._resigned = self.position.colour
        else:
            self.advance(after)
        return word

    @command("reg_genmove COLOUR")
    def reg_genmove(self, colour: str) -> str:
        """Choose a move without playing it."""
        return self._think(parse_colour(colour))[0]

    @command("undo")
    def undo(self) -> None:
        """Take the last move back."""
        if len(self._positions) == 1:
            raise ValueError("cannot undo")
        self._positions.pop()
        self._resigned = None

    @command("time_settings MAIN_TIME BYO_YOMI_TIME BYO_YOMI_STONES")
    def time_settings(self, main: str, period: str, stones: str) -> None:
        """Set the time for a game."""
        self.clock.set_time(_seconds(main), _seconds(period), int(_seconds(stones)))

    @command("time_left COLOUR TIME [STONES]")
    def time_left(self, colour: str, seconds: str, stones: str = "0") -> None:
        """Set a player's remaining time."""
        self.clock.set_time_left(parse_colour(colour), TimeLeft(_seconds(seconds), int(_seconds(stones))))

    @command("final_score")
    def final_score(self) -> str:
        """The result."""
        scores = self.position.state.scores()
        if scores is None and self._resigned is None:
            raise ValueError("cannot score")
        if scores is None:
            return "W+" if self._resigned == "black" else "B+"
        if scores[0] == scores[1]:
            return "0"
        return f"{self.position.colour_of(0 if scores[0] > scores[1] else 1)[0].upper()}+"

    @command("showboard")
    def showboard(self) -> str:
        """The position as text."""
        return f"\n{self.position.board()}"

    # Helpers.

    def begin(self, game: FullGame) -> None:
        """Start a new game, which may begin from a set-up position; the bot is made for its rules."""
        rules = game.rules
        if rules != self.game:
            spec = Spec.parse(spec_of(rules))
            timed = TimedBot(self._bot, rules, seed=self._seed)
            self.timed.bot.close()
            self.game, self.game_spec, self.timed = rules, spec, timed
        self.timed.bot.reset()
        self._positions = [WirePosition(game.start(), self.swap)]
        self._resigned = None
        self.clock.restart()

    def advance(self, after: WirePosition) -> None:
        """Go on to a position, which `undo` takes back."""
        self._positions.append(after)
        self._resigned = None

    def _play_out_of_turn(self, colour: str, word: str) -> None:
        """Put a stone as in GTP, which lets a colour play twice; then the other side is to move."""
        swapped = len(self._positions) == 1 and not any(self.position.stones())
        if swapped and self.game.swap:  # HexGui sets up a swapped stone in this way
            with contextlib.suppress(ValueError):
                self.advance(self.position.with_white_stone(word))
                return
        self._check_out_of_turn()
        try:
            self.advance(self.position.with_stones([(colour, word)]))
        except ValueError as error:
            raise ValueError(f"{error}{self._hint(word)}") from None

    def _check_out_of_turn(self) -> None:
        """ValueError where players alternate: with a swap, a move out of turn shows that its forms differ."""
        if self.game.swap or self.game.swap2:
            raise ValueError(f"it is {self.position.colour}'s turn")

    def _hint(self, word: str) -> str:
        off = self.game.swap is False and word.lower().startswith("swap")
        return f" ({self.game_spec} has no swap; enable it with swap=on)" if off else ""

    def _think(self, colour: str) -> tuple[str, WirePosition | None]:
        """The bot's move as text, and the position after it, or None where it resigns."""
        position = self.position
        if position.state.scores() is not None:
            return RESIGN_WORD, None  # as MoHex does; its referee waits for it
        if colour != position.colour:
            self._check_out_of_turn()
            position = position.with_stones([], to_move=colour)
        began = time.monotonic()
        moves = moves_to_come(self.game, len(self._positions) - 1, len(position.state.moves()))
        seconds = self.clock.budget(colour, moves)
        move = self.timed.choose(position.state, seconds)
        took = time.monotonic() - began
        self.clock.spend(colour, took)
        if seconds is not None:
            self.clock.note(colour, took - seconds)
        if move is RESIGN:
            return RESIGN_WORD, None
        return position.word(move), position.play(move)


def _seconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= LONGEST_TIME:
        raise ValueError(f"syntax error; expected a number from 0 to {LONGEST_TIME:g}, not {clip(text)}")
    return number
