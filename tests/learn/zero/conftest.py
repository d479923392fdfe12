"""One torch thread, which is fastest for tiny networks, and an uninterrupted run to compare with."""

from typing import Any

import pytest


@pytest.fixture(autouse=True, scope="session")
def _one_thread() -> None:
    try:
        import torch
    except ImportError:
        return
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The outcome of a run with two workers that are not disturbed."""
    from tests.learn.zero.test_remote_selfplay import ITERATIONS, outcome, run_on  # needs torch

    folder = tmp_path_factory.mktemp("undisturbed")
    with run_on("threads:workers=2", folder) as run:
        run.run(iterations=ITERATIONS)
        assert (run.iteration, run.learner.step > 0) == (ITERATIONS, True)
    found = outcome(folder)
    assert len(found["stored"]) == found["games"] > 0
    assert [row["iteration"] for row in found["metrics"]] == list(range(1, ITERATIONS + 1))
    return found
