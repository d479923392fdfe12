"""Training as a whole: it learns perfect play, resumes exactly, stops cleanly, and refuses NaN."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import tesuji
from tests import children
from tests.learn.zero.nets import SMALL_RUN, small_run
from tesuji.any_game import Move, State
from tesuji.learn.zero import checkpoint
from tesuji.learn.zero.metrics import read_metrics
from tesuji.models.network import Network
from tesuji.planes import planes_of
from tesuji.records import Store

torch = pytest.importorskip("torch")

from tesuji.learn.zero.learner import TrainingError  # noqa: E402
from tesuji.learn.zero.train import Training  # noqa: E402

HEX = "hex:size=3"


def exact_values(state: Any, known: dict[Any, float]) -> float:
    """Player 0's score under perfect play."""
    key = state.key()
    if key not in known:
        scores = state.scores()
        if scores is not None:
            known[key] = scores[0]
        else:
            after = [exact_values(state.play(move), known) for move in state.moves()]
            known[key] = max(after) if state.player == 0 else min(after)
    return known[key]


def mistakes(choose: Callable[[Any], Move], player: int) -> tuple[int, int]:
    """Positions in which a player gives something away, and all that it meets, whatever the other plays."""
    known: dict[Any, float] = {}
    wrong, seen = 0, set()
    waiting: list[Any] = [tesuji.game(HEX).start()]
    while waiting:
        state = waiting.pop()
        if state.scores() is not None or state.key() in seen:
            continue
        if state.player != player:
            waiting += [state.play(move) for move in state.moves()]
            continue
        seen.add(state.key())
        after = state.play(choose(state))
        wrong += exact_values(after, known) != exact_values(state, known)
        waiting.append(after)
    return wrong, len(seen)


@pytest.mark.slow
def test_a_tiny_network_learns_to_play_hex_3x3_perfectly_without_search(tmp_path: Path) -> None:
    settings = {"net": "resnet:blocks=2,channels=16,head=8", "games": 64, "positions": 1500, "visits": 32}
    learning = {
        "batch": 128,
        "samples_per_position": 8,
        "learning_rate": 3e-3,
        "warm_up": 20,
        "average": 0.98,
        "full_share": 1,
    }
    run = small_run(
        HEX, tmp_path, **settings, **learning, opening_plies=3, resign="off", checkpoint_every=100
    )
    run.run(iterations=6)
    network, planes = Network(tmp_path / "network.safetensors", tesuji.game(HEX)), planes_of(tesuji.game(HEX))

    def policy(state: State) -> Move:
        logits, _ = network(planes(state)[np.newaxis])
        return max(state.moves(), key=lambda move: logits[0][planes.index(state, move)])

    wrong, met = zip(*(mistakes(policy, player) for player in (0, 1)), strict=True)
    assert wrong == (0, 0)
    assert min(met) > 40

    first, last = read_metrics(tmp_path)[0], read_metrics(tmp_path)[-1]
    assert last["value_loss"] < first["value_loss"]
    start, value = tesuji.game(HEX).start(), Network(tmp_path / "network.safetensors")
    assert value(planes(start)[np.newaxis])[1][0] > 0  # the first player wins Hex


def everything(folder: Path) -> dict[str, Any]:
    arrays, facts = checkpoint.load(folder)
    del facts["seconds"]
    return {**{name: (array.dtype, array.shape, array.tobytes()) for name, array in arrays.items()}, **facts}


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("gomoku:size=6", {}),
        ("gomoku:size=6", {"root": "puct", "threads": 2, "search_batch_size": 2}),
        ("onitama:set=all", {"streams": 2}),
    ],
    ids=["gumbel", "puct", "dealt"],
)
def test_a_resumed_run_equals_an_uninterrupted_one(
    tmp_path: Path, game: str, settings: dict[str, Any]
) -> None:
    small_run(game, tmp_path / "one", **settings).run(iterations=4)
    small_run(game, tmp_path / "two", **settings).run(iterations=2)
    again = small_run(game, tmp_path / "two", **settings)
    assert again.resumed == 2
    again.run(iterations=2)
    one, two = everything(tmp_path / "one"), everything(tmp_path / "two")
    assert one.keys() == two.keys()
    assert [name for name in one if one[name] != two[name]] == []
    assert one["step"] > 0
    assert one["games/0/moves"][1] != (0,)
    rows = [
        [
            {k: v for k, v in row.items() if "second" not in k and "share" not in k}
            for row in read_metrics(folder)
        ]
        for folder in (tmp_path / "one", tmp_path / "two")
    ]
    assert rows[0] == rows[1]


def test_stored_games_have_the_seed_of_their_deal(tmp_path: Path) -> None:
    plain = small_run("onitama:set=all", tmp_path / "run")
    run = Training(
        plain.game, plain.folder, given=plain.config.changed(), device="cpu", store=tmp_path / "games"
    )
    run.run(iterations=1)
    deals = run.window.to_arrays()["deals"].tolist()
    with Store(tmp_path / "games") as store:
        records = [stored.record for stored in store.records()]
    assert {record.seed for record in records} == set(deals) and len(set(deals)) == len(records) > 1
    for record in records:
        *_, last = record.states()
        assert record.ending == "resigned" or tuple(last.scores() or ()) == record.scores


