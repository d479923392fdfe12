"""The sixteen features of Onitama, against their definitions on the slow rules."""

import random

import pytest

import tesuji
from tests.games.onitama_positions import OX, set_up
from tests.games.slow_onitama import STEPS, TEMPLES, Slow, Square
from tesuji import _core
from tesuji.games import Onitama
from tesuji.games.onitama.features import HAND_WEIGHTS


def distance(one: Square, two: Square) -> int:
    return abs(one[0] - two[0]) + abs(one[1] - two[1])


def attacked(slow: Slow, player: int) -> set[Square]:
    """Where this player could take something back: by its cards, own pieces or not."""
    sign = 1 if player == 0 else -1
    return {
        (column + sign * x, row + sign * y)
        for card in slow.hands[player]
        for column, row in slow.pieces(player)
        for x, y in STEPS[card]
    }


def progress(slow: Slow, player: int) -> float:
    ways = [distance(square, TEMPLES[1 - player]) for square in slow.students[player]]
    return sum(ways) / len(ways) if ways else 0.0


def expected(slow: Slow, player: int) -> dict[str, float]:
    enemy = 1 - player
    mine, theirs = slow.piece_moves(player), slow.piece_moves(enemy)
    middle = {(column, row) for column in (1, 2, 3) for row in (1, 2, 3)}
    temple = TEMPLES[player]
    return {
        "material_diff_students": len(slow.students[player]) - len(slow.students[enemy]),
        "my_master_alive": 1,
        "opp_master_captured": 0,
        "my_master_threats": sum(end == slow.masters[player] for _, _, end in theirs),
        "opp_master_threats": sum(end == slow.masters[enemy] for _, _, end in mine),
        "opp_shrine_threat": any(start == slow.masters[enemy] and end == temple for _, start, end in theirs),
        "my_legal_moves": len(mine),
        "opp_legal_moves": len(theirs),
        "my_capture_moves": sum(end in slow.pieces(enemy) for _, _, end in mine),
        "opp_capture_moves": sum(end in slow.pieces(player) for _, _, end in theirs),
        "my_master_temple_distance": distance(slow.masters[player], TEMPLES[enemy]),
        "opp_master_temple_distance": distance(slow.masters[enemy], TEMPLES[player]),
        "my_student_progress": progress(slow, player),
        "opp_student_progress": progress(slow, enemy),
        "central_control_diff": len(slow.pieces(player) & middle) - len(slow.pieces(enemy) & middle),
        "master_escape_options": sum(
            start == slow.masters[player] and end not in attacked(slow, enemy) for _, start, end in mine
        ),
    }


def test_the_features_are_what_they_are_called_in_random_games() -> None:
    rng = random.Random(6)
    for seed in range(60):
        state = Onitama(set="all", ply_limit=None).start(seed)
        slow = Slow.start(str(state.game.cards))
        while state.scores() is None:
            for player in (0, 1):
                assert state.game.features(state, player) == expected(slow, player)
            text = rng.choice(sorted(slow.moves()))
            state, slow = state.play(state.parse(text)), slow.play(text)


def test_a_captured_master_is_told_from_both_sides() -> None:
    state = set_up(OX, 0, "a1 c3", "c4 e5")
    over = state.play(state.parse("ox:c3c4"))
    assert over.scores() == (1.0, 0.0)
    winner, loser = (over.game.features(over, player) for player in (0, 1))
    assert (winner["my_master_alive"], winner["opp_master_captured"]) == (1, 1)
    assert (loser["my_master_alive"], loser["opp_master_captured"]) == (0, 0)


def test_a_person_has_weighed_every_feature() -> None:
    assert tuple(HAND_WEIGHTS) == Onitama().features.names
    assert len(HAND_WEIGHTS) == 16


def test_the_features_of_onitama_refuse_another_game() -> None:
    with pytest.raises(ValueError, match="about Onitama"):
        _core.OnitamaFeatures()(tesuji.games.Hex(size=3).start().core, 0)
