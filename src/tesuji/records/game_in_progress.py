"""A game while it is played, at the terminal or between bots: the loop of its turns, and its record."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime

from tesuji.any_game import nature_move, parse_move
from tesuji.full_game import CHANCE, FullState, Move
from tesuji.records.record import Ending, Note, Record, draw_scores


class GameInProgress:
    """Positions and moves from a first position on: `GameInProgress(players, first).play_out(turn, rng)`.

    `players` are the names or specs for the record. `announce` is called with the text of every move of the
    loop, before the rules play it.
    """

    def __init__(
        self,
        players: tuple[str, ...],
        first: FullState,
        *,
        opening: tuple[str, ...] = (),
        announce: Callable[[str], object] = lambda text: None,
    ) -> None:
        self.players, self.announce = players, announce
        self.states = [first]
        self.moves: list[Move] = []
        self.texts: list[str] = []
        self.notes: list[Note | None] = []
        self.ending: Ending = "unfinished"
        self.scores: tuple[float, ...] | None = None
        self.fault = ""
        self.began = datetime.now(UTC)
        self._opening = len(opening)
        for text in opening:
            self._play(parse_move(self.state, text), text, None)

    @property
    def state(self) -> FullState:
        """The position on the board."""
        return self.states[-1]

    def play_out(
        self, turn: Callable[[int], bool], nature: random.Random, move_limit: int | None = None
    ) -> None:
        """Play to the end: `turn` plays a move of this player, or returns False to stop."""
        while (scores := self.state.scores()) is None:
            if move_limit is not None and len(self.moves) >= move_limit:
                return self.end("limit", draw_scores(len(self.players)))
            player = self.state.player
            if player == CHANCE:
                self.advance(nature_move(self.state, nature))
            elif not turn(player):
                return None
        self.end("played", tuple(map(float, scores)))

    def advance(self, move: Move, note: Note | None = None) -> None:
        """Play a legal move."""
        text = self.state.text(move)
        self.announce(text)
        self._play(move, text, note)

    def end(self, ending: Ending, scores: tuple[float, ...], fault: str = "") -> None:
        """End the game with this result."""
        self.ending, self.scores, self.fault = ending, scores, fault

    def take_back(self, ply: int) -> None:
        """Return to the position after this many moves."""
        del self.states[ply + 1 :], self.moves[ply:], self.texts[ply:], self.notes[ply:]

    def record(self, game: str, *, seed: int | None, leg: int = 0) -> Record:
        """The record so far."""
        return Record(
            game=game,
            players=self.players,
            seed=seed,
            leg=leg,
            moves=tuple(self.texts),
            notes=tuple(self.notes),
            opening=self._opening,
            scores=self.scores,
            ending=self.ending,
            fault=self.fault,
            when=self.began,
        )

    def _play(self, move: Move, text: str, note: Note | None) -> None:
        self.texts.append(text)
        self.moves.append(move)
        self.notes.append(note)
        self.states.append(self.state.play(move))
