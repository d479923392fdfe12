"""MCTS in use: budgets, the tree between moves, progress, misuse."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

import tesuji
from examples.connect_four import ConnectFour
from examples.tic_tac_toe import TicTacToe, TicTacToeState
from tests.search.small_games import Nim, Rules
from tesuji.games import Hex, HexState
from tesuji.games.hex.knowledge import PRIOR_WEIGHT, HexMoveOrdering, HexObjectives, HexPlayoutPolicy
from tesuji.spec import Spec

# Budgets


def test_the_default_budget_is_ten_thousand_simulations() -> None:
    game = Hex(size=7)
    assert tesuji.MCTS(game, seed=1).analyse(game.start()).iterations == 10_000


def test_the_limit_that_ended_the_search_is_reported() -> None:
    game = Hex(size=11)
    by_count = tesuji.MCTS(game, iterations=100, seconds=60, seed=1).analyse(game.start())
    by_clock = tesuji.MCTS(game, iterations=10**9, seconds=0.05, seed=1).analyse(game.start())
    assert (by_count.stopped, by_clock.stopped) == ("iterations", "seconds")


@pytest.mark.parametrize(
    ("bot", "limits", "stopped"),
    [
        (tesuji.MCTS("hex:size=7", seconds=60, seed=1), {"iterations": 70}, "iterations"),
        (tesuji.MCTS("hex:size=7", iterations=4_000_000_000), {"seconds": 0.01}, "seconds"),
        (tesuji.AlphaBeta("hex:size=7", seconds=60, prover="off"), {"depth": 1}, "depth"),
        (tesuji.AlphaBeta("hex:size=7", depth=50, nodes=10**15), {"seconds": 0.01}, "seconds"),
    ],
    ids=range(4),
)
def test_limits_of_a_single_search_override_the_bots(bot: Any, limits: dict[str, Any], stopped: str) -> None:
    options = bot.options
    state = Hex(size=7).start()
    assert bot.analyse(state, **limits).stopped == stopped
    assert bot.choose(state, **limits) in state.moves()
    assert bot.options is options


@pytest.mark.parametrize(
    ("limits", "says"),
    [
        ({"second": 1}, "unknown limit 'second' of a search; did you mean 'seconds'? (iterations, seconds)"),
        ({"rave": "off"}, "unknown limit 'rave' of a search (iterations, seconds)"),
        ({"seconds": -1}, "seconds must be at least 0.001 or off, not -1"),
    ],
)
def test_invalid_limits_are_refused(limits: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError) as caught:
        tesuji.MCTS("hex:size=3").analyse(Hex(size=3).start(), **limits)
    assert str(caught.value).startswith(says)


def test_a_python_game_respects_the_memory_limit() -> None:
    game = ConnectFour()
    bot = tesuji.MCTS(game, iterations=20_000, memory=4, seed=1)
    analysis = bot.analyse(game.start())
    assert analysis.memory_full
    assert analysis.iterations == 20_000
    assert analysis.bytes < 6 << 20


class Wide:
    """More moves than a small memory holds, and then a loss."""

    player = 0

    def __init__(self, moved: bool = False) -> None:
        self.moved = moved

    def moves(self) -> list[int]:
        return [] if self.moved else list(range(12_000))

    def play(self, move: int) -> Wide:
        return Wide(True)

    def scores(self) -> tuple[float, float] | None:
        return (0.0, 1.0) if self.moved else None  # so that each move is tried before any again


@pytest.mark.parametrize("rave", ["off", "node", "global"])
def test_a_root_larger_than_the_memory_is_still_searched(rave: str) -> None:
    options: dict[str, Any] = {"memory": 1, "rave": rave, "first_play": 0.5, "solver": False}
    analysis = tesuji.MCTS(Rules(Wide()), iterations=12_500, seed=1, **options).analyse(Wide())
    assert (analysis.iterations, analysis.memory_full) == (12_500, True)


# The tree between moves


@pytest.mark.parametrize(
    "game", [Hex(size=7), TicTacToe(), ConnectFour()], ids=["hex", "tic-tac-toe", "connect four"]
)
@pytest.mark.parametrize("rave", ["off", "node", "global"])
def test_the_subtree_is_reused_for_the_next_move(game: Any, rave: Any) -> None:
    bot = tesuji.MCTS(game, iterations=2000, seed=1, rave=rave, solver=False)
    state = game.start()
    first = bot.analyse(state)
    line = first.candidates[0].line
    later = state.play(line[0]).play(line[1])
    second = bot.analyse(later)
    assert second.iterations == 2000
    assert second.visits > 2000
    assert second.visits == sum(candidate.visits for candidate in second.candidates)
    assert {candidate.move for candidate in second.candidates} == set(later.moves())
    fresh = tesuji.MCTS(game, iterations=2000, seed=1, rave=rave, solver=False, reuse=False)
    fresh.analyse(state)
    assert fresh.analyse(later).visits == 2000


def test_an_unrelated_position_starts_a_new_tree() -> None:
    game = Hex(size=5)
    bot = tesuji.MCTS(game, iterations=300, seed=1, prover="off")
    bot.analyse(game.start())
    elsewhere = tesuji.replay(game, "a1 b1 c1 d1 e1 a2 b2")
    assert bot.analyse(elsewhere).visits == 300


def test_reset_clears_the_tree_and_restores_the_seed() -> None:
    game = Hex(size=5)
    bot = tesuji.MCTS(game, iterations=300, seed=1)
    first = bot.analyse(game.start())
    bot.reset()
    assert bot.analyse(game.start()).as_dict() | {"seconds": 0} == first.as_dict() | {"seconds": 0}


def test_the_subtree_is_found_among_hundreds_of_moves() -> None:
    game = tesuji.game("gomoku:size=20")
    bot = tesuji.MCTS(game, iterations=50_000, seed=1, solver=False, exploration=0.1)
    state = game.start()
    first = bot.analyse(state).candidates[0]
    reply = first.line[1]
    assert bot.analyse(state.play(first.move).play(reply)).visits > 50_000
    bot.reset()
    last = [move for move in bot.analyse(state).candidates if move.visits > 2][-1]
    assert bot.analyse(state.play(last.move)).visits > 50_000


def test_a_proof_is_kept_with_the_reused_subtree() -> None:
    game = TicTacToe()
    bot = tesuji.MCTS(game, iterations=100_000, seed=3)
    state: TicTacToeState = game.start()
    assert bot.analyse(state).proven == 0.5
    while state.scores() is None:
        analysis = bot.analyse(state)
        assert analysis.proven == 0.5
        state = state.play(analysis.move)
    assert state.scores() == (0.5, 0.5)


# Progress and copies


def test_progress_sees_the_search_grow() -> None:
    game = Hex(size=9)
    bot = tesuji.MCTS(game, seconds=600, seed=1)
    seen: list[tesuji.Analysis] = []

    def watch(analysis: tesuji.Analysis) -> None:
        seen.append(analysis)
        if len(seen) == 3:
            bot.cancel()

    final = bot.analyse(game.start(), progress=watch)
    counts = [analysis.iterations for analysis in seen] + [final.iterations]
    assert len(seen) >= 3
    assert counts == sorted(counts)
    assert {analysis.stopped for analysis in seen[:3]} == {"running"}


def test_an_error_in_the_progress_callback_reaches_the_caller() -> None:
    def broken(analysis: tesuji.Analysis) -> None:
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"):
        tesuji.MCTS(Hex(), seconds=30).analyse(Hex().start(), progress=broken)


def test_positions_games_and_analyses_can_be_copied() -> None:
    game = Hex(size=5)
    state = tesuji.replay(game, "c3 d2")
    analysis = tesuji.MCTS(game, iterations=50, seed=1).analyse(state)
    for thing in (game, state, analysis):
        assert copy.deepcopy(thing) == thing


# Hooks in any mix


@pytest.mark.parametrize(
    "options",
    [
        {"move_ordering": lambda state, player, moves: sorted(moves)},
        {"move_ordering": HexMoveOrdering()},
        {"playout_policy": lambda state, player, moves, rng: rng.choice(moves), "rave": "off"},
        {
            "playout_policy": HexPlayoutPolicy(0.5, 0.5),
            "move_ordering": lambda state, player, moves: moves[:1],
        },
        {"threat_response": lambda state, player: None, "exploration": lambda state, player: 0.5},
        {"playout_depth": 4},
        {"playout_depth": 2, "value": {"even": tesuji.Objective(lambda state, player: 0.5, 1.0)}},
        {"knowledge": tesuji.Knowledge(exploration=0.7, settings={"rave": "global"})},
    ],
    ids=range(8),
)
def test_native_and_python_hooks_mix(options: dict[str, Any]) -> None:
    game = Hex(size=4)
    state = tesuji.replay(game, "b2")
    results = [tesuji.MCTS(game, iterations=300, seed=5, **options).analyse(state) for _ in range(2)]
    assert results[0].as_dict() | {"seconds": 0} == results[1].as_dict() | {"seconds": 0}
    assert sum(candidate.visits for candidate in results[0].candidates) == results[0].visits


def test_a_hook_of_a_native_game_sees_the_newest_move() -> None:
    seen: set[int | None] = set()

    def look(state: HexState, player: int, moves: list[int]) -> list[int]:
        seen.add(state.last_move)
        assert "inside a search" in repr(state)
        with pytest.raises(ValueError, match="has no history"):
            _ = state.history
        return moves

    game = Hex(size=3)
    bot = tesuji.MCTS(game, iterations=50, move_ordering=look, seed=1, prover="off")
    bot.analyse(tesuji.replay(game, "a1"))
    assert 0 in seen and len(seen) > 1


def test_knowledge_off_and_rave_off_is_plain_uct() -> None:
    game = Hex(size=5)
    bot = tesuji.bot("mcts:knowledge=off,rave=off,iterations=400,seed=1", game)
    assert isinstance(bot, tesuji.MCTS)
    given = bot.options
    assert (given.rave, given.first_play, given.playout_depth, given.prior_weight) == ("off", None, None, 0)
    visits = sorted(candidate.visits for candidate in bot.analyse(game.start()).candidates)
    assert visits[0] >= 5  # √2 on 25 moves: nothing is neglected


def test_hex_has_settings_for_one_search_alone() -> None:
    assert tesuji.AlphaBeta(Hex()).options.move_ordering == "neighbours"
    assert tesuji.MCTS(Hex()).options.move_ordering == "game"


def test_the_weight_of_a_prior_is_for_that_prior_alone() -> None:
    assert tesuji.MCTS(Hex()).options.prior_weight == PRIOR_WEIGHT
    assert tesuji.MCTS(Hex(), prior_weight=2.0).options.prior_weight == 2.0
    for other in ("neighbours", "off", lambda state, player, moves: moves):
        assert tesuji.MCTS(Hex(), move_ordering=other).options.prior_weight == 0
    assert tesuji.MCTS(Hex(), knowledge="off").options.prior_weight == 0


def test_an_unknown_setting_of_one_search_is_named() -> None:
    knowledge = tesuji.Knowledge(settings={"alphabeta": {"rave": "node"}})
    with pytest.raises(ValueError, match="'rave' of alphabeta"):
        tesuji.MCTS(Hex(), knowledge=knowledge)


def test_an_explicit_option_goes_before_the_settings_of_the_knowledge() -> None:
    knowledge = tesuji.Knowledge(settings={"rave": "node", "exploration": 0.2})
    bot = tesuji.MCTS(Hex(size=4), knowledge=knowledge, exploration=0.9)
    assert (bot.options.rave, bot.options.exploration) == ("node", 0.9)


# Misuse


def test_a_spec_is_accepted_in_place_of_a_game() -> None:
    assert tesuji.MCTS("hex:size=4").game == Hex(size=4)
    assert tesuji.bot("random", "hex:size=4").choose(Hex(size=4).start()) in range(16)


@pytest.mark.parametrize(
    ("action", "says"),
    [
        (lambda: tesuji.MCTS(Hex, iterations=5), "Hex is a class"),  # type: ignore[arg-type]
        (lambda: tesuji.MCTS(5), "5 is not a game"),  # type: ignore[arg-type]
        (
            lambda: tesuji.MCTS(Hex(), iteration=5),  # type: ignore[call-arg]
            "unknown option 'iteration' for mcts; did you mean 'iterations'",
        ),
        (lambda: tesuji.MCTS(Hex(), iterations=-1), "iterations must be from 1 to 4000000000"),
        (lambda: tesuji.MCTS(Hex(size=5)).analyse(Hex(size=7).start()), "this bot plays hex:size=5"),
        (lambda: tesuji.MCTS(Hex(size=5)).analyse(TicTacToe().start()), "this bot plays hex:size=5"),
        (lambda: tesuji.MCTS(TicTacToe()).analyse(Hex().start()), "the position is of another game"),
        (lambda: tesuji.MCTS(Hex(), value={}), "value needs playout_depth"),
        (lambda: tesuji.MCTS(Hex(), value={"a": len}, playout_depth=1), "must be an Objective"),
        (lambda: HexObjectives()(Hex().start(), 7), "player must be from 0 to 1, not 7"),
        (lambda: Hex().start().play("c3"), "a move is a number, not 'c3'"),  # type: ignore[arg-type]
        (lambda: Hex(size=3).start().play(99), "99 is not a legal move here"),
    ],
    ids=range(12),
)
def test_misuse_raises_a_clear_error(action: Any, says: str) -> None:
    with pytest.raises(ValueError) as caught:
        action()
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("hook", "answer", "says"),
    [
        ("threat_response", [1, 2], "threat_response returned [1, 2]; it must be a Threat or None"),
        ("move_ordering", None, "move_ordering returned None"),
        ("move_ordering", {0: "heavy"}, "'heavy', which is not a number"),
        ("exploration", "wide", "'wide', which is not a number"),
        ("playout_policy", "a1", "playout_policy returned 'a1', which is not a legal move here"),
    ],
)
def test_an_invalid_return_value_of_a_hook_names_the_hook(hook: str, answer: Any, says: str) -> None:
    game = Hex(size=3)
    with pytest.raises(ValueError) as caught:
        options: Any = {hook: lambda *given: answer}
        tesuji.MCTS(game, iterations=50, seed=1, prover="off", **options).analyse(game.start())
    assert says in str(caught.value)


class Repeating(dict[int, float]):
    """A mapping whose items repeat."""

    def items(self) -> Any:
        return [*super().items(), *super().items()]


@pytest.mark.parametrize("search", [tesuji.MCTS, tesuji.AlphaBeta])
def test_an_ordering_with_a_duplicate_move_is_refused(search: Any) -> None:
    game = Hex(size=3)
    with pytest.raises(ValueError, match="move_ordering gave 4 a weight twice"):
        search(game, move_ordering=lambda *given: Repeating({4: 2.0})).analyse(game.start())


@pytest.mark.parametrize("search", [tesuji.MCTS, tesuji.AlphaBeta])
def test_a_move_named_by_two_hooks_is_one_candidate(search: Any) -> None:
    game = Hex(size=3)
    hooks: dict[str, Any] = {
        "move_ordering": lambda state, player, moves: moves[:2] + moves[:2],
        "threat_response": lambda state, player: tesuji.Threat(moves=state.moves()[:2] * 2, urgent=True),
    }
    moves = [one.move for one in search(game, seed=1, **hooks).analyse(game.start()).candidates]
    assert sorted(moves) == list(range(9))


@pytest.mark.parametrize("game", [tesuji.game("gomoku:size=7"), TicTacToe()], ids=["gomoku", "tic-tac-toe"])
def test_a_policy_of_another_game_is_refused(game: Any) -> None:
    bot = tesuji.MCTS(game, iterations=50, playout_policy=HexPlayoutPolicy(0.5, 0.5))
    with pytest.raises(ValueError, match="a Hex position"):
        bot.analyse(game.start())


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda bot: bot.analyse(Hex().start()), "already searching"),
        (lambda bot: bot.reset(), "cancel it first"),
    ],
    ids=["analyse", "reset"],
)
def test_concurrent_use_of_one_bot_is_refused(act: Any, says: str) -> None:
    bot = tesuji.MCTS(Hex(), seconds=30, seed=1)
    with pytest.raises(ValueError, match=says):
        bot.analyse(Hex().start(), progress=lambda analysis: act(bot))


@pytest.mark.parametrize("players", [0, -1, 17])
def test_an_invalid_number_of_players_is_refused(players: int) -> None:
    with pytest.raises(ValueError, match=f"not {players}"):
        tesuji.MCTS(Rules(Nim(5), players))


def test_a_playout_policy_with_its_own_random_numbers_keeps_the_search_reproducible() -> None:
    def policy(state: Any, player: int, moves: list[int], rng: random.Random) -> int:
        rng.shuffle(moves)
        return rng.choices(moves, weights=range(1, len(moves) + 1))[0] if rng.random() < 0.5 else moves[0]

    game = ConnectFour()
    bots = [tesuji.MCTS(game, iterations=200, seed=9, playout_policy=policy) for _ in range(2)]
    first, second = (bot.analyse(game.start()).as_dict() | {"seconds": 0} for bot in bots)
    assert first == second


# Rules that surprise


class Pass:
    """Two positions and a pass between them, for ever: only the search can stop a playout here."""

    def __init__(self, player: int = 0) -> None:
        self.player = player

    def moves(self) -> list[str]:
        return ["pass", "other"]

    def play(self, move: str) -> Pass:
        return Pass(1 - self.player)

    def scores(self) -> None:
        return None

    def key(self) -> int:
        return self.player


def test_the_clock_stops_a_playout_that_never_ends() -> None:
    analysis = tesuji.MCTS(Rules(Pass()), seconds=0.2, seed=1).analyse(Pass())
    assert analysis.stopped == "seconds"
    assert analysis.iterations == 0


class OneList(Nim):
    """A state class whose moves() hands out one list for all positions."""

    shared: list[int] = []

    def moves(self) -> list[int]:
        self.shared[:] = super().moves()
        return self.shared


def test_changing_a_returned_list_of_moves_later_has_no_effect() -> None:
    assert tesuji.MCTS(Rules(OneList(9)), iterations=2000, seed=1).choose(OneList(9)) == 1


@pytest.mark.parametrize(
    ("method", "result", "says"),
    [
        ("moves", [1, True], "moves() lists True twice"),
        ("moves", 5, "moves() returned 5; it must be a sequence of moves"),
        ("scores", (0.75, 0.75), "the scores of two players must add up to 1"),
        ("scores", ("a", "b"), "each must be a number from 0 to 1"),
        ("scores", (1.0,), "the game has 2 players"),
        ("scores", {0: 1.0, 1: 0.0}, "scores() returned {0: 1.0, 1: 0.0}; it must be a sequence"),
        ("scores", {1.0, 0.0}, "it must be a sequence, player by player"),
        ("player", "first", "player is 'first'; it must be a whole number"),
        ("player", 2, "with 2 players it must be from 0 to 1"),
    ],
)
def test_invalid_return_values_of_rules_are_refused(method: str, result: Any, says: str) -> None:
    state = Nim(5)
    broken = type("Broken", (Nim,), {} if method == "player" else {method: lambda self: result})(5)
    if method == "player":
        object.__setattr__(broken, "player", result)
    with pytest.raises(ValueError) as caught:
        tesuji.MCTS(Rules(state), iterations=50, seed=1).analyse(broken)
    assert says in str(caught.value)


@pytest.mark.parametrize("weight", [1e-300, 1e300])
def test_weights_of_any_magnitude_become_priors_that_sum_to_one(weight: float) -> None:
    def ordering(state: Nim, player: int, moves: list[int]) -> dict[int, float]:
        return dict.fromkeys(moves, weight)

    bot = tesuji.MCTS(Rules(Nim(9)), iterations=50, seed=1, move_ordering=ordering)
    assert sum(candidate.prior for candidate in bot.analyse(Nim(9)).candidates) == pytest.approx(1)


@pytest.mark.parametrize(
    "spec",
    [
        "mcts",
        "mcts:iterations=100,rave=off,first_play=off,move_ordering=game",
        "mcts:knowledge=off,rave=off",
        "mcts:exploration=auto,threat_response=off",
    ],
)
def test_a_bot_round_trips_through_its_spec(spec: str) -> None:
    game = Hex(size=5)
    first = tesuji.bot(spec, game)
    again = tesuji.bot(tesuji.spec_of(first), game)
    assert isinstance(first, tesuji.MCTS) and isinstance(again, tesuji.MCTS)
    assert Spec.parse(tesuji.spec_of(first)).options == Spec.parse(spec).options
    assert first.options == again.options


def test_knowledge_off_and_a_hook_contradict_each_other() -> None:
    with pytest.raises(ValueError, match="knowledge=off .* move_ordering"):
        tesuji.MCTS(Hex(), knowledge="off", move_ordering=HexMoveOrdering())


@pytest.mark.parametrize("seed", range(3))
def test_a_stone_in_the_centre_is_swapped(seed: int) -> None:
    game = Hex(size=9, swap=True)
    state = game.start().play(40)
    assert tesuji.MCTS(game, iterations=10_000, seed=seed).choose(state) == 81
