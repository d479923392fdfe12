"""The limits of Onitama, and when two positions are the same."""

import random

import tesuji
from tests.games.onitama_positions import OX, set_up
from tesuji.games import Onitama
from tesuji.games.onitama import OnitamaState


def test_the_ply_limit_is_a_draw_and_a_win_at_the_limit_is_a_win() -> None:
    state = tesuji.replay(f"onitama:cards={OX},ply_limit=2", "boar:c1c2 horse:c5c4")
    assert state.scores() == (0.5, 0.5)
    assert state.moves() == []
    won = set_up(OX, 0, "a1 c3", "c4 e5", ply_limit=1)
    assert won.play(won.parse("ox:c3c4")).scores() == (1.0, 0.0)


def circle(state: OnitamaState) -> list[str]:
    """The shortest way back to a position, by looking at all ways."""
    first = (state.cells(), state.core.held(), state.player)
    level: list[tuple[OnitamaState, list[str]]] = [(state, [])]
    for _ in range(8):
        following: dict[object, tuple[OnitamaState, list[str]]] = {}
        for position, way in level:
            for move in position.moves():
                after = position.play(move)
                if (after.cells(), after.core.held(), after.player) == first:
                    return [*way, position.text(move)]
                if after.scores() is None:
                    following.setdefault(after.core.hash(), (after, [*way, position.text(move)]))
        level = list(following.values())
    raise AssertionError("there is no way back")


def test_the_repetition_limit_counts_occurrences_of_the_same_position() -> None:
    start = set_up(OX, 0, "a1", "e5")
    way = circle(start)
    for limit in (2, 3):
        state = set_up(OX, 0, "a1", "e5", repetition_limit=limit)
        for round in range(1, limit):
            assert state.scores() is None
            assert state.core.occurrences == round
            for text in way:
                state = state.play(state.parse(text))
        assert state.scores() == (0.5, 0.5)
    assert start.core.occurrences == 1


def test_same_position_includes_the_state_of_the_limits() -> None:
    free, counted, repeated = (
        set_up(OX, 0, "a1", "e5"),
        set_up(OX, 0, "a1", "e5", ply_limit=300),
        set_up(OX, 0, "a1", "e5", repetition_limit=3),
    )
    way = circle(free)

    def around(state: OnitamaState) -> OnitamaState:
        for text in way:
            state = state.play(state.parse(text))
        return state

    assert around(free).core.same_position(free.core)
    assert not around(counted).core.same_position(counted.core)
    assert not around(repeated).core.same_position(repeated.core)
    # The hash leaves the way out: a transposition table may know the position.
    for state in (free, counted, repeated):
        assert around(state).core.hash() == state.core.hash()


def test_equal_positions_have_equal_hashes_and_different_ones_differ() -> None:
    rng = random.Random(5)
    seen: dict[int, object] = {}
    for seed in range(200):
        state = Onitama(set="all", ply_limit=None).start(seed % 20)
        while state.scores() is None:
            facts = (
                state.cells(),
                frozenset(state.hand(0)),
                frozenset(state.hand(1)),
                state.side,
                state.player,
            )
            assert seen.setdefault(state.core.hash(), facts) == facts
            state = state.play(rng.choice(state.moves()))
    assert len(set(seen.values())) == len(seen) > 3000


def test_near_the_ply_limit_the_hash_depends_on_the_plies_left() -> None:
    near, nearer, far = (set_up(OX, 0, "a1", "e5", ply_limit=limit) for limit in (10, 9, 300))
    assert len({state.core.hash() for state in (near, nearer, far)}) == 3
