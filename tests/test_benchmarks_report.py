"""The report measures and writes its page; tiny counts, the real parts."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks import report


def test_the_machine_is_described() -> None:
    rows = "\n".join(report.machine())
    assert all(f"| {name} |" in rows for name in ("date", "tesuji", "processor", "Python"))


def test_ratios_below_and_above_one_are_bars_on_either_side() -> None:
    picture = ElementTree.fromstring(report.ratios_svg([("slow & small", 0.25), ("fast", 8.0)], "Speed"))
    bars = [element for element in picture if element.get("class") == "bar"]
    (slow, fast) = bars
    assert float(slow.attrib["x"]) + float(slow.attrib["width"]) == pytest.approx(
        float(fast.attrib["x"]), abs=0.2
    )


def test_the_exams_and_the_ladder_are_tables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(report, "EXAMS", {"gomoku": (2, ["random"])})
    monkeypatch.setattr(report, "LADDER", ("hex:size=3", ["random", "greedy"], 1))
    assert report.exams(1.0)[-1].startswith("| gomoku | `random` | ")
    rows = report.ladder(1.0, tmp_path)
    assert {row.split("`")[1] for row in rows if "`" in row} == {"random", "greedy"}
    assert (tmp_path / "report-ladder.svg").read_text(encoding="utf-8").startswith("<svg")
