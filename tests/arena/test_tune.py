"""Tuning by SPSA: the optimum is found, whatever runs the games and however often it is interrupted."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean

import pytest

from tesuji.arena.spsa import Parameter, Spsa
from tesuji.arena.tune import Tuning
from tesuji.arena.tuning_plot import tuning_svg
from tesuji.cli import main
from tesuji.scale.executor import executor

GAME, BOT, RANGE = "hex:size=3", "mcts:iterations=20,prover=off", "exploration=0.1..3"

LUCKY = """
import random
import tesuji

@tesuji.register_bot("lucky")
class Lucky:
    '''Plays well with probability `skill`.'''

    def __init__(self, game: object, skill: float = 0.1, seed: int = 1) -> None:
        self.skill, self.seed, self._random = skill, seed, random.Random(seed)
        self._best = tesuji.MCTS(game, iterations=200, seed=seed)

    def choose(self, state):
        if self.skill > 3:
            raise RuntimeError("too lucky")
        lucky = self._random.random() < self.skill
        return self._best.choose(state) if lucky else self._random.choice(list(state.moves()))
"""


@pytest.fixture
def lucky(tmp_path: Path, loading: Callable[[Path], Callable[[], object]]) -> Path:
    file = tmp_path / "lucky.py"
    file.write_text(LUCKY, encoding="utf-8")
    loading(file)
    return file


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rave_k", "NAME=LOW..HIGH"),
        ("rave_k=1..x", "NAME=LOW..HIGH"),
        ("rave_k=5..1", "must begin below its end"),
        ("rave_k=0..1:log", "must begin above 0"),
    ],
)
def test_a_bad_range_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        Parameter.parse(text)


@pytest.mark.parametrize("text", ["a=0.1..1.5", "a=2..30:log", "a=-3..-1", "a=1e-3..1e3:log"])
def test_values_and_places_agree(text: str) -> None:
    parameter = Parameter.parse(text)
    for place in (0.0, 0.3, 1.0):
        assert parameter.place(parameter.value(place)) == pytest.approx(place)
    assert parameter.place(-1e9) == 0 or parameter.log
    assert parameter.place(1e9) == 1
    assert Parameter.parse(str(parameter)) == parameter


def test_whole_numbers_are_rounded_with_the_right_mean() -> None:
    rng = random.Random(1)
    values = [int(Parameter("n", 1, 5, whole=True).text(0.3, rng)) for _ in range(4000)]
    assert set(values) == {2, 3}
    assert fmean(values) == pytest.approx(2.2, abs=0.03)


def test_an_iteration_does_not_depend_on_the_latest_results() -> None:
    def trials(results: Sequence[float]) -> list[object]:
        tuning = Spsa([Parameter("x", 0, 1)], [0.5], iterations=200)
        for result in results:
            tuning.add(result)
        return [tuning.trial(k) for k in range(30) if tuning.ready(k)]

    one, other = trials([2, -2, 1] + [2] * 6), trials([2, -2, 1] + [-2] * 6)
    assert len(one) == len(other) == 9 + 10
    assert one[: 3 + 10] == other[: 3 + 10]
    assert one[3 + 10] != other[3 + 10]


@pytest.mark.parametrize("where", ["processes:workers=2", "threads:workers=3"])
def test_the_result_does_not_depend_on_the_executor_or_on_interruptions(where: str, tmp_path: Path) -> None:
    whole = Tuning(GAME, BOT, [RANGE, "rave_k=10..1000:log"], tmp_path / "whole.json", games=60)
    assert list(whole.play()) != []
    while not (
        tuning := Tuning(GAME, BOT, [RANGE, "rave_k=10..1000:log"], tmp_path / "t.json", games=60)
    ).done:
        with executor(where) as on:
            running = tuning.play(on=on)
            for _ in zip(range(15), running, strict=False):
                pass
            running.close()
    assert tuning.spsa.path == whole.spsa.path
    assert tuning.tuned == whole.tuned


def test_time_stops_a_tuning(tmp_path: Path) -> None:
    tuning = Tuning(GAME, BOT, [RANGE], tmp_path / "t.json", games=20_000)
    for _ in tuning.play(seconds=0.3):
        pass
    assert 0 < tuning.games < 20_000
    assert Tuning(GAME, BOT, [RANGE], tmp_path / "t.json", games=20_000).games == tuning.games


def test_the_file_of_another_tuning_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "t.json"
    list(Tuning(GAME, BOT, [RANGE], file, games=2).play())
    with pytest.raises(ValueError, match=r"another tuning \(other parameters, games\)"):
        Tuning(GAME, BOT, ["exploration=0.2..3"], file, games=4)
    file.write_text("{}", encoding="utf-8")
    with pytest.raises(ValueError, match="not the file of a tuning"):
        Tuning(GAME, BOT, [RANGE], file, games=2)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (["explor=0..1"], "did you mean 'exploration'"),
        (["rave=0..1"], "only numbers can be tuned"),
        (["exploration=-1..1"], "exploration must be"),
        ([RANGE, RANGE], "once"),
        ([], "at least one"),
    ],
)
def test_what_cannot_be_tuned_is_refused(parameters: list[str], message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        Tuning(GAME, BOT, parameters, tmp_path / "t.json", games=2)


def test_a_bot_that_fails_loses_and_is_named(lucky: Path, tmp_path: Path) -> None:
    tuning = Tuning(GAME, "lucky:skill=2.5", ["skill=0..5"], tmp_path / "t.json", games=20)
    with executor("threads:workers=1") as on:
        list(tuning.play(on=on))
    assert tuning.done
    assert all(fault.endswith("RuntimeError: too lucky") for fault in tuning.faults)
    assert tuning.spsa.path[-1] < tuning.spsa.path[0]


def test_a_users_bot_is_tuned_and_recommended_after_it_has_won(
    lucky: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command = ["tune", "hex:size=4", "lucky", "--param", "skill=0..1", "--games", "200", "--svg", "plot.svg"]
    command += ["--load", str(lucky), "--processes", "2", "--json"]
    assert main(command) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == 200
    assert float(found["tuned"].partition("skill=")[2]) > 0.4
    assert found["recommended"] == found["tuned"]
    assert found["test"]["verdict"] == "H1"
    assert found["test"]["seed"] == 2
    assert (tmp_path / "plot.svg").read_text(encoding="utf-8").count("<polyline") == 1
    assert main(command[:-1]) == 0
    assert f"Recommended: {found['tuned']}\n" in capsys.readouterr().out


def test_what_has_not_won_is_not_recommended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["tune", GAME, "mcts", "--param", RANGE, "--games", "4", "--test-games", "4"]) == 0
    assert "Not recommended" in capsys.readouterr().out


def test_a_plot_has_a_panel_for_each_parameter() -> None:
    tuning = Spsa([Parameter("a", 0, 1), Parameter("b", 1, 100, log=True)], [0.5, 10], iterations=3000)
    for _ in range(3000):
        tuning.add(random.choice((-2, 0, 2)))
    picture = tuning_svg(tuning, "<hex>")
    assert picture.count("<polyline") == 2
    assert "&lt;hex&gt;" in picture
    assert len(picture) < 20_000
