"""Search with hidden information: it uses only what its seat has seen."""

from __future__ import annotations

import copy
import itertools
import math
import random
import signal
import threading
from collections import Counter
from typing import Any

import pytest

import tesuji
from examples.kuhn_poker import CARDS, KuhnPoker, KuhnState
from tests.search.helpers import RAVE, analyse, tree_of
from tests.search.hidden_games import (
    Draw,
    Guess,
    OpenNim,
    OpenTree,
    Peeked,
    Sealed,
    Sometimes,
    WhoseTurn,
)
from tests.search.small_games import DRAW, LOSS, WIN, Choice, Rules, Scores
from tesuji.any_game import State

# Only what has been seen


@RAVE
@pytest.mark.parametrize("seat", [0, 1])
def test_hidden_values_do_not_affect_the_search(seat: int, rave: str) -> None:
    for seed in range(5):
        trees = [
            tree_of(analyse(Guess(Sealed(value), seat), iterations=100, seed=seed, rave=rave))
            for value in range(4)
        ]
        assert all(tree == trees[0] for tree in trees)


def test_hidden_values_are_guessed_no_better_than_chance() -> None:
    cases = list(itertools.product(range(4), (0, 1), range(50)))
    right = sum(
        analyse(Guess(Sealed(value), seat), iterations=30, seed=seed).move == value
        for value, seat, seed in cases
    )
    # The same seed guesses the same whatever is hidden: exactly one of the four values is right.
    assert right == len(cases) / 4


def test_the_order_of_the_deck_does_not_affect_the_search() -> None:
    for seed in range(3):
        trees = [
            tree_of(analyse(Draw(deck), iterations=300, seed=seed))
            for deck in itertools.permutations(range(4))
        ]
        assert all(tree == trees[0] for tree in trees)


def test_the_value_of_a_guess_is_its_probability() -> None:
    analysis = analyse(Draw((2, 0, 3, 1)), iterations=6000)
    assert analysis.value == pytest.approx((1 / 4 + 1 / 3 + 1 / 2) / 3, abs=0.03)


def test_hooks_see_determinized_states_only() -> None:
    asked: set[str] = set()

    def look(name: str, answer: Any) -> Any:
        def hook(state: Any, *arguments: Any) -> Any:
            state.secret.read()
            asked.add(name)
            return answer(*arguments)

        return hook

    bot = tesuji.MCTS(
        Rules(Guess(Sealed(1))),
        iterations=50,
        seed=1,
        playout_depth=3,
        expand_after=1,
        proximity="soft",
        knowledge=tesuji.Knowledge(
            objectives={"any": tesuji.Objective(look("objective", lambda player: 0.5), weight=1)},
            move_ordering=look("ordering", lambda player, moves: moves[::-1]),
            threat_response=look("threat", lambda player: tesuji.Threat([2], urgent=True)),
            playout_policy=look("policy", lambda player, moves, rng: rng.choice(moves)),
            exploration=look("exploration", lambda player: 1.0),
            proximity=look("proximity", lambda player, moves, hard: [1.0] * len(moves)),
        ),
    )
    analysis = bot.analyse(Guess(Sealed(1)))
    assert asked == {"ordering", "threat", "exploration", "proximity"}  # playouts have nothing left to play
    # What is urgent in one imagined state need not be in the real one: nothing is left out.
    assert all(candidate.visits > 0 for candidate in analysis.candidates)


def test_policies_and_objectives_see_determinized_states_only() -> None:
    seen: set[tuple[str, str]] = set()

    def imagined(hook: str, state: KuhnState) -> None:
        seen.add((hook, state.cards))
        assert state.cards[0] == "Q"

    def policy(state: KuhnState, player: int, moves: list[str], rng: random.Random) -> str:
        imagined("policy", state)
        return rng.choice(moves)

    def value(state: KuhnState, player: int) -> float:
        imagined("value", state)
        return 0.5

    options: dict[str, Any] = {"playout_policy": policy, "value": value, "playout_depth": 1}
    options["expand_after"] = 1000  # playouts from the root's moves, all the time
    tesuji.MCTS(KuhnPoker(), iterations=200, seed=1, **options).analyse(KuhnState("QK"))
    assert seen == set(itertools.product(("policy", "value"), ("QJ", "QK")))


def test_the_real_state_is_never_played_on() -> None:
    with pytest.raises(Peeked):
        Guess(Sealed(1)).play(0)


def test_the_greedy_bot_does_not_look_at_hidden_cards() -> None:
    for value, seed in itertools.product(range(4), range(10)):
        bot = tesuji.bot(f"greedy:value=off,seed={seed}", Rules(Guess(Sealed(0))))
        expected = bot.choose(Guess(Sealed(0)))
        again = tesuji.bot(f"greedy:value=off,seed={seed}", Rules(Guess(Sealed(0))))
        assert again.choose(Guess(Sealed(value))) == expected


# Kuhn poker


