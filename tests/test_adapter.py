"""What an author leaves out has a default, and only the adapter asks a game or position what it has."""

from __future__ import annotations

import ast
import pickle
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import tesuji
from tesuji.adapter import full_game, full_state
from tesuji.any_game import parse_move
from tesuji.full_game import CHANCE, FullGame, FullState

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "tesuji"
ADAPTERS = {"adapter.py", "full_game.py", "full_bot.py"}
"""The files that ask; `check/` examines an author's classes, which is its purpose."""
GAMES = {
    "game",
    "rules",
    "state",
    "first",
    "position",
    "bot",
    "self.game",
    "self.state",
    "self._game",
    "self.bot",
}
"""What the package calls a game, a position or a bot."""


def probes(path: Path) -> Iterator[str]:
    """The calls that ask a game, a position or a bot which members it has."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and node.args:
            name, about = ast.unparse(node.func), ast.unparse(node.args[0])
            if name in ("hasattr", "getattr") and about in GAMES:
                yield f"{path.name}:{node.lineno} {ast.unparse(node)}"
            if name == "inspect.signature" and about.rpartition(".")[0] in GAMES:
                yield f"{path.name}:{node.lineno} {ast.unparse(node)}"


def test_only_the_adapter_asks_what_a_game_has() -> None:
    files = [path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).as_posix() not in ADAPTERS]
    found = [probe for path in files if path.parent.name != "check" for probe in probes(path)]
    assert found == []
    assert any(probes(PACKAGE / "adapter.py"))  # the test sees what it looks for


class Pair:
    """Two numbers are taken in turn; whoever takes the last one wins."""

    def __init__(self, taken: tuple[str, ...] = ()) -> None:
        self.taken = taken

    @property
    def player(self) -> int:
        return len(self.taken) % 2

    def moves(self) -> list[str]:
        return [move for move in ("one", "two") if move not in self.taken] if len(self.taken) < 2 else []

    def play(self, move: str) -> Pair:
        return Pair((*self.taken, move))

    def scores(self) -> Sequence[float] | None:
        return (0.0, 1.0) if len(self.taken) == 2 else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pair) and other.taken == self.taken

    def __hash__(self) -> int:
        return hash(self.taken)


class Pairs:
    board_size = 2

    def start(self) -> Pair:
        return Pair()


def test_a_game_without_optional_members_has_all_of_them() -> None:
    game = full_game(Pairs())
    assert (game.players, game.seat_name(1), game.seat_name(CHANCE)) == (2, "Player 1", "Chance")
    assert not (game.deals or game.hidden or game.native or game.can_set_up or game.has_tablebases)
    assert game.knowledge.objectives is None and game.default_bot == "mcts" and game.openings == ()
    state = game.start()
    assert state.text("one") == "one" and parse_move(state, "two") == "two"
    left_out: list[object] = [
        state.svg(),
        state.board(),
        state.text_for(0),
        state.last_move_text(0),
        state.key(),
    ]
    assert left_out == [None] * 5
    assert state.notes() == () and state.determinize(0, random.Random(0)) is state
    assert not state.offers("key") and not state.hidden


def test_the_authors_object_is_kept_with_its_other_members() -> None:
    own = Pairs()
    game: Any = full_game(own)
    assert game.own is own and game.board_size == 2 and full_game(game) is game
    state: Any = game.start().play("one")
    assert (isinstance(state, FullState), type(state.own)) == (True, Pair)
    assert state.taken == ("one",) and state == Pair(("one",)) and hash(state) == hash(Pair(("one",)))
    assert repr(state) == repr(state.own)


def test_a_position_is_pickled_with_its_game() -> None:
    state = full_game(Pairs()).start().play("two")
    again = pickle.loads(pickle.dumps(state))
    assert again == state and again.game.board_size == 2


def test_whoever_gives_an_own_game_gets_own_positions() -> None:
    assert type(tesuji.replay(Pairs(), "one")) is Pair
    assert isinstance(tesuji.game(Pairs()), FullGame)


def test_each_class_of_positions_offers_what_it_defines() -> None:
    class Drawn(Pair):
        def svg(self) -> str:
            return "<svg/>"

        def text(self, move: str) -> str:
            return move[0]

    class Marked(Pair):
        def svg(self, *, heat: Any = None, labels: Any = None) -> str:
            return f"<svg>{len(heat or {})}</svg>"

    drawn, marked = full_state(Drawn()), full_state(Marked())
    assert drawn.svg(heat={"one": 0.5}) == "<svg/>" and marked.svg(heat={"one": 0.5}) == "<svg>1</svg>"
    assert drawn.offers("svg") and not full_state(Pair()).offers("svg")
    assert parse_move(drawn, "t") == "two"


def test_a_field_with_the_name_of_an_optional_method_is_none() -> None:
    class Filled(Pair):
        key = "a field"
        features = (1, 2)

    state = full_state(Filled())
    assert state.key() is None and not state.offers("features")


@pytest.mark.parametrize("given", [7, "text", Pairs, None])
def test_what_is_no_game_is_refused_in_one_line(given: Any) -> None:
    with pytest.raises(ValueError, match=r"^(.* is not a game: it has no start\(\)|Pairs is a class.*)$"):
        full_game(given)


def test_the_old_name_of_a_member_works_with_one_warning() -> None:
    class Old(Pair):
        def remarks(self) -> list[str]:
            return ["hurry"]

    with pytest.warns(FutureWarning, match=r"remarks\(\) of Old is now called notes\(\)") as caught:
        states = [full_state(Old()), full_state(Old(("one",)))]
    assert len(caught) == 1 and [state.notes() for state in states] == [["hurry"]] * 2
