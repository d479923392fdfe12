"""Self-play: contents of the games, for any number of threads and concurrent games."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import tesuji
from examples.tic_tac_toe import TicTacToe
from tests.search.networks import Array, Network, even, opinionated, search_options
from tesuji import _core
from tesuji.games import Gomoku, Hex
from tesuji.games.gomoku import defend, solve
from tesuji.learn.zero.boards import Boards
from tesuji.learn.zero.window import decode_games, encode_games
from tesuji.planes import planes_of

GAME = Gomoku(size=7)
ROOTS = pytest.mark.parametrize("gumbel", [False, True], ids=["puct", "gumbel"])


def selfplay(
    game: Any = GAME, *, leaves: int = 1, solver: bool = True, hooks: Any = None, **given: Any
) -> _core.SelfPlay:
    options = _core.SelfPlayOptions()
    settings = {"games": 8, "threads": 0, "visits": 24, "fast_visits": 6, "seed": 1} | given
    for name, value in settings.items():
        setattr(options, name, value)
    planes = planes_of(game)
    search = search_options(leaves, solver=solver)
    start, wrap = game.start(), getattr(game, "from_core", None)
    return _core.SelfPlay(
        [getattr(start, "core", start)], [1.0], planes.native, search, options, wrap, hooks or {}
    )


def network_of(game: Any = GAME) -> Network:
    return opinionated(planes_of(game).policy_size)


def contents(games: list[_core.PlayedGame]) -> list[Any]:
    return [(game.moves, game.scores, game.opening, game.searched, game.resigned_by) for game in games]


@ROOTS
@pytest.mark.parametrize("leaves", [1, 4])
@pytest.mark.threads
def test_games_depend_on_the_seed_and_not_on_the_threads(gumbel: bool, leaves: int) -> None:
    played = [
        contents(selfplay(threads=threads, gumbel=gumbel, leaves=leaves).run(network_of(), games=12))
        for threads in (0, 1, 3)
    ]
    assert played[0] == played[1] == played[2]
    other = contents(selfplay(gumbel=gumbel, leaves=leaves, seed=2).run(network_of(), games=12))
    assert other != played[0]


def test_a_run_in_pieces_plays_the_same_games() -> None:
    whole = contents(selfplay().run(network_of(), games=12))
    pieces = selfplay()
    network = network_of()
    found: list[Any] = []
    while len(found) < 12:
        found += contents(pieces.run(network, games=1))
    assert found[:12] == whole[:12]


@ROOTS
@pytest.mark.parametrize("game", [GAME, Hex(size=5, swap=True), TicTacToe()], ids=["gomoku", "hex", "python"])
def test_games_are_legal_and_have_their_results(game: Any, gumbel: bool) -> None:
    planes = planes_of(game)
    options: dict[str, Any] = {"gumbel": gumbel, "opening_plies": 2, "policy_plies": 2}
    games = selfplay(game, **options).run(network_of(game), games=12)
    assert len({game.opening for game in games}) > 2
    for played in games:
        state = game.start()
        assert 0 <= played.opening <= 4
        assert len(played.searched) == len(played.moves) - played.opening
        for ply, number in enumerate(played.moves):
            numbers = {planes.number(move): move for move in state.moves()}
            if ply >= played.opening:
                value, surprise, full, target = played.searched[ply - played.opening]
                assert 0 <= value <= 1
                assert surprise >= -1e-5
                legal = {planes.index(state, move) for move in state.moves()}
                assert set(target) <= legal
                assert sum(target.values()) == pytest.approx(1.0 if full else 0.0, abs=1e-4)
            state = state.play(numbers[number])
        assert state.scores() == tuple(played.scores[:2])


@ROOTS
def test_restored_games_keep_their_opening(gumbel: bool) -> None:
    """A move drawn from the policy after the first search would shift every target by one position."""
    options: dict[str, Any] = {"gumbel": gumbel, "policy_plies": 6, "full_share": 1.0, "noise": 0.0}
    network = network_of()
    one = selfplay(**options)
    one.run(network, positions=100)
    begun = {tuple(game.moves): game.opening for game in one.in_progress() if game.searched}
    other = selfplay(seed=2, **options)
    other.adopt(one.in_progress())
    planes, met = planes_of(GAME), 0
    for game in other.run(network, games=60):
        for length in range(len(game.moves)):
            met += (opening := begun.get(tuple(game.moves[:length]))) is not None
            assert opening in (None, game.opening)
        state = tesuji.replay(GAME, game.moves[: game.opening])
        for move, (_, _, _, target) in zip(game.moves[game.opening :], game.searched, strict=True):
            assert set(target) <= {planes.index(state, legal) for legal in state.moves()}
            state = state.play(move)
    assert met > 3


def test_the_counters_add_up() -> None:
    one = selfplay(reuse=False, solver=False, full_share=0.3, visits=20, fast_visits=5)
    games = one.run(network_of(), games=20)
    counters: Any = one.counters()
    assert counters["games"] == len(games) == 20 or counters["games"] > 20
    assert counters["simulations"] == 20 * counters["full"] + 5 * (counters["plies"] - counters["full"])
    assert 0.2 < counters["full"] / counters["plies"] < 0.4
    assert counters["plies"] >= sum(len(game.searched) for game in games)
    # A board of seven by seven has no cell far from a stone in its middle, but many early ones are.
    assert 0 < counters["distant"] < counters["placed"] < counters["plies"]
    assert 0 < counters["border"] < counters["placed"]


def test_moves_on_the_border_are_counted_on_boards_smaller_than_the_planes() -> None:
    planes, small = planes_of(Gomoku(size=9)), Gomoku(size=5)
    options = _core.SelfPlayOptions()
    options.games, options.threads, options.visits, options.seed = 8, 0, 8, 1
    search = search_options(1, solver=True)
    one = _core.SelfPlay([small.start().core], [1.0], planes.native, search, options, small.from_core, {})
    one.run(opinionated(planes.policy_size), games=20)
    counters: Any = one.counters()
    # 16 of the 25 cells are on the border, and none is more than two from the middle.
    assert 0.5 < counters["border"] / counters["placed"] < 0.75
    assert counters["distant"] < 0.2 * counters["placed"]


def test_targets_are_the_raw_shares_of_the_visits() -> None:
    options: dict[str, Any] = {"reuse": False, "solver": False, "full_share": 1.0, "temperature": 0.3}
    for game in selfplay(**options).run(network_of(), games=8):
        for _, _, full, target in game.searched:
            visits = np.array(list(target.values())) * 24
            assert full
            assert np.allclose(visits, visits.round(), atol=1e-3)


def test_without_temperature_and_noise_the_most_visited_move_is_played() -> None:
    options: dict[str, Any] = {"temperature": 0.0, "last_temperature": 0.0, "noise": 0.0, "full_share": 1.0}
    planes = planes_of(GAME)
    for game in selfplay(solver=False, **options).run(network_of(), games=6):
        state = GAME.start()
        for move, (_, _, _, target) in zip(game.moves, game.searched, strict=True):
            assert target[planes.index(state, move)] == max(target.values())
            state = state.play(move)


def test_temperature_and_noise_make_games_differ() -> None:
    calm: dict[str, Any] = {"temperature": 0.0, "last_temperature": 0.0, "noise": 0.0, "symmetries": False}
    assert len({tuple(game.moves) for game in selfplay(**calm).run(even(49), games=8)}) == 1
    assert len({tuple(game.moves) for game in selfplay().run(even(49), games=8)}) == 8


@ROOTS
def test_a_certain_win_is_the_only_target(gumbel: bool) -> None:
    """Four in a row, and Black to move: the search finds five at either end."""
    position = tesuji.replay(GAME, "b4 b1 c4 c1 d4 d1 e4 g7")
    options = _core.SelfPlayOptions()
    options.visits = 1000  # enough to try every move, without a prover and with random priors
    options.games, options.threads, options.full_share, options.gumbel = 2, 0, 1.0, gumbel
    native = planes_of(GAME).native
    one = _core.SelfPlay([position.core], [1.0], native, search_options(), options, GAME.from_core, {})
    for game in one.run(network_of(), games=2):
        assert len(game.moves) == 1
        assert game.searched[0][0] == 1.0
        assert game.searched[0][3] == {game.moves[0]: 1.0}
        assert tuple(game.scores[:2]) == (1.0, 0.0)


def test_lost_games_are_resigned_except_for_a_control_sample() -> None:
    def black_is_lost(planes: Array) -> tuple[Array, Array]:
        black = planes[:, planes_of(GAME).names.index("black")].max(axis=(1, 2)) > 0
        value = np.where(black, -5.0, 5.0).astype(np.float32)
        return np.zeros((len(planes), 49), np.float32), value

    giving_up = selfplay(resign=0.05, resign_moves=2, resign_control=0.0, opening_plies=0, solver=False)
    for game in giving_up.run(black_is_lost, games=8):
        assert game.resigned_by == 0
        assert tuple(game.scores[:2]) == (0.0, 1.0)
        assert len(game.moves) == 3  # Black's second move
    assert giving_up.counters()["resigned"] >= 8

    control = selfplay(resign=0.05, resign_moves=2, resign_control=1.0)
    games = control.run(black_is_lost, games=16)
    counters: Any = control.counters()
    assert all(game.resigned_by == -1 for game in games)
    assert counters["resigned"] == 0
    assert counters["control"] > 0
    assert counters["control_wrong"] <= counters["control"]


def test_gumbel_targets_prefer_moves_of_higher_value() -> None:
    """A network that likes all moves alike, and knows which side of the board is good for whom."""

    def left_is_good(planes: Array) -> tuple[Array, Array]:
        names = planes_of(GAME).names
        own, other = planes[:, names.index("own")], planes[:, names.index("other")]
        value = (own[:, :, :3].sum(axis=(1, 2)) - other[:, :, :3].sum(axis=(1, 2))).astype(np.float32)
        return np.zeros((len(planes), 49), np.float32), value

    one = selfplay(gumbel=True, full_share=1.0, visits=32, solver=False, symmetries=False)
    left = [
        sum(share for index, share in game.searched[0][3].items() if index % 7 < 3)
        for game in one.run(left_is_good, games=8)
    ]
    assert min(left) > 3 / 7 + 0.05


def test_an_error_in_the_network_ends_the_run_and_the_next_run_continues() -> None:
    one = selfplay()
    calls = 0

    def network(planes: Array) -> tuple[Array, Array]:
        nonlocal calls
        calls += 1
        if calls == 30:
            raise RuntimeError("out of order")
        return even(49)(planes)

    with pytest.raises(RuntimeError, match="out of order"):
        one.run(network, games=1000)
    games = one.run(network, games=10)
    assert len(games) >= 10
    for game in games:
        assert tesuji.replay(GAME, game.moves).scores() == tuple(game.scores[:2])


@pytest.mark.threads
def test_another_thread_can_end_a_run() -> None:
    one = selfplay(threads=2)
    begun = threading.Event()

    def network(planes: Array) -> tuple[Array, Array]:
        begun.set()
        return even(49)(planes)

    def end() -> None:
        begun.wait()
        one.cancel()

    threading.Thread(target=end).start()
    one.run(network, games=10**9)


def test_the_caller_may_provide_the_arrays_for_the_planes() -> None:
    one = selfplay()
    arrays = [np.zeros((one.batch_size, *planes_of(GAME).shape), np.float32) for _ in range(2)]
    one.use_arrays(*arrays)
    seen: set[int] = set()

    def network(planes: Array) -> tuple[Array, Array]:
        seen.add(id(planes))
        return even(49)(planes)

    assert contents(one.run(network, games=10)) == contents(selfplay().run(even(49), games=10))
    assert seen == {id(array) for array in arrays}
    with pytest.raises(ValueError, match="4 × 17 × 7 × 7"):
        one.use_arrays(arrays[0], np.zeros((3, 17, 7, 7), np.float32))


def test_a_run_needs_a_limit() -> None:
    with pytest.raises(ValueError, match="seconds, games or positions"):
        selfplay().run(even(49))


@pytest.mark.parametrize("hard", [False, True])
def test_proximity_keeps_stones_together(hard: bool) -> None:
    native: Any = GAME.knowledge.proximity
    shares = []
    for hooks in ({}, {"proximity": getattr(native, "native", native)}):
        options = _core.SelfPlayOptions()
        options.games, options.threads, options.visits, options.fast_visits = 8, 0, 16, 16
        game = Gomoku(size=11)
        search = search_options(hard_proximity=hard)
        one = _core.SelfPlay(
            [game.start().core], [1.0], planes_of(game).native, search, options, game.from_core, hooks
        )
        one.run(even(121), games=8)
        counters: Any = one.counters()
        shares.append(counters["distant"] / counters["placed"])
    assert shares[1] < shares[0] / 2


@ROOTS
def test_the_prover_finds_wins_by_fours(gumbel: bool) -> None:
    """Two threes, each stopped at one end, cross where a stone makes two fours."""
    game = Gomoku(size=15)
    position: Any = tesuji.replay(game, "f6 e6 g6 a1 h6 a15 i7 i10 i8 o1 i9 o15")
    assert position.player == 0
    options = _core.SelfPlayOptions()
    options.games, options.threads, options.full_share, options.gumbel = 2, 0, 1.0, gumbel
    hooks = {"prover": game.knowledge.prover.native}
    native = planes_of(game).native
    one = _core.SelfPlay([position.core], [1.0], native, search_options(), options, game.from_core, hooks)
    for played in one.run(even(225), games=2):
        value, _, full, target = played.searched[0]
        assert (value, full) == (1.0, True)
        assert target == {played.moves[0]: 1.0}
        assert tuple(played.scores[:2]) == (1.0, 0.0)
        assert len(played.moves) == 3


@ROOTS
def test_in_a_proven_loss_the_policy_is_its_own_target(gumbel: bool) -> None:
    """Black has an open four: White's moves all lose, and visits say nothing of them."""
    position: Any = tesuji.replay(GAME, "b4 a1 c4 g1 d4 a7 e4")
    options = _core.SelfPlayOptions()
    options.games, options.threads, options.full_share, options.gumbel = 2, 0, 1.0, gumbel
    options.symmetries = False
    hooks = {"prover": GAME.knowledge.prover.native}
    planes = planes_of(GAME)
    network = network_of()
    one = _core.SelfPlay(
        [position.core], [1.0], planes.native, search_options(), options, GAME.from_core, hooks
    )
    logits = network(planes(position)[None])[0][0]
    likes = {planes.index(position, move): float(np.exp(logits[move])) for move in position.moves()}
    for played in one.run(network, games=2):
        value, surprise, full, target = played.searched[0]
        assert (value, full) == (0.0, True)
        assert surprise == pytest.approx(0.0, abs=1e-4)
        for index, share in target.items():
            assert share == pytest.approx(likes[index] / sum(likes.values()), rel=1e-3)
        assert likes[played.moves[0]] == pytest.approx(max(likes.values()), rel=1e-5)
        assert tuple(played.scores[:2]) == (1.0, 0.0)
        assert len(played.moves) == 2


