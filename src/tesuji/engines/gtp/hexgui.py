"""HexGui's analyze commands: the bot's analysis, shown on the board.

HexGui asks `hexgui-analyze_commands` for a list with one `type/label/command` per line, and draws an answer
by its type: `pspairs` writes texts on cells, `gfx` colours them by numbers in [0, 1], `var` numbers the
stones of a line, `plist` marks cells, `string` is text. All answers come from one `bot.analyse` of the
position.
"""

from __future__ import annotations

from tesuji.engines.gtp.engine import GtpEngine
from tesuji.engines.gtp.protocol import command
from tesuji.engines.gtp.wire import RESIGN_WORD, SWAP_WORDS
from tesuji.search import Analysis, Candidate

ALWAYS = (
    "plist/Legal Moves/all_legal_moves",
    "string/Best Move/reg_genmove %m",
    "string/Final Score/final_score",
    "string/Show Board/showboard",
)
WITH_ANALYSIS = (
    "gfx/Tesuji Candidates/tesuji-candidates",
    "pspairs/Tesuji Win Rates/tesuji-values",
    "pspairs/Tesuji Visits/tesuji-visits",
    "var/Tesuji Line/tesuji-line",
    "string/Tesuji Analysis/tesuji-analyse",
)
NO_CELLS = {RESIGN_WORD, *SWAP_WORDS.values()}
ROWS = 10


@command("hexgui-analyze_commands")
def analyze_commands(engine: GtpEngine) -> str:
    """The analyze commands for this bot."""
    return "\n".join((*WITH_ANALYSIS, *ALWAYS) if engine.timed.bot.analyses else ALWAYS)


@command("gogui-interrupt")
def gogui_interrupt(engine: GtpEngine) -> None:
    """Does nothing; listing the command announces that the line `# interrupt` stops a search."""


@command("all_legal_moves [COLOUR]")
def all_legal_moves(engine: GtpEngine, colour: str = "") -> str:
    """All legal moves of the side to move."""
    position = engine.position
    return " ".join(position.word(move) for move in position.state.moves())


@command("tesuji-candidates")
def candidates(engine: GtpEngine) -> str:
    """Cells coloured by visits, and a summary of the search."""
    analysis = _analysis(engine)
    most = max(candidate.visits for candidate in analysis.candidates) or 1
    shown = " ".join(f"{word} {found.visits / most:.3f}" for word, found in _cells(engine, analysis))
    best = engine.position.word(analysis.move)
    return f"INFLUENCE {shown}\nTEXT {best}, win rate {analysis.value:.1%}, {analysis.visits} visits"


@command("tesuji-values")
def values(engine: GtpEngine) -> str:
    """Cells with the win rate of the side to move in percent; W, L or D where proven."""
    return " ".join(f"{word} {_worth(found)}" for word, found in _cells(engine, _analysis(engine)))


@command("tesuji-visits")
def visits(engine: GtpEngine) -> str:
    """Cells with their visits."""
    return " ".join(f"{word} {found.visits}" for word, found in _cells(engine, _analysis(engine)))


@command("tesuji-line")
def line(engine: GtpEngine) -> str:
    """The principal variation up to the first move that is not a cell."""
    words = _line(engine, _analysis(engine).candidates[0])
    ends = [number for number, word in enumerate(words) if word in NO_CELLS]
    return " ".join(words[: ends[0]] if ends else words)


@command("tesuji-analyse [ROWS]")
def analyse(engine: GtpEngine, rows: str = str(ROWS)) -> str:
    """One line per candidate, best first."""
    if not rows.isdecimal():
        raise ValueError("syntax error; expected tesuji-analyse [ROWS]")
    return "\n".join(
        f"{engine.position.word(found.move)} visits {found.visits} value {found.value:.4f} "
        f"prior {found.prior:.4f} proven {_worth(found) if found.proven is not None else '-'} "
        f"line {' '.join(_line(engine, found))}"
        for found in _analysis(engine).candidates[: int(rows[:9])]
    )


def _analysis(engine: GtpEngine) -> Analysis:
    """The bot's analysis of the position, cached until a move is played."""
    state = engine.position.state
    if not engine.timed.bot.analyses:
        raise ValueError(f"the bot {engine.timed.spec.name} has no analysis")
    if state.scores() is not None:
        raise ValueError("the game is over")
    if engine.analysis is None or engine.analysis.state is not state:
        engine.timed.limit(None)  # the clock is for moves, not for analysis
        engine.analysis = engine.timed.bot.analyse(state)
    return engine.analysis


def _cells(engine: GtpEngine, analysis: Analysis) -> list[tuple[str, Candidate]]:
    """The searched candidates that are cells; a swap cannot be drawn."""
    found = [(engine.position.word(candidate.move), candidate) for candidate in analysis.candidates]
    seen = [(word, one) for word, one in found if one.visits or one.proven is not None]
    return [(word, candidate) for word, candidate in seen if word not in NO_CELLS]


def _line(engine: GtpEngine, candidate: Candidate) -> list[str]:
    words, position = [], engine.position
    for move in candidate.line:
        words.append(position.word(move))
        position = position.play(move)
    return words


def _worth(candidate: Candidate) -> str:
    if candidate.proven is None:
        return f"{candidate.value * 100:.0f}"
    return {0.0: "L", 0.5: "D", 1.0: "W"}.get(candidate.proven, f"{candidate.proven:.2f}")
