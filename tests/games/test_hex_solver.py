"""The exact solver of Hex, against a brute force that shares no code with it."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

import tesuji
from tests.games.slow_hex import SlowHex
from tesuji import _core
from tesuji.games import Hex
from tesuji.games.hex import HexSolver, HexState, Proof, solve, solve_moves

WINNING_OPENINGS = {2: "b1 a2", 3: "c1 a2 b2 c2 a3", 4: "d1 c2 b3 a4"}
PUZZLE = "e1 c2 c3 d2 a4 b4"  # on 5×5, only b3 wins


def replay(spec: str, moves: str = "") -> HexState:
    state = tesuji.replay(spec, moves)
    assert isinstance(state, HexState)
    return state


@cache
def slow(size: int) -> SlowHex:
    return SlowHex(size)


def random_states(size: int, empty: int, count: int, seed: int) -> list[HexState]:
    """Positions that are not over with at most so many empty cells."""
    generator = random.Random(seed)
    states: list[HexState] = []
    while len(states) < count:
        state = Hex(size=size).start()
        for _ in range(size * size - generator.randint(2, empty)):
            if state.scores() is not None:
                break
            state = state.play(generator.choice(state.moves()))
        if state.scores() is None:
            states.append(state)
    return states


def positions() -> list[HexState]:
    """Random positions of small boards, and endings of larger ones."""
    boards = [(3, 9, 60), (4, 12, 120), (5, 12, 80), (6, 11, 30)]
    return [state for size, empty, count in boards for state in random_states(size, empty, count, size)]


def filled(state: HexState, stones: tuple[int, int]) -> tuple[int, int]:
    """The stones with captured cells filled in, and dead cells as Black's."""
    found: Any = _core.hex_inferior_cells(state.core)
    black, white = stones
    for cell in [*found["dead"], *found["captured"][0]]:
        black |= 1 << cell
    for cell in found["captured"][1]:
        white |= 1 << cell
    return black, white


@pytest.mark.parametrize("size", WINNING_OPENINGS)
def test_the_winning_openings_of_small_boards_are_known(size: int) -> None:
    state = Hex(size=size).start()
    results = solve_moves(state)
    assert " ".join(map(state.text, results.winning)) == WINNING_OPENINGS[size]
    assert list(results.winners) == list(state.moves())
    assert results.stopped == "finished"


def test_winner_and_winning_moves_agree_with_brute_force() -> None:
    for state in positions():
        found = solve(state, memory=1 << 20)
        assert found.winner == slow(state.size).winner(state), state
        assert (found.move is None) == (found.winner != state.player)
        if found.move is not None:
            after = state.play(found.move)
            assert after.scores() is not None or slow(state.size).winner(after) == state.player, state


def test_the_result_of_every_move_agrees_with_brute_force() -> None:
    for state in positions()[::4]:
        results = solve_moves(state, memory=1 << 20)
        for move in state.moves():
            after = state.play(move)
            winner = state.player if after.scores() is not None else slow(state.size).winner(after)
            assert results.winners[move] == winner, (state, state.text(move))


def test_a_winner_needs_no_cell_outside_the_carrier() -> None:
    for state in positions():
        found = solve(state, memory=1 << 20)
        assert found.winner is not None
        stones = list(slow(state.size).stones(state))
        for cell in slow(state.size).empty(*stones):
            if cell not in found.carrier:
                stones[1 - found.winner] |= 1 << cell
        wins = slow(state.size).mover_wins(stones[0], stones[1], state.player)
        assert wins == (found.winner == state.player), state


def test_fill_in_never_changes_who_wins_whoever_moves() -> None:
    changed = 0
    for state in positions():
        rules = slow(state.size)
        stones = rules.stones(state)
        after = filled(state, stones)
        changed += after != stones
        for player in (0, 1):
            assert rules.mover_wins(*stones, player) == rules.mover_wins(*after, player), state
    assert changed > 100


