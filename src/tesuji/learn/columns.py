"""Redundant features: constant columns, and linear combinations of others.

They do not break a fit, but a report should name them: a constant gets the weight 0, and only the joint
effect of dependent columns is determined.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from tesuji.learn.fit import Samples, Scaling

TOLERANCE = 1e-9  # residual variance of a column that the others explain exactly


def constant_columns(
    scaling: Scaling, names: Sequence[str], left_out: Collection[int] = ()
) -> tuple[str, ...]:
    """The features with the same value in every position, except for excluded ones.

    >>> scaling = Scaling(np.zeros(2), np.array([1.0, 0.0]), 1e-8)
    >>> constant_columns(scaling, ["a", "b"])
    ('b',)
    """
    constant = [int(place) for place in np.flatnonzero(~scaling.varies) if place not in left_out]
    return tuple(names[place] for place in constant)


def dependent_columns(
    samples: Samples, scaling: Scaling, names: Sequence[str]
) -> tuple[tuple[str, ...], ...]:
    """Features that are linear combinations of earlier ones; each tuple has the feature, then the others.

    >>> table = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 1.0], [2.0, -1.0, 7.0]])
    >>> samples = Samples(table, np.zeros(3), np.ones(3))
    >>> dependent_columns(samples, Scaling.of(samples, 1e-8), ["a", "b", "c"])
    (('b', 'a'),)
    """
    varying = np.flatnonzero(scaling.varies)
    products = np.zeros((len(varying), len(varying)))
    for table, _, _ in samples.blocks():
        standard = (table[:, varying] - scaling.mean[varying]) / scaling.deviation[varying]
        products += standard.T @ standard
    correlation = products / samples.rows
    kept: list[int] = []
    found = []
    for column in range(len(varying)):
        twins = np.flatnonzero(1.0 - correlation[column, :column] ** 2 < TOLERANCE)
        shares = np.linalg.solve(correlation[np.ix_(kept, kept)], correlation[kept, column])
        if len(twins):
            found.append((column, [int(twins[0])]))
        elif kept and 1.0 - float(shares @ correlation[kept, column]) < TOLERANCE:
            found.append(
                (column, [place for place, share in zip(kept, shares, strict=True) if abs(share) > 1e-6])
            )
        else:
            kept.append(column)
    return tuple(tuple(names[varying[place]] for place in (column, *others)) for column, others in found)
