"""Minimising a smooth loss plus λ2·‖θ‖² + λ1·‖θ‖₁.

L-BFGS-B (Byrd, Lu, Nocedal and Zhu 1995) on θ = u − v with u, v ≥ 0, which makes ‖θ‖₁ = Σ(u + v) smooth, and
zeros exact.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tesuji._helpers.extras import require

Array: TypeAlias = NDArray[np.float64]

MAX_ITERATIONS = 2000
MEMORY = 20  # correction pairs of L-BFGS; correlated features need more than the usual 10


class Minimum(NamedTuple):
    """Where the objective is lowest."""

    theta: Array
    free: Array
    """The parameters without a penalty."""
    objective: float
    evaluations: int


def minimise(
    loss: Callable[[Array, Array], tuple[float, Array, Array]],
    theta: Array,
    free: Array,
    *,
    l1: float,
    l2: float,
    units: Array,
    total: float,
    tolerance: float,
) -> Minimum:
    """Minimise loss(θ, free) + λ2·‖θ‖² + λ1·‖θ‖₁, starting from `theta` and `free`.

    Args:
        loss: returns the loss and its derivatives by θ and by the free parameters.
        theta, free: where to start.
        l1, l2: λ1 and λ2.
        units: the unit in which the solver sees each θ; best 1/√(curvature).
        total: the objective is divided by it, so that tolerances do not depend on the amount of data.
        tolerance: bound on the gradient, per unit and divided by `total`, at which the solver stops.

    >>> def bowl(theta, free):
    ...     return float(theta @ theta - 4 * theta[0] + (free[0] - 3) ** 2), 2 * theta - [4], 2 * (free - 3)
    >>> found = minimise(
    ...     bowl, np.zeros(1), np.zeros(1), l1=0.0, l2=1.0, units=np.ones(1), total=1.0, tolerance=1e-9
    ... )
    >>> found.theta.round(6), found.free.round(6)
    (array([1.]), array([3.]))
    """
    count, split = len(theta), l1 > 0
    ends = 2 * count if split else count

    def weights(point: Array) -> Array:
        return units * (point[:count] - point[count:ends] if split else point[:count])

    def evaluate(point: Array) -> tuple[float, Array]:
        at = weights(point)
        value, gradient, free_gradient = loss(at, point[ends:])
        gradient += 2 * l2 * at
        gradient *= units
        value += l2 * float(at @ at)
        if not split:
            return value / total, np.concatenate([gradient, free_gradient]) / total
        value += l1 * float(np.concatenate([units, units]) @ point[:ends])
        slopes = [l1 * units + gradient, l1 * units - gradient, free_gradient]
        return value / total, np.concatenate(slopes) / total

    start = theta / units
    first = np.concatenate([np.maximum(start, 0), np.maximum(-start, 0)]) if split else start
    with _libraries().limit(limits=1):  # more threads are slower for such small matrices
        found = _scipy_minimize()(
            evaluate,
            np.concatenate([first, free]),
            jac=True,
            method="L-BFGS-B",
            bounds=[(0, None)] * ends + [(None, None)] * len(free) if split else None,
            options={"maxiter": MAX_ITERATIONS, "maxcor": MEMORY, "ftol": 1e-14, "gtol": tolerance},
        )
    return Minimum(weights(found.x), found.x[ends:], float(found.fun) * total, int(found.nfev))


@cache
def _scipy_minimize() -> Any:
    """The function `minimize` of scipy, which is slow to import."""
    require("learn", "fitting a linear model")
    from scipy.optimize import minimize

    return minimize


@cache
def _libraries() -> Any:
    """The loaded numerical libraries; finding them is slow."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
