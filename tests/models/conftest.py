"""One torch thread, as for the tests of training."""

from tests.learn.zero.conftest import _one_thread  # noqa: F401
