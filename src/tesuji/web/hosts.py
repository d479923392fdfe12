"""A host: what goes on around a table. Bots are asked, clocks run, pages hear of changes, all is kept."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from time import monotonic
from typing import Any

from tesuji.game import CHANCE
from tesuji.records import PERSON, Note
from tesuji.timing import TimeManager, moves_to_come
from tesuji.web.limits import Limits
from tesuji.web.searches import Busy, Fault, Search, Searches
from tesuji.web.tables import Conflict, Table
from tesuji.web.views import view
from tesuji.web.watchers import Watcher

AGAIN_SECONDS = 1.0  # until a bot that found the queue full is asked again
ALONE_SECONDS = 60.0  # bots that play each other wait for somebody to look


class Host:
    """Keeps one table going: `Host(table, searches, limits, keep)`.

    `keep` is called after every change; it has the table written to the store.
    """

    def __init__(
        self,
        table: Table,
        searches: Searches,
        limits: Limits,
        keep: Callable[[str, Table], asyncio.Future[None]],
    ) -> None:
        self.table, self.searches, self.limits, self._keep = table, searches, limits, keep
        self.watchers: set[Watcher] = set()
        self.touched = monotonic()
        self.gone = False
        self._bot: asyncio.Task[None] | None = None
        self._search: Search | None = None
        self._since: float | None = None
        self._stepping = False
        self._flag: asyncio.TimerHandle | None = None
        self._kept: asyncio.Future[None] | None = None
        self._reviewed: dict[int, dict[str, Any]] = {}
        self._managers: dict[int, TimeManager] = {}
        self.study: asyncio.Task[None] | None = None
        """The analysis or review that goes on."""
        self.analysing = False
        """Whether it is an analysis."""

    def view(self, *, ply: int | None = None, seat: int | None = None) -> dict[str, Any]:
        """The table for a page."""
        return view(self.table, ply=ply, seat=seat, since=self._since)

    async def kept(self) -> None:
        """Until the newest change is in the store; a store that does not take it shows on the table."""
        if self._kept is not None:
            await asyncio.shield(self._kept)

    def changed(self) -> None:
        """Something has happened at the table: tell everybody, keep it, and go on."""
        self._go_on()
        self._kept = self._keep(self.table.id, self.table)
        self.show()

    def wake(self) -> None:
        """The table has come back from the store: its bots and its clock go on."""
        clock = self.table.clock
        if clock is not None:
            self.table.changed()
            if clock.running is not None:
                self._flag_falls(clock.running, self.table.version)
        self._go_on()

    @property
    def busy(self) -> bool:
        """Whether something goes on that should not be interrupted."""
        return self._bot is not None or self.study is not None

    def show(self) -> None:
        """Send the table to every page that looks at it."""
        views: dict[int | None, dict[str, Any]] = {}
        for watcher in self.watchers:
            if watcher.seat not in views:
                try:
                    views[watcher.seat] = {"type": "table", **self.view(seat=watcher.seat)}
                except Conflict as conflict:  # somebody else sits there now
                    views[watcher.seat] = {"type": "error", "error": str(conflict)}
            watcher.send(views[watcher.seat])

    def tell(self, frame: dict[str, Any]) -> None:
        """Send a frame to every page that looks at the table; those of a review are kept for later ones."""
        if frame["type"] == "review":
            self._reviewed[frame["ply"]] = frame
        for watcher in self.watchers:
            watcher.send(frame)

    def watch(self, watcher: Watcher) -> None:
        """A page begins to look; it gets the table at once."""
        watcher.send({"type": "table", **self.view(seat=watcher.seat)})
        for frame in self._reviewed.values():
            watcher.send(frame)
        self.watchers.add(watcher)
        self._go_on()

    def leave(self, watcher: Watcher) -> None:
        """A page looks away; an analysis that nobody sees ends. A review goes on: it is kept for later."""
        self.watchers.discard(watcher)
        if not self.watchers and self.analysing:
            self.end_study()

    # What people do.

    def play(self, ply: int, text: str, seat: int | None) -> None:
        """A person's move."""
        if len(self.table.played) >= self.limits.moves:
            raise Conflict(f"a game here has at most {self.limits.moves} moves")
        self.table.person_plays(ply, text, seat)
        self._reviewed.clear()
        self.changed()

    def undo(self) -> None:
        """Back to before the person's last move."""
        self.table.undo()
        self._drop_bot()
        self.end_study()  # of positions that are no more
        self.changed()

    def resign(self, seat: int) -> None:
        """A person gives up."""
        if not 0 <= seat < self.table.players or self.table.seats[seat] != PERSON:
            raise Conflict(f"seat {seat} is not a person's")
        self.table.resign(seat)
        self._drop_bot()
        self.changed()

    def stop(self) -> None:
        """The bot plays what it has."""
        if self._search is None:
            raise Conflict("no bot is thinking")
        self._search.stop()

    def seat(self, seats: list[str]) -> None:
        """Others sit down; while cards are hidden no person takes over a bot's, and sees them."""
        table = self.table
        if (
            table.hidden
            and not table.over
            and any(
                before != PERSON and after == PERSON for before, after in zip(table.seats, seats, strict=True)
            )
        ):
            raise Conflict("the cards are hidden: no person can take a bot's seat before the game is over")
        table.seat(seats)
        self._drop_bot()
        self.changed()

    def pause(self, paused: bool) -> None:
        """Bots that play each other wait, or go on."""
        self._only_bots()
        self.table.paused = paused
        self.table.changed()
        if paused:
            self._drop_bot()
        self.changed()

    def step(self) -> None:
        """One move of bots that wait."""
        self._only_bots()
        if self.table.over:
            raise Conflict("the game is over")
        self.table.paused, self._stepping = True, True
        self.changed()

    def speed(self, seconds: float) -> None:
        """So long bots wait between two moves."""
        self._only_bots()
        self.table.speed = seconds
        self.table.changed()
        self.changed()

    def close(self) -> None:
        """The table leaves memory."""
        self.gone = True
        self._drop_bot()
        self.end_study()
        if self._flag is not None:
            self._flag.cancel()

    def end_study(self) -> None:
        """Stop the analysis or the review."""
        self._reviewed.clear()
        if self.study is not None:
            self.study.cancel()
            self.study = None

    # What bots and clocks do.

    def _only_bots(self) -> None:
        if not self.table.watching:
            raise Conflict("a person plays here: only bots can be paused")

    def _go_on(self) -> None:
        self._set_flag()
        table = self.table
        alone = not self.watchers and monotonic() - self.touched > ALONE_SECONDS
        waits = table.watching and (table.paused and not self._stepping or alone)
        if self._bot is None and not waits and not self.gone and table.bot_to_move is not None:
            self._bot = asyncio.get_running_loop().create_task(self._bot_moves())
            self._bot.add_done_callback(self._bot_ended)

    def _drop_bot(self) -> None:
        """The bot that thinks is not asked any more."""
        bot, self._bot = self._bot, None
        if bot is not None:
            bot.cancel()
        if self._search is not None:
            self._search.drop()
            self._search = None
        self._since = None

    def _bot_ended(self, task: asyncio.Task[None]) -> None:
        if task is not self._bot:
            return
        self._bot = None
        if not task.cancelled() and (error := task.exception()) is not None:
            self.table.fail(self.table.turn or 0, f"the game cannot go on: {type(error).__name__}: {error}")
        self.changed()

    async def _bot_moves(self) -> None:
        """One move of the bot whose turn it is."""
        table = self.table
        seat, spec = table.turn, table.bot_to_move
        assert seat is not None and spec is not None
        if table.watching and not self._stepping and table.played:
            await asyncio.sleep(table.speed)
        self._stepping = False
        question = {"do": "choose", "game": table.game, "seed": table.seed, "moves": table.texts}
        question |= {"bot": spec, "owner": f"{table.id} {seat}"}
        seconds = self.limits.seconds
        manager = self._managers.setdefault(seat, TimeManager())
        if table.clock is not None:
            moves = moves_to_come(table.rules, len(table.played), len(table.state.moves()))
            share = manager.for_game(table.clock.seconds(seat), moves, table.clock.increment)
            seconds = min(seconds, share)
        began = monotonic()
        try:
            self._search = await self._asked(question, seconds)
            self._since = monotonic()
            if self._search.long:
                self.show()
            found = await self._search
        except Fault as fault:
            table.fail(seat, f"{spec} cannot go on: {fault}. Give its seat to another bot.")
            return
        finally:
            self._search = self._since = None
        manager.note(monotonic() - began - seconds)
        if found["move"] is None:
            table.resign(seat)
        else:
            table.play(found["move"], Note(seat, found["value"], found["visits"], found["seconds"]))
        if len(table.played) >= self.limits.moves and not table.over:
            table.fail(seat, f"a game here has at most {self.limits.moves} moves")

    async def _asked(self, question: dict[str, Any], seconds: float) -> Search:
        while True:
            with contextlib.suppress(Busy):
                return self.searches.ask(question, seconds=seconds)
            await asyncio.sleep(AGAIN_SECONDS)

    def _set_flag(self) -> None:
        """When the clock of whoever is to move runs out, the game is lost."""
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        clock = self.table.clock
        if clock is not None and clock.running is not None and clock.running != CHANCE:
            seat, version = clock.running, self.table.version
            loop = asyncio.get_running_loop()
            self._flag = loop.call_later(clock.seconds(seat) + 0.01, self._flag_falls, seat, version)

    def _flag_falls(self, seat: int, version: int) -> None:
        clock = self.table.clock
        if clock is None or self.table.version != version or clock.running != seat:
            return
        if clock.seconds(seat) > 0:
            self._set_flag()
            return
        self.table.lose_on_time(seat)
        self._drop_bot()
        self.changed()
