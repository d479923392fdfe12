"""GTP commands that set up positions: set_position, set_free_handicap, loadsgf."""

from pathlib import Path
from typing import Any

import pytest

import tesuji
from tesuji.engines.gtp import GtpEngine

SGF = "(;GM[11]SZ[3]AB[c1]AW[b2]PL[W];W[a1];B[a2])"


def ask(engine: GtpEngine, *lines: str) -> str:
    for line in lines:
        answer = engine.answer(line)
        assert answer.startswith("="), (line, answer)
    return answer[2:].strip()


def refused(engine: GtpEngine, line: str, says: str) -> None:
    before = engine.position
    answer = engine.answer(line)
    assert answer.startswith("? ") and says in answer and engine.position == before


@pytest.mark.parametrize("game", ["hex:size=3", "hex:size=3,swap=on", "gomoku:size=5"])
def test_set_position_puts_any_stones(game: str) -> None:
    engine = GtpEngine(game, "mcts:iterations=50,seed=1")
    ask(engine, "play b a1", "set_position black c1 black c2 white b2")
    state: Any = engine.position.state
    assert [state.text(cell) for cell, owner in enumerate(state.cells()) if owner == 1] == ["c1", "c2"]
    assert engine.position.colour == "black"
    assert ask(engine, "genmove black")
    refused(engine, "set_position black c1 white c1", "illegal move 'c1'")
    refused(engine, "set_position black z9", "'z9'")
    refused(engine, "set_position black", "a colour and a cell")
    ask(engine, "set_position")
    assert engine.position.state == tesuji.game(game).start()


def test_free_handicap_needs_an_empty_board() -> None:
    engine = GtpEngine("gomoku:size=5", "mcts:iterations=50,seed=1")
    ask(engine, "set_free_handicap c3 d4")
    assert engine.position.colour == "white"
    refused(engine, "set_free_handicap a1", "board not empty")
    refused(engine, "set_free_handicap", "syntax error")


def test_an_sgf_file_is_loaded_up_to_a_move(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text(SGF)
    engine = GtpEngine("hex:size=5", "mcts:iterations=50,seed=1")
    ask(engine, f"loadsgf {path}")
    first: Any = tesuji.position("hex:size=3", "..B\n.W.\n...", 1)
    assert engine.position.state == first.play(0).play(3)
    ask(engine, "undo")
    assert engine.position.state == first.play(0)
    ask(engine, f"loadsgf {path} 1")
    assert engine.position.state == first and engine.game == tesuji.game("hex:size=3")
    assert ask(engine, "genmove w")
    ask(engine, "clear_board")
    assert engine.position.state == tesuji.game("hex:size=3").start()


def test_a_swapped_game_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[11]SZ[3];B[c1];W[swap-pieces];B[a1])")
    engine = GtpEngine("hex:size=3", "random")
    ask(engine, f"loadsgf {path}")
    assert engine.position.state == tesuji.replay("hex:size=3,swap=on", "c1 swap-pieces a1")


def test_a_bad_file_changes_nothing(tmp_path: Path) -> None:
    engine = GtpEngine("hex:size=3", "random")
    ask(engine, "play b a1")
    refused(engine, f"loadsgf {tmp_path / 'none.sgf'}", "cannot load file")
    for text in ("hello", "(;GM[4]SZ[5]AB[aa])", "(;GM[11]SZ[3];B[z9])", "(;GM[11]SZ[99])"):
        path = tmp_path / "bad.sgf"
        path.write_text(text)
        refused(engine, f"loadsgf {path}", "cannot load file")
    good = tmp_path / "good.sgf"
    good.write_text(SGF)
    refused(engine, f"loadsgf {good} one", "move number")
