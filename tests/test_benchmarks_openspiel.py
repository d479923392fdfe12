"""The benchmark of OpenSpiel's games runs, and both sides do the same work."""

from __future__ import annotations

import pytest

pytest.importorskip("pyspiel", reason="open_spiel is not installed")

from benchmarks import openspiel


def test_both_searches_are_measured() -> None:
    our, their, ratio = openspiel.measure("tic_tac_toe", 0.001)
    assert our > 0 and their > 0 and ratio > 0
