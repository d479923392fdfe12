"""Network files: play computes what training did, and files for other games or damaged ones are refused."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tesuji
from tests.learn.zero.nets import shaken_network
from tesuji.models.network import Network
from tesuji.models.network_format import (
    METADATA,
    MIN_HALF_PRECISION,
    Description,
    Shape,
    calibrate,
    read_weights,
)
from tesuji.models.tensor_file import read_tensors, write_tensors
from tesuji.planes import planes_of

torch = pytest.importorskip("torch")

from tesuji.models.weights import as_safetensors, read_mean, save_weights  # noqa: E402

GAME = "hex:size=4,swap=on"
ONITAMA = "onitama:cards=crab-tiger-monkey-crane-ox"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("networks") / "hex4.safetensors"
    save_weights(*shaken_network(GAME), path)
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


def rounded(network: Any) -> Any:
    """A copy with the weights that a file has: the large ones with 16 bits."""
    copied = copy.deepcopy(network)
    with torch.no_grad():
        for weight in copied.parameters():
            if weight.numel() >= MIN_HALF_PRECISION:
                weight.copy_(weight.half())
    return copied


def assert_exact(found: Any, network: Any, planes: Any) -> None:
    """The outputs are those of the network with rounded weights."""
    with torch.inference_mode():
        outputs = rounded(network)(torch.from_numpy(planes))
    assert np.allclose(found[0], outputs.policy.numpy(), atol=1e-4)
    assert np.allclose(found[1], outputs.value.numpy(), atol=1e-4)
    assert found[0].std() > 0.01  # and it says something


def test_a_file_computes_what_the_network_does(file: Path) -> None:
    network, description = shaken_network(GAME)
    opened = Network(file, tesuji.game(GAME), exact=True)
    assert opened.description == description
    assert_exact(opened(positions()), network, positions())


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
    path = tmp_path / "half.safetensors"
    save_weights(network, description, path)
    assert path.stat().st_size < 3 * sum(weight.numel() for weight in network.parameters())
    exact = network(torch.from_numpy(positions()))
    policy, value = Network(path, exact=True)(positions())
    assert np.abs(policy - exact.policy.detach().numpy()).max() < 0.05
    assert np.abs(value - exact.value.detach().numpy()).max() < 0.05


def test_the_same_network_makes_the_same_file() -> None:
    assert as_safetensors(*shaken_network(GAME)) == as_safetensors(*shaken_network(GAME))


def test_an_exported_onnx_file_computes_what_the_network_does_and_is_not_opened(tmp_path: Path) -> None:
    reference = pytest.importorskip("onnx.reference")
    from tesuji.models.export import to_onnx

    network, description = shaken_network(GAME)
    path = tmp_path / "hex4.onnx"
    path.write_bytes(to_onnx(network, description))
    evaluator = reference.ReferenceEvaluator(str(path))
    found = evaluator.run(["policy", "value"], {"planes": positions()})
    assert_exact(found, network, positions())
    described = {each.key: each.value for each in evaluator.proto_.metadata_props}
    assert Description.read(described[METADATA]) == description
    assert refused(path) == (
        f"cannot use {path}: ONNX files are written for other programs; "
        "what can be opened is a .safetensors file"
    )
    assert to_onnx(network, description) == path.read_bytes()


def refused(path: Path, game: str = GAME) -> str:
    with pytest.raises(ValueError) as caught:
        Network(path, tesuji.game(game))
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_a_network_of_another_game_or_rule_is_refused(file: Path, tmp_path: Path) -> None:
    assert f"trained for {GAME}, not for gomoku:size=9" in refused(file, "gomoku:size=9")
    assert "swap" in refused(file, "hex:size=4")
    fixed = tmp_path / "onitama.safetensors"
    save_weights(*shaken_network(ONITAMA), fixed)
    assert f"trained for {ONITAMA}, not for" in refused(fixed, f"{ONITAMA},ply_limit=9")


def test_a_network_for_dealt_cards_plays_the_deals_of_its_set_only(tmp_path: Path) -> None:
    paths = {}
    for cards in ("all", "base"):
        paths[cards] = tmp_path / f"{cards}.safetensors"
        save_weights(*shaken_network(f"onitama:set={cards}"), paths[cards])
    mixed = "onitama:cards=crab-tiger-monkey-crane-otter"
    for asked in ("onitama:set=all", "onitama", "onitama:set=sensei", ONITAMA, mixed):
        assert Network(paths["all"], tesuji.game(asked)).planes is not None
    for asked in ("onitama", ONITAMA, f"{ONITAMA},position=2R2/5/5/5/2B2-b"):
        assert Network(paths["base"], tesuji.game(asked)).planes is not None
    for asked in ("onitama:set=all", "onitama:set=sensei", mixed):
        assert f"trained for onitama, not for {asked}" in refused(paths["base"], asked)
    for limits in ("ply_limit=9", "repetition_limit=3"):
        assert "trained for onitama:set=all, not for" in refused(paths["all"], f"onitama:{limits}")


def test_one_network_plays_every_size_with_the_swap_and_without(tmp_path: Path) -> None:
    network, description = shaken_network("hex:size=4")
    path = tmp_path / "hex.safetensors"
    save_weights(network, description, path)
    for size in (3, 4, 7):
        planes = positions(f"hex:size={size}")
        assert_exact(Network(path, tesuji.game(f"hex:size={size}"), exact=True)(planes), network, planes)
    assert Network(path, tesuji.game("hex:size=5,swap=on")).planes.policy_size == 25


@pytest.mark.parametrize(
    "spec", ["gomoku:size=9,rule=renju", "gomoku:size=20", "gomoku:size=7,rule=standard"]
)
def test_one_network_plays_every_rule_and_size_of_gomoku(tmp_path: Path, spec: str) -> None:
    network, description = shaken_network("gomoku:size=8")
    path = tmp_path / "gomoku.safetensors"
    save_weights(network, description, path)
    game = tesuji.game(spec)
    assert_exact(Network(path, game, exact=True)(positions(spec)), network, positions(spec))
    move = tesuji.bot(f"zero:net={path},visits=8", game).choose(game.start())
    assert move in game.start().moves()


def test_a_file_for_one_size_plays_only_that_size(tmp_path: Path) -> None:
    network, description = shaken_network("hex:size=4")
    fixed = replace(description, shape=replace(description.shape, board=None))
    path = tmp_path / "hex4.safetensors"
    save_weights(network, fixed, path)
    planes = positions("hex:size=4")
    assert_exact(Network(path, tesuji.game("hex:size=4"), exact=True)(planes), network, planes)
    for other in ("hex:size=5", "hex:size=4,swap=on"):
        assert f"trained for hex:size=4, not for {other}" in refused(path, other)


def changed(file: Path, tmp_path: Path, **changes: Any) -> Path:
    """The same file with another description."""
    arrays, metadata = read_tensors(file.read_bytes())
    found = json.loads(metadata[METADATA])
    for key, value in changes.items():
        where = found["planes"] if key in found["planes"] else found
        where[key] = value
    path = tmp_path / "changed.safetensors"
    path.write_bytes(write_tensors(arrays, {METADATA: json.dumps(found)}))
    return path


def test_planes_of_another_version_or_kind_are_refused(file: Path, tmp_path: Path) -> None:
    assert "its planes are version 2 with" in refused(changed(file, tmp_path, version=2))
    names = ["own-as-seen-by-mars", *planes_of(tesuji.game(GAME)).names[1:]]
    assert f"its planes are version 1 with {names[0]}" in refused(changed(file, tmp_path, names=names))


def test_a_description_that_does_not_match_the_network_is_refused(file: Path, tmp_path: Path) -> None:
    fixed = tmp_path / "fixed.safetensors"
    save_weights(*shaken_network(ONITAMA), fixed)
    assert "the weights do not fit" in refused(changed(fixed, tmp_path, policy_planes=3), ONITAMA)
    assert "policy.extras.weight is 2 × 12, not 4 × 12" in refused(changed(file, tmp_path, extras=2))
    assert "its format is 2" in refused(changed(file, tmp_path, format=2))
    assert "its kind is 'linear value'" in refused(changed(file, tmp_path, kind="linear value"))
    assert "'rows' must be an integer" in refused(changed(file, tmp_path, rows="x"))
    assert "rows=100, columns=100" in refused(changed(file, tmp_path, rows=100, columns=100))


@pytest.mark.parametrize("options", [{"game": 1}, {"self": True}, {"": None}, {"patterns": 1}])
def test_unknown_plane_options_are_refused(file: Path, tmp_path: Path, options: dict[str, Any]) -> None:
    assert "option" in refused(changed(file, tmp_path, options=options))


def test_a_damaged_file_is_refused(file: Path, tmp_path: Path) -> None:
    content = file.read_bytes()
    path = tmp_path / "damaged.safetensors"
    for damaged in (b"", content[: len(content) // 2], content[:-8], b"not a network", b"[]" * 100):
        path.write_bytes(damaged)
        assert "not a safetensors file, or damaged" in refused(path)


def test_every_flipped_bit_of_a_file_is_an_error(file: Path, tmp_path: Path) -> None:
    content = file.read_bytes()
    header = 8 + int.from_bytes(content[:8], "little")
    weights = range(header, len(content), (len(content) - header) // 50)
    for place in (*range(header), *weights):
        flipped = bytearray(content)
        flipped[place] ^= 1 << place % 8
        with pytest.raises(ValueError):
            read_weights(bytes(flipped))
    path = tmp_path / "flipped.safetensors"
    path.write_bytes(flipped)
    assert "damaged: its checksum is wrong" in refused(path)


@pytest.mark.parametrize("start", [b"\x80", b"PK"])
def test_a_file_whose_length_begins_like_a_pickle_is_opened(tmp_path: Path, start: bytes) -> None:
    network, description = shaken_network(GAME)
    path = tmp_path / "long.safetensors"
    length = int.from_bytes(as_safetensors(network, replace(description, training={"x": ""}))[:8], "little")
    wanted = next(each for each in range(length, 1 << 16, 8) if each.to_bytes(8, "little").startswith(start))
    save_weights(network, replace(description, training={"x": "x" * (wanted - length)}), path)
    assert path.read_bytes().startswith(start)
    assert_exact(Network(path, exact=True)(positions()), network, positions())


def test_files_without_a_checksum_from_older_versions_are_opened(file: Path, tmp_path: Path) -> None:
    save = pytest.importorskip("safetensors.numpy").save
    network, description = shaken_network(GAME)
    arrays, _ = read_tensors(file.read_bytes())
    path = tmp_path / "old.safetensors"
    path.write_bytes(save(dict(arrays), {METADATA: description.text()}))
    assert_exact(Network(path, exact=True)(positions()), network, positions())


def test_weights_that_are_not_finite_are_refused(tmp_path: Path) -> None:
    network, description = shaken_network(GAME)
    next(network.parameters()).data[0] = float("nan")
    path = tmp_path / "weights"
    save_weights(network, description, path)
    assert "not finite" in refused(path)


def test_a_file_without_a_description_is_refused(file: Path, tmp_path: Path) -> None:
    path = tmp_path / "foreign.safetensors"
    path.write_bytes(write_tensors(read_tensors(file.read_bytes())[0]))
    assert "no description" in refused(path)


class Bomb:
    """What runs code when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.path,)


