"""A table: one game in progress, its players and its clock, without bots, pages or the store (`session.py`).

A table converts to JSON and back (`as_dict`, `from_dict`), so that games survive a restart of the server.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import monotonic
from typing import Any, NamedTuple, Self

from typing_extensions import TypedDict

from tesuji.any_game import nature_move, parse_move
from tesuji.full_game import CHANCE, FullGame, FullState
from tesuji.records import PERSON, Note, Record
from tesuji.records.record import LOST_ON_TIME, Ending, loss_scores
from tesuji.records.serialization import as_dict, from_dict
from tesuji.web.schema import ClockView
from tesuji.web.specs import allowed_game

SERVER_RUN = secrets.token_urlsafe(8)
"""Identifies this run of the server: `monotonic` cannot be compared between runs."""


class StoredClock(ClockView):
    """A clock as the store keeps it: as it was at a time of a run of the server."""

    run: str
    at: float


class Task(TypedDict, total=False):
    """A task of a worker process (`worker_tasks.py`), with the keys that it needs."""

    task: str
    game: str
    seed: int
    moves: list[str]
    bot: str
    owner: str
    """A table's seat: see `worker_tasks.choose`."""
    seconds: float
    memory: int
    """MiB, set by the queue, like `threads`."""
    threads: int
    live: bool
    requested: list[str]
    text: str
    format: str | None


@dataclass
class TableClock:
    """Seconds left per seat, and an increment per move: `TableClock([60.0, 60.0], increment=2.0).start(0)`.

    It runs while the server does, watched or not. While the server is down it is stopped; it resumes when
    the table is loaded again.
    """

    left: list[float]
    increment: float = 0.0
    running: int | None = None
    _since: float = field(default=0.0, repr=False)

    def start(self, seat: int | None) -> None:
        """Start this seat's clock and stop any other; None stops all."""
        self.pause()
        self.running, self._since = seat, monotonic()

    def moved(self, seat: int) -> None:
        """Stop the clock after a seat's move and add the increment."""
        self.pause()
        self.left[seat] += self.increment

    def pause(self) -> None:
        """Stop the clock."""
        if self.running is not None:
            self.left[self.running] = self.seconds(self.running)
            self.running = None

    def seconds(self, seat: int) -> float:
        """The seconds a seat has left now."""
        passed = monotonic() - self._since if seat == self.running else 0.0
        return max(0.0, self.left[seat] - passed)

    def as_dict(self) -> ClockView:
        """The clock as JSON, for the page."""
        left = [round(self.seconds(seat), 2) for seat in range(len(self.left))]
        return {"left": left, "running": self.running, "increment": self.increment}

    def to_store(self) -> StoredClock:
        """The clock as JSON, for the store."""
        return {**self.as_dict(), "run": SERVER_RUN, "at": monotonic()}

    @classmethod
    def from_store(cls, data: StoredClock) -> Self:
        """The stored clock, stopped; time that has passed in the same run of the server is subtracted."""
        clock = cls(list(data["left"]), data["increment"])
        if data["running"] is not None and data.get("run") == SERVER_RUN:
            clock.running, clock._since = data["running"], data["at"]
            clock.pause()
        return clock


STORED = ("failed", "message", "paused", "speed", "record_number", "imported", "version")
"""What the store keeps of a table besides its record and its clock."""


class Conflict(ValueError):
    """A request that this table cannot fulfil now; one line."""


class TableMove(NamedTuple):
    """A move of the game, its player (CHANCE for a chance event), and the bot's evaluation."""

    player: int
    text: str
    note: Note | None


class Forfeit(NamedTuple):
    """An end that the rules do not know, as in records: `Forfeit("resigned", (0.0, 1.0))`."""

    ending: Ending
    scores: tuple[float, ...]
    fault: str = ""


