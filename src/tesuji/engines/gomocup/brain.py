"""The game and the bot behind the protocol, made for the manager's board size, rule and limits."""

from __future__ import annotations

from typing import Any, cast

from tesuji import _core
from tesuji.any_game import replay
from tesuji.bots import RESIGN
from tesuji.bots.timing import moves_to_come
from tesuji.engines.gomocup.limits import LIMITS, Info, default_bot, limited
from tesuji.engines.gomocup.protocol import Stones, rule_name
from tesuji.engines.timed import TimedBot
from tesuji.full_game import FullGame, FullState
from tesuji.registry import bots, games
from tesuji.spec import Spec

GAME = "gomoku"
LOOKS = 6  # short searches at the start that measure overruns; a turn may be too short to learn from
OPENING_PARTS = 3  # decisions at most in one answer to SWAP2BOARD


class Brain:
    """Chooses moves for the stones on a board, within the limits of `info`: `Brain(None, info=Info())`.

    The bot defaults to the game's own. `rules` is a spec of Gomoku; `info` may change its rule, and each
    board has its own size.
    """

    def __init__(
        self,
        bot: str | Spec | None,
        *,
        info: Info,
        rules: str | Spec = GAME,
        seed: int | None = None,
    ) -> None:
        self._info = info
        self._bot = Spec.parse(bot) if isinstance(bot, str) else bot
        self._rules = Spec.parse(rules) if isinstance(rules, str) else rules
        self._seed = seed
        self._timed: TimedBot | None = None
        self._prepared: tuple[object, ...] | None = None
        self._at_work: TimedBot | None = None
        if self._rules.name != GAME:
            raise ValueError(f"the Gomocup protocol is for {GAME}, not for {self._rules.name}")
        if bot is not None:  # report a bad spec before the first game
            self.prepare(games.make(self._rules).size)

    def prepare(self, size: int) -> TimedBot:
        """The bot for this board size; ValueError if it cannot be made."""
        asked = (size, *(vars(self._info)[key] for key in ("rule", *LIMITS)))
        if self._timed is None or asked != self._prepared:
            game = self._game(size)
            spec = self._spec(game)
            timed = TimedBot(spec, game)
            self.close()
            self._timed, self._prepared = timed, asked
        return self._timed

    def warm_up(self, size: int) -> float:
        """Make the bot for this size and run its one-time work.

        Returns the largest overrun in seconds of a few short searches; 0 if the bot was ready before.
        """
        before, timed = self._timed, self.prepare(size)
        return 0.0 if timed is before else timed.warm_up(timed.game.start(), looks=LOOKS)

    def reset(self) -> None:
        """Start a new game."""
        if self._timed is not None:
            self._timed.bot.reset()

    def cancel(self) -> None:
        """Stop a running search soon, with its result so far; from any thread."""
        if self._at_work is not None:
            self._at_work.bot.cancel()

    def close(self) -> None:
        """Release the bot."""
        if self._timed is not None:
            self._timed.bot.close()

    def position(self, stones: Stones) -> FullState:
        """The position with us to move; set up directly if the order of the stones is no legal game."""
        game: Any = self.prepare(stones.size).game
        cells = stones.sequence()
        if cells is not None:
            try:
                return cast(FullState, replay(game, cells))
            except ValueError:  # such as a five that became a six, or a move forbidden in this order
                pass
        core = _core.GomokuState.set_up(stones.size, game.rule, stones.cells(), stones.colour)
        return game.from_core(core)  # type: ignore[no-any-return]

    def moves_to_come(self, stones: Stones) -> float:
        """How many moves we can expect to make, this one included."""
        ply = len(stones)
        return moves_to_come(self._game(stones.size), ply, max(1, stones.size**2 - ply))

    def choose(self, stones: Stones, seconds: float | None) -> int:
        """The cell of our move."""
        timed = self.prepare(stones.size)
        state: Any = self.position(stones)
        scores = state.scores()
        empty = state.cells().find(0)
        if scores is not None and (max(scores) == 1 or empty < 0):
            raise ValueError("the game is over")
        if scores is not None:  # every empty cell is forbidden, and the protocol has no pass
            return int(empty)
        return self._chosen(timed, state, seconds)

    def open(self, size: int, cells: list[int], seconds: float | None) -> list[int]:
        """The swap2 opening: the stones that we add to 0, 3 or 5; no stone means `swap`."""
        swap, two = size**2, size**2 + 1
        if len(cells) not in (0, 3, 5):
            raise ValueError(f"SWAP2BOARD takes 0, 3 or 5 stones, not {len(cells)}")
        game = self._game(size, swap2="on")
        state = replay(game, [*cells[:3], two, *cells[3:]] if len(cells) == 5 else cells)
        timed, chooser = TimedBot(self._spec(game), game), state.player
        added: list[int] = []
        try:
            while state.player == chooser:
                share = None if seconds is None else seconds / OPENING_PARTS
                move = self._chosen(timed, state, share)
                if move == swap:
                    break
                state = state.play(move)
                added += [move] * (move < swap)
        finally:
            timed.bot.close()
        return added

    def _chosen(self, timed: TimedBot, state: FullState, seconds: float | None) -> int:
        """The bot's move; any legal move where it resigns, which the protocol does not have."""
        self._at_work = timed
        move = timed.choose(state, seconds)
        return int(state.moves()[0] if move is RESIGN else move)

    def _game(self, size: int, **options: str) -> FullGame:
        rule = {} if self._info.rule is None else {"rule": rule_name(self._info.rule)}
        given = {**self._rules.options, "size": str(size), "swap2": "off", **rule, **options}
        return games.make(Spec(self._rules.name, given))  # type: ignore[no-any-return]

    def _spec(self, game: FullGame) -> Spec:
        own = self._bot or default_bot(game, self._info)
        return limited(bots.seeded(own, self._seed), self._info)
