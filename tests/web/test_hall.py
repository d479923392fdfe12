"""Tables in memory and in the store: idle ones leave and come back; a store in use is waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.web.running import run_alone
from tesuji.records import Record
from tesuji.records.store import Store
from tesuji.web.clocks import Clock
from tesuji.web.hall import Full, Hall, Missing
from tesuji.web.limits import Limits
from tesuji.web.searches import Searches
from tesuji.web.studies import begin_analysis, begin_review
from tesuji.web.tables import Table
from tesuji.web.watchers import Watcher

PEOPLE = ["person", "person"]
TWO = Record(game="hex:size=3", players=("person", "person"), seed=1, moves=("b2",))


def in_hall(path: Path, limits: Limits, work: Callable[[Hall], Awaitable[None]]) -> None:
    """Run some work in a hall, whose workers nobody needs."""

    async def run() -> None:
        with Store(path / "games.db") as store:
            searches = Searches(limits)
            hall = Hall(store, searches, limits)
            hall.open()
            try:
                await work(hall)
            finally:
                await hall.close()
                await searches.close()

    run_alone(run())


def test_a_table_that_nobody_looks_at_leaves_memory_and_comes_back(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        left, watched = hall.new(TWO, PEOPLE), hall.new(TWO, PEOPLE)
        watched.watch(Watcher(None))
        before = left.view()
        while len(hall) > 1:
            await asyncio.sleep(0.05)
        again = await hall.find(left.table.id)
        assert again is not left and again.view() == before
        assert await hall.find(watched.table.id) is watched

    in_hall(tmp_path, Limits(idle=1, workers=1), work)


def test_a_clock_runs_on_while_its_table_is_out_of_memory(tmp_path: Path) -> None:
    ids = []

    async def first(hall: Hall) -> None:
        short, long = (hall.new(TWO, PEOPLE, Clock([seconds] * 2)) for seconds in (1.5, 500.0))
        ids.append(long.table.id)
        for host in (short, long):
            host.play(1, "a1", None)
        while len(hall):
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.6)
        again = await hall.find(short.table.id)
        assert again.view()["result"] == "Black runs out of time: White wins." and again.table.number == 1
        back = await hall.find(long.table.id)
        assert back.table.clock is not None and back.table.clock.running == 0
        assert 1 < 500 - back.table.clock.seconds(0) < 400
        await asyncio.sleep(0.3)  # nothing is kept of this but by the hall's goodbye

    async def second(hall: Hall) -> None:
        clock = (await hall.find(ids[0])).table.clock
        assert clock is not None and clock.left[0] < 498.5

    in_hall(tmp_path, Limits(idle=1, workers=1), first)
    in_hall(tmp_path, Limits(idle=1, workers=1), second)


def test_where_all_places_are_taken_the_longest_left_alone_makes_room(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        first, second = hall.new(TWO, PEOPLE), hall.new(TWO, PEOPLE)
        first.watch(Watcher(None))
        hall.new(TWO, PEOPLE).watch(Watcher(None))
        assert len(hall) == 2 and second.gone and not first.gone
        with pytest.raises(Full, match="all tables are taken"):
            hall.new(TWO, PEOPLE)

    in_hall(tmp_path, Limits(tables=2, workers=1), work)


def test_two_pages_that_ask_at_once_get_one_table(tmp_path: Path) -> None:
    ids = []

    async def first(hall: Hall) -> None:
        ids.append(hall.new(TWO, PEOPLE).table.id)

    async def second(hall: Hall) -> None:
        one, other = await asyncio.gather(hall.find(ids[0]), hall.find(ids[0]))
        assert one is other
        with pytest.raises(Missing):
            await hall.find("nothing")

    in_hall(tmp_path, Limits(workers=1), first)
    in_hall(tmp_path, Limits(workers=1), second)


def test_a_store_that_another_program_holds_is_waited_for(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        host = hall.new(TWO, PEOPLE)
        with Store(tmp_path / "games.db") as other:
            with other.transaction():
                host.play(1, "a1", None)
                waiting = asyncio.ensure_future(host.kept())
                await asyncio.sleep(0.1)
                assert not waiting.done()
                host.play(2, "c2", None)
            await host.kept()
            await waiting
        assert host.table.message is None
        await hall.remove(host)
        with pytest.raises(Missing):
            await hall.find(host.table.id)

    in_hall(tmp_path, Limits(workers=1), work)


def test_a_game_that_is_over_is_a_record_once(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        host = hall.new(TWO, PEOPLE)
        for ply, move in enumerate(("a1", "b1", "a2", "b3"), 1):
            host.play(ply, move, None)
        assert host.table.number == 1 and host.view()["over"]
        host.show()
        host.undo()
        assert host.table.number is None and not host.table.over
        host.play(4, "c1", None)

    in_hall(tmp_path, Limits(workers=1), work)
    with Store(tmp_path / "games.db") as store:
        assert [stored.record.moves[-1] for stored in store.records()] == ["b3"]
        assert list(store.problems()) == []


def test_a_game_that_was_over_when_it_came_is_no_record_until_it_is_played_on(tmp_path: Path) -> None:
    over = replace(TWO, moves=("b1", "a1", "b2", "a2", "b3"))

    async def work(hall: Hall) -> None:
        first = hall.new(over, PEOPLE)
        assert first.table.over and first.table.number is None
        again = Table.from_dict("again", first.table.as_dict())
        assert again.over and not again.unrecorded
        host = hall.new(over, PEOPLE)
        host.undo()
        host.play(4, "b3", None)
        assert host.table.number == 1

    in_hall(tmp_path, Limits(workers=1), work)
    with Store(tmp_path / "games.db") as store:
        assert len(list(store.records())) == 1


def test_an_analysis_that_nobody_sees_ends_and_a_review_goes_on(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        host = hall.new(TWO, PEOPLE)
        first, second = Watcher(None), Watcher(None)
        host.watch(first)
        host.watch(second)
        begin_analysis(host, 1, "mcts", 30.0)
        host.leave(first)
        assert host.busy
        host.leave(second)
        assert not host.busy
        host.watch(first)
        begin_review(host, "mcts", 30.0)
        host.leave(first)
        assert host.busy

    in_hall(tmp_path, Limits(workers=1), work)


def test_an_undo_ends_the_review_of_moves_that_are_no_more(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        host = hall.new(TWO, PEOPLE)
        begin_review(host, "mcts", 30.0)
        assert host.busy
        host.undo()
        assert not host.busy

    in_hall(tmp_path, Limits(workers=1), work)
