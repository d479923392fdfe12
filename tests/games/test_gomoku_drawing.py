"""Pictures of Gomoku boards."""

from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.pictures import SVG, cell_groups, check_standalone
from tesuji.games.coordinates import cell_text
from tesuji.games.gomoku.drawing import draw_svg, draw_text


@st.composite
def boards(draw: st.DrawFn) -> tuple[int, bytes]:
    size = draw(st.integers(5, 20))
    seed = draw(st.randoms(use_true_random=False))
    return size, bytes(seed.choice([0, 0, 1, 2]) for _ in range(size * size))


def test_the_text_has_row_one_at_the_bottom_and_marks_what_matters() -> None:
    cells = bytes([1, *[0] * 22, 2, 0])
    assert draw_text(5, cells, last_move=23, forbidden=[12]).splitlines() == [
        " 5  · · ·[○]·   ● = Black",
        " 4  · · · · ·   ○ = White",
        " 3  · · × · ·   × = forbidden",
        " 2  · · · · ·",
        " 1  ● · · · ·",
        "    a b c d e",
    ]


@given(boards())
def test_plain_text_has_only_ascii_characters_and_every_stone(board: tuple[int, bytes]) -> None:
    size, cells = board
    text = draw_text(size, cells, ascii=True)
    assert text.isascii()
    rows = text.splitlines()[:-1]
    assert len(rows) == size
    stones = "".join(row[4 : 4 + 2 * size : 2] for row in reversed(rows))
    assert stones == "".join(".BW"[cell] for cell in cells)


def test_every_last_move_is_bracketed_where_it_was_played() -> None:
    for cell in range(25):
        cells = bytes(1 if cell == other else 0 for other in range(25))
        lines = draw_text(5, cells, last_move=cell).splitlines()
        assert sum(line.count("[●]") for line in lines) == 1
        assert lines[4 - cell // 5].index("[●]") == 3 + 2 * (cell % 5)


@settings(max_examples=30, deadline=None)
@given(boards(), st.data())
def test_the_picture_is_valid_xml_that_names_every_cell(
    board: tuple[int, bytes], data: st.DataObject
) -> None:
    size, cells = board
    everywhere = st.integers(0, size * size - 1)
    heat = data.draw(st.dictionaries(everywhere, st.floats(0, 1)))
    labels = data.draw(st.dictionaries(everywhere, st.text(st.characters(categories=["L", "N", "S"]))))
    last_move = data.draw(st.none() | everywhere)
    forbidden = data.draw(st.sets(everywhere, max_size=3))
    svg = draw_svg(size, cells, last_move=last_move, heat=heat, labels=labels, forbidden=forbidden)
    groups = cell_groups(svg)
    assert len(groups) == size * size
    for cell, group in enumerate(groups):
        title = group.findtext(f"{SVG}title") or ""
        assert title.startswith(
            f"{cell_text('Gomoku', size, cell)}, {('empty', 'Black', 'White')[cells[cell]]}"
        )
        assert title.endswith(labels.get(cell, ""))
        assert ("last move" in title) == (cell == last_move)
        assert ("forbidden" in title) == (cell in forbidden)
        # Row 1 is the lowest; the ground of each cell lies around its crossing.
        ground = group.find(f"{SVG}rect")
        assert ground is not None
        assert float(ground.attrib["x"]) == 40 * (cell % size) - 20
        assert float(ground.attrib["y"]) == 40 * (size - 1 - cell // size) - 20


def test_the_last_move_is_marked_and_in_the_description() -> None:
    cells = bytes([*[0] * 12, 1, *[0] * 12])
    svg = draw_svg(5, cells, last_move=12)
    assert "last move c3" in (ElementTree.fromstring(svg).findtext(f"{SVG}title") or "")
    assert svg.count("<circle") == draw_svg(5, cells).count("<circle") + 1


def test_heat_map_opacity_grows_with_the_value() -> None:
    groups = cell_groups(draw_svg(5, bytes(25), heat={0: 0.1, 4: 0.6, 8: 0.3, 2: 0.0}))
    opacity = [
        max(float(rect.attrib.get("fill-opacity", 0)) for rect in group.iter(f"{SVG}rect"))
        for group in groups
    ]
    assert 0 < opacity[0] < opacity[8] < opacity[4]
    assert sum(map(bool, opacity)) == 3


def test_the_picture_scales_and_has_no_external_references() -> None:
    check_standalone(draw_svg(15, bytes([1, 2, *[0] * 223])))


def test_invalid_drawing_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="a 5×5 board has 25 cells"):
        draw_text(5, bytes(24))
    with pytest.raises(ValueError, match="each 0, 1 or 2"):
        draw_svg(5, bytes([3] * 25))
    with pytest.raises(ValueError, match="25 is not a cell of 5×5 Gomoku"):
        draw_svg(5, bytes(25), last_move=25)
    for heat in (-0.1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="the heat of a1 must be a number from 0"):
            draw_svg(5, bytes(25), heat={0: heat})
