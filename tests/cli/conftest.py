"""Everything that a test loads or registers is removed after it."""

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.registered import only_own
from tesuji.registry import bots, games


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    modules = set(sys.modules)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "stdin", io.StringIO())  # nobody types
    with only_own(games), only_own(bots):
        yield
    for name in set(sys.modules) - modules:
        if name.startswith("tesuji_loaded_"):
            del sys.modules[name]


@pytest.fixture
def in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test's own empty directory as the working directory."""
    monkeypatch.chdir(tmp_path)


NIM = '''
"""Take one, two or three matches; the player who takes the last one wins."""

from __future__ import annotations

from dataclasses import dataclass

import tesuji


class Heap:
    def __init__(self, left, player, players):
        self.left, self.player, self.players = left, player, players

    def moves(self):
        return [] if self.left == 0 else list(range(1, min(3, self.left) + 1))

    def play(self, move):
        return Heap(self.left - move, (self.player + 1) % self.players, self.players)

    def scores(self):
        if self.left:
            return None
        winner = (self.player - 1) % self.players
        return tuple(float(player == winner) for player in range(self.players))

    def __str__(self):
        return "|" * self.left + f" {self.left} left"


@tesuji.register_game("nim")
@dataclass(frozen=True)
class Nim:
    """Who takes the last match wins."""

    matches: int = 7
    players: int = 2

    def __post_init__(self):
        if self.matches < 1:
            raise ValueError("a heap has at least\\none match")

    def start(self):
        return Heap(self.matches, 0, self.players)
'''


@pytest.fixture
def nim(tmp_path: Path) -> str:
    """The path of a user's file with a game."""
    path = tmp_path / "nim.py"
    path.write_text(NIM)
    return str(path)
