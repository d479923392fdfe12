"""The benchmark of chance and hidden cards runs; how fast things are is its to say, not a test's."""

import pytest

from benchmarks import hidden


def test_every_game_is_measured() -> None:
    rates = {**hidden.perfect(0.002), **hidden.hidden(0.002)}
    assert len(rates) == len(hidden.PERFECT) + 2
    assert all(rate > 0 for rate in rates.values())


def test_two_checkouts_are_compared_in_turn(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []

    def measured_by(checkout: object, share: float) -> dict[str, float]:
        asked.append(checkout)
        return dict.fromkeys(hidden.PERFECT, 3.0 if checkout == hidden.ROOT else 4.0)

    monkeypatch.setattr(hidden, "measured_by", measured_by)
    hidden.compare(hidden.ROOT.parent, 1.0, rounds=2)
    assert asked == [hidden.ROOT, hidden.ROOT.parent] * 2
    assert capsys.readouterr().out.count("ratio 0.750") == len(hidden.PERFECT)
