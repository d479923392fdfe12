"""Recorded games as text: a list, a game with its moves, one position, or one after another by keys."""

from __future__ import annotations

import os
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tesuji.cli.shared.output import UNKNOWN, console, counted, plain_table
from tesuji.full_game import CHANCE
from tesuji.records import UNDATED, Note, Record
from tesuji.records.record import LOST_ON_TIME
from tesuji.records.serialization import as_dict, result_of
from tesuji.records.store import StoredRecord
from tesuji.records.verification import Replayed

COLUMNS = ("#", "date", "game", "players", "result", "moves", "ending")
FOLDED = ("game", "players", "bots", "openings")
"""Columns of specs, which a narrow terminal shows in several lines."""
ENDING_TEXTS = {
    "played": "",
    "resigned": " resigned",
    "illegal": " made an illegal move",
    "crashed": " crashed",
    "hung": " did not answer",
}

FORWARD = {"", "\r", "\n", " ", "n", "\x1b[C", "\x1bOC", "\x1b[B", "\x1bOB"}  # also the arrows right and down
BACK = {"b", "p", "\x7f", "\x1b[D", "\x1bOD", "\x1b[A", "\x1bOA"}
FIRST = {"g", "\x1b[H", "\x1bOH", "\x1b[1~"}
LAST = {"G", "\x1b[F", "\x1bOF", "\x1b[4~"}
QUIT = {"q", "Q", "\x04"}
ONE_KEY = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Z]|.", re.DOTALL)
KEYS = "Enter or →: next · b or ←: back · g, G: first, last · q: quit"


def summary(stored: StoredRecord) -> dict[str, object]:
    """A game without its moves, for JSON."""
    data = full(stored)
    del data["notes"]
    return {**data, "moves": len(stored.record.moves)}


def full(stored: StoredRecord) -> dict[str, object]:
    """Everything about a game, for JSON."""
    place = {"match": stored.match or None, "round": stored.round}
    return {"number": stored.number, **as_dict(stored.record), "result": result_of(stored.record), **place}


def show_matches(found: Sequence[tuple[str, dict[str, Any], int]]) -> None:
    """A table of matches with their bots and number of games."""
    clocked = ["clock"] if any("clock" in plan for _, plan, _ in found) else []
    heads = ["match", "game", "bots", "openings", *clocked, "seed", "games"]
    rows = []
    for key, plan, games in found:
        cells = plan | {"match": key, "games": games, "bots": "\n".join(map(str, plan.get("bots", ())))}
        rows.append([str(cells.get(name, "")) for name in heads])
    console().print(plain_table(heads, rows, numbers=("seed", "games"), folded=FOLDED))


def show_list(found: Sequence[StoredRecord], fitting: int) -> None:
    """A table of games; players go on separate lines if one line is too narrow."""
    out = console()
    rows = [_row(stored, " – ") for stored in found]
    widths = [max(map(len, column)) for column in zip(COLUMNS, *rows, strict=True)]
    if sum(widths) + 2 * (len(widths) - 1) > out.width:
        rows = [_row(stored, "\n") for stored in found]
    out.print(plain_table(COLUMNS, rows, numbers=("#", "moves"), folded=FOLDED))
    if len(found) < fitting:
        left_out = f"Newest {len(found)} of {counted(fitting, 'game')}; show more with --limit N."
        out.print(Text(f"\n{left_out}", "dim"))


def _row(stored: StoredRecord, between: str) -> list[str]:
    record = stored.record
    players = between.join(map(printable, record.players))
    cells = [str(stored.number), date(record), printable(record.game), players]
    return [*cells, scores_text(record.scores), str(len(record.moves)), record.ending]


def show_game(stored: StoredRecord, game: Replayed, *, boards: bool = False) -> None:
    """The players, the moves with their evaluations, and the last board or all boards."""
    out = console()
    show_header(out, stored, game)
    record = stored.record
    if boards:
        for ply in range(len(game.positions)):
            show_board(out, stored, game, ply)
    else:
        if any(record.notes):
            out.print(_moves_table(record, game))
        elif record.moves:
            words = " ".join(
                f"{number}.\u00a0{printable(move)}" for number, move in enumerate(record.moves, 1)
            )
            out.print(Text(textwrap.fill(words, out.width, break_on_hyphens=False).replace("\u00a0", " ")))
        out.print(Text(f"\n{game.positions[-1].text}\n"), soft_wrap=True)
    out.print(Text(end_text(record, game), "bold"))


def show_position(stored: StoredRecord, game: Replayed, ply: int) -> None:
    """One position of a game."""
    out = console()
    show_header(out, stored, game)
    show_board(out, stored, game, ply)


def show_header(out: Console, stored: StoredRecord, game: Replayed) -> None:
    """The game's number, spec, date and players."""
    record = stored.record
    out.print(Text(f"Game {stored.number}: {printable(record.game)}, {date(record, time=True)}", "bold"))
    names = [f"{game.seat_names[seat]} (player {seat})" for seat in range(len(record.players))]
    width = max(map(len, names))
    for name, player in zip(names, record.players, strict=True):
        out.print(Text(f"{name:<{width}}  {printable(player)}"), soft_wrap=True)
    facts = [f"seed {record.seed}"] if record.seed is not None else []
    facts += (
        [f"match {printable(stored.match)}, round {stored.round}, leg {record.leg}"] if stored.match else []
    )
    if facts:
        out.print(Text(" · ".join(facts), "dim"))
    out.print()


