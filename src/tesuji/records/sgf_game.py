"""Games of Black and White in SGF: players, result, date and comments.

A game uses `write_game` and `read_games`, and provides a subclass of `GameReading` that plays the moves of a
file by its rules.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from tesuji._helpers.clipping import clip
from tesuji.records import sgf
from tesuji.records.formats import WrongGameError
from tesuji.records.record import LOST_ON_TIME, PERSON, UNDATED, Ending, Note, Record
from tesuji.records.serialization import format_time

BLACK, WHITE = 0, 1
COLOURS = ("Black", "White")
NUMBERS = {
    "1": "Go",
    "2": "Othello",
    "3": "Chess",
    "4": "Gomoku",
    "6": "Backgammon",
    "7": "Chinese chess",
    "11": "Hex",
}
"""Values of SGF's property GM."""

SET_UP = {"AB": 1, "AW": 2, "AE": 0}
"""The properties that set up stones, and what they put on a cell."""

LONGEST_MOVE = 12  # characters: "swap-pieces" and a little more

_RESULT = re.compile(r"(b|black|w|white)\+(.*)", re.IGNORECASE)
_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{2}))?(?:-([0-9]{2}))?")
_OURS = re.compile(r"(limit|illegal|crashed|hung)(?:: (.*))?")


class GameReading(ABC):
    """A game being read: call `play` and `resign` for its nodes, then `record`."""

    choice: str | None = None
    """The property for moves that place no stone, if the game has any."""

    def __init__(self, state: Any) -> None:
        self.state = state
        self.loser: int | None = None

    @property
    @abstractmethod
    def colour(self) -> int:
        """The side to move, by its colour in the file."""

    @abstractmethod
    def seat(self, colour: int) -> int:
        """The player who has this colour in the file."""

    @abstractmethod
    def set_up(self, nodes: Iterable[sgf.Node]) -> None:
        """Put and remove the first node's stones (AB, AW, AE); the nodes after it help to tell who moves."""

    @abstractmethod
    def play(self, word: str) -> None:
        """Play the next move: a cell, or one of the game's special words."""

    def choose(self, word: str) -> None:
        """Play the next move, if it places no stone."""
        raise ValueError(f"{clip(word)} is not a choice in this game")

    @abstractmethod
    def spec(self) -> str:
        """The spec of the game."""

    def names(self, black: str, white: str) -> tuple[str, str]:
        """The players' names by seat."""
        return black, white

    def check_playing(self, word: str) -> None:
        """ValueError after a resignation, or if the word is a pass or too long for a move."""
        if self.loser is not None:
            lost = COLOURS[BLACK if self.seat(BLACK) == self.loser else WHITE]
            raise ValueError(f"{clip(word)} comes after {lost} has resigned")
        if word in ("", "pass"):
            raise ValueError(f"a pass is not legal: {type(self.state.game).__name__} has none")
        if len(word) > LONGEST_MOVE:
            raise ValueError(f"{clip(word)} is not a cell")

    def resign(self, colour: int) -> None:
        """A player resigns, whoever is to move."""
        loser = self.seat(colour)
        scores = self.state.scores()
        if self.loser is not None or scores is not None and scores[loser]:
            raise ValueError(f"{COLOURS[colour]} resigns, but the game is over")
        self.loser = loser

    def record(self, players: tuple[str, str], **facts: Any) -> Record:
        """The record of the game."""
        moves = tuple(map(self.state.text, self.state.history))
        ending: Ending = facts.pop("ending", "resigned")
        scores = self.state.scores()
        if scores is not None:
            ending = "played"
            facts.pop("fault", "")
        elif self.loser is not None:
            scores = (0.0, 1.0) if self.loser == 0 else (1.0, 0.0)
        elif ending == "limit":
            scores = (0.5, 0.5)
        else:
            ending = "unfinished"
        return Record(game=self.spec(), players=players, moves=moves, scores=scores, ending=ending, **facts)


