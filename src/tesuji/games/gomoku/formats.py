"""Gomoku records in formats of other programs: SGF (GM[4]) and Piskvork's .psq.

SGF does not specify Gomoku; programs use Go's points, two letters for the column and the row from the top
left: `B[hh]` is h8 on 15×15. RU names the rule; AB, AW and PL set up the position to begin from. PB and PW
are who had Black and White in the end. A choice of swap2 is a node of its own, `CH[swap]` or `CH[two]`; other
programs ignore unknown properties.

    Piskvorky 15x15, 11:11, 0        board, levels of play, and which of the two names below began
    8,8,1250                         column and row from 1 at the top left, milliseconds
    mcts                             the players
    random
    0                                how the program ended
    1,Renju                          who won, the first or the second name (0: a draw, -1: nobody); the rule

The last line is optional. Without it, the rule is the first of freestyle, standard and renju in which every
move is legal. The file has only stones: a game with swap2 is written without its choices, with the names in
the order of the final colours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from tesuji._helpers.clipping import clip
from tesuji.any_game import game, parse_move
from tesuji.full_game import FullGame
from tesuji.games.coordinates import cell_text, parse_cell
from tesuji.games.stone_sgf import StoneReading, check_from_the_start, set_up_properties
from tesuji.records import sgf
from tesuji.records.formats import Format, last_state
from tesuji.records.record import PERSON, UNDATED, Note, Record
from tesuji.records.sgf_game import COLOURS, board_size, read_games, write_game
from tesuji.registry import spec_of
from tesuji.spec import Spec

RULES = ("freestyle", "standard", "renju")
SWAP, TWO = "swap", "two"
"""Take Black; put two more stones, a white and a black one, and let the other player choose."""

GOMOKU = "4"  # SGF's number for the game
LONGEST_LINE = 10_000  # characters of a .psq; real lines are far shorter

_HEAD = re.compile(r"piskvorky\s+([0-9]+)\s*x\s*([0-9]+)\s*(?:,.*?([01])?\s*)?", re.IGNORECASE | re.ASCII)
_STONE = re.compile(r"([0-9]{1,9})\s*,\s*([0-9]{1,9})(?:\s*,\s*(-?[0-9]{1,15}))?", re.ASCII)
_END = re.compile(r"(-?[0-9]{1,3})\s*,\s*([a-z]+).*", re.IGNORECASE | re.ASCII)


class GomokuReading(StoneReading):
    """A game of another program, converted to ours stone by stone: `GomokuReading("15", "renju")`."""

    choice = "CH"

    def __init__(self, size: str, rule: str = "freestyle", *, swap2: bool = False) -> None:
        super().__init__(_rules(int(board_size(size)), rule, swap2).start())

    @property
    def colour(self) -> int:
        """Whose stone comes next."""
        return self.state.colour  # type: ignore[no-any-return]

    def seat(self, colour: int) -> int:
        """The player who has this colour, as far as the game has been read."""
        return self.state.black ^ colour  # type: ignore[no-any-return]

    def names(self, black: str, white: str) -> tuple[str, str]:
        """The players' names in the order of their seats."""
        return (black, white) if self.state.black == 0 else (white, black)

    def play(self, word: str) -> None:
        """The next stone: two letters, column and row from the top left, or our own notation."""
        self.check_playing(word)
        if word in (SWAP, TWO):
            raise ValueError(f"{word!r} is not a cell; write the choice as {self.choice}[{word}]")
        self._put(self.point(word))

    def point(self, word: str) -> int:
        """A cell: two letters, column and row from the top left, or our own notation."""
        if re.fullmatch("[a-z][a-z]", word):
            return self._cell(ord(word[0]) - ord("a"), ord(word[1]) - ord("a"))
        return parse_cell("Gomoku", self.state.size, word)

    def place(self, column: int, down: int) -> None:
        """The next stone, by column and row from 0 at the top left."""
        self._put(self._cell(column, down))

    def _put(self, cell: int) -> None:
        self.state = self.state.play(parse_move(self.state, cell_text("Gomoku", self.state.size, cell)))

    def _cell(self, column: int, down: int) -> int:
        size: int = self.state.size
        if not (0 <= column < size and 0 <= down < size):
            raise ValueError(f"column {column + 1}, row {down + 1} is not on the {size}×{size} board")
        return (size - 1 - down) * size + column

    def choose(self, word: str) -> None:
        """A choice of swap2."""
        self.check_playing(word)
        if word not in (SWAP, TWO):
            raise ValueError(f"a choice is {SWAP} or {TWO}, not {clip(word)}")
        self.state = self.state.play(parse_move(self.state, word))

    def spec(self) -> str:
        """The spec of the game."""
        return _spec(self.state.game)


