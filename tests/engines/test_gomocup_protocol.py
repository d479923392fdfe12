"""The grammar of the Gomocup protocol and the keys of INFO."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tesuji
from tesuji.engines.gomocup import GomocupEngine
from tesuji.engines.gomocup.limits import (
    PROCESS_MIB,
    SMALLEST_WITH_NETWORK_MIB,
    Info,
    default_bot,
    limited,
)
from tesuji.engines.gomocup.protocol import (
    RULE_BITS,
    UNLIMITED,
    GomocupCommand,
    Point,
    parse_command,
    parse_numbers,
    parse_points,
    rule_name,
)
from tesuji.engines.lines import Line
from tesuji.engines.server import LONGEST_ERROR
from tesuji.spec import Spec


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("ABOUT", GomocupCommand("ABOUT", "", "ABOUT")),
        ("about\r", GomocupCommand("ABOUT", "", "about")),
        ("  TURN\t7 , 7 \r", GomocupCommand("TURN", "7 , 7", "TURN 7 , 7")),
        (
            "INFO folder C:\\My Brains",
            GomocupCommand("INFO", "folder C:\\My Brains", "INFO folder C:\\My Brains"),
        ),
        ("7,7,1", GomocupCommand("7,7,1", "", "7,7,1")),
        ("\x00E\x07ND\x7f", GomocupCommand("END", "", "END")),
        ("", None),
        (" \t\r", None),
        ("\x00\x01", None),
    ],
)
def test_a_line_is_a_name_and_what_follows(line: str, command: GomocupCommand | None) -> None:
    assert parse_command(line) == command


def test_a_truncated_gomocup_line_is_not_a_command() -> None:
    with pytest.raises(ValueError, match="longer than 65536 bytes"):
        parse_command(Line("END", whole=False))


@given(st.text())
def test_any_text_is_parsed_as_a_command_or_none(text: str) -> None:
    asked = parse_command(text)
    assert asked is None or asked.name


@pytest.mark.parametrize("text", ["7,7", "7 , 7", "7,  7", "07,7"])
def test_numbers_are_read_with_spaces_around_the_comma(text: str) -> None:
    assert parse_numbers(text, "x,y") == [7, 7]


@pytest.mark.parametrize(
    "text", ["", "7", "7,", ",7", "7,7,1", "7;7", "-1,7", "7.5,7", "a,b", "7 7", "٧,7", "²,7", "9999999999,1"]
)
def test_text_that_is_not_two_numbers_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="^expected x,y, not "):
        parse_numbers(text, "x,y")


def test_points_are_read_as_they_are_written() -> None:
    points = [Point(0, 19), Point(7, 7)]
    assert parse_points(" ".join(map(str, points))) == points
    assert parse_points("") == []


@pytest.mark.parametrize(("name", "bits"), RULE_BITS.items())
@pytest.mark.parametrize("continuous", [0, 2])
def test_every_rule_has_its_bits_and_continuous_play_changes_none(
    name: str, bits: int, continuous: int
) -> None:
    assert rule_name(bits | continuous) == name


@pytest.mark.parametrize("bits", [8, 9, 12, 16, 1 << 40])
def test_rules_that_are_not_played_are_refused(bits: int) -> None:
    with pytest.raises(ValueError, match=f"rule {bits} is not supported"):
        rule_name(bits)


@given(st.text())
def test_an_error_line_is_one_line_of_bounded_length(text: str) -> None:
    class Failing(GomocupEngine):
        def respond(self, line: Line) -> str:
            raise ValueError(text)

    line = Failing().answer("START 15")
    assert line.startswith("ERROR ")
    assert len(line.splitlines()) == 1
    assert len(line) <= len("ERROR \n") + LONGEST_ERROR


# INFO.


def test_known_info_keys_are_kept_and_others_ignored() -> None:
    info = Info()
    for line in ("timeout_turn 5000", "RULE  1", "time_left -20", "max_memory 83886080", "thread_num 2"):
        assert info.set(line)
    for line in ("evaluate 7,7", "folder C:\\", "caution_factor 3", "x"):
        assert not info.set(line)
    assert info == Info(timeout_turn=5000, rule=1, time_left=-20, max_memory=83886080, thread_num=2)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "expected INFO key value"),
        ("timeout_turn", "INFO timeout_turn takes a whole number, not ''"),
        ("timeout_turn soon", "not 'soon'"),
        ("timeout_turn 1e3", "not '1e3'"),
        ("time_left 1 2", "not '1 2'"),
        ("rule ٤", "not '٤'"),
        ("timeout_turn -1", "INFO timeout_turn must be at least 0, not -1"),
        ("max_memory 99999999999999999999", "takes a whole number"),
    ],
)
def test_a_bad_value_is_refused_and_changes_nothing(line: str, says: str) -> None:
    info = Info()
    with pytest.raises(ValueError) as caught:
        info.set(line)
    assert says in str(caught.value)
    assert info == Info()


@pytest.mark.parametrize(
    ("info", "left"),
    [
        (Info(), None),
        (Info(timeout_match=0), None),
        (Info(timeout_match=180_000), 180_000),
        (Info(timeout_match=180_000, time_left=5), 5),
        (Info(timeout_match=180_000, time_left=-5), -5),
        (Info(timeout_match=0, time_left=UNLIMITED), None),
    ],
)
def test_the_latest_info_sets_the_match_time(info: Info, left: int | None) -> None:
    assert info.match_time == left


# Limits become options of the bot.


@pytest.mark.parametrize(
    ("spec", "info", "becomes"),
    [
        ("mcts", Info(), "mcts"),
        ("mcts", Info(max_node=0, max_depth=-1, thread_num=0, max_memory=0), "mcts"),
        ("mcts", Info(max_node=700), "mcts:iterations=700"),
        ("mcts:iterations=1e3", Info(max_node=700), "mcts:iterations=700"),
        ("mcts:iterations=500", Info(max_node=700), "mcts:iterations=500"),
        ("mcts:iterations=off", Info(max_node=700), "mcts:iterations=700"),
        ("alphabeta", Info(max_node=700, max_depth=4), "alphabeta:nodes=700,depth=4"),
        ("alphabeta", Info(thread_num=2), "alphabeta:threads=2"),
        ("mcts", Info(thread_num=2), "mcts:threads=2"),
        ("mcts:threads=1", Info(thread_num=2), "mcts:threads=1"),
        ("mcts", Info(max_memory=(100 + PROCESS_MIB) << 20), "mcts:memory=100"),
        ("mcts", Info(max_memory=1), "mcts:memory=1"),
        ("mcts", Info(max_memory=1 << 50), "mcts:memory=1024"),
        ("mcts:memory=50", Info(max_memory=1 << 30), "mcts:memory=50"),
        ("zero", Info(max_memory=80 << 20), f"zero:memory={80 - PROCESS_MIB}"),
        ("zero:batch_size=2,memory=9", Info(max_memory=1 << 30), "zero:batch_size=2,memory=9"),
        ("random", Info(max_node=1, max_memory=1, thread_num=9), "random"),
    ],
)
def test_a_bot_is_kept_within_limits_and_within_its_own(spec: str, info: Info, becomes: str) -> None:
    assert str(limited(Spec.parse(spec), info)) == becomes


@pytest.mark.parametrize(
    ("game", "megabytes", "bot"),
    [
        ("gomoku", 0, "zero"),
        ("gomoku", SMALLEST_WITH_NETWORK_MIB, "zero"),
        ("gomoku", SMALLEST_WITH_NETWORK_MIB - 1, "mcts"),
        ("gomoku:rule=renju,size=20,swap2=on", 350, "zero"),
        ("gomoku:size=8", 0, "mcts"),
    ],
)
def test_the_default_bot_uses_the_network_where_board_and_memory_allow(
    game: str, megabytes: int, bot: str
) -> None:
    assert str(default_bot(tesuji.game(game), Info(max_memory=megabytes << 20))) == bot
