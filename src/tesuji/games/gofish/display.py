"""What people see of Go Fish: text for the terminal, SVG for notebooks, JSON for the browser, asks in words.

All of it shows the table as one seat sees it: its own cards face up; of the others' cards those that are
publicly known, and the rest face down.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import TYPE_CHECKING

from tesuji.games.drawing import check_heat, svg_document
from tesuji.games.gofish.cards import RANK_NAMES, RANKS
from tesuji.games.gofish.observed import SHOWN

if TYPE_CHECKING:
    from tesuji.games.gofish.state import GoFishState

CLOSED = "?"


def shown_hand(state: GoFishState, player: int, seat: int | None) -> list[str]:
    """A hand as a seat sees it, one text per card.

    >>> import tesuji
    >>> state = tesuji.replay("gofish", "A", seed=7)
    >>> shown_hand(state, 0, seat=1)
    ['A', '?', '?', '?', '?', '?', '?', '?']
    """
    numbers = state.hand(player) if player == seat else state.sure(player)
    known = _names(numbers)
    return known + [CLOSED] * (state.hand_sizes[player] - len(known))


def draw_text(state: GoFishState, seat: int | None) -> str:
    """Draw the table as text.

    >>> import tesuji
    >>> print(draw_text(tesuji.replay("gofish", "A", seed=7), 1))
      player 0    A ? ? ? ? ? ? ?        books 0
    * player 1    2 4 6 6 7 10 Q         books 0
      deck        37 cards
    """
    hands = [" ".join(shown_hand(state, player, seat)) for player in range(state.game.players)]
    width = max(20, *map(len, hands))
    lines = []
    for player, hand in enumerate(hands):
        mark = "*" if player == state.player and state.scores() is None else " "
        books = [RANK_NAMES[rank] for rank in state.books(player)]
        laid = f"books {len(books)}{': ' if books else ''}{' '.join(books)}"
        lines.append(f"{mark} player {player}    {hand:{width}}   {laid}")
    left = state.deck_size
    return "\n".join([*lines, f"  deck        {left} card{'' if left == 1 else 's'}"])


_WIDTH, _HEIGHT = 44, 62  # of a card
_STEP, _ROW = 24, 100  # from one card to the next, from one player to the next
_LEFT, _ALL = 96, 760
_INK, _PAPER, _BACK, _TABLE, _TURN = "#1f2933", "#fffdf7", "#8aa4c8", "#e7efe4", "#d9822b"


def draw_svg(state: GoFishState, seat: int, *, heat: Mapping[int, float], labels: Mapping[int, str]) -> str:
    """Draw the table as a standalone SVG.

    `heat` raises the seat's cards by the value of asking for them, relative to the largest; `labels` are
    short texts above them, for the best player to ask.
    """
    check_heat(heat, lambda move: f"move {move}")
    rows = [line for player in range(state.game.players) for line in _row(state, player, seat, heat, labels)]
    height = state.game.players * _ROW + 46
    over = state.scores() is not None
    turn = "the game is over" if over else f"player {state.player} to ask"
    title = f"Go Fish, {turn}, as seen by player {seat}"
    deck = f"{state.deck_size} cards in the deck"
    table = f'<rect width="{_ALL}" height="{height}" rx="12" fill="{_TABLE}"/>'
    below = f'<text x="16" y="{height - 16}" font-size="14" fill="{_INK}">{deck}</text>'
    return svg_document(title, f"0 0 {_ALL} {height}", _ALL, [table, *rows, below])


def _row(
    state: GoFishState, player: int, seat: int, heat: Mapping[int, float], labels: Mapping[int, str]
) -> list[str]:
    top = player * _ROW + 30
    turn = player == state.player and state.scores() is None
    books = " ".join(RANK_NAMES[rank] for rank in state.books(player)) or "none"
    ink = f'fill="{_TURN if turn else _INK}"'
    parts = [
        f'<text x="16" y="{top + 24}" font-size="15" font-weight="700" {ink}>player {player}</text>',
        f'<text x="16" y="{top + 44}" font-size="12" fill="{_INK}">books: {books}</text>',
    ]
    best: dict[str, int] = {}
    for move, value in heat.items():
        name = RANK_NAMES[move % RANKS]
        if name not in best or value > heat[best[name]]:
            best[name] = move
    most = max(heat.values(), default=0.0) or 1.0
    hand = shown_hand(state, player, seat)
    step = min(_STEP, (_ALL - _LEFT - _WIDTH - 16) / max(1, len(hand) - 1))
    for place, name in enumerate(hand):
        marked = best.get(name) if player == seat else None
        lift = 0.0 if marked is None else 14 * heat[marked] / most
        x, y = _LEFT + 34 + place * step, top - lift
        parts.append(_card(name, x, y))
        if marked is not None and marked in labels and name not in hand[:place]:
            label = f'<text x="{x + 4:g}" y="{y - 4:g}" font-size="10" fill="{_INK}">'
            parts.append(f"{label}{escape(labels[marked])}</text>")
    return parts


def _card(name: str, x: float, y: float) -> str:
    closed = name == CLOSED
    fill = _BACK if closed else _PAPER
    box = f'x="{x:g}" y="{y:g}" width="{_WIDTH}" height="{_HEIGHT}" rx="6"'
    face = f'<rect {box} fill="{fill}" stroke="{_INK}"/>'
    text = f'<text x="{x + 5:g}" y="{y + 18:g}" font-size="14" font-weight="700" fill="{_INK}">{name}</text>'
    title = "face-down card" if closed else name
    return f'<g role="img"><title>{title}</title>{face}{"" if closed else text}</g>'


def gofish_board_view(state: GoFishState, viewer: int | None) -> dict[str, object]:
    """Hands, books and the deck. Until the game is over, only the viewer's cards are open."""
    over = state.scores() is not None
    seats = [
        {
            "cards": _names(state.hand(seat)) if over or seat == viewer else None,
            "known": _names(state.sure(seat)),
            "count": count,
            "books": [RANK_NAMES[rank] for rank in state.books(seat)],
        }
        for seat, count in enumerate(state.hand_sizes)
    ]
    return {"kind": "gofish", "seats": seats, "deck": state.deck_size, "viewer": viewer}


