"""Fingerprints change when play changes, and only then."""

from __future__ import annotations

import gzip
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.results import GAMES, PINNED
from tesuji.arena.fingerprint import default_bots, fingerprint
from tesuji.arena.match import Pairing
from tesuji.cli import main

HEX = "hex:size=7"
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("game", GAMES)
def test_default_bots_and_levels_play_as_pinned(game: str) -> None:
    pinned = json.loads(PINNED.read_text(encoding="utf-8"))[game]
    now = {bot: fingerprint(bot, game) for bot in default_bots(game)}
    assert now == pinned, "play has changed; if it should: python benchmarks/results.py pin"


@pytest.mark.parametrize("option", ["exploration=0.29", "rave_k=450", "solver=off", "playout_policy=off"])
def test_an_option_that_changes_play_changes_the_fingerprint(option: str) -> None:
    assert fingerprint(f"mcts:{option}", "hex") != fingerprint("mcts", "hex")


@pytest.mark.parametrize("options", ["threads=2", "seed=9", "iterations=1e6", "seconds=5", "memory=64"])
def test_budget_threads_and_seed_do_not_matter(options: str) -> None:
    assert fingerprint(f"mcts:{options}", HEX) == fingerprint("mcts", HEX)


def test_a_smaller_budget_than_that_of_fingerprints_matters() -> None:
    assert fingerprint("mcts:iterations=10", "hex") != fingerprint("mcts", "hex")


@pytest.mark.skipif(
    not (sys.platform == "linux" and platform.machine() == "x86_64"),
    reason="needs instruction sets of x86-64",
)
def test_fingerprints_do_not_depend_on_the_instructions_of_the_processor() -> None:
    code = "from benchmarks.results import pins; print(pins())"
    plain = os.environ | {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F"}
    outputs = [
        subprocess.run(
            [sys.executable, "-c", code], env=env, cwd=EXAMPLES.parent, stdout=subprocess.PIPE, check=True
        ).stdout
        for env in (dict(os.environ), plain)
    ]
    assert outputs[0] == outputs[1]


@pytest.mark.parametrize(("file", "game"), [("pig", "pig"), ("kuhn_poker", "kuhn")])
def test_games_with_chance_or_hidden_cards_have_fingerprints(
    file: str, game: str, loading: Callable[[Path], Callable[[], object]]
) -> None:
    loading(EXAMPLES / f"{file}.py")
    found = fingerprint("mcts", game)
    assert len(found) == 16 and found != fingerprint("random", game)


def test_the_fingerprint_of_a_users_bot_is_its_file(
    tmp_path: Path, loading: Callable[[Path], Callable[[], object]]
) -> None:
    file, found = tmp_path / "mine.py", set()
    for number in (1, 2, 2):
        file.write_text(
            "import tesuji\nfrom tesuji.bots import RandomBot\n"
            f"@tesuji.register_bot('mine')\nclass Mine(RandomBot):\n    '''Version {number}.'''\n"
        )
        loading(file)
        found.add(fingerprint("mine", HEX))
    assert len(found) == 2


def test_an_external_engine_has_none() -> None:
    assert fingerprint("gtp:command=gnuhex", HEX) == ""


def test_a_retrained_prior_makes_another_match(tmp_path: Path) -> None:
    prior = tmp_path / "prior.json"
    games = Path(sys.modules["tesuji"].__file__ or "").parent / "games"
    prior.write_bytes(gzip.decompress((games / "gomoku" / "prior.json.gz").read_bytes()))
    bots = (f'mcts:iterations=1,move_ordering="{prior}"', "random")
    before = Pairing("gomoku", bots).key
    prior.write_text(prior.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert Pairing("gomoku", bots).key != before


def test_a_rule_that_fails_shows_in_the_game_and_not_before(
    users: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tesuji.games.hex.HexState.play", lambda self, move: 1 / 0)
    assert fingerprint("greedy", "hex:size=6")


def test_the_command_prints_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--signature", HEX, "mcts", "random"]) == 0
    assert capsys.readouterr().out == (
        f"{fingerprint('mcts', HEX)}  mcts\n{fingerprint('random', HEX)}  random\n"
    )
    assert main(["bench", "--signature", HEX, "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)["signatures"]) == default_bots(HEX)


def test_bots_without_signature_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", HEX, "mcts"]) == 2
    assert "--signature" in capsys.readouterr().err
