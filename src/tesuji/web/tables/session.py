"""The running game at a table: asks bots for moves, runs the clock, saves changes and sends them to pages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from time import monotonic

from tesuji.bots.timing import TimeManager, moves_to_come
from tesuji.full_game import CHANCE
from tesuji.records import PERSON, Note
from tesuji.web.limits import ServerLimits
from tesuji.web.schema import Message, ReviewMessage, TableView
from tesuji.web.search_queue import Search, SearchFailed, SearchQueue
from tesuji.web.tables.table import Conflict, Table, Task
from tesuji.web.tables.views import view

UNWATCHED_SECONDS = 60.0  # then games between bots pause


class Subscriber:
    """The messages to one page. A slow page gets only the newest message of each kind."""

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self._messages: dict[tuple[str, int | None], Message] = {}
        self._available = asyncio.Event()

    def send(self, message: Message) -> None:
        """Queue a message; it replaces a queued one of its kind (of a review: of its kind and ply)."""
        key = message["type"], message["ply"] if message["type"] == "review" else None
        self._messages.pop(key, None)
        self._messages[key] = message
        self._available.set()

    async def next(self) -> Message:
        """The next message to send; waits for one."""
        while not self._messages:
            self._available.clear()
            await self._available.wait()
        return self._messages.pop(next(iter(self._messages)))


class TableSession:
    """Runs one table: `TableSession(table, searches, limits, save)`.

    `save` is called after every change; it writes the table to the store.
    """

    def __init__(
        self,
        table: Table,
        searches: SearchQueue,
        limits: ServerLimits,
        save: Callable[[str, Table], asyncio.Future[None]],
    ) -> None:
        self.table, self.searches, self.limits, self._save = table, searches, limits, save
        self.subscribers: set[Subscriber] = set()
        self.last_used = monotonic()
        self.closed = False
        self._bot_task: asyncio.Task[None] | None = None
        self._search: Search | None = None
        self._thinking_since: float | None = None
        self._single_step = False  # play one move although the game is paused
        self._flag_timer: asyncio.TimerHandle | None = None
        self._saving: asyncio.Future[None] | None = None
        self._review: dict[int, ReviewMessage] = {}  # messages by ply, for pages that connect later
        self._time_managers: dict[int, TimeManager] = {}
        self.job: asyncio.Task[None] | None = None
        """The current analysis or review."""
        self.analysing = False
        """Whether the job is an analysis."""

    def view(self, *, ply: int | None = None, seat: int | None = None) -> TableView:
        """The table as JSON, for a page."""
        return view(self.table, ply=ply, seat=seat, thinking_since=self._thinking_since)

    async def saved(self) -> None:
        """Wait until the latest change is in the store; a failure becomes the table's message."""
        if self._saving is not None:
            await asyncio.shield(self._saving)

    def changed(self) -> None:
        """After a change of the table: save it, send it to all pages, and ask the next bot."""
        self._continue()
        self._saving = self._save(self.table.id, self.table)
        self.send_table()

    def resume(self) -> None:
        """Continue a table loaded from the store: restart its clock and its bots."""
        clock = self.table.clock
        if clock is not None:
            self.table.changed()
            if clock.running is not None:
                self._check_flag(clock.running, self.table.version)
        self._continue()

    @property
    def busy(self) -> bool:
        """Whether a bot is thinking or a job is running."""
        return self._bot_task is not None or self.job is not None

    def idle(self, seconds: float) -> bool:
        """Whether nobody watches, nothing runs, and nothing was requested for so long."""
        return not self.subscribers and not self.busy and monotonic() - self.last_used >= seconds

    def send_table(self) -> None:
        """Send the table to all subscribers."""
        views: dict[int | None, Message] = {}
        for subscriber in self.subscribers:
            if subscriber.seat not in views:
                try:
                    views[subscriber.seat] = {"type": "table", **self.view(seat=subscriber.seat)}
                except Conflict as conflict:  # the seat was given to a bot
                    views[subscriber.seat] = {"type": "error", "error": str(conflict)}
            subscriber.send(views[subscriber.seat])

    def broadcast(self, message: Message) -> None:
        """Send a message to all subscribers; review messages are also kept for later ones."""
        if message["type"] == "review":
            self._review[message["ply"]] = message
        for subscriber in self.subscribers:
            subscriber.send(message)

    def subscribe(self, subscriber: Subscriber) -> None:
        """Add a page, and send it the table and the review so far."""
        subscriber.send({"type": "table", **self.view(seat=subscriber.seat)})
        for message in self._review.values():
            subscriber.send(message)
        self.subscribers.add(subscriber)
        self._continue()

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Remove a page. Without any, an analysis is cancelled; a review continues and is kept."""
        self.subscribers.discard(subscriber)
        if not self.subscribers and self.analysing:
            self.cancel_job()

    # Requests.

    def play(self, ply: int, text: str, seat: int | None) -> None:
        """Play a person's move."""
        if len(self.table.played) >= self.limits.moves:
            raise Conflict(f"The limit of {self.limits.moves} moves per game is reached.")
        self.table.play_person_move(ply, text, seat)
        self._review.clear()
        self.changed()

    def undo(self) -> None:
        """Return to the position before the person's last move."""
        self.table.undo()
        self._cancel_bot()
        self.cancel_job()  # its positions no longer exist
        self.changed()

    def resign(self, seat: int) -> None:
        """Resign for a person."""
        if not 0 <= seat < self.table.players or self.table.seats[seat] != PERSON:
            raise Conflict(f"Seat {seat} is not played by a person.")
        self.table.resign(seat)
        self._cancel_bot()
        self.changed()

    def stop_thinking(self) -> None:
        """Make the bot play its best move so far."""
        if self._search is None:
            raise Conflict("No bot is thinking.")
        self._search.stop()

    def set_seats(self, seats: list[str]) -> None:
        """Change the players. In games with hidden cards, a person cannot replace a bot and see its hand."""
        table = self.table
        replaced = zip(table.seats, seats, strict=True)
        reveals = any(before != PERSON and after == PERSON for before, after in replaced)
        if table.hidden and not table.over and reveals:
            raise Conflict("A person cannot take over a bot's hidden cards before the game is over.")
        table.set_seats(seats)
        self._cancel_bot()
        self.changed()

    def pause(self, paused: bool) -> None:
        """Pause or resume a game between bots."""
        self._check_bots_only()
        self.table.paused = paused
        self.table.changed()
        if paused:
            self._cancel_bot()
        self.changed()

    def step(self) -> None:
        """Play one move of a game between bots, and pause it."""
        self._check_bots_only()
        if self.table.over:
            raise Conflict("The game is over.")
        self.table.paused, self._single_step = True, True
        self.changed()

    def set_speed(self, seconds: float) -> None:
        """Set the seconds between two moves of bots."""
        self._check_bots_only()
        self.table.speed = seconds
        self.table.changed()
        self.changed()

    def close(self) -> None:
        """Stop everything: the table is unloaded or deleted."""
        self.closed = True
        self._cancel_bot()
        self.cancel_job()
        if self._flag_timer is not None:
            self._flag_timer.cancel()

    def start_job(self, work: Coroutine[None, None, None], *, analysing: bool = False) -> None:
        """Run an analysis or a review; cancels the current one."""
        self.cancel_job()
        task = asyncio.get_running_loop().create_task(work)
        self.job, self.analysing = task, analysing

        def finished(task: asyncio.Task[None]) -> None:
            if self.job is task:
                self.job = None

        task.add_done_callback(finished)

    def cancel_job(self) -> None:
        """Cancel the analysis or review."""
        self._review.clear()
        if self.job is not None:
            self.job.cancel()
            self.job = None

    # Bots and clocks.

    def _check_bots_only(self) -> None:
        if not self.table.bots_only:
            raise Conflict("Only games between bots can be paused.")

    def _continue(self) -> None:
        self._set_flag_timer()
        table = self.table
        unwatched = not self.subscribers and monotonic() - self.last_used > UNWATCHED_SECONDS
        waits = table.bots_only and (table.paused and not self._single_step or unwatched)
        if self._bot_task is None and not waits and not self.closed and table.bot_to_move is not None:
            self._bot_task = asyncio.get_running_loop().create_task(self._play_bot_move())
            self._bot_task.add_done_callback(self._bot_done)

    def _cancel_bot(self) -> None:
        task, self._bot_task = self._bot_task, None
        if task is not None:
            task.cancel()
        self._search = self._thinking_since = None

    def _bot_done(self, task: asyncio.Task[None]) -> None:
        if task is not self._bot_task:
            return
        self._bot_task = None
        if not task.cancelled() and (error := task.exception()) is not None:
            self.table.fail(self.table.turn or 0, f"The game failed: {type(error).__name__}: {error}")
        self.changed()

    async def _play_bot_move(self) -> None:
        table = self.table
        seat, spec = table.turn, table.bot_to_move
        assert seat is not None and spec is not None
        if table.bots_only and not self._single_step and table.played:
            await asyncio.sleep(table.speed)
        self._single_step = False
        task: Task = {**table.position(), "task": "choose", "bot": spec, "owner": f"{table.id} {seat}"}
        seconds = self.limits.seconds
        manager = self._time_managers.setdefault(seat, TimeManager())
        if table.clock is not None:
            moves = moves_to_come(table.rules, len(table.played), len(table.state.moves()))
            share = manager.for_game(table.clock.seconds(seat), moves, table.clock.increment)
            seconds = min(seconds, share)
        began = monotonic()
        try:
            self._search = await self.searches.submit_when_free(task, seconds)
            self._thinking_since = monotonic()
            if self._search.long:
                self.send_table()
            found = await self._search
        except SearchFailed as error:
            table.fail(seat, f"{spec} failed: {error}. Choose another bot for its seat.")
            return
        finally:
            self._search = self._thinking_since = None
        manager.note(monotonic() - began - seconds)
        if found["move"] is None:
            table.resign(seat)
        else:
            table.play(found["move"], Note(seat, found["value"], found["visits"], found["seconds"]))
        if len(table.played) >= self.limits.moves and not table.over:
            table.fail(seat, f"The limit of {self.limits.moves} moves per game is reached.")

    def _set_flag_timer(self) -> None:
        """Schedule the loss on time of the side to move."""
        if self._flag_timer is not None:
            self._flag_timer.cancel()
            self._flag_timer = None
        clock = self.table.clock
        if clock is not None and clock.running is not None and clock.running != CHANCE:
            seat, version = clock.running, self.table.version
            loop = asyncio.get_running_loop()
            self._flag_timer = loop.call_later(clock.seconds(seat) + 0.01, self._check_flag, seat, version)

    def _check_flag(self, seat: int, version: int) -> None:
        clock = self.table.clock
        if clock is None or self.table.version != version or clock.running != seat:
            return
        if clock.seconds(seat) > 0:
            self._set_flag_timer()
            return
        self.table.lose_on_time(seat)
        self._cancel_bot()
        self.changed()
