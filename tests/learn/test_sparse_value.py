"""Linear values with sparse features: data, fit, report, file, play and explanations, on games of Onitama."""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tesuji
from tesuji.arena.playing import Task, play
from tesuji.features import features_of
from tesuji.learn.dataset import Dataset
from tesuji.learn.explain import differences, explain
from tesuji.learn.linear import LinearValue
from tesuji.learn.report import coefficients, notes, write_report
from tesuji.models.linear import TrainedLinearValue
from tesuji.models.linear_file import SPARSE_UNIT, LinearModel
from tesuji.registry import spec_of
from tesuji.scale.executor import executors


@cache
def data() -> Dataset:
    spec = spec_of_game()
    players = ("greedy", "random"), ("random", "greedy")
    tasks = [Task(game=spec, players=players[seed % 2], seed=seed, move_limit=60) for seed in range(30)]
    return Dataset.read(map(play, tasks))


@cache
def spec_of_game() -> str:
    rules: Any = tesuji.game("onitama")
    return spec_of(rules.start(seed=3).game)


@cache
def value() -> LinearValue:
    return LinearValue(l2=3.0, folds=3).fit(data())


def a_position() -> Any:
    state: Any = tesuji.game(spec_of_game()).start()
    for _ in range(5):
        state = state.play(state.moves()[len(state.moves()) // 2])
    return state


def test_positions_have_their_sparse_features() -> None:
    codes = data().sparse
    assert codes is not None and codes.rows == len(data().games)
    assert codes.count == features_of(tesuji.game("onitama")).code_count
    assert np.diff(codes.offsets).max() == 5 + 10 + 50  # cards, pieces and pairs at the start


def test_the_sum_of_the_sparse_weights_is_the_core_s(tmp_path: Path) -> None:
    """Playing, listing the codes and the report agree, bit for bit."""
    state = a_position()
    features: Any = tesuji.game("onitama").features
    model = value().model_
    row = np.array([list(features(state, state.player).values())])
    units = sum(model.sparse[code] for code in features.codes(state, state.player))
    assert value().logit(state) == value().logits(row)[0] + units * SPARSE_UNIT
    value().save(tmp_path / "model.json")
    assert TrainedLinearValue.load(tmp_path / "model.json").logit(state) == value().logit(state)


def test_sparse_features_help_to_predict_held_out_games() -> None:
    assert len(value().sparse_weights_) == data().sparse.count  # type: ignore[union-attr]
    assert value().losses_[0].mean < value().baseline_.mean


def test_auto_compares_ridges_only() -> None:
    found = LinearValue(folds=2).fit(data())
    assert {row.l1 for row in found.losses_} == {0.0}
    assert len(found.losses_) == 3


def test_the_file_has_format_2_and_one_line_of_weights(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    value().save(path)
    written = json.loads(path.read_text())
    assert LinearModel.from_dict(written) == value().model_
    assert written["format"] == 2
    assert written["features"]["codes"] == len(written["weights"]["codes"])
    assert max(len(line) for line in path.read_text().splitlines()) > 9796
    assert LinearValue.load(path).model_ == value().model_


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda data: data["weights"]["codes"].pop(), "'codes' must hold 9796 numbers, not 9795"),
        (lambda data: data["weights"]["codes"].__setitem__(0, 0.5), "not 0.5"),
        (lambda data: data["weights"]["codes"].__setitem__(0, 1 << 40), str(1 << 40)),
        (lambda data: data["features"].update(codes=0), "'codes' must be an integer of at least 1"),
        (lambda data: data.update(format=1), "unknown key 'codes'"),
    ],
)
def test_damaged_weights_of_sparse_features_are_refused(change: Any, says: str, tmp_path: Path) -> None:
    found = json.loads(json.dumps(value().model_.as_dict()))
    change(found)
    path = tmp_path / "model.json"
    path.write_text(json.dumps(found))
    with pytest.raises(ValueError) as error:
        LinearValue.load(path)
    assert says in str(error.value)


def test_a_value_of_another_game_s_features_is_refused(tmp_path: Path) -> None:
    found = json.loads(json.dumps(value().model_.as_dict()))
    found["features"]["codes"] -= 1
    found["weights"]["codes"].pop()
    path = tmp_path / "model.json"
    path.write_text(json.dumps(found))
    with pytest.raises(ValueError, match="trained with 9795 sparse features, but onitama.* has 9796"):
        LinearValue.load(path)


def test_explanations_add_up_by_kind_of_code() -> None:
    found = explain(a_position(), value())
    for one in found[:3]:
        assert one.total is not None
        assert one.base + math.fsum(term.contribution for term in one.terms) == pytest.approx(one.total)
    names = {term.name for term in found[0].terms}
    assert {"my student", "their master"} <= names
    assert "my_master_alive" in names
    gap = math.fsum(pair.difference for pair in differences(found[0], found[-1]))
    assert gap == pytest.approx((found[0].total or 0) - (found[-1].total or 0))


def test_the_report_lists_the_strongest_sparse_features(tmp_path: Path) -> None:
    names = [row.name for row in coefficients(value())]
    assert len(names) == 52 + 40
    assert any(name.startswith("my ") and " on " in name for name in names)
    assert any("sparse features have a weight" in line for line in notes(value()))
    files = write_report(value(), data(), tmp_path)
    assert {path.name for path in files} == {"report.md", "calibration.svg"}
    assert "path.svg" not in (tmp_path / "report.md").read_text()


@pytest.mark.parametrize("bot", ["greedy", "alphabeta:nodes=300", "mcts:iterations=50,playout_depth=0"])
def test_bots_play_with_it(bot: str, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    value().save(path)
    state = a_position()
    separator = "," if ":" in bot else ":"
    found = tesuji.bot(f"{bot}{separator}value={path}", spec_of_game())
    assert found.choose(state) in state.moves()


def test_hand_weights_and_old_models_ignore_sparse_features() -> None:
    state = a_position()
    for name in ("hand", "game"):
        bot = tesuji.bot(f"greedy:value={name}", spec_of_game())
        assert bot.choose(state) in state.moves()


def test_workers_extract_the_same_sparse_features() -> None:
    records = [
        play(Task(game=spec_of_game(), players=("random", "random"), seed=seed, move_limit=40))
        for seed in range(4)
    ]
    here = Dataset.read(records)
    with executors.make("threads:workers=2") as where:
        there = Dataset.read(records, on=where)
    assert here.sparse is not None and there.sparse is not None
    assert here.sparse.indices.tobytes() == there.sparse.indices.tobytes()
    assert here.sparse.offsets.tobytes() == there.sparse.offsets.tobytes()
