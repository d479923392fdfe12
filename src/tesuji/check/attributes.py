"""The checks of a game's attributes: bots that it names, its book of openings, and its spec."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from tesuji.bots.full_bot import full_bot
from tesuji.check.keys import Reporter
from tesuji.full_game import FullGame
from tesuji.game import game, replay
from tesuji.registry import bots, games
from tesuji.set_up import set_up
from tesuji.spec import Spec

QUICK_SEARCH = "mcts:iterations=16,seed=1"
SET_UPS = 6  # positions of a game that are set up again


def check_attributes(check: Reporter, rules: FullGame, players: int) -> None:
    """Report the attributes that bots, the arena and the board could not use."""
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
        made = check.attempt(what, lambda spec=spec: bots.make(Spec.parse(spec), rules))  # type: ignore[misc]
        if made is not None:
            full_bot(made).close()
    if not check.problems:  # otherwise it would repeat them
        check.attempt("a search", lambda: _search(rules))


def _search(rules: FullGame) -> None:
    state = rules.start(0)
    if state.scores() is None and state.player >= 0:
        bots.make(QUICK_SEARCH, rules).choose(state)


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


def _texts(names: Any) -> bool:
    listed = isinstance(names, Sequence) and not isinstance(names, str)
    return listed and all(isinstance(name, str) for name in names)
