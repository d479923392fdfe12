"""Letters for terminals that cannot show the symbols of boards and tables: `X` for ●, `O` for ○.

Installed as an error handler of the output's encoding, so it applies exactly where a symbol cannot be shown.
Most symbols become one letter, which keeps boards and columns aligned.
"""

from __future__ import annotations

import codecs
import unicodedata

NAME = "tesuji-letters"

LETTERS = {
    # boards
    "●": "X", "○": "O", "·": ".", "◆": "*", "⌂": "^", "━": "-", "╲": "\\", "█": "#",
    "▏": "|", "▎": "|", "▍": "|", "▌": "#", "▋": "#", "▊": "#", "▉": "#",
    "♠": "S", "♥": "H", "♦": "D", "♣": "C",
    # tables
    "─": "-", "│": "|", "╺": "-", "╸": "-", "╌": "-", "┃": "|",
    "✓": "+", "✗": "x", "–": "-", "—": "-", "−": "-", "×": "x", "±": "+/-", "…": "...", "•": "*",
    # mathematics
    "≤": "<=", "≥": ">=", "≠": "!=", "∞": "inf", "√": "sqrt ", "→": "->", "←": "<-",
    "½": "1/2", "¼": "1/4", "²": "^2", "Σ": "sum ",
    "α": "alpha", "β": "beta", "θ": "theta", "λ": "lambda", "ν": "nu", "σ": "sigma",
    "“": '"', "”": '"', "‘": "'", "’": "'", "\N{NO-BREAK SPACE}": " ", "\N{REPLACEMENT CHARACTER}": "?",
}  # fmt: skip


def letters(text: str) -> str:
    """The text in ASCII: `letters("● = Black") == "X = Black"`; accents are dropped, the rest is `?`."""
    return "".join(LETTERS.get(one) or _plain(one) for one in text)


def install() -> None:
    """Make the handler known to Python's encodings."""
    codecs.register_error(NAME, _handle)


def _plain(one: str) -> str:
    return unicodedata.normalize("NFKD", one).encode("ascii", "ignore").decode() or "?"


def _handle(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return letters(error.object[error.start : error.end]), error.end
