"""Positions that are set up instead of reached by moves.

A game that can begin from any position has `set_up(diagram, player)`, which returns the game beginning from
that diagram. The returned game has a spec like any other, so that records, matches and the board in the
browser can begin from the position too.
"""

from __future__ import annotations

from typing import Any, overload

from tesuji.adapter import offers
from tesuji.full_game import FullGame, FullState
from tesuji.game import Game, S_co, _Starts, game
from tesuji.registry import games
from tesuji.spec import Spec


@overload
def position(game_or_spec: str | Spec, diagram: str, player: int | None = None) -> FullState: ...
@overload
def position(game_or_spec: _Starts[S_co], diagram: str, player: int | None = None) -> S_co: ...
def position(game_or_spec: str | Spec | Game, diagram: str, player: int | None = None) -> Any:
    r"""The position that a diagram shows, with this player to move.

    The diagram is a drawing such as `str(state)`, or the value of the option `position`. Without `player`,
    the diagram says who moves, or the numbers of stones imply it. The position's `game` begins from it.

    >>> import tesuji
    >>> state = tesuji.position("hex:size=3", "..B\n.W.\n...", player=1)
    >>> state
    tesuji.replay('hex:size=3,position=2b/1w1/3-w', '')
    >>> tesuji.position("hex:size=3", str(state)) == state
    True
    """
    return set_up(game(game_or_spec), diagram, player).start()


def set_up(rules: FullGame, diagram: str, player: int | None = None) -> FullGame:
    """The game that begins from a diagram; ValueError if it cannot: see `position`."""
    if not rules.can_set_up:
        raise ValueError(f"{rules.display_name} cannot be set up from a diagram: {_reason(rules)}")
    begun: FullGame = rules.set_up(diagram, player)
    return begun


def _reason(rules: FullGame) -> str:
    if rules.hidden:
        return "a diagram does not show the hidden cards; deal with start(seed=…) and replay the moves"
    allowed = [name for name in games.names() if offers(games.get(name), "set_up")]
    return f"it has no set_up(diagram, player); games that have: {', '.join(allowed)}"
