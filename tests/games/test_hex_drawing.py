"""Pictures of Hex boards."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.pictures import SVG, cell_groups, check_standalone
from tesuji.games.coordinates import cell_text
from tesuji.games.hex.drawing import draw_svg, draw_text


@st.composite
def boards(draw: st.DrawFn) -> tuple[int, bytes]:
    size = draw(st.integers(2, 19))
    cells = draw(st.lists(st.sampled_from([0, 1, 2]), min_size=size * size, max_size=size * size))
    return size, bytes(cells)


def cell_titles(svg: str) -> list[str]:
    """The titles of the cells, in the order of the cells."""
    return [group.findtext(f"{SVG}title") or "" for group in cell_groups(svg)]


def test_the_text_is_a_rhombus_with_both_players_sides_named() -> None:
    cells = bytes([0, 0, 1, 0, 2, 0, 0, 0, 0])
    assert draw_text(3, cells, last_move=4, marks={6: "x"}).splitlines() == [
        "   a b c",
        "    ━━━━━━━ ● = Black",
        " 1 ╲ · · ● ╲ 1",
        "  2 ╲ ·[○]· ╲ 2  ○ = White",
        "   3 ╲ x · · ╲ 3",
        "      ━━━━━━━",
        "         a b c",
    ]


@given(boards())
def test_plain_text_has_only_ascii_characters_and_every_stone(board: tuple[int, bytes]) -> None:
    size, cells = board
    text = draw_text(size, cells, ascii=True)
    assert text.isascii()
    rows = text.splitlines()[2:-2]
    assert len(rows) == size
    stones = "".join(re.sub(r"[^.BW]", "", row.split("\\")[1]) for row in rows)
    assert stones == "".join(".BW"[cell] for cell in cells)


@given(boards())
def test_each_row_is_shifted_half_a_cell_to_the_right(board: tuple[int, bytes]) -> None:
    size, cells = board
    rows = draw_text(size, cells).splitlines()[2:-2]
    starts = [row.index("╲") for row in rows]
    assert starts == list(range(starts[0], starts[0] + size))


def test_every_last_move_is_bracketed_where_it_was_played() -> None:
    for cell in range(16):
        cells = bytes(1 if cell == other else 0 for other in range(16))
        text = draw_text(4, cells, last_move=cell)
        assert text.count("[●]") == 1
        assert text.splitlines()[2 + cell // 4].count("[●]") == 1


@pytest.mark.parametrize("mark", ["", "12"])
def test_a_mark_is_one_character(mark: str) -> None:
    with pytest.raises(ValueError, match="the mark of b1 must be one character"):
        draw_text(3, bytes(9), marks={1: mark})


@settings(max_examples=30)
@given(boards(), st.data())
def test_the_picture_is_valid_xml_that_names_every_cell(
    board: tuple[int, bytes], data: st.DataObject
) -> None:
    size, cells = board
    everywhere = st.integers(0, size * size - 1)
    heat = data.draw(st.dictionaries(everywhere, st.floats(0, 1)))
    printable = st.text(st.characters(categories=["L", "N", "P", "S"]))
    labels = data.draw(st.dictionaries(everywhere, printable))
    last_move = data.draw(st.none() | everywhere)
    titles = cell_titles(draw_svg(size, cells, last_move=last_move, heat=heat, labels=labels))
    for cell, title in enumerate(titles):
        stone = ("empty", "Black", "White")[cells[cell]]
        assert title.startswith(f"{cell_text('Hex', size, cell)}, {stone}")
        assert title.endswith(labels.get(cell, ""))
    assert len(titles) == size * size


def test_the_last_move_is_marked_and_in_the_description() -> None:
    cells = bytes([0, 0, 0, 0, 1, 0, 0, 0, 0])
    svg = draw_svg(3, cells, last_move=4)
    assert cell_titles(svg)[4] == "b2, Black, last move"
    assert "last move b2" in (ElementTree.fromstring(svg).findtext(f"{SVG}title") or "")
    assert svg.count("<circle") == draw_svg(3, cells).count("<circle") + 1


def test_heat_map_opacity_grows_with_the_value() -> None:
    svg = draw_svg(3, bytes(9), heat={0: 0.1, 4: 0.6, 8: 0.3, 2: 0.0})
    opacity = {
        int(group.attrib["data-cell"]): float(polygon.attrib["fill-opacity"])
        for group in cell_groups(svg)
        for polygon in group.iter(f"{SVG}polygon")
        if "fill-opacity" in polygon.attrib
    }
    assert sorted(opacity, key=lambda cell: opacity[cell]) == [0, 8, 4]


def test_the_picture_scales_and_has_no_external_references() -> None:
    check_standalone(draw_svg(11, bytes(121)))


def test_the_sides_differ_in_more_than_colour() -> None:
    root = ElementTree.fromstring(draw_svg(5, bytes(25)))
    sides = {
        side.findtext(f"{SVG}title"): side.attrib["fill"]
        for side in root.findall(f"{SVG}polygon")
        if side.find(f"{SVG}title") is not None
    }
    assert set(sides) == {
        "top, Black's side",
        "bottom, Black's side",
        "left, White's side",
        "right, White's side",
    }
    assert sides["left, White's side"] == sides["right, White's side"] == "url(#tesuji-hex-stripes)"
    assert sides["top, Black's side"] == sides["bottom, Black's side"] != sides["left, White's side"]


def test_invalid_drawing_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="a 3×3 board has 9 cells"):
        draw_text(3, bytes(8))
    with pytest.raises(ValueError, match="each 0, 1 or 2"):
        draw_svg(3, bytes([3] * 9))
    with pytest.raises(ValueError, match="9 is not a cell of 3×3 Hex"):
        draw_text(3, bytes(9), last_move=9)
    for heat in (-0.1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="the heat of a1 must be a number from 0"):
            draw_svg(3, bytes(9), heat={0: heat})
