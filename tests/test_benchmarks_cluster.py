"""The benchmark of clusters runs, and its tables agree with its figures."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from benchmarks import cluster_sizing

FIGURES = json.loads(cluster_sizing.KEPT.read_text())


def test_beyond_the_drivers_capacity_the_rate_stays_constant() -> None:
    few, many, most = (cluster_sizing.games_per_second(cores, 1.0, FIGURES) for cores in (10, 10_000, 20_000))
    assert few == pytest.approx(10, rel=0.01)
    assert many == most < 10_000


def test_the_learner_holds_workers_back_and_not_the_other_way_round() -> None:
    positions, seconds, learning = cluster_sizing.iteration(4, 1000.0, 1.0, FIGURES)
    assert learning < seconds < 1.2 * cluster_sizing.ITERATION_SECONDS
    same, longer, busy = cluster_sizing.iteration(4, 1000.0, 1e4, FIGURES)
    assert same == positions
    assert longer == pytest.approx(busy, rel=0.01)


@pytest.mark.slow
def test_figures_are_measured_and_tables_are_made_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr(cluster_sizing, "PAIRS", (("hex:size=3", "random"),))
    figures = tmp_path / "figures.json"
    small = ["--game", "hex:size=3", "--games", "4", "--batch", "16", "--on", "threads:workers=2"]
    cluster_sizing.main(["--seconds", "0.05", "--json", str(figures), *small])
    found = json.loads(figures.read_text())
    assert found.keys() == cluster_sizing.FIGURES.keys()
    assert all(number > 0 for numbers in found.values() for number in numbers.values())
    assert "| 60 | 10,000 | " in cluster_sizing.tournaments(found)
    assert "| self-play | 7 GPUs, 112 cores | " in cluster_sizing.plan(found)


def test_the_tables_in_the_docs_agree_with_the_measurements() -> None:
    page = cluster_sizing.PAGE.read_text(encoding="utf-8")
    assert set(re.findall("<!-- cluster: (.*) -->", page)) == cluster_sizing.TABLES.keys()
    assert cluster_sizing.with_tables(page, FIGURES) == page
