"""Checks that a bot is fast enough, by the processor time of every decision over a few deals."""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time

from bourre.practice.seat import Seat
from bourre.practice.session import BotMaker
from bourre.rules.actions import Choice
from bourre.rules.visibility import View
from bourre.testing.trial import Trial, play, trials
from bourre.view_notation import view_text


def assert_fast(
    bot: BotMaker, ms: float = 100.0, deals: int = 20, seed: int = 7, presets: Sequence[str] | None = ("limit",)
) -> None:
    """Fails if a decision takes more than `ms` milliseconds of processor time.

    Processor time does not depend on the load of the machine, and excludes waiting. The message shows the view of the
    slowest decision. Plays `deals` deals for each of the presets; None means all.
    """
    __tracebackhide__ = True
    watch = _Watch()
    for trial in trials(deals, seed, presets):
        play(bot, trial, watch.ask)
    if watch.view is not None and watch.slowest * 1000 > ms:
        name = getattr(bot, "__name__", type(bot).__name__)
        raise AssertionError(
            f"{name}: {watch.view.decision} took {watch.slowest * 1000:.1f} ms of processor time, more than {ms:g} ms\n"
            f'  as a test: view("{view_text(watch.view)}")'
        )


class _Watch:
    """Keeps the slowest decision so far."""

    def __init__(self) -> None:
        self.slowest = 0.0
        """Time of the slowest decision, in seconds."""
        self.view: View | None = None

    def ask(self, trial: Trial, seat: Seat, view: View) -> Choice:
        __tracebackhide__ = True
        began = process_time()
        answer = seat.answer(view)
        spent = process_time() - began
        if self.view is None or spent > self.slowest:
            self.slowest, self.view = spent, view
        return answer
