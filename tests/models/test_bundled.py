"""The networks that come with the package: small, described, and able to play."""

from __future__ import annotations

import random
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

import tesuji
from tesuji.models.bundled import BUNDLED, bundled_file
from tesuji.models.network import Network
from tesuji.spec import Spec

LARGEST = 6 << 20  # bytes
bundled = pytest.mark.parametrize("name", BUNDLED)


@bundled
def test_a_bundled_network_is_one_small_file_that_describes_itself(name: str) -> None:
    network = Network(name)
    assert network.path.stat().st_size <= LARGEST
    assert [path.name for path in network.path.parent.glob(f"{name}.*")] == [f"{name}.safetensors"]
    assert Spec.parse(network.description.game).name == name  # the largest board
    assert network.description.training["games"] > 10_000


@bundled
@pytest.mark.parametrize("place", [3, 100, -1])
def test_a_flipped_bit_of_a_bundled_network_is_an_error_that_names_the_file(
    name: str, place: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = bytearray(bundled_file(name).read_bytes())
    content[place] ^= 4
    (tmp_path / "models").mkdir()
    damaged = tmp_path / "models" / f"{name}.safetensors"
    damaged.write_bytes(content)
    monkeypatch.setattr(resources, "files", lambda package: tmp_path)
    with pytest.raises(ValueError, match=f"cannot use {damaged}: it is damaged: its checksum is wrong"):
        Network(name)


@bundled
def test_a_bundled_network_is_the_default_of_its_game_and_beats_random(name: str) -> None:
    game = tesuji.game(name)
    bot: Any = tesuji.bot("zero:visits=4,seed=1", game)
    assert bot.network.path == Network(name).path
    for seat in (0, 1):
        rng, state = random.Random(seat), game.start()
        while state.scores() is None:
            state = state.play(bot.choose(state) if state.player == seat else rng.choice(list(state.moves())))
        assert state.scores()[seat] == 1.0  # type: ignore[index]


@pytest.mark.parametrize("spec", ["hex:size=4", "hex:size=7,swap=on", "hex:size=13", "hex:size=19,swap=on"])
def test_the_hex_network_plays_every_board_with_and_without_the_swap(spec: str) -> None:
    game = tesuji.game(spec)
    bot: Any = tesuji.bot("zero:visits=32,seed=1", game)
    analysis = bot.analyse(game.start())
    assert analysis.move in game.start().moves()
    if "swap" in spec:
        assert analysis.value < 0.7  # in theory the second player, who may swap, wins


def test_the_second_player_swaps_strong_openings_and_leaves_weak_ones() -> None:
    game = tesuji.game("hex:swap=on")
    bot: Any = tesuji.bot("zero:visits=100,seed=1", game)
    for opening, swaps in (("f6", True), ("e5", True), ("a1", False), ("k11", False), ("b1", False)):
        state = tesuji.replay(game, opening)
        assert (state.text(bot.choose(state)) == "swap-pieces") == swaps, opening


def test_zero_is_the_default_bot_of_hex_where_the_network_plays() -> None:
    assert {tesuji.game(f"hex:size={size},swap=on").default_bot for size in (3, 11, 19)} == {"zero"}
    assert tesuji.game("hex:size=2").default_bot == "mcts"


@pytest.mark.parametrize("spec", ["gomoku:size=9", "gomoku:rule=renju", "gomoku:size=20,swap2=on"])
def test_zero_is_the_default_bot_of_gomoku_from_the_smallest_board_it_was_trained_on(spec: str) -> None:
    game: Any = tesuji.game(spec)
    assert (game.default_bot, game.levels["expert"]) == ("zero", "zero:visits=800")
    assert tesuji.game("gomoku:size=8").default_bot == "mcts"


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
@pytest.mark.parametrize("size", [5, 9, 15, 20])
def test_the_gomoku_network_plays_every_rule_and_board(rule: str, size: int) -> None:
    game = tesuji.game(f"gomoku:rule={rule},size={size}")
    bot: Any = tesuji.bot("zero:visits=16,seed=1", game)
    rows = [game.start().play(size * (size // 2) + size // 2)]
    for _ in range(3):
        rows.append(rows[-1].play(bot.choose(rows[-1])))
    assert rows[-1].scores() is None
    assert bot.analyse(rows[-1]).move in rows[-1].moves()


SWAP2_CHOICES = [
    ("h8 a1 h7", "swap"),  # White's stone is far away
    ("h8 i8 h9", "swap"),
    ("f8 j8 a1", None),  # Black's stones are apart
]


@pytest.mark.parametrize(("opening", "choice"), SWAP2_CHOICES)
@pytest.mark.parametrize("rule", ["freestyle", "renju"])
def test_swap2_is_decided_by_the_value_of_what_follows(rule: str, opening: str, choice: str | None) -> None:
    game = tesuji.game(f"gomoku:swap2=on,rule={rule}")
    state = tesuji.replay(game, opening)
    for seed in (1, 2, 3):
        bot: Any = tesuji.bot(f"zero:visits=64,symmetries=on,seed={seed}", game)
        analysis = bot.analyse(state)
        chosen = state.text(analysis.move)
        assert chosen == choice if choice else analysis.move < 225
        assert analysis.value > 0.5


def test_the_three_stones_of_swap2_are_even() -> None:
    state: Any = tesuji.game("gomoku:swap2=on").start()
    bot: Any = tesuji.bot("zero:visits=200,seed=1", state.game)
    cells = []
    for _ in range(3):
        cells.append(bot.choose(state))
        state = state.play(cells[-1])
    plain = tesuji.game("gomoku")
    judge: Any = tesuji.bot("zero:visits=200,seed=2", plain)
    assert 0.4 <= judge.analyse(tesuji.replay(plain, cells)).value <= 0.6


@pytest.mark.parametrize(("size", "winning"), [(3, "c1 a2 b2 c2 a3"), (4, "d1 c2 b3 a4")])
def test_the_hex_network_knows_the_solved_openings_of_small_boards(size: int, winning: str) -> None:
    game = tesuji.game(f"hex:size={size}")
    bot: Any = tesuji.bot("zero:visits=100,seed=1", game)
    for move in game.start().moves():
        state = game.start().play(move)
        text = game.start().text(move)
        assert (bot.analyse(state).value < 0.5) == (text in winning.split()), text
