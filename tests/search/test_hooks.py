"""A user's hooks: their effect on the search, and clear errors for their mistakes."""

import math
from dataclasses import replace
from typing import Any

import pytest

import tesuji
from tests.search.small_games import DRAW, LOSS, WIN, Bits, Choice, Fields, Nim, Rules, Tree
from tesuji.knowledge import Deferred

HOOKS = ["value", "threat_response", "playout_policy", "move_ordering", "exploration"]


class HookBroke(Exception):
    """Raised by a hook, and by nothing else."""


def analyse(state: tesuji.State, **options: Any) -> tesuji.Analysis:
    return tesuji.MCTS(Rules(state), **{"iterations": 200, "seed": 1, **options}).analyse(state)


def as_option(hook: str, function: Any) -> dict[str, Any]:
    """The options that put a function in as a hook, where it is sure to be called."""
    if hook == "value":
        return {"value": {"mine": tesuji.Objective(function, 1.0)}, "playout_depth": 0}
    return {hook: function}


@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.parametrize("threads", [1, pytest.param(2, marks=pytest.mark.threads)])
def test_an_error_in_a_hook_reaches_the_caller(hook: str, threads: int) -> None:
    def broken(*arguments: Any) -> Any:
        raise HookBroke(hook)

    with pytest.raises(HookBroke, match=hook):
        analyse(Fields(), threads=threads, **as_option(hook, broken))


@pytest.mark.parametrize(
    ("hook", "result"),
    [
        ("value", 1.5),
        ("value", -0.1),
        ("value", math.nan),
        ("threat_response", tesuji.Threat(moves=[99], urgent=True)),
        ("threat_response", tesuji.Threat(moves=[99], urgent=False)),
        ("playout_policy", 99),
        ("move_ordering", [99]),
        ("move_ordering", {1: math.nan}),
        ("move_ordering", {1: -1.0}),
        ("exploration", math.nan),
    ],
)
def test_an_invalid_result_of_a_hook_is_a_clear_error(hook: str, result: Any) -> None:
    with pytest.raises(ValueError):
        analyse(Fields(), **as_option(hook, lambda *arguments: result))


@pytest.mark.parametrize("hook", HOOKS)
def test_a_hook_sees_the_position_and_the_player_who_moves_in_it(hook: str) -> None:
    seen: list[tuple[Fields, int]] = []

    def watch(state: Fields, player: int, *rest: Any) -> Any:
        seen.append((state, player))
        if hook == "value":
            return 0.5
        if hook == "playout_policy":
            moves, rng = rest
            return moves[int(rng.random() * len(moves))]
        return {"threat_response": None, "move_ordering": state.moves(), "exploration": 1.0}[hook]

    analyse(Fields(), **as_option(hook, watch))
    assert seen
    assert all(isinstance(state, Fields) for state, _ in seen)
    if hook != "value":  # an objective is asked for either player
        assert all(state.player == player for state, player in seen)


@pytest.mark.parametrize("weights", [False, True])
def test_moves_are_first_tried_in_the_order_given(weights: bool) -> None:
    order = [4, 1, 2, 3, 6, 5]

    def ordering(state: Fields, player: int, moves: Any) -> Any:
        ranked = [move for move in order if move in moves]
        return {move: 1 / (1 + rank) for rank, move in enumerate(ranked)} if weights else ranked

    for count in (1, 2, 4):
        analysis = analyse(Fields(), iterations=count, move_ordering=ordering, solver=False, rave="off")
        assert {c.move for c in analysis.candidates if c.visits} == set(order[:count])


def test_an_ordering_never_drops_a_move() -> None:
    analysis = analyse(Fields(), move_ordering=lambda state, player, moves: list(moves)[:2], solver=False)
    assert {c.move for c in analysis.candidates if c.visits} == set(Fields().moves())


