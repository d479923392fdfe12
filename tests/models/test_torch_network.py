"""Networks in torch: they say what the native core does, and threads share the batches of a GPU."""

from __future__ import annotations

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import tesuji
from tesuji.models.batching import SharedNetwork
from tesuji.models.network import Network
from tesuji.search.zero import Zero

torch = pytest.importorskip("torch")


def planes_of_a_game(network: Network, game: Any, plies: int) -> Any:
    state, rng, found = game.start(), random.Random(1), []
    for _ in range(plies):
        found.append(network.planes(state))
        state = state.play(rng.choice(state.moves()))
    return np.stack(found).astype(np.float32)


@pytest.mark.parametrize("spec", ["hex", "hex:size=7", "gomoku"])
def test_the_bundled_networks_say_nearly_the_same_in_torch(spec: str) -> None:
    game = tesuji.game(spec)
    network, exact = (Network(spec.partition(":")[0], game, exact=exact) for exact in (False, True))
    assert (network.engine.split(",")[0], exact.engine) == ("native core", "torch")
    planes = planes_of_a_game(network, game, 12)
    for ours, theirs in zip(network(planes), exact(planes), strict=True):
        assert theirs.shape == ours.shape
        assert 0 < np.abs(ours - theirs).mean() < 0.1 * np.abs(theirs).mean()


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
def test_a_gpu_says_what_the_processor_does_but_for_half_precision() -> None:
    game = tesuji.game("hex")
    exact = Network("hex", game, exact=True)
    planes = planes_of_a_game(exact, game, 12)
    for one, other in zip(exact(planes), Network("hex", game, device="cuda")(planes), strict=True):
        assert other == pytest.approx(one, rel=0.02, abs=0.05)


def test_two_copies_of_a_network_evaluate_at_the_same_time() -> None:
    both = threading.Barrier(2, timeout=60)

    def evaluate(planes: Any) -> Any:
        both.wait()  # for the other copy
        return planes.reshape(len(planes), -1), planes.sum((1, 2, 3))

    shared = SharedNetwork([evaluate, lambda planes: evaluate(planes)], limit=1)
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(shared, [np.full((1, 1, 2, 2), number, np.float32) for number in range(6)]))
    assert [value.tolist() for _, value in answers] == [[4.0 * number] for number in range(6)]
    assert shared.batches == 6


def test_requests_that_arrive_together_form_one_batch() -> None:
    sizes = []

    def slow(planes: Any) -> Any:
        sizes.append(len(planes))
        time.sleep(0.02)
        return planes.reshape(len(planes), -1), planes.sum((1, 2, 3))

    shared = SharedNetwork([slow], limit=8)
    requests = [np.full((rows, 1, 2, 2), number, np.float32) for number, rows in enumerate([1, 3, 2] * 8)]
    with ThreadPoolExecutor(24) as pool:
        answers = list(pool.map(shared, requests))
    for number, (request, (policy, value)) in enumerate(zip(requests, answers, strict=True)):
        assert policy.shape == (len(request), 4)
        assert (policy == number).all() and (value == 4 * number).all()
    assert sum(sizes) == 48
    assert shared.batches == len(sizes) < 24
    assert max(sizes) <= 8


def test_boards_of_other_sizes_are_evaluated_apart() -> None:
    shared = SharedNetwork([lambda planes: (planes.reshape(len(planes), -1), planes[:, 0, 0, 0])], limit=64)
    requests = [np.ones((2, 1, size, size), np.float32) for size in (2, 3, 2, 3, 4)]
    with ThreadPoolExecutor(5) as pool:
        answers = list(pool.map(shared, requests))
    assert [policy.shape for policy, _ in answers] == [(2, size * size) for size in (2, 3, 2, 3, 4)]


def test_an_error_reaches_every_caller_of_the_batch_and_the_next_call_works() -> None:
    broken = True

    def evaluate(planes: Any) -> Any:
        if broken:
            raise ArithmeticError("out of order")
        return planes, planes

    shared = SharedNetwork([evaluate], limit=64)
    for _ in range(2):
        with pytest.raises(ArithmeticError, match="out of order"):
            shared(np.zeros((1, 1, 2, 2), np.float32))
    broken = False
    assert len(shared(np.zeros((3, 1, 2, 2), np.float32))[0]) == 3


@pytest.mark.threads
def test_searches_in_threads_share_a_network_and_find_what_each_finds_alone() -> None:
    game = tesuji.game("hex:size=7")
    states = [tesuji.replay(game, moves) for moves in ("", "d4", "c3 d4", "b2 e5 d4")]

    def visits(bot: Zero, state: Any) -> Any:
        return [(each.move, each.visits) for each in bot.analyse(state).candidates]

    def bots() -> list[Zero]:
        return [Zero(game, visits=40, threads=2, batch_size=1, seed=1) for _ in states]

    alone = [visits(bot, state) for bot, state in zip(bots(), states, strict=True)]
    shared = SharedNetwork([Network("hex", game)], limit=64)
    together = bots()
    for bot in together:
        bot.network._evaluate = shared
    with ThreadPoolExecutor(len(states)) as pool:
        assert list(pool.map(visits, together, states)) == alone
    assert shared.batches > 0


def test_a_gpu_that_is_not_there_is_named_in_one_line() -> None:
    if torch.cuda.is_available():
        pytest.skip("there is one")
    with pytest.raises(ValueError, match="no CUDA device found; use device=cpu"):
        Zero("hex", device="cuda")
