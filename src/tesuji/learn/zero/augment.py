"""Tactical augmentation: Gomoku positions in which something is certain, thousands of different ones.

They come from random games near the stones, and only what patterns and the threat solver have proven is to
be learned: `_core.GOMOKU_TACTICS` names the kinds. Each is a game of self-play of its own, so a window keeps
them and draws batches from them as from other games; the symmetries are drawn there.

Nobody is trained on what it is examined on: the positions of `EXAM`, textbook examples that are asked about
again and again, and what else is excluded, are never among them, in any symmetry. The questions of
`tesuji exam` have numbers up to 2^48 and are drawn afresh: one of them could be here by chance alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from tesuji import _core
from tesuji.game import Game, replay, shown
from tesuji.games.gomoku import Gomoku, GomokuState
from tesuji.learn.zero.window import Window
from tesuji.planes import NativePlanes

EXAM: dict[str, str] = {
    "g8 a1 h8 h7 i8 h9 j8 a3": "f8 k8",
    "h8 a1 i9 a3 j10 a5 k11 a7": "g7 l12",
    "g8 i7 h8 i9 j8 a1 a15 c1": "i8",
    "f8 g7 g8 g9 h8 a1 j9 a15": "e8 i8",
    "a1 g8 a3 h8 a5 i8 a7 j8": "f8 k8",
    "f6 k7 g6 k8 h6 k9 i6 k10 a1": "k6 k11",
    "g8 f6 h8 g7 i8": "f8 j8",
    "b1 o1 c1 o3 d1 o5 e1 o7": "a1 f1",
}
"""Tactical positions on 15×15 to examine a player with: the moves that lead there, and the right answers."""


def tactics(
    game: Game,
    planes: NativePlanes,
    count: int,
    *,
    seed: int,
    threads: int = 1,
    exclude: Sequence[GomokuState] = (),
) -> list[_core.PlayedGame]:
    """So many positions, or a few less: a game's opening leads there, and its one full search has the moves.

    >>> import tesuji
    >>> from tesuji.planes import planes_of
    >>> game = tesuji.game("gomoku")
    >>> made = tactics(game, planes_of(game), 7, seed=1)  # one of each kind
    >>> len(made), made[0].searched[0][0]  # completes five: won
    (7, 1.0)
    """
    if not isinstance(game, Gomoku):
        raise ValueError(f"tactical positions are made for Gomoku, not for {shown(game)}")
    excluded = [*exam(game), *exclude]
    first = game.start().core
    return _core.gomoku_tactics(
        first, planes.native, count, seed, threads, [state.core for state in excluded]
    )


def tactical_window(
    game: Game,
    planes: NativePlanes,
    count: int,
    *,
    seed: int,
    threads: int = 1,
    exclude: Sequence[GomokuState] = (),
) -> Window:
    """A window of tactical positions, to draw a share of each batch from."""
    made = tactics(game, planes, count, seed=seed, threads=threads, exclude=exclude)
    window = Window(game, planes, capacity=max(1, len(made)), surprise=0.0)
    window.add(made)
    return window


def exam(game: Gomoku) -> list[GomokuState]:
    """The positions of `EXAM`, where the game is played on such a board."""
    plain = Gomoku(size=game.size, rule=game.rule)
    return [cast(GomokuState, replay(plain, moves)) for moves in EXAM] if game.size == 15 else []