def test_the_settings_of_a_run_stay_unless_others_are_given(tmp_path: Path) -> None:
    from tesuji.learn.zero.train import Training

    small_run(HEX, tmp_path).run(iterations=1)
    game = tesuji.game(HEX)
    assert Training(game, tmp_path, device="cpu").config.visits == 8
    assert Training(game, tmp_path, given={"visits": "9"}, device="cpu").config.visits == 9
    with pytest.raises(ValueError, match="net cannot change.*net=resnet:blocks=1"):
        Training(game, tmp_path, given={"net": "resnet"}, device="cpu")
    with pytest.raises(ValueError, match="hex:size=3, not of hex:size=4"):
        Training(tesuji.game("hex:size=4"), tmp_path, device="cpu")


def test_a_loss_that_is_not_finite_ends_the_run_and_the_last_checkpoint_stays(tmp_path: Path) -> None:
    small_run(HEX, tmp_path).run(iterations=2)
    before = everything(tmp_path)
    broken = small_run(HEX, tmp_path, clip=1e6, learning_rate=1)
    with torch.no_grad():
        cast(Any, broken.learner.network).stem.weight.fill_(float("inf"))
    with pytest.raises(TrainingError, match="not finite at step"):
        broken.run(iterations=2)
    assert everything(tmp_path) == before


def test_time_ends_a_run_with_a_checkpoint(tmp_path: Path) -> None:
    run = small_run(HEX, tmp_path, positions=10**9)  # an iteration that would never end
    run.run(seconds=1)
    assert run.iteration == 1
    assert checkpoint.load(tmp_path)[1]["games"] == run.games > 0


def test_stop_ends_a_run_with_a_checkpoint(tmp_path: Path) -> None:
    run = small_run(HEX, tmp_path)
    run.run(watch=lambda row: run.stop() if row["iteration"] == 3 else None)
    assert run.iteration == 3
    assert checkpoint.load(tmp_path)[1]["iteration"] == 3


def test_a_run_of_an_earlier_version_is_resumed_silently(tmp_path: Path) -> None:
    small_run(HEX, tmp_path, samples_per_position=2, decay_share=0.5).run(iterations=1)
    manifest = tmp_path / checkpoint.MANIFEST
    found = json.loads(manifest.read_text())
    config = found["facts"]["config"]
    config["uses"], config["fall"] = config.pop("samples_per_position"), config.pop("decay_share")
    manifest.write_text(json.dumps(found))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = Training(tesuji.game(HEX), tmp_path, device="cpu")
    assert (run.resumed, run.config.samples_per_position, run.config.decay_share) == (1, 2, 0.5)


def test_a_killed_run_resumes_from_its_last_checkpoint(tmp_path: Path) -> None:
    settings = [word for key, value in SMALL_RUN.items() for word in ("--set", f"{key}={value}")]
    command = ["-c", "from tesuji.cli import main; main()", "learn", "zero", HEX, "--out", str(tmp_path)]
    command += ["--iterations", "1000"]
    killed = children.start([sys.executable, *command, *settings], stderr=subprocess.DEVNULL)
    try:
        while len(read_metrics(tmp_path)) < 5:
            assert killed.poll() is None
            time.sleep(0.02)
    finally:
        os.kill(killed.pid, signal.SIGKILL)
        killed.wait()
    done = len(read_metrics(tmp_path))
    again = small_run(HEX, tmp_path)
    assert again.resumed in (done - 1, done, done + 1, done - 2)
    assert again.resumed % 2 == 0
    again.run(iterations=2)
    rows = read_metrics(tmp_path)
    assert [row["iteration"] for row in rows] == list(range(1, again.resumed + 3))


def test_visits_and_the_window_grow_with_the_positions(tmp_path: Path) -> None:
    run = small_run(
        HEX, tmp_path, first_visits=2, visits=32, grow_positions=1000, window=100, window_growth=0.5
    )
    assert run.visits == 2
    run.positions = 500
    assert run.visits == 8
    run.positions = 5000
    assert run.visits == 32
    run._sampler.grow_window(50)
    assert run.window.capacity == 100
    run._sampler.grow_window(1600)
    assert run.window.capacity == int(100 * (1 + 0.5 * (16**0.75 - 1) / 0.75))


def test_tactical_positions_take_their_share_of_a_batch(tmp_path: Path) -> None:
    run = small_run("gomoku:size=8", tmp_path, tactics=0.25, tactics_positions=30, positions=20)
    run.run(iterations=1)
    batch = run._sampler._sample(0)
    assert batch.planes.shape[0] == 32
    made = run._sampler._tactics
    assert made is not None
    assert made.positions == 30
    assert np.isin(batch.value[-8:], (0.0, 0.5, 1.0)).all()


def test_the_ladder_plays_each_opponent_and_the_earlier_network(tmp_path: Path) -> None:
    run = small_run(
        HEX, tmp_path, ladder="random earlier", ladder_games=2, ladder_visits=4, ladder_every=1, positions=30
    )
    run.run(iterations=1)
    ladders = [row["ladder"] for row in read_metrics(tmp_path) if "ladder" in row]
    assert ladders[-1].keys() == {"random"}
    again = small_run(HEX, tmp_path, positions=30, ladder="random earlier", ladder_games=2, ladder_visits=4)
    again.run(iterations=1)
    last = [row["ladder"] for row in read_metrics(tmp_path) if "ladder" in row][-1]
    assert last.keys() == {"random", "earlier"}
    assert {result["games"] for result in last.values()} == {2}
    assert {path.name for path in tmp_path.glob("*.svg")} == {"loss.svg", "elo.svg"}
    assert json.loads((tmp_path / "metrics.jsonl").read_text().splitlines()[0])["iteration"] == 1
