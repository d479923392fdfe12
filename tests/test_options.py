"""Options: declared once, read from text, written back, described."""

import math
import re
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass
from typing import Any, Literal, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tesuji
from tesuji.knowledge import Knowledge
from tesuji.learn.zero.config import ZeroConfig
from tesuji.options import (
    OptionError,
    OptionInfo,
    Options,
    OptionWarning,
    describe,
    from_text,
    option,
    to_text,
)
from tesuji.search import AlphaBetaOptions, MCTSOptions
from tesuji.search.bot import settings_of
from tesuji.search.zero import ZeroOptions


@dataclass(frozen=True, kw_only=True)
class Everything(Options):
    """One option of each kind."""

    size: int = option(11, "cells along each side", minimum=2, maximum=19)
    swap: bool = option(False, "the second player may take over the first stone")
    rave: Literal["node", "global", "off"] = option("node", "where statistics are shared")
    iterations: int | None = option(1000, "simulations for each move", minimum=1)
    exploration: float = option(1.4, "how much the unknown attracts")
    cutoff: float | Literal["game"] = option("game", "share of a playout that is played", minimum=0)
    policy: Literal["game", "off"] | Callable[[int], int] = option("game", "how playouts choose")
    book: str = option("", "a file of openings")
    depth: float = option(math.inf, "plies", choices=(1.0, 2.0, math.inf))


def test_defaults_and_given_values_are_kept() -> None:
    options = Everything(size=9, policy=abs)
    assert (options.size, options.swap, options.policy) == (9, False, abs)


def test_options_cannot_change_once_made() -> None:
    with pytest.raises(FrozenInstanceError):
        Everything().size = 9  # type: ignore[misc]


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("size", "9", 9),
        ("swap", "on", True),
        ("swap", "off", False),
        ("rave", "global", "global"),
        ("rave", "off", "off"),
        ("iterations", "20_000", 20_000),
        ("iterations", "1e6", 1_000_000),
        ("iterations", "off", None),
        ("exploration", "2", 2.0),
        ("exploration", "-1e-3", -0.001),
        ("cutoff", "0.5", 0.5),
        ("cutoff", "game", "game"),
        ("policy", "off", "off"),
        ("book", "off", "off"),
        ("depth", "inf", math.inf),
        ("depth", "2.0", 2.0),
    ],
)
def test_text_is_read_by_the_type_of_the_option(key: str, text: str, value: object) -> None:
    read = getattr(from_text(Everything, {key: text}), key)
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize(
    ("key", "text", "message"),
    [
        ("size", "99", "size must be from 2 to 19, not 99"),
        ("size", "big", "size must be a whole number from 2 to 19, not 'big'"),
        ("size", "9.5", "size must be a whole number from 2 to 19, not '9.5'"),
        ("swap", "maybe", "swap must be on or off, not 'maybe'"),
        ("rave", "yes", "rave must be one of node, global, off, not 'yes'"),
        ("iterations", "0", "iterations must be at least 1 or off, not 0"),
        ("exploration", "nan", "exploration must be a number, not nan"),
        ("exploration", "inf", "exploration must be a number, not inf"),
        ("cutoff", "-1", "cutoff must be at least 0 or game, not -1.0"),
        ("policy", "abs", "policy must be game or off or Callable, not 'abs'"),
        ("depth", "3", "depth must be one of 1, 2, inf, not 3.0"),
        ("sise", "9", "unknown option 'sise' for hex; did you mean 'size'? (size, swap, rave, "),
    ],
)
def test_a_wrong_text_is_an_error_that_says_what_is_right(key: str, text: str, message: str) -> None:
    with pytest.raises(OptionError) as error:
        from_text(Everything, {key: text}, thing="hex")
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("size", 99, "size must be from 2 to 19, not 99"),
        ("size", 10**400, "size must be from 2 to 19, not 1000"),
        ("size", True, "size must be a whole number from 2 to 19, not True"),
        ("size", 9.5, "size must be a whole number from 2 to 19, not 9.5"),
        ("swap", 1, "swap must be on or off, not 1"),
        ("rave", None, "rave must be one of node, global, off, not None"),
        ("exploration", math.nan, "exploration must be a number, not nan"),
        ("policy", 3, "policy must be game or off or Callable, not 3"),
    ],
)
def test_a_wrong_value_from_python_is_the_same_error(key: str, value: Any, message: str) -> None:
    with pytest.raises(OptionError) as error:
        Everything(**{key: value})
    assert str(error.value).startswith(message)


