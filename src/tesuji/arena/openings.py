"""Openings: the first moves of the games of a match. All games of a round share one.

The first move is a large advantage in most games, and two bots that always start from the same position play
few different games. So games start from balanced positions (a book), or at least different ones (random
moves).
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from pathlib import Path
from typing import cast

from tesuji._helpers.clipping import clip
from tesuji._helpers.seeds import derived_seed
from tesuji.any_game import nature_move, parse_move
from tesuji.full_game import CHANCE, FullGame, FullState, Move
from tesuji.registry import Registry
from tesuji.spec import Spec

openings = Registry("openings", "tesuji.openings", given=1)
"""Kinds of openings by name, created as `Kind(game, **options)`."""

TRIES = 100  # attempts to find a random opening that does not end the game
PLIES = 2
NEAR_PLIES = 3  # like swap2 in Gomoku
NEAR = 0.5  # minimum proximity: two steps from a stone in Gomoku
MAX_BYTES = 16 << 20


class Openings(ABC):
    """Provides the opening of each round."""

    lines: list[tuple[str, ...]] | None = None
    """All openings, where there is a list of them."""

    @abstractmethod
    def opening(self, seed: int, round: int) -> tuple[str, ...]:
        """The moves of the round's opening."""


@openings.register("none")
class NoOpenings(Openings):
    """Every game starts from the initial position."""

    def __init__(self, game: FullGame) -> None:
        pass

    def opening(self, seed: int, round: int) -> tuple[str, ...]:
        """No moves."""
        return ()


@openings.register("random")
class RandomOpenings(Openings):
    """Random legal moves, different in each round."""

    def __init__(self, game: FullGame, plies: int = PLIES) -> None:
        if plies < 0:
            raise ValueError(f"plies must be at least 0, not {plies}")
        self.game, self.plies = game, plies

    def opening(self, seed: int, round: int) -> tuple[str, ...]:
        """`plies` random moves; fewer if the game would end."""
        rng = random.Random(derived_seed(seed, "opening", round))
        best: tuple[str, ...] = ()
        for _ in range(TRIES):
            moves = self._walk(rng, derived_seed(seed, "deal", round))
            if len(moves) == self.plies:
                return moves
            best = max(best, moves, key=len)
        return best

    def _walk(self, rng: random.Random, deal: int) -> tuple[str, ...]:
        state, moves = self.game.start(deal), []
        for _ in range(self.plies):
            chance = state.player == CHANCE
            move = nature_move(state, rng) if chance else rng.choice(self._choices(state))
            after = state.play(move)
            if after.scores() is not None:
                break
            moves.append(state.text(move))
            state = after
        return tuple(moves)

    def _choices(self, state: FullState) -> list[Move]:
        return list(state.moves())


@openings.register("near")
class NearOpenings(RandomOpenings):
    """Random moves near earlier stones; for games whose knowledge has a proximity."""

    def __init__(self, game: FullGame, plies: int = NEAR_PLIES) -> None:
        super().__init__(game, plies)
        proximity = game.knowledge.proximity
        if proximity is None:
            raise ValueError(
                f"{game.display_name} has no proximity for near openings; use random:plies={PLIES}"
            )
        self._proximity = proximity

    def _choices(self, state: FullState) -> list[Move]:
        moves = list(state.moves())
        weights = self._proximity(state.own, state.player, moves, False)
        near = [move for move, weight in zip(moves, weights, strict=True) if weight >= NEAR]
        return near or moves


@openings.register("book")
class Book(Openings):
    """The game's own balanced openings, shuffled by the seed."""

    lines: list[tuple[str, ...]]

    def __init__(self, game: FullGame) -> None:
        lines = game.openings
        if not lines:
            raise ValueError(f"{game.display_name} has no book; use random:plies={PLIES} or file:path=…")
        self.lines = [
            _checked(game, line, f"opening {number} of the book") for number, line in enumerate(lines, 1)
        ]

    def opening(self, seed: int, round: int) -> tuple[str, ...]:
        """Every opening is used once before any repeats."""
        order = list(range(len(self.lines)))
        random.Random(derived_seed(seed, "book", round // len(order))).shuffle(order)
        return self.lines[order[round % len(order)]]


@openings.register("file")
class FileOpenings(Book):
    """Openings from a text file: one per line, moves separated by spaces; # starts a comment."""

    def __init__(self, game: FullGame, path: str) -> None:
        try:
            with Path(path).open("rb") as file:
                data = file.read(MAX_BYTES + 1)
            if len(data) > MAX_BYTES:
                raise ValueError(f"cannot read the openings in {path}: over {MAX_BYTES >> 20} MiB")
            text = data.decode("utf-8-sig")
        except OSError as error:
            raise ValueError(f"cannot read the openings in {path}: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise ValueError(f"cannot read the openings in {path}: not a text file") from error
        self.lines = [
            _checked(game, moves, f"line {number} of {path}")
            for number, line in enumerate(text.splitlines(), 1)
            if (moves := line.partition("#")[0].strip())
        ]
        if not self.lines:
            raise ValueError(f"no openings in {path}")


def make_openings(spec: str | None, game: FullGame) -> tuple[str, Openings]:
    """The spec and its openings.

    By default the game's book; else `none` if every game has a different deal, or the game begins from a
    set-up position; else `near` if the game has a proximity; else `random`.
    """
    if spec is None:
        if game.openings:
            spec = "book"
        elif game.deals or game.rules != game:
            spec = "none"
        else:
            spec = f"random:plies={PLIES}" if game.knowledge.proximity is None else f"near:plies={NEAR_PLIES}"
    return spec, cast(Openings, openings.make(Spec.parse(spec), game))


def _checked(game: FullGame, line: str, where: str) -> tuple[str, ...]:
    """The moves of an opening; ValueError if one is illegal or ends the game."""
    state, moves = game.start(0), line.replace(",", " ").split()
    try:
        for text in moves:
            state = state.play(parse_move(state, text))
    except ValueError as error:
        raise ValueError(f"{where}, {clip(line)}: {error}") from error
    if state.scores() is not None:
        raise ValueError(f"{where}, {clip(line)}: it ends the game")
    return tuple(moves)