def write_game(
    record: Record,
    number: str,
    size: int,
    moves: Sequence[tuple[str, str]],
    *,
    black: int = 0,
    rules: str = "",
    set_up: Mapping[str, list[str]] | None = None,
) -> str:
    """A game as SGF. `moves` are (property, value); `black` is the seat that has Black.

    `set_up` has the properties of a set-up position.
    """
    facts = {"FF": "4", "GM": number, "CA": "UTF-8", "AP": "Tesuji", "SZ": str(size), "GN": record.game}
    facts |= {"PB": record.players[black], "PW": record.players[1 - black]}
    facts["RE"] = _result_text(record, black)
    if rules:
        facts["RU"] = rules
    if record.when != UNDATED:
        facts["DT"] = format_time(record.when)[:10]
    if _OURS.fullmatch(record.ending):
        facts["GC"] = f"{record.ending}: {record.fault}" if record.fault else record.ending
    root = {name: [sgf.escape(value)] for name, value in facts.items()}
    nodes = [sgf.Node(root | dict(set_up or {}))]
    notes = record.notes or [None] * len(moves)
    for (name, value), note in zip(moves, notes, strict=True):
        comment = {} if note is None else {"C": [sgf.escape(_note_text(note))]}
        nodes.append(sgf.Node({name: [value], **comment}))
    loser = loser_of(record)
    if record.ending == "resigned" and loser is not None:
        nodes.append(sgf.Node({"B" if loser == black else "W": ["resign"]}))
    return sgf.write([sgf.Tree(nodes)])


def read_games(text: str, number: str, begin: Callable[[list[sgf.Node]], GameReading]) -> list[Record]:
    """The main lines of the games in an SGF file. `begin` creates the GameReading of a game."""
    return [_read_tree(tree, number, begin) for tree in sgf.parse(text)]


def board_size(size: str) -> str:
    """The side of a square board: `board_size("15:15") == "15"`."""
    columns, _, rows = size.replace(" ", "").partition(":")
    if rows and rows != columns:
        raise ValueError(f"a board of {clip(size)} is not square; only square boards are supported")
    if not re.fullmatch("[0-9]{1,9}", columns):
        raise ValueError(f"the size of the board must be a number such as 11, not {clip(columns)}")
    return columns


def loser_of(record: Record) -> int | None:
    """The seat that lost, if any."""
    return record.scores.index(0) if record.scores is not None and 0 in record.scores else None


def _read_tree(tree: sgf.Tree, number: str, begin: Callable[[list[sgf.Node]], GameReading]) -> Record:
    nodes = list(tree.main_line())
    root = nodes[0]
    given = (root.get("GM") or "1").strip()
    if given != number:
        name = NUMBERS.get(given, f"another game, GM[{_start(given, 8)}]")
        raise WrongGameError(
            f"line {root.line}: this is {name}, not {NUMBERS[number]}, which is GM[{number}]"
        )
    facts = {name: root.get(name) or "" for name in ("PB", "PW", "RE", "DT", "GC")}
    node = root
    try:
        reading = begin(nodes)
        for place, node in enumerate(nodes):
            _play_node(reading, node, islice(nodes, place, None))
        node = root
        ended = _read_result(reading, facts["RE"].strip(), facts["GC"])
    except ValueError as error:
        raise ValueError(f"line {node.line}: {error}") from error
    players = reading.names(facts["PB"] or PERSON, facts["PW"] or PERSON)
    return reading.record(players, when=_read_date(facts["DT"]), **ended)


