"""Ablation study: what is each ingredient of a bot worth? The bot plays itself with one option changed.

Each ingredient is a separate match, at equal iterations (does it choose better moves?) and at equal time (is
it worth its cost?). The Elo difference is that of the unchanged bot: positive if the ingredient helps.

An ingredient is each other value of an option with named values, or a number that the game's knowledge sets,
reset to the general default. For games with objectives there are also truncated playouts, and boolean instead
of graded objectives.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Generator, Mapping
from dataclasses import dataclass, field
from typing import Unpack

from tesuji.any_game import Game
from tesuji.any_game import game as as_game
from tesuji.arena.match import Goal, Match, Pairing, Where
from tesuji.knowledge import Knowledge
from tesuji.options import describe, to_text, unknown
from tesuji.records.store import Store
from tesuji.registry import bots
from tesuji.search.mcts import HOOKS, MCTS, MCTSOptions
from tesuji.spec import Spec

BUDGETS = ("iterations", "seconds")
CUTS = ("4", "40")
"""Playout depths for the rows about objectives: short and long."""

# Options about resources, not strength; and those with their own rows.
NOT_INGREDIENTS = {"threads", "memory", "seed", "value", "playout_depth", *BUDGETS}


@dataclass(frozen=True)
class Ingredient:
    """A change to a bot: `Ingredient({"rave": "off"})`."""

    changes: Mapping[str, str]
    common: Mapping[str, str] = field(default_factory=dict)
    """Options set for both bots, without which the change has no effect."""

    def __str__(self) -> str:
        changed = ",".join(f"{key}={value}" for key, value in self.changes.items())
        common = ",".join(f"{key}={value}" for key, value in self.common.items())
        return f"{changed} (both {common})" if common else changed


@dataclass(frozen=True)
class Row:
    """An ingredient with its matches, by budget."""

    ingredient: Ingredient
    matches: Mapping[str, Match]


class Ablation:
    """A match of a bot against itself for each ingredient and budget.

    `Ablation("hex", "mcts", store, budgets={"iterations": "1000"}, goal=Goal(error=30, games=1000))`
    """

    def __init__(
        self,
        game: str | Game,
        bot: str,
        store: Store,
        *,
        budgets: Mapping[str, str],
        goal: Goal,
        only: Collection[str] = (),
        openings: str | None = None,
        seed: int = 1,
    ) -> None:
        self.rules = as_game(game)
        self.bot, self.goal, self.budgets = str(Spec.parse(bot)), goal, dict(budgets)
        found = ablation_pairings(self.rules, bot, budgets=budgets, only=only, openings=openings, seed=seed)
        self.rows = [
            Row(ingredient, {budget: Match(pairing, goal, store) for budget, pairing in pairings.items()})
            for ingredient, pairings in found
        ]

    @property
    def matches(self) -> list[Match]:
        """The matches of all rows."""
        return [match for row in self.rows for match in row.matches.values()]

    def play(self, **where: Unpack[Where]) -> Generator[tuple[Row, str], None, None]:
        """Play the missing games, row by row; yields the row and the budget after each game."""
        for budget in self.budgets:
            for row in self.rows:
                games = row.matches[budget].play(**where)
                with contextlib.closing(games):
                    for _ in games:
                        yield row, budget


def ablation_pairings(
    game: str | Game,
    bot: str,
    *,
    budgets: Mapping[str, str],
    only: Collection[str] = (),
    openings: str | None = None,
    seed: int = 1,
) -> list[tuple[Ingredient, dict[str, Pairing]]]:
    """Each ingredient with its pairings by budget; ValueError for unknown ingredients or bots."""
    rules = as_game(game)
    found = ingredients(bot, rules)
    for text in only:
        if text not in map(str, found):
            raise ValueError(unknown(f"ingredient {text!r}", text, map(str, found)))
    given = Spec.parse(bot)
    base = Spec(given.name, {key: value for key, value in given.options.items() if key not in BUDGETS})

    def pairing(ingredient: Ingredient, budget: Mapping[str, str]) -> Pairing:
        unchanged = base.with_options({**ingredient.common, **budget})
        both = str(unchanged), str(unchanged.with_options(ingredient.changes))
        return Pairing(rules, both, openings=openings, seed=seed)

    return [
        (ingredient, {budget: pairing(ingredient, {budget: amount}) for budget, amount in budgets.items()})
        for ingredient in found
        if not only or str(ingredient) in only
    ]


def ingredients(spec: str, game: Game | str) -> list[Ingredient]:
    """The ingredients of a bot.

    >>> [str(one) for one in ingredients("mcts", "hex")][:3]
    ['exploration=game', 'exploration=auto', 'rave=global']
    """
    game = as_game(game)
    bot = bots.make(spec, game)
    if not isinstance(bot, MCTS):
        raise ValueError(f"ablation works for mcts only, not {Spec.parse(spec).name}")
    infos = describe(MCTSOptions)
    current = to_text(bot.options, only=[info.name for info in infos], keep=True)
    given = Spec.parse(spec).options
    knowledge = Knowledge() if given.get("knowledge") == "off" else game.knowledge
    found = []
    for info in infos:
        if info.name in NOT_INGREDIENTS or info.name in given:
            continue
        if info.name in (*HOOKS, "proximity") and getattr(knowledge, info.name) is None:
            continue
        if info.name == "knowledge" and all(getattr(knowledge, name) is None for name in HOOKS):
            continue
        others = [word for word in info.words if word != current[info.name]]
        if info.name in knowledge.settings and not info.words:
            others.append(info.default)
        found += [Ingredient({info.name: other}) for other in others if other != current[info.name]]
    if knowledge.objectives is not None and not {"playout_depth", "value"} & given.keys():
        words = ("boolean", "off") if hasattr(knowledge.objectives, "boolean") else ("off",)
        for depth in CUTS:
            cut = {"playout_depth": depth}
            found.append(Ingredient(cut))
            found += [Ingredient({"value": word}, cut) for word in words]
    return found
