"""Distillation: a network learns from the outputs of another one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tesuji
from tests.learn.zero.nets import TINY, shaken_network, small_run
from tesuji.learn.zero.config import ZeroConfig

torch = pytest.importorskip("torch")

from tesuji.learn.zero.batches import Teacher  # noqa: E402
from tesuji.learn.zero.learner import Learner, TensorBatch  # noqa: E402
from tesuji.learn.zero.train import Training  # noqa: E402
from tesuji.models.resnet import make_network  # noqa: E402
from tesuji.models.weights import read_network, save_weights  # noqa: E402
from tesuji.planes import planes_of  # noqa: E402

CPU = torch.device("cpu")
SPEC = "hex:size=4"


def saved_teacher(tmp_path: Path, game: str = SPEC) -> Path:
    path = tmp_path / "teacher.safetensors"
    save_weights(*shaken_network(game), path)
    return path


def samples(rows: int = 32) -> TensorBatch:
    rng = np.random.default_rng(1)
    game = tesuji.game(SPEC)
    planes = planes_of(game)
    images = []
    for row in range(rows):
        state = game.start()
        for _ in range(row % 6):
            state = state.play(int(rng.choice(list(state.moves()))))
        images.append(planes(state))
    policy = torch.softmax(torch.from_numpy(rng.normal(size=(rows, 16))).float(), 1)
    policy[: rows // 2] = 0  # fast searches
    return TensorBatch(
        planes=torch.from_numpy(np.stack(images)),
        policy=policy,
        value=torch.from_numpy(rng.integers(0, 2, rows)).float(),
        value_weight=torch.ones(rows),
        reply=torch.zeros(rows, 16),
        moves_left=torch.zeros(rows),
    )


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_the_targets_are_mixed_by_the_share(tmp_path: Path, share: float) -> None:
    path, batch = saved_teacher(tmp_path), samples()
    taught = Teacher(path, planes_of(tesuji.game(SPEC)), CPU, share=share).teach(batch)
    network, _ = read_network(path.read_bytes())
    outputs = network(batch.planes)
    policy, value = torch.softmax(outputs.policy, 1), torch.sigmoid(outputs.value)
    half = len(batch.planes) // 2
    assert torch.allclose(taught.policy[:half], policy[:half], atol=1e-5)  # they had no target
    assert torch.allclose(taught.policy[half:], torch.lerp(batch.policy, policy, share)[half:], atol=1e-5)
    assert torch.allclose(taught.value, torch.lerp(batch.value, value, share), atol=1e-5)
    for name in set(batch._fields) - {"policy", "value"}:
        assert torch.equal(getattr(taught, name), getattr(batch, name))


def test_a_network_of_another_size_learns_what_its_teacher_says(tmp_path: Path) -> None:
    path, batch = saved_teacher(tmp_path), samples()
    planes = planes_of(tesuji.game(SPEC))
    teacher = Teacher(path, planes, CPU, share=1.0)
    network, description = read_network(path.read_bytes())
    student = make_network("resnet:blocks=1,channels=16,head=8", description.shape, 2)
    learner = Learner(student, ZeroConfig(learning_rate=0.01, warm_up=0, average=0.5), CPU)

    def distance() -> tuple[float, float]:
        ours, theirs = learner.averaged(batch.planes), network(batch.planes)
        apart = torch.softmax(ours.policy, 1) - torch.softmax(theirs.policy, 1)
        values = torch.sigmoid(ours.value) - torch.sigmoid(theirs.value)
        return float(apart.abs().sum(1).mean()), float(values.abs().mean())

    before = distance()
    for _ in range(150):
        learner.learn(teacher.teach(batch))
    after = distance()
    assert after[0] < 0.5 * before[0] and after[1] < 0.5 * before[1]


def test_a_run_with_a_teacher_says_so_in_its_network(tmp_path: Path) -> None:
    given = small_run(SPEC, tmp_path / "unused").config.changed() | {"teacher_share": "1", "net": TINY}
    run = Training(
        tesuji.game(SPEC), tmp_path / "run", given=given, device="cpu", teacher=saved_teacher(tmp_path)
    )
    run.run(iterations=1)
    _, description = read_network((tmp_path / "run" / "network.safetensors").read_bytes())
    assert description.training["teacher"]["game"] == SPEC
    assert description.training["config"]["teacher_share"] == "1"


def test_a_teacher_with_other_planes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"cannot learn from .*teacher\.safetensors: its planes are"):
        Training(
            tesuji.game(SPEC),
            tmp_path / "run",
            given={"net": TINY},
            device="cpu",
            teacher=saved_teacher(tmp_path, "gomoku:size=5"),
        )
