"""Ablation: what is each ingredient of a bot worth? The bot against itself with one thing changed.

Every ingredient is a match of its own, at equal iterations (is the thought better?) and at equal time (is it
worth what it costs?). Elo is the bot's over the changed one: positive where the ingredient helps.

An ingredient is an option of the bot that is a switch, in each of its other positions, or a number that the
game's knowledge sets, put back to the general default. Where the game has objectives, cutting playouts short
is one too, and so is asking the objectives for yes and no instead of degrees.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Generator, Mapping
from dataclasses import dataclass, field

from tesuji.arena.match import Contest, Goal, Match
from tesuji.game import Game
from tesuji.game import game as as_game
from tesuji.knowledge import Knowledge
from tesuji.options import describe, to_text, unknown
from tesuji.records.store import Store
from tesuji.registry import bots
from tesuji.scale.executor import Executor
from tesuji.search.mcts import HOOKS, MCTS, MCTSOptions
from tesuji.spec import Spec

BUDGETS = ("iterations", "seconds")
CUTS = ("4", "40")
"""Plies after which playouts are cut, in the rows about objectives: soon, and late."""

# Switches that say how long or how safely to search, not how well; and those that have rows of their own.
NOT_INGREDIENTS = {"when_full", "threads", "memory", "seed", "value", "playout_depth", *BUDGETS}


@dataclass(frozen=True)
class Ingredient:
    """One change to a bot: `Ingredient({"rave": "off"})`."""

    changes: Mapping[str, str]
    common: Mapping[str, str] = field(default_factory=dict)
    """What is changed on both sides, so that the change can matter."""

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
    """A bot, and a match against itself for each ingredient and each budget.

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
        found = pairings(self.rules, bot, budgets=budgets, only=only, openings=openings, seed=seed)
        self.rows = [
            Row(ingredient, {budget: Match(contest, goal, store) for budget, contest in contests.items()})
            for ingredient, contests in found
        ]

    def play(
        self, *, processes: int = 1, on: Executor | None = None, setup: Callable[[], object] | None = None
    ) -> Generator[tuple[Row, str], None, None]:
        """Play what is missing, row by row; after each game gives the row and the budget at work."""
        for budget in self.budgets:
            for row in self.rows:
                going = row.matches[budget].play(processes=processes, on=on, setup=setup)
                with contextlib.closing(going):
                    for _ in going:
                        yield row, budget


def pairings(
    game: str | Game,
    bot: str,
    *,
    budgets: Mapping[str, str],
    only: Collection[str] = (),
    openings: str | None = None,
    seed: int = 1,
) -> list[tuple[Ingredient, dict[str, Contest]]]:
    """Each ingredient with its contests, by budget; ValueError where they cannot be."""
    rules = as_game(game)
    found = ingredients(bot, rules)
    for text in only:
        if text not in map(str, found):
            raise ValueError(unknown(f"ingredient {text!r}", text, map(str, found)))
    given = Spec.parse(bot)
    base = Spec(given.name, {key: value for key, value in given.options.items() if key not in BUDGETS})

    def contest(ingredient: Ingredient, budget: Mapping[str, str]) -> Contest:
        unchanged = base.with_options({**ingredient.common, **budget})
        both = str(unchanged), str(unchanged.with_options(ingredient.changes))
        return Contest(rules, both, openings=openings, seed=seed)

    return [
        (ingredient, {budget: contest(ingredient, {budget: amount}) for budget, amount in budgets.items()})
        for ingredient in found
        if not only or str(ingredient) in only
    ]


def ingredients(spec: str, game: Game | str) -> list[Ingredient]:
    """What can be changed about a bot.

    >>> [str(one) for one in ingredients("mcts", "hex")][:3]
    ['reuse=off', 'exploration=game', 'exploration=off']
    """
    game = as_game(game)
    bot = bots.make(spec, game)
    if not isinstance(bot, MCTS):
        raise ValueError(f"only mcts can be taken apart, not {Spec.parse(spec).name}")
    infos = describe(MCTSOptions)
    current = to_text(bot.options, only=[info.name for info in infos], keep=True)
    given = Spec.parse(spec).options
    own = None if given.get("knowledge") == "off" else getattr(game, "knowledge", None)
    knowledge = own or Knowledge()
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
