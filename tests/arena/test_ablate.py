"""Ablation: which changes there are to a bot, and the matches that measure them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import tesuji
from tesuji.arena.ablate import Ablation, ablation_pairings, ingredients
from tesuji.arena.match import Goal
from tesuji.records import Store
from tesuji.registry import bots
from tesuji.search.mcts import HOOKS
from tesuji.spec import Spec

HEX = "hex:size=3"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "games.db") as store:
        yield store


def texts(bot: str, game: str) -> list[str]:
    return [str(one) for one in ingredients(bot, game)]


def test_all_ingredients_of_the_bot_for_hex_are_found() -> None:
    found = texts("mcts", "hex")
    own = tesuji.bot("mcts", "hex").options
    there = [hook for hook in HOOKS if hook != "prover"]  # which Hex has not
    others = {hook: "game" if getattr(own, hook) == "off" else "off" for hook in there}
    others["exploration"] = "game" if own.exploration == "auto" else "auto"
    hooks = [f"{hook}={word}" for hook, word in others.items()]
    assert {"rave=global", "rave=off", "solver=off", "reuse=off", "exploration=game", *hooks} <= set(found)
    assert {"first_play=off", "expand_after=1", "knowledge=off", "playout_depth=4"} <= set(found)
    cut = " (both playout_depth=4)"
    assert {f"value=boolean{cut}", f"value=off{cut}"} <= set(found)
    assert len(found) == len(set(found))
    assert not [text for text in found if text.startswith(("iterations", "seconds", "threads", "seed"))]


def test_every_ingredient_of_the_bots_with_learned_values_can_be_changed() -> None:
    for game in ("gomoku", "onitama"):
        found = ingredients("mcts", game)
        assert not [text for text in map(str, found) if "boolean" in text]
        for ingredient in found:
            tesuji.bot(Spec("mcts", {**ingredient.common, **ingredient.changes}), game)


def test_a_game_without_knowledge_has_only_the_options_of_the_search(tic_tac_toe: object) -> None:
    assert texts("mcts", "tictactoe") == ["rave=node", "rave=global", "reuse=off", "solver=off"]


def test_options_given_in_the_spec_are_not_changed() -> None:
    found = texts("mcts:rave=global,solver=off,playout_depth=2", "hex")
    assert not [text for text in found if text.startswith(("rave=", "solver", "playout_depth", "value"))]
    without = texts("mcts:knowledge=off", "hex")
    assert without == ["rave=node", "rave=global", "reuse=off", "solver=off"]
    assert not [text for text in texts("mcts:value=off", "hex") if "value" in text]


@pytest.mark.parametrize("bot", ["mcts", "mcts:knowledge=off", "mcts:rave=off,iterations=50"])
def test_every_change_makes_another_bot_that_can_be_made(bot: str) -> None:
    for ingredient, pairings in ablation_pairings(HEX, bot, budgets={"iterations": "20", "seconds": "0.01"}):
        for budget, pairing in pairings.items():
            unchanged, changed = pairing.bots
            assert unchanged != changed
            for spec in pairing.bots:
                options = bots.make(spec, pairing.rules).options
                assert (options.iterations is None, options.seconds is None) == (
                    budget != "iterations",
                    budget != "seconds",
                ), ingredient


def test_rows_are_played_in_order_and_resumed(store: Store) -> None:
    def ablation(games: int) -> Ablation:
        goal = Goal(error=1, games=games)
        only = ["rave=off", "value=boolean (both playout_depth=4)"]
        return Ablation(HEX, "mcts", store, budgets={"iterations": "20"}, goal=goal, only=only)

    first = ablation(4)
    assert [str(row.ingredient) for row in first.rows] == [
        "rave=off",
        "value=boolean (both playout_depth=4)",
    ]
    seen = [str(row.ingredient) for row, budget in first.play(processes=2)]
    assert seen == [str(row.ingredient) for row in first.rows for _ in range(4)]
    assert [row.matches["iterations"].counts.games for row in first.rows] == [4, 4]
    assert list(ablation(4).play()) == []
    assert len(list(ablation(6).play())) == 4
    assert store.count() == 12


def test_stopping_within_a_row_ends_its_workers(store: Store) -> None:
    ablation = Ablation(
        HEX, "mcts", store, budgets={"iterations": "20"}, goal=Goal(games=100), only=["rave=off"]
    )
    going = ablation.play(processes=2)
    next(going)
    going.close()
    assert 1 <= store.count() < 100


def test_ablation_of_a_users_game(tic_tac_toe: Callable[[], object], store: Store) -> None:
    ablation = Ablation(
        *("tictactoe", "mcts", store),
        budgets={"iterations": "20"},
        goal=Goal(games=2),
        only=["solver=off"],
    )
    assert len(list(ablation.play(setup=tic_tac_toe))) == 2


@pytest.mark.parametrize(
    ("bot", "only", "message"),
    [
        ("random", [], "mcts only, not random"),
        ("mcts", ["rave=of"], "'rave=of'.*'rave=off'"),
        ("mcts:rave=off", ["rave=off"], "unknown ingredient 'rave=off'"),
        ("mtcs", [], "unknown bot 'mtcs'"),
    ],
)
def test_an_unknown_bot_or_ingredient_is_a_one_line_error(
    bot: str, only: list[str], message: str, store: Store
) -> None:
    with pytest.raises(ValueError, match=message):
        Ablation(HEX, bot, store, budgets={"iterations": "20"}, goal=Goal(games=2), only=only)
