"""Linear priors: data, fit, file, and bots that use them."""

from __future__ import annotations

import gzip
import json
import math
import random
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import check_grad

import tesuji
from examples.breakthrough import Breakthrough
from tesuji.arena.playing import Task, play
from tesuji.cli import main
from tesuji.learn.dataset import MoveDataset
from tesuji.learn.explain import explain_prior
from tesuji.learn.fit import ConditionalLogistic, fit
from tesuji.learn.linear import LinearPrior
from tesuji.models.linear import TrainedLinearPrior
from tesuji.models.linear_file import LARGEST_FILE, PriorModel
from tesuji.records import Record, Store

HEX, PAWNS = "hex:size=5", "breakthrough:columns=4,rows=5"


@cache
def games(game: str = HEX, count: int = 12) -> tuple[Record, ...]:
    tasks = [Task(game=game, players=("mcts:iterations=60",) * 2, seed=seed) for seed in range(count)]
    return tuple(map(play, tasks))


@cache
def prior(game: str = HEX) -> LinearPrior:
    return LinearPrior(l2=1.0, folds=3).fit(games(game))


def test_every_legal_move_of_every_position_is_a_row() -> None:
    data = MoveDataset.read(games())
    for number, key in enumerate(data.keys[:3]):
        assert len(key) == 64
        rows = np.flatnonzero(data.games == number)
        counts = np.diff(np.append(0, data.ends))[rows]
        assert counts.tolist() == list(range(25, 25 - len(counts), -1))
    assert data.sparse.rows == data.ends[-1]
    assert (data.chosen >= 0).all()
    assert data.ordering is not None and len(data.ordering) == data.sparse.rows


def test_the_move_played_is_the_chosen_row() -> None:
    record = games()[0]
    data = MoveDataset.read([record])
    state = tesuji.game(HEX).start()
    for text, place in zip(record.moves, data.chosen, strict=True):
        assert state.text(state.moves()[place]) == text
        state = state.play(state.moves()[place])


def test_a_share_of_the_positions_is_taken_when_there_are_too_many() -> None:
    whole, some = MoveDataset.read(games()), MoveDataset.read(games(), most=60)
    assert 20 < some.positions < 120 < whole.positions


def test_the_opening_of_a_match_is_left_out() -> None:
    record = games()[0]
    assert (
        MoveDataset.read([replace(record, opening=4)]).positions == MoveDataset.read([record]).positions - 4
    )


def test_the_gradient_is_the_slope_of_the_loss() -> None:
    data = MoveDataset.read(games()[:2])
    weights = np.random.default_rng(0).uniform(0.2, 1.0, data.positions)
    used = np.unique(data.sparse.indices)

    def evaluate(point: Any) -> tuple[float, Any]:
        theta = np.zeros(data.sparse.count)
        theta[used] = point
        native: Any = data.sparse.native
        loss, gradient = native.choice_loss(data.ends, data.chosen, weights, 0, data.positions, theta, 2)
        return loss, gradient[used]

    point = np.random.default_rng(1).standard_normal(len(used))
    assert check_grad(lambda at: evaluate(at)[0], lambda at: evaluate(at)[1], point) < 1e-3


def test_the_fit_is_where_the_gradient_of_the_objective_vanishes() -> None:
    data = MoveDataset.read(games(PAWNS))
    weights = np.ones(data.positions)
    found = fit(ConditionalLogistic(data, weights), l1=0.0, l2=1.0, tolerance=3e-4).theta
    native: Any = data.sparse.native
    _, gradient = native.choice_loss(data.ends, data.chosen, weights, 0, data.positions, found, 1)
    assert np.abs(gradient + 2 * found).max() < 1e-2 * data.positions**0.5


@pytest.mark.parametrize("game", [HEX, PAWNS])
def test_held_out_moves_are_predicted_better_than_by_chance(game: str) -> None:
    quality = prior(game).held_out_
    assert quality["prior"].log_loss < quality["uniform"].log_loss  # type: ignore[operator]
    assert quality["prior"].top1 > quality["uniform"].top1
    assert quality["prior"].top5 > quality["uniform"].top5
    assert ("ordering" in quality) == (game == HEX)


@pytest.mark.parametrize("game", [HEX, PAWNS])
def test_probabilities_are_the_softmax_of_the_logits_and_ordered(game: str) -> None:
    state: Any = tesuji.game(game).start()
    state = state.play(state.moves()[7])
    moves = list(state.moves())
    found = prior(game)(state, state.player, moves)
    logits = dict(zip(moves, prior(game).logits(state, moves), strict=True))
    total = sum(math.exp(logit) for logit in logits.values())
    assert sum(found.values()) == pytest.approx(1.0)
    assert list(found.values()) == sorted(found.values(), reverse=True)
    for move, probability in found.items():
        assert probability == pytest.approx(math.exp(logits[move]) / total)
        assert sum(prior(game).terms(state, move).values()) == pytest.approx(logits[move])