def _play_node(reading: GameReading, node: sgf.Node, from_here: Iterable[sgf.Node]) -> None:
    """Set up the stones of a node and play its move or resignation, if any."""
    number = len(reading.state.history) + 1
    turn = (node.get("PL") or "").strip().lower()[:1]
    if turn and turn not in "bw":
        raise ValueError(f"move {number}: PL[{_start(node.get('PL') or '', 8)}] must be B or W")
    other = turn != "" and turn != "bw"[reading.colour]
    names = [name for name in SET_UP if name in node.properties]
    if number > 1 and names:
        raise ValueError(f"move {number}: {names[0]} sets up stones; it must come before the first move")
    if number > 1 and other:
        raise ValueError(f"move {number}: PL[{turn.upper()}], but it is {COLOURS[reading.colour]}'s turn")
    if names or other:
        try:
            reading.set_up(from_here)
        except ValueError as error:
            raise ValueError(f"{' and '.join(names or ['PL'])}: {error}") from error
    given = [name for name in ("B", "W", reading.choice) if name is not None and name in node.properties]
    if not given:
        return
    if len(given) > 1:
        raise ValueError(f"move {number}: {' and '.join(given)} move in one node")
    word = (node.get(given[0]) or "").strip().lower()
    try:
        _play_word(reading, given[0], word)
    except ValueError as error:
        raise ValueError(f"move {number}, {given[0]}[{_start(word, LONGEST_MOVE)}]: {error}") from error


def _play_word(reading: GameReading, name: str, word: str) -> None:
    if name == reading.choice:
        reading.choose(word)
        return
    colour = "BW".index(name)
    if word in ("resign", "forfeit"):
        reading.resign(colour)
    elif colour != reading.colour and reading.state.scores() is None and reading.loser is None:
        raise ValueError(f"{COLOURS[colour]} moves, but it is {COLOURS[reading.colour]}'s turn")
    else:
        reading.play(word)


def _read_result(reading: GameReading, text: str, comment: str) -> dict[str, object]:
    """The ending by RE and GC, for `GameReading.record`; ValueError if it contradicts the moves."""
    ours = _OURS.fullmatch(comment)
    scores = reading.state.scores()
    if text.lower() in ("0", "draw"):
        if reading.loser is not None or scores is not None and scores[0] != scores[1]:
            raise ValueError(f"RE[{text}], but there is a winner")
        return {"ending": "limit"}
    won = _RESULT.fullmatch(text)
    if won is None:
        return {}
    colour = BLACK if won[1][0] in "bB" else WHITE
    loser = reading.seat(1 - colour)
    if reading.loser not in (None, loser) or scores is not None and scores[loser]:
        drawn = scores is not None and scores[0] == scores[1]
        end = "it is a draw" if drawn else f"{COLOURS[1 - colour]} has won"
        raise ValueError(f"RE[{_start(text, 12)}], but {end} by the moves")
    reading.loser = loser
    if ours:
        return {"ending": ours[1], "fault": ours[2] or ""}
    if won[2].lower() in ("t", "time"):
        return {"ending": "hung", "fault": LOST_ON_TIME}
    return {}


def _start(text: str, length: int) -> str:
    """The start of a text for a message, without control characters."""
    return repr(text[:length])[1:-1]


def _result_text(record: Record, black: int) -> str:
    if record.scores is None:
        return "Void"
    if record.scores[0] == record.scores[1]:
        return "Draw"
    reasons = {"resigned": "R", "hung": "T", "illegal": "F", "crashed": "F"}
    winner = "B" if record.scores[black] > record.scores[1 - black] else "W"
    return f"{winner}+{reasons.get(record.ending, '')}"


def _read_date(text: str) -> datetime:
    found = _DATE.match(text.strip())
    if found is None:
        return UNDATED
    year, month, day = (int(part or 1) for part in found.groups())
    try:
        return datetime(year, month, day, tzinfo=UTC)
    except ValueError:  # such as February 31
        return UNDATED


def _note_text(note: Note) -> str:
    parts = [] if note.value is None else [f"value {note.value:.3f}"]
    parts += [] if note.visits is None else [f"{note.visits} visits"]
    return ", ".join([*parts, f"{note.seconds:.3f} s"])
