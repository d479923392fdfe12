"""The benchmark of the optimiser runs, and compares fits of equal quality."""

import numpy as np
import pytest

from benchmarks.linear_fit import make_samples, measure, objective, ours, theirs


def test_both_sides_end_at_the_same_objective(capsys: pytest.CaptureFixture[str]) -> None:
    measure(rows=3000, columns=6, repetitions=1)
    assert "3,000 × 6: saga : ours = " in capsys.readouterr().out
    samples = make_samples(3000, 6)
    standard = (samples.table - samples.table.mean(axis=0)) / (samples.table.std(axis=0) + 1e-8)
    found = [
        objective(samples, standard, np.asarray(theta), bias, 0.3, 0.3)
        for _, theta, bias in (ours(samples, 0.3, 0.3), theirs(samples, standard, 0.3, 0.3, 1e-7))
    ]
    assert found[0] == pytest.approx(found[1], rel=1e-8)
