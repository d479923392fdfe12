"""What a value of Onitama is learned from: sixteen numbers of a position, from one player's side."""

from __future__ import annotations

from functools import cache

from tesuji import _core
from tesuji.features import NativeFeatures

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


@cache
def onitama_features() -> NativeFeatures:
    """The features of Onitama.

    >>> onitama_features().names[:2]
    ('material_diff_students', 'my_master_alive')
    """
    return NativeFeatures(_core.OnitamaFeatures())
