"""Calibration of a bot's values: each position counts in its tenth, with the result of its game."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks import calibration
from tesuji.models.network_format import calibrate
from tesuji.records import Note, Record, Store

WHEN = datetime(2026, 1, 31, tzinfo=UTC)
MOVES = ("b2", "a1", "c1", "c2", "b3")
ZERO = "zero:visits=8"


def record(players: tuple[str, str], values: tuple[float | None, ...]) -> Record:
    """A game of 3×3 Hex that the first player wins; the values are those of the player to move."""
    notes = tuple(None if value is None else Note(ply % 2, value, 8, 0.1) for ply, value in enumerate(values))
    return Record(
        game="hex:size=3",
        players=players,
        moves=MOVES,
        notes=notes,
        scores=(1.0, 0.0),
        ending="played",
        when=WHEN,
    )


def test_values_are_compared_with_results_by_tenths(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unfair = replace(record((ZERO, "random"), (0.7, None, 0.7, None, 0.7)), ending="hung")
    with Store(tmp_path / "games.db") as store:
        store.add(record((ZERO, "random"), (0.55, None, 0.94, None, 1.0)))
        store.add(record(("Ada Lovelace", ZERO), (None, 0.52, None, 0.13, None)))
        store.add(record(("mcts", ZERO), (0.8, 0.14, 0.9, None, None)))
        store.add(unfair)
    calibration.main([str(tmp_path / "games.db")])
    assert capsys.readouterr().out.splitlines()[2:-1] == [
        "| 0.1–0.2 | 2 | 2 | 14% | 0% | -14 |",
        "| 0.5–0.6 | 2 | 2 | 54% | 50% | -4 |",
        "| 0.9–1.0 | 2 | 1 | 97% | 100% | +3 |",
    ]
    for opponent in (["--opponent", "mcts"], ["--bot", ZERO, "--opponent", "mcts"]):
        calibration.main([str(tmp_path / "games.db"), *opponent])
        rows = capsys.readouterr().out.splitlines()[2:]
        assert rows == [
            "| 0.1–0.2 | 1 | 1 | 14% | 0% | -14 |",
            "best temperature: 0.20 (at the limit of what is tried)",
        ]


def test_the_best_temperature_undoes_the_one_that_values_have_been_given() -> None:
    true = [tenth / 10 for tenth in range(1, 10)]
    for given in (0.5, 1.0, 2.0):
        positions = [calibration.Position(calibrate(value, given), value, 1) for value in true]
        assert calibration.best_temperature(positions) == pytest.approx(1 / given, abs=0.011)


def test_a_store_without_such_games_is_an_error_and_a_missing_one_is_not_created(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        calibration.main([str(tmp_path / "none.db")])
    assert "none.db does not exist" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
    with Store(tmp_path / "games.db") as store:
        store.add(record(("mcts", "random"), (0.8, None, 0.9, None, None)))
    with pytest.raises(SystemExit):
        calibration.main([str(tmp_path / "games.db")])
    assert "has no finished game with values of zero" in capsys.readouterr().err
