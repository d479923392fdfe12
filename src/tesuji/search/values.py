"""Whose value a bot asks: the game's own, a function of yours, or anything that has a value.

A value says how good a position is for a player, in [0, 1]. What is returned here is either native, so that a
native game is searched without calling Python, or a plain function `(state, player) -> float`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol, TypeAlias, cast, runtime_checkable

from tesuji import _core
from tesuji.game import Game, State
from tesuji.knowledge import Objectives


@runtime_checkable
class HasValue(Protocol):
    """An object with a method `value(state, player)`, such as objectives or a learned value.

    Its attribute `native`, where it has one, is the same as a native value.
    """

    def value(self, state: Any, player: int, /) -> float:
        """How good the position is for the player, in [0, 1]."""


GivenValue: TypeAlias = Literal["game", "off"] | Mapping[str, Any] | HasValue | Callable[..., Any]
"""What the option `value` takes; a mapping is read as objectives by name."""
ValueHook: TypeAlias = _core.Value | Callable[[Any, int], float]


def find_value(given: GivenValue, game: Game) -> ValueHook | None:
    """The value that an option names, native where it can be; None: there is none, all positions are even."""
    source: Any = given
    if given == "off":
        return None
    if given == "game":
        source = getattr(getattr(game, "knowledge", None), "objectives", None)
    if isinstance(source, Mapping):
        source = Objectives(source)
    hook: ValueHook | None = getattr(source, "native", None) or getattr(source, "value", source)
    return hook


def ask(value: ValueHook | None, state: State | None, player: int) -> float:
    """What a value says of a position; 0.5 where there is none.

    >>> ask(lambda state, player: 0.75, None, 0), ask(None, None, 0)
    (0.75, 0.5)
    """
    if value is None:
        return 0.5
    position: Any = cast(Any, state).core if isinstance(value, _core.Value) else state
    return float(value(position, player))
