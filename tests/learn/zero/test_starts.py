"""Balanced openings, initial weights, the learning-rate schedule, and overlapped training."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tesuji
from tests.learn.zero.nets import TINY, shaken_network, small_run
from tesuji import _core
from tesuji.models.network_format import Description, shape_of
from tesuji.options import OptionWarning
from tesuji.planes import planes_of

torch = pytest.importorskip("torch")

from tesuji.learn.zero.boards import Boards  # noqa: E402
from tesuji.learn.zero.config import read_config  # noqa: E402
from tesuji.learn.zero.evaluator import Evaluator  # noqa: E402
from tesuji.learn.zero.learner import Learner  # noqa: E402
from tesuji.learn.zero.selfplay import SelfPlay  # noqa: E402
from tesuji.learn.zero.train import Training  # noqa: E402
from tesuji.learn.zero.window import decode_games  # noqa: E402
from tesuji.models.resnet import make_network  # noqa: E402
from tesuji.models.weights import save_weights  # noqa: E402


def played(balance: float, *, policy_plies: int = 0) -> list[_core.PlayedGame]:
    """Games of a network that values stones in the left half."""
    game = tesuji.game("hex:size=5")
    planes = planes_of(game)

    def network(images: Any) -> tuple[Any, Any]:
        left = images[:, :2, :, :2].sum((2, 3))
        value = (2.0 * (left[:, 0] - left[:, 1])).astype(np.float32)
        return np.zeros((len(images), planes.policy_size), np.float32), value

    options = _core.SelfPlayOptions()
    options.games, options.visits, options.fast_visits, options.seed = 16, 2, 2, 3
    options.opening_plies, options.policy_plies, options.balance = 2, policy_plies, balance
    options.policy_temperature, options.symmetries = 1.5, False
    search = _core.NetworkOptions()
    search.prior_weight = 1.25
    start = game.start().core
    return _core.SelfPlay([start], [1.0], planes.native, search, options, None, {}).run(network, games=200)


def lopsided(game: _core.PlayedGame) -> float:
    rules = tesuji.game("hex:size=5")
    state, planes = rules.start(), planes_of(rules)
    for move in game.moves[: game.opening]:
        state = state.play(move)
    image = planes(state)
    return abs(float(image[0, :, :2].sum() - image[1, :, :2].sum()))


@pytest.mark.parametrize("policy_plies", [0, 3])
def test_balance_rejects_lopsided_starts(policy_plies: int) -> None:
    free, balanced = (
        np.mean([lopsided(game) for game in played(balance, policy_plies=policy_plies)])
        for balance in (0.0, 6.0)
    )
    assert free > 0.2
    assert balanced < 0.05
    assert {game.opening for game in played(6.0, policy_plies=policy_plies)} == set(range(3 + policy_plies))


def test_random_openings_of_gomoku_are_near_each_other() -> None:
    game = tesuji.game("gomoku")
    config = read_config(given={"games": "200", "opening_plies": "9"})
    boards, planes = Boards.of(game), planes_of(game)
    games = decode_games(boards, planes, SelfPlay(boards, planes, config, seed=1).to_arrays())
    openings = [[divmod(move, 15) for move in each.moves] for each in games]
    assert {len(opening) for opening in openings} == set(range(10))
    steps = [
        min(max(abs(row - r), abs(column - c)) for r, c in opening[:ply])
        for opening in openings
        for ply, (row, column) in enumerate(opening)
        if ply
    ]
    assert np.mean(np.array(steps) <= 2) > 0.75  # at random it would be a third
    assert len({opening[0] for opening in openings if opening}) > 30  # and not always in the centre


def test_a_run_starts_from_a_network_with_fewer_planes(tmp_path: Path) -> None:
    game = tesuji.game("gomoku:size=7")
    fewer = planes_of(game, rules=False, threats=False)
    network = make_network(TINY, shape_of(fewer), 3)
    description = Description(
        game="gomoku:size=7", net=TINY, names=fewer.names, version=fewer.version, shape=shape_of(fewer)
    )
    with torch.no_grad():
        for weight in network.parameters():
            weight.add_(torch.randn(weight.shape, generator=torch.Generator().manual_seed(1)) * 0.2)
    save_weights(network, description, tmp_path / "start.safetensors")
    run = Training(
        game,
        tmp_path / "run",
        given=small_run("gomoku:size=7", tmp_path / "unused").config.changed(),
        device="cpu",
        start=tmp_path / "start.safetensors",
    )
    for moves in ("", "d4 e5 d5 e4 d6"):
        state = tesuji.replay(game, moves)
        ours = run.learner.network(torch.from_numpy(run.planes(state)[np.newaxis]))
        theirs = network(torch.from_numpy(fewer(state)[np.newaxis]))
        assert torch.allclose(ours.policy, theirs.policy, atol=1e-2)
        assert torch.allclose(ours.value, theirs.value, atol=1e-2)


def test_both_players_are_favoured_equally_often_where_no_start_is_balanced() -> None:
    """A network that is sure of every position, nearly always of the first player's win."""
    game = tesuji.game("hex:size=5")
    planes = planes_of(game)

    def network(images: Any) -> tuple[Any, Any]:
        stones = images[:, :2].sum((1, 2, 3))
        first_wins = images[:, :2, 0, :].sum((1, 2)) == 0  # unless a stone is on the top row
        value = np.where(first_wins == (stones % 2 == 0), 4.0, -4.0).astype(np.float32)
        return np.zeros((len(images), planes.policy_size), np.float32), value

    options = _core.SelfPlayOptions()
    options.games, options.visits, options.fast_visits, options.seed = 16, 1, 1, 3
    options.opening_plies, options.balance, options.symmetries = 2, 15, False
    search = _core.NetworkOptions()
    search.prior_weight = 1.25
    start = game.start().core
    selfplay = _core.SelfPlay([start], [1.0], planes.native, search, options, None, {})
    favoured = []
    for each in selfplay.run(network, games=400):
        state = game.start()
        for move in each.moves[: each.opening]:
            state = state.play(move)
        value = float(network(planes(state)[None])[1][0])
        favoured.append((value > 0) == (state.player == 0))
    assert 0.42 < np.mean(favoured) < 0.58
    assert selfplay.counters()["starts"] / selfplay.counters()["games"] < 40