def test_an_urgent_threat_leaves_only_its_answers() -> None:
    def urgent(state: Fields, player: int) -> tesuji.Threat | None:
        return tesuji.Threat(moves=[2, 5], urgent=True) if len(state.numbers) == 6 else None

    analysis = analyse(Fields(), threat_response=urgent, solver=False)
    assert {c.move for c in analysis.candidates if c.visits} == {2, 5}
    assert analysis.move in (2, 5)


def test_a_threat_that_is_not_urgent_puts_its_answers_first_and_keeps_all_moves() -> None:
    def calm(state: Fields, player: int) -> tesuji.Threat | None:
        return tesuji.Threat(moves=[6, 3], urgent=False) if len(state.numbers) == 6 else None

    first = analyse(Fields(), iterations=2, threat_response=calm, solver=False, rave="off")
    assert {c.move for c in first.candidates if c.visits} == {6, 3}
    later = analyse(Fields(), threat_response=calm, solver=False)
    assert {c.move for c in later.candidates if c.visits} == set(Fields().moves())


def test_a_playout_policy_plays_the_playouts() -> None:
    endings: list[str] = []

    def says_one(state: Bits, player: int, moves: Any, rng: Any) -> str:
        return "1"

    analyse(Bits(12, endings, []), iterations=2, solver=False, playout_policy=says_one)
    assert sorted(endings) == ["0" + "1" * 11, "1" * 12]


def test_objectives_guide_the_search_at_the_cut_off() -> None:
    def larger_sum(state: Fields, player: int) -> float:
        mine, theirs = sum(state.hands[player]), sum(state.hands[1 - player])
        return (mine - theirs + 21) / 42

    # Too few simulations to see the end of the game.
    options: dict[str, Any] = {"iterations": 6, "playout_depth": 0, "solver": False}
    for weight, best in [(1.0, 6), (-1.0, 1)]:
        assert analyse(Fields(), value={"sum": tesuji.Objective(larger_sum, weight)}, **options).move == best


def test_finished_games_count_with_their_result_not_their_objectives() -> None:
    options = as_option("value", lambda state, player: 0.0 if player == 0 else 1.0)
    state = Tree(Choice(0, {"win": WIN, "loss": LOSS, "on": Choice(1, {"end": DRAW})}))
    analysis = analyse(state, solver=False, **options)
    assert analysis.move == "win"
    assert analysis.value == pytest.approx(1.0)


def test_without_objectives_a_cut_off_playout_scores_one_half() -> None:
    analysis = analyse(Fields(), iterations=6, playout_depth=0, solver=False)
    assert all(c.value == pytest.approx(0.5) for c in analysis.candidates if c.visits)


def constant_objective(by_player: dict[int, float], weight: float) -> tesuji.Objective:
    return tesuji.Objective(lambda state, player: by_player[player], weight)


@pytest.mark.parametrize("weight", [2.0, -2.0])
def test_an_objective_is_scaled_between_a_tenth_and_nine_tenths(weight: float) -> None:
    # 0.1 + 0.8·(Σ w·a − Σ negative w) / Σ|w|: the best of a positive weight is the worst of a negative one.
    for fulfilled in (0.0, 0.25, 1.0):
        mine = constant_objective({0: fulfilled, 1: 1 - fulfilled}, weight)
        analysis = analyse(Fields(), iterations=6, playout_depth=0, solver=False, value={"mine": mine})
        share = fulfilled if weight > 0 else 1 - fulfilled
        for candidate in analysis.candidates:
            assert candidate.value == pytest.approx(0.1 + 0.8 * share)


@pytest.mark.parametrize("exploration", [0.1, 1.4, lambda state, player: 0.5])
def test_exploration_may_be_a_number_or_a_function_of_the_position(exploration: Any) -> None:
    assert analyse(Nim(7), iterations=2000, exploration=exploration, solver=False).move == 3


def test_more_exploration_spreads_the_visits_more_evenly() -> None:
    def largest_share(exploration: float) -> float:
        analysis = analyse(Nim(7), iterations=1000, exploration=exploration, solver=False, rave="off")
        return max(c.visits for c in analysis.candidates) / analysis.visits

    assert largest_share(0.2) > largest_share(20.0)


