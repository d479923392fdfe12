"""Checks of SVG pictures that several games share."""

from __future__ import annotations

import re
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"


def cell_groups(svg: str) -> list[ElementTree.Element]:
    """The groups of the cells, which are drawn in the order of the cells."""
    groups = [group for group in ElementTree.fromstring(svg).iter(f"{SVG}g") if "data-cell" in group.attrib]
    assert [int(group.attrib["data-cell"]) for group in groups] == list(range(len(groups)))
    return groups


def check_standalone(svg: str) -> None:
    """Assert that a picture scales, loads nothing, and refers only to what it defines."""
    root = ElementTree.fromstring(svg)
    assert "viewBox" in root.attrib
    assert "width" not in root.attrib
    assert not re.search(r"href|<script|<image|https?://(?!www\.w3\.org/2000/svg)", svg)
    defined = {element.attrib["id"] for element in root.iter() if "id" in element.attrib}
    assert set(re.findall(r"url\(#([^)]*)\)", svg)) <= defined
