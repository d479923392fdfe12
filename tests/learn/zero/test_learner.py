"""Learning: losses, learning rate and averaged weights follow their formulas; NaN is an error."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np
import pytest

from tests.learn.zero.nets import TINY, shaken_network
from tesuji.learn.zero.config import ZeroConfig

torch = pytest.importorskip("torch")

from tesuji.learn.zero.learner import Learner, TensorBatch, TrainingError  # noqa: E402
from tesuji.models.weights import load_weights  # noqa: E402

CPU = torch.device("cpu")


def learner(**settings: object) -> Learner:
    config = ZeroConfig(**{"net": TINY, "warm_up": 0, **settings})  # type: ignore[arg-type]
    return Learner(shaken_network("hex:size=3")[0], config, CPU)


def samples(rows: int = 16, seed: int = 1) -> TensorBatch:
    random = torch.Generator().manual_seed(seed)
    policy, reply = (torch.softmax(torch.randn(rows, 9, generator=random), 1) for _ in range(2))
    policy[: rows // 2] = 0  # searched in haste
    reply[rows // 4 :] = 0
    planes = torch.randn(rows, len(shaken_network("hex:size=3")[1].names), 3, 3, generator=random)
    moves_left = torch.randint(0, 9, (rows,), generator=random).float()
    value = torch.rand(rows, generator=random)
    known = torch.ones(rows)
    return TensorBatch(planes, policy, value, known, reply, moves_left)


def test_the_losses_are_what_the_formulas_say() -> None:
    one, batch = learner(), samples()
    with torch.no_grad():
        outputs = one.network(batch.planes)
    losses = {name: float(loss) for name, loss in one.learn(batch)._asdict().items()}
    policy, value, left = (
        np.asarray(x, dtype=np.float64) for x in (outputs.policy, outputs.value, outputs.moves_left)
    )
    logs = policy - np.log(np.exp(policy).sum(1, keepdims=True))
    target = np.asarray(batch.policy, dtype=np.float64)
    assert losses["policy"] == pytest.approx(-(target * logs).sum(1)[8:].mean(), rel=1e-4)
    won, p = np.asarray(batch.value, dtype=np.float64), 1 / (1 + np.exp(-value))
    entropy = -(won * np.log(p) + (1 - won) * np.log(1 - p)).mean()
    assert losses["value"] == pytest.approx(entropy, rel=1e-4)
    error = np.abs(left - np.log1p(np.asarray(batch.moves_left)))
    huber = np.where(error < 1, error**2 / 2, error - 0.5).mean()
    assert losses["moves_left"] == pytest.approx(huber, rel=1e-4)
    config = one.config
    together = (
        losses["policy"] + config.value_loss_weight * entropy + config.reply_loss_weight * losses["reply"]
    )
    assert losses["total"] == pytest.approx(together + config.moves_left_loss_weight * huber, rel=1e-4)


def test_without_a_result_there_is_no_loss_of_value_and_moves_left() -> None:
    batch = samples()
    known = (torch.arange(16) % 4 > 0).float()
    told = batch._replace(value_weight=known)
    wrong = told._replace(
        value=torch.where(known > 0, batch.value, 1 - batch.value),
        moves_left=torch.where(known > 0, batch.moves_left, batch.moves_left + 50),
    )
    one, other = learner(), learner()
    assert one.learn(told) == other.learn(wrong)
    for ours, theirs in zip(one.network.parameters(), other.network.parameters(), strict=True):
        assert torch.equal(ours, theirs)
    assert one.learn(told).value != learner().learn(batch).value


def test_repeating_one_batch_fits_it() -> None:
    one, batch = learner(learning_rate=1e-2), samples()
    first = one.learn(batch)
    for _ in range(60):
        last = one.learn(batch)
    assert last.policy < first.policy
    assert last.value < first.value - 0.02
    assert last.moves_left < first.moves_left


def test_a_batch_without_policy_targets_trains_the_value_alone() -> None:
    one, batch = learner(), samples()
    nothing = torch.zeros_like(batch.policy)
    losses = one.learn(batch._replace(policy=nothing, reply=nothing))
    assert losses.policy == 0
    assert losses.value > 0
    one.check()


def test_the_learning_rate_warms_up_and_decays_to_a_tenth() -> None:
    one = learner(learning_rate=1e-3, warm_up=10, steps=100, decay_share=1)
    rates = []
    for one.step in range(101):
        rates.append(one.rate)
    assert rates[0] == pytest.approx(1e-4, rel=0.01)
    assert max(rates) == rates[9]
    assert rates[100] == pytest.approx(1e-4)
    assert all(a >= b for a, b in zip(rates[9:], rates[10:], strict=False))


def test_the_averaged_weights_are_a_moving_average() -> None:
    one, batch = learner(average=0.9, learning_rate=1e-2), samples()
    network, twin = cast(Any, one.network), cast(Any, one.averaged)
    weight, averaged = network.value.last.bias, twin.value.last.bias
    expected, keeps = averaged.clone(), []
    for step in range(1, 200):
        one.learn(batch)
        keep = min(0.9, step / (step + 10))
        keeps.append(keep)
        expected = keep * expected + (1 - keep) * weight.detach()
    assert keeps[0] < 0.1 and keeps[-1] == 0.9
    assert torch.allclose(averaged, expected, atol=1e-5)
    assert not averaged.requires_grad


def test_a_gradient_is_clipped() -> None:
    one = learner(clip=1e-3, learning_rate=1e-3)
    one.learn(samples())
    gradients = [weight.grad for weight in one.network.parameters() if weight.grad is not None]
    assert math.sqrt(sum(float((each**2).sum()) for each in gradients)) <= 1.01e-3


def test_a_weight_that_is_not_finite_is_an_error() -> None:
    one = learner()
    one.check()
    with torch.no_grad():
        cast(Any, one.network).stem.weight[0, 0, 0, 0] = math.nan
    with pytest.raises(TrainingError, match="stem.weight is not finite"):
        one.check()


def test_training_resumes_from_arrays_bit_for_bit() -> None:
    one, batches = learner(), [samples(seed=seed) for seed in range(6)]
    for batch in batches[:3]:
        one.learn(batch)
    other = learner()
    other.restore(one.arrays(), one.step)
    for batch in batches[3:]:
        one.learn(batch)
        other.learn(batch)
    ours, theirs = one.arrays(), other.arrays()
    assert one.step == other.step == 6
    assert ours.keys() == theirs.keys()
    assert all(ours[name].tobytes() == theirs[name].tobytes() for name in ours)


def test_weights_of_another_network_are_refused() -> None:
    arrays = learner().arrays()
    other, _ = shaken_network("hex:size=3", "resnet:blocks=1,channels=16,head=4")
    weights = {name.removeprefix("net/"): array for name, array in arrays.items() if name.startswith("net/")}
    with pytest.raises(ValueError, match="the weights do not fit this network: "):
        load_weights(other, weights)
