"""Being a Gomocup engine: whole transcripts, boards in any order, swap2, limits, and hostile input."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tesuji
from tests.registered import registered
from tesuji.any_game import Game, Move, State
from tesuji.bots import RESIGN
from tesuji.bots.timing import SHORTEST
from tesuji.engines.gomocup import GomocupEngine
from tesuji.engines.gomocup.limits import AT_ONCE
from tesuji.engines.lines import Line
from tesuji.registry import bots

PATIENCE = 60.0  # seconds until a test gives up; nothing is measured by it


class First:
    """Plays the first legal move: from the bottom left to the right, and then upwards."""

    def __init__(self, game: Game) -> None:
        pass

    def choose(self, state: State) -> Move:
        return state.moves()[0]


class Chooser:
    """Plays swap, two or a stone when the swap2 opening asks."""

    def __init__(self, game: Game, likes: str = "stone") -> None:
        self.likes = likes

    def choose(self, state: State) -> Move:
        words = {state.text(move): move for move in state.moves()}  # type: ignore[attr-defined]
        return words.get(self.likes, state.moves()[0])


class Quitter(First):
    """Gives up at once."""

    def choose(self, state: State) -> Move:
        return RESIGN


class Broken(First):
    """Cannot play."""

    def choose(self, state: State) -> Move:
        raise KeyError("no\nidea")


class Timed:
    """Records the time it was given."""

    def __init__(self, game: Game, seconds: float | None = None) -> None:
        TOLD.append(seconds)

    def choose(self, state: State) -> Move:
        return state.moves()[0]


TOLD: list[float | None] = []


@pytest.fixture(autouse=True, scope="module")
def own_bots() -> Iterator[None]:
    with registered(bots, first=First, chooser=Chooser, quitter=Quitter, broken=Broken, timed=Timed):
        yield


def replies(engine: GomocupEngine, transcript: str) -> str:
    """The transcript with the engine's answers to its lines."""
    told = ""
    for line in re.findall(r"^> ?(.*)$", transcript, re.MULTILINE):
        told += f"> {line}".rstrip() + "\n" + engine.answer(line)
    return told


GAME = f"""\
> ABOUT
name="Tesuji", version="{tesuji.__version__}", author="The Tesuji developers", country="International"
> BEGIN
ERROR no board yet; send START first
> RESTART
ERROR no board yet; send START first
> START 5
OK
> INFO timeout_turn 1000
> INFO timeout_match 0
> INFO time_left 2147483647
> INFO game_type 2
> INFO rule 0
> INFO folder C:\\brains
> INFO evaluate 3,3
> INFO colour blue
> BEGIN
0,4
> BEGIN
ERROR BEGIN needs an empty board; it has 1 stones
> TURN 2,2
1,4
> TURN 2,2
ERROR 2,2 is taken
> TURN 5,2
ERROR 5,2 is not on the board; x and y go from 0 to 4
> TURN 2
ERROR expected x,y, not '2'
> TURN
ERROR expected x,y, not ''
> turn 2 , 3
2,4
> TAKEBACK 2,4
OK
> TAKEBACK 2,3
OK
> TAKEBACK 2,3
ERROR there is no stone on 2,3
> TURN 2,3
2,4
> RESTART
OK
> TURN 0,4
1,4
> END
"""


def test_a_game_from_beginning_to_end() -> None:
    engine = GomocupEngine("first")
    assert replies(engine, GAME) == GAME
    assert engine.ended


BOARDS = """\
> START 5
OK
> BOARD
> 2,2,1
> 1,1,2
> DONE
0,4
> TURN 3,3
1,4
> BOARD
> 2,2,2
> INFO timeout_turn 50
> DONE
0,4
> TURN 3,3
1,4
> BOARD
> DONE
0,4
> DONE
ERROR DONE without BOARD
> BOARD
> 2,2,1
> RESTART
OK
> 2,2,1
UNKNOWN command '2,2,1'
> BOARD
> 0,4,1
> 0,4,2
> nonsense
> DONE
ERROR invalid board: 0,4 is taken
> BEGIN
0,4
"""


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("9,9,1", "9,9 is not on the board; x and y go from 0 to 4"),
        ("nonsense", "expected x,y,field, not 'nonsense'"),
        ("1,1", "expected x,y,field, not '1,1'"),
        ("1 1,1,1", "expected x,y,field, not '1 1,1,1'"),
        ("1,1,3", "1,1,3: blocked cells are not supported; expected x,y,1 (own) or x,y,2"),
    ],
)
def test_a_bad_board_is_answered_once_when_it_is_done(line: str, says: str) -> None:
    engine = GomocupEngine("first")
    engine.answer("START 5")
    assert [engine.answer(asked) for asked in ("BOARD", line, "2,2,1", "also bad")] == [""] * 4
    assert engine.answer("DONE").startswith(f"ERROR invalid board: {says}")


