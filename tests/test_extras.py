"""The core runs without optional packages, and a missing one is named in one line with its extra."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from tesuji._helpers.extras import EXTRAS, MissingExtra, require

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# Also what only the packages of an extra bring with them.
OPTIONAL = sorted({*sum(EXTRAS.values(), ()), "pydantic", "starlette", "sklearn", "tensorboard"})

MISSING_LINES = {
    "serve --port 0": ("fastapi", "board"),
    "models average run run --output mean.safetensors": ("torch", "train"),
    "models export run --output net.onnx": ("torch", "train"),
    "learn linear hex:size=3 --output model.json": ("scipy", "learn"),
    "learn zero hex:size=3 --out run --iterations 1": ("torch", "train"),
    "match hex:size=3 random random --games 2 --on ray": ("ray", "ray"),
    "play openspiel:game=chess": ("open_spiel", "openspiel"),
    "check openspiel": ("open_spiel", "openspiel"),
    "match openspiel:game=chess random random --games 2": ("open_spiel", "openspiel"),
}
CORE_COMMANDS = [
    "--version",
    "--help",
    "games",
    "bots",
    "check hex:size=3",
    "perft onitama:cards=ox-boar-horse-elephant-crab 2",
    "analyse hex:size=4 --bot mcts:iterations=100",
    "analyse gomoku:size=7 --bot alphabeta:nodes=100",
    "analyse onitama --bot alphabeta:nodes=100",
    "explain onitama --seed 7",
    "analyse hex:size=3 --bot zero:visits=9",
    "match hex:size=3 zero:visits=4 mcts:iterations=10 --games 2",
    "records list",
    "solve hex:size=3",
    "models show hex",
    "serve --help",
    "learn zero --help",
]

WITHOUT = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {packages}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Missing())
"""
RUN = """
import contextlib, io, json
from tesuji.cli import main
results = {}
for command in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        code = main(command.split())
    results[command] = code, out.getvalue(), err.getvalue()
print(json.dumps(results))
"""
IMPORT = """
try:
    {statement}
except ImportError as error:
    print(error)
"""
LIST_BOTS = """
from tesuji.web.catalogue import catalogue
from tesuji.web.limits import ServerLimits
from tesuji.web.specs import AllowedBots
(hex_game,) = (game for game in catalogue(AllowedBots(ServerLimits())) if game["name"] == "hex")
print(*(bot["name"] for bot in hex_game["bots"]))
"""


def run_without(packages: Sequence[str], program: str, cwd: Path, stdin: str = "") -> str:
    """What a program prints in a Python in which these packages cannot be imported."""
    command = [sys.executable, "-c", WITHOUT.format(packages=list(packages)) + program]
    done = subprocess.run(command, cwd=cwd, input=stdin, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str, str]]:
    """Exit code, output and errors of every command, without optional packages; one start for all."""
    commands = json.dumps([*CORE_COMMANDS, *MISSING_LINES])
    printed = run_without(OPTIONAL, RUN, tmp_path_factory.mktemp("light"), commands)
    return {command: (code, out, err) for command, (code, out, err) in json.loads(printed).items()}


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=\[;]", each)[0] for each in requirements}


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_installs_the_packages_that_are_asked_for(extra: str) -> None:
    assert names(PROJECT["optional-dependencies"][extra]) == set(EXTRAS[extra])


def test_the_core_depends_on_no_optional_package() -> None:
    assert names(PROJECT["dependencies"]) & set(OPTIONAL) == set()


@pytest.mark.parametrize("command", MISSING_LINES)
def test_a_command_names_the_missing_extra_in_one_line(
    command: str, results: dict[str, tuple[int, str, str]]
) -> None:
    package, extra = MISSING_LINES[command]
    code, out, err = results[command]
    assert code == 2, err
    assert re.fullmatch(rf'tesuji: .*\b{package}\b.*pip install "tesuji-ai\[{extra}\]"\n', err)
    assert out == ""


@pytest.mark.parametrize("command", CORE_COMMANDS)
def test_the_core_commands_need_no_extra(command: str, results: dict[str, tuple[int, str, str]]) -> None:
    code, out, err = results[command]
    assert code == 0, err
    assert out


@pytest.mark.parametrize(
    ("statement", "package", "extra"),
    [
        ("import tesuji.envs", "gymnasium, pettingzoo", "envs"),
        ("from tesuji.envs import SingleAgentEnv", "gymnasium, pettingzoo", "envs"),
        ("import tesuji.envs.environments", "gymnasium, pettingzoo", "envs"),
        ("import tesuji.engines.openspiel", "open_spiel", "openspiel"),
        ("import tesuji; tesuji.game('openspiel:game=chess')", "open_spiel", "openspiel"),
        ("from tesuji.games.openspiel import OpenSpiel; OpenSpiel(game='chess')", "open_spiel", "openspiel"),
    ],
)
def test_python_names_the_missing_extra_too(statement: str, package: str, extra: str, tmp_path: Path) -> None:
    said = run_without(OPTIONAL, IMPORT.format(statement=statement), tmp_path)
    assert re.fullmatch(rf'.*needs {package}; .*pip install "tesuji-ai\[{extra}\]"\n', said)


def test_the_board_offers_networks_without_an_extra_of_theirs(tmp_path: Path) -> None:
    others = sorted({*OPTIONAL} - {*EXTRAS["board"], "pydantic", "starlette"})
    assert "zero" in run_without(others, LIST_BOTS, tmp_path).split()


def test_a_missing_package_is_an_import_error_for_python_and_bad_input_for_specs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    for kind in (MissingExtra, ImportError, ValueError):
        with pytest.raises(kind, match=r"torch; install it with: pip install \"tesuji-ai\[train\]\""):
            require("train", "training a network")
