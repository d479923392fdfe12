"""Wins by threats: every proof is played through against all defences, by rules that are not the core's."""

import random
from typing import Any

import pytest

import tesuji
from tests.games.gomoku_boards import RULES, replay
from tests.games.gomoku_proofs import Judge
from tests.games.gomoku_shapes import marked, position
from tests.games.slow_fours import NEAR, SlowSearch, Windows
from tests.games.slow_gomoku import stones_of
from tesuji import _core
from tesuji.games import Gomoku
from tesuji.games.gomoku import GomokuState, Proof, Solution, defend, solve


def set_up(picture: str, colour: int = 0, rule: str = "freestyle") -> GomokuState:
    core = position(picture, colour=colour, rule=rule)
    return Gomoku(size=core.size, rule=rule).from_core(core)  # type: ignore[arg-type]


def random_position(rng: random.Random, size: int, rule: str, stones: int) -> GomokuState:
    """Stones near each other, played without looking for fives, so that many wins exist."""
    while True:
        state = Gomoku(size=size, rule=rule).start()  # type: ignore[arg-type]
        state = state.play(size * (size // 2) + size // 2)
        while state.ply < stones and state.scores() is None:
            row, column = divmod(rng.choice(state.history), size)
            row, column = row + rng.randint(-2, 2), column + rng.randint(-2, 2)
            if 0 <= row < size and 0 <= column < size and row * size + column in state.moves():
                state = state.play(row * size + column)
        if state.scores() is None:
            return state


def judge_of(state: GomokuState) -> Judge:
    return Judge(state.size, state.game.rule, stones_of(state.size, state.cells()))


def check(state: GomokuState, solution: Solution) -> None:
    """A proof holds against all defences, and the line is one of its lines, legal up to the win."""
    assert judge_of(state).fault(solution.proof, state.colour) is None
    if solution.kind == "vcf":
        assert judge_of(state).line_fault(solution.line, state.colour) is None
    proof, after = solution.proof, state
    for ply, move in enumerate(solution.line):
        assert proof is not None
        if ply % 2 == 0:
            assert proof.move == move
        else:
            proof = proof.after(move)
        after = after.play(move)
    scores = after.scores()
    assert scores is not None
    assert scores[state.player] == 1


def texts(state: GomokuState, moves: tuple[int, ...]) -> str:
    return " ".join(map(state.text, moves))


@pytest.mark.parametrize("rule", RULES)
def test_every_win_by_fours_is_proven_and_none_is_missed(rule: str) -> None:
    rng = random.Random(f"fours {rule}")
    lengths = []
    for _ in range(150):
        state = random_position(rng, 9, rule, rng.randrange(10, 30))
        solution = solve(state)
        shortest = judge_of(state).shortest(state.colour, 7)
        if solution.won:
            check(state, solution)
        assert solution.stopped == "finished"
        if shortest is None:
            assert solution.verdict == "none" or len(solution.line) > 7
        else:
            assert len(solution.line) == shortest
        lengths.append(len(solution.line))
    assert {0, 1, 3, 5} <= set(lengths)  # there was something to find, and something to miss


@pytest.mark.parametrize("rule", ["freestyle", "standard"])
def test_long_lines_are_as_short_as_a_slow_search_finds_them(rule: str) -> None:
    rng = random.Random(f"long {rule}")
    lengths = set()
    for _ in range(250):
        state = replay(f"gomoku:rule={rule}", "h8")
        board = Windows(exact=rule == "standard")
        board.put(112, 0)
        for _ in range(rng.randrange(16, 36)):  # fives are stopped, so that lines grow long
            move = rng.choice(NEAR[rng.choice(state.history)])
            move = min(board.fives(1 - state.colour), default=move)
            if move in state.moves():
                board.put(move, state.colour)
                state = state.play(move)
        if state.scores() is not None:
            continue
        solution = solve(state)
        shortest = SlowSearch(board, state.colour).shortest()
        if shortest is not None:
            assert len(solution.line) == shortest
        if len(solution.line) > 5:
            check(state, solution)
        lengths.add(len(solution.line))
    assert max(lengths) >= 9


@pytest.mark.parametrize("rule", ["freestyle", "standard"])
def test_a_four_that_prepares_a_double_four_in_its_own_line_is_not_skipped(rule: str) -> None:
    state = replay(f"gomoku:rule={rule}", "d8 c8 f8 j12 g8 a1 j9 a15 j10 o1 j11 o15")
    solution = solve(state)
    check(state, solution)
    assert texts(state, solution.line) == "h8 e8 j8 j7 i8"
    assert solution.nodes == 2  # lines of three fours were not needed


@pytest.mark.parametrize(
    ("moves", "first"),
    [
        ("f6 g5 h6 j7 j5 h4 h5 e3 c3 e5 h8 j6", "g8"),  # two open twos
        ("f6 h4 i2 f4 i4 e6 i5 c4 h2 g5 d6 h6 g4 j4 i1", "i3"),  # a closed three
    ],
)
def test_a_win_that_begins_with_a_quiet_move_is_found_among_many_threes(moves: str, first: str) -> None:
    state = replay("gomoku:size=11", moves)
    solution = solve(state, "vct", nodes=20_000)
    check(state, solution)
    assert state.text(solution.line[0]) == first


@pytest.mark.parametrize(
    "moves",
    [
        "g4 f2 e1 h5 h7 e3 e4 f4 g5 g6 f6 e7 f7 f8 d6 e9 g7 h8 e8 d7 d5 f3 f10 j5",
        "g7 i7 f6 f4 f2 h5 e5 d4 e4 e6 g9 g6 f9 h8 h9 i9 f7 f8 d7 h7 g5 h4 h6 d9 e8 c6 g10 h11 e10 g11",
    ],
)
def test_long_wins_in_games_take_few_nodes(moves: str) -> None:
    """They took more than 400,000 while every position was searched for long lines of fours first."""
    state = replay("gomoku", moves)
    solution = solve(state, "vct", nodes=100_000)
    assert solution.won
    assert len(solution.line) > 20


NARROW = [
    (
        "gomoku:rule=standard",
        "i10 h9 h7 g6 g9 h11 f4 f10 h10 f8 f9 i6 h6 i7 h5 h4 i5 g5 f6 e10 g11 g7 g4 e8 i9 f12",
    ),
    (
        "gomoku",
        "k8 l9 m11 i7 h7 j9 j8 l8 l10 k9 m9 k11 j10 k10 h9 h8 g9 l6 f9 i9 e10 i6 i10 j11 e9 d9 m8 i12 "
        "h13 l7 l5 m7",
    ),
]


@pytest.mark.parametrize(("game", "moves"), NARROW)
def test_long_narrow_wins_are_found_by_proof_numbers(game: str, moves: str) -> None:
    """By depth they took more than 2,500,000 and 680,000 nodes."""
    solution = solve(replay(game, moves), "vct", nodes=150_000)
    assert solution.won
    assert len(solution.line) > 20


@pytest.mark.slow
@pytest.mark.parametrize(("game", "moves"), NARROW)
def test_wins_by_proof_numbers_are_proven_against_all_defences(game: str, moves: str) -> None:
    state = replay(game, moves)
    check(state, solve(state, "vct", nodes=150_000))


@pytest.mark.parametrize("rule", RULES)
def test_every_win_by_threes_is_proven_against_all_defences(rule: str) -> None:
    rng = random.Random(f"threes {rule}")
    by_threes = 0
    for _ in range(80):
        state = random_position(rng, 9, rule, rng.randrange(6, 16))
        solution = solve(state, "vct", nodes=1000)
        if solution.won:
            check(state, solution)
            by_threes += not solve(state).won
        elif solve(state).won:
            pytest.fail(f"fours win {state!r}, and with threes nothing is found")
    assert by_threes >= 3


def test_a_false_proof_is_detected() -> None:
    state = replay("gomoku:size=9", "e5 a1 f5 a3 g5 a5")
    good = solve(state).proof
    assert good is not None
    judge = judge_of(state)
    assert judge.fault(good, 0) is None
    for bad in (
        Proof(good.move, {}, good.otherwise),  # nothing for the reply that stops one five
        Proof(good.move, good.replies, None),
        Proof(0, good.replies, good.otherwise),  # an occupied cell
        Proof(80, good.replies, good.otherwise),  # no threat
    ):
        assert judge.fault(bad, 0) is not None
    assert judge.line_fault(solve(state).line, 0) is None
    assert judge.line_fault(solve(state).line[:1], 0) is not None


@pytest.mark.parametrize(
    ("moves", "plies", "firsts"),
    [
        ("g8 a1 h8 h7 i8 h9 j8 a3", 1, "f8 k8"),
        ("h8 a1 i9 a3 j10 a5 k11 a7", 1, "g7 l12"),
        ("g8 i7 h8 i9 j8 a1 a15 c1", 3, "i8"),
        ("f8 g7 g8 g9 h8 a1 j9 a15", 3, "e8 i8"),
        ("b1 o1 c1 o3 d1 o5 e1 o7", 1, "a1 f1"),
    ],
)
def test_tactical_positions(moves: str, plies: int, firsts: str) -> None:
    state = replay("gomoku", moves)
    solution = solve(state)
    assert len(solution.line) == plies
    assert state.text(solution.line[0]) in firsts.split()
    check(state, solution)


FORBIDDEN = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . x . . .
    . . . . . x . . .
    . x o o o * ! . .
    . . . . . x . . .
    . . . . . x . . .
    . . . . . x . . .
    . . . . . . . . .
"""


def test_white_wins_where_the_only_reply_is_forbidden_to_black() -> None:
    state = set_up(FORBIDDEN, colour=1, rule="renju")
    solution = solve(state)
    assert [solution.line[0], solution.line[2]] == marked(FORBIDDEN, "!") + marked(FORBIDDEN, "*")
    check(state, solution)
    assert not solve(set_up(FORBIDDEN, colour=1, rule="standard")).won


DOUBLE_FOUR = """
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . o . . . . . .
    . . . . x . . . . . .
    . . . . x . . . . . .
    . . . . x . . . . . .
    . o x x ! x . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
"""


def test_black_does_not_win_by_what_renju_forbids() -> None:
    for rule in ("freestyle", "standard"):
        solution = solve(set_up(DOUBLE_FOUR, rule=rule))
        assert solution.line[:1] == tuple(marked(DOUBLE_FOUR, "!"))
    renju = set_up(DOUBLE_FOUR, rule="renju")
    solution = solve(renju, "vct", nodes=2000)
    assert solution.line[:1] != tuple(marked(DOUBLE_FOUR, "!"))
    if solution.won:
        check(renju, solution)


@pytest.mark.parametrize("rule", RULES)
def test_moves_that_are_no_defence_lose_and_defences_stop_the_fours(rule: str) -> None:
    rng = random.Random(f"defence {rule}")
    seen = 0
    while seen < 8:
        state = random_position(rng, 9, rule, rng.randrange(10, 24))
        found = defend(state)
        judge = judge_of(state)
        assert found.stopped == "finished"
        if found.threat == "none":
            assert sorted(found.moves) == sorted(state.moves())
            continue
        assert judge.line_fault(found.line, 1 - state.colour) is None
        if any(judge.makes_five(move, state.colour) for move in state.moves()):
            assert sorted(found.moves) == sorted(state.moves())
            continue
        seen += 1
        for move in state.moves():
            assert loses_to_fours(state.play(move), 4) == (move not in found.moves), (
                f"{state!r} {state.text(move)}"
            )


def loses_to_fours(state: GomokuState, fours: int) -> bool:
    """Whether the side that has just moved loses to fours; up to a number of its fours are answered."""
    judge = judge_of(state)
    mover = 1 - state.colour
    solution = solve(state)
    if solution.won:
        check(state, solution)
        return True
    answers = [cell for cell in judge.empty() if judge.makes_five(cell, mover)]
    if fours == 0 or len(answers) != 1 or not judge.legal(answers[0], state.colour):
        return False
    after = state.play(answers[0])
    if after.scores() is not None:
        return False
    return all(loses_to_fours(after.play(move), fours - 1) for move in after.moves())


def test_an_open_three_is_stopped_at_its_ends() -> None:
    state = replay("gomoku", "h8 a1 i8 a3 j8")
    found = defend(state)
    assert found.threat == "won"
    assert texts(state, tuple(sorted(found.moves))) == "g8 k8"


@pytest.mark.parametrize(
    ("rule", "moves"),
    [
        ("freestyle", "e5 e4 e2 d3 c2 e6 d5 e3 c6 b3"),
        ("freestyle", "e5 f7 h5 g3 f4 h3 e2 e6 f6 f5"),
        ("renju", "e5 c5 e7 c4 e4 f7 f8 d7 g9 d6 g8"),
        ("renju", "e5 f3 d5 d7 c6 b4 e8 f4 e6 e9 b7"),
    ],
)
def test_wins_that_need_threats_without_fours_and_threes_are_found(rule: str, moves: str) -> None:
    state = replay(f"gomoku:size=9,rule={rule}", moves)
    solution = solve(state, "vct", nodes=20_000)
    assert solution.won
    check(state, solution)


@pytest.mark.parametrize("rule", RULES)
def test_where_no_win_by_threats_exists_no_move_leaves_only_replies_that_lose_to_fours(rule: str) -> None:
    rng = random.Random(f"none {rule}")
    checked = 0
    while checked < 8:
        state = random_position(rng, 7, rule, rng.randrange(8, 14))
        if solve(state, "vct", nodes=20_000).verdict != "none":
            continue
        checked += 1
        for move in state.moves():
            after = state.play(move)
            assert after.scores() is None
            replies = [after.play(reply) for reply in after.moves()]
            assert any(then.scores() or not solve(then).won for then in replies)


def test_nothing_stops_an_open_four() -> None:
    state = replay("gomoku", "h8 a1 i8 a3 j8 a5 k8")
    assert defend(state).moves == ()


def test_limits_end_the_search_and_claim_nothing() -> None:
    state = next(
        s for s in (random_position(random.Random(i), 15, "freestyle", 24) for i in range(99)) if hard(s)
    )
    by_nodes = solve(state, "vct", nodes=50)
    assert (by_nodes.verdict, by_nodes.stopped, by_nodes.proof, by_nodes.line) == (
        "unknown",
        "nodes",
        None,
        (),
    )
    assert by_nodes.nodes <= 51
    by_time = solve(state, "vct", seconds=1e-6)
    assert (by_time.verdict, by_time.stopped) == ("unknown", "seconds")
    asked = iter([False, False, True])
    cancelled = solve(state, "vct", cancelled=lambda: next(asked))
    assert (cancelled.verdict, cancelled.stopped) == ("unknown", "cancelled")
    with pytest.raises(ZeroDivisionError):
        solve(state, "vct", cancelled=lambda: 1 // 0 == 0)


def hard(state: GomokuState) -> bool:
    return solve(state, "vct", nodes=100_000).verdict == "unknown"


def test_positions_that_cannot_be_solved_are_refused() -> None:
    over = replay("gomoku", "h8 a1 i8 a3 j8 a5 k8 a7 l8")
    with pytest.raises(ValueError, match="the game is over"):
        solve(over)
    with pytest.raises(ValueError, match="the game is over"):
        defend(over)
    with pytest.raises(ValueError, match="swap2"):
        solve(Gomoku(swap2=True).start())
    start = Gomoku().start()
    with pytest.raises(ValueError, match="kind must be vcf or vct, not 'fours'"):
        solve(start, "fours")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="nodes must be at least 1, not 0"):
        solve(start, nodes=0)
    with pytest.raises(ValueError, match="seconds must be more than 0, not nan"):
        solve(start, seconds=float("nan"))


def test_the_same_search_gives_the_same_proof() -> None:
    state = random_position(random.Random(3), 9, "freestyle", 14)
    first, second = (solve(state, "vct", nodes=2000) for _ in range(2))
    assert (first.line, first.nodes, first.verdict) == (second.line, second.nodes, second.verdict)


def test_a_search_with_tables_of_its_own_does_not_depend_on_the_searches_before() -> None:
    """Not even on the memory that these have left: all games of a thread share its solver."""
    game = Gomoku(size=9)
    earlier: Any = tesuji.replay(game, "d5 e6 d6 e4 f4 g5 h6 f7")
    position: Any = tesuji.replay(game, "c6 e6 f6 f8 d4 c5 e7 d7 h5 c3")

    def found(solver: _core.GomokuThreatSolver, state: Any) -> tuple[object, ...]:
        result = solver.solve(state.core, True, 20_000, 0, None)
        return result["verdict"], result["nodes"], result["line"]

    fresh, used = (_core.GomokuThreatSolver(1 << 14, separate=True) for _ in range(2))
    found(used, earlier)
    assert found(used, position) == found(fresh, position)
