"""Tactical augmentation: thousands of Gomoku positions with a proven result or best move.

They come from random games near the stones. Patterns and the threat solver prove the targets;
`_core.GOMOKU_TACTICS` names the kinds. Each position is encoded as a self-play game, so a window samples
them as it samples other games, in random symmetries.

The test positions in `HELD_OUT`, and others that are excluded, never appear, in any symmetry. The questions
of `tesuji exam` are generated from numbers up to 2^48; one of them could appear only by chance.
"""

from __future__ import annotations

from collections.abc import Sequence

from tesuji import _core
from tesuji._helpers.seeds import derived_seed
from tesuji.any_game import replay
from tesuji.full_game import FullGame
from tesuji.games.gomoku import Gomoku, GomokuState
from tesuji.learn.zero.boards import Boards
from tesuji.learn.zero.window import Window
from tesuji.planes import NativePlanes

HELD_OUT: dict[str, str] = {
    "g8 a1 h8 h7 i8 h9 j8 a3": "f8 k8",
    "h8 a1 i9 a3 j10 a5 k11 a7": "g7 l12",
    "g8 i7 h8 i9 j8 a1 a15 c1": "i8",
    "f8 g7 g8 g9 h8 a1 j9 a15": "e8 i8",
    "a1 g8 a3 h8 a5 i8 a7 j8": "f8 k8",
    "f6 k7 g6 k8 h6 k9 i6 k10 a1": "k6 k11",
    "g8 f6 h8 g7 i8": "f8 j8",
    "b1 o1 c1 o3 d1 o5 e1 o7": "a1 f1",
}
"""Tactical test positions on 15×15: the moves that lead there, and the correct answers."""


def tactics(
    game: FullGame,
    planes: NativePlanes,
    count: int,
    *,
    seed: int,
    threads: int = 1,
    exclude: Sequence[GomokuState] = (),
    board: int = 0,
) -> list[_core.PlayedGame]:
    """About `count` positions, each as a game: its opening leads there, its one full search is the target.

    `board` is the game's index among the boards of a run.

    >>> import tesuji
    >>> from tesuji.planes import planes_of
    >>> game = tesuji.game("gomoku")
    >>> made = tactics(game, planes_of(game), 7, seed=1)  # one of each kind
    >>> len(made), made[0].searched[0][0]  # completes five: won
    (7, 1.0)
    """
    if not isinstance(game, Gomoku):
        raise ValueError(f"tactical positions exist for Gomoku only, not for {game.display_name}")
    excluded = [*held_out_states(game), *exclude]
    first = game.start().core
    return _core.gomoku_tactics(
        first, planes.native, count, seed, threads, [state.core for state in excluded], board
    )


def tactical_window(
    game: FullGame | Boards,
    planes: NativePlanes,
    count: int,
    *,
    seed: int,
    threads: int = 1,
    exclude: Sequence[GomokuState] = (),
) -> Window:
    """A window of tactical positions, to sample a share of each batch from; several boards by weight."""
    boards = game if isinstance(game, Boards) else Boards.of(game)
    made = []
    for number, (each, weight) in enumerate(zip(boards.games, boards.weights, strict=True)):
        share = max(len(_core.GOMOKU_TACTICS), round(count * weight / sum(boards.weights)))
        made += tactics(
            each,
            planes,
            share if boards.mixed else count,
            seed=derived_seed(seed, "board", number) if number else seed,
            threads=threads,
            exclude=exclude,
            board=number,
        )
    window = Window(boards, planes, capacity=max(1, len(made)), surprise=0.0)
    window.add(made)
    return window


def held_out_states(game: Gomoku) -> list[GomokuState]:
    """The positions of `HELD_OUT`, if the board is 15×15."""
    plain = Gomoku(size=game.size, rule=game.rule)
    return [replay(plain, moves) for moves in HELD_OUT] if game.size == 15 else []
