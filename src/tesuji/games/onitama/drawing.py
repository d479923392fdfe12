"""Pictures of Onitama: text for the terminal, SVG for notebooks and the browser.

Both are pure functions of the squares (`OnitamaState.cells()`), the five cards (Blue's two, Red's two, the
side card) and the side to move. Blue is at the bottom. Cards show their steps on this board: Red's are
rotated by 180°, and the side card is shown for the side to move, who gets it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import hypot

from tesuji.games.drawing import bracketed, check_heat, svg_document
from tesuji.games.onitama import shapes
from tesuji.games.onitama.cards import BLUE, RED, Card
from tesuji.games.onitama.notation import SQUARES, WIDTH, square_text, turn_of
from tesuji.games.onitama.shapes import COLOURS

PLAYERS = ("Blue", "Red")
TEMPLES = (2, 22)
KINDS = ("empty", "Blue student", "Blue master", "Red student", "Red master")


def reach(card: Card, player: int) -> set[tuple[int, int]]:
    """A card's steps on the drawn board, as (right, up).

    >>> sorted(reach(Card("Ox", 0, ((0, 1), (1, 0), (0, -1))), 1))
    [(-1, 0), (0, -1), (0, 1)]
    """
    sign = 1 if player == BLUE else -1
    return {(sign * right, sign * forward) for right, forward in card.steps}


def draw_text(cells: bytes, held: Sequence[Card], player: int, *, last_move: int | None = None) -> str:
    """Draw the table as text: capitals are masters, brackets surround the piece that moved last.

    >>> from tesuji.games.onitama.cards import TABLE, parse_deal
    >>> start = bytes([1, 1, 2, 1, 1, *[0] * 15, 3, 3, 4, 3, 3])
    >>> print(draw_text(start, [TABLE[card] for card in parse_deal("ox-boar-horse-elephant-crab")], 0))
                     Blue (to move)         Red                    side
                     Ox         Boar        Horse      Elephant    Crab
     5  r r R r r    · · · · ·  · · · · ·   · · · · ·  · · · · ·   · · · · ·
     4  · · · · ·    · · ● · ·  · · ● · ·   · · ● · ·  · · · · ·   · · ● · ·
     3  · · · · ·    · · ◆ ● ·  · ● ◆ ● ·   · · ◆ ● ·  · ● ◆ ● ·   ● · ◆ · ●
     2  · · · · ·    · · ● · ·  · · · · ·   · · ● · ·  · ● · ● ·   · · · · ·
     1  b b B b b    · · · · ·  · · · · ·   · · · · ·  · · · · ·   · · · · ·
        a b c d e
    """
    target = None if last_move is None else turn_of(last_move).squares
    heads = [f"{name}{' (to move)' if seat == player else ''}" for seat, name in enumerate(PLAYERS)]
    lines = [
        f"{'':17}{heads[BLUE]:23}{heads[RED]:23}side",
        f"{'':17}" + "".join(f"{card.name:{width}}" for card, width in zip(held, _GAPS, strict=True)),
    ]
    patterns = [_pattern(card, seat) for card, seat in zip(held, (BLUE, BLUE, RED, RED, player), strict=True)]
    for row in reversed(range(WIDTH)):
        symbols = [_symbol(cells, row * WIDTH + column) for column in range(WIDTH)]
        column = target[1] % WIDTH if target is not None and target[1] // WIDTH == row else None
        body = bracketed(symbols, column)
        side = "".join(f"{pattern[row]:{width}}" for pattern, width in zip(patterns, _GAPS, strict=True))
        lines.append(f" {row + 1} {body}   {side}")
    return "\n".join(line.rstrip() for line in [*lines, f"    {' '.join('abcde')}"])


_GAPS = (11, 12, 11, 12, 10)  # the width of each card's column


def _symbol(cells: bytes, square: int) -> str:
    return "⌂" if not cells[square] and square in TEMPLES else "·bBrR"[cells[square]]


def _pattern(card: Card, player: int) -> list[str]:
    """A card's five rows, the lowest first."""
    steps = reach(card, player)
    marks = [
        ["●" if (x, y) in steps else "◆" if (x, y) == (0, 0) else "·" for x in range(-2, 3)]
        for y in range(-2, 3)
    ]
    return [" ".join(row) for row in marks]


# Layout in pixels: cards are above, below, left and right of the board.
_UNIT = 60
_CARD_WIDTH, _CARD_HEIGHT, _GAP = 132, 84, 20
_FRAME = 22
_LEFT = _CARD_WIDTH + _GAP + _FRAME
_TOP = _CARD_HEIGHT + _GAP + _FRAME
_BOARD = WIDTH * _UNIT
_ALL_WIDTH = 2 * _LEFT + _BOARD
_ALL_HEIGHT = 2 * _TOP + _BOARD


