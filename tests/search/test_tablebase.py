"""A tablebase in the searches: certain at once, as many plies as it says, and played to the end."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tesuji
from tests.games.onitama_positions import OX, set_up, turned
from tesuji.games import Onitama
from tesuji.games.onitama import OnitamaState, Tablebase

FREE = Onitama(ply_limit=None)

BOTS = pytest.mark.parametrize(
    ("make", "options"),
    [(tesuji.AlphaBeta, {"depth": 1}), (tesuji.MCTS, {"iterations": 50})],
    ids=["alphabeta", "mcts"],
)


@BOTS
def test_a_known_position_is_proven_at_once_with_its_plies(
    make: Any, options: dict[str, int], four_men: Tablebase
) -> None:
    bot = make(FREE, tablebase=str(four_men.path), seed=1, **options)
    for index in four_men.sample("win", 60, seed=1) + four_men.sample("loss", 60, seed=1):
        state, plies = four_men.position(index, FREE), four_men.entry(index)
        for position in (state, turned(state)):
            analysis = bot.analyse(position)
            assert (analysis.proven, analysis.value, analysis.plies) == (plies % 2, plies % 2, plies)
            assert analysis.stopped == "proven"
            for candidate in analysis.candidates:
                after = position.play(candidate.move)
                score, left = four_men.probe(after) or (0.0, 0)
                assert candidate.proven == 1.0 - score
                assert candidate.plies == (None if score == 0.5 else 1 + left)
            assert analysis.candidates[0].plies == plies


@BOTS
def test_a_known_draw_is_kept(make: Any, options: dict[str, int], four_men: Tablebase) -> None:
    bot = make(FREE, tablebase=four_men, seed=1, **options)
    for index in four_men.sample("draw", 30, seed=1):
        state = four_men.position(index, FREE)
        analysis = bot.analyse(state)
        assert (analysis.proven, analysis.plies) == (0.5, None)
        assert four_men.probe(state.play(analysis.move)) == (0.5, 0)


@pytest.mark.parametrize("limit", [None, 300])
@pytest.mark.parametrize("winner", ["alphabeta:depth=1", "mcts:iterations=50"])
@pytest.mark.parametrize("loser", ["alphabeta:depth=1", "mcts:iterations=50"])
def test_a_proven_win_is_won_in_as_many_plies_as_stated(
    winner: str, loser: str, limit: int | None, four_men: Tablebase
) -> None:
    game = Onitama(ply_limit=limit)
    bots = [tesuji.bot(f'{spec},tablebase="{four_men.path}",seed=2', game) for spec in (winner, loser)]
    chosen = [*four_men.sample("win", 12, seed=3), *four_men.sample("win", 4, seed=4, men=2)]
    for index in chosen:
        state = four_men.position(index, game)
        for left in range(four_men.entry(index), 0, -1):
            analysis = bots[state.player].analyse(state)
            assert (analysis.proven, analysis.plies) == (left % 2, left)
            assert state.scores() is None
            state = state.play(analysis.move)
        assert state.scores() == (1.0, 0.0)


def five_men(count: int, cards: str = OX, **limits: int) -> Iterator[OnitamaState]:
    """Positions that are not in a table of four men, but one capture away from it."""
    squares = [f"{column}{row}" for row in range(1, 6) for column in "abcde"]
    rng = random.Random(5)
    for _ in range(count):
        blue, *students = rng.sample([square for square in squares if square != "c5"], 4)
        red = rng.choice([square for square in squares if square not in ("c1", blue, *students)])
        yield set_up(
            cards, rng.randrange(2), f"{blue} {students[0]}", " ".join([red, *students[1:]]), **limits
        )


def test_alpha_beta_with_the_table_finds_what_it_finds_without_and_more(four_men: Tablebase) -> None:
    plain = tesuji.AlphaBeta(FREE, value="off", nodes=20_000, reductions=False, seed=1)
    helped = tesuji.AlphaBeta(FREE, value="off", nodes=20_000, reductions=False, seed=1, tablebase=four_men)
    proven = {"alone": 0, "helped": 0, "exactly": 0}
    for state in five_men(80):
        alone, found = plain.analyse(state), helped.analyse(state)
        proven["alone"] += alone.proven is not None
        proven["helped"] += found.proven is not None
        if alone.stopped == found.stopped == "proven":
            assert (found.proven, found.plies) == (alone.proven, alone.plies)
            proven["exactly"] += 1
    assert proven["helped"] > proven["alone"] >= proven["exactly"] > 40


def test_quiescence_search_probes_the_tablebase(four_men: Tablebase) -> None:
    options: Any = {"value": "off", "depth": 1, "seed": 1, "tablebase": four_men}
    searches = [tesuji.AlphaBeta(FREE, quiescence=plies, **options) for plies in (None, 2)]
    refuted = 0
    for state in five_men(60):
        found = [{each.move: each for each in search.analyse(state).candidates} for search in searches]
        for move in state.moves():
            after = state.play(move)
            replies = [after.play(reply) for reply in after.core.noisy_moves() or ()]
            if four_men.probe(after) or any(reply.scores() for reply in replies) or after.scores():
                continue
            if any((four_men.probe(reply) or (1.0, 0))[0] == 0.0 for reply in replies):
                refuted += 1
                assert (found[0][move].value, found[1][move].value) == (0.5, 0.0)
    assert refuted > 10


def test_mcts_proves_more_with_the_table_and_nothing_else(four_men: Tablebase) -> None:
    oracle = tesuji.AlphaBeta(FREE, value="off", nodes=400_000, seed=1)
    options: Any = {"iterations": 100, "seed": 1, "reuse": False}
    plain, helped = tesuji.MCTS(FREE, **options), tesuji.MCTS(FREE, tablebase=four_men, **options)
    proven = {"alone": 0, "helped": 0}
    for state in five_men(60):
        alone, found = plain.analyse(state), helped.analyse(state)
        proven["alone"] += alone.proven is not None
        proven["helped"] += found.proven is not None
        truth = oracle.analyse(state).proven
        assert found.proven is None or truth is None or found.proven == truth
        assert alone.plies is None
    assert proven["helped"] > proven["alone"]


@pytest.mark.threads
def test_threads_share_a_table(four_men: Tablebase) -> None:
    oracle = tesuji.AlphaBeta(FREE, value="off", nodes=400_000, seed=1, tablebase=four_men)
    bot = tesuji.MCTS(FREE, iterations=2000, threads=2, seed=1, tablebase=four_men)
    for state in five_men(10):
        found, truth = bot.analyse(state).proven, oracle.analyse(state).proven
        assert found is None or truth is None or found == truth


def test_the_ply_limit_turns_a_late_win_into_a_draw(four_men: Tablebase) -> None:
    index = next(index for index in four_men.sample("win", 500, seed=6) if four_men.entry(index) > 20)
    plies = four_men.entry(index)
    for limit, proven, left in ((plies, 1.0, plies), (plies - 1, 0.5, None)):
        game = Onitama(ply_limit=limit)
        state = four_men.position(index, game)
        for bot in (tesuji.AlphaBeta(game, tablebase=four_men), tesuji.MCTS(game, tablebase=four_men)):
            analysis = bot.analyse(state)
            assert (analysis.proven, analysis.plies) == (proven, left)


def test_results_found_with_more_plies_left_are_not_reused(tmp_path: Path) -> None:
    """The transposition table must not take a loss in 82 plies for one where 81 are left."""
    cards = "seasnake-boar-ox-turtle-otter"
    table = Tablebase.build(cards, 4, tmp_path / "long.tb")
    options: Any = {"value": "off", "depth": 2, "lines": 99, "pvs": False, "tablebase": table}
    search = tesuji.AlphaBeta(FREE, **options)
    for left, proven in ((83, 0.0), (82, 0.0), (81, None)):
        state = set_up(cards, 0, "b2 c1 a4", "a3 c5", ply_limit=left)
        analysis = search.analyse(state)
        found = {state.text(each.move): each.proven for each in analysis.candidates}
        assert (found["seasnake:b2a1"], analysis.depth) == (proven, 2)


def test_other_cards_are_searched_as_without_a_table(four_men: Tablebase) -> None:
    state = Onitama(cards="tiger-dragon-monkey-goose-eel").start()
    searches: list[tuple[Any, dict[str, int]]]
    searches = [(tesuji.AlphaBeta, {"nodes": 3000}), (tesuji.MCTS, {"iterations": 300})]
    for make, options in searches:
        found = []
        for tablebase in (None, four_men):
            analysis = make(Onitama(), tablebase=tablebase, seed=1, **options).analyse(state)
            found.append({**analysis.as_dict(), "seconds": 0})
        assert found[0] == found[1]


def test_a_tablebase_is_opened_with_the_bot_or_refused(four_men: Tablebase, tmp_path: Path) -> None:
    spec = f'tablebase="{four_men.path}"'
    fixed = tesuji.game(f"onitama:cards={OX}")
    for name in ("mcts", "alphabeta"):
        assert str(four_men.path) in repr(tesuji.bot(f"{name}:{spec}", fixed))
        assert tesuji.spec_of(tesuji.bot(f"{name}:{spec}", "onitama")) == f"{name}:tablebase={four_men.path}"
        assert tesuji.bot(f"{name}:tablebase=off", "hex:size=3").options.tablebase is None
        with pytest.raises(ValueError, match="tablebase: hex:size=3"):
            tesuji.bot(f"{name}:{spec}", "hex:size=3")
        with pytest.raises(ValueError, match=r"has the cards boar-crab-.*, but the game has tiger-"):
            tesuji.bot(f"{name}:{spec}", "onitama:cards=tiger-dragon-monkey-goose-eel")
        with pytest.raises(ValueError, match=r"cannot read .*none.tb: No such file"):
            tesuji.bot(f'{name}:tablebase="{tmp_path / "none.tb"}"', "onitama")
    for make in (tesuji.MCTS, tesuji.AlphaBeta):
        with pytest.raises(ValueError, match="tablebase must be text or off or Tablebase, not 7"):
            make(fixed, tablebase=7)  # type: ignore[arg-type]
