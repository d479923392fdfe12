"""The benchmarks run; how fast things are is theirs to say, not a test's."""

import gc
import json
import math
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("mcts", reason="monte-carlo-tree-search is not installed")
pytest.importorskip("pyspiel", reason="open_spiel is not installed")

from benchmarks import gomoku, peers


@pytest.fixture(autouse=True)
def little_to_sweep() -> Iterator[None]:
    """Benchmarks collect garbage before each run: what a whole session of tests has left would take long."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.parametrize("name", peers.FIGURES)
def test_a_figure_is_measured(name: str) -> None:
    figure = peers.FIGURES[name](peers.Effort(share=0.002, repetitions=1))
    assert all(value > 0 and math.isfinite(value) for value in (figure.ours, figure.theirs, figure.ratio))
    assert peers.FIGURES[name].__doc__


@pytest.mark.parametrize("name", gomoku.FIGURES)
def test_a_figure_of_gomoku_is_printed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    gomoku.FIGURES[name](peers.Effort(share=0.002, repetitions=1))
    assert name.rstrip("s") in capsys.readouterr().out
    assert gomoku.FIGURES[name].__doc__


def test_the_figures_are_shown_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    peers.main(["--quick", "--only", "playouts", "--json", str(tmp_path / "figures.json")])
    assert "playouts" in capsys.readouterr().out
    written = json.loads((tmp_path / "figures.json").read_text())
    assert set(written["figures"]) == {"playouts"}
    assert set(written["figures"]["playouts"]) == {"what", "unit", "ours", "theirs", "ratio", "wanted"}
    assert all(written["machine"].values())


def test_a_search_that_did_something_else_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="our simulations: 99, but 100 were expected"):
        peers.expect("our simulations", 99, 100)
