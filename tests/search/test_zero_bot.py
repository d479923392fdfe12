"""The bot `zero`: options, threads and batches of its network, descriptions."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

import tesuji
from tests.learn.zero.nets import shaken_network
from tesuji.any_game import Game
from tesuji.search.zero import Zero

pytest.importorskip("torch")


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> str:
    from tesuji.models.weights import save_weights

    path = tmp_path_factory.mktemp("networks") / "gomoku9.safetensors"
    save_weights(*shaken_network("gomoku:size=9"), path)
    return str(path)


@pytest.fixture
def game() -> Game:
    return tesuji.game("gomoku:size=9")


def test_a_bot_by_spec_uses_its_visits_and_round_trips(net: str, game: Game) -> None:
    bot: Any = tesuji.bot(f"zero:net={net},visits=60,batch_size=8,seed=1", game)
    analysis = bot.analyse(game.start())
    assert (analysis.visits, analysis.stopped) == (60, "iterations")
    assert sum(candidate.visits for candidate in analysis.candidates) == 60
    assert sum(candidate.prior for candidate in analysis.candidates) == pytest.approx(1, abs=1e-3)
    assert tesuji.spec_of(bot) == f"zero:net={net},visits=60,batch_size=8,seed=1"
    assert repr(bot).endswith("seed=1)")


def test_the_default_budget_is_400_visits(net: str, game: Game) -> None:
    assert Zero(game, net=net, batch_size=64).analyse(game.start()).visits == 400


@pytest.mark.parametrize("threads", [1, pytest.param(3, marks=pytest.mark.threads)])
def test_the_seed_makes_a_search_repeatable_with_any_number_of_threads(
    net: str, game: Game, threads: int
) -> None:
    state = tesuji.replay(game, "e5 f6 d4")
    found = []
    for _ in range(2):
        bot = Zero(game, net=net, visits=80, seed=7, threads=threads, symmetries=True)
        found.append([(each.move, each.visits, each.value) for each in bot.analyse(state).candidates])
    assert found[0] == found[1]


@pytest.mark.threads
def test_with_threads_the_prover_waits_longer_unless_the_option_says_when(net: str, game: Game) -> None:
    state = tesuji.replay(game, "e5 f6 d4 c3 d6 f4")

    def visits(**options: Any) -> list[tuple[Any, int]]:
        found = Zero(game, net=net, visits=600, seed=1, threads=3, **options).analyse(state)
        return [(each.move, each.visits) for each in found.candidates]

    assert visits() == visits(proof_search_after=24) != visits(proof_search_after=8)


@pytest.mark.threads
def test_with_threads_the_prover_still_searches_the_root_in_hex() -> None:
    # The prover's own number of visits, the root only, must not overflow.
    game = tesuji.game("hex:size=11,swap=off")
    state = tesuji.replay(game, "f6 a1 f4 a2 f8 a3 f2 a4 f10 a5 e5 a6")
    for threads in (1, 2):
        assert Zero(game, visits=20, seed=1, threads=threads).analyse(state).proven == 1.0


@pytest.mark.threads
def test_several_threads_share_the_visits(net: str, game: Game) -> None:
    bot = Zero(game, net=net, visits=90, seed=1, threads=4)
    for moves in ("", "e5", "e5 f6"):  # with the tree of the last search
        analysis = bot.analyse(tesuji.replay(game, moves))
        assert analysis.iterations == 90
        assert sum(candidate.visits for candidate in analysis.candidates) == analysis.visits


def test_time_and_cancel_end_a_search(net: str, game: Game) -> None:
    bot = Zero(game, net=net, seconds=0.2)
    assert bot.analyse(game.start()).stopped == "seconds"
    bot = Zero(game, net=net, seconds=100)
    threading.Timer(0.2, bot.cancel).start()
    assert bot.analyse(game.start()).stopped == "cancelled"


def test_time_ends_a_search_without_network_evaluations(tmp_path: Path) -> None:
    """Without the solver, a tree whose every leaf is the end of a game is visited on and on."""
    from tesuji.models.weights import save_weights

    path = tmp_path / "hex3.safetensors"
    save_weights(*shaken_network("hex:size=3"), path)
    state = tesuji.replay("hex:size=3", "b2 a1 c1 a2 b1")
    analysis = Zero("hex:size=3", net=str(path), seconds=0.1, solver=False).analyse(state)
    assert analysis.stopped == "seconds"


def test_a_win_in_one_is_taken_whatever_the_network_thinks(net: str, game: Game) -> None:
    state = tesuji.replay(game, "e5 a1 e6 a2 e7 a3 e8 b1")
    several: list[Any] = [{}, {"prover": "off"}, {"proximity": "hard"}, {"proximity": "soft"}]
    for options in several:
        analysis = Zero(game, net=net, visits=200, seed=1, **options).analyse(state)
        assert state.play(analysis.move).scores() == (1.0, 0.0)
        assert analysis.proven == 1.0


def test_the_subtree_is_reused_for_the_next_move(net: str, game: Game) -> None:
    bot = Zero(game, net=net, visits=100, seed=1)
    state = game.start()
    for _ in range(2):
        state = state.play(bot.analyse(state).candidates[0].move)
    assert bot.analyse(state).visits > 100
    bot.reset()
    assert bot.analyse(state).visits == 100


def test_a_changed_network_file_is_loaded_again(tmp_path: Path, game: Game) -> None:
    from tesuji.models.weights import save_weights

    values = []
    for seed in (1, 2):
        network, description = shaken_network("gomoku:size=9", seed=seed)
        save_weights(network, description, tmp_path / "network.safetensors")
        bot = Zero(game, net=str(tmp_path / "network.safetensors"), visits=1, seed=1)
        values.append(bot.analyse(game.start()).candidates[0].prior)
    assert values[0] != values[1]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"net": "gomoku9"}, "there is no network 'gomoku9'"),
        ({"visits": 0}, "visits must be"),
        ({"vists": 10}, "unknown option 'vists' for zero; did you mean 'visits'?"),
    ],
)
def test_invalid_arguments_are_one_line_errors(options: dict[str, Any], says: str, game: Game) -> None:
    with pytest.raises(ValueError, match=says.replace("?", r"\?")):
        Zero(game, **options)


def test_a_game_without_a_bundled_network_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="no network comes with onitama"):
        Zero("onitama")
