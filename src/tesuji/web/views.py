"""A table as JSON: at one ply, as seen from one seat."""

from __future__ import annotations

from time import monotonic
from typing import Any

from tesuji.any_game import parse_move
from tesuji.full_game import CHANCE, FullGame, FullState
from tesuji.records import PERSON
from tesuji.records.record import LOST_ON_TIME
from tesuji.spec import Spec
from tesuji.web.boards import describe_board, describe_clicks, move_clicks
from tesuji.web.tables import Conflict, Table, TableMove

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
) -> dict[str, Any]:
    """The table at a ply (None: now), as seen from a seat."""
    plies = len(table.played)
    ply = plies if ply is None else ply
    if not 0 <= ply <= plies:
        raise Conflict(f"No position at ply {ply}: the game has {plies} moves.")
    viewer = viewer_of(table, seat)
    state, newest = table.states[ply], ply == plies
    scores = table.scores if newest else state.scores()
    turn = None if scores is not None else state.player
    legal = visible_moves(table, state, viewer) if turn is not None and turn != CHANCE else []
    revealed = not table.hidden or table.over
    thinking = None
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
        "seats": [
            {
                "kind": "person" if spec == PERSON else "bot",
                "bot": None if spec == PERSON else spec,
                "name": table.rules.seat_name(place),
            }
            for place, spec in enumerate(table.seats)
        ],
        "turn": turn,
        "legal": legal,
        "over": scores is not None,
        "scores": None if scores is None else list(map(float, scores)),
        "result": result_of(table) if newest else None,
        "thinking": thinking,
        "clock": None if table.clock is None else table.clock.as_dict(),
        "remarks": _remarks(table, state, viewer, turn),
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


def _move(table: Table, move: TableMove, revealed: bool) -> dict[str, Any]:
    """A move; chance events are hidden as long as the cards are."""
    text = move.text if revealed or move.player != CHANCE else HIDDEN_MOVE
    return {"player": move.player, "text": text, "name": f"{table.rules.seat_name(move.player)} {text}"}


def _board(table: Table, ply: int, viewer: int | None, *, playable: bool) -> dict[str, Any]:
    state = table.states[ply]
    board = describe_board(state, viewer)
    if board["kind"] == DESCRIBED:
        board["clicks"] = describe_clicks(state, state.moves() if playable else (), viewer)
        board["last"] = _last_clicks(table, ply, viewer)
    if state.offers("last_move_text"):
        newest = table.states[max(0, ply - LOG_LENGTH) + 1 : ply + 1]
        board["log"] = [after.last_move_text(viewer) for after in newest]
    return board


def _last_clicks(table: Table, ply: int, viewer: int | None) -> list[str]:
    """Where the last move was clicked; nothing for a hidden chance event."""
    if ply == 0 or table.played[ply - 1].player == CHANCE:
        return []
    before = table.states[ply - 1]
    return move_clicks(before, parse_move(before, table.played[ply - 1].text), viewer) or []


def _remarks(table: Table, state: FullState, viewer: int | None, turn: int | None) -> list[str]:
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
