"""The result of a search: the move, its value, the other candidates, and why the search stopped."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from tesuji.full_game import FullState, Move
from tesuji.search.analysis_text import analysis_html, analysis_text

Stopped: TypeAlias = Literal["iterations", "depth", "nodes", "seconds", "proven", "cancelled", "running"]


@dataclass(frozen=True)
class Candidate:
    """One move of the position, evaluated for the side to move."""

    move: Move
    visits: int
    value: float
    """Mean score in [0, 1], of `zero` as a probability; exact where proven, 0 where never visited."""
    prior: float
    """Its prior probability from the move ordering; the priors of a position add up to 1."""
    amaf: float | None
    """RAVE's value: the mean score of simulations in which the mover played it at any time."""
    proven: float | None
    """The exact score, where proven."""
    line: tuple[Move, ...]
    """The principal variation of this move, up to a chance move; with hidden cards, the move alone."""
    exact: bool = True
    """False where `value` is only an upper bound (alpha-beta)."""
    plies: int | None = None
    """Plies to the end, this move included, where alpha-beta has proven a win or a loss; an upper bound where
    not exact. MCTS knows them only from a tablebase."""


@dataclass(frozen=True)
class Analysis:
    """The result of `bot.analyse(state)`.

    >>> import tesuji
    >>> analysis = tesuji.MCTS(tesuji.game("hex:size=3"), iterations=2000, seed=1).analyse(
    ...     tesuji.replay("hex:size=3", "a1")
    ... )
    >>> analysis.proven, analysis.stopped
    (1.0, 'proven')

    `print(analysis)` shows the candidates as a table; a notebook shows it with the position's picture.
    """

    state: FullState = field(repr=False)
    move: Move
    value: float
    """The expected score of the side to move: for two players, the win probability."""
    proven: float | None
    """The exact score of the side to move, where proven."""
    iterations: int
    """Simulations of this search."""
    visits: int
    """Visits of the root, including those kept from earlier searches; the sum of the candidates' visits."""
    nodes: int
    bytes: int
    """Memory of the tree or table, with an estimate for the stored states of a Python game."""
    seconds: float
    stopped: Stopped
    """The limit or event that ended the search."""
    memory_full: bool
    """Memory ran out: the tree stopped growing; in alpha-beta, no more states of a Python game are stored."""
    candidates: tuple[Candidate, ...] = field(repr=False)
    """Every move, best first."""
    depth: int | None = None
    """Plies that alpha-beta has searched completely; None for other searches."""
    plies: int | None = None
    """Plies to the end of the game, where alpha-beta has proven a win or a loss: the shortest win or the
    longest defence, if the search stopped as proven. MCTS knows them only from a tablebase."""

    @property
    def line(self) -> tuple[Move, ...]:
        """The principal variation."""
        return self.candidates[0].line

    def texts(self, moves: tuple[Move, ...]) -> list[str]:
        """The moves of a line as text."""
        texts, state = [], self.state
        for number, move in enumerate(moves, 1):
            texts.append(state.text(move))
            if number < len(moves):
                state = state.play(move)
        return texts

    def svg(self) -> str:
        """The position as SVG with the candidates as a heat map; ValueError where the game cannot draw."""
        most = max((candidate.visits for candidate in self.candidates), default=0) or 1
        shown = [candidate for candidate in self.candidates if candidate.visits * 100 >= most]
        heat = {candidate.move: candidate.visits / most for candidate in shown}
        labels = {one.move: f"{'' if one.exact else '≤'}{one.value:.0%}" for one in shown[:8]}
        drawn = self.state.svg(heat=heat, labels=labels)
        if drawn is None:
            raise ValueError(f"{type(self.state.own).__name__} has no svg() to draw on")
        return drawn

    def __str__(self) -> str:
        return analysis_text(self)

    def _repr_svg_(self) -> str | None:
        return self.svg() if self.state.offers("svg") else None

    def _repr_html_(self) -> str:
        return f"{self._repr_svg_() or ''}{analysis_html(self)}"

    def as_dict(self, *, top: int | None = None) -> dict[str, Any]:
        """Everything as plain data with moves as texts, for JSON."""
        return {
            "move": self.state.text(self.move),
            "value": self.value,
            "proven": self.proven,
            "iterations": self.iterations,
            "visits": self.visits,
            "nodes": self.nodes,
            "bytes": self.bytes,
            "seconds": self.seconds,
            "stopped": self.stopped,
            "memory_full": self.memory_full,
            "depth": self.depth,
            "plies": self.plies,
            "candidates": [
                {
                    "move": self.state.text(candidate.move),
                    "visits": candidate.visits,
                    "value": candidate.value,
                    "prior": candidate.prior,
                    "amaf": candidate.amaf,
                    "proven": candidate.proven,
                    "line": self.texts(candidate.line),
                    "exact": candidate.exact,
                    "plies": candidate.plies,
                }
                for candidate in self.candidates[:top]
            ],
        }