def test_pruning_inferior_cells_keeps_a_winning_move() -> None:
    pruned = 0
    for state in positions():
        rules = slow(state.size)
        found: Any = _core.hex_inferior_cells(state.core)
        stones = filled(state, rules.stones(state))
        if rules.connects(stones[0], 0) or rules.connects(stones[1], 1):
            continue
        out = {*found["vulnerable"], *found["dominated"]}
        pruned += len(out)
        left = [cell for cell in rules.empty(*stones) if cell not in out]
        mine, theirs = stones[state.player], stones[1 - state.player]
        wins = False
        for cell in left:
            more = mine | 1 << cell
            after = (more, theirs) if state.player == 0 else (theirs, more)
            wins = wins or not rules.mover_wins(*after, 1 - state.player)
        assert wins == rules.mover_wins(*stones, state.player), state
    assert pruned > 100


def test_claimed_connections_hold_against_every_intrusion() -> None:
    claims = {True: 0, False: 0}
    generator = random.Random(1)
    for state in positions()[::2]:
        rules = slow(state.size)
        stones = rules.stones(state)
        for player in (0, 1):
            found = _core.hex_virtual_connections(state.core, player)
            for first, second, full, carrier in generator.sample(found, min(12, len(found))):
                # Everything outside the carrier is the opponent's; the ends are the player's.
                mine = stones[player]
                ends = []
                for end in (first, second):
                    if end >= rules.cells:
                        side = rules.sides[player][end - rules.cells]
                        ends.append((side, end))
                    else:
                        mine |= 1 << end
                        ends.append((1 << end, end))
                assert not any(end == cell for _, end in ends for cell in carrier)
                allowed = mine | sum(1 << cell for cell in carrier)
                enemy = ((1 << rules.cells) - 1) & ~allowed
                assert rules.holds(mine, enemy, (ends[0][0], ends[1][0]), first=not full), (state, player)
                claims[full] += 1
    assert min(claims.values()) > 200


def walk(proof: Proof, seen: set[object]) -> None:
    """Follow a proof through every reply, to the end of each game."""
    state = proof.state
    if state.key() in seen:
        return
    seen.add(state.key())
    scores = state.scores()
    if scores is not None:
        black, white = slow(state.size).stones(state)
        assert slow(state.size).connects((black, white)[proof.winner], proof.winner)
        assert scores[proof.winner] == 1
        return
    if state.player == proof.winner:
        assert proof.move is not None
        walk(proof.after(proof.move), seen)
        return
    for reply in state.moves():
        walk(proof.after(reply), seen)


@pytest.mark.parametrize("spec", ["hex:size=3", "hex:size=3,swap=on"])
def test_a_proof_answers_every_reply(spec: str) -> None:
    proof = solve(replay(spec), memory=1 << 20).proof
    assert proof is not None
    seen: set[object] = set()
    walk(proof, seen)
    assert len(seen) > 30


def test_a_proof_answers_every_reply_in_endings_of_5x5() -> None:
    for state in random_states(5, 9, 10, seed=2):
        proof = solve(state, memory=1 << 20).proof
        assert proof is not None
        walk(proof, set())


def test_a_proof_wins_against_random_replies_on_6x6() -> None:
    generator = random.Random(3)
    solver = HexSolver(6, memory=1 << 24)
    for opening in ("d3", "a1", "b2", "f6"):
        proof = solver.solve(replay("hex:size=6", opening)).proof
        assert proof is not None
        while proof.state.scores() is None:
            own = proof.state.player == proof.winner
            proof = proof.after(proof.move if own else generator.choice(proof.state.moves()))  # type: ignore[arg-type]
        assert proof.state.scores()[proof.winner] == 1  # type: ignore[index]


def test_a_losing_move_is_not_part_of_a_proof() -> None:
    proof = solve(replay("hex:size=5", PUZZLE)).proof
    assert proof is not None
    with pytest.raises(ValueError, match="e2 gives the win away"):
        proof.after(proof.state.parse("e2"))


