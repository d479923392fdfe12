"""Search with chance moves: outcomes come by their probability, and nobody chooses them."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import pytest

import tesuji
from examples.pig import Pig, PigState
from tests.search.helpers import RAVE, SOLVER, analyse, tree_of
from tests.search.hidden_games import Lottery
from tests.search.small_games import LOSS, WIN, Choice, Rules, Tree
from tesuji.any_game import CHANCE


class Cast(Tree):
    """A written-out game in which every outcome of chance is equally likely."""

    def play(self, move: str) -> Cast:
        return Cast(super().play(move).node)

    def chances(self) -> list[tuple[str, float]]:
        moves = self.moves()
        return [(move, 1 / len(moves)) for move in moves]


class HiddenCast(Cast):
    """The same by the search for hidden information, with nothing to imagine."""

    def play(self, move: str) -> HiddenCast:
        return HiddenCast(super().play(move).node)

    def determinize(self, player: int, rng: random.Random) -> HiddenCast:
        return HiddenCast(self.node)


CASTS = pytest.mark.parametrize("cast", [Cast, HiddenCast], ids=["open", "hidden"])


# Probabilities


@SOLVER
@pytest.mark.parametrize("wins", [0.1, 0.35, 0.8])
@pytest.mark.parametrize(
    "options",
    [{"wait": 0}, {"wait": 4}, {"wait": 4, "expand_after": 10**6}],
    ids=["tree", "deep", "playouts"],
)
def test_the_value_is_the_mean_over_the_outcomes(options: dict[str, int], wins: float, solver: bool) -> None:
    state = Lottery(sure=0.0, wins=wins, wait=options["wait"])
    analysis = analyse(
        state, iterations=6000, solver=solver, exploration=0.5, expand_after=options.get("expand_after", 1)
    )
    ticket = next(one for one in analysis.candidates if one.move == "ticket")
    assert ticket.value == pytest.approx(wins, abs=0.03)
    assert ticket.proven is None
    drawn = state.drawn["win"] / state.drawn.total()
    assert state.drawn.total() < 4000 or drawn == pytest.approx(wins, abs=0.03)


@pytest.mark.parametrize("player", [0, 1])
@CASTS
def test_no_player_chooses_the_outcome_of_chance(cast: Callable[..., Any], player: int) -> None:
    # If either player chose the outcome, the gamble would be worth all or nothing.
    ends = {"heads": WIN, "tails": LOSS}
    for sure, right in ((0.4, "gamble"), (0.6, "keep")):
        keep = (sure, 1 - sure) if player == 0 else (1 - sure, sure)
        state = cast(Choice(player, {"gamble": Choice(CHANCE, ends), "keep": keep}))
        for seed in range(5):
            assert analyse(state, iterations=3000, seed=seed).move == right


def test_playouts_of_a_policy_draw_chance_moves_too() -> None:
    asked: list[int] = []

    def policy(state: Any, player: int, moves: list[str], rng: random.Random) -> str:
        asked.append(player)
        return rng.choice(moves)

    state = Lottery(sure=0.0, wins=0.2, wait=4)
    analysis = analyse(state, iterations=4000, playout_policy=policy, expand_after=10**6, exploration=0.5)
    assert set(asked) == {0, 1}
    assert analysis.value == pytest.approx(0.2, abs=0.03)


def test_a_value_may_be_evaluated_before_a_chance_move() -> None:
    seen: list[int] = []

    def value(state: Any, player: int) -> float:
        seen.append(state.player)
        return 0.9 if player == 0 else 0.1

    state = Lottery(sure=0.5, wins=0.2)
    analysis = analyse(state, iterations=4, value=value, playout_depth=0, expand_after=100)
    assert CHANCE in seen
    assert analysis.move == "ticket"


def test_three_players_each_maximise_their_own_mean() -> None:
    gamble = Choice(CHANCE, {"a": (0.0, 0.9, 0.1), "b": (0.0, 0.1, 0.9)})
    first = Choice(
        0, {"left": Choice(1, {"gamble": gamble, "sure": (0.6, 0.4, 0.0)}), "right": (0.3, 0.3, 0.4)}
    )
    # Player 1 gambles for a mean of 0.5 rather than 0.4, so that player 0 goes right.
    for seed in range(5):
        assert analyse(Cast(first), players=3, iterations=3000, seed=seed).move == "right"


# Proofs


def test_nothing_is_proven_through_chance() -> None:
    ends = {"heads": WIN, "tails": WIN}
    analysis = analyse(Cast(Choice(0, {"throw": Choice(CHANCE, ends), "lose": LOSS})), iterations=200)
    assert analysis.move == "throw"
    assert analysis.value == 1.0
    assert analysis.proven is None
    assert analysis.stopped == "iterations"
    assert next(one for one in analysis.candidates if one.move == "lose").proven == 0.0


def test_a_proof_beside_a_chance_move_holds() -> None:
    state = Cast(Choice(0, {"throw": Choice(CHANCE, {"heads": WIN, "tails": LOSS}), "win": WIN}))
    analysis = analyse(state, iterations=200)
    assert (analysis.move, analysis.proven) == ("win", 1.0)


@pytest.mark.parametrize("seed", range(5))
def test_a_certain_draw_is_preferred_to_a_worse_gamble(seed: int) -> None:
    rare = {f"face {i}": WIN if i == 0 else LOSS for i in range(6)}
    state = Cast(Choice(0, {"throw": Choice(CHANCE, rare), "draw": (0.5, 0.5)}))
    assert analyse(state, iterations=500, seed=seed).move == "draw"


# The course of the search


SMALL = Pig(target=12, faces=2)
PIG = PigState(SMALL, (2, 6), 2, 1)


@RAVE
@SOLVER
def test_seed_and_iterations_reproduce_the_tree(rave: str, solver: bool) -> None:
    options: dict[str, Any] = {"iterations": 400, "rave": rave, "solver": solver}
    one, two, other = (tree_of(analyse(PIG, seed=seed, **options)) for seed in (7, 7, 8))
    assert one == two != other


@RAVE
def test_the_visits_of_the_moves_add_up_to_the_simulations(rave: str) -> None:
    before = copy.deepcopy(PIG)
    for iterations in (1, 7, 500):
        analysis = analyse(PIG, iterations=iterations, rave=rave)
        assert sum(candidate.visits for candidate in analysis.candidates) == iterations == analysis.iterations
    assert before == PIG


def test_the_tree_is_kept_across_a_chance_move() -> None:
    bot = tesuji.MCTS(SMALL, iterations=1000, seed=1)
    bot.analyse(PIG)
    analysis = bot.analyse(PIG.play("roll").play(2))
    assert analysis.visits > analysis.iterations == 1000
    assert sum(candidate.visits for candidate in analysis.candidates) == analysis.visits


def test_a_principal_variation_ends_at_a_chance_node() -> None:
    analysis = analyse(PIG, iterations=500)
    assert {one.move: one.line[0] for one in analysis.candidates} == {"roll": "roll", "hold": "hold"}
    assert next(one.line for one in analysis.candidates if one.move == "roll") == ("roll",)
    assert analysis.as_dict()["candidates"][0]["line"]


# Errors


class Wrong(Cast):
    """Chances as they should not be."""

    answer: Any = None

    def play(self, move: str) -> Wrong:
        return type(self)(super().play(move).node)

    def chances(self) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize("expand_after", [1, 10**6], ids=["tree", "playouts"])
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (RuntimeError("the die fell off the table"), "fell off"),
        ([("a", 0.5), ("b", 0.4)], r"chances\(\) adds up to 0.9"),
        ([("a", 1.5), ("b", -0.5)], r"chances\(\) lists \('b', -0.5\)"),
        ([("a", "half"), ("b", 0.5)], r"chances\(\) lists \('a', 'half'\)"),
        ([("a", 0.5, 1)], r"not \(move, probability\)"),
        ([], r"chances\(\) adds up to 0"),
    ],
)
def test_invalid_chances_are_refused(answer: Any, words: str, expand_after: int) -> None:
    state = type("Wrong", (Wrong,), {"answer": answer})
    end = Choice(CHANCE, {"a": WIN, "b": LOSS})
    root = Choice(0, {"deep": Choice(1, {"on": end}), "also": Choice(1, {"on": end})})
    with pytest.raises(RuntimeError if isinstance(answer, Exception) else ValueError, match=words):
        analyse(state(root), iterations=100, expand_after=expand_after)


def test_an_outcome_that_moves_does_not_list_is_an_error() -> None:
    state = type("Wrong", (Wrong,), {"answer": [("c", 1.0)]})
    end = Choice(CHANCE, {"a": WIN, "b": LOSS})
    with pytest.raises(ValueError, match=r"chances\(\) lists 'c', which moves\(\) does not"):
        analyse(state(Choice(0, {"x": end, "y": end})), iterations=100)


def test_a_chance_node_without_chances_is_an_error() -> None:
    end = Choice(CHANCE, {"a": WIN, "b": LOSS})
    state = Tree(Choice(0, {"deep": Choice(1, {"on": end, "off": end}), "also": Choice(1, {"on": end})}))
    with pytest.raises(ValueError, match=r"a state needs chances\(\) where player is CHANCE"):
        analyse(state, iterations=200)


def test_searching_at_a_chance_node_is_refused() -> None:
    with pytest.raises(ValueError, match="chance node"):
        analyse(PigState(SMALL, rolling=True), iterations=10)


def test_alphabeta_refuses_chance_in_one_line() -> None:
    with pytest.raises(ValueError, match="chance moves"):
        tesuji.AlphaBeta(Rules(PIG), depth=3)  # when it is made: not in the middle of a match


# Pig, solved by value iteration


def solve(game: Pig) -> Callable[[int, int, int], tuple[float, float]]:
    """The chances to win by rolling and by holding: own points, the other's and the turn's total."""
    target, faces = game.target, game.faces
    wins = {
        (own, other, total): 0.5
        for own in range(target)
        for other in range(target)
        for total in range(target - own)
    }

    def value(own: int, other: int, total: int) -> float:
        return 1.0 if own + total >= target else wins[own, other, total]

    def choices(own: int, other: int, total: int) -> tuple[float, float]:
        lost = 1 - wins[other, own, 0]
        roll = (lost + sum(value(own, other, total + face) for face in range(2, faces + 1))) / faces
        return roll, 1.0 if own + total >= target else 1 - wins[other, own + total, 0] if total else 0.0

    # Points never go down, so what both have kept is settled from the largest sum to the smallest.
    for points in range(2 * target - 2, -1, -1):
        for own in range(max(0, points - target + 1), points // 2 + 1):
            pair = {(own, points - own), (points - own, own)}
            cells = [(*kept, total) for kept in pair for total in range(target - kept[0])]
            change = 1.0
            while change > 1e-7:
                change = 0.0
                for cell in cells:
                    best = max(choices(*cell))
                    change = max(change, abs(best - wins[cell]))
                    wins[cell] = best
    return choices


def test_the_reference_solution_agrees_with_published_piglet() -> None:
    # Neller and Presser: two points by a coin whose heads is one point; here a face of two, and four points.
    roll, _ = solve(Pig(target=4, faces=2))(0, 0, 0)
    assert roll == pytest.approx(4 / 7, abs=1e-5)


def test_pig_is_played_optimally_where_it_matters() -> None:
    choices = solve(SMALL)
    evens = range(0, SMALL.target, 2)
    positions = [(own, other, total) for own in evens for other in evens for total in evens[1:]]
    clear: dict[str, list[tuple[int, int, int]]] = {"roll": [], "hold": []}
    for own, other, total in positions:
        if own + total < SMALL.target:
            roll, hold = choices(own, other, total)
            if abs(roll - hold) > 0.02:
                clear["roll" if roll > hold else "hold"].append((own, other, total))
    assert {right: len(cells) for right, cells in clear.items()} == {"roll": 20, "hold": 47}
    rng = random.Random(1)
    for right, cells in clear.items():
        for own, other, total in rng.sample(cells, 8):
            bot = tesuji.MCTS(SMALL, iterations=20_000, exploration=0.5, seed=1)
            assert bot.choose(PigState(SMALL, (own, other), total)) == right, (own, other, total)


@pytest.mark.parametrize(("total", "right"), [(8, "roll"), (32, "hold")])
def test_at_even_scores_pig_is_held_somewhere_above_twenty(total: int, right: str) -> None:
    assert tesuji.MCTS(Pig(), iterations=5000, seed=1).choose(PigState(Pig(), (0, 0), total)) == right