@dataclass(eq=False)
class Table:
    """A game in progress: `Table("key", "hex", Hex(), ["person", "easy"], seed=1)`."""

    id: str
    game: str
    """The game's spec."""
    rules: FullGame = field(repr=False)
    seats: list[str]
    """ "person", or the bot's spec."""
    seed: int
    clock: TableClock | None = None
    message: str | None = None
    """An error to show at the table."""
    failed: int | None = None
    """The seat whose bot has failed."""
    forfeit: Forfeit | None = None
    """None in a running game and in one that ended by the rules."""
    paused: bool = False
    speed: float = 0.5
    """Seconds between two moves of bots, in games without people."""
    opening: int = 0
    record_number: int | None = None
    """The number of the finished game's record in the store."""
    imported: bool = False
    """Whether the game was already over when it was opened: it is not recorded again."""
    began: datetime = field(default_factory=lambda: datetime.now(UTC))
    version: int = 0
    """Incremented by every change."""
    played: list[TableMove] = field(default_factory=list, repr=False)
    states: list[FullState] = field(default_factory=list, repr=False)
    """All positions; the last one is the current one."""

    def __post_init__(self) -> None:
        self.states = [self.rules.start(self.seed)]
        self._play_chance()

    @property
    def state(self) -> FullState:
        """The current position."""
        return self.states[-1]

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.seats)

    @property
    def hidden(self) -> bool:
        """Whether the game has hidden information."""
        return self.state.hidden

    @property
    def bots_only(self) -> bool:
        """Whether all players are bots."""
        return PERSON not in self.seats

    @property
    def scores(self) -> tuple[float, ...] | None:
        """Each seat's score, None while the game is running."""
        if self.forfeit is not None:
            return self.forfeit.scores
        found = self.state.scores()
        return None if found is None else tuple(map(float, found))

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.scores is not None

    @property
    def turn(self) -> int | None:
        """The seat to move, or CHANCE; None if the game is over."""
        return None if self.over else self.state.player

    @property
    def bot_to_move(self) -> str | None:
        """The spec of the bot to move, None if a person is or the bot has failed."""
        turn = self.turn
        if turn is None or turn == CHANCE or turn == self.failed or self.seats[turn] == PERSON:
            return None
        return self.seats[turn]

    @property
    def unrecorded(self) -> bool:
        """Whether the game was finished here and is not in the store yet."""
        return self.over and self.record_number is None and bool(self.played) and not self.imported

    @property
    def texts(self) -> list[str]:
        """The moves as text."""
        return [move.text for move in self.played]

    def position(self, ply: int | None = None) -> Task:
        """The position at a ply (None: now), for a worker process."""
        return {"game": self.game, "seed": self.seed, "moves": self.texts[:ply]}

    def check_ply(self, ply: int) -> None:
        """Raise Conflict if the game has not come so far."""
        if not 0 <= ply <= len(self.played):
            raise Conflict(f"No position at ply {ply}: the game has {len(self.played)} moves.")

    def play_person_move(self, ply: int, text: str, seat: int | None) -> None:
        """Play a person's move; Conflict if it is not their turn or the page is out of date."""
        turn = self.turn
        if turn is None:
            raise Conflict("The game is over.")
        if ply != len(self.played):
            raise Conflict(f"The page is out of date: the game has {len(self.played)} moves, not {ply}.")
        if turn == CHANCE or self.seats[turn] != PERSON:
            raise Conflict(f"Not a person's turn: seat {turn} ({self.seats[turn]}) is to move.")
        if seat is not None and seat != turn:
            raise Conflict(f"Not the turn of seat {seat}: seat {turn} is to move.")
        self.play(text)

    def play(self, text: str, note: Note | None = None) -> None:
        """Play a move for the side to move; ValueError if it is not legal."""
        state = self.state
        mover, move = state.player, parse_move(state, text)
        after = state.play(move)
        self.played.append(TableMove(mover, state.text(move), note))
        self.states.append(after)
        if self.clock is not None and mover != CHANCE:
            self.clock.moved(mover)
        self._play_chance()
        self.message = None
        self.changed()

    def _play_chance(self) -> None:
        """Play chance events. They depend on seed and ply only, so that undo does not change them."""
        while self.state.scores() is None and self.state.player == CHANCE:
            move = nature_move(self.state, random.Random(f"{self.seed} nature {len(self.played)}"))
            self.played.append(TableMove(CHANCE, self.state.text(move), None))
            self.states.append(self.state.play(move))

    @property
    def undo_ply(self) -> int | None:
        """The ply before the last move of a person, None if there is nothing to undo.

        Games with hidden information cannot be undone: a player would keep what they have seen.
        """
        if self.hidden or self.bots_only:
            return None
        for ply in range(len(self.played) - 1, self.opening - 1, -1):
            if (mover := self.played[ply].player) != CHANCE and self.seats[mover] == PERSON:
                return ply
        return None

    def undo(self) -> None:
        """Take back the last move of a person and everything after it."""
        ply = self.undo_ply
        if ply is None:
            raise Conflict("No move to take back.")
        del self.played[ply:]
        del self.states[ply + 1 :]
        self.forfeit = self.failed = self.message = self.record_number = None
        self.imported = False
        self.changed()

    def resign(self, seat: int) -> None:
        """End the game as a loss of this seat."""
        if self.over:
            raise Conflict("The game is over.")
        self.forfeit = Forfeit("resigned", loss_scores(seat, self.players))
        self.changed()

    def lose_on_time(self, seat: int) -> None:
        """End the game because this seat ran out of time."""
        if self.clock is not None and not self.over:
            self.clock.pause()
            self.clock.left[seat] = 0.0
            # records use "hung" for every player that did not answer in time
            self.forfeit = Forfeit("hung", loss_scores(seat, self.players), LOST_ON_TIME)
            self.changed()

    def set_seats(self, seats: list[str]) -> None:
        """Change the players."""
        self.seats = seats
        self.failed = self.message = None
        self.changed()

    def fail(self, seat: int, message: str) -> None:
        """Note that a seat's bot has failed; the game waits until the seats are changed."""
        self.failed, self.message = seat, message
        self.changed()

    def changed(self) -> None:
        """After a change: start the clock of the side to move."""
        self.version += 1
        if self.clock is not None:
            turn = self.turn
            self.clock.start(None if turn == CHANCE or turn == self.failed or not self.played else turn)

    @property
    def ending(self) -> Ending:
        """How the game ended, as in records."""
        if self.forfeit is not None:
            return self.forfeit.ending
        return "played" if self.over else "unfinished"

    def record(self) -> Record:
        """The game as a record."""
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
            fault="" if self.forfeit is None else self.forfeit.fault,
            when=self.began,
        )

    def as_dict(self) -> dict[str, object]:
        """The table as plain data, for the store."""
        return {
            **{name: vars(self)[name] for name in STORED},
            "record": as_dict(self.record()),
            "clock": None if self.clock is None else self.clock.to_store(),
        }

    @classmethod
    def from_dict(cls, id: str, data: Mapping[str, Any]) -> Table:
        """The stored table; ValueError if its game cannot be replayed."""
        record = from_dict(data["record"])
        table = cls.from_record(id, record, record.players)
        for name in STORED:
            setattr(table, name, data[name])
        if data["clock"] is not None:
            table.clock = TableClock.from_store(data["clock"])
        return table

    @classmethod
    def from_record(cls, id: str, record: Record, seats: Sequence[str]) -> Table:
        """A table that continues a recorded game."""
        spec, rules = allowed_game(record.game)
        if len(seats) != rules.players:
            raise ValueError(f"{spec} has {rules.players} seats, not {len(seats)}")
        table = cls(id, spec, rules, list(seats), 0 if record.seed is None else record.seed)
        del table.played[:], table.states[1:]  # the record contains the first chance events
        table.began, table.opening = record.when, record.opening
        notes = record.notes or (None,) * len(record.moves)
        for number, (text, note) in enumerate(zip(record.moves, notes, strict=True), 1):
            state = table.state
            try:
                move = parse_move(state, text)
            except ValueError as error:
                raise ValueError(f"move {number}: {error}") from error
            table.played.append(TableMove(state.player, state.text(move), note))
            table.states.append(state.play(move))
        if record.scores is not None and table.state.scores() is None:  # over by forfeit, not by the rules
            table.forfeit = Forfeit(record.ending, tuple(map(float, record.scores)), record.fault)
        else:
            table._play_chance()
        return table
