"""Four levels of play for people who do not want to configure a search: easy, medium, hard, expert.

Each stands for another bot's spec. A game sets them in an attribute `levels` such as
`{"easy": "mcts:iterations=200", "expert": "mcts:iterations=1e6"}`; missing ones default to `LEVELS`. Strength
is set by iterations or visits, so that a level is equally strong on every machine; the default levels also
have a limit in seconds, which only slow rules reach.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Unpack

from tesuji.any_game import Game, State
from tesuji.any_game import game as as_game
from tesuji.bots import bot as make_bot
from tesuji.full_bot import FullBot, Limits
from tesuji.full_game import Move
from tesuji.options import Options, option, takes, to_text, unknown
from tesuji.registry import bots
from tesuji.spec import Spec

if TYPE_CHECKING:
    from tesuji.search import Analysis

LEVELS: Mapping[str, str] = {
    "easy": "mcts:iterations=30,seconds=1",
    "medium": "mcts:iterations=200,seconds=2",
    "hard": "mcts:iterations=1500,seconds=4",
    "expert": "mcts:iterations=10000,seconds=8",
}
"""The defaults. Each level does seven times the work of the one before. The seconds are a cap for slow rules
in Python: without it, 10,000 iterations of a game such as Reversi took 23 seconds."""


def level_spec(game: Game | str, name: str) -> Spec:
    """The bot that a level stands for in a game.

    >>> str(level_spec("hex", "hard"))
    'mcts:iterations=10000,move_ordering=neighbours'
    """
    game = as_game(game)
    levels: Mapping[str, str] = game.levels
    for given in (*levels, name):
        if given not in LEVELS:
            raise ValueError(unknown(f"level {given!r} of {game.display_name}", given, LEVELS))
    spec = Spec.parse(levels.get(name, LEVELS[name]))
    if spec.name in LEVELS:
        raise ValueError(
            f"level {name!r} of {game.display_name} is {str(spec)!r}; it must be a bot other than a level"
        )
    return spec


@dataclass(frozen=True, kw_only=True)
class LevelOptions(Options):
    """Options of a level."""

    seed: int | None = option(
        None, "random seed; auto: a new one each time", minimum=0, maximum=2**64 - 1, none="auto"
    )


class Level(FullBot):
    """Base of the four levels: delegates to the bot that the game names.

    `inner` is that bot.
    """

    Options = LevelOptions
    level: ClassVar[str]

    @takes(LevelOptions, "a level")
    def __init__(self, game: Game | str, options: LevelOptions) -> None:
        self.game = as_game(game)
        self.options = options
        spec = level_spec(self.game, self.level)
        if self.options.seed is not None and bots.has_option(spec.name, "seed"):
            spec = spec.with_options({"seed": str(self.options.seed)})
        try:
            self.inner = make_bot(spec, self.game)
        except ValueError as error:
            what = f"level {self.level!r} of {self.game.display_name} is {str(spec)!r}"
            raise ValueError(f"{what}: {error}") from error

    def choose(self, state: State) -> Move:
        """The move to play."""
        return self.inner.choose(state)

    @property
    def analyses(self) -> bool:
        """Whether the inner bot can analyse a position."""
        return self.inner.analyses

    @property
    def can_cancel(self) -> bool:
        """Whether a running search of the inner bot can be stopped."""
        return self.inner.can_cancel

    def analyse(
        self, state: State, *, progress: Callable[[Analysis], object] | None = None, **limits: Unpack[Limits]
    ) -> Analysis:
        """The inner bot's analysis."""
        return self.inner.analyse(state, progress=progress, **limits)

    def cancel(self) -> None:
        """End a running search soon."""
        self.inner.cancel()

    def reset(self) -> None:
        """Reset the inner bot, as for a new game."""
        self.inner.reset()

    def close(self) -> None:
        """Release the inner bot's resources."""
        self.inner.close()

    def __repr__(self) -> str:
        given = "".join(f", {key}={value}" for key, value in to_text(self.options).items())
        return f"{type(self).__name__}({self.game!r}{given})"


class Easy(Level):
    """Weakest of four levels, for beginners. `Easy(game, seed=1).choose(state)`."""

    level = "easy"


class Medium(Level):
    """Second of four levels, for players who beat easy."""

    level = "medium"


class Hard(Level):
    """Third of four levels, for players who beat medium."""

    level = "hard"


class Expert(Level):
    """Strongest of four levels that still answers in seconds."""

    level = "expert"
