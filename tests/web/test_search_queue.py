"""The search queue: quick tasks first, one worker without long ones, hanging ones are killed."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from functools import partial

import pytest

from tests.web.server_process import USER_PLUGIN, run_in_thread
from tesuji.any_game import game
from tesuji.cli.shared.loading import load
from tesuji.spec import Spec
from tesuji.web.limits import ServerLimits
from tesuji.web.search_queue import QueueFull, SearchFailed, SearchQueue, is_long
from tesuji.web.specs import AllowedBots, BadRequest
from tesuji.web.tables.table import Task
from tesuji.web.worker_tasks import bounded

START: Task = {"game": "hex:size=9", "seed": 1, "moves": [], "task": "choose", "owner": ""}
LONG: Task = {**START, "bot": "mcts:seconds=60"}
QUICK: Task = {**START, "bot": "easy"}


def with_searches(limits: ServerLimits, work: Callable[[SearchQueue], Awaitable[None]]) -> None:
    async def run() -> None:
        searches = SearchQueue(AllowedBots(limits, ["endless"]), partial(load, [USER_PLUGIN]))
        try:
            await work(searches)
        finally:
            await searches.close()

    run_in_thread(run())


def test_long_searches_never_take_the_last_worker() -> None:
    async def work(searches: SearchQueue) -> None:
        long = [searches.submit(LONG) for _ in range(3)]
        found = await searches.submit(QUICK)
        assert found["move"]
        assert not any(search.done.done() for search in long)
        for search in long:
            search.stop()  # those that wait, too, and they need not search for long then
        assert all([(await search)["move"] for search in long])

    with_searches(ServerLimits(workers=2), work)


def test_a_full_queue_is_an_error() -> None:
    async def work(searches: SearchQueue) -> None:
        running = searches.submit(LONG)
        waiting = searches.submit(LONG)
        with pytest.raises(QueueFull, match=r"queued searches \(1\)"):
            searches.submit(LONG)
        waiting.done.cancel()
        running.done.cancel()

    with_searches(ServerLimits(workers=1, queued=1), work)


def test_a_hanging_search_is_killed_and_its_worker_replaced() -> None:
    async def work(searches: SearchQueue) -> None:
        with pytest.raises(SearchFailed, match=r"0\.2 s"):
            await searches.submit(START | {"bot": "endless"}, seconds=0.2)
        assert (await searches.submit(QUICK))["move"]

    with_searches(ServerLimits(workers=1), work)


def test_a_cancelled_search_frees_its_worker_even_if_it_hangs() -> None:
    async def work(searches: SearchQueue) -> None:
        endless = searches.submit(START | {"bot": "endless"})
        while endless.worker is None or endless.worker.pid is None:
            await asyncio.sleep(0.05)
        endless.done.cancel()
        assert (await searches.submit(QUICK))["move"]

    with_searches(ServerLimits(workers=1, seconds=3000), work)


def test_a_search_ends_at_the_servers_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tesuji.scale.worker.STOP_SECONDS", 60.0)  # it answers by itself, however late

    async def work(searches: SearchQueue) -> None:
        found = await searches.submit(START | {"bot": "mcts:iterations=2000000"})
        assert found["move"] and found["seconds"] < 30

    with_searches(ServerLimits(workers=1, seconds=0.3), work)


def test_memory_and_time_of_specs_are_limited() -> None:
    hex11 = game("hex")
    for given, limited in {
        "expert": "zero:visits=800,memory=64",
        "mcts:memory=1000": "mcts:memory=64,seconds=5",
        "mcts:memory=8,iterations=10": "mcts:memory=8,iterations=10",
    }.items():
        assert str(bounded(Spec.parse(given), hex11, 64, 5)) == limited
    assert bounded(Spec.parse("easy:seed=3"), hex11, 64).options["seed"] == "3"


def test_the_server_checks_a_level_without_loading_its_network() -> None:
    checked = (
        "from tesuji.web.specs import *; AllowedBots(ServerLimits()).check('expert:seed=1', 'hex:size=7')"
    )
    code = f"import sys; {checked}; sys.exit('tesuji.models.network' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=120).returncode == 0
    for wrong in ("expert:visits=5", "hard:iterations=5", "expert:seed=-1"):
        with pytest.raises(BadRequest, match=wrong.partition(":")[2].partition("=")[0]):
            AllowedBots(ServerLimits()).check(wrong, "hex:size=7")


def test_long_and_quick_tasks() -> None:
    assert is_long(LONG) and is_long({"task": "analyse", "bot": "easy"})
    assert not is_long(QUICK) and not is_long({"task": "read"})
