"""Knowledge of Onitama: a value learned from its own games, and weights chosen by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tesuji import _core
from tesuji.features import NativeFeatures, WeightedFeatures
from tesuji.knowledge import Deferred, Knowledge

if TYPE_CHECKING:
    from tesuji.models.linear import TrainedLinearValue

HAND_WEIGHTS = {
    "material_diff_students": 10.0,
    "my_master_alive": 1000.0,
    "opp_master_captured": 500.0,
    "my_master_threats": -100.0,
    "opp_master_threats": 50.0,
    "opp_shrine_threat": -200.0,
    "my_legal_moves": 2.0,
    "opp_legal_moves": -2.0,
    "my_capture_moves": 5.0,
    "opp_capture_moves": -5.0,
    "my_master_temple_distance": -8.0,
    "opp_master_temple_distance": 8.0,
    "my_student_progress": -3.0,
    "opp_student_progress": 3.0,
    "central_control_diff": 4.0,
    "master_escape_options": 3.0,
}
"""Weights chosen by hand, on a scale of their own: a baseline for learned values."""

SETTINGS = {"playout_depth": 0, "exploration": 0.4}
"""For mcts, measured at equal time: the value of a position is better than a random playout from it."""

HAND_SCALE = 100.0
"""Points of the hand weights per unit of log-odds: keeps probabilities away from 0 and 1, where a search
could not tell them apart."""

MIRRORED = {
    "my_master_threats": "opp_master_threats",
    "my_legal_moves": "opp_legal_moves",
    "my_capture_moves": "opp_capture_moves",
    "my_master_temple_distance": "opp_master_temple_distance",
    "my_student_progress": "opp_student_progress",
    "opp_shrine_threat": "my_shrine_threat",
    "master_escape_options": "opp_master_escape_options",
}
"""Features and their names for the other side."""


@cache
def hand_value() -> WeightedFeatures:
    """The hand weights as a value: `tesuji.bot("greedy:value=hand", "onitama")`.

    The weights are for the side that has just moved. A value is for the side to move, so they are applied to
    the other side and negated. Whether a master is alive is left out: in an unfinished game, both are.

    >>> import tesuji
    >>> state = tesuji.replay("onitama:cards=ox-boar-horse-elephant-crab", "boar:c1c2 horse:d5d4")
    >>> 0.4 < hand_value().value(state, 0) < 0.6
    True
    """
    other = MIRRORED | {theirs: mine for mine, theirs in MIRRORED.items()}
    weights = {}
    for name, weight in HAND_WEIGHTS.items():
        if name in other:
            weights[other[name]] = -weight / HAND_SCALE
        elif name.endswith("_diff") or name.startswith("material"):
            weights[name] = weight / HAND_SCALE  # negated twice
    return WeightedFeatures(onitama_features(), weights)


@cache
def learned_value() -> TrainedLinearValue:
    """The best value, learned from games of alpha-beta; see docs/games/onitama.md.

    >>> import tesuji
    >>> state = tesuji.replay("onitama:cards=ox-boar-horse-elephant-crab", "boar:c1c2")
    >>> 0.2 < learned_value().value(state, 0) < 0.8
    True
    """
    from tesuji.models.linear import TrainedLinearValue  # here: numpy is slow to import

    return TrainedLinearValue.load(Path(__file__).with_name("value.json.gz"))


@cache
def onitama_knowledge() -> Knowledge:
    """The learned value, and the settings of mcts that measured best with it."""
    return Knowledge(objectives=Deferred(learned_value), settings=SETTINGS)


VALUES: Mapping[str, Callable[[], object]] = {"hand": hand_value}
"""Further values by name, for the bots' option `value`."""


@cache
def onitama_features() -> NativeFeatures:
    """The features of Onitama.

    >>> onitama_features().names[:2]
    ('material_diff_students', 'my_master_alive')
    """
    return NativeFeatures(_core.OnitamaFeatures())