def draw_svg(
    cells: bytes,
    held: Sequence[Card],
    player: int | None,
    *,
    last_move: int | None = None,
    heat: Mapping[int, float] | None = None,
    labels: Mapping[int, str] | None = None,
    names: Mapping[int, str] | None = None,
) -> str:
    """Draw the table as a standalone SVG; `player` is None when the game is over.

    `heat` draws moves as arrows, scaled by their share of the largest value (such as visits); `labels` are
    short texts beside them, `names` their tooltips. Squares, cards and arrows have titles.

    >>> from tesuji.games.onitama.cards import TABLE
    >>> draw_svg(bytes(25), TABLE[:5], 0).startswith("<svg ")
    True
    """
    if len(cells) != SQUARES or any(cell > 4 for cell in cells):
        raise ValueError(f"a board has {SQUARES} squares, each from 0 to 4; got {cells!r}")
    check_heat(heat or {}, lambda move: f"move {move}")
    title = _summary(cells, held, player)
    moved = None if last_move is None else turn_of(last_move).squares
    parts = [
        shapes.DEFINITIONS,
        *_table(player),
        *_cards(held, player),
        *(_square(cells, square, moved) for square in range(SQUARES)),
        *_arrows(heat or {}, labels or {}, names or {}),
    ]
    return svg_document(title, f"0 0 {_ALL_WIDTH} {_ALL_HEIGHT}", _ALL_WIDTH * 1.3, parts)


def _summary(cells: bytes, held: Sequence[Card], player: int | None) -> str:
    counts = [sum(cell in kinds for cell in cells) for kinds in ((1, 2), (3, 4))]
    turn = "the game is over" if player is None else f"{PLAYERS[player]} to move"
    one, two, three, four, side = (card.name for card in held)
    hands = f"Blue has {one} and {two}, Red {three} and {four}, {side} lies aside"
    return f"Onitama, {counts[BLUE]} blue and {counts[RED]} red pieces, {turn}; {hands}"


