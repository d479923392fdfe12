"""The registries of games and bots: built-ins, those of users, and those of other packages.

A built-in is registered as "module:Class" and imported on first use. Other packages add games and bots by
entry points in the groups `tesuji.games` and `tesuji.bots`; these are read once, for an unknown name or a
list of all names.
"""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

from tesuji._helpers.clipping import clip
from tesuji.options import OptionInfo, describe, read_options, to_text, unknown, without_removed
from tesuji.spec import Spec, check_name

C = TypeVar("C", bound=type)


class Registry:
    """Names for classes of one kind: `games.make("hex:size=9")`, `bots.make("mcts:iterations=100", game)`.

    `given` is the number of positional arguments before the options: a bot is given its game. The options of
    a class are those of its `Options` class if it has one, otherwise its parameters after the given ones.
    """

    def __init__(self, kind: str, entry_point_group: str, *, given: int = 0) -> None:
        self.kind = kind
        self.entry_point_group = entry_point_group
        self._given = given
        self._entries: dict[str, type | str] = {}
        self._foreign: set[str] = set()
        self._entry_points_loaded = False

    def register(self, name: str) -> Callable[[C], C]:
        """Register a class under a name, as a decorator: `@games.register("tictactoe")`."""

        def decorate(cls: C) -> C:
            self._add(name, cls)
            return cls

        return decorate

    def register_lazily(self, name: str, path: str, *, foreign: bool = False) -> None:
        """Register a class, imported on first use: `register_lazily("hex", "tesuji.games.hex:Hex")`.

        Foreign: code of others, whose options may read files or end the process. It can be made by its
        name, but `names` leaves it out, and so does `tesuji.any_game.received_game`.
        """
        self._entries.setdefault(check_name(name), path)
        if foreign:
            self._foreign.add(name)

    def forget(self, name: str) -> None:
        """Remove a name, such as one that was registered for a moment."""
        self._entries.pop(name, None)

    def names(self) -> list[str]:
        """All names but foreign ones, built-ins first."""
        self._load_entry_points()
        return [name for name in self._entries if name not in self._foreign]

    def knows(self, name: str) -> bool:
        """Whether a name is registered, foreign or not."""
        return name in self.names() or self.is_foreign(name)

    def is_foreign(self, name: str) -> bool:
        """Whether the name stands for code of others: `games.is_foreign("openspiel")`."""
        return name in self._foreign

    def get(self, name: str) -> type:
        """The class of that name; an unknown name is a ValueError that lists the known names."""
        if name not in self._entries:
            self._load_entry_points()
        if name not in self._entries:
            raise ValueError(unknown(f"{self.kind} {clip(name)}", name, self.names()))
        entry = self._entries[name]
        if isinstance(entry, str):
            module, _, attribute = entry.partition(":")
            entry = getattr(importlib.import_module(module), attribute)
            self._entries[name] = entry
        return entry

    def make(self, spec: str | Spec, *given: object) -> Any:
        """Make the game or bot that a spec describes: `games.make("hex:size=9")`."""
        spec = Spec.parse(spec) if isinstance(spec, str) else spec
        cls = self.get(spec.name)
        options, skip = self._options(cls)
        return cls(*given, **read_options(options, spec.options, thing=spec.name, skip=skip))

    def describe(self, name: str) -> list[OptionInfo]:
        """The options of the class of that name, for display."""
        options, skip = self._options(self.get(name))
        return describe(options, skip=skip)

    def has_option(self, name: str, option: str) -> bool:
        """Whether the class of that name has this option: `bots.has_option("mcts", "seed")`."""
        return any(info.name == option for info in self.describe(name))

    def current(self, spec: Spec) -> Spec:
        """The spec without options of earlier versions, which a warning names."""
        options, _ = self._options(self.get(spec.name))
        return Spec(spec.name, dict(without_removed(options, spec.options, spec.name)))

    def seeded(self, spec: Spec, seed: int | None) -> Spec:
        """The spec with this seed, if the class has the option and the spec does not set it."""
        if seed is None or "seed" in spec.options or not self.has_option(spec.name, "seed"):
            return spec
        return spec.with_options({"seed": str(seed)})

    def name_of(self, cls: type) -> str | None:
        """The name a class is registered under, or None."""
        for name, entry in list(self._entries.items()):  # get() may import modules that register more
            named_alike = isinstance(entry, str) and entry.endswith(f":{cls.__name__}")
            if entry is cls or named_alike and self.get(name) is cls:
                return name
        return None

    def spec_of(self, thing: object) -> str | None:
        """The spec that makes this game or bot again, or None if its class is not registered.

        Options are read from attributes of the same names, of `thing.options` if the class has `Options`. An
        attribute `given` names the options to write if others were filled in from elsewhere.
        """
        thing = getattr(thing, "own", thing)  # an author's game is registered as it is
        name = self.name_of(type(thing))
        if name is None:
            return None
        options, skip = self._options(type(thing))
        instance = thing if options is type(thing) else thing.options  # type: ignore[attr-defined]
        return str(Spec(name, to_text(instance, skip=skip, only=getattr(thing, "given", None))))

    def _options(self, cls: type) -> tuple[type, int]:
        options: type | None = getattr(cls, "Options", None)
        return (cls, self._given) if options is None else (options, 0)

    def _add(self, name: str, cls: type) -> None:
        known = self._entries.get(check_name(name), cls)
        if known is not cls and not _same(known, cls):
            raise ValueError(
                f"{self.kind} {name!r} is already registered as {known}; choose another name for {cls}"
            )
        self._entries[name] = cls

    def _load_entry_points(self) -> None:
        if self._entry_points_loaded:
            return
        self._entry_points_loaded = True
        from importlib.metadata import entry_points  # slow to import and rarely needed

        for entry_point in entry_points(group=self.entry_point_group):
            try:
                self._add(entry_point.name, entry_point.load())
            except Exception as error:  # a broken package must not hide the others
                source = f"{entry_point.name} = {entry_point.value}"
                message = f"entry point {source!r} of {self.entry_point_group} is ignored: {error!r}"
                warnings.warn(message, RuntimeWarning, stacklevel=3)


