"""Proximity in both searches: a factor of the priors, or moves set aside that no proof forgets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import tesuji
from tests.search.small_games import DRAW, LOSS, WIN, Choice, Rules, Tree
from tesuji.search.bot import SearchBot

SEARCHES = [tesuji.MCTS, tesuji.AlphaBeta]
OPTIONS: dict[type, dict[str, Any]] = {tesuji.MCTS: {"iterations": 200}, tesuji.AlphaBeta: {"depth": 8}}


@dataclass(frozen=True)
class Known(Rules):
    """A game with knowledge."""

    knowledge: tesuji.Knowledge = field(default_factory=tesuji.Knowledge)


def analyse(search: type[SearchBot], state: Any, proximity: Any, how: str, **options: Any) -> tesuji.Analysis:
    game = Known(state, knowledge=tesuji.Knowledge(proximity=proximity))
    made: Any = search
    found: tesuji.Analysis = made(game, proximity=how, **{"seed": 1, **OPTIONS[search], **options}).analyse(
        state
    )
    return found


def only(*near: str) -> Any:
    """Moves of these names are near, the others far."""
    return lambda state, player, moves, hard: [
        1.0 if move in near else 0.0 if hard else 0.05 for move in moves
    ]


@pytest.mark.parametrize("search", SEARCHES)
def test_far_moves_are_searched_when_all_near_moves_lose(search: type[SearchBot]) -> None:
    state = Tree(Choice(0, {"near": LOSS, "far": WIN, "other": DRAW}))
    found = analyse(search, state, only("near"), "hard")
    assert (found.move, found.proven) == ("far", 1.0)
    deeper = Tree(Choice(1, {"on": Choice(0, {"near": LOSS, "far": DRAW}), "worse": WIN}))
    found = analyse(search, deeper, only("on", "worse", "near"), "hard")
    assert (found.move, found.proven) == ("on", 0.5)


@pytest.mark.parametrize("search", SEARCHES)
def test_a_loss_is_proven_only_by_all_moves(search: type[SearchBot]) -> None:
    lost = Choice(1, {"near": WIN, "far": WIN, "farther": WIN})
    found = analyse(search, Tree(Choice(0, {"a": lost, "b": DRAW})), only("a", "b", "near"), "hard")
    assert (found.move, found.proven) == ("a", 1.0)
    defended = Choice(1, {"near": WIN, "far": LOSS})
    found = analyse(search, Tree(Choice(0, {"a": defended, "b": DRAW})), only("a", "b", "near"), "hard")
    assert (found.move, found.proven) == ("b", 0.5)


def test_a_draw_among_near_moves_proves_nothing_while_far_moves_are_pruned() -> None:
    state = Tree(Choice(0, {"near": DRAW, "far": Choice(1, {"on": WIN})}))
    found = analyse(tesuji.AlphaBeta, state, only("near", "on"), "hard")
    assert (found.move, found.proven) == ("near", None)
    # MCTS looks at the rest once everything near is proven.
    found = analyse(tesuji.MCTS, state, only("near", "on"), "hard")
    assert (found.move, found.proven) == ("far", 1.0)


def test_soft_proximity_is_a_factor_of_the_priors() -> None:
    state = Tree(Choice(0, {"a": DRAW, "b": DRAW, "c": DRAW}))
    found = analyse(tesuji.MCTS, state, only("b"), "soft", solver=False)
    priors = {candidate.move: candidate.prior for candidate in found.candidates}
    assert priors["b"] == pytest.approx(1 / 1.1, abs=1e-6)
    assert priors["a"] == priors["c"] == pytest.approx(0.05 / 1.1, abs=1e-6)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ([1.0], "proximity gave 1 weights for 2 moves"),
        ([0.5, 1.5], "weight 1.5"),
        ([0.0, 0.0], "every move the weight 0"),
        (["near", 1.0], "is not a number"),
    ],
)
def test_invalid_weights_are_refused(search: type[SearchBot], answer: list[Any], says: str) -> None:
    state = Tree(Choice(0, {"a": Choice(1, {"x": DRAW, "y": WIN}), "b": Choice(1, {"x": DRAW, "y": WIN})}))
    with pytest.raises(ValueError, match=says):
        analyse(search, state, lambda *_: answer, "hard")


@pytest.mark.parametrize("search", SEARCHES)
def test_a_game_without_proximity_is_refused(search: type[SearchBot]) -> None:
    with pytest.raises(ValueError, match="proximity=soft: the knowledge of .* has no proximity"):
        search("hex:size=3", proximity="soft")  # type: ignore[call-arg]


FAR_AWAY = {
    "nothing": lambda state, player, moves, hard: [0.0 if move == "far" else 1.0 for move in moves],
    "next to nothing": lambda state, player, moves, hard: [
        1e-300 if move == "far" else 1.0 for move in moves
    ],
}


@pytest.mark.parametrize("weight", FAR_AWAY)
@pytest.mark.parametrize("search", SEARCHES)
def test_soft_proximity_removes_no_move(search: type[SearchBot], weight: str) -> None:
    state = Tree(Choice(0, {"near": DRAW, "far": WIN, "other": DRAW}))
    found = analyse(search, state, FAR_AWAY[weight], "soft")
    assert (found.move, found.proven) == ("far", 1.0)
    assert {candidate.move for candidate in found.candidates} == {"near", "far", "other"}
    # Deeper down, as the defence that refutes a move.
    defended = Choice(1, {"near": WIN, "far": LOSS})
    state = Tree(Choice(0, {"a": defended, "b": DRAW}))
    assert analyse(search, state, FAR_AWAY[weight], "soft").move == "b"


@pytest.mark.parametrize(
    "options",
    [{"first_play": "off"}, {"first_play": 0.5}, {"first_play": 0.5, "prior_weight": 0.5}],
    ids=["each once first", "first play", "priors"],
)
@pytest.mark.parametrize("rave", ["off", "node", "global"])
@pytest.mark.parametrize("weight", FAR_AWAY)
def test_soft_proximity_gives_every_move_a_positive_prior(
    weight: str, rave: str, options: dict[str, Any]
) -> None:
    # The far move wins, though not at once; what is near loses.
    moves = {move: Choice(1, {f"{move} on": WIN if move == "far" else LOSS}) for move in ("near", "far", "x")}
    found = analyse(
        tesuji.MCTS, Tree(Choice(0, moves)), FAR_AWAY[weight], "soft", rave=rave, solver=False, **options
    )
    assert all(candidate.prior > 0 for candidate in found.candidates)
    assert found.move == "far"


@pytest.mark.parametrize("search", SEARCHES)
def test_tiny_positive_weights_are_not_pruned(search: type[SearchBot]) -> None:
    state = Tree(Choice(0, {"near": DRAW, "far": WIN}))
    assert analyse(search, state, FAR_AWAY["next to nothing"], "hard").move == "far"


@settings(deadline=None)
@given(
    weights=st.lists(st.floats(min_value=5e-324, max_value=1e300), min_size=4, max_size=4),
    nearness=st.lists(st.just(0.0) | st.floats(min_value=0, max_value=1), min_size=4, max_size=4),
    how=st.sampled_from(["soft", "hard"]),
)
def test_all_moves_with_positive_weight_are_tried(
    weights: list[float], nearness: list[float], how: Any
) -> None:
    assume(any(nearness))
    state = Tree(Choice(0, {move: Choice(1, {f"{move} on": DRAW}) for move in "abcd"}))

    def ordering(state: Any, player: int, moves: list[str]) -> dict[str, float]:
        return {move: weights["abcd".index(move[0])] for move in moves}

    def proximity(state: Any, player: int, moves: list[str], hard: bool) -> list[float]:
        return [nearness["abcd".index(move[0])] if len(moves) > 1 else 1.0 for move in moves]

    game = Known(state, knowledge=tesuji.Knowledge(proximity=proximity, move_ordering=ordering))
    bot = tesuji.MCTS(
        game, iterations=8, seconds=60, proximity=how, move_ordering="game", solver=False, seed=1
    )
    found = bot.analyse(state)
    near = {move for move, weight in zip("abcd", nearness, strict=True) if weight > 0 or how == "soft"}
    assert found.stopped == "iterations"
    assert sum(candidate.prior for candidate in found.candidates) == pytest.approx(1, abs=1e-3)
    assert {candidate.move for candidate in found.candidates if candidate.visits > 0} == near
    assert {candidate.move for candidate in found.candidates if candidate.prior > 0} == near
