"""The boards of a training run: one network may learn several variants of a game at once.

`boards="size=7 size=9*2 size=11*6"` plays a ninth of the games on 7×7, two ninths on 9×9 and the rest on
11×11. Each word is a set of options that replace the game's own, with a weight behind it. All of them share
one batch: smaller boards lie in the corner of the largest one's planes, and the network sees by a plane where
they end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from tesuji.game import Game
from tesuji.planes import NativePlanes
from tesuji.registry import spec_of
from tesuji.spec import Spec

MOST = 255


@dataclass(frozen=True)
class Boards:
    """The variants that are played, with their weights.

    >>> import tesuji
    >>> boards = Boards.read(tesuji.game("hex:size=5"), "size=3 size=5*2")
    >>> boards.games, boards.weights
    ((Hex(size=3, swap=False), Hex(size=5, swap=False)), [1.0, 2.0])
    """

    games: tuple[Game, ...]
    weights: list[float]

    @classmethod
    def of(cls, game: Game) -> Boards:
        """One game alone."""
        return cls((game,), [1.0])

    @classmethod
    def read(cls, game: Game, text: str) -> Boards:
        """The boards that a setting names, or the game alone; ValueError where a word of it is wrong."""
        import tesuji

        words = text.split()
        if not words:
            return cls.of(game)
        if len(words) > MOST:
            raise ValueError(f"boards can name at most {MOST} boards, not {len(words)}")
        main = Spec.parse(spec_of(game))
        games, weights = [], []
        for word in words:
            options, star, factor = word.partition("*")
            try:
                weight = float(factor) if star else 1.0
            except ValueError:
                weight = math.nan
            if not (0 < weight < math.inf):
                raise ValueError(
                    f"the weight of a board must be a number above 0, not {factor!r} in {word!r}"
                )
            changed = Spec.parse(f"{main.name}:{options}").options
            games.append(tesuji.game(str(Spec(main.name, {**main.options, **changed}))))
            weights.append(weight)
        return cls(tuple(games), weights)

    @property
    def mixed(self) -> bool:
        """Whether there is more than one."""
        return len(self.games) > 1

    def starts(self, planes: NativePlanes) -> list[Any]:
        """The first position of each board, as the core takes it."""
        return [planes.root(game.start()) for game in self.games]
