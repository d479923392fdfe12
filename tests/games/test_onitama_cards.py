"""The cards of Onitama, their deals, and the hands that are stuck."""

import itertools

import numpy as np
import pytest

from tests.games.onitama_positions import bits, set_up, texts
from tests.games.slow_onitama import BASE, SENSEI, STAMPS, STEPS
from tesuji.games import Onitama
from tesuji.games.onitama import CARDS
from tesuji.games.onitama.cards import TABLE

# All own layouts of one to five pieces from which neither card can move any piece.
STUCK = {
    ("tiger", "horse"): "a1 a2 a3 a4 a5",
    ("tiger", "ox"): "e1 e2 e3 e4 e5",
    ("crab", "elephant"): "a5 b5 c5 d5 e5",
    ("crab", "boar"): "a5 b5 c5 d5 e5",
    ("elephant", "boar"): "a5 b5 c5 d5 e5",
}


def test_the_cards_are_those_of_the_game() -> None:
    assert [card.word for card in TABLE[:16]] == sorted(BASE, key=[card.word for card in TABLE].index)
    assert {card.word for card in TABLE[16:]} == set(SENSEI)
    for word, card in CARDS.items():
        assert frozenset(card.steps) == STEPS[word], word
        assert len(card.steps) == len(STEPS[word])
        assert card.stamp == STAMPS[word], word


def test_each_set_has_eight_stamps_of_each_colour_and_no_card_twice() -> None:
    for cards in (TABLE[:16], TABLE[16:]):
        assert sum(card.stamp for card in cards) == 8
    assert len({frozenset(card.steps) for card in TABLE}) == 32


def test_every_card_has_its_mirror_in_its_own_set_and_mirrors_have_different_stamps() -> None:
    for cards in (TABLE[:16], TABLE[16:]):
        by_steps = {frozenset(card.steps): card for card in cards}
        for card in cards:
            mirror = by_steps[frozenset((-right, forward) for right, forward in card.steps)]
            assert mirror is card or mirror.stamp != card.stamp


def layouts() -> np.ndarray:
    """Every way to place one to five pieces, as boards of bits."""
    found = [
        sum(1 << square for square in squares)
        for count in range(1, 6)
        for squares in itertools.combinations(range(25), count)
    ]
    return np.array(found, dtype=np.int64)


def test_exactly_five_hands_with_one_layout_each_have_no_move() -> None:
    boards = layouts()
    targets = {}
    for card in BASE:
        for square in range(25):
            reached = [(square % 5 + x, square // 5 + y) for x, y in STEPS[card]]
            targets[card, square] = sum(
                1 << 5 * row + column for column, row in reached if 0 <= column < 5 and 0 <= row < 5
            )
    found = {}
    for one, two in itertools.combinations(BASE, 2):
        stuck = np.ones(len(boards), dtype=bool)
        for square in range(25):
            reached_squares = targets[one, square] | targets[two, square]
            stuck &= ((boards >> square & 1) == 0) | (reached_squares & ~boards == 0)
        if stuck.any():
            found[frozenset([one, two])] = boards[stuck].tolist()
    assert found == {frozenset(hand): [bits(squares)] for hand, squares in STUCK.items()}


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("hand", "squares"), STUCK.items())
def test_a_player_without_moves_chooses_a_card_to_exchange(
    hand: tuple[str, str], squares: str, player: int
) -> None:
    others = [card for card in BASE if card not in hand][:3]
    # Red's layouts are Blue's turned by 180°. A master on the enemy temple would have won.
    own = sorted(squares.split(), key=lambda square: square[0] == "c")
    away = "b3" if "c5" not in own else "b2"
    turned = [f"{'edcba'['abcde'.index(word[0])]}{6 - int(word[1])}" for word in own]
    if player == 0:
        state = set_up("-".join([*hand, *others]), 0, " ".join(own), away)
    else:
        state = set_up("-".join([others[0], others[1], *hand, others[2]]), 1, "d4", " ".join(turned))
    assert sorted(texts(state)) == sorted(f"{card}:pass" for card in hand)
    assert state.core.perft(1) == 2
    for given in hand:
        after = state.play(state.parse(f"{given}:pass"))
        kept = next(card for card in hand if card != given)
        assert {card.word for card in after.hand(player)} == {kept, others[2]}
        assert after.side.word == given
        assert after.cells() == state.cells()
        assert after.player == 1 - player
    assert "give away" in state.notes()[0]


def test_a_deal_follows_from_its_seed_and_is_drawn_from_its_set() -> None:
    for cards, names in (("base", BASE), ("sensei", SENSEI), ("all", BASE + SENSEI)):
        game = Onitama(set=cards)  # type: ignore[arg-type]
        dealt = [str(game.start(seed).game.cards) for seed in range(300)]
        assert dealt == [str(game.start(seed).game.cards) for seed in range(300)]
        assert {word for deal in dealt for word in deal.split("-")} == set(names)
        assert len(set(dealt)) > 290
        assert {game.start(seed).player for seed in range(30)} == {0, 1}


def test_the_deal_of_a_seed_does_not_change() -> None:
    # Records name a deal by its seed alone: these must never change.
    assert [str(Onitama().start(seed).game.cards) for seed in (0, 1, 2**63)] == [
        "boar-elephant-crane-rabbit-ox",
        "rooster-crab-eel-ox-horse",
        "frog-crab-ox-cobra-boar",
    ]
