"""Openings: where the games of a match begin. Each round has one, and every leg of the round starts from it.

The first move is worth much in most games, and two bots that always begin at the same position play few
different games. So a match begins from positions that are even (a book), or at least different (random ones).
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, cast

from tesuji.arena.playing import nature_move
from tesuji.game import CHANCE, Game, Move, State, parse_move, shown, start, text_of
from tesuji.registry import Registry
from tesuji.seeds import derived_seed
from tesuji.spec import Spec

openings = Registry("openings", "tesuji.openings", given=1)
"""The kinds of openings by name; each is made as `Kind(game, **options)`."""

TRIES = 100  # to find a random opening that does not end the game
PLIES = 2
NEAR_PLIES = 3  # what swap2 begins with in Gomoku
NEAR = 0.5  # of a proximity: in Gomoku two steps from a stone
MOST_BYTES = 16 << 20


class Openings(Protocol):
    """Gives each round its opening."""

    def opening(self, seed: int, round: int) -> tuple[str, ...]:
        """The moves of this round's opening, as texts."""


@openings.register("none")
class NoOpenings:
    """Every game begins at the first position."""

    def __init__(self, game: Game) -> None:
        pass

    def opening(self, seed: int, round: int) -> tuple[str, ...]:
        """No moves."""
        return ()


@openings.register("random")
class RandomOpenings:
    """Random legal moves, others in each round."""

    def __init__(self, game: Game, plies: int = PLIES) -> None:
        if plies < 0:
            raise ValueError(f"plies must be at least 0, not {plies}")
        self.game, self.plies = game, plies

    def opening(self, seed: int, round: int) -> tuple[str, ...]:
        """So many random moves; fewer where the game would be over."""
        rng = random.Random(derived_seed(seed, "opening", round))
        best: tuple[str, ...] = ()
        for _ in range(TRIES):
            moves = self._walk(rng, derived_seed(seed, "deal", round))
            if len(moves) == self.plies:
                return moves
            best = max(best, moves, key=len)
        return best

    def _walk(self, rng: random.Random, deal: int) -> tuple[str, ...]:
        state, moves = start(self.game, deal), []
        for _ in range(self.plies):
            chance = state.player == CHANCE
            move = nature_move(state, rng) if chance else rng.choice(self._choices(state))
            after = state.play(move)
            if after.scores() is not None:
                break
            moves.append(text_of(state, move))
            state = after
        return tuple(moves)

    def _choices(self, state: State) -> list[Move]:
        return list(state.moves())


@openings.register("near")
class NearOpenings(RandomOpenings):
    """Random moves near the stones, as people play; for games whose knowledge has a proximity."""

    def __init__(self, game: Game, plies: int = NEAR_PLIES) -> None:
        super().__init__(game, plies)
        self._proximity = proximity_of(game)
        if self._proximity is None:
            raise ValueError(f"{shown(game)} does not know what is near; take random:plies={PLIES}")

    def _choices(self, state: State) -> list[Move]:
        moves = list(state.moves())
        weights: Any = self._proximity(state, state.player, moves, False)  # type: ignore[misc]
        near = [move for move, weight in zip(moves, weights, strict=True) if weight >= NEAR]
        return near or moves


def proximity_of(game: Game) -> Callable[..., Any] | None:
    """How near moves are, where the game's knowledge says so."""
    found: Callable[..., Any] | None = getattr(getattr(game, "knowledge", None), "proximity", None)
    return found


@openings.register("book")
class Book:
    """The game's own even openings, in an order that the seed decides."""

    def __init__(self, game: Game) -> None:
        lines = getattr(game, "openings", ())
        if not lines:
            raise ValueError(f"{shown(game)} has no book; take random:plies={PLIES} or file:path=…")
        self.lines = [
            _checked(game, line, f"opening {number} of the book") for number, line in enumerate(lines, 1)
        ]

    def opening(self, seed: int, round: int) -> tuple[str, ...]:
        """All openings once before any comes again."""
        order = list(range(len(self.lines)))
        random.Random(derived_seed(seed, "book", round // len(order))).shuffle(order)
        return self.lines[order[round % len(order)]]


@openings.register("file")
class FileOpenings(Book):
    """Openings from a text file: one a line, its moves with spaces between; # begins a comment."""

    def __init__(self, game: Game, path: str) -> None:
        try:
            with Path(path).open("rb") as file:
                data = file.read(MOST_BYTES + 1)
            if len(data) > MOST_BYTES:
                raise ValueError(f"cannot read the openings in {path}: over {MOST_BYTES >> 20} MiB")
            text = data.decode("utf-8-sig")
        except OSError as error:
            raise ValueError(f"cannot read the openings in {path}: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise ValueError(f"cannot read the openings in {path}: it is not a text file") from error
        self.lines = []
        for number, line in enumerate(text.splitlines(), 1):
            if moves := line.partition("#")[0].strip():
                self.lines.append(_checked(game, moves, f"line {number} of {path}"))
        if not self.lines:
            raise ValueError(f"there are no openings in {path}")


def make_openings(spec: str | None, game: Game) -> tuple[str, Openings]:
    """The openings that a spec describes, and the spec; without one, what suits the game best.

    That is its book, else nothing where the start is dealt anew each time, else random moves, and near ones
    where the game knows what is near.
    """
    if spec is None:
        if getattr(game, "openings", ()):
            spec = "book"
        elif _deals(game):
            spec = "none"
        else:
            spec = f"random:plies={PLIES}" if proximity_of(game) is None else f"near:plies={NEAR_PLIES}"
    return spec, cast(Openings, openings.make(Spec.parse(spec), game))


def _checked(game: Game, line: str, where: str) -> tuple[str, ...]:
    """The moves of an opening; ValueError where one is not legal, or ends the game."""
    state, moves = start(game, 0), line.replace(",", " ").split()
    try:
        for text in moves:
            state = state.play(parse_move(state, text))
    except ValueError as error:
        raise ValueError(f"{where}, {line!r}: {error}") from error
    if state.scores() is not None:
        raise ValueError(f"{where}, {line!r}: the game is over after it")
    return tuple(moves)


def _deals(game: Game) -> bool:
    try:
        return "seed" in inspect.signature(game.start).parameters
    except ValueError:
        return False
