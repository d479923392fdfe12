"""A table as JSON: at one ply, as seen from one seat. Cells are named like moves: the page needs no rules."""

from __future__ import annotations

from collections.abc import Iterable
from time import monotonic
from typing import Any

from tesuji.any_game import parse_move
from tesuji.full_game import CHANCE, FullGame, FullState, Move
from tesuji.records import PERSON
from tesuji.records.record import LOST_ON_TIME
from tesuji.spec import Spec
from tesuji.web.schema import MoveView, SeatView, TableView, Thinking
from tesuji.web.tables.table import Conflict, Table, TableMove

FORFEITS = {
    "resigned": "resigns",
    "hung": "does not respond",
    "illegal": "plays an illegal move",
    "crashed": "crashes",
}
HIDDEN_MOVE = "…"
LOG_LENGTH = 30  # moves in the log of a game with hidden cards
DESCRIBED = "board"  # the kind of boards that a game describes by `board()`


def view(
    table: Table, *, ply: int | None = None, seat: int | None = None, thinking_since: float | None = None
) -> TableView:
    """The table at a ply (None: now), as seen from a seat."""
    plies = len(table.played)
    ply = plies if ply is None else ply
    table.check_ply(ply)
    viewer = viewer_of(table, seat)
    state, newest = table.states[ply], ply == plies
    scores = table.scores if newest else state.scores()
    turn = None if scores is not None else state.player
    legal = visible_moves(table, state, viewer) if turn is not None and turn != CHANCE else []
    revealed = not table.hidden or table.over
    thinking: Thinking | None = None
    if newest and thinking_since is not None and turn is not None:
        thinking = {"seat": turn, "seconds": round(monotonic() - thinking_since, 1)}
    return {
        "id": table.id,
        "game": table.game,
        "title": title_of(table.rules, Spec.parse(table.game).name),
        "version": table.version,
        "board": _board(table, ply, viewer, playable=bool(legal)),
        "ply": ply,
        "plies": plies,
        "moves": [_move(table, move, revealed) for move in table.played],
        "seats": [_seat(table, place, spec) for place, spec in enumerate(table.seats)],
        "turn": turn,
        "legal": legal,
        "over": scores is not None,
        "scores": None if scores is None else list(map(float, scores)),
        "result": result_of(table) if newest else None,
        "thinking": thinking,
        "clock": None if table.clock is None else table.clock.as_dict(),
        "notes": _notes(table, state, viewer, turn),
        "message": table.message,
        "can_undo": table.undo_ply is not None,
        "value": _value(table, ply),
        "paused": table.paused if table.bots_only else None,
        "speed": table.speed if table.bots_only else None,
        "seed": table.seed if revealed else None,
        "hidden": table.hidden,
        "solvable": table.rules.solve_moves is not None,
        "viewer": viewer,
        "record_number": table.record_number,
    }


def viewer_of(table: Table, seat: int | None) -> int | None:
    """The seat whose view is shown: the requested one, else the person to move, or the first person.

    None in games without hidden information, and in games between bots, whose cards are all hidden.
    """
    if seat is not None and not 0 <= seat < table.players:
        raise Conflict(f"No seat {seat}: seats are 0 to {table.players - 1}.")
    if not table.hidden:
        return None
    people = [place for place, spec in enumerate(table.seats) if spec == PERSON]
    if seat is not None:
        if seat not in people and not table.over:
            raise Conflict(f"Seat {seat} is a bot: its cards are hidden until the game is over.")
        return seat
    if not people:
        return None
    return table.turn if table.turn in people and len(people) > 1 else people[0]


def visible_moves(table: Table, state: FullState, viewer: int | None) -> list[str]:
    """The legal moves; with hidden cards only the viewer's own, since they depend on the cards held."""
    if table.hidden and not table.over and state.player != viewer:
        return []
    return [state.text(move) for move in state.moves()]


def title_of(rules: FullGame, name: str) -> str:
    """The game's title; defaults to its registered name, capitalised."""
    return rules.title or name.replace("_", " ").replace("-", " ").title()


def result_of(table: Table) -> str | None:
    """The result in a sentence; None in a running game."""
    scores = table.scores
    if scores is None:
        return None
    best = max(scores)
    winners = [table.rules.seat_name(seat) for seat, score in enumerate(scores) if score == best]
    if len(winners) == len(scores):
        result = "Draw."
    elif len(winners) == 1:
        result = f"{winners[0]} wins."
    else:
        result = f"{', '.join(winners[:-1])} and {winners[-1]} share the win."
    if table.forfeit is None:
        return result
    ending, _, fault = table.forfeit
    if ending == "limit":
        return f"Move limit reached. {result}"
    loser = table.rules.seat_name(scores.index(min(scores)))
    how = "runs out of time" if fault == LOST_ON_TIME else FORFEITS.get(ending, "loses")
    return f"{loser} {how}{f': {result}' if len(winners) == 1 else '.'}"


