"""Columns that tell nothing new: constants, and features that follow exactly from others.

Neither breaks a fit, but a reader should know: the weight of a constant is 0, and the weight of two equal
columns can be shared between them in any way.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from tesuji.learn.fit import Samples, Scaling

SAME = 1e-9  # what is left of a column's variance when the others have explained it exactly


def constant_columns(
    scaling: Scaling, names: Sequence[str], left_out: Collection[int] = ()
) -> tuple[str, ...]:
    """The features that are the same in every position, but for those that were left out on purpose.

    >>> scaling = Scaling(np.zeros(2), np.array([1.0, 0.0]), 1e-8)
    >>> constant_columns(scaling, ["a", "b"])
    ('b',)
    """
    constant = [int(place) for place in np.flatnonzero(~scaling.varies) if place not in left_out]
    return tuple(names[place] for place in constant)


def dependent_columns(
    samples: Samples, scaling: Scaling, names: Sequence[str]
) -> tuple[tuple[str, ...], ...]:
    """Features that follow exactly from one or several before them: each with those that it follows from.

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
        twins = np.flatnonzero(1.0 - correlation[column, :column] ** 2 < SAME)
        shares = np.linalg.solve(correlation[np.ix_(kept, kept)], correlation[kept, column])
        if len(twins):
            found.append((column, [int(twins[0])]))
        elif kept and 1.0 - float(shares @ correlation[kept, column]) < SAME:
            found.append(
                (column, [place for place, share in zip(kept, shares, strict=True) if abs(share) > 1e-6])
            )
        else:
            kept.append(column)
    return tuple(tuple(names[varying[place]] for place in (column, *others)) for column, others in found)