def test_words_have_the_same_meaning_in_python_and_in_specs() -> None:
    words: dict[str, Any] = {"swap": "on", "iterations": "off", "size": 9.0}
    assert Everything(**words) == Everything(swap=True, iterations=None, size=9)


def test_only_what_differs_from_the_defaults_is_written() -> None:
    options = Everything(size=11, iterations=None, exploration=2, swap=True)
    assert to_text(options) == {"swap": "on", "iterations": "off", "exploration": "2"}


def test_a_function_has_no_text_but_can_be_shown() -> None:
    with pytest.raises(OptionError, match="policy=<built-in function abs>"):
        to_text(Everything(policy=abs))
    assert to_text(Everything(policy=abs), keep=True) == {"policy": "<function abs>"}


@given(
    st.builds(
        Everything,
        size=st.integers(2, 19),
        swap=st.booleans(),
        rave=st.sampled_from(["node", "global", "off"]),
        iterations=st.none() | st.integers(min_value=1),
        exploration=st.floats(allow_nan=False, allow_infinity=False),
        cutoff=st.just("game") | st.floats(min_value=0, allow_infinity=False),
        policy=st.sampled_from(["game", "off"]),
        book=st.text(),
        depth=st.sampled_from([1.0, 2.0, math.inf]),
    )
)
def test_any_options_read_back_from_their_text(options: Everything) -> None:
    assert from_text(Everything, to_text(options)) == options


def test_options_are_described_for_people() -> None:
    described = {info.name: info for info in describe(Everything)}
    assert described["size"] == OptionInfo(
        "size", "int 2..19", "11", "cells along each side", number="int", minimum=2, maximum=19
    )
    assert (described["iterations"].minimum, described["iterations"].maximum) == (1, None)
    assert {name: (info.kind, info.default) for name, info in described.items()} == {
        "size": ("int 2..19", "11"),
        "swap": ("on|off", "off"),
        "rave": ("node|global|off", "node"),
        "iterations": ("int ≥ 1 or off", "1000"),
        "exploration": ("float", "1.4"),
        "cutoff": ("float ≥ 0 or game", "game"),
        "policy": ("game|off", "game"),
        "book": ("text", ""),
        "depth": ("1|2|inf", "inf"),
    }


@pytest.mark.parametrize(
    ("options", "most"), [(MCTSOptions, 12), (AlphaBetaOptions, 8), (ZeroOptions, 8), (ZeroConfig, 15)]
)
def test_basic_options_are_few_and_come_first(options: type, most: int) -> None:
    classes = [info.visibility for info in describe(options)]
    assert 0 < classes.count("basic") <= most
    assert classes == sorted(classes)


@pytest.mark.parametrize(
    ("bot", "gone"),
    [
        ("mcts", "when_full=stop"),
        ("alphabeta", "move_count=on"),
        ("zero", "collisions=4"),
        ("zero", "symmetries=average"),
    ],
)
def test_a_spec_of_an_earlier_version_is_played_with_one_warning(bot: str, gone: str) -> None:
    name = gone if "average" in gone else gone.partition("=")[0]
    with pytest.warns(OptionWarning, match=f"{bot} no longer has the option {name}") as warned:
        made: Any = tesuji.bot(f"{bot}:{gone},seed=1", "hex")
    assert len(warned) == 1
    assert tesuji.spec_of(made) == f"{bot}:seed=1"
    option, _, value = gone.partition("=")
    with pytest.warns(OptionWarning, match=name) as warned:
        made = type(made)("hex", seed=1, **{option: value})
    assert (len(warned), warned[0].filename, made.given) == (1, __file__, ("seed",))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("mcts:revisit=0.5", "mcts:exploration_floor=0.5"),
        ("mcts:exploration=off", "mcts:exploration=auto"),
        ("alphabeta:nodes=off", "alphabeta:nodes=auto"),
        ("zero:batch=2", "zero:batch_size=2"),
        ("zero:first_play=0.5", "zero:first_play_reduction=0.5"),
    ],
)
def test_a_renamed_option_is_read_with_one_warning(old: str, new: str) -> None:
    with pytest.warns(OptionWarning, match="is called .* now") as warned:
        made: Any = tesuji.bot(old, "hex")
    assert len(warned) == 1
    assert tesuji.spec_of(made) == new
    name, option, value = re.split("[:=]", old)
    with pytest.warns(OptionWarning, match=f"{name}: the option {option}") as warned:
        again = type(made)("hex", **{option: value})
    assert (len(warned), warned[0].filename, tesuji.spec_of(again)) == (1, __file__, new)
    assert again.given == (re.split("[:=]", new)[1],)