def test_a_board_before_any_start_is_answered_once_too() -> None:
    engine = GomocupEngine("first")
    assert [engine.answer(asked) for asked in ("BOARD", "7,7,1", "19,19,2")] == [""] * 3
    assert engine.answer("DONE") == "ERROR no board yet; send START first\n"


def test_boards_come_at_any_time_and_a_bad_one_changes_nothing() -> None:
    assert replies(GomocupEngine("first"), BOARDS) == BOARDS


def test_a_board_in_the_middle_of_a_game_replaces_it_and_the_game_goes_on_from_there() -> None:
    engine = GomocupEngine("mcts:iterations=2000,seed=1")
    for line in ("START 15", "BEGIN", "TURN 0,0", "TURN 1,0", "BOARD"):
        engine.answer(line)
    four = [f"7,{y},1" for y in (6, 7, 9, 8)]
    for line in (*four, "7,5,2", "1,1,2", "13,13,2", "4,11,2"):
        assert engine.answer(line) == ""
    assert engine.answer("DONE") == "7,10\n"  # it wins, and nothing else does
    assert engine.answer("TURN 3,3") == "ERROR the game is over\n"
    assert engine.answer("TAKEBACK 7,10") == "OK\n"
    assert engine.answer("TURN 7,10") != "7,10\n"


def test_stones_in_any_order_and_any_number_are_a_position() -> None:
    engine = GomocupEngine("first")
    engine.answer("START 6")
    engine.answer("INFO rule 1")
    # A row of six is no win where exactly five are; told from the left it is a five on the way.
    assert engine.answer("BOARD") == ""
    for x in range(6):
        assert engine.answer(f"{x},0,1") + engine.answer(f"{x},{2 + x % 2},2") == ""
    assert engine.answer("DONE") == "0,5\n"
    for line in ("BOARD", "0,0,1", "1,0,1", "2,0,1", "3,0,1"):  # four to none
        engine.answer(line)
    assert engine.answer("DONE") == "0,5\n"


FINISHED = """\
> START 5
OK
> BOARD
> 0,0,2
> 1,0,2
> 2,0,2
> 3,0,2
> 0,1,1
> 1,1,1
> 2,1,1
> DONE
0,4
> TURN 4,0
ERROR the game is over
> TAKEBACK 0,4
OK
> TURN 4,4
0,4
"""


def test_moves_after_the_end_of_a_game_are_refused() -> None:
    assert replies(GomocupEngine("first"), FINISHED) == FINISHED


def test_a_full_board_is_the_end_too() -> None:
    engine = GomocupEngine("first")
    engine.answer("START 5")
    engine.answer("BOARD")
    for cell in range(25):
        engine.answer(f"{cell % 5},{cell // 5},{1 + (cell // 5 + cell // 2) % 2}")
    assert engine.answer("DONE") == "ERROR the game is over\n"


SIZES = """\
> START
ERROR expected size, not ''
> START x
ERROR expected size, not 'x'
> START 15,15
ERROR expected size, not '15,15'
> START 4
ERROR size must be from 5 to 20, not 4
> START 21
ERROR size must be from 5 to 20, not 21
> RECTSTART 9,9
OK
> BEGIN
0,8
> RECTSTART 10,9
ERROR only square boards are supported, not 10,9
> RECTSTART 9
ERROR expected width,height, not '9'
> RESTART now
ERROR RESTART takes no argument, not 'now'
> TURN 4,4
1,8
> START 20
OK
> BEGIN
0,19
"""


def test_invalid_sizes_are_refused_and_the_board_stays() -> None:
    assert replies(GomocupEngine("first"), SIZES) == SIZES


