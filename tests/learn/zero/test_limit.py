"""A run ends at its limit whatever it is doing: rules, training steps or ladder games that do not return."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tesuji
from examples.tic_tac_toe import TicTacToe, TicTacToeState
from tests import children
from tests.learn.zero.nets import SMALL_RUN, small_run
from tests.registered import registered
from tesuji import _core
from tesuji.learn.zero import checkpoint
from tesuji.learn.zero.boards import Boards
from tesuji.learn.zero.limit import Abandoned, Limit
from tesuji.learn.zero.metrics import read_metrics
from tesuji.learn.zero.window import Window
from tesuji.planes import planes_of
from tesuji.registry import games

pytest.importorskip("torch")

PATIENCE = 120.0
TIC_TAC_TOE = Path(__file__).parents[3] / "examples" / "tic_tac_toe.py"
STUCK = f"""
import runpy, threading, time, tesuji
made = runpy.run_path({str(TIC_TAC_TOE)!r})
State = made["TicTacToeState"]
began = None

class Stuck(State):
    __slots__ = ()
    def play(self, move):
        global began
        began = began or time.monotonic()
        if time.monotonic() > began + LIMIT:
            threading.Event().wait()
        after = State.play(self, move)
        return Stuck(after._last, after._next, after.player)

@tesuji.register_game("stuck")
class Game(made["TicTacToe"]):
    def start(self):
        return Stuck()

@tesuji.register_bot("asleep")
class Asleep:
    def __init__(self, game):
        pass
    def choose(self, state):
        threading.Event().wait()
