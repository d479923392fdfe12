"""Play one game between bots: from a task to a record. A bot that fails loses the game.

All randomness derives from the task: chance moves and the deal from its seed, each bot's seed from the seed,
the rotation of the seats and the seat. So a game is reproducible on any machine, as long as the bots' budgets
are in iterations, not seconds.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import math
import random
import threading
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, NamedTuple, Self

from tesuji._helpers.seeds import derived_seed
from tesuji.any_game import game
from tesuji.arena.time_control import GameClock, TimeControl
from tesuji.bots import RESIGN
from tesuji.engines.timed import TimedBot
from tesuji.full_game import FullGame, FullState, Move
from tesuji.records import Note, Record
from tesuji.records.game_in_progress import GameInProgress
from tesuji.records.record import LOST_ON_TIME, Ending, ignored_lines, loss_scores
from tesuji.registry import bots
from tesuji.scale import ExecutorError
from tesuji.scale.processes import NOBODY, TaskLost, heartbeat
from tesuji.spec import Spec

FAULT_LENGTH = 300
GAME_OVER = -2  # sent with a heartbeat instead of a player
CACHED_BOTS = 4  # per process; an external engine may need much memory


@dataclass(frozen=True, kw_only=True)
class Task:
    """A game to play."""

    game: str
    players: tuple[str, ...]
    """The spec of the bot in each seat."""
    seed: int
    rotation: int = 0
    """Which game of its round, its record's `leg`: the deal is the same, and the bots move on by one seat."""
    opening: tuple[str, ...] = ()
    move_limit: int | None = None
    """The game is a draw after this many moves."""
    clock: TimeControl | None = None
    """A bot that runs out of time loses."""


class BotFailure(Exception):
    """A bot failed on its turn; a one-line description."""

    def __init__(self, ending: Ending, fault: str) -> None:
        clean = fault.encode(errors="replace").decode()  # lone surrogates cannot be stored
        super().__init__(" ".join(clean.split())[:FAULT_LENGTH])
        self.ending: Ending = ending


class Choice(NamedTuple):
    """A bot's move with its evaluation."""

    move: Move
    value: float | None
    visits: int | None
    seconds: float = 0.0


class Played(NamedTuple):
    """A game that was played for a match."""

    record: Record
    key: int | None = None
    """The game up to symmetry, as `GameKeys` has it; None if it has to be computed from the record."""


def play(task: Task) -> Record:
    """Play the game: `play(Task(game="hex:size=5", players=("random", "random"), seed=1)).scores`."""
    with GameBots(game(task.game), task) as players:
        return _play(players, task)[0]


def play_slot(slot: tuple[str, int, Task]) -> Played:
    """Play the game of a slot (match, round, task). Here because workers then import the least."""
    from tesuji.arena.repeats import keys_of

    task = slot[2]
    rules = game(task.game)
    with GameBots(rules, task) as players:
        record, played = _play(players, task)
        kind: type = type(rules.own)
        keys = keys_of(task.game, kind)
        moves = zip(played.states, played.moves, strict=False)  # the last position has none
        return Played(record, keys.of(record.moves, played.states[0], moves))


def _play(players: GameBots, task: Task) -> tuple[Record, GameInProgress]:
    """The record, and the game itself."""
    seats = len(task.players)
    clock = None if task.clock is None else GameClock(task.clock, players.rules)
    played = GameInProgress(
        task.players,
        players.rules.start(task.seed),
        opening=task.opening,
        announce=partial(heartbeat, NOBODY),
    )

    def turn(player: int) -> bool:
        try:
            choice = players.choose(player, played.state, clock, ply=len(played.moves))
        except BotFailure as failure:
            fault = f"{task.players[player]}: {failure}"
            played.end(failure.ending, loss_scores(player, seats), fault)
            return False
        if choice.move is RESIGN:
            played.end("resigned", loss_scores(player, seats))
            return False
        note = Note(player, choice.value, choice.visits, round(choice.seconds, 6))
        played.advance(choice.move, note)
        return True

    played.play_out(turn, random.Random(derived_seed(task.seed, "nature")), task.move_limit)
    played.fault = played.fault or players.ignored_lines()
    heartbeat(GAME_OVER, json.dumps([played.ending, played.scores, played.fault]))
    return played.record(task.game, seed=task.seed, leg=task.rotation), played


def lost_record(task: Task, lost: TaskLost) -> Record:
    """The record of a game whose worker died or hung: the bot to move loses.

    A game that was already over keeps its result: the failure happened while the bots were closed.
    """
    moves = task.opening + lost.log
    if lost.who == GAME_OVER:
        ending, scores, fault = json.loads(lost.log[-1])
        moves, fault = moves[:-1], fault or f"after the game: {lost.detail}"
    elif lost.who == NOBODY:
        raise ExecutorError(f"a worker was lost while no bot was thinking: {lost.detail}")
    else:
        ending = "hung" if lost.why == "hung" else "crashed"
        scores = loss_scores(lost.who, len(task.players))
        fault = f"{task.players[lost.who]}: {lost.detail}"
    return Record(
        game=task.game,
        players=task.players,
        seed=task.seed,
        leg=task.rotation,
        moves=moves,
        opening=len(task.opening),
        scores=tuple(scores),
        ending=ending,
        fault=fault,
    )


