"""Whether a bot is fast enough: the processor time of every decision over a few deals."""

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
    """Fails where a decision takes more than so many milliseconds of this process's processor time.

    That is the bot's own, whatever else the machine does; what the bot waits for is not counted. The message holds the
    view of the slowest decision. `deals` are for each of the presets; None: for all.
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
    """The slowest decision so far."""

    def __init__(self) -> None:
        self.slowest = 0.0
        """In seconds."""
        self.view: View | None = None

    def ask(self, trial: Trial, seat: Seat, view: View) -> Choice:
        __tracebackhide__ = True
        began = process_time()
        answer = seat.answer(view)
        spent = process_time() - began
        if self.view is None or spent > self.slowest:
            self.slowest, self.view = spent, view
        return answer
