"""Keys of Python games, of any type: equal keys are one position, and no others are taken for each other."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tesuji
from tests.search.small_games import Nim, Rules


@dataclass(frozen=True)
class Key:
    """A key whose hash() is that of a tuple: the same for -1 and -2."""

    sign: int
    pile: int


class Side(Enum):
    """Whose hash() is another one in every process."""

    FIRST = "first"
    SECOND = "second"


MERSENNE = 2**61 - 1  # hash(n + MERSENNE) == hash(n)

KEYS: dict[str, Callable[[int, int], Any]] = {
    "dataclass": lambda sign, pile: Key(sign, pile),
    "dataclass in a tuple": lambda sign, pile: (Key(sign, 0), pile),
    "dataclass in a set": lambda sign, pile: frozenset([Key(sign, pile)]),
    "numpy integers": lambda sign, pile: (np.int64(sign), np.int8(pile)),
    "numpy integer": lambda sign, pile: np.int64(sign * MERSENNE + pile),
    "numpy floats": lambda sign, pile: (np.float64(sign), np.float32(pile)),
    "fractions": lambda sign, pile: (Fraction(sign, 1), Fraction(pile, 3)),
    "complex": lambda sign, pile: complex(sign, pile),
    "enum": lambda sign, pile: (Side.FIRST if sign == -1 else Side.SECOND, pile),
    "lone surrogates": lambda sign, pile: f"{chr(0xD800 - sign)}{pile}",
    "objects that compare": lambda sign, pile: Lower(f"{'A' if sign == -1 else 'b'}{pile}"),
}


class Lower(str):
    """A text that takes small and capital letters for the same, and hashes like any text."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and str(self).lower() == str(other).lower()

    def __hash__(self) -> int:
        return hash(str(self).lower())


@dataclass(frozen=True)
class Keyed(Nim):
    """Nim with the keys of one kind; -1 and -2 stand for the players."""

    kind: str = "dataclass"

    def play(self, move: int) -> Keyed:
        return Keyed(self.pile - move, 1 - self.player, self.kind)

    def key(self) -> Any:
        return KEYS[self.kind](-2 if self.player else -1, self.pile)


@pytest.mark.parametrize("kind", KEYS)
def test_proofs_hold_whatever_type_a_key_has(kind: str) -> None:
    for pile in range(2, 26):
        state = Keyed(pile, kind=kind)
        found = tesuji.AlphaBeta(Rules(state), depth=30, seed=1).analyse(state)
        assert found.proven == float(pile % 4 > 0), pile
        if pile % 4:
            assert found.move == pile % 4


@pytest.mark.parametrize("kind", KEYS)
def test_keys_of_any_type_identify_positions(kind: str) -> None:
    state = Keyed(40, kind=kind)
    found, plain, alone = (
        tesuji.AlphaBeta(Rules(one), depth=12, seed=1, memory=memory).analyse(one).nodes
        for one, memory in ((state, 64), (Nim(40), 64), (state, None))
    )
    assert found == plain < alone


def test_a_reused_table_stays_correct_over_many_games() -> None:
    bot = tesuji.AlphaBeta(Rules(Keyed(400)), nodes=3000, memory=1, seed=1)
    for pile in [*range(399, 2, -37), *range(2, 26)]:
        found = bot.analyse(Keyed(pile))
        assert found.proven in (None, float(pile % 4 > 0)), pile


SEARCH = """
from tests.search.test_keys import KEYS, Keyed
from tests.search.small_games import Rules
import tesuji
for kind in KEYS:
    bot = tesuji.AlphaBeta(Rules(Keyed(60, kind=kind)), nodes=20000, memory=1, seed=1)
    found = bot.analyse(Keyed(60, kind=kind))
    print(kind, found.nodes, found.depth, found.move, [(c.move, c.visits, c.value) for c in found.candidates])
"""


def test_a_search_is_the_same_in_every_process() -> None:
    root = Path(__file__).parents[2]
    said = {
        subprocess.run(
            [sys.executable, "-c", SEARCH],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            cwd=root,
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(said) == 1
    assert len(said.pop().splitlines()) == len(KEYS)