def test_a_pickle_is_refused_and_nothing_in_it_runs(tmp_path: Path) -> None:
    flag, path = tmp_path / "it ran", tmp_path / "bomb.safetensors"
    path.write_bytes(pickle.dumps(Bomb(flag)))
    assert "it is a pickle" in refused(path)
    torch.save({"bomb": Bomb(flag)}, path)
    assert "it is a pickle" in refused(path)
    for protocol in (0, 1):  # these have no mark of their own
        path.write_bytes(pickle.dumps(Bomb(flag), protocol=protocol))
        assert refused(path)
    assert not flag.exists()


def test_an_unknown_network_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match="there is no network 'nowhere.safetensors'"):
        Network("nowhere.safetensors")


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
    plain, scaled = tmp_path / "plain.safetensors", tmp_path / "scaled.safetensors"
    save_weights(network, description, plain)
    save_weights(network, replace(description, value_temperature=0.5), scaled)
    state = tesuji.replay(GAME, "b2 a1")
    before, after = (
        tesuji.bot(f"zero:net={path},visits=60,seed=1,prover=off", GAME).analyse(state)
        for path in (plain, scaled)
    )
    assert after.value == calibrate(before.value, 0.5) != before.value
    for one, other in zip(before.candidates, after.candidates, strict=True):
        assert (one.move, one.visits, one.line) == (other.move, other.visits, other.line)
        assert other.value == calibrate(one.value, 0.5)
