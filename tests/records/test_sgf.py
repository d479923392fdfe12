"""The grammar of SGF: round trips, and errors with their position."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tesuji.records import sgf
from tesuji.records.sgf import MAX_DEPTH, Node, SGFError, Tree

VALUES = st.text(max_size=20).map(sgf.escape)
NODES = st.builds(
    Node,
    st.dictionaries(
        st.text("ABCXYZ", min_size=1, max_size=3), st.lists(VALUES, min_size=1, max_size=3), max_size=3
    ),
)
TREES = st.recursive(
    st.builds(Tree, st.lists(NODES, min_size=1, max_size=3)),
    lambda inner: st.builds(Tree, st.lists(NODES, min_size=1, max_size=3), st.lists(inner, max_size=3)),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.lists(TREES, min_size=1, max_size=3))
def test_sgf_round_trips(trees: list[Tree]) -> None:
    assert sgf.parse(sgf.write(trees)) == trees


@given(st.text(st.characters(exclude_characters="\r\n\t\v\f")))
def test_any_text_on_one_line_survives(text: str) -> None:
    assert sgf.simple_text(sgf.escape(text)) == text
    tree = Tree([Node({"C": [sgf.escape(text)]})])
    assert sgf.parse(sgf.write([tree]))[0].nodes[0].get("C") == text


@pytest.mark.parametrize(
    ("value", "text", "simple"),
    [
        ("a\nb", "a\nb", "a b"),
        ("a\r\nb\n\rc\rd", "a\nb\nc\nd", "a b c d"),
        ("a\\\nb", "ab", "ab"),
        ("a\\\r\nb", "ab", "ab"),
        (r"a\]\\b\:c", r"a]\b:c", r"a]\b:c"),
        ("a\tb\\\tc", "a b c", "a b c"),
    ],
)
def test_line_ends_spaces_and_backslashes_follow_the_sgf_standard(value: str, text: str, simple: str) -> None:
    assert sgf.text(value) == text
    assert sgf.simple_text(value) == simple


def test_the_first_variation_is_the_main_line() -> None:
    (tree,) = sgf.parse("(;A[1](;A[2](;A[3];A[4])(;A[5]))(;A[6]))")
    assert [node.get("A") for node in tree.main_line()] == ["1", "2", "3", "4"]


def test_old_names_extra_spaces_and_leading_text_are_read() -> None:
    (tree,) = sgf.parse("From: me\n\n ( ; GaMe [1]\n[2] \n;\n) \n")
    assert [node.properties for node in tree.nodes] == [{"GM": ["1", "2"]}, {}]
    assert [node.line for node in tree.nodes] == [3, 5]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "(;"),
        ("no game", "(;"),
        ("(;A[1]", "line 1, character 7: missing 1 )"),
        ("(;A[1]\n;B[", "line 2, character 3: missing ]"),
        ("(;A[1]))", "line 1, character 8: ) without ("),
        ("(;A[1](;))x", "'x' is not a property"),
        ("(;A[1](;B[2]);C[3])", "line 1, character 14: ; must follow"),
        ("(;A[1](;B[2])C[3])", "'C' is not a property"),
        ("(;A)", "line 1, character 3: A has no value"),
        ("(;a[1])", "'a' is not a property"),
        ("(;A[1]A[2])", "A is given twice in one node"),
        ("(;A[1]()", "expected ; after ("),
        ("(;A[1](()", "expected ; after ("),
        ("(;[1])", "[1] has no property"),
        ("(;A[1]) (;B[1]) \0", "unexpected '\\x00'"),
    ],
)
def test_invalid_sgf_is_an_error_with_its_position(text: str, message: str) -> None:
    with pytest.raises(SGFError) as caught:
        sgf.parse(text)
    assert message in str(caught.value)


def test_the_depth_is_limited() -> None:
    deep = "(;A[1]" * MAX_DEPTH + ")" * MAX_DEPTH
    (tree,) = sgf.parse(deep)
    assert len(list(tree.main_line())) == MAX_DEPTH
    assert sgf.write([tree]).count("A[1]") == MAX_DEPTH
    with pytest.raises(SGFError, match="1000"):
        sgf.parse(f"(;{deep})")


def test_a_file_is_utf_8_or_latin_1() -> None:
    assert sgf.decode("José 北".encode()) == "José 北"
    assert sgf.decode("\ufeffJosé".encode()) == "José"
    assert sgf.decode("José".encode("latin-1")) == "José"
