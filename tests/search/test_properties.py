"""What a correct search holds: each test was a real defect of a real system."""

import copy
import itertools
import traceback
from typing import Any

import pytest

import tesuji
from examples.tic_tac_toe import TicTacToe
from tests.search.helpers import RAVE, SOLVER, analyse, hex_state, tic_tac_toe, tree_of
from tests.search.small_games import (
    DRAW,
    LOSS,
    WIN,
    Bits,
    Broken,
    Choice,
    Fields,
    Nim,
    Rules,
    RulesBroke,
    Scores,
    Tree,
    Walk,
)
from tesuji.games import Hex

# State and randomness


@RAVE
def test_the_root_position_is_the_same_after_a_search(rave: str) -> None:
    state = Fields()
    before = copy.deepcopy(state)
    analyse(state, iterations=300, rave=rave)
    assert state == before


def test_the_root_position_of_a_native_game_is_the_same_after_a_search() -> None:
    state = hex_state(5, "c3 b2 d1")
    before = (state.cells(), state.player, list(state.moves()), state.scores(), state.key(), state.history)
    analyse(state, iterations=500)
    assert before == (
        state.cells(),
        state.player,
        list(state.moves()),
        state.scores(),
        state.key(),
        state.history,
    )


def test_the_random_numbers_advance_so_that_playouts_differ() -> None:
    endings: list[str] = []
    analyse(Bits(60, endings, []), iterations=200, solver=False, rave="off")
    assert len(endings) > 100
    assert len(set(endings)) == len(endings)


@pytest.mark.parametrize(
    "state", [hex_state(5, "c3"), Fields(), tic_tac_toe("b2")], ids=["hex", "fields", "tic-tac-toe"]
)
@RAVE
def test_seed_and_iterations_reproduce_the_tree(state: tesuji.State, rave: str) -> None:
    options: dict[str, Any] = {"iterations": 400, "rave": rave}
    assert tree_of(analyse(state, seed=7, **options)) == tree_of(analyse(state, seed=7, **options))


def test_another_seed_gives_another_tree() -> None:
    state = hex_state(7, "")
    trees = [tree_of(analyse(state, iterations=400, seed=seed)) for seed in range(4)]
    assert all(one != other for one, other in itertools.combinations(trees, 2))


def test_a_search_says_whether_the_clock_or_the_count_ended_it() -> None:
    by_clock = analyse(hex_state(11, ""), iterations=10**9, seconds=0.05)
    assert by_clock.stopped == "seconds"
    assert by_clock.iterations > 0
    by_count = analyse(hex_state(11, ""), iterations=50, seconds=600)
    assert by_count.stopped == "iterations"
    assert by_count.iterations == 50


@pytest.mark.threads
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "state",
    [hex_state(11, ""), Fields(), Walk(10_000, pause=0.0005)],
    ids=["native", "python", "slow python"],
)
def test_the_time_limit_holds_for_the_whole_search(state: tesuji.State, threads: int) -> None:
    # Without the clock, a thousand million simulations would not end today.
    analysis = analyse(state, iterations=10**9, seconds=0.1, threads=threads, playout_depth=20, solver=False)
    assert analysis.stopped == "seconds"


@pytest.mark.parametrize("method", ["player", "moves", "play", "scores"])
@pytest.mark.parametrize("threads", [1, pytest.param(2, marks=pytest.mark.threads)])
def test_an_error_in_the_rules_reaches_the_caller_with_its_traceback(method: str, threads: int) -> None:
    with pytest.raises(RulesBroke, match=f"{method} at ply 4") as caught:
        analyse(Broken(method), iterations=1000, threads=threads)
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert frames[-1].name == "_perhaps_raise"


def test_a_bot_can_be_used_again_after_an_error() -> None:
    game = Rules(Nim(5))
    bot = tesuji.MCTS(game, iterations=200)
    with pytest.raises(RulesBroke):
        bot.analyse(Broken("play"))
    assert bot.choose(Nim(5)) == 1


# Values


# In Nim every player makes the same three moves all the time: one table for all of them knows nothing.
@pytest.mark.parametrize(
    ("rave", "solver"), [("off", True), ("node", True), ("global", True), ("off", False), ("node", False)]
)
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("pile", [5, 6, 7, 9])
def test_each_player_chooses_by_its_own_side_of_the_value(
    pile: int, player: int, rave: str, solver: bool
) -> None:
    analysis = analyse(Nim(pile, player), iterations=3000, rave=rave, solver=solver, seed=pile)
    assert analysis.move == pile % 4
    assert analysis.candidates[0].move == analysis.move
    assert analysis.value > 0.5


@pytest.mark.parametrize("rave", ["off", "node"])
def test_a_lost_position_has_a_low_value_for_either_player(rave: str) -> None:
    for player in (0, 1):
        assert analyse(Nim(8, player), iterations=3000, rave=rave, solver=False).value < 0.5


