"""Results as data: stale figures are found, and pages say so."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import results, tuning

PAGE = "# Page\n\n<!-- results: small -->\n<!-- end of results -->\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one study that is not measured."""
    monkeypatch.setattr(results, "FOLDER", tmp_path)
    monkeypatch.setattr(results, "STORE", tmp_path / "games.db")
    page = tmp_path / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    monkeypatch.setattr(results, "ROOT", tmp_path)
    monkeypatch.setattr(results, "pages", lambda: [page])
    command = "tesuji match hex:size=3 random greedy --games 4"
    study = {"title": "Small", "heading": "match", "note": "Hex 3×3.", "rows": [{"label": "r – g"}]}
    study["rows"][0]["command"] = command  # type: ignore[index]
    results.write("small", study)
    return tmp_path


def command(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["results.py", *words])
    return results.main()


def change(folder: Path, **changes: Any) -> None:
    study = results.read("small")
    study["rows"][0]["result"] |= changes
    results.write("small", study)


def test_a_study_is_measured_and_shown_and_stale_when_play_changes(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(monkeypatch, "measure", "small") == 0
    result = json.loads((folder / "small.json").read_text(encoding="utf-8"))["rows"][0]["result"]
    assert result["games"] == 4
    assert len(result["fingerprints"]) == len(result["bots"]) == 2
    capsys.readouterr()

    assert command(monkeypatch, "list") == 1
    shown = capsys.readouterr().out
    assert "fresh         small: r – g\n" in shown
    assert "page.md does not agree" in shown
    page = folder / "page.md"
    page.write_text(results.with_results(PAGE), encoding="utf-8")
    assert command(monkeypatch, "list") == 0
    assert "| r – g | " in page.read_text(encoding="utf-8")

    change(folder, fingerprints=["other", "other"])
    capsys.readouterr()
    assert command(monkeypatch, "list") == 1
    assert capsys.readouterr().out.startswith("stale         small")
    said = results.with_results(PAGE)
    assert f"r – g (measured with {result['version']}, {result['date']}; " in said
    page.write_text(said, encoding="utf-8")
    assert command(monkeypatch, "list") == 0


def test_only_stale_rows_are_measured_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert command(monkeypatch, "measure", "small") == 0
    change(folder, date="1999-01-01")
    assert command(monkeypatch, "measure", "small") == 0
    assert "Measured 1999-01-01" in results.block("small")
    assert command(monkeypatch, "measure", "small", "--again") == 0
    assert "1999" not in results.block("small")


def test_a_bot_that_no_longer_exists_is_stale(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert command(monkeypatch, "measure", "small") == 0
    change(folder, bots=["gone", "random"])
    assert not results.fresh(results.read("small")["rows"][0])


def test_the_table_of_a_program_is_stale_when_its_sources_change(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "program.py").write_text('print(\'{"head": ["a"], "rows": [["1"]]}\')', encoding="utf-8")
    row = {"command": "python program.py", "sources": ["program.py"]}
    results.write("small", {"title": "Small", "note": "A table.", "rows": [row]})
    assert command(monkeypatch, "measure", "small") == 0
    assert results.block("small").startswith("| a |\n|---|\n| 1 |\n\nA table. Measured ")
    assert results.fresh(results.read("small")["rows"][0])
    (folder / "program.py").write_text("", encoding="utf-8")
    assert not results.fresh(results.read("small")["rows"][0])
    assert "changed since" in results.block("small")


def test_every_study_of_the_repository_is_complete() -> None:
    for name in results.studies():
        study = results.read(name)
        assert study["title"] and study["note"]
        for row in study["rows"]:
            assert row["command"].startswith(("tesuji match ", "python benchmarks/"))
            assert "result" in row, f"run: python benchmarks/results.py measure {name}"


def test_the_simulation_of_tunings_finds_the_optimum(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["tuning.py", "--seeds", "3", "--games", "1000", "--json"])
    tuning.main()
    found = json.loads(capsys.readouterr().out)
    assert [len(row) for row in found["rows"]] == [len(found["head"])] * 4
    assert float(found["rows"][0][2]) < float(found["rows"][0][1]) / 2
    assert found["rows"][2][4] == found["rows"][3][4] == "0 of 3"
