"""Play one game between bots: from a task to a record. A bot that fails loses the game.

All randomness derives from the task: chance moves and the deal from its seed, each bot's seed from the seed,
the leg and the seat. So a game is reproducible on any machine, as long as the bots' budgets are in
iterations, not seconds.
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
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, ClassVar, NamedTuple, Self

from tesuji._helpers.seeds import derived_seed
from tesuji.any_game import game, nature_move, parse_move
from tesuji.arena.time_control import GameClock, TimeControl
from tesuji.bots import RESIGN
from tesuji.engines.timed import TimedBot
from tesuji.full_game import CHANCE, FullGame, FullState, Move
from tesuji.records import Note, Record
from tesuji.records.record import LOST_ON_TIME, Ending, draw_scores, ignored_lines, loss_scores
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
    leg: int = 0
    """Which game of its round: legs share opening and deal, and the bots move on by one seat."""
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
        first = played[0][0] if played else rules.start(task.seed)
        kind: type = type(rules.own)
        return Played(record, keys_of(task.game, kind).of(record.moves, first, played))


def _play(players: GameBots, task: Task) -> tuple[Record, list[tuple[FullState, Move]]]:
    """The record, and every move with the position that it was played in."""
    played: list[tuple[FullState, Move]] = []
    record = _record(players, task, played)
    record = replace(record, fault=record.fault or players.ignored_lines())
    heartbeat(GAME_OVER, json.dumps([record.ending, record.scores, record.fault]))
    return record, played


def _record(players: GameBots, task: Task, played: list[tuple[FullState, Move]]) -> Record:
    nature = random.Random(derived_seed(task.seed, "nature"))
    record = _new_record(task)
    seats = len(task.players)
    clock = None if task.clock is None else GameClock(task.clock, players.rules)
    state = players.rules.start(task.seed)
    moves: list[str] = list(task.opening)
    notes: list[Note | None] = [None] * len(moves)
    for text in task.opening:
        played.append((state, parse_move(state, text)))
        state = state.play(played[-1][1])
    while (scores := state.scores()) is None:
        if task.move_limit is not None and len(moves) >= task.move_limit:
            return _ended(record, moves, notes, "limit", draw_scores(seats))
        player = state.player
        if player == CHANCE:
            move, note = nature_move(state, nature), None
        else:
            try:
                choice = players.choose(player, state, clock, ply=len(moves))
            except BotFailure as failure:
                fault = f"{task.players[player]}: {failure}"
                return _ended(record, moves, notes, failure.ending, loss_scores(player, seats), fault)
            if choice.move is RESIGN:
                return _ended(record, moves, notes, "resigned", loss_scores(player, seats))
            move = choice.move
            note = Note(player, choice.value, choice.visits, round(choice.seconds, 6))
        moves.append(state.text(move))
        notes.append(note)
        heartbeat(NOBODY, moves[-1])
        played.append((state, move))
        state = state.play(move)
    return _ended(record, moves, notes, "played", tuple(float(score) for score in scores))


def _new_record(task: Task) -> Record:
    return Record(
        game=task.game,
        players=task.players,
        seed=task.seed,
        leg=task.leg,
        opening=len(task.opening),
        when=datetime.now(UTC),
    )


def lost_record(task: Task, lost: TaskLost) -> Record:
    """The record of a game whose worker died or hung: the bot to move loses.

    A game that was already over keeps its result: the failure happened while the bots were closed.
    """
    record = replace(_new_record(task), moves=task.opening + lost.log)
    if lost.who == GAME_OVER:
        ending, scores, fault = json.loads(lost.log[-1])
        fault = fault or f"after the game: {lost.detail}"
        return replace(record, moves=record.moves[:-1], ending=ending, scores=tuple(scores), fault=fault)
    if lost.who == NOBODY:
        raise ExecutorError(f"a worker was lost while no bot was thinking: {lost.detail}")
    return replace(
        record,
        scores=loss_scores(lost.who, len(task.players)),
        ending="hung" if lost.why == "hung" else "crashed",
        fault=f"{task.players[lost.who]}: {lost.detail}",
    )


class GameBots:
    """The bots of one game, created at their first move. Bots without a seed are reused by later games."""

    _cache: ClassVar[list[tuple[Any, TimedBot]]] = []
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
        reusable: list[tuple[Any, TimedBot]] = []
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
            seed = str(derived_seed(self._task.seed, self._task.leg, player))
            return TimedBot(spec.with_options({"seed": seed, **spec.options}), self.rules)
        with self._cache_lock:
            found = next((entry for entry in self._cache if entry[0] == self._cache_key(spec)), None)
            if found is not None:
                self._cache.remove(found)
        bot = TimedBot(spec, self.rules) if found is None else found[1]
        try:
            bot.reset()
        except BaseException:
            _close(bot)
            raise
        return bot

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


def _close(bot: TimedBot | None) -> None:
    with contextlib.suppress(Exception):
        if bot is not None:
            bot.close()


def _ended(
    record: Record,
    moves: Sequence[str],
    notes: Sequence[Note | None],
    ending: Ending,
    scores: tuple[float, ...],
    fault: str = "",
) -> Record:
    return replace(record, moves=tuple(moves), notes=tuple(notes), ending=ending, scores=scores, fault=fault)
