"""The estimator of linear values: what it learns, and that the value in play is the trained one."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import tesuji
from tests.learn.games import HEX, NAMES, hex_games, line_games, synthetic
from tests.registered import registered
from tesuji.features import features_of
from tesuji.games.hex import HexObjectives
from tesuji.knowledge import Knowledge
from tesuji.learn.dataset import Dataset
from tesuji.learn.linear import LinearValue
from tesuji.records import Record
from tesuji.registry import games


@pytest.fixture(scope="module")
def learned() -> LinearValue:
    return LinearValue(l1=0.3, l2=0.1).fit(hex_games())


def positions(records: Any = None) -> list[Any]:
    records = hex_games() if records is None else records
    return [state for record in records for state in record.states() if state.scores() is None]


def test_a_fit_from_records_is_what_scikit_learn_finds_in_the_same_positions() -> None:
    rows, labels, weights = [], [], []
    for record in hex_games():
        states = [state for state in record.states() if state.scores() is None]
        for place, state in enumerate(states):
            rows.append(list(features_of(tesuji.game(HEX))(state, state.player).values()))
            labels.append(record.scores[state.player])  # type: ignore[index]
            weights.append(0.9 ** (len(states) - 1 - place))
    table = np.array(rows)
    standard = (table - table.mean(axis=0)) / (table.std(axis=0) + 1e-8)
    oracle = LogisticRegression(
        solver="saga", C=1 / 2.5, l1_ratio=0.5 / 2.5, tol=1e-9, max_iter=20_000, random_state=0
    ).fit(standard, labels, weights)
    value = LinearValue(gamma=0.9, l1=0.5, l2=1.0).fit(hex_games())
    assert value.theta_ == pytest.approx(oracle.coef_[0], abs=1e-4)
    assert value.bias_ == pytest.approx(oracle.intercept_[0], abs=1e-4)
    assert value.mean_ == pytest.approx(table.mean(axis=0), rel=1e-12)
    assert value.scale_ == pytest.approx(table.std(axis=0), rel=1e-12)


def test_the_served_value_is_the_trained_value_bit_for_bit(learned: LinearValue, tmp_path: Path) -> None:
    learned.save(tmp_path / "model.json")
    again = LinearValue.load(tmp_path / "model.json")
    assert learned.native is not None and again.native is not None
    states = positions()
    features = features_of(tesuji.game(HEX))
    table = np.array([list(features(state, state.player).values()) for state in states])
    for state, trained in zip(states, learned.logits(table).tolist(), strict=True):
        assert learned.logit(state) == again.logit(state) == again.native.logit(state.core) == trained
        for player in (0, 1):
            assert learned.value(state, player) == again.native(state.core, player)
    assert len(states) > 500


def test_the_value_is_the_formula(learned: LinearValue) -> None:
    for state in positions()[:50]:
        raw = np.array(list(features_of(tesuji.game(HEX))(state, state.player).values()))
        logit = float(learned.theta_ @ ((raw - learned.mean_) / (learned.scale_ + 1e-8))) + learned.bias_
        assert learned.logit(state) == pytest.approx(logit, abs=1e-12)
        assert learned.value(state, state.player) == pytest.approx(1 / (1 + np.exp(-logit)), abs=1e-12)
        assert learned.value(state, 0) + learned.value(state, 1) == pytest.approx(1.0, abs=1e-15)


def test_a_position_and_its_mirror_with_the_sides_exchanged_are_worth_the_same() -> None:
    game: Any = tesuji.game("hex:size=5,swap=on")
    value = LinearValue(l1=0.0, l2=0.5).fit(hex_games(30, "hex:size=5,swap=on"))
    rng = random.Random(2)

    def mirrored(move: int) -> int:
        return move % 5 * 5 + move // 5

    for _ in range(20):
        first = rng.randrange(25)
        one = game.start().play(first)  # White to move
        other = one.play(25)  # the swap: Black to move, and all is mirrored
        while one.scores() is None and other.scores() is None:
            assert one.player != other.player
            assert value.logit(one) == value.logit(other)
            assert value.value(one, 0) == value.value(other, 1)
            move = rng.choice([move for move in one.moves() if move < 25])
            one, other = one.play(move), other.play(mirrored(move))


def test_being_nearer_to_a_connection_is_better_for_both_players(learned: LinearValue) -> None:
    state = tesuji.replay(HEX, "b1 d4 b2 a4 b3")  # Black needs one stone, White is to move
    assert learned.value(state, 0) > 0.6
    assert learned.value(state, 1) < 0.4
    assert learned.logit(state) < 0


def test_the_order_of_the_games_does_not_change_a_bit(learned: LinearValue) -> None:
    records = list(hex_games())
    random.Random(9).shuffle(records)
    assert LinearValue(l1=0.3, l2=0.1).fit(records).model_ == learned.model_


def test_options_stay_as_given_and_fit_returns_itself() -> None:
    value = LinearValue(gamma=0.9, l1=[0, 1], l2="auto", folds=3, rule="one-standard-error", seed=4)
    assert value.fit(hex_games()) is value
    assert (value.gamma, value.l1, value.l2, value.folds, value.seed) == (0.9, [0, 1], "auto", 3, 4)
    assert {row.l1 for row in value.losses_} == {0.0, 1.0}
    assert all(len(row.losses) == 3 for row in value.losses_)
    assert (value.l1_, value.l2_) in {(row.l1, row.l2) for row in value.losses_}
    assert value.names_ == NAMES
    assert value.data_["games"] == len(hex_games())


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ({"gamma": 0}, "gamma must be greater than 0 and at most 1, not 0"),
        ({"gamma": float("nan")}, "gamma must be greater than 0"),
        ({"l1": -1}, "l1 must be auto, a non-negative number, or a sequence of them, not -1"),
        ({"l2": "ten"}, "l2 must be auto"),
        ({"l1": []}, "l1 must be auto"),
        ({"l2": [1, float("inf")]}, "l2 must be auto"),
        ({"folds": 1}, "folds must be an integer of at least 2, not 1"),
        ({"draws": "win"}, "draws must be one of half, skip, not 'win'"),
        ({"rule": "worst"}, "rule must be one of best, one-standard-error, not 'worst'"),
        ({"epsilon": 0.0}, "epsilon must be greater than 0"),
        ({"seed": -1}, "seed must be an integer of at least 0"),
    ],
)
def test_invalid_options_are_refused(option: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError) as error:
        LinearValue(**option).fit(hex_games())
    assert str(error.value).startswith(says)


def test_equal_dependent_and_constant_features_are_named() -> None:
    data = synthetic()
    data.table[:, 1] = 7.3
    data.table[:, 3] = data.table[:, 0]
    data.table[:, 5] = 2 - 3 * data.table[:, 2] + data.table[:, 4]
    value = LinearValue(l1=0.0, l2=1.0).fit(data)
    assert value.constant_ == (NAMES[1],)
    assert value.dependent_ == ((NAMES[3], NAMES[0]), (NAMES[5], NAMES[2], NAMES[4]))
    assert value.theta_[1] == 0
    assert value.theta_[0] == pytest.approx(value.theta_[3], abs=1e-5)  # the ridge shares alike


def test_two_equivalent_objectives_of_hex_are_reported(learned: LinearValue) -> None:
    assert ("opponent-near-win", "opponent-path-blocked") in learned.dependent_


def test_a_search_can_use_it(learned: LinearValue) -> None:
    game = tesuji.game(HEX)
    bot = tesuji.MCTS(game, iterations=300, seed=1, value=learned, playout_depth=0, prover="off")
    first = bot.analyse(game.start())
    assert first.iterations == 300
    knowledge = learned.knowledge()
    one = tesuji.MCTS(game, iterations=300, seed=1, knowledge=knowledge, playout_depth=0, prover="off")
    assert one.analyse(game.start()).candidates == first.candidates
    assert isinstance(learned.knowledge(), Knowledge)
    assert learned.knowledge().move_ordering is game.knowledge.move_ordering
    with pytest.raises(ValueError, match="hex:size=4, not for hex:size=5$"):
        learned.knowledge("hex:size=5")


def test_objectives_with_the_learned_weights_agree_in_order(learned: LinearValue) -> None:
    objectives = learned.objectives()
    assert isinstance(objectives, HexObjectives)
    states = positions()
    ours = np.array([learned.logit(state) for state in states])
    theirs = np.array([objectives.value(state, state.player) for state in states])
    assert np.corrcoef(ours, theirs)[0, 1] == pytest.approx(1.0, abs=1e-9)


def test_readings_add_up_to_the_log_odds_of_either_player(learned: LinearValue) -> None:
    slopes = learned.theta_ / (learned.scale_ + 1e-8)
    rest = learned.bias_ - float(slopes @ learned.mean_)
    for state in positions()[:30]:
        total = sum(value * weight for value, weight in learned(state, state.player).values())
        assert total + rest == pytest.approx(learned.logit(state), abs=1e-9)
        other = sum(value * weight for value, weight in learned(state, 1 - state.player).values())
        assert other == pytest.approx(-total, abs=1e-9)


def test_a_position_of_another_game_is_refused(learned: LinearValue) -> None:
    with pytest.raises(ValueError, match="trained for hex:size=4, not for"):
        learned.value(tesuji.replay("hex:size=5", ""), 0)
    with pytest.raises(ValueError, match="player must be from 0 to 1, not 2"):
        learned.value(tesuji.replay(HEX, ""), 2)
    with pytest.raises(ValueError, match="not trained: call fit"):
        LinearValue().value(tesuji.replay(HEX, ""), 0)


def test_a_python_game_learns_and_plays(lines: str, tmp_path: Path) -> None:
    value = LinearValue(l1=0.0, l2=0.5).fit(line_games())
    assert value.native is None
    assert value.constant_ == ("one",)
    assert value.theta_[0] > 0 > value.theta_[1]
    assert value.data_["draws"] > 0
    value.save(tmp_path / "model.json")
    again = LinearValue.load(tmp_path / "model.json", game=lines)
    data = Dataset.read(line_games())
    game = tesuji.game(lines)
    logits = dict(zip(map(tuple, data.table.tolist()), value.logits(data.table).tolist(), strict=True))
    for state in positions(line_games()[:10]):
        row = tuple(state.features(state.player).values())
        assert again.logit(state) == logits[row]
        assert again.value(state, 0) + again.value(state, 1) == 1.0
    bot = tesuji.MCTS(game, iterations=50, seed=1, value=again, playout_depth=0)
    assert bot.analyse(game.start()).iterations == 50


def test_a_game_for_three_is_refused() -> None:
    class Three:
        players = 3

        def start(self) -> object:
            return object()

    record = Record(game="three", players=("a", "b", "c"), scores=(1.0, 0.0, 0.0), ending="resigned")
    with registered(games, three=Three), pytest.raises(ValueError, match="two-player game; three has 3"):
        Dataset.read([record])


def test_excluded_features_have_weight_0_and_are_not_reported_as_constant(tmp_path: Path) -> None:
    data = synthetic()
    value = LinearValue(l1=0.0, l2=1.0, without=[NAMES[0], "opponent-*"]).fit(data)
    out = [place for place, name in enumerate(NAMES) if name == NAMES[0] or name.startswith("opponent-")]
    assert 1 < len(out) < len(NAMES) and value.constant_ == ()
    assert [place for place, weight in enumerate(value.theta_) if weight == 0] == out
    changed = data.table.copy()
    changed[:, out] = 5.0
    assert value.logits(changed).tolist() == value.logits(data.table).tolist()
    value.save(tmp_path / "model.json")
    assert tuple(LinearValue.load(tmp_path / "model.json").without) == (NAMES[0], "opponent-*")
    for wrong, says in (
        (["moves"], "unknown feature 'moves'"),
        (["*"], "excludes every feature"),
        ("a", "list"),
    ):
        with pytest.raises(ValueError, match=says):
            LinearValue(without=wrong).fit(data)
