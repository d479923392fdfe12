"""Fitting a linear value with thousands of codes, compared with scikit-learn on the same objective.

    python benchmarks/sparse_fit.py [--rows 5000000] [--codes 5000] [--solvers lbfgs,sag]

A row has about 60 codes, whose frequencies fall as those of patterns do; the labels come from known weights.
All minimise Σ w·loss + λ2·‖θ‖² with λ2 = 1, each in a process of its own, from arrays on disk; reading them
and, for scikit-learn, making its matrix is not timed. The tolerance of a solver is the largest of several
that comes within 1e-4 (relative) of the lowest objective on a tenth of the rows (at most 100,000).
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from tesuji.learn.codes import Codes
from tesuji.learn.fit import Array, Samples, Scaling, fit

L2 = 1.0
AGREEMENT = 1e-4
CODES_PER_ROW = 60
TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7)
SOLVERS = ("lbfgs", "newton-cholesky", "newton-cg", "sag", "saga", "sgd")
BLOCK = 100_000


def write_data(folder: Path, rows: int, codes: int) -> None:
    """Files of one problem; blocks of rows, so that writing takes little memory."""
    rng = np.random.default_rng(1)
    frequency = 1 / np.arange(1, codes + 1) ** 0.8
    reached = np.cumsum(frequency / frequency.sum())
    truth = 0.4 * rng.standard_normal(codes)
    usual = CODES_PER_ROW * float(truth @ frequency / frequency.sum())
    lengths = rng.integers(CODES_PER_ROW - 20, CODES_PER_ROW + 21, rows)
    offsets = np.append(0, np.cumsum(lengths))
    indices = np.lib.format.open_memmap(folder / "indices.npy", "w+", np.uint16, (int(offsets[-1]),))
    labels = np.empty(rows)
    for start in range(0, rows, BLOCK):
        ends = offsets[start : start + BLOCK + 1]
        drawn = np.searchsorted(reached, rng.random(int(ends[-1] - ends[0]))).clip(max=codes - 1)
        indices[ends[0] : ends[-1]] = drawn
        strength = np.add.reduceat(truth[drawn], ends[:-1] - ends[0]) - usual
        labels[start : start + BLOCK] = rng.random(len(strength)) < 1 / (1 + np.exp(-strength))
    indices.flush()
    np.save(folder / "offsets.npy", offsets)
    np.save(folder / "labels.npy", labels)
    np.save(folder / "weights.npy", 0.97 ** rng.integers(0, 60, rows).astype(np.float64))


def read_data(folder: Path, codes: int) -> Samples:
    offsets, indices, labels, weights = (
        np.load(folder / f"{name}.npy") for name in ("offsets", "indices", "labels", "weights")
    )
    return Samples(np.empty((len(labels), 0)), labels, weights, codes=Codes(offsets, indices, codes))


def ours(samples: Samples, tolerance: float) -> tuple[Array, float]:
    found = fit(samples, Scaling(np.empty(0), np.empty(0), 1e-8), l1=0.0, l2=L2, tolerance=tolerance)
    return found.theta, found.bias


def theirs(matrix: Any, labels: Array, weights: Array, solver: str, tolerance: float) -> tuple[Array, float]:
    from sklearn.linear_model import LogisticRegression, SGDClassifier

    if solver == "sgd":
        model: Any = SGDClassifier(
            loss="log_loss", alpha=2 * L2 / weights.sum(), tol=tolerance, random_state=1
        )
    else:
        model = LogisticRegression(
            solver=solver, C=1 / (2 * L2), tol=tolerance, max_iter=1000, random_state=1
        )
    model.fit(matrix, labels, sample_weight=weights)
    return model.coef_[0], float(model.intercept_[0])


def run_one(folder: Path, codes: int, solver: str, tolerance: float) -> dict[str, float]:
    """In a process of its own: one fit, with its time, memory and objective."""
    samples = read_data(folder, codes)
    labels, weights = samples.labels, samples.weights
    own = samples.codes
    assert own is not None
    if solver == "ours":
        own.native.rows  # noqa: B018 - checks the arrays, as making a matrix does
        began, used = time.perf_counter(), time.process_time()
        theta, bias = ours(samples, tolerance)
    else:
        from scipy.sparse import csr_matrix

        matrix = csr_matrix(
            (np.ones(len(own.indices)), own.indices.astype(np.int32), own.offsets.astype(np.int32)),
            shape=(own.rows, codes),
        )
        matrix.sum_duplicates()
        del samples, own
        began, used = time.perf_counter(), time.process_time()
        theta, bias = theirs(matrix, labels, weights, solver, tolerance)
    seconds, processor = time.perf_counter() - began, time.process_time() - used
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    own = read_data(folder, codes).codes
    assert own is not None
    z = own.native.sums(0, own.rows, np.ascontiguousarray(theta, dtype=np.float64), 1) + bias
    loss = float(weights @ (np.logaddexp(0, z) - labels * z)) + L2 * float(theta @ theta)
    return {"seconds": seconds, "processor": processor, "memory": memory, "objective": loss}


def in_a_process(
    folder: Path, codes: int, solver: str, tolerance: float, limit: float
) -> dict[str, float] | None:
    """None if it takes longer than the limit."""
    command = [sys.executable, __file__, "--one", solver, str(tolerance), str(folder), "--codes", str(codes)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    except subprocess.CalledProcessError as error:
        print(f"  {solver}: {error.stderr.strip().splitlines()[-1]}")
        return None
    return dict(json.loads(done.stdout.splitlines()[-1]))


def show(solver: str, tolerance: float, found: dict[str, float]) -> None:
    print(
        f"  {solver:16} tolerance {tolerance:<7g} {found['seconds']:8.1f} s, {found['processor']:8.1f} s of "
        f"processor time, {found['memory']:5.2f} GiB, objective {found['objective']:.3f}",
        flush=True,
    )


def tolerances(rows: int, codes: int, solvers: tuple[str, ...], limit: float) -> dict[str, float]:
    """The largest tolerance of each solver that is good enough, on a smaller problem."""
    small = max(1000, min(rows // 10, 100_000))
    print(f"Tolerances, by {small:,} rows:", flush=True)
    chosen: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_data(folder, small, codes)
        best = in_a_process(folder, codes, "ours", 1e-9, limit)
        assert best is not None
        for solver in ("ours", *solvers):
            for tolerance in TOLERANCES:
                found = in_a_process(folder, codes, solver, tolerance, limit)
                if found is None:
                    break
                if found["objective"] <= best["objective"] * (1 + AGREEMENT / 2):
                    show(solver, tolerance, found)
                    chosen[solver] = tolerance
                    break
            if solver not in chosen:
                print(f"  {solver:16} does not get within {AGREEMENT:g} in {limit:.0f} s", flush=True)
    return chosen


def measure(rows: int, codes: int, solvers: tuple[str, ...], limit: float) -> int:
    chosen = tolerances(rows, codes, solvers, limit / 10)
    print(f"{rows:,} rows, {codes:,} codes:", flush=True)
    results = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_data(folder, rows, codes)
        for solver, tolerance in chosen.items():
            found = in_a_process(folder, codes, solver, tolerance, limit)
            if found is None:
                print(f"  {solver:16} more than {limit:.0f} s", flush=True)
                continue
            show(solver, tolerance, found)
            results[solver] = found
    own = results.pop("ours")
    lowest = min(found["objective"] for found in [own, *results.values()])
    good = {name: found for name, found in results.items() if found["objective"] <= lowest * (1 + AGREEMENT)}
    if not good or own["objective"] > lowest * (1 + AGREEMENT):
        print(f"no solver of scikit-learn reached an objective within {AGREEMENT:g} of ours in time")
        return 1
    name, best = min(good.items(), key=lambda item: item[1]["seconds"])
    print(
        f"{name} : ours = {best['seconds'] / own['seconds']:.1f} in time, "
        f"{best['memory'] / own['memory']:.1f} in memory; objectives within {AGREEMENT:g}"
    )
    return 0 if best["seconds"] > own["seconds"] and best["memory"] > own["memory"] else 1


def main() -> int:
    """Print the figures of each solver; return 1 if one of scikit-learn's is faster or smaller than ours."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--codes", type=int, default=5_000)
    parser.add_argument("--solvers", default=",".join(SOLVERS))
    parser.add_argument("--limit", type=float, default=3600, help="seconds for each fit")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        solver, tolerance, folder = given.one
        print(json.dumps(run_one(Path(folder), given.codes, solver, float(tolerance))))
        return 0
    return measure(given.rows, given.codes, tuple(given.solvers.split(",")), given.limit)


if __name__ == "__main__":
    sys.exit(main())
