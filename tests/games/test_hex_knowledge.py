"""What is known of Hex: distances, objectives and hooks, each against another computation or by hand."""

from __future__ import annotations

import heapq
import math
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tesuji
from tesuji import _core
from tesuji.games import Hex, HexState
from tesuji.games.hex.knowledge import (
    HexExploration,
    HexMoveOrdering,
    HexObjectives,
    HexPlayoutPolicy,
    HexThreatResponse,
    learned_prior,
)

NEIGHBOURS = ((0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1))


def hex_state(size: int, moves: str = "") -> HexState:
    state = tesuji.replay(Hex(size=size), moves)
    assert isinstance(state, HexState)
    return state


def random_state(size: int, plies: int, seed: int) -> HexState:
    rng = random.Random(seed)
    state = hex_state(size)
    for _ in range(plies):
        if state.scores() is not None:
            break
        state = state.play(rng.choice(state.moves()))
    return state


def around(size: int, cell: int) -> list[int]:
    row, column = divmod(cell, size)
    places = [(row + down, column + right) for down, right in NEIGHBOURS]
    return [r * size + c for r, c in places if 0 <= r < size and 0 <= c < size]


def edge(size: int, player: int, *, far: bool) -> list[int]:
    line = size - 1 if far else 0
    return [line * size + i if player == 0 else i * size + line for i in range(size)]


def costs(state: HexState, player: int, *, far: bool) -> list[float]:
    """By Dijkstra: stones needed from an edge to each cell, its own included."""
    size, cells = state.size, state.cells()
    price = [0 if owner == player + 1 else 1 if owner == 0 else math.inf for owner in cells]
    best = [math.inf] * (size * size)
    queue: list[tuple[float, int]] = [(price[cell], cell) for cell in edge(size, player, far=far)]
    while queue:
        cost, cell = heapq.heappop(queue)
        if cost >= best[cell] or cost == math.inf:
            continue
        best[cell] = cost
        for other in around(size, cell):
            heapq.heappush(queue, (cost + price[other], other))
    return best


def shortest(state: HexState, player: int) -> float:
    best = costs(state, player, far=False)
    return min(best[cell] for cell in edge(state.size, player, far=True))


def count_groups(state: HexState, player: int) -> int:
    left = {cell for cell, owner in enumerate(state.cells()) if owner == player + 1}
    groups = 0
    while left:
        groups += 1
        open_cells = [left.pop()]
        while open_cells:
            for other in around(state.size, open_cells.pop()):
                if other in left:
                    left.remove(other)
                    open_cells.append(other)
    return groups


POSITIONS = st.builds(random_state, st.integers(2, 9), st.integers(0, 60), st.integers(0, 10_000))


@given(POSITIONS, st.integers(0, 1))
def test_distances_are_those_of_dijkstra(state: HexState, player: int) -> None:
    found = _core.hex_distance(state.core, player)
    assert (math.inf if found is None else found) == shortest(state, player)


@given(POSITIONS, st.integers(0, 1))
def test_path_cells_are_those_on_any_shortest_path(state: HexState, player: int) -> None:
    start, goal = costs(state, player, far=False), costs(state, player, far=True)
    length = shortest(state, player)
    empty = [cell for cell, owner in enumerate(state.cells()) if owner == 0]
    expected = [cell for cell in empty if start[cell] + goal[cell] - 1 == length < math.inf]
    assert _core.hex_shortest_path_cells(state.core, player) == expected


@given(POSITIONS, st.integers(0, 1))
def test_groups_are_counted(state: HexState, player: int) -> None:
    assert _core.hex_groups(state.core, player) == count_groups(state, player)


@given(POSITIONS, st.integers(0, 1))
def test_objectives_follow_their_formulas(state: HexState, player: int) -> None:
    n, d, e = state.size, shortest(state, player), shortest(state, 1 - player)
    mine, theirs = (_core.hex_groups(state.core, seat) for seat in (player, 1 - player))
    if d == e == math.inf:
        advantage = 0.5
    elif math.inf in (d, e):
        advantage = float(e == math.inf)
    else:
        advantage = min(1.0, max(0.0, (e - d + n) / (2 * n)))
    fewer = (
        0.5 if mine == theirs == 0 else 0.0 if mine == 0 else 1.0 if theirs == 0 else theirs / (mine + theirs)
    )
    expected = {
        "path-distance-advantage": (advantage, 10),
        **{f"near-win-within-{k}": (max(0.0, 1 - d / n), w) for k, w in ((1, 8), (2, 5), (3, 3))},
        "opponent-path-blocked": (min(1.0, e / n), 9),
        "opponent-near-win": (max(0.0, 1 - e / n), -6),
        "fewer-groups": (fewer, 2),
        "single-group": (1 / mine if mine else 0.0, 1),
    }
    found = HexObjectives()(state, player)
    assert list(found) == list(expected)
    for name, (value, weight) in expected.items():
        assert found[name].value == pytest.approx(value), name
        assert found[name].weight == weight, name