@ROOTS
def test_threats_of_the_opponent_are_known_before_the_search(gumbel: bool) -> None:
    """What does not stop a win by fours is no target, a forced reply is not searched, and a loss is known."""
    game = Gomoku(size=9)
    hooks = {"prover": game.knowledge.prover.native}
    one = selfplay(game, hooks=hooks, gumbel=gumbel, full_share=1.0, resign=0.0)
    found = dict.fromkeys(("forced", "lost", "open"), 0)
    for played in one.run(network_of(game), games=40):
        state: Any = game.start()
        for move, (value, _, full, target) in zip(played.moves, played.searched, strict=True):
            defence = defend(state, nodes=300)
            if defence.threat == "won" and not solve(state, nodes=300).won:
                holding = set(defence.moves)
                kind = "lost" if not holding else "forced" if len(holding) == 1 else "open"
                found[kind] += 1
                if kind == "lost":
                    assert value == 0.0
                elif value > 0.0:  # else the search has refuted all of them
                    assert move in holding and target.keys() <= holding
                    assert kind == "open" or not full
            state = state.play(move)
    assert min(found.values()) > 5


def with_prover(position: Any, **given: Any) -> _core.SelfPlay:
    """Self-play from one position, as in training: quick sessions of the prover, and no studies."""
    options = _core.SelfPlayOptions()
    settings = {"games": 2, "threads": 0, "full_share": 1.0, "visits": 17, "symmetries": False} | given
    for name, value in settings.items():
        setattr(options, name, value)
    game = position.game
    hooks = {"prover": game.knowledge.prover.native}
    search = search_options(evaluations_at_once=64, proof_search_after=0)
    return _core.SelfPlay(
        [position.core], [1.0], planes_of(game).native, search, options, game.from_core, hooks
    )


