"""Base of the searching bots: game, options and a native searcher."""

from __future__ import annotations

import secrets
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, ClassVar, Literal, NoReturn, TypeAlias, TypeVar, Unpack

from tesuji import _core
from tesuji.adapter import full_state
from tesuji.any_game import Game, State, is_position_of
from tesuji.any_game import game as as_game
from tesuji.full_bot import FullBot, Limits
from tesuji.full_game import FullGame, FullState, Move
from tesuji.knowledge import Knowledge, native_form
from tesuji.options import OptionError, Options, to_text, unknown, without_removed
from tesuji.search.analysis import Analysis, Candidate
from tesuji.search.tablebase import TablebaseOption, find_tablebase

OptionsT = TypeVar("OptionsT", bound=Options)
CoreOptionsT = TypeVar("CoreOptionsT")
Progress = Callable[[Analysis], object]

GameOrOff: TypeAlias = Literal["game", "off"]
"""A hook of the game's knowledge, or none."""
ProximityOption: TypeAlias = Literal["off", "soft", "hard", "filter", "narrow", "edge"]
"""Forms of proximity; every game that has a proximity has `soft` and `hard`, Gomoku has all of them."""


class Unpicklable:
    """A bot that holds native objects and cannot be pickled; other processes make their own."""

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            f"{type(self).__name__} cannot be pickled or copied: "
            f"pass its spec and call tesuji.bot(spec, game) there"
        )


class SearchBot(Unpicklable, FullBot):
    """A bot around a native search; subclasses make and run the searcher."""

    Options: ClassVar[type[Options]]
    limits: ClassVar[tuple[str, ...]]
    """The options that limit a search; each call may override them."""
    options: Any
    given: tuple[str, ...]
    """The options that were given; all others come from the knowledge's settings or are defaults."""
    _searcher: _core.Searcher | _core.AlphaBetaSearcher | _core.ZeroSearcher

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        accepted = {field.name for field in fields(cls.Options)}
        cls.limits = tuple(name for name in Limits.__annotations__ if name in accepted)

    def __init__(self, game: Game | str) -> None:
        self.game = as_game(game)

    def choose(self, state: State, **limits: Unpack[Limits]) -> Move:
        """The move to play; a single legal move is played without a search. Limits as in `analyse`."""
        moves = state.moves()
        return moves[0] if len(moves) == 1 else self.analyse(state, **limits).move

    def analyse(
        self, state: State, *, progress: Progress | None = None, **limits: Unpack[Limits]
    ) -> Analysis:
        """Search the position. `progress` is called with the analysis so far, ten times per second.

        Limits given here, such as `seconds=0.5`, replace the bot's own for this search.
        """
        position = full_state(state, self.game)
        options = self._within(limits) if limits else self.options
        report = None
        if progress is not None:

            def report() -> None:
                progress(self._analysis(position, self._searcher.report()))

        return self._analysis(position, self._search(self._root(position), options, report))

    def cancel(self) -> None:
        """Stop a running search soon, with its result so far; from any thread or a signal handler.

        A search that has not begun yet is not affected.
        """
        self._searcher.cancel()

    def reset(self) -> None:
        """Clear the tree or table and restart from the seed, as for a new game."""
        self._searcher.forget()

    def __repr__(self) -> str:
        given = to_text(self.options, keep=True, only=self.given)
        options = (f"{key}={value}" for key, value in given.items())
        return f"{type(self).__name__}({', '.join([repr(self.game), *options])})"

    def _with_settings(self, options: OptionsT, settings: Mapping[str, object]) -> OptionsT:
        """The options, with the knowledge's settings in place of the defaults."""
        return replace(options, **{name: settings[name] for name in settings if name not in self.given})

    def _within(self, limits: Mapping[str, object]) -> Any:
        """The options with these limits in place of the bot's own."""
        for name in limits:
            if name not in self.limits:
                raise OptionError(unknown(f"limit {name!r} of a search", name, self.limits))
        return replace(self.options, **{**dict.fromkeys(self.limits), **limits})

    @abstractmethod
    def _search(self, root: object, options: Any, report: Callable[[], None] | None) -> Mapping[str, object]:
        """Run the native search; only the limits of `options` may differ from the bot's."""

    def _analysis(self, state: FullState, found: Mapping[str, Any]) -> Analysis:
        """The native result as an `Analysis`."""
        candidates = tuple(Candidate(*candidate) for candidate in found["candidates"])
        return Analysis(state=state, **{**found, "candidates": candidates})

    def _root(self, state: FullState) -> object:
        """The position as the native search takes it; ValueError if it belongs to another game."""
        if not is_position_of(self.game, state):
            raise ValueError(
                f"this bot plays {self.game.display_name}, but the position is of another game: {state!r}"
            )
        return state.root

    def _from_core(self) -> Callable[[_core.State], FullState] | None:
        """Makes the public state from a native one; None if the search plays by Python rules."""
        return self.game.from_core if self.game.native else None


