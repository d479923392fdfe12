"""The plot of ratings is well-formed, complete, and within its frame."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

from tesuji.arena.plot import WIDTH, ratings_svg, shortened
from tesuji.arena.ratings import Rating, Ratings, Result, fit_ratings

SVG = "{http://www.w3.org/2000/svg}"
LETTER = 7.25


def many(bots: int) -> Ratings:
    names = [
        f"mcts:iterations={100 * number},rave=off,exploration=0.{number:02}" for number in range(1, bots + 1)
    ]
    results = [Result((one, other), (1.0, 0.0)) for one in names for other in names if one != other]
    return fit_ratings(results)


def of(*rows: Rating) -> Ratings:
    return replace(fit_ratings([]), table=list(rows))


def check(svg: str) -> ElementTree.Element:
    """Parse, and see that no mark and no text leaves the frame."""
    root = ElementTree.fromstring(svg)
    height = float(root.attrib["height"])
    assert root.attrib["viewBox"] == f"0 0 {WIDTH} {root.attrib['height']}"
    for element in root.iter():
        for name in ("x", "x1", "x2", "cx"):
            assert 0 <= float(element.get(name, 0)) <= WIDTH
        for name in ("y", "y1", "y2", "cy"):
            assert 0 <= float(element.get(name, 0)) <= height
        if element.tag == f"{SVG}text" and element.get("class") != "title":
            width, x = LETTER * len(element.text or ""), float(element.attrib["x"])
            left = x - {"end": width, "middle": width / 2}.get(element.get("text-anchor", ""), 0)
            assert left >= 0 and left + width <= WIDTH
    return root


@pytest.mark.parametrize("bots", [2, 8, 30])
def test_every_bot_has_its_row(bots: int) -> None:
    ratings = many(bots)
    root = check(ratings_svg(ratings, "A tournament"))
    assert len(root.findall(f".//{SVG}circle")) == bots
    assert all(letter not in ratings_svg(ratings) for letter in ("nan", "inf"))
    titles = [title.text or "" for title in root.iter(f"{SVG}title")]
    for row in ratings.table:
        assert any(title.startswith(row.name) for title in titles)
    heights = [float(dot.attrib["cy"]) for dot in root.iter(f"{SVG}circle")]
    assert heights == sorted(heights)


def test_a_better_bot_stands_further_to_the_right() -> None:
    root = check(ratings_svg(of(Rating("a", 50, 20, 80, 9, 6), Rating("b", -50, -90, -10, 9, 3))))
    dots = [float(dot.attrib["cx"]) for dot in root.iter(f"{SVG}circle")]
    ranges = [line for line in root.iter(f"{SVG}line") if line.get("class") == "range"]
    for x, line in zip(dots, ranges, strict=True):
        assert float(line.attrib["x1"]) < x < float(line.attrib["x2"])
    assert dots[0] > dots[1]
    assert "+50 ± 30" in [text.text for text in root.iter(f"{SVG}text")]


@pytest.mark.parametrize(
    "row",
    [
        Rating("a", 10, -math.inf, math.inf, 1, 1),
        Rating("a", math.inf, 0, math.inf, 1, 1),
        Rating("a", -math.inf, -math.inf, math.inf, 1, 1),
        Rating("a", 10, -90_000, 1e12, 1, 1),
        Rating("a", 0, 0, 0, 1, 1),
        Rating("a", 30_000, 29_000, 31_000, 1, 1),
        Rating("", 1e-9, -1e-9, 3e-9, 1, 1),
    ],
)
def test_huge_infinite_and_empty_intervals_stay_inside(row: Rating) -> None:
    check(ratings_svg(of(row)))
    root = check(ratings_svg(of(row, Rating("b", -40, -80, 0, 3, 1)), "Two"))
    arrows = root.findall(f".//{SVG}path")
    assert bool(arrows) == (row.low < -1000 or row.high > 40_000)


def test_any_name_and_title_can_be_drawn() -> None:
    name = 'gtp:command="a & <b>"\x00\n' + "x" * 300
    root = check(
        ratings_svg(of(Rating(name, 0, -1, 1, 2, 1), Rating("囲碁" * 50, 0, -1, 1, 2, 1)), "<&>\x1b" * 99)
    )
    titles = [title.text or "" for title in root.iter(f"{SVG}title")]
    assert any('gtp:command="a & <b>"\ufffd\ufffd' + "x" * 300 in title for title in titles)


def test_missing_games_and_separate_groups_are_mentioned() -> None:
    assert "no games" in ratings_svg(fit_ratings([]))
    apart = fit_ratings([Result(("a", "b"), (1.0, 0.0)), Result(("c", "d"), (0.5, 0.5))])
    assert "2 groups never met" in ratings_svg(apart)
    table = fit_ratings([Result(("a", "b", "c"), (1.0, 0.5, 0.0), number) for number in range(4)])
    assert "seats +" in ratings_svg(table)


def test_the_same_ratings_give_the_same_picture() -> None:
    assert ratings_svg(many(4), "Four") == ratings_svg(many(4), "Four")


def test_long_names_are_shortened_in_the_middle() -> None:
    assert shortened("random", 6) == "random"
    assert shortened("abcdefghij", 7) == "abc…hij"
    assert shortened("囲碁囲碁囲碁", 7) == "囲…囲碁"  # two wide each
    for letters in range(3, 20):
        assert len(shortened("x" * 30, letters)) == letters
