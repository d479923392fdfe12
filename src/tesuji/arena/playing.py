"""One game between bots, from a task to a record. A bot that fails loses the game, and only the game.

Luck comes from the task alone: nature and the deal from its seed, each bot's seed from the seed, the leg and
the seat. So a game is the same wherever and whenever it is played, as long as the bots count iterations and
not seconds.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
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

from tesuji.arena.clocks import Clocks, TimeControl
from tesuji.bots import RESIGN, close
from tesuji.engines.timed import TimedBot
from tesuji.game import CHANCE, Game, Move, State, game, parse_move, start, text_of
from tesuji.records import Note, Record
from tesuji.records.record import LOST_ON_TIME, Ending, even, without
from tesuji.registry import bots
from tesuji.scale import ExecutorError
from tesuji.scale.processes import NOBODY, TaskLost, heartbeat
from tesuji.spec import Spec

FAULT_LENGTH = 300
OVER = -2  # noted instead of a player: the game has its result
KEPT_BOTS = 4  # that a process keeps between games: an external engine may need much memory


@dataclass(frozen=True, kw_only=True)
class Task:
    """A game to be played."""

    game: str
    players: tuple[str, ...]
    """The spec of the bot in each seat."""
    seed: int
    leg: int = 0
    opening: tuple[str, ...] = ()
    move_limit: int | None = None
    """After so many moves it is a draw."""
    clock: TimeControl | None = None
    """The time that each bot has for the game; who oversteps it loses."""


class Failure(Exception):
    """A bot failed while it was its turn; what happened, in one line."""

    def __init__(self, ending: Ending, fault: str) -> None:
        clean = fault.encode(errors="replace").decode()  # the store takes no half characters
        super().__init__(" ".join(clean.split())[:FAULT_LENGTH])
        self.ending: Ending = ending


class Choice(NamedTuple):
    """A bot's move, and what it thought of it."""

    move: Move
    value: float | None
    visits: int | None
    seconds: float = 0.0


def derived_seed(*parts: object) -> int:
    """A number of 63 bits that follows from the parts: `derived_seed(1, "deal", 5)`."""
    digest = hashlib.sha256(repr(parts).encode()).digest()
    return int.from_bytes(digest[:8]) >> 1


def play(task: Task) -> Record:
    """Play the game: `play(Task(game="hex:size=5", players=("random", "random"), seed=1)).scores`."""
    with Table(game(task.game), task) as table:
        record = _play(table, task)
        heartbeat(OVER, json.dumps([record.ending, record.scores, record.fault]))
        return record


def play_place(place: tuple[str, int, Task]) -> Record:
    """Play the game at a place of a match: what a worker does. Here, where it needs to import the least."""
    return play(place[2])


def _play(table: Table, task: Task) -> Record:
    nature = random.Random(derived_seed(task.seed, "nature"))
    began = Record(
        game=task.game,
        players=task.players,
        seed=task.seed,
        leg=task.leg,
        opening=len(task.opening),
        when=datetime.now(UTC),
    )
    players = len(task.players)
    clocks = None if task.clock is None else Clocks(task.clock, table.rules)
    state = start(table.rules, task.seed)
    moves: list[str] = list(task.opening)
    notes: list[Note | None] = [None] * len(moves)
    for text in task.opening:
        state = state.play(parse_move(state, text))
    while (scores := state.scores()) is None:
        if task.move_limit is not None and len(moves) >= task.move_limit:
            return _ended(began, moves, notes, "limit", even(players))
        player = state.player
        if player == CHANCE:
            move, thought = nature_move(state, nature), None
        else:
            try:
                choice = table.ask(player, state, clocks, ply=len(moves))
            except Failure as failure:
                fault = f"{task.players[player]}: {failure}"
                return _ended(began, moves, notes, failure.ending, without(player, players), fault)
            if choice.move is RESIGN:
                return _ended(began, moves, notes, "resigned", without(player, players))
            move = choice.move
            thought = Note(player, choice.value, choice.visits, round(choice.seconds, 6))
        moves.append(text_of(state, move))
        notes.append(thought)
        heartbeat(NOBODY, moves[-1])
        state = state.play(move)
    return _ended(began, moves, notes, "played", tuple(float(score) for score in scores))


def lost_record(task: Task, lost: TaskLost) -> Record:
    """The record of a game whose worker died or hung: the bot that was thinking loses it.

    A game that was over already counts as it ended: something went wrong when the bots were put away.
    """
    record = Record(
        game=task.game,
        players=task.players,
        seed=task.seed,
        leg=task.leg,
        opening=len(task.opening),
        moves=task.opening + lost.log,
    )
    if lost.who == OVER:
        ending, scores, fault = json.loads(lost.log[-1])
        said = fault or f"after the game: {lost.detail}"
        return replace(record, moves=record.moves[:-1], ending=ending, scores=tuple(scores), fault=said)
    if lost.who == NOBODY:
        raise ExecutorError(f"a worker was lost while no bot was thinking: {lost.detail}")
    return replace(
        record,
        scores=without(lost.who, len(task.players)),
        ending="hung" if lost.why == "hung" else "crashed",
        fault=f"{task.players[lost.who]}: {lost.detail}",
    )


