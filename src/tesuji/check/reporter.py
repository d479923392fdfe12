"""Calls into a game on behalf of its checks, and collects the problems in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any, NoReturn, TypeAlias, TypeVar

from tesuji.adapter import defines, full_state, offers
from tesuji.full_game import FullGame, Move, OwnState

T = TypeVar("T")
Look: TypeAlias = dict[str, Any]
"""Everything observable of a state."""

SHOWN_MOVES = 40  # last moves before a problem
SHOWN_LETTERS = 200  # of an example


class Abandon(Exception):
    """The current game cannot continue; its problem is already reported."""


class Reporter:
    """The problems of a game, each with its first example."""

    def __init__(self, game: FullGame, max_plies: int) -> None:
        self.game, self.players, self.max_plies = game, game.players, max_plies
        self.problems: dict[str, str] = {}
        self.played: list[str] = []
        """The moves of the current game."""

    def report(self, rule: str, example: object = "") -> None:
        """Remember the first example of a violated rule."""
        text = " ".join(str(example).split())
        shown = text if len(text) <= SHOWN_LETTERS else text[:SHOWN_LETTERS] + "…"
        self.problems.setdefault(rule, f"{rule}{': ' if shown else ''}{shown} ({self.where()})")

    def abandon(self, rule: str, example: object = "") -> NoReturn:
        """Report a violated rule and end the current game."""
        self.report(rule, example)
        raise Abandon

    def where(self) -> str:
        """The current position, in words."""
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
            raise Abandon from error

    def attempt(self, what: str, question: Callable[[], T]) -> T | None:
        """Call into the game; an exception is reported, and the answer is None."""
        try:
            return question()
        except Exception as error:
            self.report(f"{what} raised {type(error).__name__}", error)
            return None

    def call(self, state: OwnState, method: str, *arguments: object) -> Any:
        """Call a method of a state."""
        result = self.ask(f"{method}()", lambda: getattr(state, method)(*arguments))
        if method == "play" and result is None:
            self.abandon("play() must return a state", "it returned None")
        return result

    def text(self, state: OwnState, move: Move) -> str:
        """A move as text."""
        return full_state(state, self.game).text(move)

    def look(self, state: OwnState) -> Look:
        """Everything observable of a state, to compare it with itself later or with another."""
        moves = self.call(state, "moves")
        if not hasattr(moves, "__len__") or not hasattr(moves, "__getitem__"):
            self.abandon("moves() must return a sequence", f"not a {type(moves).__name__}")
        for move in moves:
            if not hashable(move):
                self.abandon("moves must be hashable", repr(move))
        if list(moves) != list(self.call(state, "moves")):
            self.abandon("moves() must return the same moves in the same order when called again")
        scores = self.call(state, "scores")
        sequence = hasattr(scores, "__iter__") and hasattr(scores, "__getitem__")
        if scores is not None and (not sequence or isinstance(scores, Mapping)):
            self.abandon("scores() must return None or a sequence with one score per player", repr(scores))
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


def difference(one: Look, two: Look, *, same: bool = False) -> str:
    """The first difference in words, or ''. repr() is compared only for the same state."""
    for name, value in one.items():
        if name == "scores()" and repr(value) == repr(two.get(name)):
            continue  # NaN differs from itself; the check of scores reports it
        if value != two.get(name) and (same or name != "repr()"):
            return f"{name} was {value!r} and then {two.get(name)!r}"
    return ""


def number(value: object) -> float:
    """A number, or NaN for what is none."""
    return float(value) if isinstance(value, Real) else math.nan


def hashable(value: object) -> bool:
    """Whether a value is hashable."""
    try:
        hash(value)
    except TypeError:
        return False
    return True