PLAY = """\
> START 5
OK
> PLAY 2,2
2,2
> TURN 1,1
0,4
> PLAY 1,1
ERROR 1,1 is taken
> TAKEBACK 0,4
OK
> PLAY 9,9
ERROR 9,9 is not on the board; x and y go from 0 to 4
> PLAY 4,4
4,4
> TURN 0,0
0,4
"""


def test_play_places_our_stone_as_requested() -> None:
    assert replies(GomocupEngine("first"), PLAY) == PLAY


# Rules.

FORK = ["6,7", "8,7", "7,6", "7,8"]  # Black on 7,7 makes two threes


@pytest.mark.parametrize(("rule", "allowed"), [(0, True), (1, True), (4, False), (5, False), (2, True)])
def test_legal_moves_follow_the_rule(rule: int, allowed: bool) -> None:
    engine = GomocupEngine("first")
    for line in ("START 15", f"INFO rule {rule}", "BOARD", *(f"{point},1" for point in FORK)):
        engine.answer(line)
    for line in ("0,0,2", "14,0,2", "0,14,2", "14,14,2", "DONE"):
        said = engine.answer(line)
    engine.answer(f"TAKEBACK {said.strip()}")
    assert engine.answer("PLAY 7,7") == ("7,7\n" if allowed else "ERROR 7,7 is not a legal move\n")


def test_an_unsupported_rule_is_reported_when_a_move_is_requested() -> None:
    engine = GomocupEngine("first")
    assert engine.answer("INFO rule 8") == ""
    assert engine.answer("START 15").startswith("ERROR rule 8 is not supported")
    assert engine.answer("INFO rule 1") == ""
    assert engine.answer("START 15") == "OK\n"
    assert engine.answer("INFO rule 9") == ""
    assert engine.answer("BEGIN").startswith("ERROR rule 9 is not supported")
    assert engine.answer("INFO rule 4") == ""
    assert engine.answer("BEGIN") == "0,14\n"


def test_the_rule_holds_until_changed_by_info() -> None:
    engine = GomocupEngine("first", rules="gomoku:rule=renju")
    engine.answer("START 15")
    assert engine.brain.prepare(15).game == tesuji.game("gomoku:rule=renju")
    engine.answer("INFO rule 0")
    assert engine.brain.prepare(15).game == tesuji.game("gomoku")


# The swap2 opening.


def swap2(likes: str, *stones: str) -> tuple[GomocupEngine, str]:
    engine = GomocupEngine(f"chooser:likes={likes}")
    engine.answer("START 15")
    for line in ("SWAP2BOARD", *stones):
        assert engine.answer(line) == ""
    return engine, engine.answer("DONE").strip()


THREE = ("7,7", "8,7", "9,9")
FIVE = (*THREE, "8,8", "8,6")


@pytest.mark.parametrize(
    ("likes", "stones", "said", "ours"),
    [
        ("stone", (), "0,14 1,14 2,14", None),
        ("stone", THREE, "0,14", "white"),
        ("two", THREE, "0,14 1,14", None),
        ("swap", THREE, "SWAP", "black"),
        ("stone", FIVE, "0,14", "white"),
        ("swap", FIVE, "SWAP", "black"),
    ],
)
def test_swap2_is_answered_in_all_its_branches(
    likes: str, stones: tuple[str, ...], said: str, ours: str | None
) -> None:
    engine, answer = swap2(likes, *stones)
    assert answer == said
    if ours is not None:  # the opponent moves next, and we know which stones are ours
        assert engine.answer("TURN 14,0") in ("0,14\n", "1,14\n")
        assert engine.stones is not None
        black = engine.stones.cells().count(1)
        assert black == engine.stones.cells().count(2) + (ours == "black")


def test_after_swap2_a_board_identifies_the_owner_of_each_stone() -> None:
    engine, _ = swap2("two", *THREE)
    for line in ("BOARD", "7,7,2", "8,7,1", "9,9,2", "0,14,1", "1,14,2"):
        assert engine.answer(line) == ""
    assert engine.answer("DONE") == "2,14\n"
    assert engine.stones is not None
    assert engine.stones.cells().count(2) == 3  # ours are white


@pytest.mark.parametrize("count", [1, 2, 4, 6])
def test_swap2_with_another_number_of_stones_is_refused(count: int) -> None:
    engine, said = swap2("stone", *(f"{x},{x}" for x in range(count)))
    assert said == f"ERROR SWAP2BOARD takes 0, 3 or 5 stones, not {count}"
    assert engine.answer("BEGIN") == "0,14\n"


