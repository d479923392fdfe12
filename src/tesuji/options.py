"""Options, declared once in a dataclass; specs, the CLI, the web form and the docs are generated from it.

    @dataclass(frozen=True, kw_only=True)
    class Hex(Options):
        size: int = option(11, "cells along each side", minimum=2, maximum=19)
        swap: bool = option(False, "the second player may take over the first stone")

Text means the same everywhere, in a spec and from Python: `on` and `off` are True and False (`off` is None
where None is allowed), `20_000` and `1e6` are whole numbers. Plain dataclasses and plain classes are
described by their signature, so a user's game needs no base class.
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import inspect
import math
import sys
import types
import typing
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass
from numbers import Integral, Real
from typing import Any, ClassVar, Concatenate, Literal, NamedTuple, ParamSpec, Self, TypeAlias, TypeVar
from weakref import WeakKeyDictionary

from tesuji._helpers.clipping import SHOWN_SPEC, clip

T = TypeVar("T")
G = TypeVar("G")
P = ParamSpec("P")
OptionsT = TypeVar("OptionsT", bound="Options")


class OptionError(ValueError):
    """An unknown option or an invalid value; the message says what is allowed."""


class OptionWarning(FutureWarning):
    """An option of an earlier version, which is renamed or ignored; the message says what to use instead."""


Visibility: TypeAlias = Literal["basic", "expert", "study"]
"""Who sets an option: everybody, somebody who knows the search, or a study that measures what it is worth."""


class OptionInfo(NamedTuple):
    """The description of an option: `OptionInfo("size", "int 2..19", "11", "cells along each side")`."""

    name: str
    kind: str
    default: str
    doc: str
    words: tuple[str, ...] = ()
    """The words it accepts, such as `on` and `off`, besides numbers or text."""
    number: Literal["", "int", "float"] = ""
    """The type of numbers that it takes, if any."""
    minimum: float | None = None
    maximum: float | None = None
    text: bool = False
    """Whether it takes any text."""
    visibility: Visibility = "basic"


def option(
    default: T,
    doc: str,
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    choices: Sequence[object] | None = None,
    visibility: Visibility = "basic",
    none: str = "off",
) -> T:
    """Declare a documented field of an options dataclass.

    Use it in place of a default: `size: int = option(11, "cells along each side", minimum=2, maximum=19)`.
    `none` is the text for None: `off` for what is not used, `auto` for what is decided elsewhere.
    """
    metadata = {
        "doc": doc,
        "minimum": minimum,
        "maximum": maximum,
        "choices": choices,
        "visibility": visibility,
        "none": none,
    }
    return dataclasses.field(default=default, metadata=metadata)


@dataclass(frozen=True, kw_only=True)
class Options:
    """Base of an options dataclass: creation checks and converts every field.

    >>> @dataclass(frozen=True, kw_only=True)
    ... class Hex(Options):
    ...     size: int = option(11, "cells along each side", minimum=2, maximum=19)
    >>> Hex(size="9")
    Hex(size=9)

    `Hex(size=99)` is an OptionError: size must be from 2 to 19, not 99.
    """

    removed: ClassVar[Mapping[str, str]] = {}
    """Earlier options or values (`name=value`), which are ignored; a warning says what to use instead."""
    renamed: ClassVar[Mapping[str, str]] = {}
    """Earlier names of options, or of values (`name=value`), and what they are called now."""

    def __post_init__(self) -> None:
        for field in _fields(type(self)):
            object.__setattr__(self, field.name, field.read(getattr(self, field.name)))

    @classmethod
    def of(cls, given: Mapping[str, Any], *, thing: str) -> Self:
        """An instance from keywords; unknown ones raise the same OptionError as in a spec."""
        return cls(**_known(cls, given, thing))


def takes(
    options: Callable[P, OptionsT], thing: str
) -> Callable[[Callable[[T, G, OptionsT], None]], Callable[Concatenate[T, G, P], None]]:
    """Decorate the constructor of a bot: it receives the options, and its callers give them as keywords.

    Type checkers, editors and `help` see every keyword. The names of those given are kept in `self.given`.

    >>> @dataclass(frozen=True, kw_only=True)
    ... class MineOptions(Options):
    ...     depth: int = option(2, "plies", minimum=1)
    >>> class Mine:
    ...     @takes(MineOptions, "mine")
    ...     def __init__(self, game: str, options: MineOptions) -> None:
    ...         self.options = options
    >>> Mine("hex", depth=3).options
    MineOptions(depth=3)
    >>> print(inspect.signature(Mine))
    (game: 'str', *, depth: 'int' = 2) -> 'None'
    """
    kind: type[OptionsT] = options  # type: ignore[assignment]

    def decorate(init: Callable[[T, G, OptionsT], None]) -> Callable[Concatenate[T, G, P], None]:
        @functools.wraps(init)
        def with_keywords(self: Any, game: G, **given: Any) -> None:
            known = _known(kind, given, thing)
            self.given = tuple(known)
            init(self, game, kind(**known))

        signature = inspect.signature(init)
        positional = list(signature.parameters.values())[:2]
        keywords = inspect.signature(kind).parameters.values()
        with_keywords.__signature__ = signature.replace(parameters=[*positional, *keywords])  # type: ignore[attr-defined]
        return with_keywords  # type: ignore[return-value]

    return decorate


def describe(cls: type, *, skip: int = 0) -> list[OptionInfo]:
    """The options of a class after its first `skip` parameters: `describe(Hex)[0].kind == "int 2..19"`.

    Basic ones come first, then those for experts, then those for studies.
    """
    order = typing.get_args(Visibility)
    return sorted((field.info() for field in _fields(cls, skip)), key=lambda one: order.index(one.visibility))


def from_text(cls: type[T], texts: Mapping[str, str], *, thing: str | None = None) -> T:
    """Make an instance from texts: `from_text(Hex, {"size": "9"}) == Hex(size=9)`."""
    return cls(**read_options(cls, texts, thing=thing or cls.__name__))


def read_options(cls: type, texts: Mapping[str, str], *, thing: str, skip: int = 0) -> dict[str, Any]:
    """Keyword arguments for `cls`: `read_options(Hex, {"size": "9"}, thing="hex") == {"size": 9}`."""
    fields = {field.name: field for field in _fields(cls, skip)}
    texts = _known(cls, texts, thing, skip)
    for field in fields.values():
        if field.default is MISSING and field.name not in texts:
            raise OptionError(f"{thing} needs the option {field.name}={field.kind()}")
    return {name: fields[name].read(text) for name, text in texts.items()}


def without_removed(cls: type, given: Mapping[str, T], thing: str) -> dict[str, T]:
    """The options without those of earlier versions, which specs and records may still have.

    An option or value that has another name now gets it.
    """
    kept: dict[str, Any] = {}
    removed: Mapping[str, str] = getattr(cls, "removed", {})
    renamed: dict[str, str] = {**getattr(cls, "renamed", {})}
    if issubclass(cls, Options):
        automatic = (one.name for one in _fields(cls) if "auto" in one.words and "off" not in one.words)
        renamed |= {f"{name}=off": f"{name}=auto" for name in automatic}
    for name, value in given.items():
        words = (name, f"{name}={value}") if isinstance(value, str) else (name,)  # not the repr of a hook
        if (what := next((word for word in words if word in removed), None)) is not None:
            message = f"{thing} no longer has the option {what}, which is ignored: {removed[what]}"
        elif (what := next((word for word in words if word in renamed), None)) is not None:
            message = f"{thing}: the option {what} is called {renamed[what]} now"
            new, _, text = renamed[what].partition("=")
            kept[new] = text or value
        else:
            kept[name] = value
            continue
        warnings.warn(message, OptionWarning, stacklevel=4)
    return kept


def _known(cls: type, given: Mapping[str, T], thing: str, skip: int = 0) -> dict[str, T]:
    """The options as they are called now; an OptionError for one that the class does not have."""
    names = [field.name for field in _fields(cls, skip)]
    given = without_removed(cls, given, thing)
    for name in given:
        if name not in names:
            raise OptionError(unknown(f"option {clip(name)} for {thing}", name, names))
    return given


def to_text(
    instance: object, *, keep: bool = False, skip: int = 0, only: Collection[str] | None = None
) -> dict[str, str]:
    """The options that differ from their defaults: `to_text(Hex(size=9)) == {"size": "9"}`.

    A value without a text form, such as a function, is an OptionError; with `keep` it is written as
    `<function name>`. `only` names the options to write instead, whatever their values.
    """
    texts = {}
    for field in _fields(type(instance), skip):
        try:
            value = getattr(instance, field.name)
        except AttributeError:
            cls = type(instance).__name__
            raise OptionError(f"{cls} must store the option {field.name} in an attribute") from None
        if field.name not in only if only is not None else value is field.default or value == field.default:
            continue
        text = field.write(value)
        if text is None and not keep:
            raise OptionError(f"{field.name}={value!r} has no text form; set it from Python")
        texts[field.name] = _show(value) if text is None else text
    return texts


def unknown(what: str, name: str, allowed: Iterable[str]) -> str:
    """`unknown("bot 'mtcs'", "mtcs", names)`: "unknown bot 'mtcs'; did you mean 'mcts'? (random, mcts)".

    The suggestion ignores case: `mcts` for `MCTS`.
    """
    allowed = list(allowed)
    folded = {each.casefold(): each for each in reversed(allowed)}
    close = difflib.get_close_matches(name.casefold(), folded, n=1)
    hint = f"; did you mean {folded[close[0]]!r}?" if close else ""
    return f"unknown {what}{hint} ({', '.join(allowed) or 'there are none'})"


class _Field:
    """One option: the words, numbers, texts or Python objects it accepts, by its annotation."""

    def __init__(self, name: str, annotation: object, default: object, metadata: Mapping[str, Any]) -> None:
        self.name = name
        self.default = default
        self.doc: str = metadata.get("doc", "")
        self.minimum: float | None = metadata.get("minimum")
        self.maximum: float | None = metadata.get("maximum")
        self.choices: Sequence[object] | None = metadata.get("choices")
        self.visibility: Visibility = metadata.get("visibility", "basic")
        self.words: dict[str, object] = {_show(choice): choice for choice in self.choices or ()}
        self.number: type[int] | type[float] | None = None
        self.text = False
        self.others: list[object] = []
        for kind in _alternatives(annotation):
            if kind is bool:
                self.words |= {"on": True, "off": False}
            elif kind is None or kind is types.NoneType:
                self.words[metadata.get("none", "off")] = None
            elif typing.get_origin(kind) is Literal:
                self.words |= {_show(word): word for word in typing.get_args(kind)}
            elif kind is int or kind is float:
                self.number = kind
            elif kind is str:
                self.text = not self.choices
            else:
                self.others.append(kind)

    def read(self, value: object) -> object:
        """Convert a text or Python value to the option's value, or raise an OptionError."""
        if isinstance(value, str) and value in self.words:
            return self.words[value]
        if any(_same(word, value) for word in self.words.values()):
            return value
        number = _number(value, self.number)
        if number is not None:
            if number in self.choices if self.choices else self._in_range(number):
                return number
            raise OptionError(
                f"{self.name} must be {self._wanted(noun=not _finite(number))}, not {clip(number)}"
            )
        if isinstance(value, str) and self.text or any(_fits(value, kind) for kind in self.others):
            return value
        raise OptionError(f"{self.name} must be {self._wanted(noun=True)}, not {clip(value, SHOWN_SPEC)}")

    def write(self, value: object) -> str | None:
        """The text that reads back as this value, or None."""
        text = next((text for text, word in self.words.items() if _same(word, value)), _show(value))
        try:
            return text if self.read(text) == value else None
        except OptionError:
            return None

    def kind(self) -> str:
        """The accepted values, in short: `int 2..19`, `on|off`, `int ≥ 1 or off`."""
        parts = []
        if self.number and not self.choices:
            parts.append(f"{self.number.__name__} {self._range('{}..{}', '≥ {}', '≤ {}')}".rstrip())
        if self.text:
            parts.append("text")
        if self.words:
            parts.append("|".join(self.words))
        return " or ".join(parts) or "set from Python"

    def info(self) -> OptionInfo:
        """The option as shown to people."""
        number = self.number if not self.choices else None
        return OptionInfo(
            self.name,
            self.kind(),
            self.shown_default(),
            self.doc,
            tuple(self.words),
            "int" if number is int else "float" if number is float else "",
            self.minimum,
            self.maximum,
            self.text,
            self.visibility,
        )

    def shown_default(self) -> str:
        """The default as text, or `required`."""
        if self.default is MISSING:
            return "required"
        return self.write(self.default) or _show(self.default)

    def _wanted(self, *, noun: bool) -> str:
        parts = []
        if self.number and not self.choices:
            name = "a whole number" if self.number is int else "a number"
            span = self._range("from {} to {}", "at least {}", "at most {}")
            parts.append(f"{name} {span}".rstrip() if noun or not span else span)
        if self.text:
            parts.append("text")
        words = list(self.words)
        if len(words) <= 2:
            parts += words
        else:
            parts.append(f"one of {', '.join(words)}")
        parts += [getattr(kind, "__name__", str(kind)) for kind in self.others]
        return " or ".join(parts)

    def _range(self, both: str, above: str, below: str) -> str:
        if self.minimum is not None and self.maximum is not None:
            return both.format(_show(self.minimum), _show(self.maximum))
        if self.minimum is not None:
            return above.format(_show(self.minimum))
        return below.format(_show(self.maximum)) if self.maximum is not None else ""

    def _in_range(self, number: float) -> bool:
        low = -math.inf if self.minimum is None else self.minimum
        high = math.inf if self.maximum is None else self.maximum
        return _finite(number) and low <= number <= high