@RAVE
def test_a_winning_move_gets_most_of_the_visits(rave: str) -> None:
    # One move wins against every reply; each of the others has one reply that loses.
    trap = {f"reply {i}": LOSS if i == 0 else WIN for i in range(3)}
    sound = {f"reply {i}": WIN for i in range(3)}
    first = {f"move {i}": Choice(1, sound if i == 7 else trap) for i in range(10)}
    analysis = analyse(Tree(Choice(0, first)), iterations=800, solver=False, rave=rave)
    assert analysis.move == "move 7"
    assert analysis.candidates[0].visits > 400


def wins_in_one(state: tesuji.State) -> list[Any]:
    return [move for move in state.moves() if state.play(move).scores() is not None]


def ordering_that_puts_last(late: list[Any], style: str) -> Any:
    """An ordering that tries these moves last, by order or by weight; or one of the words for an option."""

    def last(state: Any, player: int, moves: Any) -> list[Any]:
        return sorted(moves, key=lambda move: move in late)

    def light(state: Any, player: int, moves: Any) -> dict[Any, float]:
        return {move: 0.001 if move in late else 1.0 for move in moves}

    return {"last": last, "light": light}.get(style, style)


@SOLVER
@RAVE
@pytest.mark.parametrize("ordering", ["game", "off", "last", "light"])
@pytest.mark.parametrize(
    "state",
    [
        tic_tac_toe("a1 b2 a2 c3"),
        tic_tac_toe("a1 b1 c3 b2 a2"),
        hex_state(4, "b1 a1 b2 c1 b3 d1"),
        hex_state(4, "a1 a2 b1 b2 c1 c2 d4"),
    ],
    ids=["X", "O", "Black", "White"],
)
def test_a_win_in_one_is_taken_whatever_the_ordering(
    state: tesuji.State, ordering: str, rave: str, solver: bool
) -> None:
    wins = wins_in_one(state)
    assert 0 < len(wins) < len(state.moves())
    options = {"rave": rave, "solver": solver, "move_ordering": ordering_that_puts_last(wins, ordering)}
    assert analyse(state, iterations=len(state.moves()), **options).move in wins


@pytest.mark.parametrize("options", [{}, {"playout_depth": 0}, {"playout_depth": 3}, {"knowledge": "off"}])
def test_a_win_in_one_is_taken_whatever_the_knowledge(options: dict[str, Any]) -> None:
    state = hex_state(7, "a1 a2 b1 b2 c1 c2 d1 d2 e1 e2 f1 f2 g7")
    for seed in range(5):
        assert analyse(state, iterations=len(state.moves()), seed=seed, **options).move in wins_in_one(state)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(("moves", "block"), [("b2 a1 c1", "a3"), ("a1 b2 c3 a3", "c1")], ids=["O", "X"])
def test_a_loss_in_one_is_blocked(moves: str, block: str, seed: int) -> None:
    state = tic_tac_toe(moves)
    assert state.text(tesuji.MCTS(TicTacToe(), iterations=2000, seed=seed).choose(state)) == block


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("moves", "block"), [("b2 a1 c1", "a3"), ("a1 b2 c3 a3", "c1")], ids=["O", "X"])
@RAVE
def test_a_loss_in_one_is_blocked_without_a_proof(moves: str, block: str, rave: Any, seed: int) -> None:
    state = tic_tac_toe(moves)
    bot = tesuji.MCTS(TicTacToe(), iterations=2000, seed=seed, rave=rave, solver=False)
    assert state.text(bot.choose(state)) == block


@SOLVER
def test_an_own_win_outranks_a_forced_block(solver: bool) -> None:
    state = tic_tac_toe("a1 a3 b1 b3")  # X wins at c1; O threatens c3
    block = state.parse("c3")

    def must_block(state: Any, player: int) -> tesuji.Threat:
        return tesuji.Threat(moves=[block] if block in state.moves() else [], urgent=True)

    analysis = analyse(state, iterations=500, threat_response=must_block, solver=solver)
    assert state.text(analysis.move) == "c1"


@SOLVER
def test_a_certain_draw_beats_a_line_that_loses(solver: bool) -> None:
    # Nine replies of ten win, and the tenth, which a good opponent finds, loses.
    gamble = Choice(1, {f"reply {i}": LOSS if i == 9 else WIN for i in range(10)})
    for seed in range(10):
        state = Tree(Choice(0, {"gamble": gamble, "draw": DRAW}))
        analysis = analyse(state, iterations=2000, solver=solver, seed=seed)
        assert analysis.move == "draw"
        assert analysis.value == pytest.approx(0.5)
        assert analysis.proven == (0.5 if solver else None)


def test_a_certain_draw_does_not_hide_a_better_move_that_began_badly() -> None:
    # Nine playouts of ten end badly, but the player who moves there would never choose so.
    replies = {f"reply {i}": (0.9, 0.1, 0.0) if i == 9 else (0.0, 0.0, 1.0) for i in range(10)}
    state = Tree(Choice(0, {"draw": (0.5, 0.25, 0.25), "better": Choice(1, replies)}))
    for seed in range(10):
        analysis = analyse(state, players=3, iterations=2000, seed=seed)
        assert analysis.move == "better"


