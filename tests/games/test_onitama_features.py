"""The features of Onitama against their definitions on the slow rules, and weights that a person chose."""

import random

import pytest

import tesuji
from tests.games.onitama_positions import OX, set_up
from tests.games.slow_onitama import STEPS, TEMPLES, Slow, Square
from tesuji import _core
from tesuji.games import Onitama
from tesuji.games.onitama.game import OnitamaState
from tesuji.games.onitama.knowledge import HAND_SCALE, HAND_WEIGHTS, hand_value


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


def escapes(slow: Slow, player: int) -> int:
    """Moves of the master to where it cannot be captured at once."""
    return sum(
        start == slow.masters[player] and end not in attacked(slow, 1 - player)
        for _, start, end in slow.piece_moves(player)
    )


def reaches_temple(slow: Slow, player: int) -> bool:
    return any(
        start == slow.masters[player] and end == TEMPLES[1 - player]
        for _, start, end in slow.piece_moves(player)
    )


def takes_master(slow: Slow, player: int) -> bool:
    return any(end == slow.masters[1 - player] for *_, end in slow.piece_moves(player))


def hanging(slow: Slow, player: int) -> int:
    return len((slow.students[player] & attacked(slow, 1 - player)) - attacked(slow, player))


def table_square(square: Square, player: int) -> str:
    """A square from its player's side, left and right alike."""
    column, row = square
    row = row if player == 0 else 4 - row
    return f"{('edge', 'wing', 'middle', 'wing', 'edge')[column]}_{row + 1}"


def tables(slow: Slow, player: int) -> dict[str, float]:
    """The pieces by square, mine less theirs."""
    found: dict[str, float] = {}
    for pieces in ("students", "master"):
        for row in range(1, 6):
            found |= {f"{pieces}_{file}_{row}": 0.0 for file in ("edge", "wing", "middle")}
    for side, sign in ((player, 1), (1 - player, -1)):
        for square in slow.students[side]:
            found[f"students_{table_square(square, side)}"] += sign
        found[f"master_{table_square(slow.masters[side], side)}"] += sign
    return found


def expected(slow: Slow, player: int) -> dict[str, float]:
    enemy = 1 - player
    mine, theirs = slow.piece_moves(player), slow.piece_moves(enemy)
    middle = {(column, row) for column in (1, 2, 3) for row in (1, 2, 3)}
    return {
        "material_diff_students": len(slow.students[player]) - len(slow.students[enemy]),
        "my_master_alive": 1,
        "opp_master_captured": 0,
        "my_master_threats": sum(end == slow.masters[player] for _, _, end in theirs),
        "opp_master_threats": sum(end == slow.masters[enemy] for _, _, end in mine),
        "opp_shrine_threat": reaches_temple(slow, enemy),
        "my_legal_moves": len(mine),
        "opp_legal_moves": len(theirs),
        "my_capture_moves": sum(end in slow.pieces(enemy) for _, _, end in mine),
        "opp_capture_moves": sum(end in slow.pieces(player) for _, _, end in theirs),
        "my_master_temple_distance": distance(slow.masters[player], TEMPLES[enemy]),
        "opp_master_temple_distance": distance(slow.masters[enemy], TEMPLES[player]),
        "my_student_progress": progress(slow, player),
        "opp_student_progress": progress(slow, enemy),
        "central_control_diff": len(slow.pieces(player) & middle) - len(slow.pieces(enemy) & middle),
        "master_escape_options": escapes(slow, player),
        "opp_master_escape_options": escapes(slow, enemy),
        "my_shrine_threat": reaches_temple(slow, player),
        "my_win_threat": reaches_temple(slow, player) or any(end == slow.masters[enemy] for *_, end in mine),
        "opp_win_threat": reaches_temple(slow, enemy)
        or any(end == slow.masters[player] for *_, end in theirs),
        "my_hanging_students": hanging(slow, player),
        "opp_hanging_students": hanging(slow, enemy),
    } | tables(slow, player)


def test_features_agree_with_their_definitions_in_random_games() -> None:
    rng = random.Random(6)
    for seed in range(60):
        state = Onitama(set="all", ply_limit=None).start(seed)
        slow = Slow.start(str(state.game.cards))
        while state.scores() is None:
            for player in (0, 1):
                assert state.game.features(state, player) == expected(slow, player)
            text = rng.choice(sorted(slow.moves()))
            state, slow = state.play(state.parse(text)), slow.play(text)


def test_features_of_a_captured_master_for_both_sides() -> None:
    state = set_up(OX, 0, "a1 c3", "c4 e5")
    over = state.play(state.parse("ox:c3c4"))
    assert over.scores() == (1.0, 0.0)
    winner, loser = (over.game.features(over, player) for player in (0, 1))
    assert (winner["my_master_alive"], winner["opp_master_captured"]) == (1, 1)
    assert (loser["my_master_alive"], loser["opp_master_captured"]) == (0, 0)


def test_the_hand_tuned_value_weighs_sixteen_features_of_the_side_not_to_move() -> None:
    assert tuple(HAND_WEIGHTS) == Onitama().features.names[:16]
    rng = random.Random(3)
    alive = HAND_WEIGHTS["my_master_alive"]
    for seed in range(20):
        state: OnitamaState = Onitama().start(seed)
        while state.scores() is None:
            waiting = state.game.features(state, 1 - state.player)
            points = sum(weight * waiting[name] for name, weight in HAND_WEIGHTS.items()) - alive
            assert hand_value().native.logit(state.core) == pytest.approx(-points / HAND_SCALE)
            state = state.play(rng.choice(state.moves()))


def test_the_features_of_onitama_refuse_another_game() -> None:
    with pytest.raises(ValueError, match="an Onitama position"):
        _core.OnitamaFeatures()(tesuji.games.Hex(size=3).start().core, 0)
