"""Keeps the best and worst deals and the reneges of a run's bots, as its matches finish."""

from __future__ import annotations

from contextlib import closing, suppress

from bourre.record import read
from bourre.rules.errors import BourreError
from bourre_referee.storage.run.run import Run
from bourre_referee.web.background import Start, start_thread
from bourre_referee.web.cached_run import RunState
from bourre_referee.web.data.bot_deals import BotDeals, bot_deals_of
from bourre_referee.web.record_sums import MOST_MATCHES, REPLAYED_AT_ONCE, RecordSums, RecordTask


def find_bot_deals(task: RecordTask) -> BotDeals:
    """Replays these matches. It leaves out damaged ones, because the match's own page reports them."""
    found = BotDeals()
    with suppress(BourreError), closing(Run.open(task.place).packed_records(task.numbers)) as records:
        for packed in records:
            with suppress(BourreError):
                found = found.join(bot_deals_of(packed.number, read(packed.text())))
    return found


class CachedBotDeals:
    """Keeps the deals of one run. It is thread-safe. It begins when somebody asks, with the newest matches."""

    def __init__(self, start: Start = start_thread, at_once: int = REPLAYED_AT_ONCE) -> None:
        """`start` runs a task in the background, which replays more than `at_once` matches."""
        self._sums = RecordSums(find_bot_deals, BotDeals, BotDeals.join, at_once, start=start)
        self._older: frozenset[str] | None = None
        """The matches that were too old to be read at the start. None before."""

    def deals(self, state: RunState) -> BotDeals | None:
        """Returns the deals in this state. None while many matches are still to be replayed."""
        records = {line.match: line.sha256 for line in state.data.matches}
        with self._sums.lock:
            if self._older is None:
                self._older = frozenset([*records][:-MOST_MATCHES])
            newer = {match: sha256 for match, sha256 in records.items() if match not in self._older}
            return self._sums.found if self._sums.look(state.run.place, newer) else None
