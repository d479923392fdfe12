"""A learned value by spec: the same file for every bot that asks a value."""

from __future__ import annotations

from pathlib import Path

import pytest

import tesuji
from tests.learn.games import HEX, hex_games
from tesuji.arena.match import Pairing
from tesuji.learn.linear import LinearValue


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "model.json"
    LinearValue(l1=0.0, l2=1.0).fit(hex_games()).save(path)
    return str(path)


def test_one_model_file_works_in_every_bot_with_a_value(model: str) -> None:
    value = LinearValue.load(model)
    state = tesuji.replay(HEX, "b2 c3")
    for spec, options in (
        ("greedy", {}),
        ("alphabeta:depth=2,lines=14", {"depth": 2, "lines": 14}),
        ("mcts:iterations=50,playout_depth=0", {"iterations": 50, "playout_depth": 0}),
    ):
        text = f"{spec}{',' if ':' in spec else ':'}seed=1,value={model}"
        by_spec = tesuji.bot(text, HEX)
        by_hand = type(by_spec)(HEX, value=value, seed=1, **options)  # type: ignore[call-arg]
        assert f"value={model}" in tesuji.spec_of(by_spec)
        assert by_spec.choose(state) == by_hand.choose(state)
        if by_spec.analyses:
            ours, theirs = by_spec.analyse(state), by_hand.analyse(state)
            assert ours.candidates == theirs.candidates


@pytest.mark.parametrize("bot", ["greedy:", "alphabeta:", "mcts:playout_depth=0,"])
def test_a_value_that_cannot_be_used_is_refused_when_the_bot_is_made(bot: str, model: str) -> None:
    with pytest.raises(ValueError, match=r"^there is no value 'modle\.json' \(game, off, or a model file\)$"):
        tesuji.bot(f"{bot}value=modle.json", HEX)
    with pytest.raises(ValueError, match="trained for hex:size=4, not for hex:size=5$"):
        tesuji.bot(f"{bot}value={model}", "hex:size=5")


def test_a_retrained_model_is_another_bot_in_a_match(model: str) -> None:
    def key() -> str:
        return Pairing(HEX, (f"greedy:value={model}", "random")).key

    before = key()
    assert key() == before
    LinearValue(l1=0.0, l2=2.0).fit(hex_games()).save(model)
    assert key() != before
