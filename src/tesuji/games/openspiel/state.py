"""A position of an OpenSpiel game. Moves are its actions; scores are its returns, scaled to [0, 1]."""

from __future__ import annotations

import random
import re
from collections.abc import Hashable
from html import escape
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from tesuji.registry import spec_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tesuji.games.openspiel.game import OpenSpiel

PySpielState: TypeAlias = Any
"""A state of the module `pyspiel`, which has no types."""

LINE, LETTER = 18, 9  # of a drawing, in pixels


class OpenSpielState:
    """A position: `OpenSpiel(game="tic_tac_toe").start()`. `state` is the one of OpenSpiel.

    Its number for chance is the same as ours, -1. `legal_actions` is asked once for each position.
    """

    __slots__ = ("_moves", "_texts", "game", "player", "state")

    def __init__(self, game: OpenSpiel, state: PySpielState) -> None:
        self.game, self.state = game, state
        self.player: int = state.current_player()
        self._moves: list[int] | None = None
        self._texts: dict[int, str] | None = None

    def moves(self) -> list[int]:
        """The legal actions; at a chance node, its outcomes."""
        if self._moves is None:
            self._moves = self.state.legal_actions()
        return self._moves

    def play(self, move: int) -> Self:
        """The position after a legal action."""
        return type(self)(self.game, self.state.child(move))

    def scores(self) -> tuple[float, ...] | None:
        """Each player's return, scaled so that the game's lowest is 0 and its highest 1."""
        if self.player >= -1:  # a player or chance
            return None
        return tuple(self.game.score(one) for one in self.state.returns())

    def chances(self) -> list[tuple[int, float]]:
        """The outcomes of a chance node with their probabilities."""
        return [(outcome, chance) for outcome, chance in self.state.chance_outcomes() if chance > 0]

    @property
    def history(self) -> tuple[int, ...]:
        """All actions from the start, chance included."""
        return tuple(self.state.history())

    def text(self, move: int) -> str:
        """An action as OpenSpiel writes it, in one word; its number is added where two are written alike."""
        if self._texts is None:
            words = {one: self._word(one) for one in self.moves()}
            written = list(words.values())
            self._texts = {
                one: word if written.count(word) == 1 else f"{word}#{one}" for one, word in words.items()
            }
        return self._texts.get(move) or self._word(move)

    def planes(self) -> NDArray[np.float32]:
        """The observation tensor of the player to move, and a plane with that player's number."""
        import numpy as np

        player = max(self.player, 0)
        tensor = np.asarray(self.game.tensor(self.state, player), dtype=np.float32)
        shape = self.game.plane_shape
        turn = np.full((1, *shape[1:]), player, dtype=np.float32)
        return np.concatenate([tensor.reshape(shape), turn])

    def svg(self) -> str:
        """The text of the position, drawn."""
        lines = str(self).splitlines() or [""]
        width, height = LETTER * max(map(len, lines)) + LINE, LINE * (len(lines) + 1)
        rows = "".join(
            f'<text x="{LETTER}" y="{LINE * number}" xml:space="preserve">{escape(line)}</text>'
            for number, line in enumerate(lines, 1)
        )
        style = f'font-family="monospace" font-size="{LETTER * 5 // 3}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}"><rect width="100%" height="100%" fill="white"/>'
            f'<g {style} fill="black">{rows}</g></svg>'
        )

    def __eq__(self, other: object) -> bool:
        """Whether the same moves led to both; a search finds its tree again by it."""
        if not isinstance(other, OpenSpielState):
            return NotImplemented
        return self.state.history() == other.state.history() and self.game == other.game

    def __hash__(self) -> int:
        return hash(self.history)

    def __str__(self) -> str:
        return str(self.state)

    def __repr__(self) -> str:
        return f"tesuji.replay({spec_of(self.game)!r}, {list(self.history)!r})"

    def _word(self, move: int) -> str:
        written = self.state.action_to_string(self.state.current_player(), move)
        return re.sub(r"[\s,]+", "_", written.strip()) or str(move)


class HiddenOpenSpielState(OpenSpielState):
    """A position of a game with hidden information that OpenSpiel can resample."""

    __slots__ = ()

    def determinize(self, player: int, rng: random.Random) -> Self:
        """A position that the player cannot tell from this one."""
        return type(self)(self.game, self.state.resample_from_infostate(player, rng.random))

    def view(self, player: int) -> Hashable:
        """All that the player has seen."""
        return str(self.game.view(self.state, player))

    def text_for(self, player: int | None) -> str:
        """The position as a seat sees it; a spectator sees nothing hidden."""
        return "" if player is None else str(self.view(player))
