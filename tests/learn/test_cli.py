"""`tesuji learn linear`: tables, JSON, files, bad input."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.bad_input import check_error
from tests.learn.games import HEX, hex_games
from tesuji.cli import main
from tesuji.learn.dataset import Dataset
from tesuji.learn.linear import LinearValue
from tesuji.records import Store


@pytest.fixture(autouse=True)
def _desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    with Store("games.db") as store:
        for record in hex_games():
            store.add(record)


def test_a_model_is_trained_shown_and_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", "linear", HEX, "--output", "model.json", "--report", "report"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("hex:size=4: 60 games, ")
    assert "weighted by 0.97^(plies to the last" in " ".join(lines[1:3])
    assert any(line.startswith("→") for line in lines)
    assert lines[-1] == "Model: model.json, report: report"
    assert sorted(os.listdir()) == ["games.db", "model.json", "report"]
    assert sorted(os.listdir("report")) == ["calibration.svg", "path.svg", "report.md"]
    value = LinearValue.load("model.json", game=HEX)
    with Store("games.db") as store:
        assert value.model_ == LinearValue().fit(Dataset.from_store(store, HEX)).model_


def test_json_has_the_model_and_options_take_effect(capsys: pytest.CaptureFixture[str]) -> None:
    line = f"learn linear {HEX} --output m.json --l1 0,0.5 --l2 1 --gamma 0.9 --folds 3 --draws skip --seed 2"
    assert main([*line.split(), "--rule", "one-standard-error", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    training = facts["training"]
    assert {(row["l1"], row["l2"]) for row in training["losses"]} == {(0, 1), (0.5, 1)}
    assert (training["gamma"], training["draws"], training["seed"]) == (0.9, "skip", 2)
    assert training["rule"] == "one-standard-error"
    assert len(training["baseline"]) == 3
    assert facts["data"]["store"] == "games.db"


BAD = {
    "no output": (f"learn linear {HEX}", "missing option '--output'"),
    "no store": (f"learn linear {HEX} --output m.json --store no.db", "there is no store no.db"),
    "no games": ("learn linear hex:size=9 --output m.json", "no finished games of hex:size=9"),
    "a grid of words": (f"learn linear {HEX} --output m.json --l1 a,b", "--l1 … not 'a,b'"),
    "a negative penalty": (
        f"learn linear {HEX} --output m.json --l2 -1",
        "l2 … not -1.0\n",
    ),
    "gamma": (
        f"learn linear {HEX} --output m.json --gamma 1.5",
        "gamma must be greater than 0 and at most 1, not 1.5",
    ),
    "folds": (
        f"learn linear {HEX} --output m.json --folds 1000",
        "1000 folds need at least 1000 different games",
    ),
    "draws": (f"learn linear {HEX} --output m.json --draws no", "draws must be one of half, skip, not 'no'"),
    "rule": (f"learn linear {HEX} --output m.json --rule x", "rule must be one of best … not 'x'"),
    "nowhere": (f"learn linear {HEX} --output no/m.json", "cannot write no/m.json"),
    "unknown bot": (f"learn linear {HEX} --output m.json --bot mohex", f"no finished games of {HEX}"),
}


@pytest.mark.parametrize(("line", "says"), BAD.values(), ids=BAD)
def test_bad_input_is_a_one_line_error(line: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 2
    check_error(*capsys.readouterr(), says)
    assert os.listdir() == ["games.db"]
