"""Set-up positions of black and white stones in SGF: AB, AW, AE, PL, and a circle on the last stone."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from itertools import chain

from tesuji.games.stone_diagrams import BLACK, WHITE, StonePosition, compact_stones, implied_player
from tesuji.games.stone_game import StoneGame
from tesuji.records import sgf
from tesuji.records.sgf_game import SET_UP, GameReading


class StoneReading(GameReading):
    """A game of stones that is being read."""

    @abstractmethod
    def point(self, word: str) -> int:
        """The cell that a point of the file names."""

    def set_up(self, nodes: Iterable[sgf.Node]) -> None:
        """Put and remove the first node's stones; the first PL or move in these nodes says who moves."""
        nodes = iter(nodes)
        node = next(nodes)
        cells = bytearray(self.state.cells())
        for name, owner in SET_UP.items():
            for value in node.properties.get(name, ()):
                for cell in self._points(value.strip().lower()):
                    cells[cell] = owner
        player = _player(chain([node], nodes))
        player = implied_player(bytes(cells)) if player is None else player
        if player is None:
            raise ValueError("the stones leave open who moves; add PL[B] or PL[W]")
        circles = [self.point(value.strip().lower()) for value in node.properties.get("CR", ())]
        last = circles[0] if len(circles) == 1 and cells[circles[0]] == 2 - player else None
        rules, stones = self.state.game, StonePosition(bytes(cells), player, last)
        self.state = rules.set_up(compact_stones(stones, rules.size, upwards=rules.upwards)).start()

    def _points(self, value: str) -> list[int]:
        """A point, or a rectangle of them: `aa:cc`."""
        first, _, second = value.partition(":")
        size: int = self.state.size
        one, two = divmod(self.point(first), size), divmod(self.point(second or first), size)
        rows, columns = (range(min(pair), max(pair) + 1) for pair in zip(one, two, strict=True))
        return [row * size + column for row in rows for column in columns]


def set_up_properties(rules: StoneGame, point: Callable[[int], str]) -> dict[str, list[str]]:
    """The properties that set up the position from which a game begins; none for the empty board."""
    stones = rules.set_up_stones
    if stones is None:
        return {}
    found = {
        "AB": [point(cell) for cell, owner in enumerate(stones.cells) if owner == BLACK],
        "AW": [point(cell) for cell, owner in enumerate(stones.cells) if owner == WHITE],
        "CR": [] if stones.last is None else [point(stones.last)],
        "PL": ["BW"[stones.player or 0]],
    }
    return {name: values for name, values in found.items() if values}


def check_from_the_start(rules: StoneGame, name: str) -> None:
    """ValueError if a game begins from a set-up position, for formats that have only moves."""
    if rules.position is not None:
        raise ValueError(f"{name} has only moves, but the game begins from a set-up position; use SGF")


def _player(nodes: Iterable[sgf.Node]) -> int | None:
    """Who moves by the first PL or the first move."""
    for node in nodes:
        turn = (node.get("PL") or "").strip().upper()[:1]
        for name in (turn, *node.properties):
            if name in ("B", "W"):
                return "BW".index(name)
    return None