"""


def learn(folder: Path, *words: str, after: float = 1e9) -> str:
    """The output of `tesuji learn zero stuck`, whose rules return for so many seconds in each process."""
    (folder / "stuck.py").write_text(STUCK.replace("LIMIT", str(after)))
    settings = [word for key, value in SMALL_RUN.items() for word in ("--set", f"{key}={value}")]
    command = [sys.executable, "-m", "tesuji", "learn", "zero", "stuck", "--load", "stuck.py", "--out", "run"]
    process = children.start(
        [*command, "--device", "cpu", *settings, *words], cwd=folder, stdout=-1, stderr=-2, text=True
    )
    output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, output
    return str(output)


def test_a_run_ends_at_its_deadline_though_the_rules_do_not_return(tmp_path: Path) -> None:
    assert "Stopped before the first checkpoint" in learn(tmp_path, "--for", "12s", after=0.05)


def test_what_was_played_before_stays_when_the_rules_do_not_return(tmp_path: Path) -> None:
    learn(tmp_path, "--for", "15s", "--set", "checkpoint_every=1", after=3)
    _, facts = checkpoint.load(tmp_path / "run")
    assert facts["games"] > 0
    assert facts["iteration"] == read_metrics(tmp_path / "run")[-1]["iteration"]


def test_workers_that_do_not_answer_are_left_behind_with_the_games_that_they_have_sent(
    tmp_path: Path,
) -> None:
    learn(tmp_path, "--for", "25s", "--on", "processes:workers=2", "--set", "positions=1e9", after=5)
    assert checkpoint.load(tmp_path / "run")[1]["games"] > 0


def test_a_ladder_whose_opponent_does_not_move_ends_with_the_run(tmp_path: Path) -> None:
    ladder = ("--set", "ladder=asleep", "--set", "ladder_games=2", "--set", "ladder_seconds=3")
    assert "no pair of games finished in time" in learn(tmp_path, "--for", "15s", *ladder)


def test_stopping_ends_a_ladder_whose_opponent_does_not_move(tmp_path: Path) -> None:
    from tesuji.learn.zero.train import Training

    given = {**SMALL_RUN, "ladder": "random", "ladder_games": "100000", "ladder_seconds": "off"}
    run = Training(tesuji.game("hex:size=3"), tmp_path, given=given, device="cpu")

    def stop() -> None:
        while not run._ladder.running:
            threading.Event().wait(0.01)
        run.stop()

    stopper = threading.Thread(target=stop, daemon=True)
    stopper.start()
    run.run(iterations=1)
    stopper.join()
    assert read_metrics(tmp_path)[-1]["ladder"]["random"]["games"] < 100_000


def test_training_steps_that_are_due_wait_for_the_next_run(tmp_path: Path) -> None:
    from tesuji.learn.zero.train import Training

    given = {
        **SMALL_RUN,
        "samples_per_position": "1000",
        "batch": "1024",
        "net": "resnet:blocks=4,channels=64",
    }
    run = Training(tesuji.game("hex:size=5"), tmp_path, given=given, device="cpu")

    def stop() -> None:
        while run.learner.step == 0:
            threading.Event().wait(0.01)
        run.stop()

    stopper = threading.Thread(target=stop, daemon=True)
    stopper.start()
    run.run()
    stopper.join()
    facts = checkpoint.load(tmp_path)[1]
    assert facts["step"] >= 1
    assert facts["owed"] > 1
    assert run.iteration == 1


def test_a_call_that_does_not_return_is_abandoned_and_the_next_one_runs_beside_it() -> None:
    limit, release = Limit(), threading.Event()
    limit.begin(0.01)
    with pytest.raises(Abandoned):
        limit.call(release.wait)
    assert limit.busy
    assert limit.call(len, "abc") == 3
    release.set()
    limit.begin(None)
    assert not limit.busy
    assert limit.left is None
    limit.stop()
    assert (limit.left, limit.reached, limit.stopped) == (0, True, True)


def test_an_error_in_a_call_reaches_the_caller() -> None:
    with pytest.raises(ZeroDivisionError):
        Limit().call(divmod, 1, 0)


def test_after_the_limit_at_least_one_result_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tesuji.learn.zero.limit.KEEP_SECONDS", -1.0)
    limit, kept = Limit(), list[int]()
    limit.stop()
    assert (limit.keep(kept.append, [1, 2, 3]), kept) == (1, [1])
    monkeypatch.undo()
    assert Limit().keep(kept.append, [4, 5]) == 2


class Told:
    """A network without opinion, which says when it is called."""

    def __init__(self, call: Any) -> None:
        self.call = call

    def __call__(self, planes: Any) -> Any:
        self.call()
        return np.zeros((len(planes), 16), np.float32), np.zeros(len(planes), np.float32)


def hex_games(seed: int, stops: list[int]) -> tuple[list[Any], list[int]]:
    """Games of self-play that is cancelled, by another thread too, after these numbers of evaluations."""
    game: Any = tesuji.game("hex:size=4")
    options = _core.SelfPlayOptions()
    options.games, options.threads, options.seed = 16, 2, seed
    options.visits, options.fast_visits = 12, 4
    search = _core.NetworkOptions()
    search.prior_weight = 1.25
    selfplay = _core.SelfPlay(
        [game.start().core],
        [1.0],
        planes_of(game).native,
        search,
        options,
        game.from_core,
        {},
    )
    calls, waiting, lengths = 0, list(stops), list[int]()

    def called() -> None:
        nonlocal calls
        calls += 1
        if waiting and calls >= waiting[0]:
            waiting.pop(0)
            selfplay.cancel()

    games: list[Any] = []
    while len(games) < 40:
        more = selfplay.run(Told(called), games=40 - len(games))
        lengths.append(len(more))
        games += more
        assert selfplay.counters()["games"] == len(games)
    return [(list(each.moves), list(each.scores)) for each in games], lengths


@pytest.mark.parametrize("seed", range(5))
def test_games_do_not_depend_on_when_self_play_was_stopped(seed: int) -> None:
    rng = np.random.default_rng(seed)
    whole, _ = hex_games(seed, [])
    parts, lengths = hex_games(seed, sorted(rng.integers(1, 200, 30).tolist()))
    assert len(lengths) > 10
    assert parts == whole


def test_the_games_of_a_run_that_was_cut_are_counted() -> None:
    for seed in range(40):
        hex_games(seed, list(range(40, 400, 40)))


@pytest.mark.parametrize("overlap", ["off", "on"])
def test_rules_are_called_where_they_can_be_left_behind(tmp_path: Path, overlap: str) -> None:
    from tesuji.learn.zero.train import Training

    called = set[threading.Thread]()

    class Watched(TicTacToeState):
        __slots__ = ()

        def play(self, move: int) -> Watched:
            called.add(threading.current_thread())
            after = super().play(move)
            return Watched(after._last, after._next, after.player)

    class Game(TicTacToe):
        def start(self) -> Watched:
            return Watched()

    given = {**SMALL_RUN, "checkpoint_every": "1", "overlap": overlap}
    with registered(games, watched=Game):
        game = tesuji.game("watched")
        run = Training(game, tmp_path / "run", given=given, device="cpu", store=tmp_path / "games.db")
        called.clear()
        run.run(iterations=3)
    assert called
    assert threading.main_thread() not in called


def shrink(window: Window) -> None:
    window.to_arrays()
    window.capacity = 900


def test_a_window_is_not_locked_while_rules_do_not_return(tmp_path: Path) -> None:
    reached, release = threading.Event(), threading.Event()

    class Slow(TicTacToeState):
        __slots__ = ()

        def play(self, move: int) -> Slow:
            if threading.current_thread() is not threading.main_thread():
                reached.set()
                release.wait()
            after = super().play(move)
            return Slow(after._last, after._next, after.player)

    class Game(TicTacToe):
        def start(self) -> Slow:
            return Slow()

    run = small_run("tictactoe", tmp_path)
    run.run(iterations=1)
    played = run.window.to_arrays()
    with registered(games, slow=Game):
        game = tesuji.game("slow")
        window = Window(Boards.parse(game, ""), planes_of(game), capacity=1000)
        window.add_arrays(played)
        for busy in (lambda: window.add_arrays(played), lambda: window.sample(8, seed=1, threads=1)):
            reached.clear()
            release.clear()
            thread = threading.Thread(target=busy, daemon=True)
            thread.start()
            reached.wait()
            reader = threading.Thread(target=shrink, args=(window,), daemon=True)
            reader.start()
            reader.join(30)
            free = not reader.is_alive()
            release.set()
            thread.join()
            assert free
