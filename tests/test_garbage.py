"""Cycles through bound objects are collected: a bot, a search, a state or a hook that refers to its owner."""

from __future__ import annotations

import gc
import random
import sys
import weakref
from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np
import pytest

import tesuji
from tests.search.networks import even, search_options
from tests.search.small_games import LOSS, WIN, Choice, Nim, Rules, Tree
from tesuji import _core
from tesuji.bots.greedy import GreedyBot
from tesuji.planes import planes_of

HAVE_GC = 1 << 14  # Py_TPFLAGS_HAVE_GC


class Owner:
    """Whatever holds on to its bots; the tests count those that survive."""

    def __init__(self) -> None:
        self.held: list[Any] = []


class Owned(Nim):
    """A state that knows its owner."""

    owner: Owner

    def play(self, move: int) -> Owned:
        return owned(self.owner, self.pile - move, 1 - self.player, type(self))

    def planes(self) -> Any:
        return np.full((1, 1, 3), self.pile, np.float32)


class Key(tuple[int, ...]):
    """A key that the search has to number: it is no plain tuple."""

    owner: Owner


class OwnedByKeys(Owned):
    def key(self) -> Any:
        key = Key((self.pile, self.player))
        key.owner = self.owner
        return key


class Veiled(Owned):
    """With something to imagine, so that its states are not cached."""

    def determinize(self, player: int, rng: random.Random) -> Owned:
        return owned(self.owner, self.pile, self.player, Veiled)


def owned(owner: Owner, pile: int, player: int = 0, kind: type[Owned] = Owned) -> Owned:
    state = kind(pile, player)
    object.__setattr__(state, "owner", owner)
    return state


class OwnedRules(Rules):
    move_space = (1, 2, 3)


def hook_of(owner: Owner, answer: Any) -> Callable[..., Any]:
    return lambda *arguments: (owner, answer)[1]


def search_with_hooks(owner: Owner) -> Any:
    def policy(state: Any, player: int, moves: list[Any], rng: Any) -> Any:
        rng.owner = owner
        return moves[0]

    state = Nim(9)
    bot = tesuji.MCTS(
        Rules(state),
        iterations=30,
        playout_depth=2,
        proximity="soft",
        seed=1,
        knowledge=tesuji.Knowledge(
            objectives={"even": tesuji.Objective(hook_of(owner, 0.5), weight=1)},
            threat_response=hook_of(owner, None),
            playout_policy=policy,
            move_ordering=lambda state, player, moves: (owner, moves)[1],
            exploration=hook_of(owner, 1.0),
            proximity=lambda state, player, moves, hard: (owner, [1.0] * len(moves))[1],
        ),
    )
    bot.analyse(state)
    return bot


def native_search_with_hooks(owner: Owner) -> Any:
    game = tesuji.game("hex:size=4")
    bot = tesuji.MCTS(game, iterations=30, playout_depth=2, value=hook_of(owner, 0.5), seed=1)
    bot.analyse(game.start())
    return bot


def search_of_states(owner: Owner, kind: type[Owned] = Owned) -> Any:
    state = owned(owner, 9, 0, kind)
    bot = tesuji.MCTS(Rules(state), iterations=50, seed=1)
    bot.analyse(state)
    return bot._searcher


def alphabeta_of_states(owner: Owner) -> Any:
    state = owned(owner, 9)
    bot = tesuji.AlphaBeta(Rules(state), depth=4, value=hook_of(owner, 0.5), seed=1)
    bot.analyse(state)
    return bot._searcher


def search_with_a_wrapper(owner: Owner) -> Any:
    game: Any = tesuji.game("hex:size=3")
    searcher = _core.Searcher(_core.PlayoutOptions(), 2, lambda core: (owner, game.from_core(core))[1], {})
    searcher.search(game.start().core, 10, 0.0, True)
    return searcher


def search_with_a_native_hook(owner: Owner) -> Any:
    return _core.Searcher(
        _core.PlayoutOptions(), 2, tesuji.game("hex").from_core, {"prover": prover_of(owner)}
    )


def prover_of(owner: Owner) -> Any:
    prover = type("Prover", (_core.HexConnectionProver,), {})()
    prover.owner = owner
    return prover


def search_with_a_network(owner: Owner) -> Any:
    start = owned(owner, 9)
    planes: Any = planes_of(OwnedRules(start))
    network = even(planes.policy_size)
    searcher = _core.ZeroSearcher(
        search_options(2), planes.native, lambda images: (owner, network(images))[1], False, None, {}
    )
    searcher.search(start, 20, 0.0, True)
    return searcher


def selfplay_of_states(owner: Owner) -> Any:
    start = owned(owner, 9)
    planes: Any = planes_of(OwnedRules(start))
    options = _core.SelfPlayOptions()
    options.games, options.threads, options.visits = 4, 0, 8
    selfplay = _core.SelfPlay([start], [1.0], planes.native, search_options(1), options, None, {})
    selfplay.run(even(planes.policy_size), games=3)
    return selfplay