@ROOTS
def test_a_win_by_threes_is_an_exact_target_with_proof_effort(gumbel: bool) -> None:
    """A double open three wins, but not by fours alone."""
    position: Any = tesuji.replay("gomoku", "h8 a1 i8 o15 g9 a15 g10 o1")
    first = solve(position, "vct").line[0]
    for effort, known in ((0, False), (64, True)):
        one = with_prover(position, gumbel=gumbel, proof_effort=effort)
        played = one.run(even(225), games=2)[0]
        value, _, _, target = played.searched[0]
        assert (value == 1.0) is known
        assert (target == {first: 1.0}) is known
        if known:
            assert tuple(played.scores[:2]) == (1.0, 0.0)
            assert one.counters()["evaluations"] < one.counters()["plies"] * 17 / 2


@ROOTS
def test_moves_that_lose_to_threes_are_neither_played_nor_targets_with_proof_effort(gumbel: bool) -> None:
    """Only f8 and g8 hold; the network likes the edge better."""
    position: Any = tesuji.replay("gomoku", "h8 h9 i8 i9 g9 j10 g10")
    liked = [position.parse(text) for text in ("o1", "n1", "m1")]

    def likes_the_edge(planes: Array) -> tuple[Array, Array]:
        policy = np.zeros((len(planes), 225), np.float32)
        policy[:, liked] = 9.0
        policy[:, position.parse("g8")] = 7.0
        return policy, np.zeros(len(planes), np.float32)

    for effort, careful in ((0, False), (64, True)):
        one = with_prover(position, gumbel=gumbel, proof_effort=effort, noise=0.0)
        for played in one.run(likes_the_edge, games=2):
            assert (played.moves[0] in liked) is not careful
            assert (position.text(played.moves[0]) in ("f8", "g8")) is careful
            assert (sum(played.searched[0][3].get(move, 0.0) for move in liked) < 0.01) is careful
        assert (one.counters()["refuted"] > 2) is careful


