"""SIGTERM and SIGHUP in a command: once, as Ctrl-C, and only where nobody else handles them."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator

import pytest

from tesuji.cli.shared.interrupts import sigterm_interrupts


@pytest.fixture(autouse=True)
def unhandled() -> Iterator[None]:
    """Nobody handles the signals, though a test before has started Ray, or the tests run under nohup."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in (signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_second_signal_does_not_interrupt_the_clean_up(number: signal.Signals) -> None:
    with sigterm_interrupts():
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(number)
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(number) is signal.SIG_DFL


def test_sighup_calls_the_current_handler_of_sigterm() -> None:
    caught: list[int] = []
    with sigterm_interrupts():
        before = signal.signal(signal.SIGTERM, lambda number, frame: caught.append(number))
        signal.raise_signal(signal.SIGHUP)
        signal.signal(signal.SIGTERM, before)
    assert caught == [signal.SIGTERM]


def test_ignored_signals_stay_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with sigterm_interrupts():
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_another_thread_handles_no_signals() -> None:
    def work() -> None:
        with sigterm_interrupts():
            seen.append(signal.getsignal(signal.SIGTERM))

    seen: list[object] = []
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGTERM)]
