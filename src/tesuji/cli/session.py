"""One game at the terminal: the board, a prompt, and the bots' moves with their evaluations."""

from __future__ import annotations

import contextlib
import random
import textwrap
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from rich.console import Console
from rich.text import Text

from tesuji.any_game import nature_move, parse_move
from tesuji.bots import RESIGN, FullBot, bot
from tesuji.cli.errors import BadInput, input_errors
from tesuji.cli.inputs import player_name
from tesuji.cli.thinking import counted, think
from tesuji.full_game import CHANCE, FullGame, FullState, Move
from tesuji.records import PERSON, Note, Record
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
        self.game = game
        self.states = [first]
        self.moves: list[tuple[str, Note | None]] = []
        self.resigned: int | None = None
        self.bots = bots
        self.rng = rng
        self.piped = piped
        self.console = Console(highlight=False, markup=False)
        self.watching = len(bots) == game.players
        self.hidden = first.hidden
        # Without a terminal: one line per move, and the last board.
        self.boards = not self.watching or self.console.is_terminal
        self.adviser: FullBot | None = None
        self.began = datetime.now(UTC)

    @property
    def state(self) -> FullState:
        """The position on the board."""
        return self.states[-1]

    def play(self) -> int:
        """Play to the end, or until the person quits; returns the exit code."""
        try:
            self.show_players()
            while (scores := self.state.scores()) is None:
                if self.resigned is not None:
                    return 0
                player = self.state.player
                if player == CHANCE:
                    self.chance_moves()
                elif player in self.bots:
                    self.bot_moves(player)
                elif not self.person_moves(player):
                    return 0
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
            self.say(f"{player_name(self.game, player)}{number}: {spec}")
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
        for remark in self.state.notes():
            self.say(remark)
        while True:
            try:
                line = self.ask(f"{self.name(player)}, move {len(self.states)}> ").strip()
            except EOFError:
                self.say("\nThe game is unfinished.")
                return False
            command = None if line in texts else line.lower()  # a game may have a move called "resign"
            if command == "quit":
                self.say("The game is unfinished.")
                return False
            if command == "resign":
                self.resigned = player
                self.show_resignation(player)
                return False
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
                        raise BadInput(f"move {len(self.states)}: {error}") from error
                    self.say(str(error), "red")
                    continue
                self.advance(move)
                self.print_result()
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
        earlier = [index for index, state in enumerate(self.states[:-1]) if state.player == player]
        if not earlier:
            self.say("You have no move to take back.")
            return False
        del self.states[earlier[-1] + 1 :]
        del self.moves[earlier[-1] :]
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

    def bot_moves(self, player: int) -> None:
        """Play the bot's move, and print its evaluation."""
        _, mover = self.bots[player]
        before, name = self.state, self.name(player)
        began = time.perf_counter()
        if not mover.analyses:
            move, thoughts = mover.choose(before), ""
            if move is RESIGN:
                self.resigned = player
                self.show_resignation(player)
                return
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
        self.advance(move, note)
        if self.boards:
            told = self.state.last_move_text(self.viewer)
            if thoughts or not told:
                said = f"{name} plays {before.text(move)}"
                self.say(f"{said} ({thoughts})" if thoughts else said, "green")
            if told:
                self.say(told, "" if thoughts else "green")
        else:
            number = f"{len(self.states) - 1}."
            self.say(f"{number:>4} {name}  {before.text(move):<4}  {thoughts}".rstrip())
        if self.boards and self.watching and self.state.scores() is None:
            self.show_board()

    def chance_moves(self) -> None:
        """Play a chance move, drawn by its probabilities."""
        before = self.state
        move = nature_move(before, self.rng)
        self.advance(move)
        if not self.hidden:  # the deal may be secret
            self.say(f"Chance: {before.text(move)}")

    def advance(self, move: Move, note: Note | None = None) -> None:
        """Play a move on the board."""
        self.moves.append((self.state.text(move), note))
        self.states.append(self.state.play(move))

    def record(self, spec: str, seed: int | None) -> Record:
        """The game so far, for a store."""
        players = range(self.game.players)
        scores = self.state.scores()
        given_up = None if self.resigned is None else loss_scores(self.resigned, len(players))
        return Record(
            game=spec,
            players=tuple(self.bots[player][0] if player in self.bots else PERSON for player in players),
            seed=seed,
            moves=tuple(text for text, _ in self.moves),
            notes=tuple(note for _, note in self.moves),
            scores=tuple(map(float, scores)) if scores is not None else given_up,
            ending="played" if scores is not None else "unfinished" if given_up is None else "resigned",
            when=self.began,
        )

    def think(self, thinker: Any, what: str) -> Analysis:
        """An analysis with a progress line. In games between bots Ctrl-C ends the game, not the search."""
        if self.watching:
            analysis: Analysis = thinker.analyse(self.state)
            return analysis
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
        return f"{player_name(self.game, player)} ({role})"

    def result(self, scores: Sequence[float]) -> str:
        """The result of the game in words."""
        best = max(scores)
        winners = [self.name(player) for player, score in enumerate(scores) if score == best]
        after = f"after {counted(len(self.states) - 1, 'move')}"
        plain = sum(scores) == best == 1
        shown = "" if plain else f" Scores: {', '.join(f'{score:g}' for score in scores)}."
        if len(winners) == len(scores):
            return f"A draw {after}."
        if len(winners) > 1:
            return f"{', '.join(winners[:-1])} and {winners[-1]} share first place {after}.{shown}"
        return f"{winners[0]} wins {after}.{shown}"

    def show_resignation(self, player: int) -> None:
        """Print a resignation, with the winner if there is one other player."""
        others = [other for other in range(self.game.players) if other != player]
        winner = f": {self.name(others[0])} wins" if len(others) == 1 else ""
        self.say(f"{self.name(player)} resigns{winner}.", "bold")

    def show_board(self) -> None:
        """Print the position as the person may see it."""
        seen = self.state.text_for(self.viewer)
        self.console.print(Text(f"\n{self.state if seen is None else seen}\n"), soft_wrap=True)

    def print_result(self) -> None:
        """Print the result of a move if the board does not show it."""
        if told := self.state.last_move_text(self.viewer):
            self.say(told)

    @property
    def viewer(self) -> int | None:
        """The person's seat; None for a spectator."""
        return next((seat for seat in range(self.game.players) if seat not in self.bots), None)

    def say(self, text: str, style: str = "") -> None:
        """Print a line."""
        self.console.print(Text(text, style))
