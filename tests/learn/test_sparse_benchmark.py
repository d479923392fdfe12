"""The benchmark of codes runs, and compares fits of equal quality."""

import pytest

from benchmarks.sparse_fit import measure


@pytest.mark.slow
def test_both_sides_end_at_the_same_objective(capsys: pytest.CaptureFixture[str]) -> None:
    measure(rows=2000, codes=50, solvers=("lbfgs",), limit=600)
    said = capsys.readouterr().out
    assert "2,000 rows, 50 codes:" in said
    assert "objectives within 0.0001" in said
