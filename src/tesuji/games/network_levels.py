"""Games whose default bot and strongest level use a bundled network where it fits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from tesuji.models.bundled import has_network


class NetworkLevels:
    """Base of a game with an option `size`: `zero` where its network plays the board, otherwise `mcts`."""

    network_levels: ClassVar[Mapping[str, str]]
    """The levels with a network."""
    expert_without_network: ClassVar[str]
    smallest_for_network: ClassVar[int]
    """Board size from which on the network is used."""
    size: Any

    @property
    def default_bot(self) -> str:
        """zero, if its network plays this board; otherwise mcts."""
        return "zero" if self._has_network else "mcts"

    @property
    def levels(self) -> Mapping[str, str]:
        """The specs of easy, medium, hard and expert; expert is zero where that is the default bot."""
        if self._has_network:
            return self.network_levels
        return {**self.network_levels, "expert": self.expert_without_network}

    @property
    def _has_network(self) -> bool:
        return self.size >= self.smallest_for_network and has_network(self)  # type: ignore[arg-type]