def _centre(square: int) -> tuple[float, float]:
    return _LEFT + (square % WIDTH + 0.5) * _UNIT, _TOP + (WIDTH - square // WIDTH - 0.5) * _UNIT


def _table(player: int | None) -> list[str]:
    """The frame of the board, the coordinates, and a bar at the side to move."""
    x, y, size = _LEFT - _FRAME, _TOP - _FRAME, _BOARD + 2 * _FRAME
    parts = [
        f'<rect x="{x}" y="{y}" width="{size}" height="{size}" rx="10" fill="{COLOURS["frame"]}"/>',
    ]
    if player is not None:
        edge = _TOP + _BOARD + 17 if player == BLUE else _TOP - 21
        parts.append(
            f'<rect x="{_LEFT}" y="{edge}" width="{_BOARD}" height="4" rx="2" fill="{COLOURS["turn"]}">'
            f"<title>{PLAYERS[player]} to move</title></rect>"
        )
    names: list[tuple[float, float, str]] = []
    for index in range(WIDTH):
        across, down = _centre(index)[0], _centre(index * WIDTH)[1]
        names += [(across, _TOP - 9, "abcde"[index]), (across, _TOP + _BOARD + 8, "abcde"[index])]
        names += [(_LEFT - 11, down, str(index + 1)), (_LEFT + _BOARD + 11, down, str(index + 1))]
    style = f'font-size="11" font-weight="600" text-anchor="middle" fill="{COLOURS["cell"]}"'
    texts = "".join(f'<text x="{x:g}" y="{y:g}" dy="0.36em">{name}</text>' for x, y, name in names)
    return [*parts, f'<g {style} aria-hidden="true">{texts}</g>']


def _cards(held: Sequence[Card], player: int | None) -> list[str]:
    """Hands in front of their players; the side card to the right of the side to move, who gets it."""
    middle = _ALL_WIDTH / 2
    left, right = middle - _CARD_WIDTH - _GAP / 2, middle + _GAP / 2
    bottom, beside = _ALL_HEIGHT - _CARD_HEIGHT, (_ALL_HEIGHT - _CARD_HEIGHT) / 2
    ends = (0.0, float(_ALL_WIDTH - _CARD_WIDTH))
    receiver = BLUE if player is None else player
    here, there = ends[::-1] if receiver == BLUE else ends
    return [
        _card(held[0], BLUE, left, bottom, "Blue"),
        _card(held[1], BLUE, right, bottom, "Blue"),
        _card(held[2], RED, left, 0, "Red"),
        _card(held[3], RED, right, 0, "Red"),
        _card(held[4], receiver, here, beside, "aside"),
        f'<rect x="{there + 1:g}" y="{beside + 1:g}" width="{_CARD_WIDTH - 2}" height="{_CARD_HEIGHT - 2}" '
        f'rx="9" fill="none" stroke="{COLOURS["grid"]}" stroke-width="1.5" stroke-dasharray="5 5"/>',
    ]


def _card(card: Card, player: int, x: float, y: float, place: str) -> str:
    """A card: its name, its stamp, and its steps around a piece in the middle."""
    cell = 14
    left, top = x + _CARD_WIDTH - 5 * cell - 7, y + 7
    steps = reach(card, player)
    words = ", ".join(f"{right:+d} {up:+d}" for right, up in sorted(steps))
    parts = [
        f'<g role="img"><title>{escape(card.name)} ({place}), steps right and up: {words}</title>',
        f'<rect x="{x + 1:g}" y="{y + 1:g}" width="{_CARD_WIDTH - 2}" height="{_CARD_HEIGHT - 2}" rx="9" '
        f'fill="{COLOURS["card"]}" stroke="{COLOURS["grid"]}" stroke-width="1.5"/>',
        f'<text x="{x + 8:g}" y="{y + 24:g}" font-size="{min(12.0, 78 / len(card.name)):.3g}" '
        f'font-weight="700" fill="{COLOURS["ink"]}">{escape(card.name)}</text>',
        shapes.stamp(card.stamp, x + 17, y + _CARD_HEIGHT - 20),
    ]
    for column in range(5):
        for row in range(5):
            step = (column - 2, 2 - row)
            ink = "ink" if step == (0, 0) else ("blue", "red")[player] if step in steps else "empty"
            parts.append(
                f'<rect x="{left + column * cell:g}" y="{top + row * cell:g}" width="{cell - 1}" '
                f'height="{cell - 1}" rx="2" fill="{COLOURS[ink]}"/>'
            )
            if ink in ("blue", "red"):
                spot = f'cx="{left + column * cell + 6.5:g}" cy="{top + row * cell + 6.5:g}"'
                parts.append(f'<circle {spot} r="3" fill="{COLOURS["card"]}"/>')
    return "".join([*parts, "</g>"])


def _square(cells: bytes, square: int, moved: tuple[int, int] | None) -> str:
    x, y = _centre(square)
    words = [square_text(square), KINDS[cells[square]]]
    corner = f'x="{x - _UNIT / 2:g}" y="{y - _UNIT / 2:g}" width="{_UNIT}" height="{_UNIT}"'
    shade = "cell" if square % 2 else "shade"
    parts = [f'<rect {corner} fill="{COLOURS[shade]}" stroke="{COLOURS["grid"]}" stroke-width="1"/>']
    if square in TEMPLES:
        owner = TEMPLES.index(square)
        words.append(f"temple of {PLAYERS[owner]}")
        parts.append(shapes.temple(owner, x, y))
    if moved is not None and square in moved:
        words.append("last move" if square == moved[1] else "left by the last move")
        dashes = "" if square == moved[1] else ' stroke-dasharray="6 5"'
        inside = f'x="{x - 27:g}" y="{y - 27:g}" width="54" height="54" rx="6"'
        parts.append(f'<rect {inside} fill="none" stroke="{COLOURS["mark"]}" stroke-width="3.5"{dashes}/>')
    if cells[square]:
        owner, master = divmod(cells[square] - 1, 2)
        parts.append(shapes.piece(owner, bool(master), x, y))
    return f'<g role="img" data-square="{square}"><title>{", ".join(words)}</title>{"".join(parts)}</g>'


def _arrows(heat: Mapping[int, float], labels: Mapping[int, str], names: Mapping[int, str]) -> list[str]:
    """One arrow per move; moves between the same squares by two cards are drawn side by side."""
    most = max(heat.values(), default=0.0) or 1.0
    ways: dict[tuple[int, int], int] = {}
    ended: dict[int, int] = {}
    arrows: list[str] = []
    texts: list[str] = []
    for move in sorted({*heat, *labels}, key=lambda move: -heat.get(move, 0.0)):
        squares = turn_of(move).squares
        if squares is None:
            continue
        shift = (0, 9, -9)[ways.setdefault(squares, 0) % 3]
        ways[squares] += 1
        (x0, y0), (x1, y1) = map(_centre, squares)
        length = hypot(x1 - x0, y1 - y0)
        across, along = (x1 - x0) / length, (y1 - y0) / length
        x0, x1 = (x - along * shift for x in (x0 + across * 14, x1 - across * 15))
        y0, y1 = (y + across * shift for y in (y0 + along * 14, y1 - along * 15))
        share = heat.get(move, 0.0) / most
        arrows.insert(
            0, shapes.arrow((x0, y0), (x1, y1), 2 + 5 * share, 0.35 + 0.6 * share, names.get(move, ""))
        )
        if move in labels:
            # Beyond the tip; labels of moves to the same square are stacked.
            x, y = _centre(squares[1])
            sign = -1 if along < 0 else 1
            texts.append(shapes.label(x, y + sign * (17 * ended.get(squares[1], 0) - 5), labels[move]))
            ended[squares[1]] = ended.get(squares[1], 0) + 1
    return [*arrows, *texts]
