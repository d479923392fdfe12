"""A user's file, as `--load` takes it: a card game for several players, and bots that misbehave."""

from __future__ import annotations

import math
import os
import random
import signal
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import tesuji
from tesuji.any_game import CHANCE
from tesuji.bots import RESIGN

CARDS = 3


@dataclass(frozen=True)
class TrickState:
    """Before each trick a chance move decides whether the highest or the lowest card takes it."""

    hands: tuple[tuple[int, ...], ...]
    wanted: str = ""
    table: tuple[int, ...] = ()
    leader: int = 0
    taken: tuple[int, ...] = ()

    @property
    def player(self) -> int:
        return (self.leader + len(self.table)) % len(self.hands) if self.wanted else CHANCE

    def moves(self) -> list[Any]:
        if len(self.taken) == CARDS:
            return []
        return list(self.hands[self.player]) if self.wanted else ["high", "low"]

    def chances(self) -> list[tuple[str, float]]:
        return [("high", 0.75), ("low", 0.25)]

    def play(self, move: Any) -> TrickState:
        if not self.wanted:
            return replace(self, wanted=move)
        hands = list(self.hands)
        hands[self.player] = tuple(card for card in hands[self.player] if card != move)
        after = replace(self, hands=tuple(hands), table=(*self.table, move))
        if len(after.table) < len(hands):
            return after
        best = max(after.table) if self.wanted == "high" else min(after.table)
        winner = (self.leader + after.table.index(best)) % len(hands)
        return TrickState(after.hands, leader=winner, taken=(*self.taken, winner))

    def scores(self) -> tuple[float, ...] | None:
        if len(self.taken) < CARDS:
            return None
        return tuple(self.taken.count(player) / CARDS for player in range(len(self.hands)))


@tesuji.register_game("trick")
@dataclass(frozen=True)
class Trick:
    """Cards are dealt, and each trick is taken by the highest card, or the lowest."""

    players: int = 3

    def start(self, seed: int = 0) -> TrickState:
        cards = random.Random(seed).sample(range(1, 1 + CARDS * self.players), CARDS * self.players)
        hands = (tuple(cards[CARDS * player : CARDS * (player + 1)]) for player in range(self.players))
        return TrickState(tuple(hands))


class ShuffleState:
    """A game without an end, two moves wide; every seventh move has a long name."""

    def __init__(self, longest: int = 0, played: int = 0) -> None:
        self.longest, self.played, self.player = longest, played, played % 2

    def moves(self) -> list[str]:
        return ["left" + "!" * (self.longest if self.played % 7 == 6 else 0), "right"]

    def play(self, move: str) -> ShuffleState:
        return ShuffleState(self.longest, self.played + 1)

    def scores(self) -> tuple[float, float] | None:
        return None


@tesuji.register_game("shuffle")
@dataclass(frozen=True)
class Shuffle:
    longest: int = 0

    def start(self) -> ShuffleState:
        return ShuffleState(self.longest)


class BrokenState(ShuffleState):
    """Its rules fail after the third move: in play, in moves, in scores, or by a dead process."""

    def __init__(self, how: str, played: int = 0) -> None:
        super().__init__(0, played)
        self.how = how

    def _may_fail(self, how: str) -> None:
        if self.played == 3 and self.how == how:
            raise KeyError("the rules are wrong")

    def moves(self) -> list[str]:
        self._may_fail("moves")
        return super().moves()

    def play(self, move: str) -> BrokenState:
        if self.played == 2 and self.how == "die":
            os._exit(9)
        after = BrokenState(self.how, self.played + 1)
        after._may_fail("play")
        return after

    def scores(self) -> tuple[float, float] | None:
        self._may_fail("scores")
        return None if self.played < 6 else (1.0, 0.0)


@tesuji.register_game("broken")
@dataclass(frozen=True)
class Broken:
    how: str = "play"

    def start(self) -> BrokenState:
        return BrokenState(self.how)


@tesuji.register_bot("first")
class First:
    """Always the first move; `log` is a file with its calls."""

    def __init__(self, game: object, log: str = "") -> None:
        self.log = log
        self._tell("made")

    def choose(self, state: Any) -> Any:
        return state.moves()[0]

    def reset(self) -> None:
        self._tell("reset")

    def close(self) -> None:
        self._tell("closed")

    def _tell(self, event: str) -> None:
        if self.log:
            with Path(self.log).open("a") as file:
                file.write(f"{os.getpid()} {event}\n")


