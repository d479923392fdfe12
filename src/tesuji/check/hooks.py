"""The checks of a game's knowledge: each hook is called as the searches call it, in every position.

So is `move_features(move)` of the states, from which a prior is learned.

A search reports a hook that raises or returns nonsense, but only when it happens to call it: `proximity` and
`exploration` may be off for months. Native hooks are not called here; the core checks what they return.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping
from typing import Any

from tesuji.adapter import offers
from tesuji.any_game import CHANCE
from tesuji.check.reporter import Reporter, number
from tesuji.features import FeaturesError, checked_move_features
from tesuji.full_game import Move, OwnState
from tesuji.knowledge import Knowledge

MOST_EXPLORATION = 1_000_000  # as in the search
HOOKS = ("threat_response", "playout_policy", "move_ordering", "exploration", "proximity")


class HookCheck:
    """Calls the hooks of a game's knowledge."""

    def __init__(self, check: Reporter) -> None:
        self.check = check
        knowledge: object = check.game.knowledge
        self.rng = random.Random(0)
        self.hooks: dict[str, object] = {}
        if knowledge is None:
            return
        if not isinstance(knowledge, Knowledge):
            check.report("knowledge must be a Knowledge", repr(knowledge))
            return
        for name in ("objectives", *HOOKS):
            hook = getattr(knowledge, name)
            if hook is not None and getattr(hook, "native", None) is None:
                self.hooks[name] = hook

    def position(self, state: OwnState, player: int, moves: list[Move]) -> None:
        """Call every hook for the player to move; objectives for every player, also before a chance move."""
        for name, hook in self.hooks.items():
            if name == "objectives" or player != CHANCE:
                getattr(self, f"_{name}")(hook, state, player, list(moves))
        if offers(state, "move_features") and player != CHANCE:
            self._move_features(state, moves)

    def _move_features(self, state: OwnState, moves: list[Move]) -> None:
        for move in moves:
            done, found = self._answer("move_features()", lambda move=move: state.move_features(move))
            try:
                if done:
                    checked_move_features(found)
            except FeaturesError as error:
                self.check.report("move_features() must map names to numbers, or list codes", str(error))
                return

    def _objectives(self, hook: Any, state: OwnState, player: int, moves: list[Move]) -> None:
        for seat in range(self.check.players):
            value = self.check.attempt("objectives", lambda seat=seat: hook.value(state, seat))  # type: ignore[misc]
            if value is not None and not 0 <= number(value) <= 1:
                self.check.report("the value of the objectives must be from 0 to 1", repr(value))

    def _threat_response(self, hook: Any, state: OwnState, player: int, moves: list[Move]) -> None:
        threat = self.check.attempt("threat_response", lambda: hook(state, player))
        if threat is None:
            return
        if not hasattr(threat, "moves") or not hasattr(threat, "urgent"):
            self.check.report("threat_response must return a Threat or None", repr(threat))
        elif isinstance(threat.moves, str) or not isinstance(threat.moves, Iterable):
            self.check.report("the moves of a Threat must be a sequence", repr(threat.moves))
        else:
            self._legal("threat_response", list(threat.moves), moves)

    def _playout_policy(self, hook: Any, state: OwnState, player: int, moves: list[Move]) -> None:
        given = list(moves)
        done, move = self._answer("playout_policy", lambda: hook(state, player, given, self.rng))
        if done:
            self._legal("playout_policy", [move], moves)
            self._unchanged("playout_policy", given, moves)

    def _move_ordering(self, hook: Any, state: OwnState, player: int, moves: list[Move]) -> None:
        given = list(moves)
        done, answer = self._answer("move_ordering", lambda: hook(state, player, given))
        if not done:
            return
        if isinstance(answer, str) or not isinstance(answer, Iterable):
            rule = "move_ordering must return a sequence of moves, or a mapping of moves to weights"
            self.check.report(rule, repr(answer))
            return
        self._legal("move_ordering", list(answer), moves)
        weights = answer.items() if isinstance(answer, Mapping) else ()
        for move, weight in weights:
            if not 0 < number(weight) < math.inf:
                rule = "weights of move_ordering must be positive and finite"
                self.check.report(rule, f"{weight!r} for {move!r}")

    def _exploration(self, hook: Any, state: OwnState, player: int, moves: list[Move]) -> None:
        done, value = self._answer("exploration", lambda: hook(state, player) if callable(hook) else hook)
        if done and not 0 <= number(value) <= MOST_EXPLORATION:
            self.check.report(f"exploration must be from 0 to {MOST_EXPLORATION:,}", repr(value))

    def _proximity(self, hook: Any, state: OwnState, player: int, moves: list[Move]) -> None:
        for hard in (False, True):
            done, weights = self._answer(
                "proximity",
                lambda hard=hard: list(hook(state, player, list(moves), hard)),
            )
            if not done:
                return
            if len(weights) != len(moves):
                example = f"{len(weights)} for {len(moves)} moves"
                self.check.report("proximity must return one weight for each move", example)
            elif not all(0 <= number(weight) <= 1 for weight in weights):
                self.check.report("weights of proximity must be from 0 to 1", repr(weights))
            elif not any(weights):
                self.check.report("proximity must give some move a weight above 0")

    def _answer(self, name: str, question: Any) -> tuple[bool, Any]:
        """Whether the hook returned something, and what: None is an answer, and often a forgotten return."""
        answers: list[object] = []
        self.check.attempt(name, lambda: answers.append(question()))
        return bool(answers), answers[0] if answers else None

    def _legal(self, name: str, named: list[Move], moves: list[Move]) -> None:
        for move in named:
            if move not in moves:
                self.check.report(f"{name} must return legal moves", f"{move!r} is not legal")
                return

    def _unchanged(self, name: str, given: list[Move], moves: list[Move]) -> None:
        if given != moves:
            self.check.report(f"{name} must not change the list of moves", repr(given))
