"""Networks of tests are tiny: one thread is faster, the more so on a busy machine. A run to compare with."""

from typing import Any

import pytest


@pytest.fixture(autouse=True, scope="session")
def _one_thread() -> None:
    try:
        import torch
    except ImportError:  # most of these tests are left out then
        return
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a run of two workers comes to where nothing happens to them."""
    from tests.learn.zero.test_workers import ITERATIONS, outcome, run_on  # they need torch

    folder = tmp_path_factory.mktemp("undisturbed")
    with run_on("threads:workers=2", folder) as run:
        run.run(iterations=ITERATIONS)
        assert (run.iteration, run.learner.step > 0) == (ITERATIONS, True)
    found = outcome(folder)
    assert len(found["kept"]) == found["games"] > 0
    assert [row["iteration"] for row in found["metrics"]] == list(range(1, ITERATIONS + 1))
    return found
