"""Which specs a page may name: an allow-list. What a browser says starts no program and opens no file."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Any

from tesuji.bots.levels import LEVELS
from tesuji.game import Game, game, start
from tesuji.options import unknown
from tesuji.records import PERSON
from tesuji.registry import bots, spec_of
from tesuji.search.zero import ZeroOptions
from tesuji.spec import Spec
from tesuji.web.boards import hides
from tesuji.web.limits import Limits

BOTS = (*LEVELS, "mcts", "alphabeta", "zero", "greedy", "random")
"""The bots of this package that a page may name; `gtp` and `gomocup` would start programs."""

LONGEST = 300  # characters of a spec
COUNTS = ("iterations", "nodes", "visits")


class Refused(ValueError):
    """A spec that the page may not use; one line that says what would be right."""


def allowed_game(text: str) -> tuple[str, Game]:
    """The game that a page names, with its spec as it is usually written.

    >>> allowed_game("hex: size=11")[0]
    'hex'
    """
    _check_length(text)
    try:
        rules = game(Spec.parse(text))
        return spec_of(rules), rules
    except ValueError as error:
        raise Refused(str(error)) from error


class AllowedBots:
    """The bots that a page may name: ours, and what the user of this machine has loaded.

    >>> AllowedBots(Limits()).check("easy", "hex")
    'easy'
    >>> AllowedBots(Limits()).check("gtp:command=mohex", "hex")
    Traceback (most recent call last):
        ...
    tesuji.web.specs.Refused: unknown bot 'gtp' (easy, medium, hard, expert, mcts, alphabeta, zero, ...)
    """

    def __init__(self, limits: Limits, loaded: Collection[str] = ()) -> None:
        self.limits = limits
        self.names = (*BOTS, *(name for name in loaded if name not in BOTS))
        self._loaded = frozenset(self.names) - frozenset(BOTS)

    def check(self, text: str, game_spec: str) -> str:
        """The spec as it is usually written; Refused where it is not allowed, or is no bot of this game."""
        _check_length(text)
        try:
            spec = Spec.parse(text)
        except ValueError as error:
            raise Refused(str(error)) from error
        if spec.name not in self.names:
            raise Refused(unknown(f"bot {spec.name!r}", spec.name, self.names))
        if spec.name not in self._loaded:
            self._check_options(spec, game_spec)
        return _made(str(spec), game_spec)

    def _check_options(self, spec: Spec, game_spec: str) -> None:
        kinds = {info.name: info for info in bots.describe(spec.name)}
        words = {"net": ["game", *_networks()], "value": ["game", "off", *_values(game_spec)]}
        if spec.name == "mcts":
            words["value"].append("boolean")
        for name, value in spec.options.items():
            if name not in kinds:
                raise Refused(unknown(f"option {name!r} for {spec.name}", name, kinds))
            takes_text = "text" in kinds[name].kind.split(" or ")
            given = words.get(name, kinds[name].words) if takes_text else None
            if given is not None and value not in given:
                raise Refused(f"{name} must be one of {', '.join(given)} here, not {value!r}")
            most = {"seconds": self.limits.seconds, "memory": self.limits.memory, "threads": 1}
            most |= dict.fromkeys(COUNTS, self.limits.iterations)
            if name in most and value != "off" and not _at_most(value, most[name]):
                raise Refused(f"{name} must be at most {most[name]:g} here, not {value!r}")

    def seats(self, given: list[str], game_spec: str, players: int) -> list[str]:
        """Who sits where: "person", or a bot's spec as it is usually written."""
        if len(given) != players:
            raise Refused(f"{game_spec} has {players} seats, not {len(given)}")
        return [one if one == PERSON else self.check(one, game_spec) for one in given]


@lru_cache(1024)
def _made(text: str, game_spec: str) -> str:
    """Make the bot once: what is wrong with it is said before it sits down."""
    from tesuji.bots import close

    spec, rules = Spec.parse(text), game(game_spec)
    try:
        if spec.name == "zero":  # to open its network is the workers' business
            ZeroOptions.of(dict(spec.options), thing="zero")
            _check_network(spec.options.get("net", "game"), game_spec)
            return text
        if spec.name == "alphabeta" and hides(start(rules, 1)):
            raise Refused(f"alphabeta cannot search a game with hidden cards, as {game_spec} is")
        bot = bots.make(spec.with_options(_small(spec)), rules)
    except (ValueError, OSError, MemoryError) as error:
        raise Refused(" ".join(str(error).split())) from error
    close(bot)
    return text


def _small(spec: Spec) -> dict[str, str]:
    """An option that keeps the bot's memory small; one that is wrong stays as it is, for the bot to tell."""
    given = spec.options.get("memory", "1")
    takes = bots.has_option(spec.name, "memory") and given.isdecimal() and int(given) >= 1
    return {"memory": "1"} if takes else {}


def _check_network(net: str, game_spec: str) -> None:
    from tesuji.models.network import BUNDLED

    fitting = [name for name in _networks() if BUNDLED.get(name) == game_spec]
    if not fitting or net not in ("game", *fitting):
        known = ", ".join(f"{name} for {BUNDLED.get(name)}" for name in _networks()) or "there are none"
        raise Refused(f"no network {'' if net == 'game' else net + ' '}comes with {game_spec} ({known})")


@lru_cache(1)
def _networks() -> tuple[str, ...]:
    from tesuji.models.network import bundled_networks

    return tuple(bundled_networks())


def _values(game_spec: str) -> list[str]:
    found: Any = getattr(game(game_spec), "values", {})
    return list(found)


def _at_most(value: str, most: float) -> bool:
    try:
        return float(value) <= most
    except ValueError:  # the option's own check will tell
        return True


def _check_length(text: str) -> None:
    if len(text) > LONGEST:
        raise Refused(f"a spec has at most {LONGEST} characters, not {len(text)}")
    if not text.isprintable():
        raise Refused("a spec holds printable characters alone")