@tesuji.register_bot("last")
class Last:
    """Always the last move, and it has neither reset nor close."""

    def __init__(self, game: object) -> None:
        pass

    def choose(self, state: Any) -> Any:
        return state.moves()[-1]


@tesuji.register_bot("lucky")
class Lucky(First):
    """Any move, by its seed."""

    def __init__(self, game: object, seed: int = 0, log: str = "") -> None:
        self.seed = seed
        self._random = random.Random(seed)
        super().__init__(game, log)

    def choose(self, state: Any) -> Any:
        return self._random.choice(state.moves())


@tesuji.register_bot("sore_loser")
class SoreLoser(Lucky):
    """Plays normally, and kills its process when it is closed."""

    def close(self) -> None:
        os._exit(5)


@tesuji.register_bot("talker")
class Talker(Last):
    """Prints while it thinks."""

    def choose(self, state: Any) -> Any:
        print("I think it is time to move")
        return super().choose(state)


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError("no picture of me")

    __str__ = __repr__


class Quarrelsome:
    def __eq__(self, other: object) -> bool:
        raise RuntimeError("nothing is like me")

    __hash__ = None  # type: ignore[assignment]


class Wordless(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


NO_MOVES: dict[str, Any] = {
    "none": None,
    "string": "no such move",
    "list": [1, 2],
    "nan": math.nan,
    "unprintable": Unprintable(),
    "quarrelsome": Quarrelsome(),
    "resign": RESIGN,
}


@tesuji.register_bot("faulty")
class Faulty(First):
    """Plays the first move, and misbehaves after `after` moves; with `once`, only until that file exists."""

    def __init__(
        self, game: object, how: str = "raise", after: int = 1, once: str = "", log: str = ""
    ) -> None:
        self.how, self.after, self.once = how, after, once
        self._moves = 0
        super().__init__(game, log)

    def reset(self) -> None:
        super().reset()
        self._moves = 0
        if self.how == "reset" and self._now():
            raise RuntimeError("cannot begin again")

    def close(self) -> None:
        super().close()
        if self.how == "close":
            raise RuntimeError("cannot end")

    def choose(self, state: Any) -> Any:
        self._moves += 1
        if self.how == "reset" or self._moves <= self.after or not self._now():
            return super().choose(state)
        return NO_MOVES[self.how] if self.how in NO_MOVES else self._break_down()

    def _now(self) -> bool:
        if self.once and Path(self.once).exists():
            return False
        if self.once:
            Path(self.once).touch()
        return True

    def _break_down(self) -> Any:
        if self.how == "exit":
            sys.exit(3)
        if self.how == "leave":
            os._exit(4)
        if self.how == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        while self.how == "hang":
            time.sleep(60)
        if self.how == "wordless":
            raise Wordless
        raise LookupError("lost\nmy way \udc80")


@tesuji.register_bot("thinker")
class Thinker(First):
    """Its analysis has values that are not finite."""

    def __init__(self, game: object, value: str = "nan") -> None:
        self.value = value
        super().__init__(game)

    def analyse(self, state: Any) -> Any:
        return Thought(state.moves()[0], float(self.value), 7.0)


@dataclass
class Thought:
    move: Any
    value: float
    visits: float


@tesuji.register_bot("sleeper")
class Sleeper(First):
    """Sleeps on its first move."""

    def __init__(self, game: object, seconds_of_sleep: float = 0.1) -> None:
        self.seconds_of_sleep = seconds_of_sleep
        super().__init__(game)

    def choose(self, state: Any) -> Any:
        time.sleep(self.seconds_of_sleep)
        return super().choose(state)


@tesuji.register_bot("uneven")
class Uneven(First):
    """Slow, but only in the first process that creates `mark`, so that games finish out of order."""

    def __init__(self, game: object, mark: str) -> None:
        self.mark = mark
        try:
            Path(mark).touch(exist_ok=False)
            self._slow = True
        except FileExistsError:
            self._slow = False
        super().__init__(game)

    def choose(self, state: Any) -> Any:
        if self._slow:
            time.sleep(0.03)
        return super().choose(state)
