"""The benchmark of the levels' times runs."""

from __future__ import annotations

import re

import pytest

from benchmarks import level_times


def test_the_time_of_a_level_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    level_times.main(["--size", "4", "--every", "50", "--levels", "easy", "medium"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["easy", "medium"]
    assert all(re.search(r"\d s, at most +\d+\.\d\d s \(limit \d s\)$", line) for line in lines)