@pytest.mark.threads
def test_games_with_proof_effort_do_not_depend_on_the_threads() -> None:
    """The threads' solvers are shared by all games."""
    start: Any = Gomoku(size=9).start()
    options: dict[str, Any] = {"gumbel": True, "proof_effort": 64, "balance": 4.0, "opening_plies": 4}
    played = []
    for threads in (0, 3):
        one = with_prover(start, threads=threads, games=8, full_share=0.5, **options)
        played.append(contents(one.run(network_of(start.game), games=12)))
        counters: Any = one.counters()
        assert min(counters["proven"], counters["refuted"]) > 0
    assert played[0] == played[1]


DEALT = "onitama:set=all"


@pytest.mark.threads
def test_every_game_is_dealt_anew_from_the_seed_of_the_run() -> None:
    game = tesuji.game(DEALT)
    options: dict[str, Any] = {"gumbel": True, "opening_plies": 2, "policy_plies": 2}

    def games(**more: Any) -> list[_core.PlayedGame]:
        return selfplay(game, **options, **more).run(network_of(game), games=24)

    played = games()
    for threads in (1, 3):
        again = games(threads=threads)
        assert contents(again) == contents(played)
        assert [each.deal for each in again] == [each.deal for each in played]
    assert len({each.deal for each in played}) == 24
    assert {each.deal for each in games(seed=2)}.isdisjoint(each.deal for each in played)
    cards = {tuple(_core.onitama_deal(each.deal, 0, 32)) for each in played}
    assert len(cards) == 24 and {card for deal in cards for card in deal} > set(range(20))


