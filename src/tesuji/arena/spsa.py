"""SPSA: tuning the numbers of a bot by games, the way Stockfish's fishtest does it.

Simultaneous perturbation stochastic approximation (J. Spall, IEEE Transactions on Automatic Control, 1992):
iteration k moves all parameters θ at once by random signs Δ, and one pair of games between the two sides
tells which is better.

    θ ← θ + a_k/c_k · (points of θ + c_k·Δ  −  points of θ − c_k·Δ) · Δ
    a_k = a/(A + k)^0.602,   c_k = c/k^0.101,   A: a tenth of all iterations

The range of every parameter is scaled to [0, 1], by logarithms where it says so. The result is the mean of θ
over the second half (B. Polyak and A. Juditsky, 1992), which has less noise than the last θ.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from tesuji._helpers.clipping import clip
from tesuji._helpers.seeds import derived_seed

ALPHA, GAMMA, SETTLING = 0.602, 0.101, 0.1  # Spall's; fishtest uses the same
STEP = 0.15
"""The last c_k: half the distance between the two sides."""
GAIN = 0.001
"""The last a_k. Both did well in simulations (benchmarks/tuning.py) of 200 to 8,000 games."""
_RANGE = re.compile(r"(?P<name>\w+)=(?P<low>[^.]+(?:\.\d+)?)\.\.(?P<high>[^:]+)(?P<log>:log)?")


@dataclass(frozen=True)
class Parameter:
    """An option to tune, with its range.

    >>> Parameter.parse("prior_weight=2..30:log")
    Parameter(name='prior_weight', low=2.0, high=30.0, log=True, whole=False)
    """

    name: str
    low: float
    high: float
    log: bool = False
    whole: bool = False
    """It takes whole numbers only."""

    @classmethod
    def parse(cls, text: str) -> Parameter:
        """Read `name=low..high`, or `name=low..high:log`."""
        try:
            found = _RANGE.fullmatch(text.replace(" ", ""))
            if found is None:
                raise ValueError
            low, high, log = float(found["low"]), float(found["high"]), found["log"] is not None
        except ValueError:
            raise ValueError(
                f"a parameter is NAME=LOW..HIGH or NAME=LOW..HIGH:log, not {clip(text)}"
            ) from None
        if not -math.inf < low < high < math.inf:
            raise ValueError(f"the range of {found['name']} must begin below its end, not {low:g}..{high:g}")
        if log and low <= 0:
            raise ValueError(f"a logarithmic range must begin above 0, not {found['name']}={low:g}")
        return cls(found["name"], low, high, log)

    def value(self, place: float) -> float:
        """The value at a place in [0, 1] of the range: `Parameter("c", 2, 8, log=True).value(0.5) == 4`."""
        if self.log:
            return math.exp(math.log(self.low) + place * math.log(self.high / self.low))
        return self.low + place * (self.high - self.low)

    def place(self, value: float) -> float:
        """The place of a value: `Parameter("c", 2, 8).place(5) == 0.5`; the nearest one of the range."""
        value = min(max(value, self.low), self.high)
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def text(self, place: float, rng: random.Random | None = None) -> str:
        """The value as an option; a whole number is rounded up or down at random, so that its mean is right.

        >>> Parameter("expand_after", 1, 20, whole=True).text(0.5)
        '10'
        """
        value = self.value(place)
        if self.whole:
            return str(math.floor(value + rng.random()) if rng else round(value))
        return f"{value:.4g}"

    def __str__(self) -> str:
        return f"{self.name}={self.low:g}..{self.high:g}{':log' if self.log else ''}"


class Spsa:
    """The state of a tuning: `trial(k)` has the options of both sides, `add(result)` counts the next result.

    To keep many workers busy, iteration k follows from all results but those of the last `lag` iterations. So
    it depends neither on the number of workers nor on interruptions.

    >>> tuning = Spsa([Parameter("x", 0, 1)], [0.9], iterations=100)
    >>> for k in range(100):
    ...     plus, minus = (float(side["x"]) for side in tuning.trial(k))
    ...     tuning.add(2 if abs(plus - 0.3) < abs(minus - 0.3) else -2)  # the side closer to 0.3 wins
    >>> 0.2 < tuning.mean()[0] < 0.4
    True
    """

    def __init__(
        self, parameters: Sequence[Parameter], start: Sequence[float], iterations: int, seed: int = 1
    ) -> None:
        self.parameters, self.iterations, self.seed = tuple(parameters), iterations, seed
        self.path = [tuple(one.place(value) for one, value in zip(parameters, start, strict=True))]
        """The places of the parameters after each counted result, and before the first."""
        self.lag = max(8, min(128, iterations // 20))

    @property
    def counted(self) -> int:
        """Number of results."""
        return len(self.path) - 1

    def ready(self, k: int) -> bool:
        """Whether the results that iteration k depends on are counted."""
        return k < min(self.counted + self.lag, self.iterations)

    def trial(self, k: int) -> tuple[dict[str, str], dict[str, str]]:
        """The options of the two sides of iteration k."""
        theta, rng = self.path[max(0, k + 1 - self.lag)], random.Random(derived_seed(self.seed, "round", k))
        step, signs = self._step(k), self._signs(k)
        plus, minus = (
            {
                one.name: one.text(min(max(place + side * step * sign, 0.0), 1.0), rng)
                for one, place, sign in zip(self.parameters, theta, signs, strict=True)
            }
            for side in (1, -1)
        )
        return plus, minus

    def add(self, result: float) -> None:
        """Count the result of the next iteration: points of the first side minus those of the second."""
        k = self.counted
        settling = SETTLING * self.iterations
        gain = GAIN * ((settling + self.iterations) / (settling + k + 1)) ** ALPHA
        move = gain / self._step(k) * result
        moved = zip(self.path[-1], self._signs(k), strict=True)
        self.path.append(tuple(min(max(place + move * sign, 0.0), 1.0) for place, sign in moved))

    def mean(self) -> tuple[float, ...]:
        """The mean of the places over the second half of the path."""
        half = self.path[len(self.path) // 2 :]
        return tuple(sum(places) / len(half) for places in zip(*half, strict=True))

    def options(self) -> dict[str, str]:
        """The tuned options."""
        return {one.name: one.text(place) for one, place in zip(self.parameters, self.mean(), strict=True)}

    def _step(self, k: int) -> float:
        return STEP * math.pow(self.iterations / (k + 1), GAMMA)

    def _signs(self, k: int) -> list[int]:
        rng = random.Random(derived_seed(self.seed, "signs", k))
        return [rng.choice((-1, 1)) for _ in self.parameters]
