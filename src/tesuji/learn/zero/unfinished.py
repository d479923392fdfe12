"""Games of self-play that are not over yet, as flat arrays: what a checkpoint keeps of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tesuji import _core


def to_arrays(games: Sequence[_core.PlayedGame]) -> dict[str, NDArray[Any]]:
    """The games one after the other, column by column."""
    searched = [search for game in games for search in game.searched]
    values, surprises, full, targets = zip(*searched, strict=True) if searched else ((), (), (), ())
    return {
        "boards": np.array([game.board for game in games], np.uint8),
        "moves": np.array([move for game in games for move in game.moves], np.uint32),
        "move_counts": np.array([len(game.moves) for game in games], np.uint32),
        "openings": np.array([game.opening for game in games], np.uint32),
        "values": np.array(values, np.float32),
        "surprises": np.array(surprises, np.float32),
        "full": np.array(full, np.uint8),
        "target_counts": np.array([len(target) for target in targets], np.uint32),
        "indices": np.array([index for target in targets for index in target], np.uint32),
        "shares": np.array([share for target in targets for share in target.values()], np.float32),
    }


def from_arrays(arrays: Mapping[str, NDArray[Any]]) -> list[_core.PlayedGame]:
    """The games of `to_arrays`; ValueError where they are damaged."""
    try:
        columns = {name: iter(arrays[name].tolist()) for name in to_arrays([])}
    except KeyError as error:
        raise ValueError(f"the games in progress lack {error}") from None
    games = []
    for board, count, opening in zip(
        columns["boards"], columns["move_counts"], columns["openings"], strict=True
    ):
        moves = list(islice(columns["moves"], count))
        searched = []
        for value, surprise, full, size in islice(
            zip(*(columns[name] for name in ("values", "surprises", "full", "target_counts")), strict=False),
            count - opening,
        ):
            indices, shares = islice(columns["indices"], size), islice(columns["shares"], size)
            searched.append((value, surprise, bool(full), dict(zip(indices, shares, strict=True))))
        games.append(_core.PlayedGame(moves, [0.5, 0.5], opening, searched, board=board))
    return games
