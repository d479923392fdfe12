"""Notebooks: the example runs, states are shown as pictures, results as tables."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

import tesuji
from docs.make_notebook import EXAMPLES, run_notebook
from tests.registered import only_own
from tesuji._helpers import notebook
from tesuji.registry import games


@pytest.fixture(autouse=True)
def own_games() -> Iterator[None]:
    """Games registered here are forgotten afterwards; the examples register some of the same names."""
    with only_own(games):
        yield


@pytest.fixture
def shell() -> Iterator[Any]:
    pytest.importorskip("IPython")
    from IPython.core.interactiveshell import InteractiveShell

    made = InteractiveShell.instance()
    notebook.enable()
    yield made
    InteractiveShell.clear_instance()


def test_the_example_notebook_runs_and_shows_what_it_says() -> None:
    path = EXAMPLES / "own_game.ipynb"
    stored = json.loads(path.read_text(encoding="utf-8"))
    run = run_notebook(path)
    kinds = [
        [sorted(output.get("data", {})) for output in cell.get("outputs", [])]
        for one in (stored, run)
        for cell in one["cells"]
    ]
    half = len(kinds) // 2
    assert kinds[:half] == kinds[half:], "run: python docs/make_notebook.py"
    assert run["cells"][1]["outputs"][0]["data"]["text/plain"] == ["[]"]  # check_game


class Drawn:
    """A state of a user, without `_repr_svg_`."""

    player = 0

    def moves(self) -> list[int]:
        return [1]

    def play(self, move: int) -> Drawn:
        return self

    def scores(self) -> None:
        return None

    def svg(self) -> str:
        return "<svg/>"


class Shape:
    """Not a state."""

    def svg(self) -> str:
        return "<svg/>"


def test_a_state_with_svg_is_shown_as_its_picture(shell: Any) -> None:
    shown = shell.display_formatter.format
    assert shown(Drawn())[0]["image/svg+xml"] == "<svg/>"
    assert shown(tesuji.game("hex:size=3").start())[0]["image/svg+xml"].startswith("<svg")
    for other in (Shape(), Drawn, 7, "text", [Drawn()]):
        assert "image/svg+xml" not in shown(other)[0]


def test_an_analysis_prints_as_a_table_with_the_texts_of_moves() -> None:
    state = tesuji.replay("hex:size=5", "c3 d2")
    analysis = tesuji.MCTS("hex:size=5", iterations=2000, seed=1, prover="off").analyse(state)
    lines = str(analysis).splitlines()
    assert lines[0].split() == ["move", "visits", "value", "prior", "RAVE", "line"]
    assert lines[1].split()[:2] == [state.text(analysis.move), f"{analysis.candidates[0].visits:,}"]
    assert lines[-1].startswith(f"Best: {state.text(analysis.move)}, ")
    html = analysis._repr_html_()
    assert html.count("<tr>") == 11 and "<svg" in html
