"""What check_game asks of a game that hides something: `determinize(player, rng)` and `view(player)`.

A determinization must look the same to its seat, and give the other seats anything that they may have.
Whether it can is tested by drawing often: what another seat really saw, in this state or in another one with
the same view, must come up. Where there is too much to come up as a whole, its parts must: each card of a hand.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, Protocol, TypeAlias

Look: TypeAlias = dict[str, Any]
Part: TypeAlias = tuple[Hashable, ...]  # where in the other seats' views

PLIES = 20  # a determinization is played on for so long
DRAWS = 200  # at a position whose draws are compared with what is real
MORE_DRAWS = 20_000  # before something counts as never drawn
MOST_COMPARED = 100  # views met twice, with different things hidden


class Reporter(Protocol):
    """The part of check_game that asks a game and remembers what is wrong."""

    players: int
    played: list[str]
    problems: dict[str, str]

    def report(self, promise: str, example: object = "") -> None:
        """Remember the first example of a broken promise."""

    def call(self, state: Any, method: str, *arguments: object) -> Any:
        """What a method of a state returns."""

    def look(self, state: Any) -> Look:
        """All that can be seen of a state."""


REACHES_ALL = "determinize() must be able to draw all that fits what the seat has seen"


class HiddenCheck:
    """Checks the determinizations of the states that check_game meets."""

    def __init__(self, check: Reporter, difference: Callable[[Look, Look], str]) -> None:
        self.check = check
        self.difference = difference
        self.met: dict[tuple[int, Hashable], dict[int, Hashable]] = {}  # what the others saw at a seat's view
        self.compared: set[tuple[int, Hashable]] = set()
        self.draws = 0
        self.varied = False

    def position(self, state: Any, look: Look, rng: random.Random) -> None:
        """Check one determinization for each seat, and many at some positions."""
        views = self.views(state)
        for seat in range(self.check.players):
            self.one_draw(state, look, views, seat, rng)
        if views is None:
            return
        ply = len(self.check.played)
        chosen = rng.randrange(self.check.players) if ply & (ply - 1) == 0 else None
        for seat in range(self.check.players):
            others = _without(views, seat)
            key = seat, views[seat]
            before = self.met.setdefault(key, others)
            if before != others and key not in self.compared and len(self.compared) < MOST_COMPARED:
                self.compared.add(key)
                self.many_draws(state, seat, before, rng)
            elif seat == chosen:
                self.many_draws(state, seat, others, rng)

    def end(self) -> None:
        """What can be said only when all games are played."""
        if self.draws and not self.varied:
            self.check.report(
                "determinize() must draw what the seat has not seen",
                f"in {self.draws} draws the other seats always saw what they really see",
            )

    def views(self, state: Any) -> dict[int, Hashable] | None:
        """Each seat's view, where the game has them."""
        if not hasattr(state, "view"):
            return None
        views = {seat: self.check.call(state, "view", seat) for seat in range(self.check.players)}
        for seat, view in views.items():
            try:
                hash(view)
            except TypeError:
                self.check.report("view() must be hashable", repr(view))
                return None
            if self.check.call(state, "view", seat) != view:
                self.check.report("view() must be the same when asked again", f"seat {seat}")
                return None
        return views

    def one_draw(
        self, state: Any, look: Look, views: dict[int, Hashable] | None, seat: int, rng: random.Random
    ) -> None:
        """Check one determinization for a seat."""
        report, call = self.check.report, self.check.call
        seed = rng.random()
        guess, twin = (call(state, "determinize", seat, random.Random(seed)) for _ in range(2))
        seen = self.check.look(guess)
        if difference := self.difference(seen, self.check.look(twin)):
            report("determinize() must draw from its rng alone", difference)
        if seen["player"] != look["player"]:
            report("determinize() must keep the player to move", f"{seen['player']}, not {look['player']}")
        elif seat == look["player"] and set(seen["moves()"]) != set(look["moves()"]):
            example = f"{seen['moves()']}, not {look['moves()']}"
            report("determinize() must keep the legal moves of the player it is for", example)
        if seen["scores()"] is not None:
            report("determinize() must not end the game", seen["scores()"])
        if views is not None and (view := call(guess, "view", seat)) != views[seat]:
            example = f"seat {seat} saw {views[seat]!r} and then {view!r}"
            report("determinize() must keep all that the seat has seen", example)
        for _ in range(PLIES):
            moves = call(guess, "moves")
            if len(moves) == 0:
                break
            guess = call(guess, "play", rng.choice(moves))

    def many_draws(self, state: Any, seat: int, possible: dict[int, Hashable], rng: random.Random) -> None:
        """Whether draws for a seat come to what the others may see, as a whole and in its parts."""

        def draw() -> dict[int, Hashable]:
            guess = self.check.call(state, "determinize", seat, rng)
            return {other: self.check.call(guess, "view", other) for other in possible}

        real = {other: self.check.call(state, "view", other) for other in possible}
        counts: dict[Part, Counter[Hashable]] = defaultdict(Counter)
        for _ in range(DRAWS):
            drawn = draw()
            self.draws += 1
            self.varied = self.varied or drawn != real
            for part, value in set(_parts(drawn)):
                counts[part][value] += 1
        # Where some value came up only once there are probably more that have not come up yet.
        wanted = {
            (part, value)
            for part, value in _parts(possible)
            if value not in counts[part] and 1 not in counts[part].values()
        }
        if not wanted or REACHES_ALL in self.check.problems:
            return
        for _ in range(MORE_DRAWS):
            wanted -= set(_parts(draw()))
            if not wanted:
                return
        (other, *_), value = min(wanted, key=lambda one: (len(repr(one)), repr(one)))
        self.check.report(REACHES_ALL, f"for seat {seat}, seat {other} never gets {value!r}, which it had")


def _without(views: Mapping[int, Hashable], seat: int) -> dict[int, Hashable]:
    return {other: view for other, view in views.items() if other != seat}


def _parts(value: Any, path: Part = ()) -> Iterator[tuple[Part, Hashable]]:
    """A value and what it is made of, each with its place; of a hand of cards each card, wherever it is."""
    if path:
        yield path, value
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield from _parts(one, (*path, key))
    elif isinstance(value, tuple):
        for place, one in enumerate(value):
            yield from _parts(one, (*path, place))
    if isinstance(value, tuple | frozenset):
        for one in value:
            yield (*path, "has"), one
