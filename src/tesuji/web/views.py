"""A table as the page sees it: one JSON object, for one seat, at one ply."""

from __future__ import annotations

from time import monotonic
from typing import Any

from tesuji.game import CHANCE, Game, State, text_of
from tesuji.records import PERSON
from tesuji.spec import Spec
from tesuji.web.boards import board_of
from tesuji.web.tables import LOST_ON_TIME, Conflict, Played, Table

SWAPS = ("swap-pieces", "swap")
TITLES = {"hex": "Hex", "gomoku": "Gomoku", "onitama": "Onitama", "gofish": "Go Fish"}
LOSES = {
    "resigned": "resigns",
    "hung": "does not answer",
    "illegal": "plays what is not legal",
    "crashed": "crashes",
}
CLOSED = "…"  # a move that nobody may see yet
LOG = 30  # turns of a game with hidden cards that are told


def view(
    table: Table, *, ply: int | None = None, seat: int | None = None, since: float | None = None
) -> dict[str, Any]:
    """The table after so many moves, as a seat sees it; `since` is when the bot to move began to think."""
    plies = len(table.played)
    ply = plies if ply is None else ply
    if not 0 <= ply <= plies:
        raise Conflict(f"the game has {plies} moves; there is no position after {ply}")
    viewer = viewer_of(table, seat)
    state, newest = table.states[ply], ply == plies
    scores = table.scores if newest else state.scores()
    turn = None if scores is not None else state.player
    name = Spec.parse(table.game).name
    legal = legal_for(table, state, viewer) if turn is not None and turn != CHANCE else []
    open_cards = not table.hidden or table.over
    thinking = newest and since is not None and turn is not None
    return {
        "id": table.id,
        "game": table.game,
        "title": title_of(name),
        "version": table.version,
        "board": _board(table, name, ply, viewer),
        "ply": ply,
        "plies": plies,
        "moves": [_played(table, move, open_cards) for move in table.played],
        "seats": [
            {
                "kind": "person" if spec == PERSON else "bot",
                "bot": None if spec == PERSON else spec,
                "name": who(table.rules, place),
            }
            for place, spec in enumerate(table.seats)
        ],
        "turn": turn,
        "legal": legal,
        "over": scores is not None,
        "scores": None if scores is None else list(map(float, scores)),
        "result": result_of(table) if newest else None,
        "thinking": {"seat": turn, "seconds": round(monotonic() - since, 1)} if thinking and since else None,
        "clock": None if table.clock is None else table.clock.as_dict(),
        "remarks": _remarks(table, state, viewer, turn),
        "message": table.message,
        "undo": table.undoable is not None,
        "swap": next((text for text in legal if text in SWAPS), None),
        "value": _value(table, ply),
        "paused": table.paused if table.watching else None,
        "speed": table.speed if table.watching else None,
        "seed": table.seed if open_cards else None,
        "hidden": table.hidden,
        "viewer": viewer,
        "number": table.number,
    }


def viewer_of(table: Table, seat: int | None) -> int | None:
    """The seat that looks: the one asked for, if it is a person's; else whose turn it is, or the first.

    None in a game where all see everything, and where only bots sit: then all cards are closed.
    """
    if seat is not None and not 0 <= seat < table.players:
        raise Conflict(f"there are seats 0 to {table.players - 1}, and not {seat}")
    if not table.hidden:
        return None
    people = [place for place, spec in enumerate(table.seats) if spec == PERSON]
    if seat is not None:
        if seat not in people and not table.over:
            raise Conflict(f"seat {seat} is a bot's: its cards stay closed while the game goes on")
        return seat
    if not people:
        return None
    return table.turn if table.turn in people and len(people) > 1 else people[0]


def legal_for(table: Table, state: State, viewer: int | None) -> list[str]:
    """The moves that can be played; where cards are hidden, the viewer's alone: they tell what one holds."""
    if table.hidden and not table.over and state.player != viewer:
        return []
    return [text_of(state, move) for move in state.moves()]


def who(rules: Game, player: int) -> str:
    """A seat in words: the game's own name for it, else `Player 0`, as seats are counted."""
    if player == CHANCE:
        return "Chance"
    names: Any = getattr(rules, "player_names", ())
    return str(names[player]) if player < len(names) else f"Player {player}"


def title_of(name: str) -> str:
    """A game's name for people: `title_of("gofish") == "Go Fish"`."""
    return TITLES.get(name, name.replace("_", " ").replace("-", " ").title())


def result_of(table: Table) -> str | None:
    """How the game ended, in a sentence; None while it goes on."""
    scores = table.scores
    if scores is None:
        return None
    best = max(scores)
    winners = [who(table.rules, seat) for seat, score in enumerate(scores) if score == best]
    if len(winners) == len(scores):
        result = "A draw."
    elif len(winners) == 1:
        result = f"{winners[0]} wins."
    else:
        result = f"{', '.join(winners[:-1])} and {winners[-1]} share the win."
    if table.end is None:
        return result
    ending, _, fault = table.end
    if ending == "limit":
        return f"The limit of moves is reached. {result}"
    loser = who(table.rules, scores.index(min(scores)))
    how = "runs out of time" if fault == LOST_ON_TIME else LOSES.get(ending, "loses")
    return f"{loser} {how}{f': {result}' if len(winners) == 1 else '.'}"


def _played(table: Table, move: Played, open_cards: bool) -> dict[str, Any]:
    """A move; what nature has dealt is closed as long as the cards are."""
    text = move.text if open_cards or move.player != CHANCE else CLOSED
    return {"player": move.player, "text": text, "name": f"{who(table.rules, move.player)} {text}"}


def _board(table: Table, name: str, ply: int, viewer: int | None) -> dict[str, Any]:
    state: Any = table.states[ply]
    board = board_of(name, state, viewer)
    if hasattr(state, "told"):
        board["log"] = [
            after.told(viewer) for after in list[Any](table.states[max(0, ply - LOG) + 1 : ply + 1])
        ]
    return board


def _remarks(table: Table, state: State, viewer: int | None, turn: int | None) -> list[str]:
    if turn is None or turn == CHANCE or table.seats[turn] != PERSON or viewer not in (None, turn):
        return []
    lines: Any = getattr(state, "remarks", list)()
    return [str(line) for line in lines]


def _value(table: Table, ply: int) -> float | None:
    """The chance of seat 0, as the last bot saw it; of two players, where a bot has said."""
    if table.players != 2 or table.hidden and not table.over:
        return None
    for move in reversed(table.played[:ply]):
        if move.note is not None and move.note.value is not None:
            return move.note.value if move.note.player == 0 else 1 - move.note.value
    return None