@cache
def _rules(size: int, rule: str, swap2: bool) -> FullGame:
    return game(Spec("gomoku", {"size": str(size), "rule": rule, "swap2": "on" if swap2 else "off"}))


@cache
def _spec(rules: FullGame) -> str:
    return spec_of(rules)


def write_sgf(record: Record) -> str:
    """Write SGF: players, result, date and moves, with evaluations as comments.

    >>> players = ("mcts", "random")
    >>> print(write_sgf(Record(game="gomoku", players=players, moves=("h8", "i10"), when=UNDATED)))
    (;FF[4]GM[4]CA[UTF-8]AP[Tesuji]SZ[15]GN[gomoku]PB[mcts]PW[random]RE[Void]RU[freestyle]
    ;B[hh]
    ;W[if])
    <BLANKLINE>
    """
    state = last_state(record, "gomoku", "Gomoku")
    size, nodes, colour = state.size, [], state.game.start().colour
    for move in state.history:
        if move >= size**2:
            nodes.append((GomokuReading.choice, state.text(move)))
            continue
        nodes.append(("BW"[colour], _point(size, move)))
        colour = 1 - colour
    rules = f"{state.game.rule}{' swap2' if state.game.swap2 else ''}"
    set_up = set_up_properties(state.game, lambda cell: _point(size, cell))
    return write_game(record, GOMOKU, size, nodes, black=state.black, rules=rules, set_up=set_up)


def read_sgf(text: str) -> list[Record]:
    """Read SGF, main lines only. Points in our notation, `B[h8]`, are accepted, too.

    >>> read_sgf("(;GM[4]SZ[15]PB[Ann]PW[Bob]RU[renju];B[hh];W[if];B[resign])")[0]
    Record(game='gomoku:rule=renju', players=('Ann', 'Bob'), ...
      moves=('h8', 'i10'), notes=(), opening=0, scores=(0.0, 1.0), ending='resigned', ...)
    """
    return read_games(text, GOMOKU, _begin)


def write_psq(record: Record) -> str:
    """Write Piskvork's format: the stones with their times, the players, the winner, and the rule.

    >>> print(write_psq(Record(game="gomoku", players=("mcts", "random"), moves=("h8", "i10"))))
    Piskvorky 15x15, 11:11, 0
    8,8,0
    9,6,0
    mcts
    random
    0
    -1,Freestyle
    <BLANKLINE>
    """
    state = last_state(record, "gomoku", "Gomoku")
    check_from_the_start(state.game, "Piskvork's format")
    size = state.size
    lines = [f"Piskvorky {size}x{size}, 11:11, 0"]
    for move, note in zip(state.history, record.notes or [None] * len(state.history), strict=True):
        if move < size**2:
            row, column = divmod(move, size)
            lines.append(f"{column + 1},{size - row},{0 if note is None else round(note.seconds * 1000)}")
    for seat in (state.black, 1 - state.black):
        name = " ".join(record.players[seat].split()) or PERSON
        # A name that looks like a stone or a header is quoted.
        lines.append(f'"{name}"' if _STONE.fullmatch(name) or _HEAD.fullmatch(name) else name)
    return "\n".join([*lines, "0", f"{_winner(record, state.black)},{state.game.rule.title()}", ""])


def read_psq(text: str) -> list[Record]:
    r"""Read Piskvork's format; a text may hold several games.

    >>> read_psq("Piskvorky 15x15, 11:11, 0\n8,8,1250\n9,6,40\n")[0].moves
    ('h8', 'i10')
    """
    return [_read_game(number, lines) for number, lines in _games(text)]


FORMATS = {
    "sgf": Format("sgf", ".sgf", write_sgf, read_sgf, "SGF"),
    "psq": Format("psq", ".psq", write_psq, read_psq, "Piskvork"),
}


def _point(size: int, cell: int) -> str:
    """A cell as two letters, column and row from the top left: `_point(15, 112) == "hh"`."""
    row, column = divmod(cell, size)
    return f"{chr(ord('a') + column)}{chr(ord('a') + size - 1 - row)}"


