"""Keeps the best and worst deals and the reneges of a run's bots, as its matches finish."""

from __future__ import annotations

from bourre_referee.web.background import Start, start_thread
from bourre_referee.web.cached_run import RunState
from bourre_referee.web.data.bot_deals import BotDeals, bot_deals_of
from bourre_referee.web.record_sums import REPLAYED_AT_ONCE, RecordSums, RecordTask, replay_matches


def find_bot_deals(task: RecordTask) -> BotDeals:
    """Finds the deals of these matches."""
    return replay_matches(task, BotDeals(), bot_deals_of)


class CachedBotDeals:
    """Keeps the deals of one run. It is thread-safe. It begins when somebody asks, with the newest matches."""

    def __init__(self, start: Start = start_thread, at_once: int = REPLAYED_AT_ONCE) -> None:
        """`start` runs a task in the background, which replays more than `at_once` matches."""
        self._sums = RecordSums(find_bot_deals, BotDeals, BotDeals.join, at_once, start=start)

    def deals(self, state: RunState) -> BotDeals | None:
        """Returns the deals in this state. None while many matches are still to be replayed."""
        with self._sums.lock:
            return self._sums.found if self._sums.look_newest(state) else None
