"""The game's own prover in the searches, and the answers to threats in alpha-beta: nothing but proofs."""

from __future__ import annotations

import random
from typing import Any

import pytest

import tesuji
from tesuji import MCTS, _core
from tesuji.games.gomoku.game import GomokuState

BOTS = ["mcts:iterations=200,seed=1", "alphabeta:nodes=2000,seed=1"]
# Two fours in a row and the second cannot be stopped; Black to move.
WIN_BY_FOURS = "f8 e8 g8 a15 h8 o1 i10 o15 j11 a1 k12 h15"
# Two open twos that cross: no four is there yet, and two threes at once win.
WIN_BY_THREES = "h8 a1 i8 o15 g9 a15 g10 o1"


def position(spec: str, moves: str) -> GomokuState:
    state = tesuji.replay(spec, moves)
    assert isinstance(state, GomokuState)
    return state


def analyse(spec: str, state: GomokuState) -> tesuji.Analysis:
    bot: Any = tesuji.bot(spec, state.game)
    found: tesuji.Analysis = bot.analyse(state)
    return found


def nearly_full(seed: int, rule: str) -> GomokuState:
    """A position of 6×6 with few empty cells, in which nobody has won."""
    rng = random.Random(seed)
    game = tesuji.games.Gomoku(size=6, rule=rule)  # type: ignore[arg-type]
    while True:
        state = game.start()
        while state.scores() is None and len(state.moves()) > 10:
            state = state.play(rng.choice(state.moves()))
        if state.scores() is None:
            return state


def exact(state: GomokuState, known: dict[Any, float]) -> float:
    """For the player to move, by looking at every line to its end."""
    if (scores := state.scores()) is not None:
        return scores[state.player]
    key = state.key()
    if key not in known:
        known[key] = 0.0
        for move in state.moves():
            following = state.play(move)
            ended = following.scores()
            score = 1 - exact(following, known) if ended is None else ended[state.player]
            known[key] = max(known[key], score)
            if known[key] == 1.0:
                break
    return known[key]


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
def test_proofs_agree_with_exhaustive_search(rule: str) -> None:
    decided = 0
    for seed in range(8):
        state = nearly_full(seed, rule)
        truth = exact(state, {})
        decided += truth != 0.5
        for spec in ("mcts:iterations=30000,seed=1", "alphabeta:nodes=300000,seed=1"):
            found = analyse(spec, state)
            # Draws take a tree without transpositions too long.
            assert found.proven == truth or (truth == 0.5 and found.proven is None), (spec, state)
    assert decided > 1


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("moves", [WIN_BY_FOURS, WIN_BY_THREES])
def test_a_win_by_threats_is_proven_before_the_search(bot: str, moves: str) -> None:
    state = position("gomoku", moves)
    found = analyse(bot, state)
    assert (found.proven, found.stopped, found.iterations) == (1.0, "proven", 0)
    best = found.candidates[0]
    assert best.move == found.move and best.plies == found.plies == len(best.line)
    following = state
    for move in best.line:
        assert following.scores() is None
        following = following.play(move)
    scores = following.scores()
    assert scores is not None and scores[state.player] == 1.0


@pytest.mark.parametrize("bot", BOTS)
def test_without_the_prover_the_win_is_not_proven_at_the_root(bot: str) -> None:
    state = position("gomoku", WIN_BY_THREES)
    found = analyse(f"{bot},prover=off", state)
    assert found.iterations > 0


def test_new_nodes_won_by_fours_are_proven() -> None:
    # White to move: whatever does not stop Black's fours loses, and the prover says so at the first visit.
    state = position("gomoku", "f8 e8 g8 i12 h8 a1 i9 o1 i10 a15 i11")
    lost = {}
    for prover in ("game", "off"):
        bot = MCTS(state.game, iterations=1, seed=1, prover=prover, threat_response="off")
        lost[prover] = [found for found in bot.analyse(state).candidates if found.proven == 0]
    assert lost["game"] and not lost["off"]


@pytest.mark.threads
def test_each_thread_has_a_prover_of_its_own() -> None:
    state = position("gomoku", "h8 i9 g9 h10 j7 i8")
    found = MCTS(state.game, iterations=4000, seed=1, threads=2).analyse(state)
    assert found.iterations == 4000 or found.proven is not None


@pytest.mark.parametrize("search", [MCTS, tesuji.AlphaBeta])
def test_the_prover_respects_the_time_limit(search: Any) -> None:
    state = position("gomoku", "h8 i9 g9 h10 j7 i8")
    found = search(state.game, seconds=0.02, seed=1).analyse(state)
    assert found.stopped in ("seconds", "proven")
    assert found.move in state.moves()


def test_nothing_is_proven_during_swap2() -> None:
    state = position("gomoku:swap2=on", "h8 i9 g9")
    for bot in BOTS:
        assert analyse(bot, state).proven is None


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
def test_threat_responses_prove_the_same_as_all_moves(rule: str) -> None:
    for seed in range(20, 32):
        state = nearly_full(seed, rule)
        specs = [f"alphabeta:seed=1,prover=off,nodes=500000,threat_response={how}" for how in ("game", "off")]
        with_answers, plain = (analyse(spec, state) for spec in specs)
        # A draw is proven only where no move was set aside.
        assert with_answers.proven == plain.proven or plain.proven == 0.5
        assert with_answers.value == plain.value


def test_a_prover_is_native() -> None:
    assert issubclass(_core.GomokuThreatProver, _core.Prover)
    assert tesuji.game("gomoku").knowledge.prover.native is not None
