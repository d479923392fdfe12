"""One game at the terminal: the board, a prompt, and the bots' moves with their evaluations."""

from __future__ import annotations

import contextlib
import random
import textwrap
import time
from collections.abc import Iterator, Mapping, Sequence

from rich.text import Text

from tesuji.any_game import parse_move
from tesuji.bots import RESIGN, bot
from tesuji.cli.shared.errors import BadInput, input_errors
from tesuji.cli.shared.interrupts import think
from tesuji.cli.shared.output import console, counted
from tesuji.full_bot import FullBot
from tesuji.full_game import CHANCE, FullGame, FullState
from tesuji.records import PERSON, Note
from tesuji.records.game_in_progress import GameInProgress
from tesuji.records.record import loss_scores
from tesuji.search import Analysis, Candidate
from tesuji.search.analysis_text import effort_text, proof_text, value_text

HELP = """\
a move   such as {example}
moves    list the legal moves
hint     what the bot would play, with the three best moves
{undo}board    show the board again
resign   resign the game
quit     quit (also Ctrl-D)"""
UNDO = "undo     take back your last move and the reply\n"
HINTS = 3


class Session:
    """A game between the person at the terminal, if any, and bots in the other seats.

    `bots` maps a seat to the spec of its bot and the bot: `Session(game, start, {1: ("mcts", mcts)}, rng)`.
    `piped` are lines to read in place of the person's; one that is no move ends the game.
    """

    def __init__(
        self,
        game: FullGame,
        first: FullState,
        bots: Mapping[int, tuple[str, FullBot]],
        rng: random.Random,
        piped: Iterator[str] | None = None,
    ) -> None:
        self.game, self.bots, self.rng, self.piped = game, bots, rng, piped
        specs = (bots[seat][0] if seat in bots else PERSON for seat in range(game.players))
        self.played = GameInProgress(tuple(specs), first, announce=self.chance_move)
        self.console = console()
        self.watching = len(bots) == game.players
        self.hidden = first.hidden
        # Without a terminal: one line per move, and the last board.
        self.boards = not self.watching or self.console.is_terminal
        self.viewer = next((seat for seat in range(game.players) if seat not in bots), None)
        """The person's seat; None for a spectator."""
        self.adviser: FullBot | None = None

    @property
    def state(self) -> FullState:
        """The position on the board."""
        return self.played.state

    def play(self) -> int:
        """Play to the end, or until the person quits; returns the exit code."""

        def turn(player: int) -> bool:
            return (self.bot_moves if player in self.bots else self.person_moves)(player)

        try:
            self.show_players()
            self.played.play_out(turn, self.rng)
            if (scores := self.state.scores()) is not None:
                self.show_board()
                self.say(self.result(scores), "bold")
        except KeyboardInterrupt:
            self.say("\nInterrupted; the game is unfinished.")
            return 130
        return 0

    def show_players(self) -> None:
        """Print the players, and the first board."""
        for player in range(self.game.players):
            spec = self.bots[player][0] if player in self.bots else "you"
            number = f" (player {player})" if self.game.player_names else ""
            self.say(f"{self.game.seat_name(player)}{number}: {spec}")
        if self.piped is None and not self.watching:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401  # line editing in input()
            self.say("Type a move, or help.")
        elif self.watching and self.boards:
            self.show_board()
        else:
            self.say("")

    def person_moves(self, player: int) -> bool:
        """Read lines until one is a move; returns False if the person quits or resigns."""
        self.show_board()
        texts = [self.state.text(move) for move in self.state.moves()]
        for note in self.state.notes():
            self.say(note)
        while True:
            try:
                line = self.ask(f"{self.name(player)}, move {self.number}> ").strip()
            except EOFError:
                self.say("\nThe game is unfinished.")
                return False
            command = None if line in texts else line.lower()  # a game may have a move called "resign"
            if command == "quit":
                self.say("The game is unfinished.")
                return False
            if command == "resign":
                return self.resign(player)
            if command == "undo":
                if self.undo(player):
                    return True
            elif command in ("help", "?"):
                self.say(HELP.format(example=texts[0], undo="" if self.hidden else UNDO))
            elif command == "moves":
                self.say(textwrap.fill(" ".join(texts), self.console.width))
            elif command == "board":
                self.show_board()
            elif command == "hint":
                self.hint()
            elif line:
                try:
                    move = parse_move(self.state, line)
                except ValueError as error:
                    if self.piped is not None:
                        raise BadInput(f"move {self.number}: {error}") from error
                    self.say(str(error), "red")
                    continue
                self.played.advance(move)
                if result := self.state.last_move_text(self.viewer):  # what the board does not show
                    self.say(result)
                return True

    def ask(self, prompt: str) -> str:
        """The next line from the person, or of the piped ones, which are printed."""
        if self.piped is None:
            return input(prompt)
        with input_errors("standard input"):
            line = next(self.piped, None)
        if line is None:
            raise EOFError
        self.say(prompt + line.rstrip("\n"))
        return line

    def undo(self, player: int) -> bool:
        """Go back to the person's previous turn; refused in games with hidden cards."""
        if self.hidden:
            self.say("Undo is not possible in a game with hidden cards.")
            return False
        earlier = [ply for ply, state in enumerate(self.played.states[:-1]) if state.player == player]
        if not earlier:
            self.say("You have no move to take back.")
            return False
        self.played.take_back(earlier[-1])
        return True

    def hint(self) -> None:
        """Show the best moves, by a bot like the opponent if that can analyse, otherwise the game's own.

        Not by the opponent itself, which would keep the search tree.
        """
        if self.adviser is None:
            able = (spec for spec, one in self.bots.values() if one.analyses)
            self.adviser = bot(next(able, None), self.game)
        analysis = self.think(self.adviser, "Searching for a hint")
        rows = [
            [
                self.state.text(candidate.move),
                self.worth(candidate),
                counted(candidate.visits, "visit"),
                "line: " + " ".join(analysis.texts(candidate.line)),
            ]
            for candidate in analysis.candidates[:HINTS]
        ]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
            self.console.print(Text("  " + "  ".join(cells).rstrip()), no_wrap=True, overflow="ellipsis")

    def bot_moves(self, player: int) -> bool:
        """Play the bot's move, and print its evaluation; returns False if it resigns."""
        _, mover = self.bots[player]
        before, name = self.state, self.name(player)
        began = time.perf_counter()
        if not mover.analyses:
            move, thoughts = mover.choose(before), ""
            if move is RESIGN:
                return self.resign(player)
            note = Note(player, None, None, time.perf_counter() - began)
        else:
            analysis = self.think(mover, f"{name} is thinking")
            move = analysis.move
            note = Note(player, analysis.value, analysis.visits, analysis.seconds)
            chosen = next((one for one in analysis.candidates if one.move == move), analysis.candidates[0])
            thoughts = self.worth(chosen, proof_text(analysis))
            if analysis.iterations:  # none if an earlier search has proven it
                thoughts += f", {effort_text(analysis)}"
        if self.hidden and not self.watching:  # it would give the bot's cards away
            thoughts = ""
        self.played.advance(move, note)
        if self.boards:
            result = self.state.last_move_text(self.viewer)
            if thoughts or not result:
                said = f"{name} plays {before.text(move)}"
                self.say(f"{said} ({thoughts})" if thoughts else said, "green")
            if result:
                self.say(result, "" if thoughts else "green")
        else:
            number = f"{self.number - 1}."
            self.say(f"{number:>4} {name}  {before.text(move):<4}  {thoughts}".rstrip())
        if self.boards and self.watching and self.state.scores() is None:
            self.show_board()
        return True

    def chance_move(self, text: str) -> None:
        """Print a chance move, unless the deal may be secret."""
        if self.state.player == CHANCE and not self.hidden:
            self.say(f"Chance: {text}")

    @property
    def number(self) -> int:
        """The number of the next move."""
        return len(self.played.states)

    def think(self, thinker: FullBot, what: str) -> Analysis:
        """An analysis with a progress line. In games between bots Ctrl-C ends the game, not the search."""
        if self.watching:
            return thinker.analyse(self.state)
        with self.console.status(f"{what} … (Ctrl-C: move now)") as status:
            return think(
                thinker,
                self.state,
                lambda found: status.update(f"{what} … {effort_text(found)} (Ctrl-C: move now)"),
            )

    def worth(self, candidate: Candidate, proof: str = "") -> str:
        """The evaluation of a move for its mover."""
        if proof := proof or proof_text(candidate):
            return f"proven {proof}"
        return f"{'win rate' if self.game.players == 2 else 'score'} {value_text(candidate)}"

    def name(self, player: int) -> str:
        """A player's name and role: `Black (you)`, `player 1 (mcts)`."""
        role = self.bots[player][0].partition(":")[0] if player in self.bots else "you"
        return f"{self.game.seat_name(player)} ({role})"

    def result(self, scores: Sequence[float]) -> str:
        """The result of the game in words."""
        best = max(scores)
        winners = [self.name(player) for player, score in enumerate(scores) if score == best]
        after = f"after {counted(self.number - 1, 'move')}"
        plain = sum(scores) == best == 1
        shown = "" if plain else f" Scores: {', '.join(f'{score:g}' for score in scores)}."
        if len(winners) == len(scores):
            return f"A draw {after}."
        if len(winners) > 1:
            return f"{', '.join(winners[:-1])} and {winners[-1]} share first place {after}.{shown}"
        return f"{winners[0]} wins {after}.{shown}"

    def resign(self, player: int) -> bool:
        """End the game, with the winner if there is one other player; returns False."""
        seats = range(self.game.players)
        others = [other for other in seats if other != player]
        winner = f": {self.name(others[0])} wins" if len(others) == 1 else ""
        self.say(f"{self.name(player)} resigns{winner}.", "bold")
        self.played.end("resigned", loss_scores(player, len(seats)))
        return False

    def show_board(self) -> None:
        """Print the position as the person may see it."""
        seen = self.state.text_for(self.viewer)
        self.console.print(Text(f"\n{self.state if seen is None else seen}\n"), soft_wrap=True)

    def say(self, text: str, style: str = "") -> None:
        """Print a line."""
        self.console.print(Text(text, style))
