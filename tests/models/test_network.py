"""Network files: play computes what training did, and files for other games are refused."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tesuji
from tests.learn.zero.nets import shaken_network
from tesuji.models.network import Network
from tesuji.models.network_format import METADATA, Description, Shape, calibrate
from tesuji.planes import planes_of

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")

from tesuji.learn.zero.export import export, round_to_half, to_onnx  # noqa: E402
from tesuji.learn.zero.quantize import to_int8  # noqa: E402
from tesuji.models.weights import read_mean, save_weights  # noqa: E402

GAME = "hex:size=4,swap=on"
ONITAMA = "onitama:cards=crab-tiger-monkey-crane-ox"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("networks") / "hex4.onnx"
    export(*shaken_network(GAME), path)
    return path


def positions(game: str = GAME, count: int = 20) -> np.ndarray[Any, np.dtype[np.float32]]:
    """The planes of positions on the way of a random game."""
    state: Any = tesuji.game(game).start()
    planes, random = planes_of(tesuji.game(game)), np.random.default_rng(1)
    found: list[Any] = []
    while state.scores() is None and len(found) < count:
        found.append(planes(state))
        state = state.play(state.moves()[random.integers(len(state.moves()))])
    return np.stack(found)


def test_a_file_of_weights_and_an_onnx_file_compute_what_the_network_does(tmp_path: Path, file: Path) -> None:
    network, description = shaken_network(GAME)
    save_weights(network, description, tmp_path / "hex4.safetensors")
    planes = positions()
    outputs = round_to_half(network)(torch.from_numpy(planes))
    for path in (file, tmp_path / "hex4.safetensors"):
        opened = Network(path, tesuji.game(GAME), exact=True)
        policy, value = opened(planes)
        assert opened.description == description
        assert np.allclose(policy, outputs.policy.detach().numpy(), atol=1e-5)
        assert np.allclose(value, outputs.value.detach().numpy(), atol=1e-5)
    assert policy.std() > 0.01  # and it says something


def test_the_mean_of_networks_has_the_mean_of_each_weight(tmp_path: Path) -> None:
    paths = [tmp_path / "first.safetensors", tmp_path / "second.safetensors"]
    first, description = shaken_network(GAME)
    save_weights(first, description, paths[0])
    second, _ = shaken_network(GAME)
    with torch.no_grad():
        for weight in second.parameters():
            weight.add_(1)
    save_weights(second, replace(description, training={"steps": 7}), paths[1])
    mean, described = read_mean(paths)
    for before, after in zip(first.parameters(), mean.parameters(), strict=True):
        assert torch.allclose(after, before + 0.5, atol=2e-3)
    assert described.training == {"steps": 7, "averaged": 2}


def test_networks_for_other_planes_or_of_another_size_are_not_averaged(tmp_path: Path) -> None:
    hexagonal, gomoku, large = (tmp_path / f"{name}.safetensors" for name in ("hex", "gomoku", "large"))
    save_weights(*shaken_network(GAME), hexagonal)
    save_weights(*shaken_network("gomoku:size=5"), gomoku)
    save_weights(*shaken_network(GAME, net="resnet:blocks=2,channels=8"), large)
    with pytest.raises(ValueError, match=f"cannot use {gomoku}: it has other planes than {hexagonal}"):
        read_mean([hexagonal, gomoku])
    with pytest.raises(ValueError, match=f"cannot use {large}: its network is resnet:blocks=2,channels=8"):
        read_mean([hexagonal, large])


def test_half_precision_halves_the_file_and_costs_little(tmp_path: Path) -> None:
    network, description = shaken_network(GAME, "resnet:blocks=3,channels=32")
    export(network, description, tmp_path / "half.onnx")
    weights = sum(weight.numel() for weight in network.parameters())
    assert (tmp_path / "half.onnx").stat().st_size < 3 * weights
    planes = positions()
    exact = network(torch.from_numpy(planes))
    policy, value = Network(tmp_path / "half.onnx")(planes)
    assert np.abs(policy - exact.policy.detach().numpy()).max() < 0.05
    assert np.abs(value - exact.value.detach().numpy()).max() < 0.05


def test_the_same_network_makes_the_same_file() -> None:
    assert to_onnx(*shaken_network(GAME)) == to_onnx(*shaken_network(GAME))


def test_int8_outputs_are_close_to_full_precision(tmp_path: Path) -> None:
    network, description = shaken_network(GAME, "resnet:blocks=2,channels=16")
    path = tmp_path / "int8.onnx"
    path.write_bytes(to_int8(network, description, tesuji.game(GAME)))
    planes = positions()
    exact = network(torch.from_numpy(planes))
    policy, value = Network(path, tesuji.game(GAME))(planes)
    for ours, theirs in ((policy, exact.policy), (value, exact.value)):
        error = np.abs(ours - theirs.detach().numpy()).max()
        assert 1e-6 < error < 0.1 * np.abs(ours).max()
    kinds = {node.op_type for node in onnx.load(path).graph.node}
    assert "QuantizeLinear" in kinds
    assert to_int8(network, description, tesuji.game(GAME)) == path.read_bytes()


def refused(path: Path, game: str = GAME) -> str:
    with pytest.raises(ValueError) as caught:
        Network(path, tesuji.game(game))
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_a_network_of_another_game_or_rule_is_refused(file: Path, tmp_path: Path) -> None:
    assert f"trained for {GAME}, not for gomoku:size=9" in refused(file, "gomoku:size=9")
    assert "swap" in refused(file, "hex:size=4")
    fixed = tmp_path / "onitama.onnx"
    export(*shaken_network(ONITAMA), fixed)
    assert f"trained for {ONITAMA}, not for" in refused(fixed, f"{ONITAMA},ply_limit=9")


def test_one_network_plays_every_size_with_the_swap_and_without(tmp_path: Path) -> None:
    network, description = shaken_network("hex:size=4")
    for path in (tmp_path / "hex.onnx", tmp_path / "hex.safetensors"):
        (export if path.suffix == ".onnx" else save_weights)(network, description, path)
        for size in (3, 4, 7):
            planes = positions(f"hex:size={size}")
            policy, value = Network(path, tesuji.game(f"hex:size={size}"), exact=True)(planes)
            outputs = round_to_half(network)(torch.from_numpy(planes))
            assert np.allclose(policy, outputs.policy.detach().numpy(), atol=1e-5)
            assert np.allclose(value, outputs.value.detach().numpy(), atol=1e-5)
        swap = Network(path, tesuji.game("hex:size=5,swap=on"))
        assert swap.planes.policy_size == 25


@pytest.mark.parametrize(
    "spec", ["gomoku:size=9,rule=renju", "gomoku:size=20", "gomoku:size=7,rule=standard"]
)
def test_one_network_plays_every_rule_and_size_of_gomoku(tmp_path: Path, spec: str) -> None:
    network, description = shaken_network("gomoku:size=8")
    path = tmp_path / "gomoku.onnx"
    export(network, description, path)
    planes = positions(spec)
    policy, value = Network(path, tesuji.game(spec))(planes)
    outputs = round_to_half(network)(torch.from_numpy(planes))
    assert np.allclose(policy, outputs.policy.detach().numpy(), atol=1e-4)
    assert np.allclose(value, outputs.value.detach().numpy(), atol=1e-4)
    game = tesuji.game(spec)
    move = tesuji.bot(f"zero:net={path},visits=8", game).choose(game.start())
    assert move in game.start().moves()


def test_a_file_for_one_size_plays_only_that_size(tmp_path: Path) -> None:
    network, description = shaken_network("hex:size=4")
    fixed = replace(description, shape=replace(description.shape, board=None))
    path = tmp_path / "hex4.onnx"
    export(network, fixed, path)
    planes = positions("hex:size=4")
    policy, _ = Network(path, tesuji.game("hex:size=4"))(planes)
    assert np.allclose(
        policy, round_to_half(network)(torch.from_numpy(planes)).policy.detach().numpy(), atol=1e-5
    )
    for other in ("hex:size=5", "hex:size=4,swap=on"):
        assert f"trained for hex:size=4, not for {other}" in refused(tmp_path / "hex4.onnx", other)


def changed(file: Path, tmp_path: Path, **changes: Any) -> Path:
    """The same file with another description."""
    model = onnx.load(file)
    found = json.loads(model.metadata_props[0].value)
    for key, value in changes.items():
        where = found["planes"] if key in found["planes"] else found
        where[key] = value
    model.metadata_props[0].value = json.dumps(found)
    path = tmp_path / "changed.onnx"
    path.write_bytes(model.SerializeToString())
    return path


def test_planes_of_another_version_or_kind_are_refused(file: Path, tmp_path: Path) -> None:
    assert "its planes are version 2 with" in refused(changed(file, tmp_path, version=2))
    names = ["own-as-seen-by-mars", *planes_of(tesuji.game(GAME)).names[1:]]
    assert f"its planes are version 1 with {names[0]}" in refused(changed(file, tmp_path, names=names))


def test_a_description_that_does_not_match_the_network_is_refused(file: Path, tmp_path: Path) -> None:
    fixed = tmp_path / "fixed.onnx"
    export(*shaken_network(ONITAMA), fixed)
    assert "its planes have the shape" in refused(changed(fixed, tmp_path, rows=6, columns=6), ONITAMA)
    assert "its policy has 17 moves; its description says 18" in refused(changed(file, tmp_path, extras=2))
    assert "its format is 2" in refused(changed(file, tmp_path, format=2))
    assert "its kind is 'linear value'" in refused(changed(file, tmp_path, kind="linear value"))
    assert "'rows' must be an integer" in refused(changed(file, tmp_path, rows="x"))
    assert "rows=100, columns=100" in refused(changed(file, tmp_path, rows=100, columns=100))


@pytest.mark.parametrize("options", [{"game": 1}, {"self": True}, {"": None}, {"patterns": 1}])
def test_unknown_plane_options_are_refused(file: Path, tmp_path: Path, options: dict[str, Any]) -> None:
    assert "option" in refused(changed(file, tmp_path, options=options))


def test_a_damaged_file_is_refused(file: Path, tmp_path: Path) -> None:
    content = file.read_bytes()
    path = tmp_path / "damaged.onnx"
    for damaged in (b"", content[: len(content) // 2], b"not a network", content[:200] + b"\xff" * 400):
        path.write_bytes(damaged)
        assert refused(path)
    network, description = shaken_network(GAME)
    save_weights(network, description, path)
    path.write_bytes(path.read_bytes()[:-8])
    assert "not a safetensors file, or damaged" in refused(path)


def test_weights_that_are_not_finite_are_refused(tmp_path: Path) -> None:
    network, description = shaken_network(GAME)
    next(network.parameters()).data[0] = float("nan")
    path = tmp_path / "weights"
    save_weights(network, description, path)
    assert "not finite" in refused(path)
    export(network, description, path)
    assert "not finite" in refused(path)


def test_an_onnx_file_without_a_description_is_refused(file: Path, tmp_path: Path) -> None:
    model = onnx.load(file)
    del model.metadata_props[:]
    path = tmp_path / "foreign.onnx"
    path.write_bytes(model.SerializeToString())
    assert "no description" in refused(path)


class Bomb:
    """What runs code when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.path,)