def test_a_run_of_an_earlier_version_with_auxiliary_heads_is_resumed_without_them(tmp_path: Path) -> None:
    one = small_run("hex:size=3", tmp_path / "run")
    one.run(iterations=1)
    manifest = tmp_path / "run" / "checkpoint.json"
    manifest.write_text(
        manifest.read_text().replace('"config": {', '"config": {"soft_policy_loss_weight": "8", ', 1)
    )
    with pytest.warns(OptionWarning, match="soft_policy_loss_weight") as warned:
        again = Training(tesuji.game("hex:size=3"), tmp_path / "run", device="cpu")
    assert len(warned) == 1
    again.run(iterations=1)


def test_a_run_starts_from_the_weights_of_a_file_and_records_it(tmp_path: Path) -> None:
    network, description = shaken_network("hex:size=4")
    save_weights(network, description, tmp_path / "start.safetensors")
    given = dict(small_run("hex:size=3", tmp_path / "unused").config.changed())
    run = Training(
        tesuji.game("hex:size=3"),
        tmp_path / "run",
        given=given,
        device="cpu",
        start=tmp_path / "start.safetensors",
    )
    for ours, theirs in zip(run.learner.averaged.parameters(), network.parameters(), strict=True):
        assert torch.allclose(ours, theirs, atol=1e-3)
    run.run(iterations=1)
    assert run.description.training["started_from"]["game"] == "hex:size=4"
    again = small_run("hex:size=3", tmp_path / "run")
    assert again.started_from == run.started_from