class GameBots:
    """The bots of one game, created at their first move. Bots without a seed are reused by later games."""

    _cache: ClassVar[list[tuple[tuple[object, ...], TimedBot]]] = []
    """Unused bots with their `_cache_key`, least recently used first."""
    _cache_lock: ClassVar[threading.Lock] = threading.Lock()

    def __init__(self, rules: FullGame, task: Task) -> None:
        self.rules, self._task = rules, task
        self._bots: dict[int, TimedBot] = {}

    def choose(
        self, player: int, state: FullState, clock: GameClock | None = None, *, ply: int = 0
    ) -> Choice:
        """The player's move; BotFailure if it raises, plays an illegal move, or runs out of time.

        Creating the bot and warming it up is not counted on its clock. `ply` moves have been played.
        """
        moves = list(state.moves())  # first: an error in the rules is not the bot's fault
        heartbeat(player)
        try:
            if player not in self._bots:
                self._bots[player] = self._make_bot(player)
                if clock is not None and len(moves) > 1:
                    clock.warm_up(player, self._bots[player], state)
            choice = _choose(self._bots[player], state, moves, player, clock, ply)
            if choice.move is RESIGN:
                return choice
            if clock is not None and not clock.spend(player, choice.seconds):
                failure = BotFailure("hung", LOST_ON_TIME)
            elif choice.move in moves:
                return choice._replace(move=moves[moves.index(choice.move)])  # np.int64(4) becomes 4
            else:
                failure = BotFailure("illegal", f"played {choice.move!r}, which is not legal")
        except (Exception, SystemExit, GeneratorExit) as error:
            if _rules_failed(error, self._bots.get(player), state):
                raise
            failure = BotFailure("crashed", _error_text(error))
        _close(self._bots.pop(player, None))  # it may be in a broken state
        raise failure

    def ignored_lines(self) -> str:
        """The lines of external engines that were no answers, as a fault; empty if there were none."""
        return ignored_lines(
            (self._task.players[player], timed.bot.ignored_lines) for player, timed in self._bots.items()
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        """Close the bots that have a seed; cache the others."""
        if error is not None:
            heartbeat(NOBODY)  # closing the bots is nobody's turn
        reusable: list[tuple[tuple[object, ...], TimedBot]] = []
        for player, bot in self._bots.items():
            spec = Spec.parse(self._task.players[player])
            if bots.has_option(spec.name, "seed"):
                _close(bot)
            else:
                reusable.append((self._cache_key(spec), bot))
        with self._cache_lock:  # for both: a bot added in between would be dropped without being closed
            self._cache.extend(reusable)
            most = max(CACHED_BOTS, len(self._task.players))
            evicted, self._cache[:] = self._cache[:-most], self._cache[-most:]
        for _, bot in evicted:
            _close(bot)

    def _make_bot(self, player: int) -> TimedBot:
        spec = Spec.parse(self._task.players[player])
        if bots.has_option(spec.name, "seed"):  # a reused generator would depend on earlier games
            seed = derived_seed(self._task.seed, self._task.rotation, player)
            return TimedBot(spec, self.rules, seed=seed)
        with self._cache_lock:
            found = next((entry for entry in self._cache if entry[0] == self._cache_key(spec)), None)
            if found is not None:
                self._cache.remove(found)
        timed = TimedBot(spec, self.rules) if found is None else found[1]
        try:
            timed.bot.reset()
        except BaseException:
            _close(timed)
            raise
        return timed

    def _cache_key(self, spec: Spec) -> tuple[object, ...]:
        # A bot may have adapted to its clock. A notebook may have redefined its class, or the game's.
        classes = type(self.rules.own), bots.get(spec.name)
        return self._task.game, str(spec), self._task.clock, classes


@atexit.register
def _close_cached() -> None:
    """Close the cached bots, such as external engines, when the process exits."""
    with GameBots._cache_lock:
        cached, GameBots._cache[:] = list(GameBots._cache), []
    for _, bot in cached:
        _close(bot)


def _choose(
    timed: TimedBot, state: FullState, moves: Sequence[Move], player: int, clock: GameClock | None, ply: int
) -> Choice:
    """Use `analyse` if the bot has it and there is more than one legal move."""
    began = time.perf_counter()
    thinking = timed.within(None) if clock is None else clock.thinking(player, timed, ply, len(moves))
    with thinking:
        plain = not timed.bot.analyses or len(moves) == 1
        found = timed.bot.choose(state) if plain else timed.bot.analyse(state)
    seconds = time.perf_counter() - began
    if plain:
        return Choice(found, None, None, seconds)
    value = None if found.value is None else float(found.value)  # NumPy numbers cannot be stored
    visits = None if found.visits is None else int(found.visits)
    return Choice(found.move, value if value is None or math.isfinite(value) else None, visits, seconds)


def _rules_failed(error: BaseException, timed: TimedBot | None, state: FullState) -> bool:
    """Whether the game raised this under a built-in bot, which plays legal moves; a user's bot may not."""
    ours = timed is not None and type(timed.bot.own).__module__.startswith("tesuji.")
    frames = traceback.walk_tb(error.__traceback__)
    return ours and any(frame.f_globals.get("__name__") == type(state.own).__module__ for frame, _ in frames)


def _error_text(error: BaseException) -> str:
    name = type(error).__name__
    try:
        return f"{name}: {error}".removesuffix(": ")
    except Exception:  # __str__ itself may raise
        return name


def _close(timed: TimedBot | None) -> None:
    with contextlib.suppress(Exception):
        if timed is not None:
            timed.bot.close()