KUHN_SEEDS = range(8)


def kuhn(card: str, other: str, said: str) -> KuhnState:
    return KuhnState(card + other if len(said) % 2 == 0 else other + card, said)


@pytest.mark.parametrize(
    ("card", "said", "right"),
    [
        ("J", "b", "pass"),  # calling a bet with the jack loses for certain
        ("J", "pb", "pass"),
        ("K", "b", "bet"),  # giving up the king against a bet loses a pot that is won
        ("K", "pb", "bet"),
        ("K", "p", "bet"),  # a bet costs the king nothing and may be called
    ],
)
def test_kuhn_poker_is_played_without_dominated_moves(card: str, said: str, right: str) -> None:
    for other, seed in itertools.product(CARDS.replace(card, ""), KUHN_SEEDS):
        bot = tesuji.MCTS(KuhnPoker(), iterations=1000, seed=seed)
        assert bot.choose(kuhn(card, other, said)) == right


@RAVE
def test_in_kuhn_poker_the_opponents_card_does_not_affect_the_search(rave: str) -> None:
    for card, said, seed in itertools.product(CARDS, ("", "p", "b", "pb"), range(3)):
        one, two = (
            analyse(kuhn(card, other, said), iterations=200, seed=seed, rave=rave)
            for other in CARDS.replace(card, "")
        )
        assert tree_of(one) == tree_of(two)


def test_the_value_in_kuhn_poker_is_the_mean_over_the_opponents_cards() -> None:
    # The queen calls a bet: the jack or the king, and two chips either way.
    call = next(one for one in analyse(kuhn("Q", "J", "b"), iterations=4000).candidates if one.move == "bet")
    assert call.value == pytest.approx(0.5, abs=0.03)
    assert call.proven is None
    assert call.line == ("bet",)


# Information sets


@pytest.mark.parametrize(("leaving", "right"), [(0.6, "leave"), (0.4, "stay")])
def test_the_side_to_move_may_depend_on_hidden_information(leaving: float, right: str) -> None:
    for seed in range(5):
        analysis = analyse(WhoseTurn(leaving), iterations=3000, seed=seed)
        assert analysis.move == right
        stay = next(one for one in analysis.candidates if one.move == "stay")
        assert stay.value == pytest.approx(0.5, abs=0.08)


def test_exploration_counts_how_often_a_move_was_available() -> None:
    played: Counter[str] = Counter()
    analyse(Sometimes(played), iterations=6000, exploration=1000.0)
    # All scores are alike, so visits follow ln(N + 1), with N the visits in which a move was legal.
    share = math.log(3000) / math.log(6000)
    assert played["always"] == pytest.approx(played["ever"], rel=0.01)
    assert played["sometimes"] / played["always"] == pytest.approx(share, rel=0.02)


@pytest.mark.parametrize("rave", ["off", "node"])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("pile", [5, 6, 7])
def test_without_hidden_information_it_equals_the_ordinary_search(pile: int, player: int, rave: str) -> None:
    analysis = analyse(OpenNim(pile, player), iterations=3000, rave=rave, seed=pile)
    assert analysis.move == pile % 4
    assert analysis.proven is None
    assert analysis.stopped == "iterations"


@pytest.mark.parametrize("first_play", [None, 0.5])
@pytest.mark.parametrize("prior_weight", [0.0, 1.0])
def test_a_winning_move_gets_most_of_the_visits(prior_weight: float, first_play: float | None) -> None:
    trap = {f"reply {i}": LOSS if i == 0 else WIN for i in range(3)}
    sound = {f"reply {i}": WIN for i in range(3)}
    first = {f"move {i}": Choice(1, sound if i == 7 else trap) for i in range(10)}
    options: dict[str, Any] = {
        "prior_weight": prior_weight,
        "first_play": first_play,
        "move_ordering": lambda state, player, moves: {move: 1.0 + len(move) % 2 for move in moves},
    }
    analysis = analyse(OpenTree(Choice(0, first)), iterations=1500, **options)
    assert analysis.move == "move 7"
    assert analysis.candidates[0].visits > 500


def test_each_player_maximises_its_own_score() -> None:
    # Player 1 does not care who of the others wins, and never gives up its own share to hurt player 0.
    selfish = Choice(1, {"share": (0.6, 0.4, 0.0), "spite": (0.0, 0.3, 0.7)})
    ends: dict[str, Choice | Scores] = {"trust": selfish, "sure": (0.4, 0.3, 0.3)}
    for seed in range(5):
        analysis = analyse(OpenTree(Choice(0, ends)), players=3, iterations=2000, seed=seed)
        assert analysis.move == "trust"


@pytest.mark.parametrize("iterations", [2, 3, 50])
def test_a_certain_win_in_one_is_taken(iterations: int) -> None:
    for order in (["win", "draw"], ["draw", "win"]):
        ends: dict[str, Choice | Scores] = {"win": WIN, "draw": DRAW}
        state = OpenTree(Choice(0, {move: ends[move] for move in order}))
        assert analyse(state, iterations=iterations).move == "win"


