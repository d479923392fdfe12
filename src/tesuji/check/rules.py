"""check_game: play random games and report violations of the State and Game contract.

Searches, learners and records rely on it. A violation shows up far from its cause, as a search that plays
badly or a record that cannot be replayed, so run this on a new game first.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from numbers import Integral
from typing import TypeVar

from tesuji.adapter import offers
from tesuji.any_game import Game, game
from tesuji.check.attributes import PlanesCheck, check_attributes
from tesuji.check.display import DisplayCheck
from tesuji.check.hidden import HiddenCheck
from tesuji.check.hooks import HookCheck
from tesuji.check.keys import KeyCheck
from tesuji.check.reporter import Abandon, Look, Reporter, difference, number
from tesuji.full_game import CHANCE, FullGame, Move, OwnState
from tesuji.spec import Spec

T = TypeVar("T")

TOLERANCE = 1e-9  # for sums of scores and of probabilities
REVERSED = (3, 5)  # last moves played in reverse, for keys
UNREADABLE = "?!"  # not a move in any sensible game


def check_game(
    game_or_spec: str | Spec | Game, *, games: int = 20, max_plies: int = 10_000, seed: int = 0
) -> list[str]:
    """Play random games and report each kind of violation once, with an example; an empty list means none.

    >>> import tesuji
    >>> tesuji.check_game("hex:size=5")
    []
    """
    rules = game(game_or_spec)
    try:
        check = _Check(rules, max_plies)
    except ValueError as error:  # an invalid number of players
        return [str(error)]
    for each in range(seed, seed + games):
        check.play_one_game(each)
    check.end()
    return list(check.problems.values())


class _Check(Reporter):
    def __init__(self, game: FullGame, max_plies: int) -> None:
        super().__init__(game, max_plies)
        self.keys = KeyCheck(self)
        self.feature_names: set[str] | None = None
        self.planes = PlanesCheck(self)
        self.display = DisplayCheck(self)
        self.hooks = HookCheck(self)
        self.hidden = HiddenCheck(self)

    def play_one_game(self, seed: int) -> None:
        self.played = []
        self.keys.begin_game()
        self.display.begin_game()
        rng = random.Random(seed)
        try:
            first, again = (self.ask("start()", lambda: self.game.start(seed).own) for _ in range(2))
            first_view = self.look(first)
            if found := difference(first_view, self.look(again)):
                self.report("start() must return the same position each time, or take a seed", found)
            self.play_on(first, first_view, rng)
            if found := difference(first_view, self.look(first), same=True):
                self.report("a state must not change while its successors are played", found)
        except Abandon:
            pass

    def end(self) -> None:
        """After the last game."""
        self.played = []
        self.hidden.end()
        self.planes.end()
        check_attributes(self)

    def play_on(self, state: OwnState, view: Look, rng: random.Random) -> None:
        states: list[OwnState] = [state]
        moves: list[Move] = []
        self.check_position(state, view, rng)
        while view["scores()"] is None:
            if len(moves) == self.max_plies:
                self.abandon("a game must end", f"not over after {self.max_plies} plies")
            move = rng.choice(view["moves()"])
            self.played.append(self.text(state, move))
            state, view = self.check_play(state, view, move, rng)
            states.append(state)
            moves.append(move)
            self.check_position(state, view, rng)
            for count in REVERSED:
                if len(moves) >= count:
                    self.keys.other_order(states[-count - 1], moves[-count:], state, view)

    def check_position(self, state: OwnState, view: Look, rng: random.Random) -> None:
        moves, scores = view["moves()"], view["scores()"]
        if len(set(moves)) < len(moves):
            self.report("moves() must list each move once", repr(_twice(moves)))
        if scores is not None:
            self.check_scores(scores)
            if moves:
                self.report("moves() must be empty when scores() is not None", moves)
        elif not moves:
            self.abandon("moves() must not be empty while scores() is None")
        else:
            self.check_going_on(state, view, rng)
        if "key()" in view:
            self.keys.position(state, view)
        self.planes.position(state, moves)
        self.display.position(state, moves, over=scores is not None)
        if found := difference(view, self.look(state), same=True):
            self.report("a state must not change when its methods are called", found)

    def check_scores(self, scores: tuple[object, ...]) -> None:
        if len(scores) != self.players:
            self.report(f"scores() must have one score for each of the {self.players} players", scores)
        elif not all(0 <= number(score) <= 1 for score in scores):
            self.report("each score must be a number from 0 to 1", scores)
        elif self.players == 2 and abs(sum(map(number, scores)) - 1) > TOLERANCE:
            self.report("the scores of two players must add up to 1", scores)
        elif sum(map(number, scores)) == 0:
            self.report("the scores must not all be 0", scores)

    def check_going_on(self, state: OwnState, view: Look, rng: random.Random) -> None:
        player = view["player"]
        if not isinstance(player, Integral) or not (player == CHANCE or 0 <= int(player) < self.players):
            self.abandon(f"player must be from 0 to {self.players - 1}, or CHANCE", repr(player))
        if offers(state, "text") or offers(state, "parse"):
            self.check_text(state, view["moves()"])
        if player == CHANCE:
            self.check_chances(state, view["moves()"])
        for seat in range(self.players):
            if offers(state, "features"):
                self.check_features(self.call(state, "features", seat))
        self.hooks.position(state, int(player), view["moves()"])
        if player != CHANCE and offers(state, "determinize"):
            self.hidden.position(state, view, rng)

    def check_text(self, state: OwnState, moves: list[Move]) -> None:
        if offers(state, "text") and not self.display.texts(state, moves):
            return
        texts = self.ask("text()", lambda: [self.text(state, move) for move in moves])
        if len(set(texts)) < len(texts):
            self.report("text() must be different for different moves", f"{_twice(texts)!r} stands for two")
        for text in texts:
            if text.split() != [text] or "," in text:
                self.report("text() must be one word without commas, as replay() reads it", repr(text))
        if offers(state, "parse"):
            for move, text in zip(moves, texts, strict=True):
                parsed = self.parse(state, text)
                if parsed != move:
                    example = f"{text!r} gives {parsed!r}, not {move!r}"
                    self.report("parse(text(move)) must return the move", example)
            self.parse(state, UNREADABLE)

    def parse(self, state: OwnState, text: str) -> object:
        try:
            return state.parse(text)
        except ValueError as error:
            return error
        except Exception as error:
            self.report("parse() must raise ValueError for an invalid text", f"{text!r} raised {error!r}")
            return error

    def check_chances(self, state: OwnState, moves: list[Move]) -> None:
        if not offers(state, "chances"):
            self.report("a state needs chances() if player is CHANCE")
            return
        chances = self.ask("chances()", lambda: dict(state.chances()))
        if chances.keys() != set(moves):
            self.report("chances() must contain exactly the moves", f"{list(chances)} for {moves}")
        if not all(number(probability) > 0 for probability in chances.values()):
            self.report("probabilities must be above 0", chances)
        elif abs(sum(chances.values()) - 1) > TOLERANCE:
            self.report("probabilities must add up to 1", f"{chances} to {sum(chances.values())}")

    def check_features(self, features: object) -> None:
        if not isinstance(features, Mapping):
            self.report("features() must map names to numbers", repr(features))
            return
        names = set(features)
        self.feature_names = names if self.feature_names is None else self.feature_names
        if names != self.feature_names:
            example = f"{sorted(names ^ self.feature_names)} is not always present"
            self.report("features() must have the same names in every state", example)
        for name, value in features.items():
            if not math.isfinite(number(value)):
                self.report("features must be finite numbers", f"{name} is {value!r}")

    def check_play(
        self, state: OwnState, before: Look, move: Move, rng: random.Random
    ) -> tuple[OwnState, Look]:
        """The next state and its view, after playing the move twice and another move once."""
        given = self.call(state, "moves")
        successor = self.call(state, "play", move)
        if successor is state:
            self.abandon("play() must return a new state", "it returned the same one")
        after = self.look(successor)
        if list(given) != before["moves()"]:
            self.report("moves() must not change a list it has returned before", f"now {given!r}")
        if found := difference(before, self.look(state), same=True):
            self.abandon("play() must not change its state", found)
        if found := difference(after, self.look(self.call(state, "play", move))):
            self.report("play() must return the same position each time", found)
        self.call(state, "play", rng.choice(before["moves()"]))
        if found := difference(after, self.look(successor), same=True):
            self.report("play() must not change earlier successors", found)
        return successor, after


def _twice(values: list[T]) -> T:
    return next(value for value in values if values.count(value) > 1)
