"""A request to end a run: noticed once, at a suitable moment."""

import os
import select
import signal
from collections.abc import Iterator

import pytest

from bourre_referee.runner.interrupt import SIGNALS, Stop


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Restores the signals for later tests: a process that was asked to stop ignores them from then on."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def readable(stop: Stop) -> bool:
    return bool(select.select([stop], [], [], 0)[0])


def bring_to_its_end(stop: Stop, begun: list[bool]) -> None:
    with stop.defer():
        signal.raise_signal(signal.SIGTERM)
        begun.append(readable(stop))


def fail(stop: Stop) -> None:
    with stop.defer():
        signal.raise_signal(signal.SIGTERM)
        assert 1 / 0


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_interrupts_at_once_and_the_next_ones_do_not(number: signal.Signals) -> None:
    with Stop() as stop:
        assert not readable(stop)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(number)
        assert stop.asked
        assert readable(stop)
        for again in SIGNALS:
            signal.raise_signal(again)
    for again in SIGNALS:
        signal.raise_signal(again)


def test_while_put_off_it_is_only_noted() -> None:
    with Stop() as stop:
        begun = [readable(stop)]
        with pytest.raises(KeyboardInterrupt):
            bring_to_its_end(stop, begun)
    assert begun == [False, True]


def test_an_error_while_it_is_put_off_comes_first() -> None:
    with Stop() as stop, pytest.raises(ZeroDivisionError):
        fail(stop)


def test_what_was_ignored_stays_ignored() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # like nohup
    with Stop() as stop:
        signal.raise_signal(signal.SIGHUP)
        assert not stop.asked
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)


def test_unasked_it_leaves_signals_and_files_as_they_were() -> None:
    before = [signal.getsignal(number) for number in SIGNALS]
    with Stop() as stop:
        assert signal.getsignal(signal.SIGTERM) not in before
        ear = stop.fileno()
    assert [signal.getsignal(number) for number in SIGNALS] == before
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(ear)