def test_the_core_weighs_moves_as_python_does() -> None:
    state: Any = tesuji.replay(HEX, "c3 b4 d2 a1")
    moves = list(state.moves())
    found, native = prior()(state, state.player, moves), prior().native
    assert native is not None
    weights = native(state.core, moves)
    assert list(weights.values()) == sorted(weights.values(), reverse=True)
    most = max(found.values())
    for move, weight in weights.items():
        assert weight == pytest.approx(found[move] / most, rel=1e-5)


def test_a_mirrored_position_with_exchanged_colours_has_the_same_codes() -> None:
    """White sees the board mirrored along the long diagonal."""
    features: Any = tesuji.game(HEX).move_features

    def mirror(cell: int) -> int:
        return cell % 5 * 5 + cell // 5

    start: Any = tesuji.game(HEX).start()
    black, white = [12, 7, 3], [16, 4, 20]
    one = start
    for cell in (
        black[0],
        white[0],
        black[1],
        white[1],
        black[2],
        white[2],
    ):  # Black to move, White moved last
        one = one.play(cell)
    # The same stones with exchanged roles but for one; cells far from it have the same codes.
    other = start
    for cell in (mirror(white[0]), mirror(black[0]), mirror(white[1]), mirror(black[1]), mirror(white[2])):
        other = other.play(cell)  # White to move
    seen = features.codes(one, one.moves())
    again = dict(zip(other.moves(), features.codes(other, other.moves()), strict=True))
    same = [
        move
        for move, codes in zip(one.moves(), seen, strict=True)
        if sorted(codes) == sorted(again[mirror(move)])
    ]
    far = [move for move in one.moves() if max(abs(move // 5 - 0), abs(move % 5 - 3)) > 3]
    assert far
    assert set(far) <= set(same)


@pytest.mark.parametrize("game", [HEX, PAWNS])
def test_a_file_reads_back_the_same(game: str, tmp_path: Path) -> None:
    path = tmp_path / "prior.json"
    prior(game).save(path)
    again = LinearPrior.load(path, game=game)
    assert again.model_ == prior(game).model_
    assert again.folds == 3
    written = json.loads(path.read_text())
    assert (written["kind"], written["format"]) == ("linear prior", 1)
    assert bool(written["features"]["names"]) == (game == PAWNS)


def test_a_compressed_file_is_smaller_and_reads_back_the_same(tmp_path: Path) -> None:
    plain, small = tmp_path / "prior.json", tmp_path / "prior.json.gz"
    for path in (plain, small):
        prior().save(path)
        assert TrainedLinearPrior.load(path).model_ == prior().model_
    assert small.stat().st_size < plain.stat().st_size / 2
    assert gzip.decompress(small.read_bytes()) == plain.read_bytes()


@pytest.mark.parametrize("place", [2, 40, -8, -1])
def test_a_flipped_bit_of_a_compressed_file_is_an_error_that_names_it(place: int, tmp_path: Path) -> None:
    path = tmp_path / "prior.json.gz"
    prior().save(path)
    content = bytearray(path.read_bytes())
    content[place] ^= 16
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"cannot use {path}: "):
        TrainedLinearPrior.load(path)


def test_a_file_that_is_huge_once_decompressed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "prior.json.gz"
    path.write_bytes(gzip.compress(bytes(LARGEST_FILE + 1)))
    with pytest.raises(ValueError, match="it is larger than 32 MiB"):
        TrainedLinearPrior.load(path)


def test_a_hex_prior_serves_every_board_and_no_other_game(tmp_path: Path) -> None:
    path = tmp_path / "prior.json"
    prior().save(path)
    TrainedLinearPrior.load(path, game="hex:size=9,swap=on")
    with pytest.raises(ValueError, match="trained for hex:size=5, not for gomoku"):
        TrainedLinearPrior.load(path, game="gomoku")


BAD: dict[str, tuple[Any, str]] = {
    "another kind": (lambda data: data.update(kind="linear value"), "its kind is 'linear value'"),
    "a weight too few": (lambda data: data["weights"].pop(), "'weights' must hold"),
    "a weight out of range": (lambda data: data["weights"].__setitem__(0, 10**9), "not 1000000000"),
    "a fraction": (lambda data: data["weights"].__setitem__(0, 0.5), "not 0.5"),
    "another version": (lambda data: data["features"].update(version=99), "version 99"),
    "an unknown key": (lambda data: data.update(extra=1), "'extra'"),
}


@pytest.mark.parametrize("name", BAD)
def test_damaged_files_are_refused_in_one_line(name: str, tmp_path: Path) -> None:
    change, says = BAD[name]
    data = json.loads(json.dumps(prior().model_.as_dict()))
    change(data)
    path = tmp_path / "prior.json"
    path.write_text(json.dumps(data))
    with pytest.raises(ValueError) as error:
        TrainedLinearPrior.load(path)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_a_model_survives_plain_data() -> None:
    assert PriorModel.from_dict(json.loads(json.dumps(prior().model_.as_dict()))) == prior().model_


@pytest.mark.parametrize("game", [HEX, PAWNS])
@pytest.mark.parametrize("bot", ["mcts:iterations=200,prior_weight=1", "alphabeta:nodes=500"])
def test_bots_take_the_file(game: str, bot: str, tmp_path: Path) -> None:
    path = tmp_path / "prior.json"
    prior(game).save(path)
    rules = tesuji.game(game)
    state = rules.start()
    found: Any = tesuji.bot(f"{bot},move_ordering={path},seed=1", rules).analyse(state)
    weights = prior(game)(state, state.player, list(state.moves()))
    by_move = {candidate.move: candidate.prior for candidate in found.candidates}
    if bot.startswith("mcts"):
        best = max(weights, key=lambda move: weights[move])
        assert by_move[best] == max(by_move.values())


@pytest.mark.parametrize("game", [HEX, PAWNS])
def test_playouts_draw_from_the_file(game: str, tmp_path: Path) -> None:
    path = tmp_path / "prior.json"
    prior(game).save(path)
    rules = tesuji.game(game)
    found = tesuji.bot(f"mcts:iterations=50,playout_policy={path},seed=1", rules)
    assert found.choose(rules.start()) in rules.start().moves()
    policy = prior(game).playout_policy
    state = rules.start()
    rng = random.Random(1)
    drawn = [policy(state, state.player, list(state.moves()), rng) for _ in range(300)]
    weights = prior(game)(state, state.player, list(state.moves()))
    best = max(weights, key=lambda move: weights[move])
    assert drawn.count(best) / 300 == pytest.approx(weights[best], abs=0.12)


@pytest.mark.parametrize("option", ["move_ordering", "playout_policy"])
def test_an_unknown_prior_is_named(option: str) -> None:
    with pytest.raises(ValueError, match=r"there is no prior 'nothing\.json' \(game, off"):
        tesuji.bot(f"mcts:{option}=nothing.json", HEX)


def test_games_of_other_sizes_are_used_on_request() -> None:
    mixed = [*games(), *games("hex:size=4", 3)]
    with pytest.raises(ValueError, match="select one game"):
        MoveDataset.read(mixed)
    assert MoveDataset.read(mixed, every_option=True).positions > MoveDataset.read(games()).positions
    with pytest.raises(ValueError, match="depend on its options"):
        MoveDataset.read(games(PAWNS), every_option=True)


def test_the_example_is_registered() -> None:
    assert isinstance(tesuji.game(PAWNS).own, Breakthrough)


@pytest.mark.parametrize("game", [HEX, PAWNS])
def test_explanations_add_up_to_the_log_odds_of_each_move(game: str) -> None:
    state = tesuji.game(game).start()
    found = explain_prior(state, prior(game))
    assert sum(one.probability for one in found) == pytest.approx(1.0)
    assert [one.probability for one in found] == sorted((one.probability for one in found), reverse=True)
    for one in found:
        assert one.base + sum(term.contribution for term in one.terms) == pytest.approx(one.total)
        assert 1 / (1 + math.exp(-(one.total or 0.0))) == pytest.approx(one.probability)


def test_the_command_explains_a_prior(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "prior.json"
    prior().save(path)
    assert main(["explain", HEX, "--prior", str(path), "--top", "2"]) == 0
    assert "line: own" in capsys.readouterr().out
    assert main(["explain", HEX, "--prior", str(path), "--value", "game"]) == 2
    assert "not both" in capsys.readouterr().err


def test_the_command_learns_a_prior(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Store(tmp_path / "games.db") as store:
        store.add_new(games())
    files = str(tmp_path / "games.db"), str(tmp_path / "prior.json")
    arguments = ["--store", files[0], "--output", files[1], "--folds", "2"]
    assert main(["learn", "prior", HEX, *arguments, "--l2", "1,10"]) == 0
    said = capsys.readouterr().out
    assert "12 games" in said and "the game's own ordering" in said and "λ2 = 10" in said
    TrainedLinearPrior.load(tmp_path / "prior.json", game=HEX)
    assert main(["learn", "prior", HEX, *arguments, "--l2", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["kind"] == "linear prior"
    assert main(["learn", "prior", HEX, *arguments, "--l2", "much"]) == 2
    assert "much" in capsys.readouterr().err
    assert main(["learn", "prior", "gofish", *arguments]) == 2
    assert "move_features" in capsys.readouterr().err
