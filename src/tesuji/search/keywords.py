"""The keywords of the searching bots: an editor completes them, and `iterationz=5` is a type error.

The same names and types as in the option classes; a test compares them.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from tesuji.knowledge import Exploration, Knowledge, ThreatResponse
from tesuji.search.bot import ProximityOption
from tesuji.search.mcts import Switch
from tesuji.search.priors import OrderingOption, PolicyOption
from tesuji.search.tablebase import TablebaseOption
from tesuji.search.values import ValueOption


class MCTSKeywords(TypedDict, total=False):
    """Keywords of `MCTSOptions`."""

    iterations: int | None
    seconds: float | None
    memory: int
    when_full: Literal["go-on", "stop"]
    threads: int
    trees: int | None
    processes: int
    seed: int | None
    reuse: bool
    exploration: float | Switch | Exploration
    first_play: float | None
    prior_weight: float
    revisit: float
    expand_after: int
    rave: Literal["node", "global", "off"]
    rave_k: float
    solver: bool
    tablebase: TablebaseOption
    playout_depth: int | None
    knowledge: Switch | Knowledge
    value: Literal["boolean"] | ValueOption
    threat_response: Literal["root"] | Switch | ThreatResponse
    playout_policy: PolicyOption
    move_ordering: OrderingOption
    prover: Switch
    study_after: int | None
    proximity: ProximityOption


class AlphaBetaKeywords(TypedDict, total=False):
    """Keywords of `AlphaBetaOptions`."""

    depth: int | None
    nodes: int | None
    seconds: float | None
    value: ValueOption
    move_ordering: OrderingOption
    threat_response: Switch | ThreatResponse
    prover: Switch
    proximity: ProximityOption
    quiescence: int | None
    tablebase: TablebaseOption
    lines: int
    memory: int | None
    threads: int
    reuse: bool
    pvs: bool
    aspiration: bool
    killers: bool
    history: bool
    reductions: bool
    futility: bool
    move_count: bool
    seed: int | None


class ZeroKeywords(TypedDict, total=False):
    """Keywords of `ZeroOptions`."""

    net: str
    visits: int | None
    seconds: float | None
    batch: int | None
    collisions: int | None
    threads: int
    device: Literal["cpu", "cuda"]
    c_puct: float
    first_play: float
    symmetries: bool | Literal["average"]
    proximity: ProximityOption
    prover: Literal["game", "off"]
    study_after: int | None
    solver: bool
    tablebase: TablebaseOption
    reuse: bool
    memory: int
    seed: int | None


class Limits(TypedDict, total=False):
    """Limits of one search; each kind of search has some of them."""

    iterations: int | None
    visits: int | None
    nodes: int | None
    depth: int | None
    seconds: float | None