def show_board(out: Console, stored: StoredRecord, game: Replayed, ply: int) -> None:
    """A position with the move that led to it."""
    record = stored.record
    if ply:
        note = record.notes[ply - 1] if record.notes else None
        thought = (
            f" ({', '.join(_thoughts(note))})" if note else " (opening)" if ply <= record.opening else ""
        )
        mover = _mover(game, ply - 1)
        out.print(
            Text(f"Move {ply} of {len(record.moves)}: {mover} {printable(record.moves[ply - 1])}{thought}")
        )
    else:
        out.print(Text(f"Start position, {counted(len(record.moves), 'move')} to come"))
    out.print(Text(f"\n{game.positions[ply].text}\n"), soft_wrap=True)


def end_text(record: Record, game: Replayed) -> str:
    """The end of a game in words."""
    after = f"after {counted(len(record.moves), 'move')}"
    if record.scores is None:
        return f"Unfinished {after}."
    best = max(record.scores)
    winners = [game.seat_names[seat] for seat, score in enumerate(record.scores) if score == best]
    losers = [game.seat_names[seat] for seat, score in enumerate(record.scores) if score != best]
    outcome = "a draw" if not losers else f"{' and '.join(winners)} win{'s' if len(winners) == 1 else ''}"
    shown = "" if sum(record.scores) == best == 1 or not losers else f", {scores_text(record.scores)}"
    if record.ending == "limit":
        why = " at the move limit"
    elif len(losers) == 1 and record.ending == "hung" and record.fault.endswith(LOST_ON_TIME):
        return f"{outcome[0].upper()}{outcome[1:]} {after}{shown}: {losers[0]} {LOST_ON_TIME}."
    elif len(losers) == 1 and ENDING_TEXTS.get(record.ending):
        why = f": {losers[0]}{ENDING_TEXTS[record.ending]}"
    else:
        why = "" if record.ending == "played" else f" ({record.ending})"
    fault = f" ({printable(record.fault)})" if record.fault else ""
    return f"{outcome[0].upper()}{outcome[1:]} {after}{shown}{why}{fault}."


def scores_text(scores: Sequence[float] | None) -> str:
    """Scores in short: `scores_text((1.0, 0.0)) == "1–0"`, `scores_text((0.5, 0.5)) == "½–½"`."""
    return (
        UNKNOWN if scores is None else "–".join("½" if score == 0.5 else f"{score:.3g}" for score in scores)
    )


def date(record: Record, *, time: bool = False) -> str:
    """The date of a game, in UTC."""
    if record.when == UNDATED:
        return "no date" if time else UNKNOWN
    return f"{record.when:%Y-%m-%d %H:%M} UTC" if time else f"{record.when:%Y-%m-%d}"


def printable(text: str) -> str:
    """The text without control characters: names may come from untrusted files."""
    return "".join(character if character.isprintable() else "�" for character in text)


def _moves_table(record: Record, game: Replayed) -> Table:
    rows = []
    notes = record.notes or [None] * len(record.moves)
    for number, (move, note) in enumerate(zip(record.moves, notes, strict=True), 1):
        thought = ["opening" if number <= record.opening else "", "", ""]
        if note:
            value = "" if note.value is None else f"{note.value:.1%}"
            thought = [value, "" if note.visits is None else f"{note.visits:,}", f"{note.seconds:.3f}"]
        rows.append([str(number), _mover(game, number - 1), printable(move), *thought])
    numbers = ("#", "value", "visits", "seconds")
    return plain_table(("#", "player", "move", *numbers[1:]), rows, numbers=numbers)


def _thoughts(note: Note) -> list[str]:
    parts = [] if note.value is None else [f"value {note.value:.1%}"]
    parts += [] if note.visits is None else [counted(note.visits, "visit")]
    return [*parts, f"{note.seconds:.3f} s"]


def _mover(game: Replayed, ply: int) -> str:
    player = game.positions[ply].player
    return "chance" if player == CHANCE else game.seat_names[player]


def step_through(stored: StoredRecord, game: Replayed) -> None:
    """Show positions one at a time, controlled by keys."""
    out = console()
    ply, last = 0, len(game.positions) - 1
    with _keys() as keys:
        while True:
            out.clear()
            show_header(out, stored, game)
            show_board(out, stored, game, ply)
            if ply == last:
                out.print(Text(end_text(stored.record, game), "bold"))
            out.print(Text(KEYS, "dim"))
            key = next(keys, "q")
            if key in QUIT:
                return
            if key in FORWARD:
                ply = min(ply + 1, last)
            elif key in BACK:
                ply = max(ply - 1, 0)
            elif key in FIRST:
                ply = 0
            elif key in LAST:
                ply = last


@contextmanager
def _keys() -> Iterator[Iterator[str]]:
    """Keys as they are pressed; lines on terminals without that. Ctrl-C still interrupts."""
    try:
        import termios
        import tty
    except ImportError:
        yield (line.strip() for line in sys.stdin)
        return
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)
        yield _pressed(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _pressed(terminal: int) -> Iterator[str]:
    """Single keys, also if several arrive at once; ends with the input."""
    while data := os.read(terminal, 64):
        yield from ONE_KEY.findall(data.decode(errors="replace"))