@given(POSITIONS, st.integers(0, 1))
def test_the_native_value_is_the_sum_of_the_objectives(state: HexState, player: int) -> None:
    objectives = HexObjectives({"single-group": 7.5, "opponent-near-win": -2})
    assert objectives.native(state.core, player) == pytest.approx(objectives.value(state, player), abs=1e-12)


@given(POSITIONS, st.integers(0, 1))
def test_boolean_objectives_follow_their_definitions(state: HexState, player: int) -> None:
    d, e = shortest(state, player), shortest(state, 1 - player)
    mine, theirs = (count_groups(state, seat) for seat in (player, 1 - player))
    expected = {
        "path-distance-advantage": d < e,
        "near-win-within-1": d <= 1,
        "near-win-within-2": d <= 2,
        "near-win-within-3": d <= 3,
        "opponent-path-blocked": e == math.inf,
        "opponent-near-win": e <= 2,
        "fewer-groups": mine < theirs,
        "single-group": mine == 1,
    }
    gradient = HexObjectives()
    found = gradient.boolean()(state, player)
    assert {name: reading.value for name, reading in found.items()} == expected
    assert [reading.weight for reading in found.values()] == list(gradient.weights.values())


@given(POSITIONS, st.integers(0, 1))
def test_the_native_value_of_boolean_objectives_is_their_sum(state: HexState, player: int) -> None:
    objectives = HexObjectives({"single-group": 7.5, "opponent-near-win": -2}, form="boolean")
    assert objectives.native(state.core, player) == pytest.approx(objectives.value(state, player), abs=1e-12)


def test_the_representation_of_objectives_can_be_pasted_back() -> None:
    for objectives in (HexObjectives({"single-group": 3}), HexObjectives(form="boolean")):
        again = eval(repr(objectives))
        assert (again.weights, again.form) == (objectives.weights, objectives.form)


def test_the_search_uses_boolean_objectives_if_requested() -> None:
    game = Hex(size=5)
    state = hex_state(5, "c3 b4 c2 d3")
    options: Any = {"iterations": 300, "seed": 1, "playout_depth": 2, "prover": "off"}

    def values(objectives: Any) -> list[tuple[int, int, float]]:
        analysis = tesuji.MCTS(game, value=objectives, **options).analyse(state)
        return [(candidate.move, candidate.visits, candidate.value) for candidate in analysis.candidates]

    assert (
        values("boolean")
        == values(HexObjectives(form="boolean"))
        != values("game")
        == values(HexObjectives())
    )


def test_stepped_near_win_objectives_differ_by_distance() -> None:
    stepped = HexObjectives(form="stepped")
    values = {
        d: [stepped(hex_state(5, moves), 0)[f"near-win-within-{k}"].value for k in (1, 2, 3)]
        for d, moves in {1: "c1 a1 c2 a2 c3 a3 c4 b5", 2: "c1 a1 c2 a2 c3 b5", 3: "c1 a1 c2 b5"}.items()
    }
    assert values == {
        1: [pytest.approx(1 / 2), pytest.approx(2 / 3), pytest.approx(3 / 4)],
        2: [0.0, pytest.approx(1 / 3), pytest.approx(2 / 4)],
        3: [0.0, 0.0, pytest.approx(1 / 4)],
    }


def test_an_unknown_objective_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="unknown objective 'singel-group'"):
        HexObjectives({"singel-group": 1.0})


def test_the_threat_response_stops_a_near_connection_and_prefers_an_own_win() -> None:
    black_needs_two = hex_state(5, "c1 a1 c2 a2 c3 e5")
    threat = HexThreatResponse()(black_needs_two.play(black_needs_two.parse("e1")), 1)
    assert threat is not None and threat.urgent
    assert set(threat.moves) == set(_core.hex_shortest_path_cells(black_needs_two.core, 0))
    black_wins_at_once = hex_state(3, "b1 a1 b2 c1")
    answer = HexThreatResponse()(black_wins_at_once, 0)
    assert answer == tesuji.Threat(
        [black_wins_at_once.parse("a3"), black_wins_at_once.parse("b3")], urgent=True
    )


