"""The chips of every bot after each deal of a match, and the story of the lead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from bourre.rules.events import DealEnded, PotShared
from bourre.rules.pot import UNIT, settle_in_units
from bourre_referee.text.amounts import in_chips
from bourre_referee.text.narration.events_by_deal import DealEvents

PAUSE = 3
"""The most deals without a larger margin within the run that decides a match."""


@dataclass(frozen=True, slots=True)
class LeadStory:
    """How one bot came to win a match. Deals are counted from 0, in `duplicate` each seating of them."""

    bot: str
    taken_at: int
    """The deal that gave it the lead for good."""
    until: int
    """The last deal of the run that began then: its margin grew, with pauses of at most PAUSE deals."""
    before: float
    """Its margin over the best other bot before this run, negative behind one."""
    after: float
    """Its margin after this run."""
    margin: float
    """Its margin at the end."""
    behind: float
    """The most chips that it was behind the leader until then, 0 or more."""
    behind_at: int
    """The deal after which it was that far behind, -1 before the first."""
    changes: int
    """How often the lead changed hands."""
    low: float
    """Its lowest chips, 0 or less."""
    low_at: int
    """The deal after which it had them, -1 before the first."""
    was_last: bool
    """Whether no bot had fewer chips then."""
    curve: tuple[float, ...]
    """Its chips at first and after each deal."""


@dataclass(frozen=True, slots=True)
class ChipTotals:
    """The chips of every bot, at first 0, then after each deal."""

    bots: tuple[str, ...]
    chips: tuple[tuple[float, ...], ...]
    """In the order of the bots."""

    def lead(self) -> LeadStory | None:
        """Returns the story of the lead. None without a deal, or if several bots share the first place."""
        ends = [line[-1] for line in self.chips]
        winner = ends.index(max(ends))
        if ends.count(max(ends)) > 1:
            return None
        own, margins = self.chips[winner], list(self._margins(winner))
        holders = list(self._holders())
        taken_at = len(holders) - 1
        while taken_at and holders[taken_at - 1] == winner:
            taken_at -= 1
        until = _end_of_run(margins, taken_at)
        worst = min(margins[: taken_at + 1])
        low = min(own)
        low_at = own.index(low)
        return LeadStory(
            bot=self.bots[winner],
            taken_at=taken_at,
            until=until,
            before=margins[taken_at],
            after=margins[until + 1],
            margin=margins[-1],
            behind=-worst,
            behind_at=margins.index(worst) - 1,
            changes=sum(one not in (None, other) for one, other in pairwise(holders)),
            low=low,
            low_at=low_at - 1,
            was_last=low == min(line[low_at] for line in self.chips),
            curve=own,
        )

    def _margins(self, bot: int) -> Iterator[float]:
        others = [line for place, line in enumerate(self.chips) if place != bot]
        for mine, theirs in zip(self.chips[bot], zip(*others, strict=True), strict=True):
            yield mine - max(theirs)

    def _holders(self) -> Iterator[int | None]:
        """Yields the bot that holds the lead after each deal. Who catches up with it does not take it."""
        holder = None
        for after in list(zip(*self.chips, strict=True))[1:]:
            most = max(after)
            if after.count(most) == 1:
                holder = after.index(most)
            yield holder


def _end_of_run(margins: Sequence[float], taken_at: int) -> int:
    """Returns the last deal of the run that begins with this one. `margins[n]` is that before deal n."""
    until = taken_at
    for deal in range(taken_at + 1, len(margins) - 1):
        if deal - until > PAUSE:
            break
        if margins[deal + 1] > margins[until + 1]:
            until = deal
    return until


def chip_totals(bots: Sequence[str], deals: Sequence[DealEvents]) -> ChipTotals:
    """Adds up the results of all deals of a match."""
    won = [_results(deal) for deal in deals]
    return ChipTotals(tuple(bots), tuple(tuple(accumulate((each[bot] for each in won), initial=0.0)) for bot in bots))


def _results(deal: DealEvents) -> dict[str, float]:
    ended = next(event for event in deal.events if isinstance(event, DealEnded))
    if deal.seating is not None:
        parts = settle_in_units(ended.balances, ended.pot)
        return dict(zip(deal.bots, (in_chips(each, UNIT) for each in parts), strict=True))
    won = [now - then for now, then in zip(ended.balances, deal.balances, strict=True)]
    for event in deal.events:
        if isinstance(event, PotShared):
            won[event.seat] += event.chips
    return dict(zip(deal.bots, (in_chips(each, 1) for each in won), strict=True))
