"""The C++ rules of OpenSpiel for our searches: no simulation calls Python, and threads search in parallel.

`_core.OpenSpielRules` calls the C++ of the installed package; it knows the interface of the versions below.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from tesuji import _core

if TYPE_CHECKING:
    from tesuji.games.openspiel.game import OpenSpiel
    from tesuji.games.openspiel.state import OpenSpielState

MAJOR_VERSIONS = ("2",)
"""Of OpenSpiel; those whose C++ interface has been tested."""

NOT_THREAD_SAFE = ("python_", "cached_tree")
"""Parts of the names of games that are written in Python, or whose positions share data."""


class NativeRules:
    """The rules of one game for the searches; ValueError where they cannot be used."""

    def __init__(self, game: OpenSpiel) -> None:
        import pyspiel

        self._game = game
        self._check()
        limit = max(game.rules.num_distinct_actions(), game.rules.max_chance_outcomes())
        try:
            self._rules = _core.OpenSpielRules(pyspiel.__file__, game.players, *game.range, limit)
        except RuntimeError as error:
            raise ValueError(f"OpenSpiel's C++ cannot be called: {error}") from error
        self.root(game.start())

    def root(self, state: OpenSpielState) -> _core.OpenSpielState:
        """A position for the search; ValueError if it belongs to another game."""
        if getattr(getattr(state, "game", None), "game", None) != self._game.game:
            raise ValueError(f"this is not a position of {self._game.game}: {state!r}")
        return _core.OpenSpielState(self._rules, state.state)

    def wrap(self, core: _core.OpenSpielState) -> OpenSpielState:
        """The public state, for hooks in Python."""
        state: Any = self._game.rules.new_initial_state()
        for action in core.history:
            state.apply_action(action)
        return self._game.wrap_state(state)

    def _check(self) -> None:
        try:
            found = version("open_spiel")
        except PackageNotFoundError:
            found = "of an unknown version"
        if found.partition(".")[0] not in MAJOR_VERSIONS:
            known = ", ".join(MAJOR_VERSIONS)
            raise ValueError(f"OpenSpiel is {found}; its C++ is called in version {known}.x only")
        if self._game.hidden:
            raise ValueError(f"{self._game.game} has hidden information")
        if any(word in self._game.game for word in NOT_THREAD_SAFE):
            raise ValueError(f"{self._game.game} cannot be searched without Python's lock")
        if self._game.rules.get_type().chance_mode.name == "SAMPLED_STOCHASTIC":  # random numbers in the game
            raise ValueError(f"{self._game.game} samples its own chance moves")


def native_rules(game: OpenSpiel) -> NativeRules | None:
    """The native rules of a game, None where they cannot be used."""
    try:
        return NativeRules(game)
    except ValueError:
        return None