def test_boolean_objectives_use_achieved_or_a_measure_above_one_half() -> None:
    objectives = tesuji.Objectives(
        {
            "asked": tesuji.Objective(
                lambda state, player: 0.9, 3.0, achieved=lambda state, player: player == 1
            ),
            "half": tesuji.Objective(lambda state, player: 0.5, 1.0),
            "more": tesuji.Objective(lambda state, player: 0.51, -2.0),
        }
    )
    assert [reading.value for reading in objectives(None, 0).values()] == [0.9, 0.5, 0.51]
    yes_or_no = objectives.boolean()
    for player, expected in [
        (0, [(0.0, 3.0), (0.0, 1.0), (1.0, -2.0)]),
        (1, [(1.0, 3.0), (0.0, 1.0), (1.0, -2.0)]),
    ]:
        assert list(yes_or_no(None, player).values()) == expected
    assert yes_or_no.value(None, 0) == pytest.approx(0.1)
    assert yes_or_no.value(None, 1) == pytest.approx(0.1 + 0.8 * 3 / 6)
    assert yes_or_no.boolean()(None, 1) == yes_or_no(None, 1)


@pytest.mark.parametrize("answer", [0.3, math.nan, None, "yes"])
def test_a_non_boolean_achieved_is_a_clear_error(answer: Any) -> None:
    mine = tesuji.Objective(lambda state, player: 0.5, 1.0, achieved=lambda state, player: answer)
    with pytest.raises(ValueError, match="objective 'mine': achieved returned"):
        analyse(Fields(), value=tesuji.Objectives({"mine": mine}, boolean=True), playout_depth=0)


@pytest.mark.parametrize(("given", "value"), [("game", 0.1 + 0.8 * 0.4), ("boolean", 0.9)])
def test_built_in_objectives_work_as_numbers_and_as_booleans(given: str, value: float) -> None:
    mine = tesuji.Objective(
        lambda state, player: abs(player - 0.4), 1.0, achieved=lambda state, player: not player
    )
    knowledge = tesuji.Knowledge(objectives={"mine": mine})
    options: dict[str, Any] = {"iterations": 6, "playout_depth": 0, "solver": False}
    analysis = analyse(Fields(), knowledge=knowledge, value=given, **options)
    assert [candidate.value for candidate in analysis.candidates] == pytest.approx([value] * 6)


class Opaque:
    """Objectives of a kind that knows no yes or no."""

    def __call__(self, state: object, player: int) -> dict[str, Any]:
        return {}

    def value(self, state: object, player: int) -> float:
        return 0.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"playout_depth": 3}, "value=boolean: the knowledge of .* has no objectives"),
        ({"playout_depth": 3, "knowledge": "off"}, "knowledge=off .* value"),
        (
            {"playout_depth": 3, "knowledge": tesuji.Knowledge(objectives=Opaque())},
            r"has no method boolean\(\)",
        ),
        ({}, "value needs playout_depth"),
    ],
)
def test_boolean_objectives_without_objectives_or_a_cut_off_are_refused(
    options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        analyse(Fields(), value="boolean", **options)


def test_a_deferred_hook_is_loaded_once_and_only_when_a_search_asks_for_it() -> None:
    loaded: list[str] = []

    def ordering() -> Any:
        loaded.append("ordering")
        return lambda state, player, moves: sorted(moves)

    knowledge = tesuji.Knowledge(objectives={}, move_ordering=Deferred(ordering))
    analyse(Nim(5), knowledge=knowledge, move_ordering="off")
    assert loaded == []
    for _ in range(2):
        analyse(Nim(5), knowledge=knowledge)
    assert loaded == ["ordering"]
    assert replace(knowledge, objectives=None).move_ordering is knowledge.move_ordering
    with pytest.raises(AttributeError, match="orderings"):
        _ = knowledge.orderings  # type: ignore[attr-defined]