def _names(counts: Iterable[int]) -> list[str]:
    return [RANK_NAMES[rank] for rank, count in enumerate(counts) for _ in range(count)]


def narrate(state: GoFishState, seat: int | None) -> str:
    """The last ask and what it led to.

    >>> import tesuji
    >>> state = tesuji.replay("gofish", "A", seed=7)
    >>> narrate(state, 1)
    'Player 0 asks you for A: go fish. Player 0 draws a card.'
    """
    turn = state.turns[-1]
    rank, asker = RANK_NAMES[turn.rank], turn.asker
    if turn.given:
        reply = f"{turn.given} card{'s' if turn.given > 1 else ''}."
    elif turn.fished:
        reply = "go fish."
    else:
        reply = "none, and the deck is empty."
    whom = "you" if turn.target == seat else f"player {turn.target}"
    lines = [f"{_who(asker, seat)} {'ask' if asker == seat else 'asks'} {whom} for {rank}: {reply}"]
    drawn = state.drawn()
    if turn.fished:
        seen = turn.fished == SHOWN or asker == seat or turn.book >= 0
        lines.append(f"{_draws(asker, seat)} {RANK_NAMES[drawn[0]] if seen else 'a card'}.")
    if turn.book >= 0:
        lays = "lay" if asker == seat else "lays"
        lines.append(f"{_who(asker, seat)} {lays} down {RANK_NAMES[turn.book]}.")
    refills = drawn[1:] if turn.fished else drawn
    for player, card in zip(turn.drew, refills, strict=True):
        what = RANK_NAMES[card] if player == seat else "a card"
        lines.append(f"{_draws(player, seat)} {what}, having none.")
    return " ".join(lines)


def _who(player: int, seat: int | None) -> str:
    return "You" if player == seat else f"Player {player}"


def _draws(player: int, seat: int | None) -> str:
    return "You draw" if player == seat else f"Player {player} draws"
