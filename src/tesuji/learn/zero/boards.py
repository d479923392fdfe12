"""The boards of a training run: one network can train on several board sizes at once.

`boards="size=7 size=9*2 size=11*6"` plays a ninth of the games on 7×7, two ninths on 9×9 and the rest on
11×11. Each word holds options that override those of the game, and an optional weight. All boards share a
batch: smaller ones are padded to the largest, and the board plane masks the rest.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

from tesuji.any_game import game as as_game
from tesuji.full_game import FullGame
from tesuji.planes import NativePlanes, planes_of
from tesuji.registry import spec_of
from tesuji.spec import Spec

MAX_BOARDS = 255
ROUNDING = 1e-9  # relative


@dataclass(frozen=True)
class Boards:
    """The boards to play on, and their weights.

    >>> import tesuji
    >>> boards = Boards.parse(tesuji.game("hex:size=5"), "size=3 size=5*2")
    >>> [spec_of(game) for game in boards.games], boards.weights
    (['hex:size=3', 'hex:size=5'], [1.0, 2.0])
    """

    games: tuple[FullGame, ...]
    weights: list[float]

    @classmethod
    def of(cls, game: FullGame) -> Boards:
        """A single board."""
        return cls((game,), [1.0])

    @classmethod
    def parse(cls, game: FullGame, text: str) -> Boards:
        """Parse the setting `boards`; empty means the game itself. ValueError if a word is invalid."""
        words = text.split()
        if not words:
            return cls.of(game)
        if len(words) > MAX_BOARDS:
            raise ValueError(f"boards can name at most {MAX_BOARDS} boards, not {len(words)}")
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
                    f"the weight of a board must be a number greater than 0, not {factor!r} in {word!r}"
                )
            changed = Spec.parse(f"{main.name}:{options}").options
            games.append(as_game(str(Spec(main.name, {**main.options, **changed}))))
            weights.append(weight)
        return cls(tuple(games), weights)

    @property
    def mixed(self) -> bool:
        """Whether there are several boards."""
        return len(self.games) > 1

    @cached_property
    def sides(self) -> list[int]:
        """The larger side of each board's planes."""
        return [max(planes_of(game).shape[1:]) for game in self.games]

    @property
    def largest_side(self) -> int:
        """The side of the largest board that is played, one with a weight above 0."""
        return max(side for side, weight in zip(self.sides, self.weights, strict=True) if weight > 0)

    def divided(self, parts: int) -> list[Boards]:
        """The boards divided by size into `parts` of equal weight, small ones first.

        Every part has all boards, so that their numbers stay the same, but most of them with weight 0.

        >>> import tesuji
        >>> boards = Boards.parse(tesuji.game("hex:size=5"), "size=3*3 size=4*2 size=5")
        >>> [part.weights for part in boards.divided(2)]
        [[3.0, 0.0, 0.0], [0.0, 2.0, 1.0]]
        """
        room = sum(self.weights) / parts
        shares = [[0.0] * len(self.games) for _ in range(parts)]
        start = 0.0
        for board in sorted(range(len(self.games)), key=self.sides.__getitem__):
            end = start + self.weights[board]
            for part, weights in enumerate(shares):
                share = min(end, (part + 1) * room) - max(start, part * room)
                weights[board] = share if share > ROUNDING * room else 0.0
            start = end
        return [replace(self, weights=weights) for weights in shares]

    def starts(self, planes: NativePlanes) -> list[object]:
        """The initial position of each board, as the core takes it."""
        return [planes.root(game.start()) for game in self.games]
