"""The benchmarks of clusters run, and the model agrees with theory."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from benchmarks import cluster_events, cluster_model, cluster_sizing

COSTS = cluster_events.Costs(
    evaluations=1000.0, steps=10.0, batch=100, each=50.0, plies=40.0, give=1e-4, keep=1e-4, add=1e-5
)


@pytest.mark.parametrize("cores", [1, 10, 300])
def test_cores_are_fully_used_within_the_drivers_capacity(cores: int) -> None:
    found = cluster_events.tournament(cores, game=10.0, give=0.001, keep=0.001, rounds=100)
    assert found.games_per_second == pytest.approx(cores / 10.001, rel=0.05)
    assert found.waiting < 0.05


def test_beyond_the_drivers_capacity_the_rate_stays_constant() -> None:
    rates = [cluster_events.tournament(cores, game=1.0, give=0.001, keep=0.004) for cores in (400, 4000)]
    assert [found.games_per_second for found in rates] == pytest.approx([200, 200], rel=0.01)
    assert [found.waiting for found in rates] == pytest.approx([0.5, 0.95], abs=0.02)


def test_the_learner_holds_workers_back_and_not_the_other_way_round() -> None:
    few = cluster_events.training(4, COSTS, positions=2400, uses=1.0)
    assert few.evaluations_per_second == pytest.approx(4000, rel=0.1)
    assert few.learner == pytest.approx(few.steps_per_second / COSTS.steps)
    many = cluster_events.training(4, COSTS, positions=2400, uses=100.0, iterations=100)
    steps = 2400 * COSTS.full * 100 / COSTS.batch
    assert many.evaluations_per_second == pytest.approx(2400 * COSTS.each * COSTS.steps / steps, rel=0.05)
    assert many.steps_per_second == pytest.approx(COSTS.steps, rel=0.05)
    assert many.waiting > 0.4
    assert cluster_events.training(4, COSTS, positions=2400, uses=1.0) == few  # a seed decides


@pytest.mark.slow
def test_figures_are_measured_and_the_model_reads_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr(cluster_sizing, "PAIRS", (("hex:size=3", "random"),))
    figures = tmp_path / "figures.json"
    small = ["--game", "hex:size=3", "--games", "4", "--batch", "16", "--on", "threads:workers=2"]
    cluster_sizing.main(["--seconds", "0.05", "--json", str(figures), *small])
    found = json.loads(figures.read_text())
    assert found.keys() == cluster_sizing.FIGURES.keys()
    assert all(number > 0 for numbers in found.values() for number in numbers.values())
    capsys.readouterr()
    cluster_model.main([str(figures)])
    shown = capsys.readouterr().out
    assert "| 60 | 10,000 | " in shown
    assert "| self-play | 7 GPUs, 112 cores | " in shown


def test_the_tables_in_the_docs_agree_with_the_measurements() -> None:
    page = cluster_model.PAGE.read_text(encoding="utf-8")
    assert set(re.findall("<!-- cluster: (.*) -->", page)) == cluster_model.TABLES.keys()
    assert cluster_model.with_tables(page, json.loads(cluster_model.FIGURES.read_text())) == page
