"""The checks of a game's attributes: bots that it names, its book of openings, its spec, and its planes."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from tesuji.adapter import offers
from tesuji.any_game import game, replay, set_up
from tesuji.bots import bot
from tesuji.check.reporter import Reporter
from tesuji.full_game import CHANCE, FullGame, Move, OwnState
from tesuji.planes import StatePlanes
from tesuji.registry import games

QUICK_SEARCH = "mcts:iterations=16,seed=1"
PLANES_SHAPE = "planes() must return an array [planes, rows, columns]"
SET_UPS = 6  # positions of a game that are set up again


def check_attributes(check: Reporter) -> None:
    """Report the attributes that bots, the arena and the board could not use."""
    rules, players = check.game, check.game.players
    _check_bots(check, rules)
    names = rules.player_names
    if len(names) and not (_texts(names) and len(names) == players):
        check.report(f"player_names must be {players} texts", repr(names))
    for name in ("title", "goal"):
        text = getattr(rules, name)
        if text is not None and not isinstance(text, str):
            check.report(f"{name} must be a text", repr(text))
    try:
        _ = rules.typical_plies
    except ValueError:
        check.report("typical_plies must be a number above 0", repr(rules.own.typical_plies))
    for number, line in enumerate(rules.openings or (), 1):
        check.attempt(f"opening {number} of the book", lambda line=line: replay(rules, line))  # type: ignore[misc]
    if games.name_of(type(rules.own)) is not None:
        _check_spec(check, rules)
    if rules.can_set_up:
        _check_set_up(check, rules)


def _check_bots(check: Reporter, rules: FullGame) -> None:
    """Make each bot that the game names; a quick search tries the rules and the hooks as bots use them."""
    named: dict[str, object] = {"default_bot": rules.default_bot if rules.offers("default_bot") else "random"}
    levels = rules.levels
    if not isinstance(levels, Mapping):
        check.report("levels must map names to specs of bots", repr(levels))
    else:
        named |= {f"level {name!r}": spec for name, spec in levels.items()}
        for name in levels:
            if name not in ("easy", "medium", "hard", "expert"):
                check.report("levels are easy, medium, hard and expert", repr(name))
    for what, spec in named.items():
        if not isinstance(spec, str):
            check.report(f"{what} must be the spec of a bot", repr(spec))
            continue
        made = check.attempt(what, lambda spec=spec: bot(spec, rules))  # type: ignore[misc]
        if made is not None:
            made.close()
    if not check.problems:  # otherwise it would repeat them
        check.attempt("a search", lambda: _search(rules))


def _search(rules: FullGame) -> None:
    state = rules.start(0)
    if state.scores() is None and state.player >= 0:
        bot(QUICK_SEARCH, rules).choose(state)


def _check_spec(check: Reporter, rules: FullGame) -> None:
    """Records name a game by its spec, so the spec must make the same game again."""
    spec = check.attempt("the game's spec", lambda: games.spec_of(rules))
    if spec is None:
        return
    again = check.attempt(f"the game {spec}", lambda: game(spec))
    if again is not None:
        first = check.attempt("start()", lambda: (rules.start(0), again.start(0)))
        if first is not None and list(first[0].moves()) != list(first[1].moves()):
            check.report("a game's spec must make the same game again", f"{spec} starts with other moves")


def _check_set_up(check: Reporter, rules: FullGame) -> None:
    """A drawing that is set up again must be the same position, in a game that can be recorded."""
    rng, state = random.Random(0), rules.start(0)
    for _ in range(SET_UPS):
        own = state.game
        player = state.player
        begun = check.attempt("set_up(str(state), player)", lambda: set_up(own, str(state), player))  # noqa: B023
        if begun is None:
            return
        if begun.rules in (begun, own.rules):  # else with other rules, such as without an opening
            again = check.attempt("start() of a set-up position", lambda: begun.start(0))  # noqa: B023
            if again is None:
                return
            if (again.player, list(again.moves())) != (player, list(state.moves())):
                check.report("set_up(str(state), player) must begin from that position", str(state))
            if games.name_of(type(rules.own)) is not None:
                _check_spec(check, begun)
        following = state.play(rng.choice(list(state.moves())))
        if following.scores() is not None or following.player < 0:
            return
        state = following


def _texts(names: object) -> bool:
    if not isinstance(names, Sequence) or isinstance(names, str):
        return False
    return all(isinstance(name, str) for name in names)


class PlanesCheck:
    """Checks the planes of a game written in Python; a native game has `game.planes`."""

    def __init__(self, check: Reporter) -> None:
        self.check, self.game = check, check.game
        self.shape: tuple[int, ...] | None = None
        self.move_space = set(check.game.move_space)

    def position(self, state: OwnState, moves: list[Move]) -> None:
        """Check the planes and the moves of a position."""
        missing = [move for move in moves if move not in self.move_space]
        if self.move_space and missing and state.player != CHANCE:
            self.check.report("move_space must contain every possible move", f"{missing[0]!r} is missing")
        if offers(state, "planes"):
            planes = self.check.attempt("planes()", state.planes)
            if planes is not None:
                self._array(planes)

    def end(self) -> None:
        """Check what the game says about planes, once they are known to be arrays."""
        if self.shape is None or not self.game.offers("move_space") or self.game.players != 2:
            return
        try:
            StatePlanes(self.game)
        except Exception as error:
            self.check.report("planes, plane_names, move_space and symmetries must fit together", error)

    def _array(self, planes: object) -> None:
        import numpy as np

        try:
            array = np.asarray(planes, dtype=np.float64)
        except (TypeError, ValueError):  # ragged, or not numbers
            self.check.report(
                PLANES_SHAPE, "its rows have different lengths, or it has other things than numbers"
            )
            return
        if array.ndim != 3 or 0 in array.shape:
            self.check.report(PLANES_SHAPE, f"not shape {array.shape}")
        elif self.shape is not None and array.shape != self.shape:
            self.check.report("planes() must always have the same shape", f"{array.shape} after {self.shape}")
        elif not np.isfinite(array).all():
            plane = int(np.argwhere(~np.isfinite(array))[0][0])
            self.check.report("planes() must contain finite numbers", f"not so in plane {plane}")
        else:
            self.shape = array.shape
