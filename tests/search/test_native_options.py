"""The options of the core follow from those of Python by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest

from tesuji import _core
from tesuji.learn.zero.config import ZeroConfig
from tesuji.options import Options
from tesuji.search import AlphaBetaOptions, MCTSOptions
from tesuji.search.bot import core_options
from tesuji.search.zero import ZeroOptions

KINDS: list[tuple[Callable[[], Any], type[Options], set[str], set[str]]] = [
    (_core.PlayoutOptions, MCTSOptions, {"hard_proximity", "threats_at_root_only"}, {"exploration"}),
    (
        _core.NetworkOptions,
        ZeroOptions,
        {"prior_weight", "hard_proximity", "full_batches", "evaluations_at_once"},
        set(),
    ),
    (_core.AlphaBetaOptions, AlphaBetaOptions, {"hard_proximity"}, set()),
    (_core.SelfPlayOptions, ZeroConfig, {"gumbel", "gumbel_visits", "resign_moves"}, set()),
]
"""Options of the core, those in Python, the fields with another name there, and those with another type."""


def core_fields(kind: object) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


@pytest.mark.parametrize(("kind", "options", "others", "_converted"), KINDS)
def test_every_field_of_the_core_has_an_option_of_its_name_but_these(
    kind: object, options: type[Options], others: set[str], _converted: object
) -> None:
    assert core_fields(kind) - {field.name for field in fields(options)} == others


@pytest.mark.parametrize(("kind", "options", "_others", "converted"), KINDS)
def test_defaults_agree_where_both_have_one(
    kind: Callable[[], Any], options: type[Options], _others: object, converted: set[str]
) -> None:
    core, python = kind(), options()
    names = core_fields(kind) & vars(python).keys() - converted - {"seed", "memory", "threads", "resign"}
    for name in names:
        assert vars(python)[name] in (None, getattr(core, name)), name


def test_an_option_reaches_the_core_by_its_name_and_other_fields_are_given() -> None:
    options = MCTSOptions(rave="node", first_play=0.25, proximity="hard", seed=3)
    native = core_options(_core.PlayoutOptions, options, memory=options.memory << 20, exploration=None)
    assert (native.rave, native.first_play, native.hard_proximity, native.seed) == ("node", 0.25, True, 3)
    assert (native.memory, native.playout_depth) == (1 << 30, -1)