def test_swap2_stones_may_have_owners_and_invalid_ones_are_refused() -> None:
    engine, said = swap2("swap", "7,7,1", "8,7,2", "9,9,1")
    assert said == "SWAP"
    assert engine.answer("SWAP2BOARD") + engine.answer("7,7") == ""
    assert engine.answer("7,7") + engine.answer("7") == ""
    assert engine.answer("DONE") == "ERROR invalid board: 7,7 is taken\n"


@pytest.mark.parametrize("turn", [0, 1, 300])
def test_swap2_choices_are_searched_even_with_little_time(turn: int) -> None:
    engine = GomocupEngine("mcts:iterations=300,seed=1")
    engine.answer("START 9")
    engine.answer(f"INFO timeout_turn {turn}")
    engine.answer("SWAP2BOARD")
    three = engine.answer("DONE").split()
    assert len(set(three)) == 3
    for line in ("SWAP2BOARD", *three):
        engine.answer(line)
    said = engine.answer("DONE").split()
    assert said == ["SWAP"] or 1 <= len(said) <= 2 and not set(said) & set(three)


# Bots, their time and their faults.


def test_without_a_bot_the_game_chooses_one() -> None:
    engine = GomocupEngine(seed=3)
    engine.answer("START 7")
    default = tesuji.game("gomoku:size=7").default_bot
    assert str(engine.brain.prepare(7).spec).startswith(default)


def test_a_bot_that_resigns_still_plays_a_move() -> None:
    engine = GomocupEngine("quitter")
    engine.answer("START 5")
    assert engine.answer("BEGIN") == "0,4\n"


def test_an_exception_in_a_bot_is_reported_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    engine = GomocupEngine("broken")
    engine.answer("START 5")
    assert engine.answer("TURN 2,2") == "ERROR KeyError: 'no\\nidea'\n"
    assert "Traceback" in capsys.readouterr().err
    assert engine.answer("TURN 2,2").startswith("ERROR KeyError")  # the stone was taken back


def test_the_bot_is_given_less_than_the_manager_allows() -> None:
    engine = GomocupEngine("timed")
    engine.answer("START 5")
    for told, most in [
        ("timeout_turn 1000", 0.95),
        ("timeout_turn 100", 0.08),
        ("timeout_turn 0", AT_ONCE),
        ("time_left 1", SHORTEST),
    ]:
        engine.answer(f"INFO {told}")
        engine.answer("RESTART")
        engine.answer(f"INFO {told}")
        engine.answer("BEGIN")
        seconds = TOLD[-1]
        assert seconds is not None
        assert SHORTEST <= seconds <= most


def test_time_counts_from_the_arrival_of_the_line() -> None:
    engine = GomocupEngine("timed")
    engine.answer("START 5")
    engine.answer("INFO timeout_turn 100000")
    engine.answer(Line("BEGIN", arrived=-1e9))
    assert TOLD[-1] == SHORTEST


def test_a_match_time_without_updates_is_counted_down() -> None:
    engine = GomocupEngine("first")
    engine.answer("INFO timeout_match 100000")
    engine.answer("START 5")
    engine.answer("BEGIN")
    left = engine.info.match_time
    assert left is not None
    engine.answer(Line("TURN 2,2", arrived=-1e9))
    assert engine.info.match_time < left  # type: ignore[operator]
    engine.answer("RESTART")
    assert engine.info.match_time == 100_000


def test_limits_of_info_reach_the_bot_and_impossible_ones_are_reported() -> None:
    engine = GomocupEngine("mcts")
    engine.answer("START 5")
    engine.answer("INFO max_node 50")
    engine.answer("INFO thread_num 1")
    assert str(engine.brain.prepare(5).spec) == "mcts:iterations=50,threads=1"
    assert engine.answer("INFO thread_num 100000") == ""
    assert engine.answer("BEGIN") == "ERROR threads must be from 1 to 256, not 100000\n"
    assert engine.answer("INFO thread_num 1") == ""
    assert re.fullmatch(r"\d,\d\n", engine.answer("BEGIN"))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"bot": "mtcs"}, "unknown bot 'mtcs'; did you mean 'mcts'?"),
        ({"bot": "mcts:iterations=few"}, "iterations must be a whole number"),
        ({"rules": "hex"}, "the Gomocup protocol is for gomoku, not for hex"),
        ({"bot": "mcts", "rules": "gomoku:size=99"}, "size must be from 5 to 20, not 99"),
    ],
)
def test_invalid_bots_are_refused_at_start(given: dict[str, str], says: str) -> None:
    with pytest.raises(ValueError) as caught:
        GomocupEngine(**given)  # type: ignore[arg-type]
    assert says in str(caught.value)


