"""A numerical check of the gradient of the logistic loss."""

from __future__ import annotations

import numpy as np
from scipy.optimize import check_grad

from tesuji.learn.fit import Samples, Scaling, loss_and_gradient
from tesuji.learn.solver import Array


def check_slopes(given: Samples, points: int) -> None:
    """The gradient is the slope of the loss at random points."""
    scaling = Scaling.of(given, 1e-8)

    def loss(point: Array) -> float:
        return loss_and_gradient(given, scaling, point[:-1], float(point[-1]))[0]

    def gradient(point: Array) -> Array:
        _, slopes, slope = loss_and_gradient(given, scaling, point[:-1], float(point[-1]))
        return np.append(slopes, slope)

    rng = np.random.default_rng(1)
    for _ in range(points):
        point = rng.standard_normal(given.width + 1)
        assert check_grad(loss, gradient, point) < 1e-4 * np.linalg.norm(gradient(point))