def test_a_dealt_game_is_replayed_from_the_seed_of_its_deal() -> None:
    game: Any = tesuji.game(DEALT)
    planes = planes_of(game)
    for played in selfplay(game, opening_plies=2, balance=1.0).run(network_of(game), games=12):
        state = game.start(seed=played.deal)
        for ply, move in enumerate(played.moves):
            targets = played.searched[ply - played.opening][3] if ply >= played.opening else {}
            assert set(targets) <= {planes.index(state, each) for each in state.moves()}
            state = state.play(move)
        assert played.resigned_by >= 0 or state.scores() == played.scores


def test_games_in_progress_keep_their_deals() -> None:
    game = tesuji.game(DEALT)
    one, other = (selfplay(game, seed=seed) for seed in (1, 2))
    one.run(network_of(game), games=4)
    boards, planes = Boards.of(game), planes_of(game)
    unfinished = decode_games(boards, planes, encode_games(boards, planes, one.in_progress()))
    assert [each.deal for each in unfinished] == [each.deal for each in one.in_progress()]
    other.adopt(unfinished)
    deals = {each.deal for each in unfinished}
    assert deals <= {each.deal for each in other.run(network_of(game), games=60)}


def test_a_game_that_names_its_cards_is_not_dealt_anew() -> None:
    game = tesuji.game("onitama:cards=ox-boar-horse-elephant-crab")
    assert {each.deal for each in selfplay(game).run(network_of(game), games=8)} == {0}
