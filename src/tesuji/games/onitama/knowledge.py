"""What is known of Onitama: a value learned from games of its own, and the weights that a person chose."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tesuji.features import WeightedFeatures
from tesuji.games.onitama.features import onitama_features
from tesuji.knowledge import Knowledge

if TYPE_CHECKING:
    from tesuji.learn.linear import LinearValue

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
"""Weights that a person chose, on a scale of their own; a learned value should beat them."""

SETTINGS = {"playout_depth": 0, "exploration": 0.4}
"""Of mcts, as measured at equal time: the value of a position tells more than a random game from it."""

HAND_SCALE = 100.0
"""So many points of the hand weights are one unit of log-odds: probabilities stay away from 0 and 1, where a
search could not tell them apart."""

MIRRORED = {
    "my_master_threats": "opp_master_threats",
    "my_legal_moves": "opp_legal_moves",
    "my_capture_moves": "opp_capture_moves",
    "my_master_temple_distance": "opp_master_temple_distance",
    "my_student_progress": "opp_student_progress",
    "opp_shrine_threat": "my_shrine_threat",
    "master_escape_options": "opp_master_escape_options",
}
"""What a feature of one side is called from the other."""


@cache
def hand_value() -> WeightedFeatures:
    """The hand weights as a value: `tesuji.bot("greedy:value=hand", "onitama")`.

    They were meant for a position after one's own move, seen from one's own side. A value is asked for the
    side to move, so they are counted for the other side and turned around. Whether a master is alive is left
    out: in a game that goes on, both are.

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
            weights[name] = weight / HAND_SCALE  # turned around twice
    return WeightedFeatures(onitama_features(), weights)


@cache
def learned_value() -> LinearValue:
    """The value that measured best, learned from games of alpha-beta: docs/games/onitama.md says how.

    >>> import tesuji
    >>> state = tesuji.replay("onitama:cards=ox-boar-horse-elephant-crab", "boar:c1c2")
    >>> 0.2 < learned_value().value(state, 0) < 0.8
    True
    """
    from tesuji.learn.linear import LinearValue  # which needs the games

    return LinearValue.load(Path(__file__).with_name("value.json"))


@cache
def onitama_knowledge() -> Knowledge:
    """The learned value, and the settings of mcts that measured best with it."""
    return Knowledge(objectives=learned_value(), settings=SETTINGS)


VALUES: Mapping[str, Callable[[], Any]] = {"hand": hand_value}
"""Values by name, for the option `value` of bots, beside the one of the knowledge."""
