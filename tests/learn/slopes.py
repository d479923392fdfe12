"""A numerical check of the gradient of the logistic loss."""

from __future__ import annotations

import numpy as np
from scipy.optimize import check_grad

from tesuji.learn.fit import Array, Logistic, Samples, Scaling


def standardised(given: Samples) -> Logistic:
    return Logistic(given, Scaling.of(given, 1e-8))


def check_slopes(given: Samples, points: int) -> None:
    """The gradient is the slope of the loss at random points."""
    problem = standardised(given)

    def loss(point: Array) -> float:
        return problem.loss(point[:-1], point[-1:])[0]

    def gradient(point: Array) -> Array:
        return np.concatenate(problem.loss(point[:-1], point[-1:])[1:])

    rng = np.random.default_rng(1)
    for _ in range(points):
        point = rng.standard_normal(given.width + 1)
        assert check_grad(loss, gradient, point) < 1e-4 * np.linalg.norm(gradient(point))
