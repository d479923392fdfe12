"""Gomoku's patterns: incremental against fresh ones and the definitions, and the shapes by name."""

import random
from itertools import pairwise

import pytest

from tests.games.gomoku_shapes import BLACK, STEPS, WHITE, along, line_made, marked, position
from tesuji import _core
from tesuji.games import Gomoku

RULES = ("freestyle", "standard", "renju")
KEPT = _core.GOMOKU_THREATS[_core.GOMOKU_THREATS.index("open_three") :]


def line(text: str, *, rule: str = "freestyle", colour: int = BLACK) -> str:
    """What a stone at the + of a row makes; x is own, o the enemy's."""
    own, other = ("x", "o") if colour == BLACK else ("o", "x")
    row = " ".join(text.replace("x", "1").replace("o", "2").replace("1", own).replace("2", other))
    picture = "\n".join([row] + [" ".join("." * len(text))] * (len(text) - 1))
    patterns = _core.GomokuPatterns(position(picture, rule=rule))
    return patterns.lines(marked(picture, "+")[0], colour)[0]


def random_board(rng: random.Random, size: int, rule: str) -> _core.GomokuState:
    """Random stones, up to a full board, won or not."""
    weights = [rng.random() + 0.1, rng.random(), rng.random()]
    return _core.GomokuState.set_up(size, rule, bytes(rng.choices((0, 1, 2), weights, k=size * size)), BLACK)


def boards(rule: str, count: int) -> list[_core.GomokuState]:
    """Random boards of all sizes on which not both have won."""
    rng = random.Random(rule)
    found: list[_core.GomokuState] = []
    while len(found) < count:
        try:
            found.append(random_board(rng, rng.randint(5, 20), rule))
        except ValueError:
            continue  # two winners
    return found


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", range(5, 21))
def test_incremental_patterns_equal_a_fresh_computation(size: int, rule: str) -> None:
    rng = random.Random(size)
    patterns = _core.GomokuPatterns(Gomoku(size=size, rule=rule).start().core)  # type: ignore[arg-type]
    there: list[int] = []
    for step in range(3 * size * size):
        wanted = size * size * (0.5 - 0.5 * abs(1 - step / (1.5 * size * size)))  # filling up, and emptying
        if there and rng.random() < (0.7 if len(there) > wanted else 0.3):
            patterns.undo(there.pop(rng.randrange(len(there))))
        elif len(there) < size * size:
            there.append(rng.choice([cell for cell in range(size * size) if cell not in there]))
            patterns.play(there[-1], rng.randrange(2))
        if step % 7 == 0:
            assert patterns == patterns.rebuilt()
    assert patterns == patterns.rebuilt()


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("keep", [True, False])
def test_removing_stones_in_reverse_order_restores_the_patterns(rule: str, keep: bool) -> None:
    for core in boards(rule, 20):
        patterns = _core.GomokuPatterns(core)
        empty = [cell for cell, owner in enumerate(core.cells()) if owner == 0]
        if sum(patterns.threat(cell, BLACK) not in ("none", "one") for cell in empty) >= 16:
            patterns.play_and_undo(800, core.size, keep=keep)
        assert patterns == _core.GomokuPatterns(core) == patterns.rebuilt()


def test_patterns_of_different_stones_differ() -> None:
    patterns = _core.GomokuPatterns(Gomoku().start().core)
    empty = patterns.rebuilt()
    patterns.play(112, BLACK)
    assert patterns != empty
    patterns.undo(112)
    assert patterns == empty


@pytest.mark.parametrize("rule", RULES)
def test_a_states_moves_keep_its_patterns_up_to_date(rule: str) -> None:
    rng = random.Random(1)
    state = Gomoku(size=9, rule=rule).start()  # type: ignore[arg-type]
    state.core.noisy_moves()  # asks for them
    while state.scores() is None:
        patterns = _core.GomokuPatterns(state.core)
        assert patterns == patterns.rebuilt()
        state = state.play(rng.choice(state.moves()))


@pytest.mark.parametrize("rule", RULES)
def test_every_line_pattern_agrees_with_its_definition(rule: str) -> None:
    for core in boards(rule, 50):
        patterns, owners = _core.GomokuPatterns(core), core.cells()
        for cell in (cell for cell, owner in enumerate(owners) if owner == 0):
            for colour in (BLACK, WHITE):
                exact = rule == "standard" or (rule == "renju" and colour == BLACK)
                forbids = rule == "renju" and colour == BLACK
                texts = [along(core.size, owners, cell, step, colour) for step in STEPS]
                assert patterns.lines(cell, colour) == [
                    line_made(*text, exact, forbids_double_four=forbids) for text in texts
                ]


