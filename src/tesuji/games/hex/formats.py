"""Hex records as other programs write them: SGF for Hex (GM[11]), and HexWorld's links.

SGF: https://www.red-bean.com/sgf/hex.html. Points are `a1`, Black moves first and joins top and bottom.
HexWorld: `https://hexworld.org/board/#11c1,a10d4:rw`, which is the size, options of the display, a comma and
the moves (`:s` swap-pieces, `:S` swap-sides, `:p` pass, `:rb` `:rw` resign, `:fb` `:fw` forfeit); a second
comma marks the position on show.

**swap-pieces** is our own swap: the stone is mirrored and changes its colour, the people keep theirs.
**swap-sides** leaves the stone where it is, and the people exchange their colours; the one who opened is now
White, and to move. It is the same game seen in a mirror. So it is read as our swap, and from there on every
cell is mirrored and every colour exchanged: a White stone at a3 becomes a Black stone at c1, and `RE[B+]`, a
win of the one who swapped, a win of our White. PB is who opened, in both forms.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from tesuji.games.hex.reading import BLACK, COLOURS, LONGEST_MOVE, SWAP, WHITE, Reading
from tesuji.records import sgf
from tesuji.records.formats import Format, OtherGame
from tesuji.records.plain import clip, time_text
from tesuji.records.record import PERSON, UNDATED, Note, Record
from tesuji.spec import Spec

if TYPE_CHECKING:
    from tesuji.games.hex.game import Hex

HEX = "11"  # SGF's number for the game
OTHERS = {"1": "Go", "2": "Othello", "3": "Chess", "4": "Gomoku", "6": "Backgammon", "7": "Chinese chess"}
BOARD = "https://hexworld.org/board/"

_RESULT = re.compile(r"(b|black|w|white)\+(.*)", re.IGNORECASE)
_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{2}))?(?:-([0-9]{2}))?")
_OURS = re.compile(r"(limit|illegal|crashed|hung)(?:: (.*))?")
_LINK = re.compile(r"(?:[^#,\s]*#([0-9]*)|([0-9]+))(?:x([0-9]+))?([a-z][a-z0-9]*)?(?:,(.*))?", re.ASCII)
_WORD = re.compile(r"([a-z]+[0-9]+)|:(s|S|p|rb|rw|fb|fw)|,", re.ASCII)


def write_sgf(record: Record) -> str:
    """A game as SGF: players, result, date and moves, with what the players thought as comments.

    >>> print(write_sgf(Record(game="hex:size=3", players=("mcts", "random"), moves=("b2",), when=UNDATED)))
    (;FF[4]GM[11]CA[UTF-8]AP[Tesuji]SZ[3]GN[hex:size=3]PB[mcts]PW[random]RE[Void]
    ;B[b2])
    <BLANKLINE>
    """
    rules, moves = _replay(record)
    facts = {"FF": "4", "GM": HEX, "CA": "UTF-8", "AP": "Tesuji", "SZ": str(rules.size), "GN": record.game}
    facts |= {"PB": record.players[BLACK], "PW": record.players[WHITE], "RE": _result_text(record)}
    if rules.swap:
        facts["RU"] = "swap"
    if record.when != UNDATED:
        facts["DT"] = time_text(record.when)[:10]
    if _OURS.fullmatch(record.ending):
        facts["GC"] = f"{record.ending}: {record.fault}" if record.fault else record.ending
    nodes = [sgf.Node({name: [sgf.escape(value)] for name, value in facts.items()})]
    notes = record.notes or [None] * len(moves)
    for number, (move, note) in enumerate(zip(moves, notes, strict=True)):
        comment = {} if note is None else {"C": [sgf.escape(_note_text(note))]}
        nodes.append(sgf.Node({"BW"[number % 2]: [move], **comment}))
    loser = _loser(record)
    if record.ending == "resigned" and loser is not None:
        nodes.append(sgf.Node({"BW"[loser]: ["resign"]}))
    return sgf.write([sgf.Tree(nodes)])


def read_sgf(text: str) -> list[Record]:
    """The games in SGF; of variations the first one, which was played.

    >>> read_sgf("(;GM[11]SZ[5]PB[Ann]PW[Bob];B[a3];W[swap-sides];W[d2];B[resign])")[0]
    Record(game='hex:size=5,swap=on', players=('Ann', 'Bob'), ...
      moves=('a3', 'swap-pieces', 'b4'), notes=(), opening=0, scores=(1.0, 0.0), ending='resigned', ...)
    """
    return [_read_tree(tree) for tree in sgf.parse(text)]


def write_hexworld(record: Record) -> str:
    r"""A game as a link to HexWorld's board: its moves, and who gave up.

    >>> write_hexworld(Record(game="hex:size=5", players=("mcts", "random"), moves=("c3", "d2")))
    'https://hexworld.org/board/#5,c3d2\n'
    """
    rules, moves = _replay(record)
    end, loser = "", _loser(record)
    if record.ending not in ("played", "limit") and loser is not None:
        end = f":{'r' if record.ending == 'resigned' else 'f'}{'bw'[loser]}"
    return f"{BOARD}#{rules.size},{''.join(':s' if move == SWAP else move for move in moves)}{end}\n"


def read_hexworld(text: str) -> list[Record]:
    """The games in HexWorld's links, one a line; the part before # may be missing.

    >>> read_hexworld("https://hexworld.org/board/#5r9c1,a3:sb4,c2:rb")[0].moves
    ('a3', 'swap-pieces', 'b4', 'c2')
    """
    records = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                records.append(_read_link(line.strip()))
            except ValueError as error:
                raise ValueError(f"line {number}: {error}") from error
    return records


FORMATS = {
    "sgf": Format("sgf", ".sgf", write_sgf, read_sgf),
    "hexworld": Format("hexworld", ".hexworld", write_hexworld, read_hexworld),
}


def _replay(record: Record) -> tuple[Hex, list[str]]:
    """The rules and the moves of a record, in their usual spelling; ValueError where a move is not legal."""
    if Spec.parse(record.game).name != "hex" or len(record.players) != 2:
        raise ValueError(f"this format is for Hex and its two players, not for {record.game}")
    state: Any = None
    for position in record.states():
        state = position
    return state.game, [state.text(move) for move in state.history]


def _read_tree(tree: sgf.Tree) -> Record:
    nodes = tree.main_line()
    root = next(nodes)
    number = root.get("GM") or "1"
    if number.strip() != HEX:
        name = OTHERS.get(number.strip(), f"another game, GM[{_start(number, 8)}]")
        raise OtherGame(f"line {root.line}: this is {name}, not Hex, which is GM[{HEX}]")
    try:
        reading = Reading(_board_size(root.get("SZ")))
        _play_node(reading, root, 1)
    except ValueError as error:
        raise ValueError(f"line {root.line}: {error}") from error
    for node in nodes:
        move = len(reading.state.history) + 1
        try:
            _play_node(reading, node, move)
        except ValueError as error:
            raise ValueError(f"line {node.line}: {error}") from error
    facts = {name: root.get(name) or "" for name in ("PB", "PW", "RE", "DT", "RU", "GC")}
    try:
        ended = _read_result(reading, facts["RE"].strip(), facts["GC"])
    except ValueError as error:
        raise ValueError(f"line {root.line}: {error}") from error
    players = (facts["PB"] or PERSON, facts["PW"] or PERSON)
    return reading.record(
        players, swap=facts["RU"].strip().lower() == "swap", when=_read_date(facts["DT"]), **ended
    )


def _board_size(size: str | None) -> str:
    columns, _, rows = (size or "11").replace(" ", "").partition(":")
    if rows and rows != columns:
        raise ValueError(f"a board of {clip(size)} is not square; ours are")
    return columns


def _play_node(reading: Reading, node: sgf.Node, number: int) -> None:
    """What a node does: a move, a resignation, or nothing."""
    for name in ("AB", "AW", "AE"):
        if name in node.properties:
            raise ValueError(
                f"move {number}: {name} sets up stones; only games from the empty board can be read"
            )
    if (first := node.get("PL")) and first.strip().lower()[:1] != "bw"[reading.colour]:
        raise ValueError(f"move {number}: PL[{_start(first, 8)}], but it is {COLOURS[reading.colour]}'s turn")
    given = [colour for colour in (BLACK, WHITE) if "BW"[colour] in node.properties]
    if not given:
        return
    if len(given) == 2:
        raise ValueError(f"move {number}: B and W move in one node")
    colour = given[0]
    word = (node.get("BW"[colour]) or "").strip().lower()
    try:
        if word in ("resign", "forfeit"):
            reading.resign(colour)
        elif colour != reading.colour and reading.state.scores() is None and reading.loser is None:
            raise ValueError(f"{COLOURS[colour]} moves, but it is {COLOURS[reading.colour]}'s turn")
        else:
            reading.play(word)
    except ValueError as error:
        raise ValueError(f"move {number}, {'BW'[colour]}[{_start(word, LONGEST_MOVE)}]: {error}") from error


def _read_result(reading: Reading, said: str, comment: str) -> dict[str, Any]:
    """What RE and GC say of the end, for `Reading.record`; ValueError where the moves say something else."""
    ours = _OURS.fullmatch(comment)
    if said.lower() in ("0", "draw"):
        if reading.state.scores() is not None or reading.loser is not None:
            raise ValueError(f"RE[{said}], but there is a winner")
        return {"ending": "limit"}
    won = _RESULT.fullmatch(said)
    if won is None:
        return {}
    colour = BLACK if won[1][0] in "bB" else WHITE
    loser = 1 - colour ^ reading.mirrored
    scores = reading.state.scores()
    if reading.loser not in (None, loser) or scores is not None and scores[loser]:
        raise ValueError(f"RE[{_start(said, 12)}], but {COLOURS[1 - colour]} has won by the moves")
    reading.loser = loser
    if ours:
        return {"ending": ours[1], "fault": ours[2] or ""}
    if won[2].lower() in ("t", "time"):
        return {"ending": "hung", "fault": "lost on time"}
    return {}


def _start(text: str, length: int) -> str:
    """The start of a text for a message, without what would steer a terminal."""
    return repr(text[:length])[1:-1]


def _loser(record: Record) -> int | None:
    return record.scores.index(0) if record.scores is not None and 0 in record.scores else None


def _result_text(record: Record) -> str:
    if record.scores is None:
        return "Void"
    if record.scores[BLACK] == record.scores[WHITE]:
        return "Draw"
    reasons = {"resigned": "R", "hung": "T", "illegal": "F", "crashed": "F"}
    winner = "B" if record.scores[BLACK] > record.scores[WHITE] else "W"
    return f"{winner}+{reasons.get(record.ending, '')}"


def _read_date(text: str) -> datetime:
    found = _DATE.match(text.strip())
    if found is None:
        return UNDATED
    year, month, day = (int(part or 1) for part in found.groups())
    try:
        return datetime(year, month, day, tzinfo=UTC)
    except ValueError:  # the 31st of February
        return UNDATED


def _note_text(note: Note) -> str:
    parts = [] if note.value is None else [f"value {note.value:.3f}"]
    parts += [] if note.visits is None else [f"{note.visits} visits"]
    return ", ".join([*parts, f"{note.seconds:.3f} s"])


def _read_link(link: str) -> Record:
    found = _LINK.fullmatch(link)
    if found is None:
        raise ValueError(f"{clip(link)} is not a HexWorld link, such as {BOARD}#11,a10d4")
    columns, bare, rows, _options, moves = found.groups()
    size = columns or bare or "11"
    reading = Reading(_board_size(f"{size}:{rows or size}"))
    at, moves = 0, moves or ""
    while at < len(moves):
        number = len(reading.state.history) + 1
        word = _WORD.match(moves, at)
        if word is None:
            raise ValueError(
                f"move {number}: expected a cell or one of :s :S :p :rb :rw, not {clip(moves[at : at + 8])}"
            )
        cell, special = word.groups()
        try:
            if special and special[0] in "rf":
                reading.resign("bw".index(special[1]))
            elif cell or special:
                reading.play(cell or {"s": SWAP, "S": "swap-sides", "p": "pass"}[special])
        except ValueError as error:
            raise ValueError(f"move {number}: {error}") from error
        at = word.end()
    return reading.record((PERSON, PERSON), when=UNDATED)
