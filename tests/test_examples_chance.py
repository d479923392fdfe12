"""The examples with hidden cards and chance: their rules beside OpenSpiel's, and all that a game can do."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

import tesuji
from examples.kuhn_poker import CARDS, DEALS, KuhnPoker, KuhnState
from examples.pig import Pig
from tesuji.any_game import CHANCE

GAMES = ["kuhn", "pig:target=20", "pig:target=10,faces=3"]


@pytest.mark.parametrize("spec", GAMES)
def test_the_examples_have_no_problems(spec: str) -> None:
    assert tesuji.check_game(spec) == []


@pytest.mark.parametrize("deal", DEALS)
@pytest.mark.parametrize("said", ["pp", "bp", "bb", "pbp", "pbb"])
def test_kuhn_poker_pays_as_in_open_spiel(deal: str, said: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game("kuhn_poker").new_initial_state()
    for card in deal:
        theirs.apply_action(CARDS.index(card))
    ours = KuhnPoker().start().play(deal)
    for letter in said:
        assert ours.player == theirs.current_player()
        assert len(ours.moves()) == len(theirs.legal_actions()) == 2
        ours = ours.play({"p": "pass", "b": "bet"}[letter])
        theirs.apply_action("pb".index(letter))
    assert theirs.is_terminal()
    assert ours.scores() == tuple((gain + 2) / 4 for gain in theirs.returns())


def test_kuhn_poker_deals_each_pair_of_cards_as_often() -> None:
    chances = KuhnPoker().start().chances()
    assert {deal for deal, _ in chances} == {one + two for one, two in itertools.permutations(CARDS, 2)}
    assert {probability for _, probability in chances} == {1 / 6}


def test_a_seat_sees_its_own_card_and_public_actions() -> None:
    state = KuhnState("JK", "p")
    assert (state.view(0), state.view(1)) == (("J", "p"), ("K", "p"))
    assert str(state) == "your card: K  p"
    assert str(KuhnState("JK", "pp")) == "JK  pp"


@pytest.mark.parametrize("seed", range(50))
def test_pig_agrees_with_open_spiel_on_any_game(seed: int) -> None:
    rng = random.Random(seed)
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game("pig(players=2,winscore=20,horizon=10000)").new_initial_state()
    ours: Any = Pig(target=20).start()
    while ours.scores() is None:
        assert ours.player == theirs.current_player()
        if ours.player == CHANCE:
            assert [probability for _, probability in ours.chances()] == pytest.approx(
                [probability for _, probability in theirs.chance_outcomes()]
            )
        move = rng.choice(ours.moves())
        ours = ours.play(move)
        theirs.apply_action({"roll": 0, "hold": 1}.get(move, move - 1 if isinstance(move, int) else 0))
    assert theirs.is_terminal()
    assert list(ours.scores()) == [(1 + result) / 2 for result in theirs.returns()]


def test_chance_examples_have_specs() -> None:
    game: object = tesuji.game("pig:target=30")
    assert game == Pig(target=30)
    with pytest.raises(ValueError, match="target .*not 1$"):
        tesuji.game("pig:target=1")
