"""What a seat can infer about the cards, and determinizations, compared with all shuffles of small decks."""

import itertools
import math
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from tests.games.gofish_tables import go_fish
from tesuji.games.gofish.cards import RANKS
from tesuji.games.gofish.observed import observe_hands
from tesuji.games.gofish.state import GoFishState, first_state

DRAWS = 4000


def orders(cards: Any) -> int:
    """In how many orders these cards may lie, those of a rank being alike."""
    return math.factorial(len(cards)) // math.prod(map(math.factorial, Counter(cards).values()))


def fitting(state: GoFishState, seat: int) -> Any:
    """How many shuffles would have shown this seat the same, by the hands that they lead to.

    By the rules alone: all deals are tried, and the turns are played again. Where a card of the deck comes
    up that was not chosen yet, each one is tried.
    """
    game, found = state.game, Counter[Any]()
    dealt = game.players * game.cards_each
    hands = list(itertools.combinations_with_replacement(range(game.ranks), game.cards_each))

    def grow(chosen: Any, left: Any, weight: int) -> None:
        other = first_state(game, 0, [*chosen, *left.elements()])
        if dealt + other._top <= len(chosen):
            if other.deal != state.deal:
                return
            for turn in state.turns:
                move = turn.target * RANKS + turn.rank
                if other.player != turn.asker or move not in other.moves():
                    return
                other = other.play(move)
                if dealt + other._top > len(chosen):
                    break
                if other.turns[-1] != turn:
                    return
            else:
                if other.view(seat) == state.view(seat):
                    found[tuple(other._hands)] += weight * orders(list(left.elements()))
                return
        for rank in list(left):
            grow((*chosen, rank), left - Counter([rank]), weight)

    for deal in itertools.product(hands, repeat=game.players):
        cards = Counter(itertools.chain(*deal))
        if max(cards.values()) <= 4:
            left = Counter(dict.fromkeys(range(game.ranks), 4)) - cards
            grow(tuple(itertools.chain(*deal)), left, math.prod(map(orders, deal)))
    return found


def drawn(state: GoFishState, seat: int, seed: int = 1) -> Any:
    rng = random.Random(seed)
    return Counter(tuple(state.determinize(seat, rng)._hands) for _ in range(DRAWS))


def played(spec: str, seed: int, plies: int) -> GoFishState:
    rng, state = random.Random(seed), go_fish(spec).start(seed=seed)
    for _ in range(plies):
        after = state.play(rng.choice(state.moves()))
        if after.scores() is not None:
            break
        state = after
    return state


SMALL = {
    "gofish:ranks=4,hand=4": (2, 3, 5),
    "gofish:ranks=4,hand=3,again=off": (2, 4, 6),
    "gofish:ranks=4,hand=3,next=asked": (2, 5, 8),
    "gofish:ranks=4,hand=3,books=pairs": (0, 2, 4),
    "gofish:ranks=4,hand=2,players=3": (2, 4, 6),
    "gofish:ranks=3,hand=3,players=3,books=pairs": (1, 3),
    "gofish:ranks=3,hand=2,players=4": (3, 5, 8),
}


@pytest.mark.parametrize("spec", SMALL)
def test_determinizations_are_uniform_over_consistent_deals(spec: str) -> None:
    """And no others are drawn; whether cards have left a hand or not."""
    moved = compared = 0
    for seed, plies in enumerate(SMALL[spec]):
        state = played(spec, seed, plies)
        for seat in range(state.game.players):
            expected, found = fitting(state, seat), drawn(state, seat)
            assert found.keys() <= expected.keys()
            shares = {hands: DRAWS * number / expected.total() for hands, number in expected.items()}
            often = [hands for hands, share in shares.items() if share >= 5]
            assert all(found[hands] for hands in often if shares[hands] >= 30)
            rest = DRAWS - sum(shares[hands] for hands in often)
            seen, wanted = [found[hands] for hands in often], [shares[hands] for hands in often]
            if rest > 1:
                seen, wanted = [*seen, DRAWS - sum(seen)], [*wanted, rest]
            if len(seen) > 1:
                assert chisquare(seen, wanted, sum_check=False).pvalue > 1e-4
                compared += 1
                moved += any(hand.left for player, hand in enumerate(observe_hands(state)) if player != seat)
    assert compared > 2 and moved > 1


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["gofish", "gofish:players=3", "gofish:players=6", "gofish:books=pairs"]),
    st.integers(0, 2**63),
    st.integers(0, 60),
)
def test_determinize_keeps_everything_the_seat_has_seen(spec: str, seed: int, plies: int) -> None:
    state = played(spec, seed, plies)
    game, rng = state.game, random.Random(seed)
    for seat in range(game.players):
        guess = state.determinize(seat, rng)
        assert guess.view(seat) == state.view(seat)
        assert guess.hand(seat) == state.hand(seat)
        assert guess.hand_sizes == state.hand_sizes
        assert guess.deck_size == state.deck_size
        for rank in range(RANKS):
            laid = sum(game.book * guess.books(player).count(rank) for player in range(game.players))
            held = sum(guess.hand(player)[rank] for player in range(game.players))
            assert laid + held + guess._deck.count(rank) == 4
        for player in range(game.players):
            assert all(map(int.__le__, state.sure(player), guess.hand(player)))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**63), st.integers(0, 60))
def test_replayed_and_incremental_knowledge_agree(seed: int, plies: int) -> None:
    state = played("gofish:players=3", seed, plies)
    for player, hand in enumerate(observe_hands(state)):
        assert hand.known == state.sure(player)
        assert hand.hidden + sum(hand.known) == state.hand_sizes[player]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**63), st.integers(0, 40))
def test_views_and_determinizations_do_not_depend_on_hidden_cards(seed: int, plies: int) -> None:
    state = played("gofish", seed, plies)
    for seat in range(2):
        guess = state.determinize(seat, random.Random(seed))
        assert guess.view(seat) == state.view(seat)
        assert guess.features(seat) == state.features(seat)
        assert guess.text_for(seat) == state.text_for(seat)
        assert guess.determinize(seat, random.Random(7)) == state.determinize(seat, random.Random(7))
        if state.player == seat:
            knowledge, moves = state.game.knowledge, list(state.moves())
            assert knowledge.move_ordering is not None
            assert knowledge.move_ordering(guess, seat, moves) == knowledge.move_ordering(state, seat, moves)
            assert guess.moves() == state.moves()


def test_determinize_shuffles_the_deck() -> None:
    state = go_fish("gofish").start(seed=1)
    rng = random.Random(1)
    tops = Counter(state.determinize(0, rng)._deck[0] for _ in range(1000))
    assert len(tops) == RANKS
    assert max(tops.values()) < 200