def settings_of(knowledge: Knowledge | None, options: type[Options]) -> dict[str, object]:
    """The knowledge's settings for this search; ValueError for a setting that no search has.

    Settings under the name of a search are its own, and go before the others.

    >>> from tesuji.search import AlphaBetaOptions
    >>> settings_of(Knowledge(settings={"rave": "node", "history": False}), AlphaBetaOptions)
    {'history': False}
    >>> own = Knowledge(settings={"move_ordering": "learned", "alphabeta": {"move_ordering": "game"}})
    >>> settings_of(own, AlphaBetaOptions)
    {'move_ordering': 'game'}
    """
    from tesuji.search.alphabeta import AlphaBetaOptions
    from tesuji.search.mcts import MCTSOptions

    searches: dict[str, type[Options]] = {"mcts": MCTSOptions, "alphabeta": AlphaBetaOptions}
    names = {search: {field.name for field in fields(kind)} for search, kind in searches.items()}
    there = set().union(*names.values(), *(kind.removed for kind in searches.values()))
    accepted = {field.name for field in fields(options)}
    found: dict[str, object] = {}
    own: dict[str, object] = {}
    for name, value in (knowledge.settings if knowledge is not None else {}).items():
        if name in searches and isinstance(value, Mapping):
            for each in value:
                if each not in names[name] | searches[name].removed.keys():
                    raise ValueError(unknown(f"setting {each!r} of {name}", each, sorted(names[name])))
            if searches[name] is options:
                own = dict(without_removed(options, value, "the knowledge"))
        elif name in options.removed:
            without_removed(options, {name: value}, "the knowledge")
        elif name not in there:
            raise ValueError(unknown(f"setting {name!r} of the knowledge", name, sorted(there)))
        elif name in accepted:
            found[name] = value
    return found | own


def core_options(kind: Callable[[], CoreOptionsT], options: Options, **others: object) -> CoreOptionsT:
    """The options as the core takes them: its fields by name, from the options or from here.

    None stands for the core's own default.
    """
    given = {**vars(options), **others}
    if given["seed"] is None:
        given["seed"] = secrets.randbits(64)
    given["hard_proximity"] = given["proximity"] not in ("off", "soft")
    native = kind()
    for name in given.keys() & set(dir(kind)):
        if given[name] is not None:
            setattr(native, name, given[name])
    return native


def common_hooks(
    proximity: str, tablebase: TablebaseOption, knowledge: Knowledge | None, game: FullGame
) -> dict[str, object]:
    """The proximity and the tablebase that options of any search name."""
    hooks: dict[str, object] = {}
    if proximity != "off":
        hooks["proximity"] = find_proximity(knowledge, game, proximity)
    if (found := find_tablebase(tablebase, game)) is not None:
        hooks["tablebase"] = found
    return hooks


def native_hook(knowledge: Knowledge | None, name: str) -> Any:
    """The native form of a hook of the knowledge, or None.

    >>> native_hook(None, "prover") is None
    True
    """
    return None if knowledge is None else getattr(getattr(knowledge, name), "native", None)


def find_proximity(knowledge: Knowledge | None, game: FullGame, how: str) -> object:
    """The knowledge's proximity, native where possible; ValueError where it has none.

    `soft` and `hard` are forms of every proximity; others are listed in its attribute `variants`.
    """
    hook = None if knowledge is None else knowledge.proximity
    if hook is None:
        raise ValueError(f"proximity={how}: the knowledge of {game.display_name} has no proximity")
    if how not in ("soft", "hard"):
        variants = getattr(hook, "variants", {})
        if how not in variants:
            known = ", ".join(("soft", "hard", *variants))
            raise ValueError(f"proximity={how}: the knowledge of {game.display_name} has {known}")
        hook = variants[how]
    return native_form(hook)
