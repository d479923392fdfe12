"""Everything shown to a seat is equal in positions that the seat cannot distinguish."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import tesuji
from examples.kuhn_poker import CARDS, KuhnPoker, KuhnState
from tests.games.gofish_tables import go_fish
from tesuji.cli import main
from tesuji.games.gofish.cards import RANKS
from tesuji.games.gofish.state import GoFishState, first_state, shuffled
from tesuji.learn.explain import explain


class JudgedKuhn(KuhnPoker):
    """Kuhn poker with an objective: the player's card."""

    knowledge = tesuji.Knowledge(
        objectives={
            "high card": tesuji.Objective(
                lambda state, player: CARDS.index(state.cards[player]) / len(CARDS), weight=1
            )
        }
    )


def gofish_twins(spec: str, seed: int, plies: int) -> tuple[Any, list[GoFishState]]:
    """A position and others, really dealt and played, that its player to move cannot tell from it."""
    game, rng = go_fish(spec), random.Random(seed)
    state = game.start(seed=seed)
    for _ in range(plies):
        state = state.play(rng.choice(state.moves()))
    seat, deck = state.player, shuffled(seed, game.ranks)
    own = range(seat * game.cards_each, (seat + 1) * game.cards_each)
    others = [place for place in range(len(deck)) if place not in own]
    twins = [state]
    while len(twins) < 3:
        for place, other in zip(others, rng.sample(others, len(others)), strict=True):
            deck[place], deck[other] = deck[other], deck[place]
        twin = first_state(game, seed, deck)
        for turn in state.turns:
            move = turn.target * RANKS + turn.rank
            if twin.player != turn.asker or move not in twin.moves():
                break
            twin = twin.play(move)
        if twin.view(seat) == state.view(seat) and twin != state:
            twins.append(twin)
    return game, twins


def kuhn_twins(card: str, said: str) -> tuple[Any, list[KuhnState]]:
    others = CARDS.replace(card, "")
    return JudgedKuhn(), [KuhnState(card + o if len(said) % 2 == 0 else o + card, said) for o in others]


TWINS: dict[str, Callable[[], tuple[Any, list[Any]]]] = {
    "the first ask": lambda: gofish_twins("gofish", 7, 0),
    "the third": lambda: gofish_twins("gofish", 3, 2),
    "among four": lambda: gofish_twins("gofish:players=4", 5, 2),
    "a small deck": lambda: gofish_twins("gofish:ranks=4,hand=3,players=3", 2, 4),
    "Kuhn's first word": lambda: kuhn_twins("Q", ""),
    "Kuhn's answer": lambda: kuhn_twins("J", "b"),
}

SHOWN: dict[str, Callable[[Any, Any], Any]] = {
    "the board": lambda game, state: str(state),
    "the picture": lambda game, state: state.svg() if hasattr(state, "svg") else "",
    "the moves": lambda game, state: [str(move) for move in state.moves()],
    "what was said": lambda game, state: (
        state.last_move_text(state.player) if hasattr(state, "last_move_text") else ""
    ),
    "an explanation": lambda game, state: [
        one.as_dict()
        for one in explain(state, game.knowledge.objectives, players=getattr(game, "players", 2))
    ],
    "a search": lambda game, state: {
        **tesuji.bot("mcts:iterations=150,seed=4", game).analyse(state).as_dict(),
        "seconds": 0,
    },
    "a search with a value": lambda game, state: [
        (one.move, one.visits, one.value)
        for one in tesuji.bot("mcts:iterations=150,seed=4,playout_depth=1", game).analyse(state).candidates
    ],
    "greedy": lambda game, state: tesuji.bot("greedy:seed=4", game).choose(state),
    "random": lambda game, state: tesuji.bot("random:seed=4", game).choose(state),
}


@pytest.mark.parametrize("shown", SHOWN.values(), ids=SHOWN)
@pytest.mark.parametrize("make", TWINS.values(), ids=TWINS)
def test_positions_that_a_seat_cannot_tell_apart_are_shown_alike(make: Any, shown: Any) -> None:
    game, (state, *twins) = make()
    assert twins
    for twin in twins:
        assert shown(game, twin) == shown(game, state)


def test_an_explanation_is_a_mean_over_deals_and_adds_up() -> None:
    game, (state, *_) = kuhn_twins("Q", "b")
    call, fold = sorted(explain(state, game.knowledge.objectives), key=lambda one: one.text)
    assert call.score == pytest.approx(0.5, abs=0.1), "two chips won or lost, as often as not"
    assert (fold.score, fold.probability, fold.terms) == (0.25, 0.25, ()), "one chip is lost whatever is held"
    fish, (position, *_) = gofish_twins("gofish", 3, 2)
    for one in explain(position, fish.knowledge.objectives):
        assert (one.after, one.deals) == (None, 200)
        assert one.base + sum(term.contribution for term in one.terms) == pytest.approx(one.total)


def test_the_command_shows_no_cards_of_others(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "gofish", "--seed", "7", "--moves", "A 6"]) == 0
    told = capsys.readouterr().out
    assert "  player 1    6 ? ? ? ? ? ? ? " in told
    _, after = told.split("\nAfter ")
    assert "\nMeans over 200 deals consistent with what player 0 has seen.\n" in after
    assert "player 1 " not in after