def _same(known: type | str, cls: type) -> bool:
    """Whether this is the same class again: by its path, or redefined by a notebook cell."""
    if isinstance(known, str):
        module, _, name = known.partition(":")
        return name == cls.__qualname__ and cls.__module__.startswith(module)
    return (known.__module__, known.__qualname__) == (cls.__module__, cls.__qualname__)


games = Registry("game", "tesuji.games")
bots = Registry("bot", "tesuji.bots", given=1)


def register_game(name: str) -> Callable[[C], C]:
    """Register a game class under a name: `@tesuji.register_game("tictactoe")`."""
    return games.register(name)


def register_bot(name: str) -> Callable[[C], C]:
    """Register a bot class under a name: `@tesuji.register_bot("mine")`; made as `Mine(game, **options)`."""
    return bots.register(name)


def spec_of(thing: object) -> str:
    """The spec that makes this game or bot again: `tesuji.spec_of(Hex(size=9)) == "hex:size=9"`."""
    for registry in (games, bots):
        spec = registry.spec_of(thing)
        if spec is not None:
            return spec
    name = type(getattr(thing, "own", thing)).__name__
    raise ValueError(f"{name} has no spec: its class is not registered (see register_game and register_bot)")


def first_line(cls: type) -> str:
    """The first line of a class's docstring, without a Python example at its end."""
    line = (cls.__doc__ or "").strip().partition("\n")[0]
    if line.startswith(f"{cls.__name__}("):  # generated for a dataclass without a docstring
        return ""
    return re.sub(r"[\s:;,]*`[^`]*`\.?$", "", line)
