"""A network for a GPU: torch computes what onnxruntime does, and threads share its batches."""

from __future__ import annotations

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tesuji
from tests.learn.zero.nets import shaken_network
from tesuji.models.batching import SharedNetwork
from tesuji.models.network import Network, find_network
from tesuji.search.zero import Zero

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")


def planes_of_a_game(network: Network, game: Any, plies: int) -> Any:
    state, rng, found = game.start(), random.Random(1), []
    for _ in range(plies):
        found.append(network.planes(state))
        state = state.play(rng.choice(state.moves()))
    return np.stack(found).astype(np.float32)


def onnx_file(name: str) -> Path:
    return find_network(name).with_suffix(".onnx")


@pytest.mark.parametrize("spec", ["hex", "hex:size=7", "gomoku"])
def test_the_bundled_networks_say_the_same_in_torch(spec: str) -> None:
    from tesuji.models.gpu import TorchEvaluator

    game = tesuji.game(spec)
    path = onnx_file(spec.partition(":")[0])
    network = Network(path, game)
    planes = planes_of_a_game(network, game, 12)
    policy, value = network(planes)
    content = path.read_bytes()
    ours = TorchEvaluator(content, torch.device("cpu"), precision="rounded")(planes)
    # A rounding may fall on the other side; a wrong weight or operation changes all logits.
    differences = np.abs(ours[0] - policy)
    assert differences.mean() < 0.01
    assert (differences > 0.2).mean() < 0.001
    assert differences.max() < 0.5
    assert ours[1] == pytest.approx(value, abs=0.02)


@pytest.mark.parametrize("name", ["hex", "gomoku"])
def test_half_precision_is_the_network_without_rounded_activations(name: str) -> None:
    from tesuji.models.gpu import TorchEvaluator
    from tesuji.models.onnx_torch import TorchModel

    game = tesuji.game(name)
    planes = planes_of_a_game(Network(name, game), game, 12)
    content = onnx_file(name).read_bytes()
    with torch.inference_mode():
        exact = TorchModel(content, torch.device("cpu"), rounded=False)(torch.from_numpy(planes))
    half = TorchEvaluator(content, torch.device("cpu"))(planes)
    for one, other in zip(exact, half, strict=True):
        assert other.dtype == np.float32
        assert other == pytest.approx(one.numpy(), rel=0.02, abs=0.05)


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


@pytest.mark.parametrize("spec", ["hex:size=5", "hex:size=5,swap=off", "gomoku:size=9"])
@pytest.mark.parametrize("suffix", ["onnx", "safetensors"])
def test_an_exported_network_says_the_same_in_torch(spec: str, suffix: str, tmp_path: Path) -> None:
    from tesuji.learn.zero.export import export
    from tesuji.models.gpu import TorchEvaluator
    from tesuji.models.weights import save_weights

    path = tmp_path / f"network.{suffix}"
    (export if suffix == "onnx" else save_weights)(*shaken_network(spec), path)
    game = tesuji.game(spec)
    network = Network(path, game, exact=True)
    planes = planes_of_a_game(network, game, 6)
    content = path.read_bytes()
    exact = TorchEvaluator(content, torch.device("cpu"), precision="rounded")(planes)
    half = TorchEvaluator(content, torch.device("cpu"), precision="half")(planes)
    for one, other, rough in zip(network(planes), exact, half, strict=True):
        assert other == pytest.approx(one, abs=1e-3)
        assert rough == pytest.approx(one, rel=0.02, abs=0.05)


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
        return [Zero(game, visits=40, threads=2, batch=1, seed=1) for _ in states]

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
