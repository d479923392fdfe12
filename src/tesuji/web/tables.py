"""A table: one game that is being played, and who sits there. What happens by the rules, and nothing else.

Who thinks, who watches and where it is kept is the matter of `hosts.py`. A table goes through JSON and back
(`as_dict`, `from_dict`), which is how games survive the server.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

from tesuji.arena.playing import nature_move
from tesuji.game import CHANCE, Game, State, parse_move, players_of, start, text_of
from tesuji.records import PERSON, Note, Record
from tesuji.records.record import LOST_ON_TIME, Ending, loss_scores
from tesuji.records.serialization import as_dict, from_dict
from tesuji.web.boards import hides
from tesuji.web.clocks import Clock
from tesuji.web.specs import allowed_game


class Conflict(ValueError):
    """What cannot be done at this table now; one line."""


class Played(NamedTuple):
    """A move that was made, by whom (CHANCE for nature), and what the mover thought."""

    player: int
    text: str
    note: Note | None


class End(NamedTuple):
    """An end that is not by the rules, as records have it: `End("resigned", (0.0, 1.0))`."""

    ending: Ending
    scores: tuple[float, ...]
    fault: str = ""


@dataclass(eq=False)
class Table:
    """A game in progress: `Table("key", "hex", Hex(), ["person", "easy"], seed=1)`."""

    id: str
    game: str
    """The spec."""
    rules: Game = field(repr=False)
    seats: list[str]
    """ "person", or the bot's spec."""
    seed: int
    clock: Clock | None = None
    message: str | None = None
    """What went wrong, for the people at the table."""
    failed: int | None = None
    """The seat whose bot cannot go on."""
    end: End | None = None
    """None while the game goes on, and where it ended by the rules."""
    paused: bool = False
    speed: float = 0.5
    """Seconds between two moves where only bots sit."""
    opening: int = 0
    number: int | None = None
    """Of its record in the store, once it is over."""
    brought: bool = False
    """It was over when it came here, from a link, a record or the store: no record is made of it again."""
    began: datetime = field(default_factory=lambda: datetime.now(UTC))
    version: int = 0
    """Grows with every change."""
    played: list[Played] = field(default_factory=list, repr=False)
    states: list[State] = field(default_factory=list, repr=False)
    """Every position; the last one is on the board."""

    def __post_init__(self) -> None:
        self.states = [start(self.rules, self.seed)]
        self._nature()

    @property
    def state(self) -> State:
        """The position on the board."""
        return self.states[-1]

    @property
    def players(self) -> int:
        """How many seats there are."""
        return len(self.seats)

    @property
    def hidden(self) -> bool:
        """Whether seats see different things."""
        return hides(self.state)

    @property
    def watching(self) -> bool:
        """Whether only bots sit here."""
        return PERSON not in self.seats

    @property
    def scores(self) -> tuple[float, ...] | None:
        """Each seat's score, None while the game goes on."""
        if self.end is not None:
            return self.end.scores
        found = self.state.scores()
        return None if found is None else tuple(map(float, found))

    @property
    def over(self) -> bool:
        """Whether the game has its result."""
        return self.scores is not None

    @property
    def turn(self) -> int | None:
        """The seat to move, CHANCE where nature is; None where the game is over."""
        return None if self.over else self.state.player

    @property
    def bot_to_move(self) -> str | None:
        """The spec of the bot whose turn it is and who can go on."""
        turn = self.turn
        if turn is None or turn == CHANCE or turn == self.failed or self.seats[turn] == PERSON:
            return None
        return self.seats[turn]

    @property
    def unrecorded(self) -> bool:
        """Whether a game that was played here is over and has no number in the store yet."""
        return self.over and self.number is None and bool(self.played) and not self.brought

    @property
    def texts(self) -> list[str]:
        """The moves."""
        return [move.text for move in self.played]

    def person_plays(self, ply: int, text: str, seat: int | None) -> None:
        """A person's move; Conflict where it is not a person's turn, or the page is behind."""
        turn = self.turn
        if turn is None:
            raise Conflict("the game is over")
        if ply != len(self.played):
            raise Conflict(f"the game is at move {len(self.played)}, not {ply}: the page is not up to date")
        if turn == CHANCE or self.seats[turn] != PERSON:
            raise Conflict(f"it is the turn of seat {turn}, where {self.seats[turn]} sits")
        if seat is not None and seat != turn:
            raise Conflict(f"it is the turn of seat {turn}, not of seat {seat}")
        self.play(text)

    def play(self, text: str, note: Note | None = None) -> None:
        """Make a move for whoever is to move; ValueError where it is not legal."""
        state = self.state
        mover, move = state.player, parse_move(state, text)
        after = state.play(move)
        self.played.append(Played(mover, text_of(state, move), note))
        self.states.append(after)
        if self.clock is not None and mover != CHANCE:
            self.clock.moved(mover)
        self._nature()
        self.message = None
        self.changed()

    def _nature(self) -> None:
        """Nature moves while it is its turn. Its luck follows from the ply: an undo does not change it."""
        while self.state.scores() is None and self.state.player == CHANCE:
            move = nature_move(self.state, random.Random(f"{self.seed} nature {len(self.played)}"))
            self.played.append(Played(CHANCE, text_of(self.state, move), None))
            self.states.append(self.state.play(move))

    @property
    def undoable(self) -> int | None:
        """To which ply an undo leads: before the last move of a person; None where nothing can be undone.

        In a game with hidden cards nothing can: what was seen cannot be unseen.
        """
        if self.hidden or self.watching:
            return None
        for ply in range(len(self.played) - 1, self.opening - 1, -1):
            if (mover := self.played[ply].player) != CHANCE and self.seats[mover] == PERSON:
                return ply
        return None

    def undo(self) -> None:
        """Take back the person's last move and what followed."""
        ply = self.undoable
        if ply is None:
            raise Conflict("there is no move of a person to take back")
        del self.played[ply:]
        del self.states[ply + 1 :]
        self.end = self.failed = self.message = self.number = None
        self.brought = False
        self.changed()

    def resign(self, seat: int) -> None:
        """A person gives up; so does a bot that says so."""
        if self.over:
            raise Conflict("the game is over")
        self.end = End("resigned", loss_scores(seat, self.players))
        self.changed()

    def lose_on_time(self, seat: int) -> None:
        """A seat's time is over."""
        if self.clock is not None and not self.over:
            self.clock.pause()
            self.clock.left[seat] = 0.0
            # as programs are said to end that do not answer in time
            self.end = End("hung", loss_scores(seat, self.players), LOST_ON_TIME)
            self.changed()

    def seat(self, seats: list[str]) -> None:
        """Others sit down."""
        self.seats = seats
        self.failed = self.message = None
        self.changed()

    def fail(self, seat: int, message: str) -> None:
        """A bot cannot go on."""
        self.failed, self.message = seat, message
        self.changed()

    def changed(self) -> None:
        """Something is other than before; the clock runs for whoever is to move."""
        self.version += 1
        if self.clock is not None:
            turn = self.turn
            self.clock.start(None if turn == CHANCE or turn == self.failed or not self.played else turn)

    @property
    def ending(self) -> Ending:
        """How the game ended, if it did."""
        if self.end is not None:
            return self.end.ending
        return "played" if self.over else "unfinished"

    def record(self) -> Record:
        """The game as data."""
        notes = tuple(move.note for move in self.played)
        return Record(
            game=self.game,
            players=tuple(self.seats),
            seed=self.seed,
            moves=tuple(self.texts),
            notes=notes if any(notes) else (),
            opening=self.opening,
            scores=self.scores,
            ending=self.ending,
            fault="" if self.end is None else self.end.fault,
            when=self.began,
        )

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain data, for the store."""
        return {
            "record": as_dict(self.record()),
            "failed": self.failed,
            "message": self.message,
            "paused": self.paused,
            "speed": self.speed,
            "number": self.number,
            "brought": self.brought,
            "version": self.version,
            "clock": None if self.clock is None else self.clock.kept(),
        }

    @classmethod
    def from_dict(cls, id: str, data: Mapping[str, Any]) -> Table:
        """The table that was kept; ValueError where its game cannot be played again."""
        record = from_dict(data["record"])
        table = cls.of(id, record, record.players)
        for name in ("failed", "message", "paused", "speed", "number", "version"):
            setattr(table, name, data[name])
        table.brought = data.get("brought", False)  # stores of before have none
        if data["clock"] is not None:
            table.clock = Clock.of(data["clock"])
        return table

    @classmethod
    def of(cls, id: str, record: Record, seats: Sequence[str]) -> Table:
        """A table where this game has been played so far."""
        spec, rules = allowed_game(record.game)
        if len(seats) != players_of(rules):
            raise ValueError(f"{spec} has {players_of(rules)} seats, not {len(seats)}")
        table = cls(id, spec, rules, list(seats), 0 if record.seed is None else record.seed)
        del table.played[:], table.states[1:]  # nature's first moves are in the record
        table.began, table.opening = record.when, record.opening
        notes = record.notes or (None,) * len(record.moves)
        for number, (text, note) in enumerate(zip(record.moves, notes, strict=True), 1):
            state = table.state
            try:
                move = parse_move(state, text)
            except ValueError as error:
                raise ValueError(f"move {number}: {error}") from error
            table.played.append(Played(state.player, text_of(state, move), note))
            table.states.append(state.play(move))
        if record.scores is not None and table.state.scores() is None:  # by the record, not by the rules
            table.end = End(record.ending, tuple(map(float, record.scores)), record.fault)
        else:
            table._nature()
        return table