@pytest.mark.parametrize("iterations", [1, 2, 5, 50])
@pytest.mark.parametrize("order", [["loss", "draw"], ["draw", "loss"]])
def test_a_known_loss_never_beats_a_known_draw(order: list[str], iterations: int) -> None:
    ends: dict[str, Choice | Scores] = {"loss": LOSS, "draw": DRAW}
    state = Tree(Choice(0, {move: ends[move] for move in order}))
    assert analyse(state, iterations=iterations).move == "draw"


def test_a_loss_is_not_proven_before_every_move_is() -> None:
    # The one good move is the last of fifty, and wins only two plies later.
    deep_win = Choice(1, {"only": WIN})
    moves: dict[str, Choice | Scores] = {f"bad {i}": Choice(1, {"punish": LOSS}) for i in range(49)}
    state = Tree(Choice(0, moves | {"good": deep_win}))
    for iterations in (1, 10, 25, 49):
        assert analyse(state, iterations=iterations).proven != 0.0
    final = analyse(state, iterations=1000)
    assert (final.move, final.proven, final.stopped) == ("good", 1.0, "proven")


def test_a_win_is_not_proven_before_every_reply_is() -> None:
    # Forty-nine replies lose at once; the last one refutes the move, two plies later.
    refuted: dict[str, Choice | Scores] = {f"weak {i}": WIN for i in range(49)}
    state = Tree(Choice(0, {"tempting": Choice(1, refuted | {"strong": Choice(0, {"only": LOSS})})}))
    for iterations in (1, 10, 40):
        assert analyse(state, iterations=iterations).proven != 1.0
    assert analyse(state, iterations=1000).proven == 0.0


def test_moves_left_out_by_an_urgent_threat_are_not_counted_as_lost() -> None:
    loses, wins = Choice(1, {"punish": LOSS}), Choice(1, {"only": WIN})

    def only_the_bad_one(state: Any, player: int) -> tesuji.Threat | None:
        return tesuji.Threat(moves=["bad"], urgent=True) if "bad" in state.moves() else None

    state = Tree(Choice(0, {"bad": loses, "good": wins}))
    assert analyse(state, iterations=200, threat_response=only_the_bad_one).proven != 0.0


def test_a_kept_tree_is_not_taken_for_that_of_the_other_player() -> None:
    game = Hex(size=3, swap=True)
    plain = tesuji.replay(game, [4, 3])  # the same stones,
    swapped = tesuji.replay(game, [1, 9, 4])  # but the other player to move
    for first, second in [(plain, swapped), (swapped, plain)]:
        bot = tesuji.MCTS(game, iterations=20_000, reuse=True)
        bot.analyse(first)
        kept, fresh = bot.analyse(second), tesuji.MCTS(game, iterations=20_000).analyse(second)
        assert kept.proven == fresh.proven is not None
        assert kept.move in second.moves()


@RAVE
@pytest.mark.parametrize("state", [hex_state(5, ""), Fields(), Nim(3)], ids=["hex", "fields", "near the end"])
def test_every_simulation_passes_through_one_candidate(state: tesuji.State, rave: str) -> None:
    analysis = analyse(state, iterations=500, solver=False, rave=rave)
    assert analysis.iterations == 500
    assert analysis.visits == 500
    assert sum(candidate.visits for candidate in analysis.candidates) == analysis.visits


def test_a_simulation_that_ends_in_a_finished_game_consumes_budget() -> None:
    state = Tree(Choice(0, {"draw": DRAW, "loss": LOSS}))
    analysis = analyse(state, iterations=100, solver=False)
    assert (analysis.iterations, analysis.stopped) == (100, "iterations")


@SOLVER
def test_of_three_players_each_maximises_its_own_score(solver: bool) -> None:
    # Player 1 prefers a tenth for itself to spoiling player 0's game, player 2 likewise.
    generous = Choice(1, {"take a tenth": (0.9, 0.1, 0.0), "spoil": (0.0, 0.0, 1.0)})
    greedy = Choice(2, {"take all": (0.0, 0.0, 1.0), "share": (1.0, 0.0, 0.0)})
    state = Tree(Choice(0, {"safe": (0.5, 0.25, 0.25), "generous": generous, "greedy": greedy}))
    analysis = analyse(state, players=3, iterations=2000, solver=solver)
    assert analysis.move == "generous"
    assert analysis.value > 0.89 if solver else analysis.value > 0.6


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_the_random_bot_is_uniformly_random_also_with_few_moves(count: int) -> None:
    state = Tree(Choice(0, {f"move {i}": DRAW for i in range(count)}))
    bot = tesuji.bot("random:seed=1", Rules(state))
    draws = 1000 * count
    chosen = [bot.choose(state) for _ in range(draws)]
    spread = (draws * (1 / count) * (1 - 1 / count)) ** 0.5
    for move in state.moves():
        assert abs(chosen.count(move) - 1000) <= 4.5 * spread
