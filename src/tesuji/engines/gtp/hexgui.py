"""What HexGui's window of analyze commands can show: the bot's analysis upon the board.

HexGui asks `hexgui-analyze_commands` for a list, one `type/label/command` a line, and draws an answer by its
type: `pspairs` writes texts on cells, `gfx` colours them by numbers in [0, 1], `var` numbers the stones of a
line, `plist` marks cells, `string` is text. All of it comes from one `bot.analyse` of the position.
"""

from __future__ import annotations

from tesuji.engines.gtp.commands import command
from tesuji.engines.gtp.engine import GtpEngine
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
    """What HexGui may offer with this bot."""
    return "\n".join((*WITH_ANALYSIS, *ALWAYS) if hasattr(engine.timed.bot, "analyse") else ALWAYS)


@command("gogui-interrupt")
def gogui_interrupt(engine: GtpEngine) -> None:
    """Does nothing: that we know it says that a line `# interrupt` ends a search."""


@command("all_legal_moves [COLOUR]")
def all_legal_moves(engine: GtpEngine, colour: str = "") -> str:
    """Every move of the player to move."""
    position = engine.position
    return " ".join(position.word(move) for move in position.state.moves())


@command("tesuji-candidates")
def candidates(engine: GtpEngine) -> str:
    """Cells by how much attention they got, and the search in a line."""
    analysis = _analysis(engine)
    most = max(candidate.visits for candidate in analysis.candidates) or 1
    shown = " ".join(f"{word} {found.visits / most:.3f}" for word, found in _cells(engine, analysis))
    best = engine.position.word(analysis.move)
    return f"INFLUENCE {shown}\nTEXT {best}, win rate {analysis.value:.1%}, {analysis.visits} visits"


@command("tesuji-values")
def values(engine: GtpEngine) -> str:
    """Cells with the mover's win rate in percent; W, L and D where it is proven."""
    return " ".join(f"{word} {_worth(found)}" for word, found in _cells(engine, _analysis(engine)))


@command("tesuji-visits")
def visits(engine: GtpEngine) -> str:
    """Cells with their visits."""
    return " ".join(f"{word} {found.visits}" for word, found in _cells(engine, _analysis(engine)))


@command("tesuji-line")
def line(engine: GtpEngine) -> str:
    """The expected course of the game, as far as it is made of stones."""
    words = _line(engine, _analysis(engine).candidates[0])
    ends = [number for number, word in enumerate(words) if word in NO_CELLS]
    return " ".join(words[: ends[0]] if ends else words)


@command("tesuji-analyse [ROWS]")
def analyse(engine: GtpEngine, rows: str = str(ROWS)) -> str:
    """A line for each of the best moves, for programs and people."""
    if not rows.isdecimal():
        raise ValueError("syntax error; expected tesuji-analyse [ROWS]")
    return "\n".join(
        f"{engine.position.word(found.move)} visits {found.visits} value {found.value:.4f} "
        f"prior {found.prior:.4f} proven {_worth(found) if found.proven is not None else '-'} "
        f"line {' '.join(_line(engine, found))}"
        for found in _analysis(engine).candidates[: int(rows[:9])]
    )


def _analysis(engine: GtpEngine) -> Analysis:
    """The bot's analysis of the position; the same one again, as long as nothing is played."""
    state = engine.position.state
    if not hasattr(engine.timed.bot, "analyse"):
        raise ValueError(f"the bot {engine.timed.spec.name} gives no analysis")
    if state.scores() is not None:
        raise ValueError("the game is over")
    if engine.analysis is None or engine.analysis.state is not state:
        engine.timed.limit(None)  # not the clock's time: nobody waits for a move
        engine.analysis = engine.timed.bot.analyse(state)
    analysis: Analysis = engine.analysis
    return analysis


def _cells(engine: GtpEngine, analysis: Analysis) -> list[tuple[str, Candidate]]:
    """The candidates that were looked at and are cells: HexGui has no place to write upon a swap."""
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