# The course of the search


STATES = pytest.mark.parametrize(
    "state",
    [Guess(Sealed(2)), Draw((2, 0, 3, 1)), KuhnState("QK", ""), WhoseTurn(0.5)],
    ids=["guess", "draw", "kuhn", "whose turn"],
)


@STATES
@RAVE
def test_seed_and_iterations_reproduce_the_tree_and_another_seed_does_not(state: State, rave: str) -> None:
    options: dict[str, Any] = {"iterations": 300, "rave": rave}
    one = tree_of(analyse(state, seed=7, **options))
    assert one == tree_of(analyse(state, seed=7, **options))
    assert any(one != tree_of(analyse(state, seed=seed, **options)) for seed in range(3))


@STATES
@RAVE
def test_the_visits_of_the_moves_add_up_to_the_simulations(state: State, rave: str) -> None:
    for iterations in (1, 7, 250):
        analysis = analyse(state, iterations=iterations, rave=rave)
        assert sum(candidate.visits for candidate in analysis.candidates) == iterations
        assert analysis.visits == analysis.iterations == iterations


@STATES
def test_the_root_position_is_the_same_after_a_search(state: State) -> None:
    before = copy.deepcopy(state)
    analyse(state, iterations=200)
    assert state == before


def test_every_simulation_has_its_own_determinization() -> None:
    state = Guess(Sealed(2))
    analyse(state, iterations=2000)
    counts = Counter(state.imagined)
    assert len(state.imagined) == 2001  # one to see the moves of the root
    assert all(counts[value] == pytest.approx(500, abs=100) for value in range(4))


def test_the_tree_is_not_kept_for_the_next_move() -> None:
    bot = tesuji.MCTS(KuhnPoker(), iterations=100, seed=1)
    for state in (KuhnState("JQ"), KuhnState("JQ", "pb"), KuhnState("JQ", "pb")):
        assert bot.analyse(state).visits == 100


def test_the_search_continues_when_the_tree_is_full() -> None:
    class Long(Draw):
        def moves(self) -> Any:
            return range(200) if self.turned < 3 else ()

        def play(self, move: int) -> Long:
            return Long(self.deck, self.hits, self.turned + 1)

        def determinize(self, player: int, rng: random.Random) -> Long:
            return Long(self.deck, self.hits, self.turned)

    analysis = analyse(Long((1, 2)), iterations=20_000, memory=1, playout_depth=0)
    assert analysis.memory_full
    assert sum(candidate.visits for candidate in analysis.candidates) == 20_000


def test_more_threads_are_accepted_and_do_not_change_the_result() -> None:
    one, two = (analyse(KuhnState("QK"), iterations=300, threads=threads) for threads in (1, 2))
    assert tree_of(one) == tree_of(two)


def test_the_clock_and_cancel_end_a_search() -> None:
    assert analyse(KuhnState("QK"), iterations=10**9, seconds=0.05).stopped == "seconds"
    bot = tesuji.MCTS(KuhnPoker(), iterations=10**9)
    analysis = bot.analyse(KuhnState("QK"), progress=lambda so_far: bot.cancel())
    assert analysis.stopped == "cancelled"


def test_an_interrupt_ends_a_search() -> None:
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        tesuji.MCTS(KuhnPoker(), iterations=10**9).analyse(KuhnState("QK"))
    timer.join()


# Errors


class Wrong(KuhnState):
    """Kuhn poker with a determinize() whose result the test sets."""

    result: Any = None

    def determinize(self, player: int, rng: random.Random) -> Any:
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (RuntimeError("no cards left"), "no cards left"),
        (None, r"determinize\(\) returned None; it must return a state"),
        (KuhnState("JQ", "p"), r"determinize\(\) must keep the player to move"),
        (KuhnState("JQ", "pp"), r"determinize\(\) must not end the game"),
    ],
)
def test_an_error_in_determinize_reaches_the_caller(result: Any, words: str) -> None:
    state = type("Wrong", (Wrong,), {"result": result})("JQ")
    with pytest.raises(RuntimeError if isinstance(result, Exception) else ValueError, match=words):
        analyse(state, iterations=100)


def test_a_determinization_must_keep_the_legal_moves() -> None:
    class Changing(Guess):
        def determinize(self, player: int, rng: random.Random) -> Guess:
            return Guess(Sealed(0, real=False), values=3 + rng.randrange(2))

    with pytest.raises(
        ValueError, match=r"determinize\(\) must keep the legal moves of the player it is for"
    ):
        analyse(Changing(Sealed(1)), iterations=100)


def test_other_searches_refuse_hidden_information() -> None:
    with pytest.raises(ValueError, match="alphabeta cannot search a game with hidden cards"):
        tesuji.AlphaBeta(KuhnPoker(), depth=3)
