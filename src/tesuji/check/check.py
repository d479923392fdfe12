"""check_game: play random games and report violations of the State and Game contract.

Searches, learners and records rely on it. A violation shows up far from its cause, as a search that plays
badly or a record that cannot be replayed, so run this on a new game first.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from numbers import Integral, Real
from typing import Any, TypeAlias, TypeVar

from tesuji.adapter import full_state, offers
from tesuji.check.attributes import check_attributes
from tesuji.check.board import check_board
from tesuji.check.hidden import HiddenCheck
from tesuji.check.hooks import HookCheck
from tesuji.check.keys import KeyCheck, defines, hashable
from tesuji.check.pictures import PictureCheck
from tesuji.check.planes import PlanesCheck
from tesuji.full_game import CHANCE, FullGame, Move
from tesuji.game import Game, game
from tesuji.spec import Spec

T = TypeVar("T")
View: TypeAlias = dict[str, Any]  # everything observable of a state

SHOWN_MOVES = 40  # last moves before a problem
SHOWN_LETTERS = 200  # of an example
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
    for number in range(seed, seed + games):
        check.play_one_game(number)
    check.end()
    return list(check.problems.values())


class _Abandon(Exception):
    """The current game cannot continue; its problem is already reported."""


class _Check:
    def __init__(self, game: FullGame, max_plies: int) -> None:
        self.game = game
        self.players = game.players
        self.max_plies = max_plies
        self.problems: dict[str, str] = {}
        self.played: list[str] = []  # the moves of the current game, for reports
        self.keys = KeyCheck(self)
        self.feature_names: set[str] | None = None
        self.planes = PlanesCheck(self, game)
        self.pictures = PictureCheck(self, self.players)
        self.hooks = HookCheck(self, game.knowledge, self.players)
        self.hidden = HiddenCheck(self, _difference)

    def report(self, rule: str, example: object = "") -> None:
        """Remember the first example of a violated rule."""
        text = " ".join(str(example).split())
        shown = text if len(text) <= SHOWN_LETTERS else text[:SHOWN_LETTERS] + "…"
        self.problems.setdefault(rule, f"{rule}{': ' if shown else ''}{shown} ({self.where()})")

    def where(self) -> str:
        if not self.played:
            return "at the start"
        dots = "… " if len(self.played) > SHOWN_MOVES else ""
        return f"at ply {len(self.played)}, after {dots}{' '.join(self.played[-SHOWN_MOVES:])}"

    def ask(self, what: str, question: Callable[[], T]) -> T:
        """Call into the game; an exception is reported and ends the current game."""
        try:
            return question()
        except Exception as error:
            self.report(f"{what} raised {type(error).__name__}", error)
            raise _Abandon from error

    def attempt(self, what: str, question: Callable[[], T]) -> T | None:
        """Call into the game; an exception is reported, and the game goes on."""
        try:
            return question()
        except Exception as error:
            self.report(f"{what} raised {type(error).__name__}", error)
            return None

    def call(self, state: Any, method: str, *arguments: object) -> Any:
        result = self.ask(f"{method}()", lambda: getattr(state, method)(*arguments))
        if method == "play" and result is None:
            self.report("play() must return a state", "it returned None")
            raise _Abandon
        return result

    def text(self, state: Any, move: Move) -> str:
        """A move as text."""
        return full_state(state, self.game).text(move)

    def look(self, state: Any) -> View:
        """Everything observable of a state, to compare it with itself later or with another."""
        moves = self.call(state, "moves")
        if not hasattr(moves, "__len__") or not hasattr(moves, "__getitem__"):
            self.report("moves() must return a sequence", f"not a {type(moves).__name__}")
            raise _Abandon
        for move in moves:
            if not hashable(move):
                self.report("moves must be hashable", repr(move))
                raise _Abandon
        if list(moves) != list(self.call(state, "moves")):
            self.report("moves() must return the same moves in the same order when called again")
            raise _Abandon
        scores = self.call(state, "scores")
        sequence = hasattr(scores, "__iter__") and hasattr(scores, "__getitem__")
        if scores is not None and (not sequence or isinstance(scores, Mapping)):
            self.report("scores() must return None or a sequence with one score per player", repr(scores))
            raise _Abandon
        view = {
            "player": self.ask("player", lambda: state.player),
            "moves()": list(moves),
            "scores()": scores if scores is None else self.ask("scores()", lambda: tuple(scores)),
            "repr()": self.ask("repr()", lambda: repr(state)),
        }
        if offers(state, "key"):
            view["key()"] = self.call(state, "key")
        if defines(state, "__str__"):
            view["str()"] = self.ask("str()", lambda: str(state))
        return view

    def play_one_game(self, seed: int) -> None:
        self.played = []
        self.keys.begin_game()
        self.pictures.begin_game()
        rng = random.Random(seed)
        try:
            first, again = (self.ask("start()", lambda: self.game.start(seed).own) for _ in range(2))
            first_view = self.look(first)
            if difference := _difference(first_view, self.look(again)):
                self.report("start() must return the same position each time, or take a seed", difference)
            self.play_on(first, first_view, rng)
            if difference := _difference(first_view, self.look(first), same=True):
                self.report("a state must not change while its successors are played", difference)
        except _Abandon:
            pass

    def end(self) -> None:
        """After the last game."""
        self.played = []
        self.hidden.end()
        self.planes.end()
        check_attributes(self, self.game, self.players)

    def play_on(self, state: Any, view: View, rng: random.Random) -> None:
        states: list[Any] = [state]
        moves: list[Move] = []
        self.check_position(state, view, rng)
        while view["scores()"] is None:
            if len(moves) == self.max_plies:
                self.report("a game must end", f"not over after {self.max_plies} plies")
                raise _Abandon
            move = rng.choice(view["moves()"])
            self.played.append(self.text(state, move))
            state, view = self.check_play(state, view, move, rng)
            states.append(state)
            moves.append(move)
            self.check_position(state, view, rng)
            for count in REVERSED:
                if len(moves) >= count:
                    self.keys.other_order(states[-count - 1], moves[-count:], state, view)

    def check_position(self, state: Any, view: View, rng: random.Random) -> None:
        moves, scores = view["moves()"], view["scores()"]
        if len(set(moves)) < len(moves):
            self.report("moves() must list each move once", repr(_twice(moves)))
        if scores is not None:
            self.check_scores(scores)
            if moves:
                self.report("moves() must be empty when scores() is not None", moves)
        elif not moves:
            self.report("moves() must not be empty while scores() is None")
            raise _Abandon
        else:
            self.check_going_on(state, view, rng)
        if "key()" in view:
            self.keys.position(state, view)
        self.planes.position(state, moves)
        self.pictures.position(state, moves, over=scores is not None)
        check_board(self, self.game, state, moves)
        if difference := _difference(view, self.look(state), same=True):
            self.report("a state must not change when its methods are called", difference)

    def check_scores(self, scores: tuple[object, ...]) -> None:
        if len(scores) != self.players:
            self.report(f"scores() must have one score for each of the {self.players} players", scores)
        elif not all(0 <= _number(score) <= 1 for score in scores):
            self.report("each score must be a number from 0 to 1", scores)
        elif self.players == 2 and abs(sum(map(_number, scores)) - 1) > TOLERANCE:
            self.report("the scores of two players must add up to 1", scores)
        elif sum(map(_number, scores)) == 0:
            self.report("the scores must not all be 0", scores)

    def check_going_on(self, state: Any, view: View, rng: random.Random) -> None:
        player = view["player"]
        if not isinstance(player, Integral) or not (player == CHANCE or 0 <= int(player) < self.players):
            self.report(f"player must be from 0 to {self.players - 1}, or CHANCE", repr(player))
            raise _Abandon
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

    def check_text(self, state: Any, moves: list[Move]) -> None:
        if offers(state, "text") and not self.pictures.texts(state, moves):
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

    def parse(self, state: Any, text: str) -> object:
        try:
            return state.parse(text)
        except ValueError as error:
            return error
        except Exception as error:
            self.report("parse() must raise ValueError for an invalid text", f"{text!r} raised {error!r}")
            return error

    def check_chances(self, state: Any, moves: list[Move]) -> None:
        if not offers(state, "chances"):
            self.report("a state needs chances() if player is CHANCE")
            return
        chances = self.ask("chances()", lambda: dict(state.chances()))
        if chances.keys() != set(moves):
            self.report("chances() must contain exactly the moves", f"{list(chances)} for {moves}")
        if not all(_number(probability) > 0 for probability in chances.values()):
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
        for name, number in features.items():
            if not math.isfinite(_number(number)):
                self.report("features must be finite numbers", f"{name} is {number!r}")

    def check_play(self, state: Any, before: View, move: Move, rng: random.Random) -> tuple[Any, View]:
        """The next state and its view, after playing the move twice and another move once."""
        given = self.call(state, "moves")
        successor = self.call(state, "play", move)
        if successor is state:
            self.report("play() must return a new state", "it returned the same one")
            raise _Abandon
        after = self.look(successor)
        if list(given) != before["moves()"]:
            self.report("moves() must not change a list it has returned before", f"now {given!r}")
        if difference := _difference(before, self.look(state), same=True):
            self.report("play() must not change its state", difference)
            raise _Abandon
        if difference := _difference(after, self.look(self.call(state, "play", move))):
            self.report("play() must return the same position each time", difference)
        self.call(state, "play", rng.choice(before["moves()"]))
        if difference := _difference(after, self.look(successor), same=True):
            self.report("play() must not change earlier successors", difference)
        return successor, after


def _difference(one: View, two: View, *, same: bool = False) -> str:
    """The first difference in words, or ''. repr() is compared only for the same state."""
    for name, value in one.items():
        if name == "scores()" and repr(value) == repr(two.get(name)):
            continue  # NaN differs from itself; check_scores reports it
        if value != two.get(name) and (same or name != "repr()"):
            return f"{name} was {value!r} and then {two.get(name)!r}"
    return ""


def _number(value: object) -> float:
    return float(value) if isinstance(value, Real) else math.nan


def _twice(values: list[T]) -> T:
    return next(value for value in values if values.count(value) > 1)