def window_of_states(owner: Owner) -> Any:
    start = owned(owner, 9)
    return _core.Window(
        [start], planes_of(OwnedRules(start)).native, capacity=100, surprise=0.0, fast_search_weight=0.0
    )


class Move(int):
    """A move with attributes."""

    owner: Owner


def planes_with_moves(owner: Owner) -> Any:
    move = Move(1)
    move.owner = owner
    return _core.PythonPlanes(["pile"], 1, 1, 3, [move, 2, 3], [])


def features_of(owner: Owner, kind: type) -> Any:
    features = type("Features", (kind,), {})()
    features.owner = owner
    return features


def linear_value(owner: Owner) -> Any:
    features = features_of(owner, _core.HexFeatures)
    count = len(features.names)
    return _core.LinearValue(
        features, _core.LinearWeights([1.0] * count, 0.0, [0.0] * count, [1.0] * count, 0.0)
    )


def linear_prior(owner: Owner) -> Any:
    features = features_of(owner, _core.HexMoveCodes)
    return _core.LinearPrior(features, [0.0] * features.code_count)


CYCLES: dict[str, Callable[[Owner], Any]] = {
    "hooks of mcts": search_with_hooks,
    "a hook of mcts in a native game": native_search_with_hooks,
    "states of mcts": search_of_states,
    "keys of states": lambda owner: search_of_states(owner, OwnedByKeys),
    "states of a hidden game": lambda owner: search_of_states(owner, Veiled),
    "states and a value of alphabeta": alphabeta_of_states,
    "the wrapper of native states": search_with_a_wrapper,
    "a native hook": search_with_a_native_hook,
    "a network": search_with_a_network,
    "self-play": selfplay_of_states,
    "a replay window": window_of_states,
    "planes": planes_with_moves,
    "a linear value": linear_value,
    "a linear prior": linear_prior,
    "a policy": lambda owner: _core.PriorPolicy(linear_prior(owner)),
    "a greedy bot": lambda owner: GreedyBot(Rules(Nim(9)), value=hook_of(owner, 0.5)),
}


@pytest.mark.parametrize("cycle", CYCLES)
def test_a_cycle_is_collected(cycle: str) -> None:
    gc.collect()
    survivors = []
    for _ in range(5):
        owner = Owner()
        owner.held.append(CYCLES[cycle](owner))
        survivors.append(weakref.ref(owner))
    del owner
    gc.collect()
    assert sum(alive() is not None for alive in survivors) == 0


@pytest.mark.parametrize("cycle", CYCLES)
def test_what_is_still_used_is_not_collected(cycle: str) -> None:
    owner = Owner()
    alive = weakref.ref(owner)
    held = CYCLES[cycle](owner)
    owner.held.append(held)
    del owner
    gc.collect()
    assert alive() is not None
    assert any(one is held for one in alive().held)  # type: ignore[union-attr]


@pytest.mark.parametrize("cycle", CYCLES)
def test_no_reference_is_reported_that_is_not_owned(cycle: str) -> None:
    held = CYCLES[cycle](Owner())
    core = getattr(held, "_searcher", held)
    referents = gc.get_referents(core)
    for index, each in enumerate(referents):
        reported = sum(each is other for other in referents[index:])
        beside = sum(each is other for other in referents) + 2  # the list, `each`, and the call
        assert sys.getrefcount(each) - beside >= reported


def test_searches_go_on_while_garbage_is_collected() -> None:
    """A collection at every few allocations finds the searches in the middle of their work."""
    thresholds = gc.get_threshold()
    found = []
    for threshold in (thresholds[0], 1):
        gc.set_threshold(threshold)
        try:
            owner = Owner()
            for make in (search_of_states, alphabeta_of_states, search_with_a_network, selfplay_of_states):
                owner.held.append(make(owner))
            found.append([owner.held[0].search(owned(owner, 9), 200, 0.0, True)["visits"]])
            state = Tree(Choice(0, {"a": WIN, "b": LOSS}))
            found[-1].append(tesuji.MCTS(Rules(state), iterations=20, seed=1).analyse(state).move)
        finally:
            gc.set_threshold(*thresholds)
    assert found[0] == found[1]


def test_every_class_that_holds_python_objects_is_known_to_the_collector() -> None:
    bound = [each for each in vars(_core).values() if isinstance(each, type) and not issubclass(each, Enum)]
    collected = {each.__name__ for each in bound if each.__flags__ & HAVE_GC}
    assert collected == {
        "AlphaBetaSearcher",
        "LinearPrior",
        "LinearValue",
        "PriorPolicy",
        "PythonPlanes",
        "Searcher",
        "SelfPlay",
        "Window",
        "ZeroSearcher",
    }