def _seat(table: Table, place: int, spec: str) -> SeatView:
    name = table.rules.seat_name(place)
    if spec == PERSON:
        return {"kind": "person", "bot": None, "name": name}
    return {"kind": "bot", "bot": spec, "name": name}


def _move(table: Table, move: TableMove, revealed: bool) -> MoveView:
    """A move; chance events are hidden as long as the cards are."""
    text = move.text if revealed or move.player != CHANCE else HIDDEN_MOVE
    return {"player": move.player, "text": text, "name": f"{table.rules.seat_name(move.player)} {text}"}


def _notes(table: Table, state: FullState, viewer: int | None, turn: int | None) -> list[str]:
    if turn is None or turn == CHANCE or table.seats[turn] != PERSON or viewer not in (None, turn):
        return []
    return [str(line) for line in state.notes()]


def _value(table: Table, ply: int) -> float | None:
    """The win probability of seat 0 of two, by the latest evaluation of a bot."""
    if table.players != 2 or table.hidden and not table.over:
        return None
    for move in reversed(table.played[:ply]):
        if move.note is not None and move.note.value is not None:
            return move.note.value if move.note.player == 0 else 1 - move.note.value
    return None


# Boards.


def describe_board(state: FullState, viewer: int | None) -> dict[str, Any]:
    """The position's own `board_view(viewer)` or `board()`, else its picture or text.

    `kind` selects the renderer.

    >>> import tesuji
    >>> describe_board(tesuji.replay("hex:size=2", "a2"), None)
    {'kind': 'hex', 'size': 2, 'cells': [['.', '.'], ['b', '.']], 'last': 'a2'}
    """
    if (drawn := state.board_view(viewer)) is not None:
        return dict(drawn)
    if (board := state.board(viewer)) is not None:
        return {"kind": DESCRIBED, "viewer": viewer, **board.as_dict()}
    if state.hidden:
        return {"kind": "text", "text": _visible_text(state, viewer)}
    if (picture := state.svg()) is not None:
        return {"kind": "svg", "svg": picture}
    return {"kind": "text", "text": str(state)}


def click_names(state: FullState, viewer: int | None) -> frozenset[str] | None:
    """The names that can be clicked; None if the page does not draw the state by its `board()`."""
    board = None if state.offers("board_view") else state.board(viewer)
    return None if board is None else board.names


def move_clicks(state: FullState, move: Move, viewer: int | None) -> list[str] | None:
    """Where one move is clicked; None without a `board()`."""
    names = click_names(state, viewer)
    return None if names is None else list(state.clicks(move, names))


def _board(table: Table, ply: int, viewer: int | None, *, playable: bool) -> dict[str, object]:
    state = table.states[ply]
    board = describe_board(state, viewer)
    if board["kind"] == DESCRIBED:
        board["clicks"] = _clicks(state, state.moves() if playable else (), viewer)
        board["last"] = _last_clicks(table, ply, viewer)
    if state.offers("last_move_text"):
        newest = table.states[max(0, ply - LOG_LENGTH) + 1 : ply + 1]
        board["log"] = [after.last_move_text(viewer) for after in newest]
    return board


def _clicks(state: FullState, moves: Iterable[Move], viewer: int | None) -> dict[str, list[str]]:
    """Where each move is clicked, by the move's text."""
    names = click_names(state, viewer) or ()
    return {state.text(move): list(state.clicks(move, names)) for move in moves}


def _last_clicks(table: Table, ply: int, viewer: int | None) -> list[str]:
    """Where the last move was clicked; nothing for a hidden chance event."""
    if ply == 0 or table.played[ply - 1].player == CHANCE:
        return []
    before = table.states[ply - 1]
    return move_clicks(before, parse_move(before, table.played[ply - 1].text), viewer) or []


def _visible_text(state: FullState, viewer: int | None) -> str:
    """What the viewer may see of a position; `str(state)` might show the cards of others."""
    if (seen := state.text_for(viewer)) is not None:
        return str(seen)
    view = None if viewer is None else state.view(viewer)
    return "" if view is None else repr(view)