def test_a_deeper_network_starts_with_the_outputs_of_the_smaller_one(tmp_path: Path) -> None:
    network, description = shaken_network("hex:size=4")
    save_weights(network, description, tmp_path / "start.safetensors")
    given = {**small_run("hex:size=4", tmp_path / "unused").config.changed()}
    given["net"] = "resnet:blocks=4,channels=8,head=4"
    deeper = Training(
        tesuji.game("hex:size=4"),
        tmp_path / "run",
        given=given,
        device="cpu",
        start=tmp_path / "start.safetensors",
    )
    planes = torch.from_numpy(
        planes_of(tesuji.game("hex:size=4"))(tesuji.game("hex:size=4").start())[np.newaxis]
    )
    assert torch.allclose(deeper.learner.network(planes).policy, network(planes).policy, atol=1e-2)


@pytest.mark.parametrize(
    ("game", "net"), [("gomoku:size=5", None), ("hex:size=4", "resnet:blocks=1,channels=16,head=4")]
)
def test_weights_that_do_not_fit_are_refused(tmp_path: Path, game: str, net: str | None) -> None:
    save_weights(*shaken_network(game, *(() if net is None else (net,))), tmp_path / "start.safetensors")
    given = small_run("hex:size=4", tmp_path / "unused").config.changed()
    with pytest.raises(ValueError, match=r"cannot start from .*start\.safetensors"):
        Training(
            tesuji.game("hex:size=4"),
            tmp_path / "run",
            given=given,
            device="cpu",
            start=tmp_path / "start.safetensors",
        )


def test_the_learning_rate_decays_to_a_tenth_in_the_last_part(tmp_path: Path) -> None:
    config = small_run("hex:size=3", tmp_path, decay_share=0.25, warm_up=0, learning_rate=0.01).config
    learner = Learner(shaken_network("hex:size=3")[0], config, torch.device("cpu"))
    rates = []
    for learner.progress in (0.0, 0.5, 0.75, 0.875, 1.0):
        rates.append(learner.rate)
    assert rates == pytest.approx([0.01, 0.01, 0.01, 0.0055, 0.001])


@pytest.mark.parametrize("streams", [1, 2])
def test_overlapped_training_resumes_exactly(tmp_path: Path, streams: int) -> None:
    given = {"overlap": "on", "streams": streams}
    whole = small_run("hex:size=3", tmp_path / "whole", **given)
    whole.run(iterations=4)
    parted = small_run("hex:size=3", tmp_path / "parted", **given)
    parted.run(iterations=2)
    parted = small_run("hex:size=3", tmp_path / "parted", **given)
    parted.run(iterations=2)
    assert whole.learner.step == parted.learner.step > 0
    for ours, theirs in zip(
        whole.learner.network.parameters(), parted.learner.network.parameters(), strict=True
    ):
        assert torch.equal(ours, theirs)


@pytest.mark.parametrize("spec", ["gomoku:size=7", "onitama"])
def test_games_in_progress_are_encoded_as_finished_ones_are(spec: str) -> None:
    game = tesuji.game(spec)
    boards, planes = Boards.of(game), planes_of(game)
    config = read_config(given={"games": "8", "visits": "16", "opening_plies": "2"})
    one, other = (SelfPlay(boards, planes, config, seed=seed) for seed in (1, 2))
    shape = shape_of(planes)
    network = make_network(TINY, shape, 1)
    one.run(Evaluator(network, shape, torch.device("cpu"), batch=one.batch_size, buffers=2), positions=9)
    arrays = one.to_arrays()
    assert arrays["move_counts"].sum() > 0
    other.restore(arrays)
    again = other.to_arrays()
    assert all(np.array_equal(again[name], column, equal_nan=True) for name, column in arrays.items())
    fresh = SelfPlay(boards, planes, config, seed=2)
    before = fresh.to_arrays()
    fresh.restore({"moves": arrays["moves"].astype(np.uint32)})  # of a checkpoint of an earlier version
    assert all(
        np.array_equal(before[name], column, equal_nan=True) for name, column in fresh.to_arrays().items()
    )
