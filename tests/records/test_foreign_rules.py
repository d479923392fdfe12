"""Records of foreign rules: whatever their options do, a record from a stranger is one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tesuji
from tests.cli.bad_input import check_error
from tesuji.any_game import received_game
from tesuji.cli import main
from tesuji.learn.recorded import Specs
from tesuji.records import Record, Store, verify
from tesuji.records.serialization import to_json
from tesuji.records.verification import last_position, replayed
from tesuji.registry import games
from tesuji.spec import Spec

pytest.importorskip("pyspiel")

CRASHING = ["universal_poker(numPlayers=0)", "hanabi(players=0)"]
RAISING = ["breakthrough(columns=0)", "efg_game(filename=/etc/hostname)", "hex(board_size=30000)"]


def record_of(name: str, moves: tuple[str, ...] = (), **facts: Any) -> Record:
    return Record(game=str(Spec("openspiel", {"game": name})), players=("a", "b"), moves=moves, **facts)


def texts(name: str, actions: list[int]) -> tuple[str, ...]:
    """The moves of a game of OpenSpiel by their numbers."""
    state: Any = tesuji.game(Spec("openspiel", {"game": name})).start()
    words = []
    for action in actions:
        words.append(state.text(action))
        state = state.play(action)
    return tuple(words)


def won() -> Record:
    moves = texts("tic_tac_toe", [4, 0, 2, 1, 6])
    return record_of("tic_tac_toe", moves, scores=(1.0, 0.0), ending="played")


def test_a_record_of_foreign_rules_is_verified_and_replayed() -> None:
    verify(won())
    last: Any = last_position(won())
    positions = replayed(won()).positions
    assert [one.player for one in positions[:-1]] == [0, 1, 0, 1, 0]
    assert positions[-1].text == str(last)
    with pytest.raises(ValueError, match=r"^move 2: .* is not legal"):
        verify(record_of("tic_tac_toe", won().moves[:1] * 2))


@pytest.mark.parametrize("name", CRASHING + RAISING)
def test_rules_that_fail_are_one_line_and_the_next_record_is_read(
    name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ValueError) as error:
        verify(record_of(name))
    assert "\n" not in str(error.value) and name.partition("(")[0] in str(error.value)
    verify(won())
    assert capfd.readouterr() == ("", "")  # nor do the rules print anything


def test_rules_that_never_answer_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tesuji.records.foreign_rules.SECONDS", 0.2)
    monkeypatch.setattr("tesuji.scale.worker.STOP_SECONDS", 0.1)
    slow = "misere(game=" * 3000 + "tic_tac_toe()" + ")" * 3000
    with pytest.raises(ValueError, match=r"failed: no answer within 0\.2 s$") as error:
        verify(record_of(slow))
    assert len(str(error.value)) < 500


@pytest.mark.parametrize("name", CRASHING + RAISING[:1])
def test_the_commands_say_in_one_line_what_is_wrong(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games.json").write_text(f"{to_json(won())}\n{to_json(record_of(name))}\n")
    assert main(["records", "import", "games.json"]) == 2
    check_error(*capfd.readouterr(), "games.json, game 2: the rules of … failed: ")
    assert not Path("games.db").exists()
    with Store(Path("games.db")) as store:
        store.add(record_of(name))
    assert main(["records", "show", "1"]) == 2
    check_error(*capfd.readouterr(), "game 1: the rules of … failed: ")
    assert main(["records", "check"]) == 1
    shown = capfd.readouterr()
    assert shown.err == "" and "✗ game 1: the rules of" in shown.out and shown.out.count("\n") == 2
    assert main(["records", "export", "--format", "sgf"]) == 2
    check_error(*capfd.readouterr(), "unknown format 'sgf' for openspiel")


def test_a_record_of_foreign_rules_is_imported_shown_and_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games.json").write_text(f"{to_json(won())}\n")
    assert main(["records", "import", "games.json"]) == 0
    assert main(["records", "check"]) == 0
    capsys.readouterr()
    assert main(["records", "show", "1", "--at", "5"]) == 0
    assert str(last_position(won())) in capsys.readouterr().out
    assert main(["records", "export"]) == 0
    assert json.loads(capsys.readouterr().out)["game"] == won().game


def test_received_specs_name_no_foreign_rules() -> None:
    for name in ("tic_tac_toe", *CRASHING):
        with pytest.raises(ValueError, match="'openspiel' are not available here"):
            received_game(record_of(name).game)
    assert games.is_foreign("openspiel") and not any(map(games.is_foreign, games.names()))


def test_other_foreign_rules_in_a_store_are_not_learned_from_and_not_made() -> None:
    four = record_of("connect_four").game
    specs = Specs(tesuji.game(four))
    assert specs.fits(four)
    assert not any(specs.fits(record_of(name).game) for name in (*CRASHING, *RAISING))
