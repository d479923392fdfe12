"""check_game finds what bots, networks, the arena and the board could not use, and names it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tesuji
from tests.check.test_game import Cells, Heap, Rules
from tests.cli.terminal import run
from tests.registered import registered
from tesuji.check import check_game
from tesuji.knowledge import Knowledge, Objective, Threat
from tesuji.registry import games


def problems_of(state: type = Cells, **attributes: Any) -> list[str]:
    """The problems of a game with these attributes."""
    rules = Rules(state)
    for name, value in attributes.items():
        setattr(rules, name, value)
    return check_game(rules, games=5)


def found(problems: list[str], start: str) -> bool:
    return any(problem.startswith(start) for problem in problems)


GOOD = Knowledge(
    objectives={"even": Objective(lambda state, player: 0.5, weight=1)},
    threat_response=lambda state, player: Threat([state.moves()[0]]),
    playout_policy=lambda state, player, moves, rng: rng.choice(moves),
    move_ordering=lambda state, player, moves: {move: 1.0 + move for move in moves},
    exploration=lambda state, player: 1.0,
    proximity=lambda state, player, moves, hard: [1.0] * len(moves),
)


def test_hooks_that_keep_their_promises_are_no_problem() -> None:
    assert problems_of(knowledge=GOOD) == []
    assert problems_of(knowledge=Knowledge(exploration=1.4)) == []


def _raises(*_: object) -> Any:
    raise KeyError("forgotten")


@pytest.mark.parametrize(
    ("hook", "function", "start"),
    [
        ("threat_response", _raises, "threat_response raised KeyError"),
        ("threat_response", lambda state, player: [0], "threat_response must return a Threat or None: [0]"),
        ("threat_response", lambda state, player: Threat([9]), "threat_response must return legal moves: 9"),
        ("threat_response", lambda state, player: Threat(5), "the moves of a Threat must be a sequence: 5"),  # type: ignore[arg-type]
        ("playout_policy", _raises, "playout_policy raised KeyError"),
        ("playout_policy", lambda *given: None, "playout_policy must return legal moves: None"),
        ("playout_policy", lambda s, p, moves, rng: moves.pop(), "playout_policy must not change the list"),
        ("move_ordering", _raises, "move_ordering raised KeyError"),
        ("move_ordering", lambda *given: 3, "move_ordering must return a sequence of moves, or a mapping"),
        ("move_ordering", lambda *given: [9], "move_ordering must return legal moves: 9"),
        (
            "move_ordering",
            lambda state, player, moves: dict.fromkeys(moves, math.nan),
            "weights of move_ordering must be positive and finite: nan",
        ),
        ("exploration", _raises, "exploration raised KeyError"),
        ("exploration", lambda state, player: -1, "exploration must be from 0 to 1,000,000: -1"),
        ("exploration", math.inf, "exploration must be from 0 to 1,000,000: inf"),
        ("proximity", _raises, "proximity raised KeyError"),
        ("proximity", lambda *given: [1.0], "proximity must return one weight for each move: 1 for"),
        (
            "proximity",
            lambda s, p, moves, hard: [2.0] * len(moves),
            "weights of proximity must be from 0 to 1",
        ),
        (
            "proximity",
            lambda s, p, moves, hard: [float(not hard)] * len(moves),
            "proximity must give some move a weight above 0",
        ),
    ],
)
def test_a_hook_that_raises_or_returns_nonsense_is_reported(
    hook: str, function: Callable[..., Any], start: str
) -> None:
    knowledge = Knowledge(**{hook: function})  # type: ignore[arg-type]
    problems = problems_of(knowledge=knowledge)
    assert found(problems, start), problems


def test_objectives_out_of_range_and_knowledge_of_another_type_are_reported() -> None:
    knowledge = Knowledge(objectives={"much": Objective(lambda state, player: 7.0, weight=1)})
    assert found(
        problems_of(knowledge=knowledge), "objectives raised ValueError: objective 'much' returned 7.0"
    )
    assert found(
        problems_of(knowledge={"exploration": 1}), "knowledge must be a Knowledge: {'exploration': 1}"
    )
    settings = Knowledge(settings={"raev": "node"})
    assert found(problems_of(knowledge=settings), "a search raised ValueError: unknown setting 'raev'")


@pytest.mark.parametrize(
    ("attributes", "start"),
    [
        ({"default_bot": "mtcs"}, "default_bot raised ValueError: unknown bot 'mtcs'"),
        ({"default_bot": "mcts:iterations=none"}, "default_bot raised OptionError"),
        ({"default_bot": 5}, "default_bot must be the spec of a bot: 5"),
        ({"levels": {"easy": "mcts:iteration=5"}}, "level 'easy' raised OptionError"),
        ({"levels": {"master": "mcts"}}, "levels are easy, medium, hard and expert: 'master'"),
        ({"levels": ["mcts"]}, "levels must map names to specs of bots: ['mcts']"),
        ({"levels": {"hard": "mcts:threads=2,"}}, "level 'hard' raised SpecError"),
        ({"player_names": "XO"}, "player_names must be 2 texts: 'XO'"),
        ({"player_names": ("X", "O", "Z")}, "player_names must be 2 texts"),
        ({"typical_plies": 0}, "typical_plies must be a number above 0: 0"),
        ({"goal": 3}, "goal must be a text: 3"),
        ({"openings": ["0 1", "0 0"]}, "opening 2 of the book raised ValueError: move 2: '0' is not legal"),
    ],
)
def test_attributes_that_cannot_be_used_are_reported(attributes: dict[str, Any], start: str) -> None:
    problems = problems_of(**attributes)
    assert found(problems, start), problems


def test_a_game_that_its_spec_does_not_make_again_is_reported() -> None:
    class Forgetful:
        def __init__(self, stones: int = 7) -> None:
            self._stones = stones

        def start(self) -> Heap:
            return Heap(self._stones)

    with registered(games, forgetful=Forgetful):
        assert found(check_game("forgetful"), "the game's spec raised OptionError")

    @tesuji.register_game("stubborn")
    class Stubborn:
        def __init__(self, stones: int = 7) -> None:
            self.stones = 7
            self._stones = stones

        def start(self) -> Heap:
            return Heap(self._stones)

    assert found(check_game("stubborn:stones=1"), "a game's spec must make the same game again")


class Drawn(Cells):
    """A game with pictures and remarks."""

    def svg(self, *, heat: Any = None, labels: Any = None) -> Any:
        return '<svg xmlns="http://www.w3.org/2000/svg"/>'

    def notes(self) -> Any:
        return ["Look."]

    def text_for(self, player: int | None) -> Any:
        return "all"


def test_pictures_that_can_be_shown_are_no_problem() -> None:
    assert problems_of(Drawn) == []


@pytest.mark.parametrize(
    ("method", "function", "start"),
    [
        ("svg", _raises, "svg() raised KeyError"),
        ("svg", lambda self: b"<svg/>", "svg() must return a text: b'<svg/>'"),
        ("svg", lambda self: "<svg><g></svg>", "svg() must return valid XML"),
        ("svg", lambda self: "<div/>", "svg() must return <svg xmlns="),
        ("svg", lambda self: "<svg/>", "svg() must return <svg xmlns="),
        ("svg", lambda self, heat=None, labels=None: Drawn.svg(self) if not heat else heat[99], "svg(heat=…"),
        ("text", lambda self, move: move, "text() must return a text: "),
        ("notes", lambda self: "one", "notes() must return a list of texts: 'one'"),
        ("text_for", lambda self, player: 5, "text_for() must return a text: 5"),
        ("last_move_text", lambda self, player: ["a"], "last_move_text() must return a text: ['a']"),
    ],
)
def test_what_people_cannot_read_is_reported(method: str, function: Callable[..., Any], start: str) -> None:
    problems = problems_of(type("Odd", (Drawn,), {method: function}))
    assert found(problems, start), problems


@pytest.mark.parametrize(
    ("planes", "start"),
    [
        ([[[1.0, 2.0], [3.0]]], "planes() must return an array [planes, rows, columns]: its rows"),
        ([[["x"]]], "planes() must return an array [planes, rows, columns]: its rows"),
        ([[1.0, 2.0]], "planes() must return an array [planes, rows, columns]: not shape (1, 2)"),
        ([[[1.0, math.nan]]], "planes() must contain finite numbers: not so in plane 0"),
    ],
)
def test_planes_that_are_no_array_of_numbers_are_reported(planes: Any, start: str) -> None:
    problems = problems_of(type("Planes", (Cells,), {"planes": lambda self: planes}))
    assert found(problems, start), problems


def test_planes_names_and_symmetries_that_do_not_fit_are_reported() -> None:
    state = type("Planes", (Cells,), {"planes": lambda self: [[[1.0] * 4]]})
    rule = "planes, plane_names, move_space and symmetries must fit together"
    assert problems_of(state, move_space=(0, 1, 2, 3)) == []
    assert found(problems_of(state, move_space=(0, 1, 2, 3), plane_names=("a", "b")), f"{rule}: plane_names")
    turned = [([1, 2, 3, 0], [1, 2, 3, 3])]
    assert found(problems_of(state, move_space=(0, 1, 2, 3), symmetries=turned), f"{rule}: a symmetry")


class Colliding(Cells):
    """The first cell of player 0 decides, but the key forgets which one it was."""

    def scores(self) -> Any:
        return None if len(self.history) < 4 else ((1.0, 0.0) if self.history[0] == 0 else (0.0, 1.0))


class CollidingLate(Cells):
    """Six cells; the key forgets an order that matters only at the end."""

    def moves(self) -> Any:
        return [] if len(self.history) == 6 else [cell for cell in range(6) if cell not in self.history]

    def scores(self) -> Any:
        return None if len(self.history) < 6 else (float(self.history[1] < 3), float(self.history[1] >= 3))

    def __str__(self) -> str:
        return "".join(map(str, sorted(self.history)))


@pytest.mark.parametrize("state", [Colliding, CollidingLate])
def test_keys_that_collide_are_reported(state: type) -> None:
    problems = check_game(Rules(state))
    assert found(problems, "positions with equal keys must"), problems


def test_the_command_prints_json(tmp_path: Path) -> None:
    done = run("check", "hex:size=3", "--games", "2", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout) == {"game": "hex:size=3", "games": 2, "seed": 0, "problems": []}
