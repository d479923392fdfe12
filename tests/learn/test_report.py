"""The report: tables agree with the model, plots stay inside their frames."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

from tests.learn.games import NAMES, hex_games, synthetic
from tests.small_files import no_file_beyond
from tesuji.learn.dataset import Dataset
from tesuji.learn.linear import LinearValue
from tesuji.learn.plot import WIDTH, calibration_svg, path_svg
from tesuji.learn.report import coefficients, facts, loss_table, markdown, notes, write_report

SVG = "{http://www.w3.org/2000/svg}"
LETTER = 7.25


def check(svg: str) -> ElementTree.Element:
    """Parse, and see that no mark and no text leaves the frame."""
    root = ElementTree.fromstring(svg)
    height = float(root.attrib["height"])
    for element in root.iter():
        for name in ("x", "x1", "x2", "cx"):
            assert 0 <= float(element.get(name, 0)) <= WIDTH
        for name in ("y", "y1", "y2", "cy"):
            assert 0 <= float(element.get(name, 0)) <= height
        for point in element.get("points", "").split():
            x, y = map(float, point.split(","))
            assert 0 <= x <= WIDTH and 0 <= y <= height
        if (
            element.tag == f"{SVG}text"
            and element.get("text-anchor") is None
            and element.get("class") != "title"
        ):
            assert float(element.attrib["x"]) + LETTER * len(element.text or "") <= WIDTH
    return root


@pytest.fixture(scope="module")
def learned() -> LinearValue:
    return LinearValue().fit(hex_games())


def test_the_effect_is_the_change_per_deviation_from_an_even_position(learned: LinearValue) -> None:
    rows = coefficients(learned)
    assert {row.name for row in rows} == set(NAMES)
    assert [abs(row.theta) for row in rows] == sorted((abs(row.theta) for row in rows), reverse=True)
    for row in rows:
        assert 0.5 + row.effect == pytest.approx(1 / (1 + math.exp(-row.theta)))


def test_the_table_of_losses_marks_the_chosen_pair_and_names_the_weighting(learned: LinearValue) -> None:
    table = loss_table(learned)
    assert len(table) == 1 + len(learned.losses_)
    marked = [row for row in table if row[0]]
    assert [(row[1], row[2]) for row in marked] == [(f"{learned.l1_:g}", f"{learned.l2_:g}")]
    page = markdown(learned)
    assert "weighted by 0.97^(plies to the last position before the end)" in page
    assert "opponent-near-win is a linear combination of opponent-path-blocked" in page


def test_a_useless_model_is_reported() -> None:
    data = synthetic()
    data.scores[:] = np.random.default_rng(1).integers(0, 2, len(data.scores))
    said = notes(LinearValue(l1=0.0, l2=1.0).fit(data))
    assert any(line.startswith("No better than predicting the mean score") for line in said)


def test_the_report_data_is_json(learned: LinearValue) -> None:
    text = json.dumps(facts(learned), allow_nan=False)
    found = json.loads(text)
    assert found["training"]["l1"] == learned.l1_
    assert len(found["coefficients"]) == len(NAMES)


def test_a_report_is_a_page_and_two_plots(learned: LinearValue, tmp_path: Path) -> None:
    files = write_report(learned, Dataset.read(hex_games()), tmp_path)
    assert sorted(path.name for path in files) == ["calibration.svg", "path.svg", "report.md"]
    root = check((tmp_path / "calibration.svg").read_text())
    assert len(root.findall(f".//{SVG}circle")) == len(learned.calibration_)
    root = check((tmp_path / "path.svg").read_text())
    assert len(root.findall(f".//{SVG}polyline")) == len(NAMES)
    assert {text.text for text in root.iter(f"{SVG}text")} >= set(NAMES)


def test_a_report_that_cannot_be_written_whole_leaves_nothing(learned: LinearValue, tmp_path: Path) -> None:
    data = Dataset.read(hex_games())
    (tmp_path / "whole").mkdir()
    (tmp_path / "cut").mkdir()
    largest = max(write_report(learned, data, tmp_path / "whole"), key=lambda path: path.stat().st_size)
    with no_file_beyond(largest.stat().st_size - 1), pytest.raises(OSError, match=f"cut/{largest.name}: "):
        write_report(learned, data, tmp_path / "cut")
    assert not list((tmp_path / "cut").iterdir())


@pytest.mark.parametrize("count", [1, 8, 40])
def test_a_plotted_path_stays_inside_its_frame(count: int) -> None:
    rng = np.random.default_rng(count)
    weights = rng.standard_normal((5, count)).tolist()
    names = [f"<feature & number {number} with a long name>" for number in range(count)]
    check(path_svg([10, 5, 2, 1, 0.1], weights, names, 0.0, "A title"))
    check(path_svg([10, 5, 2, 1, 0.1], [[0.0] * count] * 5, names, 5.0, "A title"))


def test_a_calibration_plot_stays_inside_its_frame() -> None:
    bins = [
        {"predicted": 0.0, "observed": 0.0, "error": 0.3, "states": 1, "weight": 0.5},
        {"predicted": 1.0, "observed": 1.0, "error": 0.3, "states": 1, "weight": 0.5},
    ]
    check(calibration_svg(bins, "Hex <&>", ["a note"]))