class Table:
    """The bots of one game in their seats. A bot that takes no seed serves many games of this process."""

    _kept: ClassVar[list[tuple[Any, TimedBot]]] = []
    """Bots between two games, with their game, spec and clock; who has waited longest comes first."""
    _keeping: ClassVar[threading.Lock] = threading.Lock()
    """Games may be played in several threads."""

    def __init__(self, rules: Game, task: Task) -> None:
        self.rules, self._task = rules, task
        self._bots: dict[int, TimedBot] = {}

    def ask(self, player: int, state: State, clocks: Clocks | None = None, *, ply: int = 0) -> Choice:
        """The player's move; Failure where it raises, plays what is not legal, or oversteps its time.

        The bot is made and warmed up when it is first asked; that takes nothing from its clock. `ply` moves
        have been played before.
        """
        moves = list(state.moves())  # before the bot is asked: rules that fail are not its fault
        heartbeat(player)
        try:
            if player not in self._bots:
                self._bots[player] = self._seat(player)
                if clocks is not None and len(moves) > 1:
                    clocks.warm_up(player, self._bots[player], state)
            choice = _choose(self._bots[player], state, moves, player, clocks, ply)
            if choice.move is RESIGN:
                return choice
            if clocks is not None and not clocks.spend(player, choice.seconds):
                failure = Failure("hung", LOST_ON_TIME)
            elif choice.move in moves:
                return choice._replace(move=moves[moves.index(choice.move)])  # 4.0 is 4, and np.int64(4) is
            else:
                failure = Failure("illegal", f"played {choice.move!r}, which is not legal")
        except (Exception, SystemExit, GeneratorExit) as error:
            if _rules_failed(error, getattr(self._bots.get(player), "bot", None), state):
                raise
            failure = Failure("crashed", _said(error))
        self._dismiss(player)
        raise failure

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        """The bots of this game alone are not needed any more; the others wait for their next game."""
        if error is not None:
            heartbeat(NOBODY)  # no bot's fault, and putting them away is none either
        staying: list[tuple[Any, TimedBot]] = []
        for player, bot in self._bots.items():
            spec = Spec.parse(self._task.players[player])
            if bots.has_option(spec.name, "seed"):
                _close(bot)
            else:
                staying.append((self._place(spec), bot))
        with self._keeping:  # one that comes while others are chosen to leave would be kept by nobody
            self._kept.extend(staying)
            most = max(KEPT_BOTS, len(self._task.players))
            leaving, self._kept[:] = self._kept[:-most], self._kept[-most:]
        for kept in leaving:
            _close(kept[1])

    def _seat(self, player: int) -> TimedBot:
        spec = Spec.parse(self._task.players[player])
        if bots.has_option(
            spec.name, "seed"
        ):  # given or not: a bot that draws on and on remembers the games before
            seed = str(derived_seed(self._task.seed, self._task.leg, player))
            return TimedBot(spec.with_options({"seed": seed, **spec.options}), self.rules)
        with self._keeping:
            found = next((kept for kept in self._kept if kept[0] == self._place(spec)), None)
            if found is not None:
                self._kept.remove(found)
        bot = TimedBot(spec, self.rules) if found is None else found[1]
        try:
            bot.reset()
        except BaseException:
            _close(bot)
            raise
        return bot

    def _place(self, spec: Spec) -> tuple[object, ...]:
        """What a bot that serves many games is known by: one that was told of a clock goes by it."""
        return self._task.game, str(spec), self._task.clock

    def _dismiss(self, player: int) -> None:
        """What has failed is not trusted with the next game."""
        _close(self._bots.pop(player, None))


@atexit.register
def _close_kept() -> None:
    """A worker goes home: what it has started ends with it."""
    with Table._keeping:
        leaving, Table._kept[:] = list(Table._kept), []
    for kept in leaving:
        _close(kept[1])


def nature_move(state: Any, nature: random.Random) -> Move:
    """A move of chance by its probabilities."""
    moves, weights = zip(*state.chances(), strict=True)
    return nature.choices(moves, weights)[0]


def _choose(
    timed: TimedBot, state: State, moves: Sequence[Move], player: int, clocks: Clocks | None, ply: int
) -> Choice:
    """With an analysis where the bot gives one and there is something to think about."""
    began = time.perf_counter()
    thinking = timed.within(None) if clocks is None else clocks.thinking(player, timed, ply, len(moves))
    with thinking:
        plain = not hasattr(timed.bot, "analyse") or len(moves) == 1
        found = timed.bot.choose(state) if plain else timed.bot.analyse(state)
    seconds = time.perf_counter() - began
    if plain:
        return Choice(found, None, None, seconds)
    value = None if found.value is None else float(found.value)  # a record holds plain numbers
    visits = None if found.visits is None else int(found.visits)
    return Choice(found.move, value if value is None or math.isfinite(value) else None, visits, seconds)


def _rules_failed(error: BaseException, bot: object, state: State) -> bool:
    """Whether the game's own code raised this: a bot of ours makes legal moves alone, others perhaps not."""
    ours = type(bot).__module__.startswith("tesuji.")
    frames = traceback.walk_tb(error.__traceback__)
    return ours and any(frame.f_globals.get("__name__") == type(state).__module__ for frame, _ in frames)


def _said(error: BaseException) -> str:
    name = type(error).__name__
    try:
        return f"{name}: {error}".removesuffix(": ")
    except Exception:  # even that can fail
        return name


def _close(bot: Any) -> None:
    with contextlib.suppress(Exception):
        close(bot)


def _ended(
    began: Record,
    moves: Sequence[str],
    notes: Sequence[Note | None],
    ending: Ending,
    scores: tuple[float, ...],
    fault: str = "",
) -> Record:
    return replace(began, moves=tuple(moves), notes=tuple(notes), ending=ending, scores=scores, fault=fault)
