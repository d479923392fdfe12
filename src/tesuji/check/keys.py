"""The checks of key(): equal positions have equal keys, and equal keys stand for equal positions.

The searches treat positions with equal keys as one. So if two paths lead to one key, the same moves are
played from both to the end: the player to move, the legal moves and the scores must not differ.
"""

from __future__ import annotations

import random
from collections.abc import Hashable
from dataclasses import dataclass

from tesuji.adapter import defines, offers
from tesuji.check.reporter import Look, Reporter, hashable
from tesuji.full_game import Move, OwnState

COMPARED = 10  # pairs of positions with equal keys played out, per game
SHARE = 0.25  # of all such pairs, up to COMPARED


@dataclass(frozen=True)
class Met:
    """A position whose key was new."""

    state: OwnState
    facts: Look
    where: str
    way: tuple[str, ...]


class KeyCheck:
    """Checks the keys of the states that check_game meets."""

    def __init__(self, check: Reporter) -> None:
        self.check = check
        self.met: dict[Hashable, Met] = {}
        self.rng = random.Random(0)  # separate, so that the random games do not change
        self.left = COMPARED

    def begin_game(self) -> None:
        """Start a new game."""
        self.left = COMPARED

    def position(self, state: OwnState, look: Look) -> None:
        """Compare a position with the first one that had its key."""
        key = look["key()"]
        if not hashable(key):
            self.check.report("key() must be hashable", repr(key))
            return
        way = tuple(self.check.played)
        known = self.met.setdefault(key, Met(state, _facts(look), self.check.where(), way))
        for name, fact in _facts(look).items():
            if fact != known.facts[name]:
                example = f"{fact}, but {known.facts[name]} {known.where}"
                self.check.report(f"positions with equal keys must have equal {name}", example)
                return
        if known.way != way:
            self.play_on(state, known.state, known.where)

    def other_order(self, state: OwnState, moves: list[Move], reached: OwnState, look: Look) -> None:
        """Play the last moves in reverse: if that reaches an equal position, its key must be equal.

        Positions are compared by `==` if the state defines it, otherwise by everything observable. States
        with hidden information may look equal and differ, so they are skipped.
        """
        if "key()" not in look or offers(reached, "determinize") or not hashable(look["key()"]):
            return
        for move in reversed(moves):
            if move not in self.check.call(state, "moves"):
                return
            state = self.check.call(state, "play", move)
        other = self.check.look(state)
        if defines(state, "__eq__"):
            equal = state == reached
        else:
            equal = "str()" in look and _seen(look) == _seen(other)
        same_key = other["key()"] == look["key()"]
        if equal and not same_key:
            example = f"{look['key()']!r}, but {other['key()']!r} with the last {len(moves)} moves in reverse"
            self.check.report("equal positions must have equal keys", example)
        elif same_key:
            self.play_on(reached, state, f"with the last {len(moves)} moves in reverse")

    def play_on(self, one: OwnState, two: OwnState, where: str) -> None:
        """Play the same random moves from two positions with equal keys, and compare."""
        if offers(one, "determinize") or self.left == 0 or self.rng.random() > SHARE:
            return
        self.left -= 1
        texts: list[str] = []
        for _ in range(self.check.max_plies):
            looks = [self.facts_of(state) for state in (one, two)]
            for name, fact in looks[0].items():
                if fact != looks[1][name]:
                    after = f" after {' '.join(texts)}" if texts else ""
                    example = f"{name} is {fact}{after}, but {looks[1][name]} for the position {where}"
                    self.check.report("positions with equal keys must continue equally", example)
                    return
            if looks[0]["scores()"] is not None or not looks[0]["moves()"]:
                return
            move = self.rng.choice(list(self.check.call(one, "moves")))
            texts.append(self.check.text(one, move))
            one, two = (self.check.call(state, "play", move) for state in (one, two))

    def facts_of(self, state: OwnState) -> Look:
        """What the searches use of a state."""
        scores = self.check.call(state, "scores")
        moves = () if scores is not None else self.check.call(state, "moves")
        return {
            "player": state.player,
            "moves()": frozenset(moves),
            "scores()": None if scores is None else tuple(scores),
        }


def _facts(look: Look) -> Look:
    return {"player": look["player"], "moves()": set(look["moves()"]), "scores()": look["scores()"]}


def _seen(look: Look) -> Look:
    """The observations that do not depend on the path to a position."""
    return {
        name: repr(value) if name == "scores()" else value  # NaN differs from itself
        for name, value in look.items()
        if name not in ("repr()", "key()")
    }