def test_a_pickle_is_refused_and_nothing_in_it_runs(tmp_path: Path) -> None:
    flag, path = tmp_path / "it ran", tmp_path / "bomb.onnx"
    path.write_bytes(pickle.dumps(Bomb(flag)))
    assert "it is a pickle" in refused(path)
    torch.save({"bomb": Bomb(flag)}, path)
    assert "it is a pickle" in refused(path)
    for protocol in (0, 1):  # these have no mark of their own
        path.write_bytes(pickle.dumps(Bomb(flag), protocol=protocol))
        assert refused(path)
    assert not flag.exists()


def test_an_unknown_network_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match="there is no network 'nowhere.onnx'"):
        Network("nowhere.onnx")


def test_a_description_round_trips_through_its_text() -> None:
    shape = Shape(planes=2, rows=3, columns=4, policy_planes=1, extras=1)
    training = {"games": 10, "config": {"visits": "64"}}
    description = Description(
        game="x",
        net="resnet",
        names=("a", "b"),
        version=3,
        shape=shape,
        options={"p": True},
        training=training,
    )
    for temperature in (1.0, 0.5):
        given = replace(description, value_temperature=temperature)
        assert Description.read(given.text()) == given
    assert METADATA == "tesuji"
    with pytest.raises(ValueError, match="'value_temperature' is out of range: 0.0"):
        Description.read(replace(description, value_temperature=0.0).text())


def test_the_temperature_of_a_network_changes_the_values_that_are_reported_and_not_the_search(
    tmp_path: Path,
) -> None:
    network, description = shaken_network(GAME)
    plain, scaled = tmp_path / "plain.onnx", tmp_path / "scaled.onnx"
    export(network, description, plain)
    export(network, replace(description, value_temperature=0.5), scaled)
    state = tesuji.replay(GAME, "b2 a1")
    before, after = (
        tesuji.bot(f"zero:net={path},visits=60,seed=1,prover=off", GAME).analyse(state)
        for path in (plain, scaled)
    )
    assert after.value == calibrate(before.value, 0.5) != before.value
    for one, other in zip(before.candidates, after.candidates, strict=True):
        assert (one.move, one.visits, one.line) == (other.move, other.visits, other.line)
        assert other.value == calibrate(one.value, 0.5)


def test_playing_with_an_onnx_file_needs_no_torch(file: Path) -> None:
    script = f"""
import sys
sys.modules["torch"] = None
import tesuji
game = tesuji.game({GAME!r})
bot = tesuji.bot("zero:net={file},visits=20,seed=1", game)
print(bot.analyse(game.start()).visits, "safetensors" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["20", "False"], done.stderr
