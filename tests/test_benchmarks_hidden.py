"""The benchmark of chance and hidden cards runs; how fast things are is its to say, not a test's."""

from benchmarks import hidden


def test_every_game_is_measured() -> None:
    rates = {**hidden.perfect(0.002), **hidden.hidden(0.002)}
    assert len(rates) == len(hidden.PERFECT) + 2
    assert all(rate > 0 for rate in rates.values())