@pytest.mark.parametrize("rule", RULES)
def test_counts_and_sets_agree_with_the_cells(rule: str) -> None:
    for core in boards(rule, 60):
        patterns = _core.GomokuPatterns(core)
        empty = [cell for cell, owner in enumerate(core.cells()) if owner == 0]
        for colour in (BLACK, WHITE):
            threats = [patterns.threat(cell, colour) for cell in empty]
            for threat in _core.GOMOKU_THREATS:
                assert patterns.count(threat, colour) == threats.count(threat)
                if threat in KEPT:
                    assert patterns.cells(threat, colour) == [
                        cell for cell, found in zip(empty, threats, strict=True) if found == threat
                    ]


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("..xxxx+..", "five"),
        ("..xx+xx..", "five"),
        ("..xxx+xx.", "five"),
        ("..xx+x...", "open_four"),
        ("oxx+x....", "four"),
        ("..xx.+x..", "four"),
        ("..x.xx+..", "four"),
        ("..xxx.+..", "four"),
        ("x.x+x.x..", "double_four"),
        ("xx.+x.xx.", "double_four"),
        ("..xx+....", "open_three"),
        ("..x.+x...", "open_three"),
        ("..x+.x...", "open_three"),
        ("oxx+.....", "three"),
        ("xx+......", "three"),
        (".oxx+..o.", "three"),
        ("o.xx+.o..", "three"),
        ("..x.x.+..", "three"),
        ("..x..x+..", "three"),
        ("...x+....", "open_two"),
        ("..x..+...", "open_two"),
        ("ox+......", "two"),
        ("....+....", "open_one"),
        ("o+.......", "one"),
        ("o+...o...", "none"),
        ("oxxx+o...", "none"),
        ("ox.x+o...", "none"),
    ],
)
@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_solid_and_broken_shapes_are_classified(text: str, made: str, colour: int) -> None:
    assert line(text, colour=colour) == made
    assert line(text[::-1], colour=colour) == made


@pytest.mark.parametrize(
    ("text", "freestyle", "standard"),
    [
        ("..xxx+xx..", "five", "overline"),
        ("x.xxx+....", "open_four", "four"),
        ("x.xxx+.x..", "open_four", "none"),
        ("x..xx+..x", "open_three", "three"),
    ],
)
def test_an_overline_is_not_a_five_where_exactly_five_wins(text: str, freestyle: str, standard: str) -> None:
    assert line(text, rule="freestyle") == freestyle
    assert line(text, rule="standard") == line(text, rule="renju") == standard
    assert line(text, rule="renju", colour=WHITE) == freestyle


def test_a_line_that_only_a_double_four_could_extend_is_no_three_for_renjus_black() -> None:
    text = "x.x.+.x...."
    assert line(text, rule="freestyle") == line(text, rule="standard") == "open_three"
    assert line(text, rule="renju") == "three"


def threat(picture: str, *, rule: str = "freestyle", colour: int = BLACK) -> str:
    return _core.GomokuPatterns(position(picture, rule=rule)).threat(marked(picture, "+")[0], colour)


FOUR_THREE = """
    . . . . . . . . .
    . . . . x . . . .
    . . . . x . . . .
    o x x x + . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""
DOUBLE_THREE = FOUR_THREE.replace("o x x x", ". . x x")


def test_patterns_of_several_lines_combine_into_a_threat() -> None:
    assert threat(FOUR_THREE) == "four_three"
    assert threat(DOUBLE_THREE) == "double_three"
    assert threat(FOUR_THREE.replace("o x x x", ". x x x")) == "open_four"
    assert threat("x x x + x . .\n" + ". . . . . . .\n" * 6) == "five"
    assert threat("x . x + x . x\n" + ". . . . . . .\n" * 6) == "open_four"
    assert threat("x x . + . . .\n" + ". . . . . . .\n" * 6) == "three"


def test_two_fours_in_two_lines_rank_as_an_open_four() -> None:
    crossing = """
        o . . . o . . . .
        . x . . x . . . .
        . . x . x . . . .
        . . . x x . . . .
        . . . . + . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """
    assert threat(crossing) == "open_four"
    assert threat(crossing, rule="standard") == "open_four"
    assert threat(crossing, rule="renju") == "forbidden"


def test_a_stronger_threat_has_a_higher_score() -> None:
    end = "\n" + ". . . . . . . . .\n" * 8
    lines = ["x x x x +", ". x x x +", "o x x x +", ". . x x +", ". o x x +", ". . . x +", ". . o x +"]
    scores = []
    for text in lines:
        picture = text + " . . . ." + end
        scores.append(_core.GomokuPatterns(position(picture)).score(marked(picture, "+")[0], BLACK))
    assert all(stronger > weaker for stronger, weaker in pairwise(scores))


def test_threats_are_symmetric_in_the_colours() -> None:
    for core in boards("freestyle", 100):
        swapped = bytes((0, 2, 1)[owner] for owner in core.cells())
        first = _core.GomokuPatterns(core)
        second = _core.GomokuPatterns(_core.GomokuState.set_up(core.size, "freestyle", swapped, BLACK))
        for threat in _core.GOMOKU_THREATS:
            assert first.count(threat, BLACK) == second.count(threat, WHITE)
            assert first.count(threat, WHITE) == second.count(threat, BLACK)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p: p.play(112, 0), "cell 112 has a stone"),
        (lambda p: p.play(225, 0), "from 0 to 224, not 225"),
        (lambda p: p.play(0, 2), "colour must be 0 or 1, not 2"),
        (lambda p: p.undo(0), "cell 0 has no stone"),
        (lambda p: p.threat(112, 0), "cell 112 has a stone"),
        (lambda p: p.count("sixes", 0), "'sixes'"),
        (lambda p: p.cells("two", 0), "cells of 'two'"),
    ],
)
def test_invalid_calls_of_patterns_are_refused(call: object, message: str) -> None:
    patterns = _core.GomokuPatterns(Gomoku().start().play(112).core)
    with pytest.raises(ValueError, match=message):
        call(patterns)  # type: ignore[operator]
