"""An analysis as a table of its candidates: in columns of text, and as HTML for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from tesuji._helpers.tables import html_table, text_table

if TYPE_CHECKING:
    from tesuji.search.analysis import Analysis, Candidate

UNKNOWN = "–"
ROWS = 10
"""Candidates in a table, unless all are asked for."""
LINE_LETTERS = 60


def proof_text(found: Analysis | Candidate) -> str:
    """A proven result: `win`, `loss in 6 plies`; empty if nothing is proven."""
    if found.proven is None:
        return ""
    word = {0.0: "loss", 0.5: "draw", 1.0: "win"}.get(found.proven, f"{found.proven:.2f}")
    if found.plies is None:
        return word
    most = "" if getattr(found, "exact", True) else "≤ "
    return f"{word} in {most}{found.plies} {'ply' if found.plies == 1 else 'plies'}"


def value_text(candidate: Candidate) -> str:
    """The mover's mean score: `43.2%`; `≤ 43.2%` for a bound, `–` if unknown."""
    bound = candidate.proven is None and not candidate.exact
    if bound and candidate.value in (0.0, 1.0) or not (candidate.visits or candidate.proven is not None):
        return UNKNOWN  # an unsearched move has the value 0
    return f"{'≤ ' if bound else ''}{candidate.value:.1%}"


def effort_text(analysis: Analysis) -> str:
    """The size of a search: `2,000 simulations`, or `96,948 nodes, depth 8`."""
    if analysis.depth is None:
        return f"{analysis.iterations:,} simulation{'' if analysis.iterations == 1 else 's'}"
    return f"{analysis.nodes:,} node{'' if analysis.nodes == 1 else 's'}, depth {analysis.depth}"


def candidate_columns(analysis: Analysis, rows: int, *, value: str = "value") -> dict[str, list[str]]:
    """The best candidates as columns of text, without their lines; `value` names that column."""
    candidates = analysis.candidates[:rows]
    columns: dict[str, list[str]] = {
        "move": [analysis.state.text(candidate.move) for candidate in candidates],
        "visits": [f"{candidate.visits:,}" for candidate in candidates],
        value: [value_text(candidate) for candidate in candidates],
        "prior": [f"{candidate.prior:.1%}" for candidate in candidates],
    }
    if any(candidate.amaf is not None for candidate in candidates):
        columns["RAVE"] = [UNKNOWN if c.amaf is None else f"{c.amaf:.1%}" for c in candidates]
    if any(candidate.proven is not None for candidate in candidates):
        columns["proven"] = [proof_text(candidate) for candidate in candidates]
    return columns


def analysis_text(analysis: Analysis, rows: int = ROWS) -> str:
    """The analysis as lines of text: candidates, and a summary of the search."""
    table = text_table(_with_lines(analysis, rows), left=("move", "line"))
    return "\n".join([*table, *_notes(analysis, rows)])


def analysis_html(analysis: Analysis, rows: int = ROWS) -> str:
    """The same table as HTML."""
    return html_table(_with_lines(analysis, rows)) + "".join(
        f"<div>{escape(line)}</div>" for line in _notes(analysis, rows)
    )


def _with_lines(analysis: Analysis, rows: int) -> dict[str, list[str]]:
    lines = [" ".join(analysis.texts(candidate.line)) for candidate in analysis.candidates[:rows]]
    cut = [line if len(line) <= LINE_LETTERS else f"{line[:LINE_LETTERS].rstrip()}…" for line in lines]
    return {**candidate_columns(analysis, rows), "line": cut}


def _notes(analysis: Analysis, rows: int) -> list[str]:
    hidden = len(analysis.candidates) - rows
    proof = proof_text(analysis)
    best = f"Best: {analysis.state.text(analysis.move)}, {analysis.value:.1%}"
    return [
        *([f"… and {hidden:,} more"] if hidden > 0 else []),
        f"{best}{proof and f', proven {proof}'} · {effort_text(analysis)}, stopped by {analysis.stopped}",
    ]
