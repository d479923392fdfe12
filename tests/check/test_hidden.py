"""check_game finds problems of games with hidden information, and nothing in correct games."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

import pytest

from examples.kuhn_poker import CARDS, KuhnState
from tesuji.check import check_game

DECK = tuple(range(12))


@dataclass(frozen=True)
class Hands:
    """Three cards each from a deck of twelve; both show a card in turn, and the higher sum wins."""

    hands: tuple[frozenset[int], frozenset[int]]
    deck: tuple[int, ...]
    shown: tuple[int, ...] = ()

    @property
    def player(self) -> int:
        return len(self.shown) % 2

    def moves(self) -> Any:
        return sorted(self.hands[self.player])

    def play(self, move: int) -> Any:
        first, second = self.hands
        return replace(self, hands=(first - {move}, second - {move}), shown=(*self.shown, move))

    def scores(self) -> Any:
        if len(self.shown) < 6:
            return None
        first, second = sum(self.shown[::2]), sum(self.shown[1::2])
        return (0.5, 0.5) if first == second else (float(first > second), float(second > first))

    def view(self, player: int) -> Any:
        return tuple(sorted(self.hands[player])), tuple(map(len, self.hands)), self.shown

    def determinize(self, player: int, rng: random.Random) -> Any:
        return self.deal(player, rng, [*self.hands[1 - player], *self.deck])

    def deal(self, player: int, rng: random.Random, unseen: list[int]) -> Any:
        """Deal the unseen cards again, as many to the other player as it has."""
        unseen = rng.sample(sorted(unseen), len(unseen))
        count = len(self.hands[1 - player])
        mine, other = self.hands[player], frozenset(unseen[:count])
        return replace(
            self, hands=(mine, other) if player == 0 else (other, mine), deck=tuple(unseen[count:])
        )


class Rules:
    """A game made of a state class."""

    def __init__(self, state: Any) -> None:
        self.state = state

    def start(self, seed: int = 0) -> Any:
        if issubclass(self.state, KuhnState):
            return self.state()
        cards = random.Random(seed).sample(DECK, len(DECK))
        return self.state((frozenset(cards[:3]), frozenset(cards[3:6])), tuple(cards[6:]))


@pytest.mark.parametrize("state", [KuhnState, Hands])
@pytest.mark.parametrize("seed", range(3))
def test_correct_games_have_no_problems(state: type, seed: int) -> None:
    assert check_game(Rules(state), seed=100 * seed) == []


class DealsTheOwnCardAgain(KuhnState):
    def determinize(self, player: int, rng: random.Random) -> Any:
        return replace(self, cards="".join(rng.sample(CARDS, 2)))


class Peeks(KuhnState):
    def determinize(self, player: int, rng: random.Random) -> Any:
        return replace(self)


class NeverTheKing(KuhnState):
    def determinize(self, player: int, rng: random.Random) -> Any:
        other = next(card for card in CARDS if card != self.cards[player])
        return replace(self, cards=self.cards[0] + other if player == 0 else other + self.cards[1])


class ViewsAll(KuhnState):
    def view(self, player: int) -> Any:
        return self.cards, self.said


class UnhashableView(KuhnState):
    def view(self, player: int) -> Any:
        return [self.said]


class ForgetfulView(KuhnState):
    def view(self, player: int) -> Any:
        return random.random()


class ViewRaises(KuhnState):
    def view(self, player: int) -> Any:
        raise RuntimeError("closed eyes")


class PeeksAtHands(Hands):
    def determinize(self, player: int, rng: random.Random) -> Any:
        return replace(self)


class LosesACard(Hands):
    def determinize(self, player: int, rng: random.Random) -> Any:
        guess = super().determinize(player, rng)
        other = frozenset(sorted(guess.hands[1 - player])[1:])
        return replace(guess, hands=(guess.hands[0], other) if player == 0 else (other, guess.hands[1]))


class ExchangesOwnCards(Hands):
    def determinize(self, player: int, rng: random.Random) -> Any:
        guess = super().determinize(player, rng)
        own = frozenset(guess.deck[: len(self.hands[player])])
        return replace(guess, hands=(own, guess.hands[1]) if player == 0 else (guess.hands[0], own))


class HidesTheBestCard(Hands):
    def determinize(self, player: int, rng: random.Random) -> Any:
        unseen = [*self.hands[1 - player], *self.deck]
        guess = self.deal(player, rng, [card for card in unseen if card != max(DECK)])
        return replace(guess, deck=(*guess.deck, max(DECK))) if max(DECK) in unseen else guess


ALL = "determinize() must be able to draw everything consistent with what the seat has seen"


@pytest.mark.parametrize(
    ("state", "start"),
    [
        (DealsTheOwnCardAgain, "determinize() must keep everything the seat has seen: seat "),
        (LosesACard, "determinize() must keep everything the seat has seen: seat 0 saw ("),
        (ExchangesOwnCards, "determinize() must keep the legal moves of its player"),
        (ExchangesOwnCards, "determinize() must keep everything the seat has seen: seat 0 saw ("),
        (ViewsAll, "determinize() must keep everything the seat has seen: seat 0 saw ("),
        (Peeks, ALL),
        (Peeks, "determinize() must vary what the seat has not seen: in "),
        (PeeksAtHands, "determinize() must vary what the seat has not seen: in "),
        (NeverTheKing, f"{ALL}: for seat "),
        (HidesTheBestCard, f"{ALL}: for seat "),
        (UnhashableView, "view() must be hashable: ['']"),
        (ForgetfulView, "view() must be the same when called again: seat 0"),
        (ViewRaises, "view() raised RuntimeError: closed eyes"),
    ],
)
def test_each_kind_of_problem_is_reported(state: type, start: str) -> None:
    problems = check_game(Rules(state))
    assert any(problem.startswith(start) for problem in problems), problems
    assert all(len(problem.splitlines()) == 1 for problem in problems)


def test_a_card_that_is_never_drawn_is_named() -> None:
    [problem] = [problem for problem in check_game(Rules(HidesTheBestCard)) if problem.startswith(ALL)]
    assert "never gets 11, which it had" in problem
