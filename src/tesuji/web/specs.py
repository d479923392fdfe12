"""The specs that a page may request: an allow-list. No request starts a program or opens a file.

Every game and every bot of the server is made here or after a check here, whether its spec comes from a
request, a record or a stored table: foreign rules and other bots may read files, start programs or end the
process while they are made.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from tesuji.any_game import received_game
from tesuji.bots import bot as make_bot
from tesuji.bots.levels import LEVELS, LevelOptions, level_spec
from tesuji.full_game import FullGame
from tesuji.models.bundled import BUNDLED, bundled_for
from tesuji.options import unknown
from tesuji.records import PERSON
from tesuji.registry import bots, spec_of
from tesuji.search.zero import ZeroOptions
from tesuji.spec import Spec
from tesuji.web.limits import ServerLimits

BOTS = (*LEVELS, "mcts", "alphabeta", "zero", "greedy", "random")
"""Built-in bots that a page may request; `gtp` and `gomocup` would start programs."""

MAX_SPEC_LENGTH = 600  # characters; the position of a board of 20×20 has up to 450
COUNT_OPTIONS = ("iterations", "nodes", "visits")


class BadRequest(ValueError):
    """A request with an invalid or forbidden value; one line with what is allowed."""


def allowed_game(text: str) -> tuple[str, FullGame]:
    """The game of a spec, with its canonical spec.

    >>> allowed_game("hex: size=11")[0]
    'hex'
    """
    _check_length(text)
    try:
        rules = received_game(text)
        return spec_of(rules), rules
    except ValueError as error:
        raise BadRequest(str(error)) from error


class AllowedBots:
    """The bots that a page may request: built-in ones, and those loaded with `--load`.

    >>> AllowedBots(ServerLimits()).check("easy", "hex")
    'easy'
    >>> AllowedBots(ServerLimits()).check("gtp:command=mohex", "hex")
    Traceback (most recent call last):
        ...
    tesuji.web.specs.BadRequest: unknown bot 'gtp' (easy, medium, hard, expert, mcts, alphabeta, zero, ...)
    """

    def __init__(self, limits: ServerLimits, loaded: Collection[str] = ()) -> None:
        self.limits = limits
        self.names = (*BOTS, *(name for name in loaded if name not in BOTS))
        self._loaded = frozenset(self.names) - frozenset(BOTS)

    def check(self, text: str, game_spec: str) -> str:
        """The canonical spec; BadRequest if it is not allowed or the bot cannot play this game."""
        return _check_bot(str(self.allowed(text, game_spec)), game_spec)

    def allowed(self, text: str, game_spec: str) -> Spec:
        """The spec; BadRequest if a page may not request it. Makes no bot."""
        _check_length(text)
        try:
            spec = Spec.parse(text)
        except ValueError as error:
            raise BadRequest(str(error)) from error
        if spec.name not in self.names:
            raise BadRequest(unknown(f"bot {spec.name!r}", spec.name, self.names))
        spec = bots.current(spec)
        if spec.name not in self._loaded:
            self._check_options(spec, game_spec)
        return spec

    def _check_options(self, spec: Spec, game_spec: str) -> None:
        options = {info.name: info for info in bots.describe(spec.name)}
        texts = {"net": ["game", *BUNDLED], "value": ["game", "off", *allowed_game(game_spec)[1].values]}
        if spec.name == "mcts":
            texts["value"].append("boolean")
        limits = {
            "seconds": self.limits.seconds,
            "memory": self.limits.memory,
            "threads": self.limits.threads,
        }
        limits |= dict.fromkeys(COUNT_OPTIONS, self.limits.iterations)
        for name, value in spec.options.items():
            if name not in options:
                raise BadRequest(unknown(f"option {name!r} for {spec.name}", name, options))
            allowed = texts.get(name, options[name].words) if options[name].text else None
            if allowed is not None and value not in allowed:
                raise BadRequest(f"{name} must be one of {', '.join(allowed)} on this server, not {value!r}")
            if name == "device" and value != "cpu":
                raise BadRequest(f"device must be cpu on this server, not {value!r}")
            if name in limits and value not in ("off", "auto") and not _at_most(value, limits[name]):
                raise BadRequest(f"{name} must be at most {limits[name]:g} on this server, not {value!r}")

    def seats(self, given: list[str], game_spec: str, players: int) -> list[str]:
        """The players with canonical specs; BadRequest if one is not allowed or their number is wrong."""
        if len(given) != players:
            raise BadRequest(f"{game_spec} has {players} seats, not {len(given)}")
        return [one if one == PERSON else self.check(one, game_spec) for one in given]


@lru_cache(1024)
def _check_bot(text: str, game_spec: str) -> str:
    """Create the bot once, so that errors in its spec are reported before the game starts."""
    spec, rules = Spec.parse(text), allowed_game(game_spec)[1]
    try:
        if spec.name in LEVELS:  # check what it stands for
            LevelOptions.of(dict(spec.options), thing=spec.name)
            spec = level_spec(rules, spec.name)
        if spec.name == "zero":  # only workers load networks
            ZeroOptions.of(dict(spec.options), thing="zero")
            _check_network(spec.options.get("net", "game"), game_spec)
            return text
        if spec.name == "alphabeta" and rules.hidden:
            raise BadRequest(f"alphabeta cannot search a game with hidden cards, such as {game_spec}")
        bot = make_bot(spec.with_options(_small_memory(spec)), rules)
    except (ValueError, OSError, MemoryError) as error:
        raise BadRequest(" ".join(str(error).split())) from error
    bot.close()
    return text


def _small_memory(spec: Spec) -> dict[str, str]:
    """An option that keeps the bot's memory small; an invalid value is kept, for the bot to report."""
    memory = spec.options.get("memory", "1")
    valid = bots.has_option(spec.name, "memory") and memory.isdecimal() and int(memory) >= 1
    return {"memory": "1"} if valid else {}


def _check_network(net: str, game_spec: str) -> None:
    fitting = bundled_for(game_spec)
    if fitting is None or net not in ("game", fitting):
        known = ", ".join(BUNDLED)
        raise BadRequest(f"no built-in network{'' if net == 'game' else ' ' + net} for {game_spec} ({known})")


def _at_most(value: str, most: float) -> bool:
    try:
        return float(value) <= most
    except ValueError:  # reported by the option's own check
        return True


def _check_length(text: str) -> None:
    if len(text) > MAX_SPEC_LENGTH:
        raise BadRequest(f"a spec may have at most {MAX_SPEC_LENGTH} characters, not {len(text)}")
    if not text.isprintable():
        raise BadRequest(f"a spec may contain printable characters only, not {text!r}")