def test_no_threat_is_reported_far_from_a_connection() -> None:
    threat = HexThreatResponse()(hex_state(9), 0)
    assert threat is not None and not threat.urgent


def test_ordering_weights_add_up_as_described() -> None:
    state = hex_state(8, "b2 g7 c5 b6")
    weights = HexMoveOrdering()(state, 0, state.moves())
    assert set(weights) == set(state.moves())
    cells = {text: weights[state.parse(text)] for text in ("c6", "b5", "h1", "e4", "b3", "h7")}
    assert cells == {
        "c6": 1 + 10 + 5 + 3 + 2,  # beside the newest stone b6, beside c5, in the centre
        "b5": 1 + 10 + 5 + 3,  # beside b6 and c5
        "h1": 1,
        "e4": 1 + 2,
        "b3": 1 + 3,  # beside b2
        "h7": 1 + 5,  # beside g7
    }
    assert list(weights.values()) == sorted(weights.values(), reverse=True)


def test_exploration_falls_as_the_board_fills() -> None:
    explore = HexExploration()
    states = [random_state(10, plies, 3) for plies in (0, 29, 31, 45)]
    assert [explore(state, 0) for state in states] == [
        1.4,
        1.4,
        pytest.approx(math.sqrt(2)),
        pytest.approx(math.sqrt(2)),
    ]
    full = hex_state(2, "a1 b1")
    assert explore(full, 0) == pytest.approx(math.sqrt(2))
    assert explore(hex_state(3, "a1 b1 c1 a2 b2 c2"), 0) == 1.0


def test_playouts_save_an_intruded_bridge() -> None:
    state = hex_state(5, "c3 a1 b5 b4")  # c3 and b5 share b4 and c4; White enters b4
    rng = random.Random(1)
    policy = HexPlayoutPolicy()
    assert {policy(state, 0, state.moves(), rng) for _ in range(50)} == {state.parse("c4")}


def test_playouts_save_an_intruded_bridge_to_the_edge() -> None:
    state = hex_state(5, "c2 e5 a5 c1")  # c2 reaches the top by c1 and d1
    policy = HexPlayoutPolicy()
    assert {policy(state, 0, state.moves(), random.Random(seed)) for seed in range(30)} == {state.parse("d1")}


def test_without_a_bridge_every_cell_is_drawn_equally_often() -> None:
    state = hex_state(4)
    rng = random.Random(7)
    drawn = Counter(HexPlayoutPolicy()(state, 0, state.moves(), rng) for _ in range(8000))
    chi_square = sum((drawn[cell] - 500) ** 2 / 500 for cell in range(16))
    assert chi_square < 37.7  # 15 degrees of freedom, one in a thousand


def test_weighted_playouts_sample_from_a_softmax() -> None:
    state = hex_state(3, "a1 c3")
    rng = random.Random(11)
    drawn = Counter(HexPlayoutPolicy(neighbours=1.0)(state, 0, state.moves(), rng) for _ in range(6000))
    beside, apart = state.parse("b1"), state.parse("c1")
    assert drawn[beside] / drawn[apart] == pytest.approx(math.e, rel=0.15)


@pytest.mark.parametrize("size", [2, 5, 11, 19])
def test_uniform_and_guided_playouts_end_with_one_winner(size: int) -> None:
    core = hex_state(size).core
    policy = HexPlayoutPolicy(0.3, 0.5).native
    for wins in (core.playouts(2000, 1), core.playouts(2000, 1, policy)):
        assert 0 < wins < 2000


def test_playouts_win_as_often_as_random_games() -> None:
    state = hex_state(4, "b2 c3 a4")
    rng = random.Random(5)
    won = 0
    for _ in range(2000):
        game = state
        while (scores := game.scores()) is None:
            game = game.play(rng.choice(game.moves()))
        won += scores[0] == 1.0
    assert state.core.playouts(40_000, 3) / 40_000 == pytest.approx(won / 2000, abs=0.045)


def test_the_learned_prior_puts_the_reply_to_an_intrusion_first() -> None:
    """White enters the bridge from f6 to e8 at e7; Black's other cell, f7, keeps the connection."""
    state = tesuji.replay("hex", "f6 a1 e8 e7")
    weights = learned_prior()(state, state.player, list(state.moves()))
    assert state.text(max(weights, key=lambda move: weights[move])) == "f7"