def test_the_only_winning_move_of_a_puzzle_is_found() -> None:
    state = replay("hex:size=5", PUZZLE)
    assert solve(state).move == state.parse("b3")
    assert solve_moves(state).winning == (state.parse("b3"),)


def test_rotated_positions_have_the_same_results() -> None:
    state = Hex(size=6).start()
    winning = set(solve_moves(state, memory=1 << 24).winning)
    assert winning == {35 - move for move in winning}
    for opening in state.moves()[::5]:  # without what the solver remembers of others
        found = solve(state.play(opening), memory=1 << 24)
        assert (found.winner == 0) == (opening in winning)


def test_a_small_table_gives_the_same_results() -> None:
    state = Hex(size=5).start()
    assert solve_moves(state, memory=1 << 16).winning == solve_moves(state).winning


def test_with_the_swap_the_second_player_wins() -> None:
    start = replay("hex:size=4,swap=on")
    assert (solve(start).winner, solve_moves(start).winning) == (1, ())
    good, bad = (replay("hex:size=4,swap=on", move) for move in ("b3", "a1"))
    assert (solve(good).winner, solve(good).move) == (1, 16)
    assert solve_moves(good).winning == (16,)
    assert solve(bad).winner == 1
    assert solve(bad).move != 16
    assert 16 not in solve_moves(bad).winning


@pytest.mark.parametrize("size", [8, 9, 11, 12, 19])
def test_boards_of_any_size_can_be_solved_near_the_end(size: int) -> None:
    middle, last = chr(97 + size // 2), chr(96 + size)
    moves = " ".join(f"{middle}{row} {'a' if row % 2 else last}{row}" for row in range(1, size - 1))
    state = replay(f"hex:size={size}", moves)
    found = solve(state, memory=1 << 20)
    assert found.winner == 0
    assert found.move is not None


def test_limits_and_progress_end_a_search() -> None:
    state = Hex(size=11).start()
    assert solve(state, nodes=5).stopped == "nodes"
    assert solve(state, seconds=0.05).stopped == "seconds"
    seen: list[int] = []

    def watch(nodes: int) -> bool:
        seen.append(nodes)
        return len(seen) < 2

    found = solve(state, progress=watch)
    assert (found.winner, found.move, found.proof, found.stopped) == (None, None, None, "cancelled")
    assert 0 < seen[0] < seen[1]
    results = solve_moves(state, nodes=40)
    assert (results.stopped, results.winning) == ("nodes", ())
    assert results.nodes <= 41


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({"nodes": 0}, "nodes"), ({"seconds": 0}, "seconds"), ({"memory": 10}, "memory")],
)
def test_bad_limits_are_refused(arguments: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        solve(Hex(size=3).start(), **arguments)  # type: ignore[arg-type]


def test_a_finished_game_and_another_board_are_refused() -> None:
    over = replay("hex:size=2", "a1 b1 a2")
    for ask in (solve, solve_moves):
        with pytest.raises(ValueError, match="the game is over"):
            ask(over)
    with pytest.raises(ValueError, match="size 3, not 2"):
        HexSolver(3).solve(Hex(size=2).start())


@pytest.mark.parametrize(("size", "empty"), [(3, 9), (4, 10), (5, 9)])
def test_any_stones_are_solved_with_either_side_to_move(size: int, empty: int) -> None:
    rng, solver = random.Random(size), HexSolver(size)
    for _ in range(40):
        free = rng.randint(2, empty)
        black = rng.randint(0, size * size - free)
        cells = list("B" * black + "W" * (size * size - free - black) + "." * free)
        rng.shuffle(cells)
        rows = ["".join(cells[row * size : (row + 1) * size]) for row in range(size)]
        for player in (0, 1):
            try:
                state: Any = tesuji.position(f"hex:size={size}", "\n".join(rows), player)
            except ValueError:  # the player to move has won
                continue
            if state.scores() is None:
                assert solver.solve(state).winner == slow(size).winner(state)
