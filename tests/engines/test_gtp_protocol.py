"""The grammar of GTP: parsing of lines and of answers."""

import pytest

from tesuji.engines.gtp.protocol import GtpCommand, format_answer, parse_answer, parse_command
from tesuji.engines.lines import Line


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("name", GtpCommand("", "name", ())),
        ("  1 name  ", GtpCommand("1", "name", ())),
        ("007\tplay  black\tf6\r", GtpCommand("007", "play", ("black", "f6"))),
        ("play b f6 # why not", GtpCommand("", "play", ("b", "f6"))),
        ("play b f6#why not", GtpCommand("", "play", ("b", "f6"))),
        ("na\x00m\x07e\x7f", GtpCommand("", "name", ())),
        ("12", GtpCommand("12", "", ())),
        ("12name", GtpCommand("", "12name", ())),
        ("²", GtpCommand("", "²", ())),
        ("", None),
        (" \t\r", None),
        ("# 5 name", None),
        ("\x00\x01\x02", None),
    ],
)
def test_lines_are_parsed_by_the_gtp_specification(line: str, command: GtpCommand | None) -> None:
    assert parse_command(line) == command


def test_a_truncated_line_is_not_a_command() -> None:
    with pytest.raises(ValueError, match="longer than"):
        parse_command(Line("play b f6", whole=False))
    assert parse_command(Line("play b f6 # and so on", whole=False)) == GtpCommand("", "play", ("b", "f6"))


@pytest.mark.parametrize(
    ("text", "id", "good", "answer"),
    [
        ("", "", True, "= \n\n"),
        ("f6", "", True, "= f6\n\n"),
        ("f6", "12", True, "=12 f6\n\n"),
        ("illegal move", "3", False, "?3 illegal move\n\n"),
        ("\n a b\n\n 1 .\n\n", "", True, "= \n a b\n \n 1 .\n\n"),
    ],
)
def test_an_answer_ends_with_its_only_empty_line(text: str, id: str, good: bool, answer: str) -> None:
    assert format_answer(text, id=id, good=good) == answer


@pytest.mark.parametrize(
    ("answer", "means"),
    [
        ("= f6", (True, "f6")),
        ("=", (True, "")),
        ("= \r", (True, "")),
        ("=\tf6\r", (True, "f6")),
        ("? cannot undo", (False, "cannot undo")),
        ("f6", None),
        ("=f6", None),
        ("=5 f6", None),
        ("", None),
    ],
)
def test_only_lines_that_begin_with_a_status_mark_are_answers(
    answer: str, means: tuple[bool, str] | None
) -> None:
    assert parse_answer(answer) == means