@pytest.mark.parametrize("asked", [("BEGIN",), ("SWAP2BOARD", "DONE")])
def test_end_received_during_a_search_stops_it(asked: tuple[str, ...]) -> None:
    engine = GomocupEngine("mcts:seconds=600")
    engine.answer("START 15")
    thinking = threading.Thread(target=lambda: [engine.answer(line) for line in asked])
    thinking.start()
    assert not engine.intercept(Line("END\r"))
    thinking.join(PATIENCE)
    assert not thinking.is_alive()
    engine.answer("END")
    assert engine.ended


# Hostile input.

WORDS = [
    "START",
    "TURN",
    "BOARD",
    "DONE",
    "INFO",
    "BEGIN",
    "RESTART",
    "TAKEBACK",
    "PLAY",
    "RECTSTART",
    "ABOUT",
]
NUMBERS = st.sampled_from(["0", "4", "5", "7", "15", "20", "-1", "9" * 30, "x", "", "1e3", "٣"])
LINES = st.one_of(
    st.text(max_size=30),
    st.sampled_from(WORDS),
    st.builds("{} {}".format, st.sampled_from(WORDS), NUMBERS),
    st.builds("{} {},{}".format, st.sampled_from(WORDS), NUMBERS, NUMBERS),
    st.builds("{},{},{}".format, NUMBERS, NUMBERS, NUMBERS),
    st.builds("{},{}".format, NUMBERS, NUMBERS),
    st.builds("INFO {} {}".format, st.sampled_from(["rule", "timeout_turn", "time_left", "x"]), NUMBERS),
)
ANSWER = re.compile(
    r"(OK|SWAP|[0-9]+,[0-9]+( [0-9]+,[0-9]+){0,2}|ERROR [^\n]*|UNKNOWN [^\n]*|name=[^\n]*|)\n?"
)


@settings(max_examples=300, deadline=None)
@given(st.lists(LINES, max_size=20))
def test_any_input_gets_a_valid_protocol_answer(lines: list[str]) -> None:
    engine = GomocupEngine("first")
    engine.answer("START 5")
    for line in lines:
        assert ANSWER.fullmatch(engine.answer(line)), line
    assert engine.answer("ABOUT").startswith("name=")
    assert engine.answer("INFO rule 0") == ""
    assert engine.answer("START 15") == "OK\n"
    assert engine.answer("BEGIN") == "0,14\n"


def test_too_long_or_unknown_commands_are_reported() -> None:
    engine = GomocupEngine("first")
    assert engine.answer(Line("START 15", whole=False)) == "ERROR this line is longer than 65536 bytes\n"
    assert engine.answer("x" * 10_000).startswith(f"UNKNOWN command '{'x' * 50}")
    assert len(engine.answer("x" * 10_000)) < 100


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("INFO", "key value"),
        ("info timeout_turn soon", "'soon'"),
        ("INFO timeout_match -5", "-5"),
        ("INFO\ttime_left", "time_left"),
        (Line("INFO folder " + "x" * 100, whole=False), "65536"),
    ],
)
def test_info_is_never_answered_and_unreadable_ones_go_to_standard_error(
    line: str | Line, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = GomocupEngine("first")
    engine.answer("START 15")
    assert engine.answer(line) == ""
    printed = capsys.readouterr()
    assert printed.out == ""
    assert says in printed.err
    assert engine.answer("BEGIN") == "0,14\n"


def test_a_short_clock_for_the_game_is_used() -> None:
    engine = GomocupEngine("timed")
    engine.answer("START 15")
    for line in ("INFO timeout_match 10000", "INFO time_left 10000", "BOARD", "7,7,2", "DONE"):
        engine.answer(line)
    assert TOLD[-1] is not None
    assert 0.5 < TOLD[-1] < 2.5