_resolved: WeakKeyDictionary[type, dict[int, tuple[_Field, ...]]] = WeakKeyDictionary()


def _fields(cls: type, skip: int = 0) -> tuple[_Field, ...]:
    """The options of a class after its first `skip` parameters; its annotations are resolved only once."""
    known = _resolved.setdefault(cls, {})
    if skip not in known:
        known[skip] = _resolve(cls, skip)
    return known[skip]


def _resolve(cls: type, skip: int) -> tuple[_Field, ...]:
    """The options of a dataclass from its fields, of any other class from its signature."""
    if dataclasses.is_dataclass(cls):
        hints = typing.get_type_hints(cls)
        found = []
        for field in dataclasses.fields(cls):
            default = field.default if field.default_factory is MISSING else field.default_factory()
            if field.init:
                found.append(_Field(field.name, hints[field.name], default, field.metadata))
        return tuple(found[skip:])
    parameters = list(inspect.signature(cls).parameters.values())[skip:]
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    scope = getattr(cls.__init__, "__globals__", None) or vars(sys.modules[cls.__module__])  # type: ignore[misc]
    fields = []
    for parameter in parameters:
        if parameter.kind not in named:
            continue
        default = MISSING if parameter.default is parameter.empty else parameter.default
        annotation = parameter.annotation
        if annotation is parameter.empty:  # by the type of the default
            annotation = str | None if default is None else str if default is MISSING else type(default)
        elif isinstance(annotation, str):  # one by one: others may name types imported for type checking only
            annotation = eval(annotation, scope)
        fields.append(_Field(parameter.name, annotation, default, {}))
    return tuple(fields)


def _alternatives(annotation: object) -> list[object]:
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return [kind for part in typing.get_args(annotation) for kind in _alternatives(part)]
    return [annotation]


def _number(value: object, kind: type[int] | type[float] | None) -> int | float | None:
    """The value as a number of this kind: `20_000` and `1e6` are whole, 2.5 and True are not."""
    if kind is None or isinstance(value, bool) or not isinstance(value, str | Real):
        return None
    if kind is int and isinstance(value, str | Integral):
        try:
            return int(value)
        except ValueError:
            pass
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    if kind is float:
        return number
    return int(number) if number.is_integer() else None


def _finite(number: float) -> bool:
    return isinstance(number, int) or math.isfinite(number)  # isfinite() overflows for very large ints


def _same(word: object, value: object) -> bool:
    return type(word) is type(value) and word == value  # 1 is not True


def _fits(value: object, kind: object) -> bool:
    try:
        return isinstance(value, typing.get_origin(kind) or typing.cast(type, kind))
    except TypeError:  # Any, or a protocol without runtime checks
        return True


def _show(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return repr(float(value)).removesuffix(".0")
    if callable(value):
        return f"<function {getattr(value, '__name__', type(value).__name__)}>"
    return "off" if value is None else str(value)
