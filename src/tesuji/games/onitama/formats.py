"""Onitama records in the format of Litama, an open server for the game: one JSON object per line.

    {"usernames": {"blue": "Ann", "red": "Bob"}, "startingCards": {"blue": ["ox", "boar"],
     "red": ["horse", "elephant"], "side": "crab"}, "moves": ["boar:c1c2"], "gameState": "in progress",
     "winner": "none"}

These fields of its `state` message describe a game; all others are ignored. We add `game`, the spec, for the
limits, and `ending` where nobody has won on the board. A game of another program has no limits.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, get_args

from tesuji._helpers.clipping import clip
from tesuji.any_game import game, parse_move
from tesuji.games.onitama.cards import CARDS, deal_text, parse_deal
from tesuji.records.formats import Format, last_state, read_lines
from tesuji.records.record import PERSON, UNDATED, Ending, Record
from tesuji.registry import spec_of
from tesuji.spec import Spec

if TYPE_CHECKING:
    from tesuji.games.onitama.game import Onitama

COLOURS = ("blue", "red")
IN_PROGRESS, ENDED = "in progress", "ended"
RESULTS = {"blue": (1.0, 0.0), "red": (0.0, 1.0), "draw": (0.5, 0.5)}


def write_litama(record: Record) -> str:
    r"""A game as one line of JSON.

    >>> rules = "onitama:cards=ox-boar-horse-elephant-crab"
    >>> print(write_litama(Record(game=rules, players=("Ann", "Bob"), moves=("boar:c1c2",))), end="")
    {"usernames": {"blue": "Ann", "red": "Bob"}, "startingCards": {"blue": ["ox", "boar"], ...
    """
    state = last_state(record, "onitama", "Onitama")
    rules: Onitama = state.game
    one, two, three, four, side = (rules.cards or "").split("-")
    winner = next((name for name, scores in RESULTS.items() if scores == record.scores), "none")
    data: dict[str, object] = {
        "usernames": dict(zip(COLOURS, record.players, strict=True)),
        "startingCards": {"blue": [one, two], "red": [three, four], "side": side},
        "moves": [state.text(move) for move in state.history],
        "gameState": IN_PROGRESS if record.scores is None else ENDED,
        "winner": winner,
        "game": spec_of(rules),
    }
    if record.ending not in ("played", "unfinished"):
        data |= {"ending": record.ending, "fault": record.fault}
    return json.dumps(data, ensure_ascii=False) + "\n"


def read_litama(text: str) -> list[Record]:
    r"""Read games, one JSON object per line; empty lines are skipped.

    >>> cards = '"startingCards": {"blue": ["ox", "boar"], "red": ["horse", "elephant"], "side": "crab"}'
    >>> read_litama('{%s, "moves": ["boar:c1c2"]}' % cards)[0].game
    'onitama:cards=ox-boar-horse-elephant-crab,ply_limit=off'
    """
    return read_lines(text, _read_line)


FORMATS = {"litama": Format("litama", ".litama", write_litama, read_litama, "Litama")}


def _read_line(line: str) -> Record:
    try:
        data = json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        raise ValueError(f"a game is a JSON object in one line, not {clip(line)}") from None
    if not isinstance(data, dict):
        raise ValueError(f"a game is a JSON object, not {clip(data)}")
    rules = _rules(data)
    state: Any = rules.start()
    moves = data.get("moves", [])
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise ValueError(f"'moves' must be a list of texts such as boar:c1c2, not {clip(moves)}")
    for number, move in enumerate(moves, 1):
        try:
            state = state.play(parse_move(state, move))
        except ValueError as error:
            raise ValueError(f"move {number}: {error}") from error
    names = data.get("usernames", {})
    if not isinstance(names, dict):
        raise ValueError(f"'usernames' must be an object with blue and red, not {clip(names)}")
    blue, red = (str(names.get(colour) or PERSON) for colour in COLOURS)
    texts = tuple(map(state.text, state.history))
    return Record(
        game=spec_of(rules), players=(blue, red), moves=texts, when=UNDATED, **_result(data, state.scores())
    )


def _rules(data: dict[str, object]) -> Any:
    dealt = data.get("startingCards")
    try:
        words = [*dealt["blue"], *dealt["red"], dealt["side"]]  # type: ignore[index]
        deal = deal_text(parse_deal("-".join(_word(word) for word in words)))
    except (TypeError, KeyError):
        raise ValueError(f"'startingCards' must hold blue, red and side, not {clip(dealt)}") from None
    given = data.get("game")
    spec = Spec("onitama", {"ply_limit": "off"}) if given is None else Spec.parse(str(given))
    if spec.name != "onitama":
        raise ValueError(f"'game' must be a spec of Onitama, not {clip(given)}")
    return game(Spec(spec.name, {"cards": deal, **{k: v for k, v in spec.options.items() if k != "cards"}}))


def _word(name: object) -> str:
    word = str(name).lower().replace(" ", "").replace("_", "")
    if word not in CARDS:
        raise ValueError(f"'startingCards' names {clip(name)}, which is not a card")
    return word


def _result(data: dict[str, object], scores: tuple[float, ...] | None) -> dict[str, Any]:
    """The result: by the rules, else as the record says."""
    winner = data.get("winner", "none")
    if winner not in (*RESULTS, "none", None):
        raise ValueError(f"'winner' must be blue, red, draw or none, not {clip(winner)}")
    stated = RESULTS.get(winner) if isinstance(winner, str) else None
    if scores is not None:
        if stated not in (None, scores):
            raise ValueError(f"'winner' is {winner}, but the moves lead to another result")
        return {"scores": scores, "ending": "played"}
    if stated is None:
        return {}
    ending = data.get("ending", "limit" if winner == "draw" else "resigned")
    if ending not in get_args(Ending) or ending in ("played", "unfinished"):
        raise ValueError(f"'ending' is {clip(ending)}, but the moves do not end the game")
    return {"scores": stated, "ending": ending, "fault": str(data.get("fault", ""))}
