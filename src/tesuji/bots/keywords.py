"""The keywords of the other bots, for editors and type checkers, as in `search/keywords.py`.

The same names and types as in the option classes; a test compares them.
"""

from __future__ import annotations

from typing import TypedDict

from tesuji.search.values import ValueOption


class RandomKeywords(TypedDict, total=False):
    """Keywords of `RandomOptions`."""

    seed: int | None


class GreedyKeywords(TypedDict, total=False):
    """Keywords of `GreedyOptions`."""

    value: ValueOption
    seed: int | None


class HeuristicKeywords(TypedDict, total=False):
    """Keywords of `HeuristicOptions`."""

    seed: int | None


class LevelKeywords(TypedDict, total=False):
    """Keywords of `LevelOptions`."""

    seed: int | None
