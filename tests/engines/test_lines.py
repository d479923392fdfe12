"""Lines from a stream of bytes: the same however it arrives, and cut where they never end."""

from collections.abc import Callable, Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tesuji.engines.lines import LONGEST_LINE, Line, read_lines


def chunks(parts: Iterable[bytes]) -> Callable[[], bytes]:
    left = iter([*(part for part in parts if part), b""])
    return lambda: next(left)


@given(st.lists(st.binary(max_size=30)))
def test_lines_do_not_depend_on_how_the_bytes_arrive(parts: list[bytes]) -> None:
    whole = b"".join(parts)
    expected = whole.split(b"\n")
    if not expected[-1]:
        expected.pop()
    assert list(read_lines(chunks(parts))) == [Line(line.decode(errors="replace")) for line in expected]


@pytest.mark.parametrize("after", [b"", b"\n"])
def test_a_line_without_end_is_cut_and_the_next_one_is_whole(after: bytes) -> None:
    flood = [b"x" * LONGEST_LINE] * 50
    lines = list(read_lines(chunks([*flood, b"\nname\n", b"y" * LONGEST_LINE + b"y", after])))
    assert [(len(line.text), line.whole) for line in lines] == [
        (LONGEST_LINE, False),
        (4, True),
        (LONGEST_LINE, False),
    ]


def test_a_line_of_just_the_longest_length_is_whole() -> None:
    assert [line.whole for line in read_lines(chunks([b"x" * LONGEST_LINE, b"\n"]))] == [True]
