"""Alpha-beta agrees with plain minimax: values, distances of wins, proofs."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tesuji
from examples.tic_tac_toe import TicTacToe
from tests.games.onitama_positions import set_up
from tests.games.test_hex_solved import WINNING_OPENINGS, solved_openings
from tests.search.helpers import hex_state, tic_tac_toe
from tests.search.random_games import (
    KeyedWander,
    NoisyWander,
    Wander,
    Worth,
    random_place,
    value_of,
    worth,
    worth_after,
    worth_found,
)
from tests.search.small_games import DRAW, LOSS, WIN, Choice, Nim, Rules, Tree
from tesuji.games import Gomoku, Hex
from tesuji.games.gomoku.problems import Problems

PLAIN: dict[str, Any] = {"pvs": False, "killers": False, "history": False, "memory": None}


def analyse(state: tesuji.State, **options: Any) -> tesuji.Analysis:
    """Search a position of a Python game with a fresh bot, every move to the whole depth."""
    return tesuji.AlphaBeta(Rules(state), **{"seed": 1, "reductions": False, **options}).analyse(state)


# Random games


@pytest.mark.parametrize("kind", [Wander, KeyedWander])
@pytest.mark.parametrize(
    "changes",
    [{}, {"pvs": False}, {"killers": False, "history": False}, {"memory": None}, PLAIN],
    ids=["all", "no pvs", "no ordering", "no table", "plain"],
)
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 7), st.booleans(), st.sampled_from([0.0, 0.2]))
def test_at_equal_depth_the_value_is_that_of_minimax(
    kind: type[Wander], changes: dict[str, Any], seed: int, depth: int, alternate: bool, ends: float
) -> None:
    rng = random.Random(seed)
    state = kind(random_place(rng, layers=7, width=6, ends=ends, alternate=alternate))
    found = analyse(state, depth=depth, value=value_of, **changes)
    assert worth_found(found) == worth(state, depth, lambda leaf: leaf.place.value)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 6))
def test_candidates_are_exact_or_bounded_from_above(seed: int, depth: int) -> None:
    state = KeyedWander(random_place(random.Random(seed), layers=7, width=6, ends=0.1, alternate=True))
    for lines in (1, 2, 4):
        found = analyse(state, depth=depth, value=value_of, lines=lines)
        if found.depth != depth:  # proven before
            continue
        assert sum(candidate.exact for candidate in found.candidates) >= min(lines, len(state.moves()))
        for candidate in found.candidates:
            kind, amount = worth_after(state, candidate.move, depth, lambda leaf: leaf.place.value)
            true = amount + 0.5 if kind == 0 else float(kind == 1)
            assert candidate.value == true if candidate.exact else candidate.value >= true
            if candidate.exact:
                assert candidate.plies == (abs(amount) if kind else None)
            elif candidate.plies is not None:
                assert (candidate.proven, kind) == (0.0, -1)
                assert candidate.plies >= amount, "a bound: it may be lost sooner"


@pytest.mark.parametrize("reductions", [False, True])
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_proofs_agree_with_minimax_for_any_options(reductions: bool, seed: int) -> None:
    state = KeyedWander(random_place(random.Random(seed), layers=8, width=5, ends=0.1, alternate=False))
    true = worth(state, 8, lambda leaf: 0.5)
    bot = tesuji.AlphaBeta(Rules(state), depth=1, value=value_of, seed=seed, quiescence=None)
    for depth in (1, 2, 3, 5, 8):
        options: dict[str, Any] = {"depth": depth, "value": value_of, "seed": seed, "reductions": reductions}
        for found in (analyse(state, **options), analyse(NoisyWander(state.place), **options)):
            if found.proven is not None:
                assert found.proven == (true[1] + 0.5 if true[0] == 0 else float(true[0] == 1))
    if not reductions:
        assert found.proven is not None, "depth 8 is the whole game"
        assert found.stopped == "proven"
    assert bot.analyse(state).depth == 1


def quiet_worth(state: NoisyWander, left: int) -> Worth:
    """Plain quiescence: stand pat, or any noisy move."""
    best: Worth = (0, state.place.value - 0.5)
    for move in state.noisy_moves() if left else ():
        after = state.play(move)
        scores = after.scores()
        if scores is not None:
            score = scores[state.player]
            best = max(best, (1, -1) if score == 1 else (-1, 1) if score == 0 else (0, score - 0.5))
        else:
            sign = 1 if after.player == state.player else -1
            kind, amount = quiet_worth(after, left - 1)  # type: ignore[arg-type]
            best = max(best, (sign * kind, sign * (amount - kind)))
    return best


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 4), st.sampled_from([None, 1, 2, 16]))
def test_noisy_moves_are_searched_before_a_position_is_evaluated(
    seed: int, depth: int, quiescence: int | None
) -> None:
    place = random_place(random.Random(seed), layers=9, width=6, ends=0.1, alternate=False)

    def full(state: Any, left: int) -> Worth:
        if left == 0:
            return quiet_worth(state, quiescence or 0)
        options = []
        for move in state.moves():
            after = state.play(move)
            scores = after.scores()
            if scores is not None:
                score = scores[state.player]
                options.append((1, -1) if score == 1 else (-1, 1) if score == 0 else (0, score - 0.5))
            else:
                sign = 1 if after.player == state.player else -1
                kind, amount = full(after, left - 1)
                options.append((sign * kind, sign * (amount - kind)))
        return max(options)

    found = analyse(NoisyWander(place), depth=depth, value=value_of, quiescence=quiescence)
    assert worth_found(found) == full(NoisyWander(place), depth)


def test_quiescence_search_resolves_an_exchange() -> None:
    # "take" wins a piece by the look of it, and the answer takes it back; "wait" is a little worse than even.
    class Exchange:
        def __init__(self, said: str = "") -> None:
            self.said, self.player = said, len(said) % 2

        def moves(self) -> str:
            return "tw"

        def play(self, move: str) -> Exchange:
            return Exchange(self.said + move)

        def scores(self) -> tuple[float, float] | None:
            return (0.5, 0.5) if len(self.said) == 6 else None

        def noisy_moves(self) -> str:
            return "t" if self.said.endswith("t") and len(self.said) < 6 else ""

    def pieces(state: Exchange, player: int) -> float:
        takes = [state.said[side::2].count("t") for side in (0, 1)]
        lead = takes[player] - takes[1 - player] - 0.5 * state.said.startswith("t") * (1 - 2 * player)
        return 0.5 + 0.05 * lead

    bots = {q: analyse(Exchange(), depth=1, value=pieces, quiescence=q) for q in (None, 1, 16)}
    assert bots[None].value == pytest.approx(0.525)
    assert bots[1].value < bots[None].value


# Known games


def test_tic_tac_toe_is_solved_from_many_positions() -> None:
    rng = random.Random(4)
    bot = tesuji.AlphaBeta(TicTacToe(), value="off", seed=1, depth=16)
    for _ in range(150):
        state = TicTacToe().start()
        for _ in range(rng.randint(2, 7)):
            if state.scores() is None:
                state = state.play(rng.choice(state.moves()))
        if state.scores() is not None:
            continue
        found = bot.analyse(state)  # with all that the table knows from before
        assert worth_found(found) == worth(state, 9, lambda leaf: 0.5)
        assert (found.proven, found.stopped) == (found.value, "proven")


def test_tic_tac_toe_is_a_draw() -> None:
    found = tesuji.AlphaBeta(TicTacToe(), seed=1).analyse(TicTacToe().start())
    assert (found.proven, found.value, found.plies, found.stopped) == (0.5, 0.5, None, "proven")
    assert len(found.line) == 9


@pytest.mark.parametrize("size", [2, 3, 4])
def test_every_opening_of_small_hex_boards_is_solved(size: int) -> None:
    game = Hex(size=size)
    bot = tesuji.AlphaBeta(game, value="off", depth=size * size, seed=1)
    for opening in range(size * size):
        found = bot.analyse(game.start().play(opening))
        assert found.proven == (0.0 if opening in solved_openings(size) else 1.0)
        assert found.stopped == "proven"
        assert found.plies == len(found.line)
    assert bot.analyse(game.start()).move in {
        game.start().parse(text) for text in WINNING_OPENINGS[size].split()
    }


def test_wins_on_a_small_board_are_the_shortest_and_defences_the_longest() -> None:
    for opening in ("a1", "b2", "c1 b2", "a2 a3"):
        state = hex_state(3, opening)
        found = tesuji.AlphaBeta(state.game, value="off", depth=9, seed=2, reductions=False).analyse(state)
        assert worth_found(found) == worth(state, 9, lambda leaf: 0.5)


@pytest.mark.parametrize("game", ["onitama:cards=ox-boar-horse-elephant-crab", "hex:size=5"])
def test_reductions_save_work_at_equal_depth(game: str) -> None:
    state = tesuji.game(game).start()
    nodes = {
        reductions: tesuji.AlphaBeta(game, depth=6, seed=1, reductions=reductions).analyse(state).nodes
        for reductions in (True, False)
    }
    assert nodes[True] < 0.8 * nodes[False]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_reductions_do_not_change_the_result_of_a_complete_search(seed: int) -> None:
    state = KeyedWander(random_place(random.Random(seed), layers=7, width=6, ends=0.2, alternate=True))
    true = worth(state, 7, lambda leaf: 0.5)
    found = analyse(state, depth=40, value=value_of, reductions=True)
    assert found.proven == (true[1] + 0.5 if true[0] == 0 else float(true[0] == 1))


@pytest.mark.parametrize("options", [{}, PLAIN, {"history": False}], ids=["all", "plain", "no history"])
def test_hex_with_its_own_value_agrees_with_minimax(options: dict[str, Any]) -> None:
    state = hex_state(4, "b2 c3 c2")
    native = state.game.knowledge.objectives
    assert native is not None
    for depth in (1, 2, 3):
        found = tesuji.AlphaBeta(state.game, depth=depth, seed=1, reductions=False, **options).analyse(state)
        true = worth(state, depth, lambda leaf: native.value(leaf, leaf.player))
        assert found.value - 0.5 == pytest.approx(true[1], abs=1e-6)
        in_python = tesuji.AlphaBeta(
            state.game,
            depth=depth,
            seed=1,
            reductions=False,
            value=lambda leaf, player: native.value(leaf, player),
            **options,
        ).analyse(state)
        assert (in_python.value, in_python.nodes) == (found.value, found.nodes)


def test_a_tiny_transposition_table_does_not_change_the_result() -> None:
    state = hex_state(4, "a1")
    found = tesuji.AlphaBeta(state.game, value="off", depth=16, memory=1, seed=1).analyse(state)
    assert (found.proven, found.bytes) == (1.0, 1 << 20)
    alone = tesuji.AlphaBeta(state.game, value="off", depth=16, memory=None, seed=1, nodes=50_000)
    assert alone.analyse(state).bytes == 0


# Wins, losses and draws


def test_the_shortest_win_is_taken() -> None:
    slow = Choice(1, {"on": Choice(0, {"win": WIN, "err": DRAW})})
    found = analyse(Tree(Choice(0, {"slow": slow, "fast": WIN, "draw": DRAW})), depth=5)
    assert (found.move, found.proven, found.plies, found.depth) == ("fast", 1.0, 1, 1)
    assert analyse(Tree(Choice(0, {"slow": slow, "draw": DRAW})), depth=5).plies == 3


def test_a_lost_position_is_defended_as_long_as_possible() -> None:
    long = Choice(1, {"on": Choice(0, {"end": LOSS})})
    found = analyse(Tree(Choice(0, {"short": LOSS, "long": long})), depth=5)
    assert (found.move, found.proven, found.plies, found.value) == ("long", 0.0, 3, 0.0)


def test_a_certain_draw_and_a_value_of_one_half_are_not_the_same() -> None:
    on = Choice(1, {"a": Choice(0, {"b": DRAW}), "c": Choice(0, {"d": DRAW})})
    state = Tree(Choice(0, {"on": on, "draw": DRAW}))
    early, late = analyse(state, depth=2), analyse(state, depth=3)
    assert (early.value, early.proven, early.stopped) == (0.5, None, "depth")
    assert (late.value, late.proven, late.stopped) == (0.5, 0.5, "proven")


def test_intermediate_scores_are_proven_and_a_heuristic_value_of_one_is_not_a_win() -> None:
    state = Tree(Choice(0, {"a": (0.75, 0.25), "b": Choice(1, {"c": (0.7, 0.3), "d": (0.9, 0.1)})}))
    assert analyse(state, depth=2).proven == pytest.approx(0.75, abs=1e-6)
    sure = analyse(Nim(50), depth=1, value=lambda state, player: float(player == 1))
    assert (sure.value, sure.proven, sure.plies) == (0.0, None, None)


@pytest.mark.parametrize("pile", range(1, 22))
def test_nim_is_won_unless_the_pile_is_a_multiple_of_four(pile: int) -> None:
    found = analyse(Nim(pile), depth=pile)
    assert found.proven == float(pile % 4 > 0)
    if pile % 4:
        assert found.move == pile % 4


def test_a_win_through_the_table_keeps_its_distance() -> None:
    bot = tesuji.AlphaBeta(Rules(Nim(21)), depth=30, seed=1)
    state = Nim(21)
    found = bot.analyse(state)
    left = found.plies
    while state.scores() is None:
        assert left is not None
        found = bot.analyse(state)
        assert found.plies == left
        state = state.play(found.move)
        left -= 1
    assert left == 0


def test_a_side_that_moves_twice_keeps_the_sign_of_its_value() -> None:
    twice = Choice(0, {"good": WIN, "bad": LOSS})
    once = Choice(1, {"good": WIN, "bad": LOSS})
    found = analyse(Tree(Choice(0, {"once": once, "twice": twice})), depth=2)
    assert (found.move, found.proven, found.plies) == ("twice", 1.0, 2)


def test_tic_tac_toe_lines_are_games_and_the_best_one_ends_as_proven() -> None:
    state = tic_tac_toe("b2 a2")
    found = tesuji.AlphaBeta(TicTacToe(), seed=3).analyse(state)
    assert found.proven == 1.0
    for candidate in found.candidates:
        position: Any = state
        for move in candidate.line:
            assert move in position.moves()
            position = position.play(move)
        if candidate.move == found.move:
            assert position.scores() == (1.0, 0.0)
            assert len(candidate.line) == found.plies


def test_a_drawn_endgame_is_searched_deeply_although_most_of_its_moves_lose() -> None:
    # One move holds; the others lose in up to 34 plies. To find out in how many takes millions of nodes.
    state = set_up("crab-ox-boar-elephant-horse", 0, "c2 a3", "e4 e1")
    depths = {}
    for aspiration in (True, False):
        bot = tesuji.AlphaBeta(state.game, nodes=1_200_000, seed=1, aspiration=aspiration)
        depths[aspiration] = bot.analyse(state).depth or 0
    assert depths[True] > depths[False]


PRUNING: dict[str, Any] = {"futility": True, "value": "hand"}
NO_PRUNING: dict[str, Any] = {"futility": False, "reductions": False, "value": "hand"}


@pytest.mark.parametrize("seed", range(12))
def test_pruning_proves_nothing_false(seed: int) -> None:
    rng = random.Random(seed)
    state: Any = tesuji.game("gomoku:size=6").start()
    while state.ply < 12 and state.scores() is None:
        state = state.play(rng.choice(state.moves()))
    if state.scores() is not None:
        return
    pruned = tesuji.AlphaBeta(state.game, depth=5, seed=seed, prover="off", **PRUNING).analyse(state)
    full = tesuji.AlphaBeta(state.game, depth=5, seed=seed, prover="off", **NO_PRUNING).analyse(state)
    if pruned.proven is not None and full.proven is not None:
        assert pruned.proven == full.proven
    losses = {each.move for each in pruned.candidates if each.proven == 0}
    assert not losses & {
        each.move for each in full.candidates if each.exact and each.value > 0 and each.proven != 0
    }


def test_pruning_saves_work_at_equal_depth() -> None:
    state: Any = tesuji.replay("gomoku", "h8 h9 j9")
    nodes = [
        tesuji.AlphaBeta(state.game, depth=4, seed=1, prover="off", **options).analyse(state).nodes
        for options in (PRUNING, {**NO_PRUNING, "reductions": True})
    ]
    assert nodes[0] < nodes[1] / 2


def test_quiescence_does_not_stand_pat_against_a_five() -> None:
    def last_mover(state: Any, player: int) -> float:
        return float(player != state.player)

    state: Any = tesuji.replay("gomoku", "h8 h7 h9 a2 h10 o15")
    bot = tesuji.AlphaBeta(state.game, depth=1, seed=1, prover="off", value=last_mover)
    values = {state.text(each.move): each.value for each in bot.analyse(state).candidates}
    assert values["h11"] == 0.0  # a four: White stops it before the position is judged
    assert values["i9"] == 1.0


def test_where_all_known_moves_lose_the_longest_defence_goes_before_an_unknown_move() -> None:
    problems = Problems(Gomoku())
    state = problems.position(546275607492122)  # a five to stop at j4, and lost all the same
    bot = tesuji.AlphaBeta(state.game, nodes=100_000, seed=1)
    assert state.text(bot.choose(state)) == "j4"  # distant moves were set aside, and not searched in time
