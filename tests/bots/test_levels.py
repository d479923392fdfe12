"""The four levels: names for the bots that a game says, or for general ones."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

import tesuji
from examples.tic_tac_toe import TicTacToe
from tests.registered import registered
from tests.search.small_games import Nim
from tesuji.bots.levels import LEVELS, Easy, Expert, Hard, Level, Medium, level_spec
from tesuji.cli import main
from tesuji.games import Hex, Onitama
from tesuji.registry import bots
from tesuji.spec import Spec

CLASSES = {"easy": Easy, "medium": Medium, "hard": Hard, "expert": Expert}


@dataclass(frozen=True)
class Told:
    """Nim with levels of its own."""

    levels: Mapping[str, str]

    def start(self) -> Nim:
        return Nim(7)


class Watched:
    """A bot that notes what it is asked; it gives no analysis and takes no seed."""

    def __init__(self, game: tesuji.Game) -> None:
        self.asked: list[str] = []

    def choose(self, state: tesuji.State) -> tesuji.Move:
        self.asked.append("choose")
        return state.moves()[0]

    def reset(self) -> None:
        self.asked.append("reset")

    def close(self) -> None:
        self.asked.append("close")


class Bare:
    """The least that a bot can be."""

    def __init__(self, game: tesuji.Game) -> None: ...

    def choose(self, state: tesuji.State) -> tesuji.Move:
        return state.moves()[-1]


@pytest.fixture(autouse=True)
def _own_bots() -> Iterator[None]:
    with registered(bots, watched=Watched, bare=Bare):
        yield


@pytest.mark.parametrize("name", LEVELS)
@pytest.mark.parametrize("game", [Hex(size=3), TicTacToe()], ids=["native", "python"])
def test_every_level_plays_every_game(name: str, game: tesuji.Game) -> None:
    state = game.start()
    bot = tesuji.bot(f"{name}:seed=1", game)
    assert type(bot) is CLASSES[name]
    for _ in range(3):
        state = state.play(bot.choose(state))
    assert len(state.moves()) == 6


def test_a_level_is_what_the_game_says_or_else_a_general_one() -> None:
    assert {name: str(level_spec(TicTacToe(), name)) for name in LEVELS} == LEVELS
    partly = Told({"easy": "random"})
    assert [str(level_spec(partly, name)) for name in ("easy", "hard")] == ["random", LEVELS["hard"]]
    assert isinstance(Easy(partly).inner, tesuji.RandomBot)


@pytest.mark.parametrize("game", [Hex(size=2), TicTacToe()], ids=["hex without a network", "general"])
def test_levels_differ_in_iterations(game: tesuji.Game) -> None:
    options = [level_spec(game, name).options for name in LEVELS]
    iterations = [int(each["iterations"]) for each in options]
    assert iterations == sorted(set(iterations))


def test_the_general_levels_have_a_cap_in_seconds_for_slow_rules() -> None:
    caps = [float(level_spec(TicTacToe(), name).options["seconds"]) for name in LEVELS]
    assert caps == sorted(caps) and caps[-1] <= 10


@pytest.mark.parametrize("game", [Hex(), Onitama()], ids=["hex", "onitama"])
def test_levels_of_built_in_games_do_not_depend_on_time(game: tesuji.Game) -> None:
    specs = [level_spec(game, name) for name in LEVELS]
    assert len(set(map(str, specs))) == len(specs)
    assert not any("seconds" in spec.options for spec in specs)


def test_the_same_seed_makes_the_same_moves() -> None:
    game = Hex(size=7)

    def moves(seed: int) -> list[int]:
        bot, state = Easy(game, seed=seed), game.start()
        found = []
        for _ in range(6):
            found.append(bot.choose(state))
            state = state.play(found[-1])
        return found

    assert moves(5) == moves(5)
    assert len({tuple(moves(seed)) for seed in range(4)}) > 1


def test_a_level_plays_as_its_underlying_bot() -> None:
    game = Hex(size=6)
    spec = level_spec(game, "medium")
    plain = tesuji.bot(Spec(spec.name, {**spec.options, "seed": "3"}), game)
    assert Medium(game, seed=3).analyse(game.start()).candidates == plain.analyse(game.start()).candidates


@pytest.mark.parametrize("text", ["easy", "hard:seed=3"])
def test_a_level_gives_its_spec_back(text: str) -> None:
    assert tesuji.spec_of(tesuji.bot(text, Hex(size=5))) == text


def test_the_representation_can_be_pasted_back() -> None:
    for bot in (Easy(Hex(size=5), seed=3), Expert(Hex())):
        again = eval(repr(bot))
        assert (type(again), again.game, again.options) == (type(bot), bot.game, bot.options)


def test_an_analysis_reports_on_the_way_and_can_be_cancelled() -> None:
    game = Hex()
    bot, seen = Expert(game, seed=1), []

    def enough(analysis: tesuji.Analysis) -> None:
        seen.append(analysis.stopped)
        bot.cancel()

    analysis = bot.analyse(game.start(), progress=enough)
    assert (set(seen), analysis.stopped) == ({"running"}, "cancelled")


def test_a_level_has_the_capabilities_of_its_bot() -> None:
    watched, bare = Easy(Told({"easy": "watched"}), seed=1), Easy(Told({"easy": "bare"}), seed=1)
    for bot in (watched, bare):
        assert not bot.analyses and not bot.can_cancel
        bot.reset()
        bot.choose(Nim(7))
        bot.close()
    assert isinstance(watched.inner.own, Watched)
    assert watched.inner.own.asked == ["reset", "choose", "close"]


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        ({"esay": "random"}, r"unknown level 'esay' of .*; did you mean 'easy'\?"),
        ({"easy": "hard"}, "level 'easy' of .* is 'hard'"),
        (
            {"easy": "mcts:iteration=5"},
            "level 'easy' of .* is 'mcts:iteration=5': unknown option 'iteration'",
        ),
    ],
)
def test_an_invalid_level_of_a_game_is_refused(levels: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Easy(Told(levels))


def test_unknown_options_of_a_level_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown option 'iterations' for easy"):
        tesuji.bot("easy:iterations=5", Hex())


def test_easy_takes_a_win_and_stops_one() -> None:
    game = Hex()
    column = [f"f{row} a{row}" for row in range(1, 11)]  # Black comes down to f10, White stands at the left
    winning = tesuji.replay(game, " ".join(column))
    threatened = tesuji.replay(game, " ".join([*column[:-1], "k11 e11 f10"]))  # f11 is Black's only way
    for seed in range(20):
        assert winning.play(Easy(game, seed=seed).choose(winning)).scores() == (1.0, 0.0)
        assert Easy(game, seed=seed).choose(threatened) == threatened.parse("f11")


def test_expert_in_hex_is_the_network_where_it_fits() -> None:
    names = [
        level_spec(Hex(size=size, swap=swap), "expert").name for size in (3, 11, 19) for swap in (False, True)
    ]
    assert names == ["zero"] * 6
    assert str(level_spec(Hex(size=2), "expert")) == "mcts:iterations=300000"
    for name in ("easy", "medium", "hard"):
        assert level_spec(Hex(), name) == level_spec(Hex(size=2), name)


def test_expert_in_gomoku_is_the_network_where_it_fits() -> None:
    assert str(level_spec("gomoku:rule=renju,size=20", "expert")) == "zero:visits=800"
    assert str(level_spec("gomoku:size=8", "expert")) == "mcts:iterations=50000"


def test_the_page_says_what_the_levels_are() -> None:
    page = (Path(__file__).parents[2] / "docs" / "levels.md").read_text(encoding="utf-8")
    for game in (Hex(), TicTacToe()):
        for name in LEVELS:
            assert f"| `{name}` | `{level_spec(game, name)}` |" in page


@pytest.mark.parametrize("name", LEVELS)
def test_the_commands_know_the_levels(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "hex:size=3", "--bot", name, "--seat", "none", "--seed", "1"]) == 0
    assert f"Black (player 0): {name}:seed=1" in capsys.readouterr().out
    assert main(["analyse", "hex:size=3", "--bot", name, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["bot"] == name


def test_a_level_without_an_analysis_is_refused_by_analyse(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Hex, "levels", {"easy": "random"})
        assert main(["analyse", "hex:size=3", "--bot", "easy"]) == 2
    message = capsys.readouterr().err
    assert message.startswith("tesuji: the bot easy ")
    assert "easy" not in message.partition(";")[2]  # the bots that do give an analysis


def test_the_base_class_of_levels_is_not_a_bot() -> None:
    assert bots.name_of(Level) is None
