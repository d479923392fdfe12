"""The options of the core and those of Python cannot drift apart: every native field is set by one option."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from tesuji import _core
from tesuji.learn.zero import selfplay
from tesuji.learn.zero.config import ZeroConfig
from tesuji.options import OptionError, Options, describe
from tesuji.search import AlphaBetaOptions, MCTSOptions, alphabeta, mcts, zero
from tesuji.search.zero import ZeroOptions

SEED = 7
OTHERS = ("on", "off", 1, 2, 0.25, 0.5, 20)
"""Values to try for an option, beside the words that it takes."""


class Pair(NamedTuple):
    """Python options, how the core's options are made from them, and where the two differ on purpose."""

    options: type[Options]
    convert: Callable[[Any], object]
    renamed: dict[str, str]
    """Native fields by the option of another name that sets them."""
    fixed: dict[str, str]
    """Native fields that no option sets, with the reason."""
    other_defaults: dict[str, str]
    """Options whose defaults differ from those of the native field of the same name, with the reason."""


NETWORK_FIXED = {
    "rave": "RAVE needs playouts",
    "rave_k": "RAVE needs playouts",
    "exploration": "PUCT explores by its priors alone: 0",
    "first_play": "first_play_reduction is used instead",
    "expand_after": "an evaluated leaf has its priors: it is expanded at once",
    "playout_depth": "there are no playouts",
    "revisit": "PUCT explores by its priors alone: 0",
    "evaluations_at_once": "set for threads, a GPU or self-play, together with the threads",
    "collisions": "as many as leaves on a GPU, otherwise none",
    "threads": "one thread searches; the option of this name is for the network or for self-play",
    "threats_at_root_only": "the network's search does not ask for threats",
}
SELFPLAY_FIXED = {
    "solver": "always on",
    "seed": "each game in progress has its own, drawn from the run's",
    "memory": "a constant per game",
    "study_after": "never: it takes too long",
}
RANDOM_SEED = {"seed": "a new one each time"}
PAIRS = {
    "mcts": Pair(
        MCTSOptions,
        mcts.native_options,
        {
            "hard_proximity": "proximity",
            "threats_at_root_only": "threat_response",
        },
        {
            "first_play_reduction": "for leaves that a network evaluates",
            "leaves": "for leaves that a network evaluates",
            "collisions": "for leaves that a network evaluates",
            "evaluations_at_once": "for leaves that a network evaluates",
        },
        RANDOM_SEED
        | {"revisit": "natively 0: PUCT has none", "study_after": "natively -1: the prover's own"},
    ),
    "alphabeta": Pair(
        AlphaBetaOptions, alphabeta.native_options, {"hard_proximity": "proximity"}, {}, RANDOM_SEED
    ),
    "zero": Pair(
        ZeroOptions,
        zero.native_options,
        {
            "leaves": "batch",
            "prior_weight": "c_puct",
            "first_play_reduction": "first_play",
            "hard_proximity": "proximity",
        },
        NETWORK_FIXED,
        RANDOM_SEED | {"study_after": "natively -1: the prover's own"},
    ),
    "self-play search": Pair(
        ZeroConfig,
        selfplay._search_options,
        {"prior_weight": "c_puct", "first_play_reduction": "first_play", "hard_proximity": "proximity"},
        NETWORK_FIXED | SELFPLAY_FIXED,
        {"leaves": "natively 0: playouts judge"},
    ),
    "self-play": Pair(
        ZeroConfig,
        lambda config: selfplay._options(config, SEED),
        {"gumbel": "root"},
        {
            "seed": "an argument: every pool of games has its own, drawn from the run's",
            "gumbel_visits": "the constant of the paper",
            "resign_moves": "a constant: no option offers it",
        },
        {
            "resign": "natively off: games are played out unless asked",
            "threads": "all cores, natively one",
        },
    ),
}


def fields_of(native: object) -> dict[str, Any]:
    return {name: getattr(native, name) for name in dir(type(native)) if not name.startswith("_")}


def converted(pair: Pair, **given: object) -> dict[str, Any]:
    """The native fields for options that differ from the defaults in these."""
    seed = {"seed": SEED} if "seed" not in given else {}
    return fields_of(pair.convert(pair.options(**seed, **given)))


def setters(pair: Pair) -> dict[str, set[str]]:
    """The options that change each native field, found by changing one option at a time."""
    default = converted(pair)
    found: dict[str, set[str]] = {name: set() for name in default}
    for option in describe(pair.options):
        for value in (*option.words, *OTHERS):
            try:
                changed = converted(pair, **{option.name: value})
            except OptionError:
                continue
            for name in default:
                if changed[name] != default[name]:
                    found[name].add(option.name)
    return found


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_every_native_field_is_set_by_exactly_one_option_or_fixed_for_a_reason(pair: Pair) -> None:
    found = setters(pair)
    expected = {name: set() if name in pair.fixed else {pair.renamed.get(name, name)} for name in found}
    assert found == expected
    assert {*pair.renamed, *pair.fixed} <= found.keys()
    names = {field.name for field in dataclasses.fields(pair.options)}
    assert {*pair.renamed.values(), *pair.other_defaults} <= names


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_defaults_agree_where_the_names_agree(pair: Pair) -> None:
    native = fields_of(type(pair.convert(pair.options()))())
    names = {field.name for field in dataclasses.fields(pair.options)} & native.keys()
    names -= {*pair.fixed, *pair.other_defaults}
    assert {name: converted(pair)[name] for name in names} == {name: native[name] for name in names}


def test_every_options_struct_of_the_core_is_compared() -> None:
    structs = {name for name in vars(_core) if name.endswith("Options")}
    compared = {type(pair.convert(pair.options())).__name__ for pair in PAIRS.values()}
    assert structs == compared
