"""The checks of hidden information: `determinize(player, rng)` and `view(player)`.

A determinization must look the same to its seat, and be able to give the other seats everything they may
have. This is tested by many draws: what another seat really saw, in this state or in another with the same
view, must occur. If there are too many possibilities for that, its parts must occur, such as each card of a
hand.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tesuji.adapter import offers
from tesuji.check.reporter import Look, Reporter, difference, hashable
from tesuji.full_game import OwnState

PLIES = 20  # played from each determinization
DRAWS = 200  # at a position whose draws are compared with the real state
MORE_DRAWS = 20_000  # before something counts as never drawn
MOST_COMPARED = 100  # views met twice with different hidden information


REACHES_ALL = "determinize() must be able to draw everything consistent with what the seat has seen"


class HiddenCheck:
    """Checks the determinizations of the states that check_game meets."""

    def __init__(self, check: Reporter) -> None:
        self.check = check
        self.met: dict[tuple[int, Hashable], dict[int, Hashable]] = {}  # what the others saw at a seat's view
        self.compared: set[tuple[int, Hashable]] = set()
        self.draws = 0
        self.varied = False

    def position(self, state: OwnState, look: Look, rng: random.Random) -> None:
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
        """Report what is known only after all games."""
        if self.draws and not self.varied:
            self.check.report(
                "determinize() must vary what the seat has not seen",
                f"in {self.draws} draws the other seats always saw what they really see",
            )

    def views(self, state: OwnState) -> dict[int, Hashable] | None:
        """Each seat's view, if the game defines them."""
        if not offers(state, "view"):
            return None
        views = {seat: self.check.call(state, "view", seat) for seat in range(self.check.players)}
        for seat, view in views.items():
            if not hashable(view):
                self.check.report("view() must be hashable", repr(view))
                return None
            if self.check.call(state, "view", seat) != view:
                self.check.report("view() must be the same when called again", f"seat {seat}")
                return None
        return views

    def one_draw(
        self, state: OwnState, look: Look, views: dict[int, Hashable] | None, seat: int, rng: random.Random
    ) -> None:
        """Check one determinization for a seat."""
        report, call = self.check.report, self.check.call
        seed = rng.random()
        guess, twin = (call(state, "determinize", seat, random.Random(seed)) for _ in range(2))
        seen = self.check.look(guess)
        if found := difference(seen, self.check.look(twin)):
            report("determinize() must use only its rng", found)
        if seen["player"] != look["player"]:
            report("determinize() must keep the player to move", f"{seen['player']}, not {look['player']}")
        elif seat == look["player"] and set(seen["moves()"]) != set(look["moves()"]):
            example = f"{seen['moves()']}, not {look['moves()']}"
            report("determinize() must keep the legal moves of its player", example)
        if seen["scores()"] is not None:
            report("determinize() must not end the game", seen["scores()"])
        if views is not None and (view := call(guess, "view", seat)) != views[seat]:
            example = f"seat {seat} saw {views[seat]!r} and then {view!r}"
            report("determinize() must keep everything the seat has seen", example)
        for _ in range(PLIES):
            moves = call(guess, "moves")
            if len(moves) == 0:
                break
            guess = call(guess, "play", rng.choice(moves))

    def many_draws(
        self, state: OwnState, seat: int, possible: dict[int, Hashable], rng: random.Random
    ) -> None:
        """Check that draws for a seat reach what the others may see, as a whole and in parts."""

        def draw() -> dict[int, Hashable]:
            guess = self.check.call(state, "determinize", seat, rng)
            return {other: self.check.call(guess, "view", other) for other in possible}

        real = {other: self.check.call(state, "view", other) for other in possible}
        drawn = [draw() for _ in range(DRAWS)]
        self.draws += DRAWS
        self.varied = self.varied or any(one != real for one in drawn)
        if REACHES_ALL in self.check.problems:
            return
        for other, view in possible.items():
            wanted = list(_missing([one[other] for one in drawn], view))
            for _ in range(MORE_DRAWS if wanted else 0):
                guess = draw()[other]
                wanted = [part for part in wanted if not part.found_in(guess)]
                if not wanted:
                    break
            if wanted:
                never = min((repr(part.value) for part in wanted), key=lambda text: (len(text), text))
                self.check.report(
                    REACHES_ALL, f"for seat {seat}, seat {other} never gets {never}, which it had"
                )


@dataclass(frozen=True)
class _Part:
    """A part of a view: the value at a path, or anywhere in the tuple or set there."""

    value: Hashable
    path: tuple[object, ...]
    anywhere: bool

    def found_in(self, view: Any) -> bool:
        try:
            for step in self.path:
                view = view[step]
        except (IndexError, KeyError, TypeError):
            return False
        return self.value in view if self.anywhere else bool(view == self.value)


def _missing(drawn: list[object], wanted: Any, path: tuple[object, ...] = ()) -> Iterator[_Part]:
    """Parts of a view that were never drawn, unless some value was drawn only once.

    A value drawn once suggests that others have not been drawn yet.
    """
    if all(one == wanted for one in drawn):
        return
    counts = Counter(drawn)
    if wanted not in counts and 1 not in counts.values():
        yield _Part(wanted, path, anywhere=False)
    if isinstance(wanted, tuple | frozenset):
        alike = [one for one in drawn if isinstance(one, type(wanted))]
        counts = Counter(value for one in alike for value in set(one))
        if 1 not in counts.values():
            yield from (_Part(value, path, anywhere=True) for value in wanted if value not in counts)
    if isinstance(wanted, tuple | Mapping):
        steps = range(len(wanted)) if isinstance(wanted, tuple) else wanted
        for step in steps:
            there = [one[step] for one in drawn if isinstance(one, type(wanted)) and _has(one, step)]
            yield from _missing(there, wanted[step], (*path, step))


def _has(view: Any, step: Any) -> bool:
    return step < len(view) if isinstance(view, tuple) else step in view


def _without(views: Mapping[int, Hashable], seat: int) -> dict[int, Hashable]:
    return {other: view for other, view in views.items() if other != seat}
