"""One game: reproducible everywhere; a bot that fails loses only this game."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from tests.scale.jobs import run
from tesuji.any_game import game
from tesuji.arena.playing import CACHED_BOTS, GameBots, Task, lost_record, play
from tesuji.records import Record, verify
from tesuji.scale import ExecutorError
from tesuji.scale.child_process import WorkerError
from tesuji.scale.processes import NOBODY, TaskLost

pytestmark = pytest.mark.usefixtures("users")

ILLEGAL = ["none", "string", "list", "nan"]


def same(record: Record) -> Record:
    """A record without its times."""
    notes = tuple(note and note._replace(seconds=0.0) for note in record.notes)
    return replace(record, when=Record(game="", players=()).when.min, notes=notes)


def hex_task(*players: str, **changes: object) -> Task:
    return replace(Task(game="hex:size=3", players=players, seed=5), **changes)  # type: ignore[arg-type]


TASKS = [
    Task(
        game="hex:size=4",
        players=("mcts:iterations=50", "random"),
        seed=seed,
        rotation=rotation,
        opening=("b2",),
    )
    for seed in (1, 2)
    for rotation in (0, 1)
] + [
    Task(game="hex:size=4", players=("mcts:iterations=50,seed=3", "random:seed=8"), seed=seed)
    for seed in (1, 2)
]


def test_a_game_is_the_same_here_and_in_any_worker_after_any_other_game() -> None:
    here = [same(play(task)) for task in TASKS]
    assert [same(play(task)) for task in reversed(TASKS)] == here[::-1]
    there = dict(run(play, iter(TASKS[::-1]), workers=2))
    assert [same(there[task]) for task in TASKS] == here
    assert len({record.moves for record in here[:4]}) == 4


def test_a_game_with_a_deal_and_chance_is_reproducible_and_verified() -> None:
    tasks = [
        Task(game="trick", players=("random", "last", "first"), seed=seed, rotation=seed) for seed in range(4)
    ]
    for task in tasks:
        record = play(task)
        assert same(record) == same(play(task))
        verify(record)
        assert record.ending == "played"
        assert sum(record.scores or ()) == pytest.approx(1)
        assert [note is None for note in record.notes] == [move in ("high", "low") for move in record.moves]


def test_the_record_has_a_note_for_each_move_of_a_bot() -> None:
    record = play(Task(game="hex:size=3", players=("mcts:iterations=40", "first"), seed=1, opening=("a1",)))
    verify(record)
    assert record.opening == 1
    assert record.notes[0] is None
    for ply, note in enumerate(record.notes[1:], 1):
        assert note is not None
        assert note.player == ply % 2
        assert (note.visits is not None) == (note.player == 0 and ply < 8)
        assert note.value is None or 0 <= note.value <= 1


def test_chance_moves_are_the_same_in_all_rotations_of_a_deal() -> None:
    throws = set()
    for rotation in (0, 1, 2):
        record = play(Task(game="trick", players=("random", "first", "last"), seed=11, rotation=rotation))
        throws.add(tuple(move for move in record.moves if move in ("high", "low")))
    assert len(throws) == 1


@pytest.mark.parametrize("how", ILLEGAL)
def test_an_illegal_move_loses_the_game_and_is_named(how: str) -> None:
    record = play(hex_task("first", f"faulty:how={how}"))
    verify(record)
    assert (record.ending, record.scores, len(record.moves)) == ("illegal", (1.0, 0.0), 3)
    assert record.fault.startswith(f"faulty:how={how}: played ")
    assert record.fault.endswith(", which is not legal")


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("raise", r"LookupError: lost my way \?"),
        ("wordless", "Wordless"),
        ("exit", "SystemExit: 3"),
        ("unprintable", "RuntimeError: no picture of me"),
        ("quarrelsome", "RuntimeError: nothing is like me"),
        ("close", "LookupError: lost my way .*"),
    ],
)
def test_a_bot_that_raises_loses_the_game_and_its_error_is_kept_in_one_line(how: str, message: str) -> None:
    record = play(hex_task("last", f"faulty:how={how}", opening=("a1",)))
    assert (record.ending, record.scores, len(record.moves)) == ("crashed", (1.0, 0.0), 3)
    verify(record)
    assert re.fullmatch(f"faulty:how={how}: {message}", record.fault)


def test_a_bot_that_resigns_loses_without_a_fault() -> None:
    record = play(hex_task("faulty:how=resign,after=0", "first"))
    assert (record.ending, record.scores, record.fault, record.moves) == ("resigned", (0.0, 1.0), "", ())


def test_with_more_than_two_players_the_others_share_what_the_faulty_bot_loses() -> None:
    record = play(Task(game="trick", players=("first", "faulty", "last"), seed=1))
    assert record.scores == (0.5, 0.0, 0.5)
    verify(record)


def test_a_bot_that_cannot_be_created_loses_the_game() -> None:
    record = play(hex_task("first", "mcts:iterations=0"))
    assert (record.ending, record.scores) == ("crashed", (1.0, 0.0))
    assert "iterations must be" in record.fault


def events(path: Path) -> list[str]:
    return [line.split()[1] for line in path.read_text().splitlines()]


def test_a_bot_without_a_seed_is_reused_and_reset_before_each_game(tmp_path: Path) -> None:
    log = tmp_path / "log"
    for seed in (1, 2, 3):
        play(hex_task(f'first:log="{log}"', "last", seed=seed))
    assert events(log) == ["made", "reset", "reset", "reset"]


def test_a_few_bots_are_cached_and_the_others_closed(tmp_path: Path) -> None:
    logs = [tmp_path / str(number) for number in range(CACHED_BOTS + 2)]
    for log in logs:
        play(hex_task(f'first:log="{log}"', "last"))
    closed = ["closed" in events(log) for log in logs]
    assert closed[0] and not closed[-1]
    assert closed == sorted(closed, reverse=True)  # who has waited longest goes first


def test_bots_are_cached_under_the_lock() -> None:
    rules = game("hex:size=3")
    task = hex_task("first:log=/dev/null", "last")
    players = GameBots(rules, task)
    players.choose(0, rules.start())
    ending = threading.Thread(target=players.__exit__, args=(None, None, None), daemon=True)
    with GameBots._cache_lock:
        before = list(GameBots._cache)
        ending.start()
        ending.join(0.5)
        assert ending.is_alive()
        assert GameBots._cache == before
    ending.join(60)
    assert [key for key, _ in GameBots._cache if key[1] == task.players[0]]


def test_cached_bots_are_closed_when_the_worker_exits(users: Callable[[], object], tmp_path: Path) -> None:
    log = tmp_path / "log"
    list(run(play, iter([hex_task(f'first:log="{log}"', "last")]), setup=users))
    assert events(log) == ["made", "reset", "closed"]


def test_a_game_keeps_its_result_if_a_bot_dies_while_being_closed(
    users: Callable[[], object],
) -> None:
    task = hex_task("sore_loser", "last")
    [(_, lost)] = run(play, iter([task]), setup=users)
    assert isinstance(lost, TaskLost)
    record = lost_record(task, lost)
    verify(record)
    assert record.ending == "played"
    assert record.fault == "after the game: its process ended with exit code 5"


@pytest.mark.parametrize("seed", ["", ",seed=4"])
def test_a_bot_with_a_seed_is_created_for_each_game_and_closed_after_it(tmp_path: Path, seed: str) -> None:
    log = tmp_path / "log"
    for number in (1, 2):
        play(hex_task(f'lucky:log="{log}"{seed}', "last", seed=number))
    assert events(log) == ["made", "closed"] * 2


def test_the_same_bot_in_both_seats_is_two_bots(tmp_path: Path) -> None:
    log = tmp_path / "log"
    play(hex_task(*[f'first:log="{log}"'] * 2))
    assert events(log) == ["made", "reset"] * 2


def test_a_bot_that_failed_is_closed_and_the_next_game_has_a_fresh_one(tmp_path: Path) -> None:
    log, once = tmp_path / "log", tmp_path / "once"
    bot = f'faulty:how=raise,once="{once}",log="{log}"'
    assert [play(hex_task(bot, "last", seed=seed)).ending for seed in (1, 2)] == ["crashed", "played"]
    assert events(log) == ["made", "reset", "closed", "made", "reset"]


def test_a_bot_that_fails_at_reset_is_closed_too(tmp_path: Path) -> None:
    log, once = tmp_path / "log", tmp_path / "once"
    bot = f'faulty:how=reset,once="{once}",log="{log}"'
    assert [play(hex_task(bot, "last", seed=seed)).ending for seed in (1, 2)] == ["crashed", "played"]
    assert events(log) == ["made", "reset", "closed", "made", "reset"]


@pytest.mark.parametrize("value", ["nan", "inf", "0.25"])
def test_values_that_are_not_finite_are_left_out(value: str) -> None:
    record = play(hex_task(f"thinker:value={value}", "last"))
    assert record.ending == "played"
    assert record.notes[0] is not None
    assert record.notes[0].value == (0.25 if value == "0.25" else None)
    assert (record.notes[0].visits, type(record.notes[0].visits)) == (7, int)


def test_only_a_move_limit_makes_a_draw_of_a_long_game() -> None:
    long = Task(game="shuffle", players=("first", "last"), seed=1, opening=("left",), move_limit=50)
    record = play(long)
    assert (record.ending, record.scores, len(record.moves)) == ("limit", (0.5, 0.5), 50)
    assert play(hex_task("first", "last", move_limit=9)).ending == "played"
    assert play(Task(game="trick", players=("first",) * 3, seed=1, move_limit=2)).scores == (1 / 3,) * 3


@pytest.mark.parametrize("how", ["play", "moves", "scores"])
@pytest.mark.parametrize("bot", ["first", "random", "mcts:iterations=10"])
def test_an_error_in_the_rules_is_no_bots_fault(how: str, bot: str) -> None:
    with pytest.raises(KeyError, match="the rules are wrong"):
        play(Task(game=f"broken:how={how}", players=(bot, bot), seed=1))


def test_an_error_in_the_rules_in_a_worker_keeps_its_traceback(users: Callable[[], object]) -> None:
    task = Task(game="broken:how=play", players=("first", "last"), seed=1)
    with pytest.raises(WorkerError, match=r"(?s)users\.py.*in _may_fail.*the rules are wrong"):
        list(run(play, iter([task]), setup=users))


def test_a_process_that_dies_in_the_rules_is_no_bots_fault(users: Callable[[], object]) -> None:
    task = Task(game="broken:how=die", players=("first", "last"), seed=1)
    [(_, outcome)] = run(play, iter([task]), setup=users)
    assert isinstance(outcome, TaskLost)
    assert outcome.who == NOBODY
    with pytest.raises(ExecutorError, match="exit code 9"):
        lost_record(task, outcome)


def test_a_bot_that_kills_its_process_loses_only_its_game(
    users: Callable[[], object], tmp_path: Path
) -> None:
    message = {
        "leave": "its process ended with exit code 4",
        "hang": "no answer within 2 s",
    }
    tasks = [
        hex_task(
            "last", f'faulty:how={how},once="{tmp_path / how}"', seed=seed, opening=("b2",), rotation=seed
        )
        for how in message
        for seed in (1, 2)
    ]
    outcomes = dict(run(play, iter(tasks), workers=1, patience=2, setup=users))
    for task, (how, detail) in zip(tasks[::2], message.items(), strict=True):
        lost = outcomes[task]
        assert isinstance(lost, TaskLost)
        record = lost_record(task, lost)
        verify(record)
        assert (record.leg, record.seed, record.opening, record.players) == (1, 1, 1, task.players)
        assert len(record.moves) == 3
        assert (record.ending, record.scores) == ("hung" if how == "hang" else "crashed", (1.0, 0.0))
        assert record.fault == f"{task.players[1]}: {detail}"
    for task in tasks[1::2]:
        record = outcomes[task]
        assert record.ending == "played"
        assert same(record) == same(play(task))


def slowly(setup: Callable[[], object]) -> None:
    time.sleep(1.5)
    setup()


def test_patience_does_not_cover_the_start_of_a_process(users: Callable[[], object]) -> None:
    outcomes = dict(run(play, iter([hex_task("first", "last")]), patience=1, setup=partial(slowly, users)))
    assert [type(outcome) for outcome in outcomes.values()] == [Record]


def test_a_very_long_lost_game_keeps_its_first_moves(users: Callable[[], object]) -> None:
    task = Task(game="shuffle:longest=300", players=("first", "faulty:how=leave,after=3000"), seed=1)
    [(_, lost)] = run(play, iter([task]), setup=users)
    assert isinstance(lost, TaskLost)
    record = lost_record(task, lost)
    assert 100 < len(record.moves) < 6000
    verify(record)


def test_the_output_of_a_bot_is_not_mixed_with_ours(
    users: Callable[[], object], capfd: pytest.CaptureFixture[str]
) -> None:
    list(run(play, iter([hex_task("talker", "last")]), setup=users))
    printed, complained = capfd.readouterr()
    assert (printed, "time to move" in complained) == ("", True)
