"""Tables in memory and in the store: unloading, loading, a locked store."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.web.server_process import run_in_thread
from tesuji.records import Record
from tesuji.records.store import Store
from tesuji.web.limits import ServerLimits
from tesuji.web.search_queue import SearchQueue
from tesuji.web.specs import AllowedBots
from tesuji.web.tables.analysis_jobs import start_analysis, start_review
from tesuji.web.tables.registry import NotFound, ServerFull, TableRegistry
from tesuji.web.tables.session import Subscriber
from tesuji.web.tables.table import Table, TableClock

PEOPLE = ["person", "person"]
TWO = Record(game="hex:size=3", players=("person", "person"), seed=1, moves=("b2",))


def with_registry(path: Path, limits: ServerLimits, work: Callable[[TableRegistry], Awaitable[None]]) -> None:
    """Run a coroutine with a registry."""

    async def run() -> None:
        with Store(path / "games.db") as store:
            searches = SearchQueue(AllowedBots(limits))
            registry = TableRegistry(store, searches, limits)
            registry.open()
            try:
                async with asyncio.timeout(120):
                    await work(registry)
            finally:
                await registry.close()
                await searches.close()

    run_in_thread(run())


def test_an_unwatched_table_is_unloaded_and_loaded_again(tmp_path: Path) -> None:
    async def work(registry: TableRegistry) -> None:
        left, watched = registry.create(TWO, PEOPLE), registry.create(TWO, PEOPLE)
        watched.subscribe(Subscriber(None))
        before = left.view()
        while len(registry) > 1:
            await asyncio.sleep(0.05)
        again = await registry.get(left.table.id)
        assert again is not left and again.view() == before
        assert await registry.get(watched.table.id) is watched

    with_registry(tmp_path, ServerLimits(idle_seconds=1, workers=1), work)


def test_a_table_with_a_bot_that_is_not_allowed_waits_for_another(tmp_path: Path) -> None:
    started = tmp_path / "started"

    async def work(registry: TableRegistry) -> None:
        seats = ["person", f'gtp:command="touch {started}"']
        session = registry.create(TWO, seats)  # as if from a store: no request asks for this
        while session.table.failed is None:
            await asyncio.sleep(0.01)
        assert "unknown bot 'gtp' (easy, " in str(session.table.message)
        session.set_seats(["person", "random"])
        while len(session.table.played) < 2:
            await asyncio.sleep(0.01)
        assert session.table.message is None and not started.exists()

    with_registry(tmp_path, ServerLimits(workers=1), work)


def test_a_clock_runs_while_its_table_is_unloaded(tmp_path: Path) -> None:
    ids = []

    async def first(registry: TableRegistry) -> None:
        short, long = (registry.create(TWO, PEOPLE, TableClock([seconds] * 2)) for seconds in (1.5, 500.0))
        ids.append(long.table.id)
        for session in (short, long):
            session.play(1, "a1", None)
        while len(registry):
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.6)
        again = await registry.get(short.table.id)
        assert (
            again.view()["result"] == "Black runs out of time: White wins." and again.table.record_number == 1
        )
        back = await registry.get(long.table.id)
        assert back.table.clock is not None and back.table.clock.running == 0
        assert 1 < 500 - back.table.clock.seconds(0) < 400
        await asyncio.sleep(0.3)  # nothing is kept of this but by the registry's goodbye

    async def second(registry: TableRegistry) -> None:
        clock = (await registry.get(ids[0])).table.clock
        assert clock is not None and clock.left[0] < 498.5

    with_registry(tmp_path, ServerLimits(idle_seconds=1, workers=1), first)
    with_registry(tmp_path, ServerLimits(idle_seconds=1, workers=1), second)


def test_the_least_recently_used_table_is_unloaded_when_memory_is_full(tmp_path: Path) -> None:
    async def work(registry: TableRegistry) -> None:
        first, second = registry.create(TWO, PEOPLE), registry.create(TWO, PEOPLE)
        first.subscribe(Subscriber(None))
        registry.create(TWO, PEOPLE).subscribe(Subscriber(None))
        assert len(registry) == 2 and second.closed and not first.closed
        with pytest.raises(ServerFull, match="2 tables"):
            registry.create(TWO, PEOPLE)

    with_registry(tmp_path, ServerLimits(tables=2, workers=1), work)


def test_concurrent_requests_load_a_table_once(tmp_path: Path) -> None:
    ids = []

    async def first(registry: TableRegistry) -> None:
        ids.append(registry.create(TWO, PEOPLE).table.id)

    async def second(registry: TableRegistry) -> None:
        one, other = await asyncio.gather(registry.get(ids[0]), registry.get(ids[0]))
        assert one is other
        with pytest.raises(NotFound):
            await registry.get("nothing")

    with_registry(tmp_path, ServerLimits(workers=1), first)
    with_registry(tmp_path, ServerLimits(workers=1), second)


def test_writes_wait_for_a_store_locked_by_another_program(tmp_path: Path) -> None:
    async def work(registry: TableRegistry) -> None:
        session = registry.create(TWO, PEOPLE)
        with Store(tmp_path / "games.db") as other:
            with other.transaction():
                session.play(1, "a1", None)
                waiting = asyncio.ensure_future(session.saved())
                await asyncio.sleep(0.1)
                assert not waiting.done()
                session.play(2, "c2", None)
            await session.saved()
            await waiting
        assert session.table.message is None
        await registry.delete(session)
        with pytest.raises(NotFound):
            await registry.get(session.table.id)

    with_registry(tmp_path, ServerLimits(workers=1), work)


def test_a_finished_game_is_recorded_once(tmp_path: Path) -> None:
    async def work(registry: TableRegistry) -> None:
        session = registry.create(TWO, PEOPLE)
        for ply, move in enumerate(("a1", "b1", "a2", "b3"), 1):
            session.play(ply, move, None)
        assert session.table.record_number == 1 and session.view()["over"]
        session.send_table()
        session.undo()
        assert session.table.record_number is None and not session.table.over
        session.play(4, "c1", None)

    with_registry(tmp_path, ServerLimits(workers=1), work)
    with Store(tmp_path / "games.db") as store:
        assert [stored.record.moves[-1] for stored in store.records()] == ["b3"]
        assert list(store.problems()) == []


def test_an_imported_finished_game_is_recorded_only_if_continued(tmp_path: Path) -> None:
    over = replace(TWO, moves=("b1", "a1", "b2", "a2", "b3"))

    async def work(registry: TableRegistry) -> None:
        first = registry.create(over, PEOPLE)
        assert first.table.over and first.table.record_number is None
        again = Table.from_dict("again", first.table.as_dict())
        assert again.over and not again.unrecorded
        session = registry.create(over, PEOPLE)
        session.undo()
        session.play(4, "b3", None)
        assert session.table.record_number == 1

    with_registry(tmp_path, ServerLimits(workers=1), work)
    with Store(tmp_path / "games.db") as store:
        assert len(list(store.records())) == 1


def test_without_subscribers_an_analysis_is_cancelled_and_a_review_continues(tmp_path: Path) -> None:
    async def work(registry: TableRegistry) -> None:
        session = registry.create(TWO, PEOPLE)
        first, second = Subscriber(None), Subscriber(None)
        session.subscribe(first)
        session.subscribe(second)
        start_analysis(session, 1, "mcts", 30.0)
        session.unsubscribe(first)
        assert session.busy
        session.unsubscribe(second)
        assert not session.busy
        session.subscribe(first)
        start_review(session, "mcts", 30.0)
        session.unsubscribe(first)
        assert session.busy

    with_registry(tmp_path, ServerLimits(workers=1), work)


def test_undo_cancels_a_review(tmp_path: Path) -> None:
    async def work(registry: TableRegistry) -> None:
        session = registry.create(TWO, PEOPLE)
        start_review(session, "mcts", 30.0)
        assert session.busy
        session.undo()
        assert not session.busy

    with_registry(tmp_path, ServerLimits(workers=1), work)