def test_a_setting_of_an_earlier_version_is_ignored_with_one_warning() -> None:
    knowledge = Knowledge(settings={"move_count": True, "mcts": {"when_full": "stop", "rave": "node"}})
    with pytest.warns(OptionWarning, match="move_count") as warned:
        assert settings_of(knowledge, AlphaBetaOptions) == {}
    assert len(warned) == 1
    with pytest.warns(OptionWarning, match="when_full"):
        assert settings_of(knowledge, MCTSOptions) == {"rave": "node"}


class Plain:
    """A class as a user may write it: some parameters have no annotation."""

    def __init__(self, size: int = 3, *, name="x", wrap: "bool" = True, limit=None) -> None:  # type: ignore[no-untyped-def]
        self.size, self.name, self.wrap, self.limit = size, name, wrap, limit


class Tuple(NamedTuple):
    """A game may be a named tuple too."""

    size: int = 3


@dataclass
class Data:
    """A dataclass without the base class, with an option that must be given."""

    command: str
    level: int = 1


def test_a_plain_class_is_described_by_its_signature() -> None:
    assert describe(Plain) == [
        OptionInfo("size", "int", "3", "", number="int"),
        OptionInfo("name", "text", "x", "", text=True),
        OptionInfo("wrap", "on|off", "on", "", ("on", "off")),
        OptionInfo("limit", "text or off", "off", "", ("off",), text=True),
    ]
    assert describe(Plain, skip=3) == [OptionInfo("limit", "text or off", "off", "", ("off",), text=True)]
    assert describe(object) == []


def test_a_plain_class_is_made_from_text_and_written_back() -> None:
    plain = from_text(Plain, {"size": "5", "wrap": "off"})
    assert (plain.size, plain.name, plain.wrap) == (5, "x", False)
    assert to_text(plain) == {"size": "5", "wrap": "off"}
    assert from_text(Tuple, {"size": "5"}) == Tuple(5)


def test_an_option_without_a_default_must_be_given() -> None:
    assert from_text(Data, {"command": "x", "level": "2"}) == Data("x", 2)
    assert describe(Data)[0] == OptionInfo("command", "text", "required", "", text=True)
    with pytest.raises(OptionError, match="gtp .* command=text"):
        from_text(Data, {}, thing="gtp")


def test_a_class_that_does_not_keep_its_options_cannot_be_written() -> None:
    class Forgetful:
        def __init__(self, size: int = 3) -> None:
            pass

    with pytest.raises(OptionError, match="Forgetful .* option size"):
        to_text(Forgetful())


def test_a_class_without_options_is_described_as_such() -> None:
    class Bare:
        pass

    with pytest.raises(OptionError, match="unknown option 'size' for Bare"):
        from_text(Bare, {"size": "3"})


def test_classes_of_one_name_have_their_own_options() -> None:
    def made(default: int) -> type:
        class Heap:
            def __init__(self, stones: int = default) -> None:
                self.stones = stones

        return Heap

    small, large = made(3), made(30)
    for _ in range(2):
        assert [describe(cls)[0].default for cls in (small, large)] == ["3", "30"]
