"""What a seat can know of the cards, and deals drawn from it: held against all shuffles of small decks."""

import random
from collections import Counter, defaultdict
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from tests.games.gofish_tables import go_fish
from tesuji.games.gofish.cards import RANKS
from tesuji.games.gofish.deals import Deals, read_hands
from tesuji.games.gofish.state import GoFishState, first_state

SMALL = "gofish:ranks=3,hand=3"
DRAWS = 4000


@cache
def shuffles(ranks: int) -> Any:
    """Every order of a deck, cards of a rank being alike."""

    def orders(left: Any) -> Any:
        if not any(left):
            return [()]
        return [
            (rank, *rest)
            for rank in range(ranks)
            if left[rank]
            for rest in orders(tuple(number - (other == rank) for other, number in enumerate(left)))
        ]

    return orders((4,) * ranks)


def fitting(state: GoFishState, seat: int) -> Any:
    """How many shuffles would have shown this seat the same, by the hands that they lead to."""
    game = state.game
    found: Counter[Any] = Counter()
    for deck in shuffles(game.ranks):
        other = first_state(game, 0, list(deck))
        if other.deal != state.deal:
            continue
        for turn in state.turns:
            move = turn.target * RANKS + turn.rank
            if other.player != turn.asker or move not in other.moves():
                break
            other = other.play(move)
            if other.turns[-1] != turn:
                break
        else:
            if other.view(seat) == state.view(seat):
                found[tuple(other._hands)] += 1
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


@pytest.mark.parametrize("spec", [SMALL, "gofish:ranks=3,hand=2,players=3", f"{SMALL},again=off"])
@pytest.mark.parametrize("seed", range(4))
def test_exactly_the_deals_that_fit_are_drawn(spec: str, seed: int) -> None:
    state = played(spec, seed, plies=2 + seed)
    seat = seed % state.game.players
    assert set(drawn(state, seat)) == set(fitting(state, seat))


@pytest.mark.parametrize(
    ("spec", "seed", "plies"),
    [
        (SMALL, 0, 0),
        (SMALL, 1, 1),
        ("gofish:ranks=3,hand=2,players=3", 2, 1),
        ("gofish:ranks=3,hand=2,players=3", 3, 2),
        ("gofish:ranks=3,hand=4", 4, 1),
    ],
)
def test_shuffles_that_fit_are_equally_likely(spec: str, seed: int, plies: int) -> None:
    state = played(spec, seed, plies)
    for seat in range(state.game.players):
        expected, found = fitting(state, seat), drawn(state, seat)
        shares = [DRAWS * number / expected.total() for number in expected.values()]
        if len(shares) > 1:
            assert chisquare([found[hands] for hands in expected], shares).pvalue > 1e-3
        assert found.keys() == expected.keys()


@pytest.mark.parametrize("spec", ["gofish:ranks=4,hand=4", "gofish:ranks=4,hand=3,players=3"])
@pytest.mark.parametrize("seed", range(5))
def test_all_ways_to_fill_the_slots_are_equally_likely(spec: str, seed: int) -> None:
    """By counting them, one card after the other: each is one deal of cards that are all different."""
    state = played(spec, seed, plies=5 + seed)
    seat = state.player
    deals = Deals(state, seat)
    found = drawn(state, seat)
    expected: dict[Any, float] = defaultdict(float)

    def fill(number: int, left: Any, hands: Any, chosen: Any) -> Any:
        if number == len(deals.places):
            twins = Counter(
                (place.owner, rank)
                for place, rank in zip(deals.places, chosen, strict=True)
                if place.twins >> rank & 1
            )
            weight = 1.0
            for others in twins.values():
                weight /= 1 + others
            expected[tuple(hands)] += weight
            return
        place = deals.places[number]
        for card, rank in enumerate(left):
            if place.allowed >> rank & 1 and hands[place.owner] >> 2 * rank & 3 < 3:
                more = list(hands)
                more[place.owner] += 1 << 2 * rank
                fill(number + 1, left[:card] + left[card + 1 :], more, [*chosen, rank])

    if len(deals.places) <= 6:
        fill(0, deals.unseen, deals.known, [])
        shares = [DRAWS * number / sum(expected.values()) for number in expected.values()]
        assert found.keys() <= expected.keys()
        if len(shares) > 1:
            assert chisquare([found[hands] for hands in expected], shares).pvalue > 1e-3


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["gofish", "gofish:players=3", "gofish:players=6", "gofish:books=pairs"]),
    st.integers(0, 2**63),
    st.integers(0, 60),
)
def test_a_draw_keeps_all_that_the_seat_has_seen(spec: str, seed: int, plies: int) -> None:
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
def test_the_log_and_the_running_count_agree_on_what_is_known(seed: int, plies: int) -> None:
    state = played("gofish:players=3", seed, plies)
    for player, hand in enumerate(read_hands(state)):
        assert hand.known == state.sure(player)
        assert len(hand.slots) + sum(hand.known) == state.hand_sizes[player]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**63), st.integers(0, 40))
def test_a_view_and_all_that_is_made_of_it_do_not_depend_on_hidden_cards(seed: int, plies: int) -> None:
    state = played("gofish", seed, plies)
    for seat in range(2):
        guess = state.determinize(seat, random.Random(seed))
        assert guess.view(seat) == state.view(seat)
        assert guess.features(seat) == state.features(seat)
        assert guess.seen_by(seat) == state.seen_by(seat)
        assert [guess.determinize(seat, random.Random(7))._hands] == [
            state.determinize(seat, random.Random(7))._hands
        ]
        if state.player == seat:
            knowledge, moves = state.game.knowledge, list(state.moves())
            assert knowledge.move_ordering is not None
            assert knowledge.move_ordering(guess, seat, moves) == knowledge.move_ordering(state, seat, moves)
            assert guess.moves() == state.moves()


def test_the_order_of_the_deck_is_drawn_anew() -> None:
    state = go_fish("gofish").start(seed=1)
    rng = random.Random(1)
    tops = Counter(state.determinize(0, rng)._deck[0] for _ in range(1000))
    assert len(tops) == RANKS
    assert max(tops.values()) < 200
