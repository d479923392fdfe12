"""The value that plays is the value that was trained: V means the side to move, for every bot by its spec."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tesuji
from tests.learn.games import HEX, hex_games
from tesuji import _core
from tesuji.arena.playing import Task, play
from tesuji.cli import main
from tesuji.features import features_of
from tesuji.learn.dataset import Dataset
from tesuji.learn.linear import LinearValue
from tesuji.search.values import find_value

ONITAMA = "onitama:cards=ox-boar-horse-elephant-crab"
GAMES = (HEX, ONITAMA)
each_game = pytest.mark.parametrize("game", GAMES)
by_position = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
PLAIN = "rave=off,first_play=off,expand_after=1,threat_response=off,move_ordering=off,exploration=1"
"""Every move is tried once before any is tried twice."""


@cache
def learned(game: str) -> LinearValue:
    return LinearValue(l1=0.0, l2=1.0).fit(hex_games(40, game))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A model of each game; of the negative one, V has the other sign."""
    folder = tmp_path_factory.mktemp("models")
    found: dict[str, str] = {}
    for game in GAMES:
        model, name = learned(game).model_, game.partition(":")[0]
        turned = replace(
            model,
            theta=tuple(-each for each in model.theta),
            bias=-model.bias,
            sparse=tuple(-each for each in model.sparse),
        )
        for key, each in ((game, model), (f"negative {game}", turned)):
            found[key] = str(folder / f"{name}-{len(found)}.json")
            each.write(found[key])
    return found


def position(game: str, seed: int) -> Any:
    rng = random.Random(seed)
    states: list[Any] = [tesuji.game(game).start()]
    while states[-1].scores() is None:
        states.append(states[-1].play(rng.choice(states[-1].moves())))
    return rng.choice(states[:-1])


def worth(value: LinearValue, state: Any, move: int) -> float:
    """What a move is worth to its mover, written down plainly: 1 − σ(V(next)), V by its formula."""
    after = state.play(move)
    if (scores := after.scores()) is not None:
        return float(scores[state.player])
    source: Any = features_of(state.game)
    features = source(after, after.player)
    standard = (np.array(list(features.values())) - value.mean_) / (value.scale_ + value.epsilon)
    codes = (
        float(value.sparse_weights_[source.codes(after, after.player)].sum())
        if len(value.sparse_weights_)
        else 0.0
    )
    return 1 - 1 / (1 + math.exp(-(float(value.theta_ @ standard) + codes + value.bias_)))


# The side to move


@each_game
@by_position
@given(seed=st.integers(0, 2**32))
def test_greedy_minimises_the_value_of_the_opponent(game: str, seed: int, files: dict[str, str]) -> None:
    state = position(game, seed)
    worths = {move: worth(learned(game), state, move) for move in state.moves()}
    chosen = tesuji.bot(f"greedy:value={files[game]},seed=1", game).choose(state)
    assert worths[chosen] == pytest.approx(max(worths.values()), abs=1e-12)


@each_game
def test_with_the_opposite_sign_greedy_plays_other_moves(game: str, files: dict[str, str]) -> None:
    same = 0
    for seed in range(40):
        state = position(game, seed)
        right, wrong = (
            tesuji.bot(f"greedy:value={files[name]},seed=1", game).choose(state)
            for name in (game, f"negative {game}")
        )
        same += right == wrong
    assert same < 20  # the same where there is one move, or a win on the spot


def test_with_the_opposite_sign_a_value_loses_to_itself(files: dict[str, str]) -> None:
    right, wrong = (f"greedy:value={files[name]}" for name in (ONITAMA, f"negative {ONITAMA}"))
    points = 0.0
    for seed in range(30):
        for leg, players in enumerate([(right, wrong), (wrong, right)]):
            record = play(Task(game=ONITAMA, players=players, seed=seed, rotation=leg))
            assert record.scores is not None
            points += record.scores[leg]
    assert points > 45, "three of four"


@each_game
@by_position
@given(seed=st.integers(0, 2**32))
def test_alpha_beta_at_depth_one_finds_the_value_of_each_move(
    game: str, seed: int, files: dict[str, str]
) -> None:
    state = position(game, seed)
    lines = len(state.moves())
    bot: Any = tesuji.bot(f"alphabeta:depth=1,quiescence=off,lines={lines},value={files[game]}", game)
    for candidate in bot.analyse(state).candidates:
        assert candidate.exact
        assert candidate.value == pytest.approx(worth(learned(game), state, candidate.move), abs=1e-7)


@each_game
@by_position
@given(seed=st.integers(0, 2**32))
def test_alpha_beta_at_depth_two_is_minimax_over_the_value(
    game: str, seed: int, files: dict[str, str]
) -> None:
    state, value = position(game, seed), learned(game)
    bot: Any = tesuji.bot(f"alphabeta:depth=2,quiescence=off,value={files[game]}", game)
    found = bot.analyse(state)

    def after(move: int) -> float:
        replied = state.play(move)
        if replied.scores() is not None:
            return float(replied.scores()[state.player])
        return 1 - max(worth(value, replied, reply) for reply in replied.moves())

    assert found.value == pytest.approx(max(after(move) for move in state.moves()), abs=1e-7)


