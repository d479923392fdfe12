"""Networks in the native core compute what torch does, but for rounding."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tesuji
from tests.learn.zero.nets import shaken_network
from tesuji import _core
from tesuji.models.bundled import find_weights
from tesuji.models.native import open_natively
from tesuji.models.network_format import Shape, read_weights, write_weights
from tesuji.options import OptionWarning
from tesuji.planes import planes_of

torch = pytest.importorskip("torch")

from tesuji.models.resnet import ResNet, make_network  # noqa: E402
from tesuji.models.weights import as_safetensors, copy_weights, read_network, save_weights  # noqa: E402

KERNELS = _core.network_kernels()

WITH_POOLING = "resnet:blocks=3,channels=40,head=12"
# Boards with whole and with cut tiles; moves on cells, beside the board and on no cell.
GAMES = ["hex:size=3", "hex:size=4,swap=on", "gomoku:size=9", "gomoku:size=15", "onitama:set=all"]

DIGESTS = {"gomoku": "c5f76a0f74110d0f", "hex": "1b793fe01b6b06c1"}
"""Of the outputs of bundled networks on all processors; a new network has others."""


def saved(folder: Path, game: str, net: str = WITH_POOLING) -> tuple[Path, Any]:
    """A file of random weights, and the network."""
    network, description = shaken_network(game, net)
    save_weights(network, description, folder / "network.safetensors")
    return folder / "network.safetensors", network


def opened(path: Path, kernels: str | None = None) -> _core.ResNet:
    network = open_natively(path.read_bytes(), kernels=kernels)
    assert network is not None
    return network[0]


def random_planes(shape: tuple[int, ...], count: int = 6) -> Any:
    """Planes with zeros, ones and numbers in between; the third, a board if there is one, is full."""
    random = np.random.default_rng(1)
    whole = (count, *shape)
    planes = random.integers(0, 2, whole) * np.where(random.random(whole) < 0.5, random.random(whole), 1)
    planes[:, 2] = 1
    return planes.astype(np.float32)


def planes_for(game: str, count: int = 6) -> Any:
    return random_planes(planes_of(tesuji.game(game)).shape, count)


def assert_close(found: Any, network: Any, planes: Any) -> None:
    """The outputs are those in full precision, but for rounding."""
    with torch.inference_mode():
        outputs = network(torch.from_numpy(planes))
    for ours, theirs in zip(found, (outputs.policy.numpy(), outputs.value.numpy()), strict=True):
        assert ours.shape == theirs.shape
        error = np.abs(ours - theirs)
        assert 0 < error.max() < 0.1 * np.abs(theirs).max()
        assert error.mean() < 0.03 * np.abs(theirs).mean() + 0.003


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("net", [WITH_POOLING, "resnet:blocks=1,channels=8,head=4"])
@pytest.mark.parametrize("kernels", KERNELS)
def test_outputs_are_those_of_torch_but_for_rounding(
    tmp_path: Path, game: str, net: str, kernels: str
) -> None:
    path, network = saved(tmp_path, game, net)
    planes = planes_for(game)
    assert_close(opened(path, kernels)(planes), network, planes)


def test_positions_of_onitama_have_the_outputs_of_torch_but_for_rounding(tmp_path: Path) -> None:
    game: Any = tesuji.game("onitama:set=all")
    path, network = saved(tmp_path, "onitama:set=all", "resnet:blocks=6,channels=64,head=48")
    random, found, planes = np.random.default_rng(1), [], planes_of(game)
    for seed in range(6):
        state = game.start(seed)
        while state.scores() is None:
            found.append(planes(state))
            state = state.play(int(random.choice(state.moves())))
    assert_close(opened(path)(np.stack(found)), network, np.stack(found))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("net", [WITH_POOLING, "resnet:blocks=1,channels=96,head=32"])
@pytest.mark.parametrize("kernels", KERNELS[:-1])
def test_all_instructions_give_the_same_outputs_bit_for_bit(
    tmp_path: Path, game: str, net: str, kernels: str
) -> None:
    path, _ = saved(tmp_path, game, net)
    planes = planes_for(game, count=2)
    for ours, theirs in zip(opened(path, kernels)(planes), opened(path, "portable")(planes), strict=True):
        assert np.array_equal(ours, theirs)


@pytest.mark.parametrize("name", DIGESTS)
@pytest.mark.parametrize("kernels", KERNELS)
def test_a_bundled_network_has_the_same_outputs_on_every_machine(name: str, kernels: str) -> None:
    network = opened(find_weights(Path(name)), kernels)
    planes = random_planes((19 if name == "gomoku" else 6, 9, 9), count=2)
    content = b"".join(output.astype("<f4").tobytes() for output in network(planes))
    assert hashlib.sha256(content).hexdigest()[:16] == DIGESTS[name]


@pytest.mark.parametrize("board", [(1, 1), (1, 9), (5, 3), (4, 8), (11, 11)])
def test_one_network_evaluates_boards_of_every_size(tmp_path: Path, board: tuple[int, int]) -> None:
    path, network = saved(tmp_path, "hex:size=4")
    planes = random_planes((6, *board))
    assert_close(opened(path)(planes), network, planes)


def test_no_positions_have_no_outputs(tmp_path: Path) -> None:
    path, _ = saved(tmp_path, "hex:size=4")
    policy, value = opened(path)(np.zeros((0, 6, 4, 4), np.float32))
    assert (policy.shape, value.shape) == ((0, 16), (0,))


@pytest.mark.threads
def test_outputs_depend_neither_on_the_batch_nor_on_other_threads(tmp_path: Path) -> None:
    path, _ = saved(tmp_path, "hex:size=5")
    network = opened(path)
    small, large = planes_for("hex:size=5", 12), planes_for("hex:size=7", 12)
    policies = network(small)[0], network(large)[0]
    with ThreadPoolExecutor(4) as threads:
        pairs = [
            (threads.submit(network, small[i : i + 1]), threads.submit(network, large[i : i + 1]))
            for i in range(12)
        ]
        for i, pair in enumerate(pairs):
            for found, policy in zip(pair, policies, strict=True):
                assert np.array_equal(found.result()[0], policy[i : i + 1])


def test_a_network_with_auxiliary_heads_of_an_earlier_version_plays_without_them(tmp_path: Path) -> None:
    path, network = saved(tmp_path, "hex:size=4", WITH_POOLING)
    weights, description = read_weights(path.read_bytes())
    old = {**weights, "policy.soft.last.weight": np.zeros((1, 8, 1, 1), np.float32)}
    path.write_bytes(write_weights(old, replace(description, net=f"{description.net},soft=on")))
    planes = planes_for("hex:size=4")
    with pytest.warns(OptionWarning, match="no longer has the option soft"):
        assert_close(opened(path)(planes), network, planes)
    with pytest.warns(OptionWarning, match="no longer has the option soft"):
        assert "soft" not in dict(read_network(path.read_bytes())[0].named_parameters())


SHAPE: dict[str, Any] = {
    "planes": 6,
    "channels": 40,
    "pooled": [0, 0, 10],
    "head": 12,
    "policy_planes": 1,
    "extras": 0,
}
SHAPE |= {"rows": 4, "columns": 4, "kernels": "portable"}


def refused(weights: dict[str, Any], **changes: Any) -> str:
    with pytest.raises(ValueError) as caught:
        _core.ResNet(weights, **{**SHAPE, **changes})
    return str(caught.value)


def test_weights_that_do_not_fit_are_refused() -> None:
    weights = copy_weights(shaken_network("hex:size=4", WITH_POOLING)[0])
    assert _core.ResNet(weights, **SHAPE) is not None
    bias = "value.cells.bias"
    assert f"{bias} is missing" in refused({name: each for name, each in weights.items() if name != bias})
    assert f"{bias} is 11, not 12" in refused({**weights, bias: np.zeros(11, np.float32)})
    assert "it has no value.rows" in refused({**weights, "value.rows": np.zeros(1, np.float32)})
    turned = np.ascontiguousarray(weights["stem.weight"].transpose(1, 0, 2, 3))
    assert "stem.weight is 6 × 40 × 3 × 3, not 40 × 6 × 3 × 3" in refused({**weights, "stem.weight": turned})
    assert "weights must be float32 arrays, not 'x'" in refused({**weights, bias: "x"})
    for large in (np.float32(3e38), np.float32("nan")):
        conv = weights["blocks.0.conv1.weight"].copy()
        conv[0, 0, 1, 1] = large
        if np.isnan(large):
            assert "not finite" in refused({**weights, "blocks.0.conv1.weight": conv})
        else:  # may overflow, but not crash
            assert _core.ResNet({**weights, "blocks.0.conv1.weight": conv}, **SHAPE) is not None
    tiny = {name: array * np.float32(1e-44) for name, array in weights.items()}
    assert np.isfinite(_core.ResNet(tiny, **SHAPE)(planes_for("hex:size=4"))[0]).all()


def test_sizes_that_no_network_has_are_refused() -> None:
    weights = copy_weights(shaken_network("hex:size=4", WITH_POOLING)[0])
    for changes in (
        {"head": -1},
        {"channels": 1 << 30},
        {"pooled": [0, 0, 40]},
        {"pooled": [5, 0, 10]},
        {"policy_planes": 0},
    ):
        assert "no residual network of these sizes" in refused(weights, **changes)
    assert "there are no kernels 'abacus' here (" in refused(weights, kernels="abacus")


def test_planes_that_do_not_fit_are_refused() -> None:
    network = _core.ResNet(copy_weights(shaken_network("hex:size=4", WITH_POOLING)[0]), **SHAPE)
    for shape, says in (
        ((1, 5, 4, 4), "the network takes 6 planes, not 5"),
        ((1, 6, 0, 4), "a board has from 1 to 4096 cells, not 0 × 4"),
        ((0, 6, 50_000, 50_000), "a board has from 1 to 4096 cells, not 50000 × 50000"),
    ):
        with pytest.raises(ValueError, match=says):
            network(np.zeros(shape, np.float32))


def test_a_dense_policy_is_for_boards_of_one_size() -> None:
    """Of a game whose moves are on no cells."""
    _, description = shaken_network("hex:size=4")
    shape = Shape(planes=5, rows=3, columns=4, policy_planes=0, extras=7)
    names = ("a", "b", "c", "d", "e")
    network = make_network(WITH_POOLING, shape, seed=1)
    with torch.no_grad():
        for weight in network.parameters():
            weight.add_(torch.rand_like(weight) * 0.1)
    content = as_safetensors(network, replace(description, net=WITH_POOLING, names=names, shape=shape))
    found = open_natively(content)
    assert found is not None
    planes = random_planes((5, 3, 4))
    assert_close(found[0](planes), network, planes)
    for rows, columns in ((4, 4), (4, 3), (1, 12)):
        with pytest.raises(ValueError, match="this network is for boards of 3 × 4 cells"):
            found[0](random_planes((5, rows, columns)))


def test_a_file_whose_blocks_are_not_those_of_its_description_is_refused(tmp_path: Path) -> None:
    network, description = shaken_network("hex:size=4", "resnet:blocks=2,channels=32,head=12")
    other = ResNet(description.shape, blocks=3, channels=32, head=12)
    assert isinstance(description.shape, Shape)
    content = as_safetensors(other, replace(description, training={}))
    with pytest.raises(ValueError, match="the weights do not fit this network: it has no blocks.2"):
        open_natively(content)
    assert open_natively(as_safetensors(network, description)) is not None


def test_a_network_plays_with_numpy_alone(tmp_path: Path) -> None:
    path, _ = saved(tmp_path, "hex:size=3")
    for source in ("hex", path):
        code = f"""
import sys
for name in ("torch", "onnx", "safetensors", "scipy"):
    sys.modules[name] = None
import tesuji
from tesuji.models.network import Network
game = tesuji.game("hex:size=3")
bot = tesuji.bot({f"zero:net={source},visits=9,seed=1"!r}, game)
print(game.default_bot, Network({str(source)!r}, game).engine, bot.choose(game.start()))
"""
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
        assert done.stdout.startswith(f"zero native core, {KERNELS[0]} "), done.stderr
