"""Networks of tests are tiny: one thread is faster, the more so on a busy machine."""

import pytest


@pytest.fixture(autouse=True, scope="session")
def _one_thread() -> None:
    try:
        import torch
    except ImportError:  # most of these tests are left out then
        return
    torch.set_num_threads(1)
