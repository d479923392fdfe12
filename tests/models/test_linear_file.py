"""The model file: round trips, and refusal of everything else."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.learn.games import HEX, hex_games
from tesuji.learn.linear import LinearValue
from tesuji.models.linear_file import LARGEST_FILE, LinearModel


@pytest.fixture(scope="module")
def learned() -> LinearValue:
    return LinearValue(l1=[0.1, 1], l2=0.1, gamma=0.93, folds=3, seed=2).fit(hex_games())


@pytest.fixture
def data(learned: LinearValue) -> Any:
    return json.loads(json.dumps(learned.model_.as_dict()))


def test_a_file_holds_everything_and_reads_back_the_same(learned: LinearValue, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    learned.save(path)
    again = LinearValue.load(path)
    assert again.model_ == learned.model_
    assert again.theta_.tobytes() == learned.theta_.tobytes()
    assert (again.gamma, again.folds, again.seed, again.l1) == (0.93, 3, 2, learned.l1_)
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["again.json", "model.json"]
    written = json.loads(path.read_text())
    assert (written["kind"], written["format"], written["game"]) == ("linear value", 1, HEX)
    assert written["training"]["weighting"].startswith("gamma^")


def test_a_file_that_cannot_be_written_leaves_the_old_one(learned: LinearValue, tmp_path: Path) -> None:
    with pytest.raises(OSError):
        learned.save(tmp_path / "nowhere" / "model.json")
    folder = tmp_path / "model.json"
    folder.mkdir()
    with pytest.raises(OSError):
        learned.save(folder)
    assert os.listdir(tmp_path) == ["model.json"]


def change(*path: str | int, to: Any) -> Callable[[Any], None]:
    def do(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = to

    return do


def drop(*path: str) -> Callable[[Any], None]:
    def do(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        del data[path[-1]]

    return do


BAD = {
    "another kind": (change("kind", to="network"), "not a linear value: its kind is 'network'"),
    "another format": (change("format", to=3), "its format is 3; this version reads formats 1 and 2"),
    "a key too many": (change("extra", to=1), "'model' has an unknown key 'extra'"),
    "a key too few": (drop("weights", "mean"), "'weights' has no key 'mean'"),
    "a list for an object": (change("weights", to=[]), "'weights' must be an object, not []"),
    "text for a number": (change("weights", "bias", to="1"), "'bias' must be a number, not '1'"),
    "truth for a number": (change("weights", "bias", to=True), "'bias' must be a number, not True"),
    "a number out of all bounds": (change("weights", "bias", to=10**400), "'bias' is out of range: 1"),
    "weights too few": (change("weights", "theta", to=[1.0]), "'theta' must hold 8 numbers, not 1"),
    "a negative deviation": (change("weights", "deviation", 0, to=-1.0), "'deviation' is out of range: -1.0"),
    "no epsilon": (change("weights", "epsilon", to=0), "'epsilon' is out of range: 0"),
    "a gamma of 2": (change("training", "gamma", to=2), "'gamma' is out of range: 2"),
    "an unknown rule": (
        change("training", "rule", to="worst"),
        "'rule' must be one of best, one-standard-error",
    ),
    "another weighting": (change("training", "weighting", to="none"), "'weighting' must be one of gamma^"),
    "unequal folds": (
        change("training", "losses", 0, "folds", to=[1.0]),
        "'folds' must hold 3 numbers, not 1",
    ),
    "a broken bin": (change("training", "calibration", 0, to={}), "'calibration' has no key 'predicted'"),
    "a name twice": (
        change("features", "names", 1, to="path-distance-advantage"),
        "distinct names",
    ),
    "a strange constant": (change("features", "constant", to=["x"]), "'constant' must name features"),
    "no games": (change("data", "games", to=0), "'games' must be an integer of at least 1, not 0"),
    "other features": (
        change("features", "names", 6, to="groups"),
        "opponent-near-win, groups, single-group, but hex:size=4 has path-distance-advantage,",
    ),
    "another version": (
        change("features", "version", to=7),
        "version 7 of the features of hex:size=4; the current version is 1",
    ),
    "an unknown game": (change("game", to="hexx:size=4"), "unknown game 'hexx'; did you mean 'hex'?"),
    "a game that is no spec": (change("game", to="?"), "expected a name"),
}


@pytest.mark.parametrize(("spoil", "says"), BAD.values(), ids=BAD)
def test_invalid_content_is_refused_in_one_line(
    spoil: Callable[[Any], None], says: str, data: Any, tmp_path: Path
) -> None:
    spoil(data)
    path = tmp_path / "model.json"
    path.write_text(json.dumps(data))
    with pytest.raises(ValueError) as error:
        LinearValue.load(path)
    assert says in str(error.value)
    assert str(error.value).startswith(f"cannot use {path}: ")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe\xfa", "not JSON"),
        (b"[1, 2", "not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b"null", "not a linear value: its kind is None"),
        (b'{"kind": NaN}', "not JSON: NaN is not a number"),
        (b'{"kind": 1, "kind": 2}', "duplicate key 'kind'"),
        (b"1" * 5000, "cannot use"),
        (b" " * (LARGEST_FILE + 1), "larger than 32 MiB"),
    ],
)
def test_files_that_are_something_else_are_refused(content: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_bytes(content)
    with pytest.raises(ValueError) as error:
        LinearValue.load(path)
    assert says in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 400


def test_every_cut_of_a_file_is_refused(learned: LinearValue, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    learned.save(path)
    whole = path.read_bytes()
    for end in range(0, len(whole) - 2, 97):
        path.write_bytes(whole[:end])
        with pytest.raises(ValueError, match="^cannot use "):
            LinearValue.load(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^cannot read .*: No such file or directory$"):
        LinearValue.load(tmp_path / "model.json")
    with pytest.raises(ValueError, match="^cannot read "):
        LinearValue.load(tmp_path)


def test_a_model_of_another_game_is_refused(learned: LinearValue, tmp_path: Path) -> None:
    learned.save(tmp_path / "model.json")
    with pytest.raises(ValueError, match=f"trained for {HEX}, not for hex:size=5$"):
        LinearValue.load(tmp_path / "model.json", game="hex:size=5")


def test_a_model_does_not_share_the_dictionary_it_was_read_from(data: Any) -> None:
    model = LinearModel.from_dict(data)
    data["weights"]["theta"][0] = 99.0
    assert model.theta[0] != 99.0