def _begin(nodes: list[sgf.Node]) -> GomokuReading:
    declared = (nodes[0].get("RU") or "").lower()
    rule = next((rule for rule in RULES if rule in declared), "freestyle")
    swap2 = "swap2" in declared or any(GomokuReading.choice in node.properties for node in nodes)
    return GomokuReading(nodes[0].get("SZ") or "15", rule, swap2=swap2)


def _winner(record: Record, black: int) -> int:
    """1 for Black, 2 for White, 0 for a draw, -1 where nobody has won."""
    if record.scores is None:
        return -1
    mine, theirs = record.scores[black], record.scores[1 - black]
    return 0 if mine == theirs else 1 if mine > theirs else 2


def _games(text: str) -> Iterator[tuple[int, list[str]]]:
    """The lines of each game, with the number of the first of them."""
    lines = [line.strip() for line in text.split("\n")]
    starts = [number for number, line in enumerate(lines) if line.lower().startswith("piskvorky")]
    first = next((number for number, line in enumerate(lines) if line), None)
    if not starts or first != starts[0]:
        wrong = "" if first is None else lines[first]
        raise ValueError(
            f"line {(first or 0) + 1}: a game begins with 'Piskvorky 15x15, 11:11, 0', not {clip(wrong)}"
        )
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield start + 1, lines[start:end]


def _read_game(first: int, lines: list[str]) -> Record:
    head = _HEAD.fullmatch(lines[0]) if len(lines[0]) < LONGEST_LINE else None
    if head is None:
        raise ValueError(f"line {first}: expected 'Piskvorky 15x15, 11:11, 0', not {clip(lines[0])}")
    stones: list[tuple[int, re.Match[str]]] = []
    rest: list[str] = []
    for number, line in enumerate(lines[1:], first + 1):
        if len(line) > LONGEST_LINE:
            raise ValueError(f"line {number}: {clip(line)} is too long for a line of a game")
        found = None if rest else _STONE.fullmatch(line)
        if found:
            stones.append((number, found))
        elif line:
            rest.append(line)
    end = next((found for line in rest if (found := _END.fullmatch(line))), None)
    rule = end[2].lower() if end and end[2].lower() in RULES else None
    reading = _read_stones(first, f"{head[1]}:{head[2]}", stones, (rule,) if rule else RULES)
    names = rest[:2] if len(rest) > 2 else []
    players = [PERSON if name.startswith("homo-") else name for name in names] or [PERSON, PERSON]
    if head[3] == "1":  # the second of them began
        players.reverse()
    try:
        facts = _read_winner(reading, int(end[1]) if end else -1, second=head[3] == "1")
    except ValueError as error:
        raise ValueError(f"line {first}: {error}") from error
    times = [int(found[3] or 0) for _, found in stones]
    notes = [Note(number % 2, None, None, max(time, 0) / 1000) for number, time in enumerate(times)]
    return reading.record(
        (players[0], players[1]), when=UNDATED, notes=tuple(notes) if any(times) else (), **facts
    )


def _read_stones(
    first: int, size: str, stones: list[tuple[int, re.Match[str]]], rules: tuple[str, ...]
) -> GomokuReading:
    """Play the stones by the first of these rules that allows them all; the first rule's error otherwise."""
    failed: ValueError | None = None
    for rule in rules:
        number, found = first, None
        try:
            reading = GomokuReading(size, rule)
            for number, found in stones:  # noqa: B007  (the error names the line)
                reading.place(int(found[1]) - 1, int(found[2]) - 1)
            return reading
        except ValueError as error:
            move = f"move {len(reading.state.history) + 1}, {found[0]}: " if found else ""
            failed = failed or ValueError(f"line {number}: {move}{error}")
    raise failed or AssertionError("there is no rule to read by")


def _read_winner(reading: GomokuReading, winner: int, *, second: bool) -> dict[str, object]:
    """The winner as in the file, for `GameReading.record`; ValueError if the moves contradict it."""
    scores = reading.state.scores()
    if winner == 0 and (scores is None or scores[0] == scores[1]):
        return {"ending": "limit"}
    if winner not in (0, 1, 2):
        return {}
    seat = None if winner == 0 else (winner - 1) ^ second
    if scores is None:
        reading.loser = None if seat is None else 1 - seat
    elif seat is None or scores[seat] != 1:
        actual = "nobody" if scores[0] == scores[1] else COLOURS[scores.index(1)]
        stated = "a draw" if seat is None else f"a win of {COLOURS[seat]}"
        raise ValueError(f"the file says {stated}, but by the moves {actual} has won")
    return {}
