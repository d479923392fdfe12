"""Several board sizes in one run: padding changes no output, and weights set the share of games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tesuji
from tests.learn.zero.nets import shaken_network, small_run
from tesuji.learn.zero import checkpoint
from tesuji.learn.zero.augment import tactical_window
from tesuji.learn.zero.boards import Boards
from tesuji.learn.zero.window import Window, newest_games
from tesuji.models.network_format import shape_of
from tesuji.planes import planes_of
from tesuji.records.store import Store

torch = pytest.importorskip("torch")
from tesuji.learn.zero.evaluator import Evaluator  # noqa: E402


@pytest.mark.parametrize("size", [3, 4, 6, 7])
def test_padding_does_not_change_the_outputs(size: int) -> None:
    network, _ = shaken_network("hex:size=7", "resnet:blocks=3,channels=16,head=8")
    small, large = (planes_of(tesuji.game(f"hex:size={each}")) for each in (size, 7))
    state, random = tesuji.game(f"hex:size={size}").start(), np.random.default_rng(size)
    while state.scores() is None:
        unpadded = network(torch.from_numpy(small(state)[np.newaxis]))
        padded = network(torch.from_numpy(large(state)[np.newaxis]), True)
        assert torch.allclose(unpadded.value, padded.value, atol=1e-5)
        assert torch.allclose(unpadded.moves_left, padded.moves_left, atol=1e-5)
        for move in state.moves():
            ours, theirs = small.index(state, move), large.index(state, move)
            assert torch.allclose(unpadded.policy[0, ours], padded.policy[0, theirs], atol=1e-5)
        image: Any = large.native.transform_planes(1, large(state))  # moves the board to the opposite corner
        network(torch.from_numpy(image[np.newaxis]), True)
        beyond = padded.policy[0][large(state)[large.names.index("board")].ravel() == 0]
        assert (torch.softmax(padded.policy[0], 0).sum() - 1).abs() < 1e-5
        assert (beyond < -1000).all()
        state = state.play(state.moves()[int(random.integers(len(state.moves())))])


def test_boards_are_parsed_from_one_setting() -> None:
    boards = Boards.parse(tesuji.game("hex:size=5"), "size=3 size=4*0.5 size=5*2")
    assert [tesuji.spec_of(game) for game in boards.games] == ["hex:size=3", "hex:size=4", "hex:size=5"]
    assert boards.weights == [1.0, 0.5, 2.0]
    for wrong, said in (("size=3*0", "3\\*0"), ("size=3*x", "'x'"), ("size=99", "99"), ("sise=3", "sise")):
        with pytest.raises(ValueError, match=said):
            Boards.parse(tesuji.game("hex:size=5"), wrong)


def test_cropping_does_not_change_the_outputs() -> None:
    network, _ = shaken_network("gomoku:size=9", "resnet:blocks=3,channels=16,head=8")
    planes = planes_of(tesuji.game("gomoku:size=9"))
    images: list[Any] = []
    for size in (5, 6, 7):
        state = tesuji.game(f"gomoku:size={size}").start()
        for move in (0, 8, 13):
            state = state.play(move)
            images += [
                planes.native.transform_planes(symmetry, planes(state))
                for symmetry in range(planes.native.symmetries)
            ]
    batch = np.stack(images)
    arguments: dict[str, Any] = {"batch": len(batch), "padded": True}
    whole = Evaluator(network, shape_of(planes), torch.device("cpu"), **arguments)
    policy, value = whole(batch)
    for side in (7, 8):
        cropped_policy, cropped_value = whole.shared_copy(side)(batch)
        assert np.allclose(value, cropped_value, atol=1e-5)
        assert np.allclose(policy, cropped_policy, atol=1e-5)


def test_boards_are_divided_by_size_into_equal_parts() -> None:
    boards = Boards.parse(tesuji.game("hex:size=6"), "size=6*2 size=3*3 size=5 size=4*4")
    parts = [part.weights for part in boards.divided(3)]
    assert np.allclose(np.sum(parts, axis=0), boards.weights)
    assert np.allclose(np.sum(parts, axis=1), 10 / 3)
    assert [part.largest_side for part in boards.divided(3)] == [4, 4, 6]
    assert boards.divided(1) == [boards]


def test_each_stream_plays_its_own_boards_and_resumes_them(tmp_path: Path) -> None:
    given: dict[str, Any] = {"boards": "size=3 size=4 size=5*2", "streams": 2, "checkpoint_every": 1}
    run = small_run("hex:size=5", tmp_path / "run", **given)
    run.run(iterations=2)
    assert set(run.window.to_arrays()["boards"].tolist()) == {0, 1, 2}
    arrays, _ = checkpoint.load(tmp_path / "run")
    assert set(arrays["games/0/boards"].tolist()) == {0, 1} and set(arrays["games/1/boards"].tolist()) == {2}
    # Other weights: the small boards' games would not fit the stream that had them.
    again = small_run("hex:size=5", tmp_path / "run", **{**given, "boards": "size=3*4 size=4 size=5*0.5"})
    again.run(iterations=1)
    arrays, _ = checkpoint.load(tmp_path / "run")
    assert set(arrays["games/0/boards"].tolist()) == {0}
    assert set(arrays["games/1/boards"].tolist()) <= {0, 1, 2}


def test_a_run_on_several_boards_trains_and_resumes(tmp_path: Path) -> None:
    given: dict[str, Any] = {"boards": "size=3*3 size=5", "positions": 400, "checkpoint_every": 1}
    run = small_run("hex:size=5", tmp_path / "run", **given)
    run.run(iterations=2)
    sizes = run.window.to_arrays()["boards"]
    assert 0.5 < (sizes == 0).mean() < 0.95  # three games out of four
    again = small_run("hex:size=5", tmp_path / "run", **given)
    assert again.window.games == run.window.games and again.boards.mixed
    run.run(iterations=1)
    again.run(iterations=1)
    for ours, theirs in zip(
        run.learner.network.parameters(), again.learner.network.parameters(), strict=True
    ):
        assert torch.equal(ours, theirs)


def test_games_on_several_boards_are_stored_under_their_own_specs(tmp_path: Path) -> None:
    from tesuji.learn.zero.train import Training

    run = small_run("hex:size=4", tmp_path / "run", boards="size=3 size=4")
    store = tmp_path / "games.db"
    with_store = Training(
        tesuji.game("hex:size=4"),
        tmp_path / "other",
        given=run.config.changed(),
        device="cpu",
        store=store,
    )
    with_store.run(iterations=1)
    with Store(store) as opened:
        specs = {stored.record.game for stored in opened.records()}
    assert specs == {"hex:size=3", "hex:size=4"}


def test_a_board_that_does_not_fit_the_planes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="size 4.*size 5"):
        small_run("hex:size=4", tmp_path, boards="size=5")


def test_newest_games_fit_into_the_given_bytes(tmp_path: Path) -> None:
    run = small_run("hex:size=4", tmp_path / "run", boards="size=3 size=4")
    run.run(iterations=2)
    arrays = run.window.to_arrays()
    whole = sum(array.nbytes for array in arrays.values())
    for room in (whole, whole // 2, whole // 7, 10):
        part = newest_games(arrays, room)
        assert sum(array.nbytes for array in part.values()) <= room
        window = Window(run.boards, run.planes, capacity=10**6)
        window.add_arrays(part)
        assert window.games == len(part["move_counts"])
        assert window.games < run.window.games or room == whole
        if room > 10:
            assert window.games > 0
            assert np.array_equal(window.to_arrays()["moves"], arrays["moves"][-len(part["moves"]) :])


GOMOKU = "size=7*2 size=9,rule=standard size=9,rule=renju size=6,rule=renju"


def test_one_run_trains_on_rules_and_sizes_with_tactical_positions(tmp_path: Path) -> None:
    given: dict[str, Any] = {"boards": GOMOKU, "tactics": 0.25, "tactics_positions": 70, "opening_plies": 5}
    run = small_run("gomoku:size=9", tmp_path / "run", **given)
    run.run(iterations=2)
    assert set(run.window.to_arrays()["boards"].tolist()) == {0, 1, 2, 3}
    planes, names = run.window.sample(200, seed=1).planes, run.planes.names
    board, renju, standard = (planes[:, names.index(name)] for name in ("board", "renju", "standard"))
    assert set(board.sum((1, 2)).tolist()) == {36.0, 49.0, 81.0}
    assert not (renju * standard).any() and not (planes * (board[:, None] == 0)).any()
    by_rule = {(cells, kind) for cells, kind in zip(board.sum((1, 2)), renju.sum((1, 2)), strict=True)}
    assert by_rule == {(36, 36), (49, 0), (81, 0), (81, 81)}
    assert run.learner.step > 0


def test_tactical_positions_are_made_for_every_board() -> None:
    game = tesuji.game("gomoku:size=9")
    boards, planes = Boards.parse(game, GOMOKU), planes_of(game)
    window = tactical_window(boards, planes, 140, seed=3)
    arrays = window.to_arrays()
    counts = np.bincount(arrays["boards"], minlength=4)
    assert window.games == counts.sum() > 100
    assert counts[0] > counts[1] > 20 and counts[3] > 10
    batch = window.sample(300, seed=1)
    legal = (batch.planes[:, planes.names.index("board")] == 1) & ~batch.planes[:, :2].any(1)
    forbidden = (
        batch.planes[:, planes.names.index("black_forbidden")] * batch.planes[:, planes.names.index("black")]
    )
    for rows in (~legal, forbidden == 1):
        assert not batch.policy.reshape(300, 9, 9)[rows].any()
