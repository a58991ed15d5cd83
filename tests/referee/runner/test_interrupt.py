"""A request to end a run: noticed once, at a suitable moment."""

import asyncio
import os
import select
import signal
from collections.abc import Iterator

import pytest

from bourre_referee.model.errors import GO_ON, ContestError
from bourre_referee.runner.interrupt import SIGNALS, InterruptibleWait, Stop, until_signal
from bourre_referee.runner.os_errors import explain_os_error


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Restores the signals for later tests: a process that was asked to stop ignores them from then on."""
    before = {number: signal.getsignal(number) for number in (*SIGNALS, signal.SIGALRM)}
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


def test_while_put_off_it_is_only_noted_and_an_error_comes_first() -> None:
    with Stop() as stop:
        begun = [readable(stop)]
        with pytest.raises(KeyboardInterrupt):
            bring_to_its_end(stop, begun)
    assert begun == [False, True]
    with Stop() as stop, pytest.raises(ZeroDivisionError):
        fail(stop)


def heeded(stop: Stop, *, in_play: bool) -> bool:
    try:
        stop.heed(in_play=in_play)
    except KeyboardInterrupt:
        return True
    return False


def end_in_grace(stop: Stop, ends: signal.Signals) -> None:
    with stop.defer():
        assert not heeded(stop, in_play=False)
        signal.raise_signal(signal.SIGTERM)
        assert readable(stop)
        assert (stop.asked, stop.terminated, heeded(stop, in_play=True), readable(stop)) == (True, True, False, False)
        assert heeded(stop, in_play=False)
        assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= 1_000
        signal.raise_signal(ends)
        assert readable(stop)
        assert heeded(stop, in_play=True)
        for again in SIGNALS:
            signal.raise_signal(again)


@pytest.mark.parametrize("ends", [signal.SIGTERM, signal.SIGINT, signal.SIGALRM])
def test_after_sigterm_rooms_in_play_may_end_until_the_grace_or_another_signal_does(ends: signal.Signals) -> None:
    with Stop(grace_s=1_000) as stop, pytest.raises(KeyboardInterrupt):
        end_in_grace(stop, ends)
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


def end_at_once(stop: Stop, number: signal.Signals) -> None:
    with stop.defer():
        signal.raise_signal(number)
        assert heeded(stop, in_play=True)
        assert stop.terminated == (number == signal.SIGTERM)


@pytest.mark.parametrize(("number", "grace_s"), [(signal.SIGINT, 9), (signal.SIGHUP, 9), (signal.SIGTERM, 0)])
def test_without_grace_no_room_may_end(number: signal.Signals, grace_s: int) -> None:
    with Stop(grace_s) as stop, pytest.raises(KeyboardInterrupt):
        end_at_once(stop, number)


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


def test_a_stop_that_is_called_off_or_asked_for_ends_a_wait_and_nothing_more() -> None:
    with Stop() as stop:
        patience = InterruptibleWait(print, stop)
        assert patience.wait(0)
        stop.call_off()
        assert readable(stop)
        assert not stop.asked
        assert not patience.wait(60)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
    assert InterruptibleWait(print, None).wait(0)
    with Stop() as stop:
        stop.asked = True
        assert not InterruptibleWait(print, stop).wait(60)
        stop.asked = False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_coroutine_ends_on_a_signal_unless_that_is_ignored(number: signal.Signals) -> None:
    async def play(ended: list[str]) -> str:
        signal.raise_signal(number)
        try:
            await asyncio.sleep(0.01)
        finally:
            ended.append("the bots")
        return "played"

    ended: list[str] = []
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(until_signal(play(ended)))
    assert ended == ["the bots"]
    signal.signal(number, signal.SIG_IGN)
    assert asyncio.run(until_signal(play(ended))) == "played"


def test_what_the_system_refuses_is_explained() -> None:
    hint = f"No space left on device.\nhint: check its permissions and the free disk space\n{GO_ON}"
    for error, named in (
        (OSError(28, "No space left on device", "/a/file"), "/a/file"),
        (OSError(28, "No space left on device"), "run"),
    ):
        with pytest.raises(ContestError) as caught, explain_os_error("run"):
            raise error
        assert str(caught.value) == f"{named}: {hint}"
