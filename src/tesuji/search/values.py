"""The option `value`: the game's own value, a model file, a function, or any object with a `value` method.

A value estimates how good a position is for a player, in [0, 1]. It is either native, so that a native game
is searched without calling Python, or a plain function `(state, player) -> float`.

In a spec, `game` means the objectives of the game's knowledge, other names are keys of the game's `values` (a
mapping from name to a factory), and anything else is a model file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

from tesuji import _core
from tesuji.full_game import FullGame, FullState, OwnState
from tesuji.knowledge import Objectives


@runtime_checkable
class HasValue(Protocol):
    """An object with a method `value(state, player)`, such as objectives or a learned value.

    Its attribute `native`, if any, is the same value natively.
    """

    def value(self, state: OwnState, player: int, /) -> float:
        """The value of the position for the player, in [0, 1]."""


ValueOption: TypeAlias = Literal["game", "off"] | str | Mapping[str, Any] | HasValue | Callable[..., Any]
"""A string is the name of one of the game's values or a model file; a mapping has objectives by name."""
ValueHook: TypeAlias = _core.Value | Callable[[OwnState, int], float]


def find_value(given: ValueOption, game: FullGame) -> ValueHook | None:
    """The value that an option names, native where possible; None for none: all positions count as even.

    >>> import tesuji
    >>> find_value("off", tesuji.game("hex")) is None
    True
    """
    if isinstance(given, str):
        source = named_value(given, game)
    else:
        source = Objectives(given) if isinstance(given, Mapping) else given
    hook: ValueHook | None = getattr(source, "native", None) or getattr(source, "value", source)
    return hook


def named_value(name: str, game: FullGame) -> Any:
    """The value with this name or path for this game, None for `off`; ValueError where there is none.

    >>> import tesuji
    >>> named_value("game", tesuji.game("hex")).value(tesuji.replay("hex:size=3", "b2"), 0) > 0.5
    True
    """
    if name == "off":
        return None
    if name == "game":
        return game.knowledge.objectives
    if (found := offered_by("value", name, game.values)) is not None:
        return found
    from tesuji.models.linear import TrainedLinearValue  # here: numpy is slow to import

    return TrainedLinearValue.load(name, game=game)


def offered_by(kind: str, name: str, offered: Mapping[str, Callable[[], object]]) -> object:
    """What a game offers by this name; None for a model file, and ValueError for neither.

    >>> offered_by("value", "hand", {"hand": lambda: 3})
    3
    """
    if name in offered:
        return offered[name]()
    if not os.path.isfile(name):  # also False for an invalid path
        raise ValueError(
            f"there is no {kind} {name!r} ({', '.join(['game', 'off', *offered])}, or a model file)"
        )
    return None


def evaluate(value: ValueHook | None, state: FullState | None, player: int) -> float:
    """Apply a value to a position; 0.5 without a value.

    >>> evaluate(lambda state, player: 0.75, None, 0), evaluate(None, None, 0)
    (0.75, 0.5)
    """
    if value is None:
        return 0.5
    position: Any = None if state is None else state.root if isinstance(value, _core.Value) else state.own
    return float(value(position, player))