@each_game
@by_position
@given(seed=st.integers(0, 2**32))
def test_mcts_without_playouts_backs_up_the_value_of_each_move(
    game: str, seed: int, files: dict[str, str]
) -> None:
    state = position(game, seed)
    spec = (
        f"mcts:iterations={len(state.moves())},playout_depth=0,{PLAIN},prover=off,seed=1,value={files[game]}"
    )
    bot: Any = tesuji.bot(spec, game)
    found = bot.analyse(state)
    tried = [candidate for candidate in found.candidates if candidate.visits == 1]
    assert len(tried) == len(state.moves()) or found.proven == 1.0, "a win on the spot ends the search"
    for candidate in tried:
        assert candidate.value == pytest.approx(worth(learned(game), state, candidate.move), abs=1e-6)


# From training to play


@each_game
def test_a_bots_native_value_is_the_trained_one_bit_for_bit(game: str, files: dict[str, str]) -> None:
    data = Dataset.read(hex_games(40, game))
    trained = learned(game).logits(data.table, data.sparse)
    served: Any = find_value(files[game], tesuji.game(game))
    assert isinstance(served, _core.LinearValue)

    def key(row: Any, codes: Any) -> tuple[bytes, tuple[int, ...]]:
        return row.tobytes(), tuple(sorted(map(int, codes)))

    places = [0] * (len(data.table) + 1) if data.sparse is None else data.sparse.offsets
    codes: Any = [] if data.sparse is None else data.sparse.indices
    by_row = {
        key(data.table[at], codes[places[at] : places[at + 1]]): float(logit)
        for at, logit in enumerate(trained)
    }
    count = 0
    for state in states_of(game):
        source: Any = features_of(state.game)
        row = np.array(list(source(state, state.player).values()))
        logit = by_row[key(row, source.codes(state, state.player))]
        assert served.logit(state.core) == logit
        assert served(state.core, state.player) == _core.win_probability(logit)
        count += 1
    assert count == len(data.table)


def states_of(game: str) -> Iterator[Any]:
    for record in hex_games(40, game):
        yield from (state for state in record.states() if state.scores() is None)


@pytest.mark.parametrize("change", ["bias", "mean", "deviation", "theta"])
def test_no_number_of_a_model_is_dropped_on_the_way_into_play(change: str, tmp_path: Path) -> None:
    model = learned(ONITAMA).model_
    if change == "bias":
        other = replace(model, bias=model.bias + 1)
    else:
        numbers = [number * 1.5 + 0.1 for number in getattr(model, change)]
        changed: Any = {change: tuple(numbers)}
        other = replace(model, **changed)
    other.write(tmp_path / "other.json")
    game = tesuji.game(ONITAMA)
    served: Any = find_value(str(tmp_path / "other.json"), game)
    before: Any = learned(ONITAMA).native
    for seed in range(20):
        core = position(ONITAMA, seed).core
        assert served.logit(core) != before.logit(core)


def test_terminal_positions_are_excluded_and_the_last_one_before_has_weight_1() -> None:
    data = Dataset.read(hex_games(40, ONITAMA))
    alive, captured = (data.names.index(name) for name in ("my_master_alive", "opp_master_captured"))
    assert (data.table[:, alive] == 1).all()
    assert (data.table[:, captured] == 0).all()
    for game in range(len(data.keys)):
        assert data.remaining[data.games == game].tolist()[-1] == 0
    assert set(learned(ONITAMA).constant_) >= {"my_master_alive", "opp_master_captured"}


@each_game
def test_every_feature_that_follows_from_others_is_reported(game: str) -> None:
    value = learned(game)
    table = Dataset.read(hex_games(40, game)).table
    varying = table[:, [name not in value.constant_ for name in value.names_]]
    standard = (varying - varying.mean(axis=0)) / varying.std(axis=0)
    assert np.linalg.matrix_rank(standard, tol=1e-6) == varying.shape[1] - len(value.dependent_)
    assert table.std(axis=0)[[name in value.constant_ for name in value.names_]].max(initial=0.0) == 0


# What does not fit is refused

BOTS = ("greedy:", "alphabeta:depth=1,", "mcts:playout_depth=0,")


@pytest.mark.parametrize("bot", BOTS)
def test_a_model_of_other_features_is_refused_by_every_bot_with_both_named(
    bot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    model = learned(HEX).model_
    old, renamed = str(tmp_path / "old.json"), str(tmp_path / "renamed.json")
    replace(model, version=model.version + 1).write(old)
    replace(model, names=("gone", *model.names[1:]), constant=(), dependent=()).write(renamed)
    for path, says in (
        (old, f"trained with version {model.version + 1} of the features of {HEX}; the current version"),
        (renamed, f"it was trained with the features gone, {model.names[1]}"),
        (str(tmp_path / "olb.json"), "there is no value"),
    ):
        with pytest.raises(ValueError, match=says):
            tesuji.bot(f"{bot}value={path}", HEX)
        assert main(["match", HEX, f"{bot}value={path}", "random", "--games", "2"]) == 2
        told = capsys.readouterr().err
        assert told.startswith("tesuji: ")
        assert told.count("\n") == 1
        assert says in told
    with pytest.raises(ValueError, match=f"cannot use .*: .*{HEX}, not for {ONITAMA}"):
        learned(HEX).save(old)
        tesuji.bot(f"{bot}value={old}", ONITAMA)
