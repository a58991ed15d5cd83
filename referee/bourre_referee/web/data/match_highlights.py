"""What the page of a match tells: how it was won, its moments, its best deal and its chart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from bourre_referee.web.data.chip_totals import ChipTotals, LeadStory
from bourre_referee.web.data.contest_stories import featured_moment
from bourre_referee.web.data.match_chart import MatchChart, match_chart
from bourre_referee.web.data.match_page import DealLine, MatchData
from bourre_referee.web.data.moments import Moment, MomentKind, Moments

MOST_TOLD = 6
"""The most moments that the page tells."""

MOST_ALIKE = 2
"""The most of one kind. Only one pot is the largest."""


@dataclass(frozen=True, slots=True)
class MatchHighlights:
    """The story of a match."""

    lead: LeadStory | None
    """How the lead was won. None if several share the first place, and in `duplicate`, whose deals are in no order."""
    turn: DealLine | None
    """The deal that gave the winner the lead for good, unless it was the first."""
    until: DealLine | None
    """The last deal of the run that began then."""
    behind: DealLine | None
    """The deal after which the winner was furthest behind. None if it never was."""
    first: tuple[str, ...]
    """The bots that share the first place."""
    moments: tuple[Moment, ...]
    """In the order of the deals, each deal once."""
    featured: Moment | None
    """The moment of the deal in which most chips changed hands."""
    chart: MatchChart


def match_highlights(match: MatchData, found: Moments, duplicate: bool) -> MatchHighlights:
    """Returns the story of a match with these moments."""
    bots = tuple(seat.bot for seat in match.line.seats)
    won = zip(*(deal.chips for deal in match.deals), strict=True)
    totals = ChipTotals(bots, tuple(tuple(accumulate(chips, initial=0.0)) for chips in won))
    lead = None if duplicate else totals.lead()
    moments = tuple(sorted(_chosen(found), key=_place))
    turned = lead is not None and lead.taken_at > 0
    places = {(deal.deal, deal.seating): at for at, deal in enumerate(match.deals)}
    named = [places[moment.played.number, moment.played.seating] for moment in moments]
    ranked = match.line.seats_by_rank
    return MatchHighlights(
        lead=lead,
        turn=match.deals[lead.taken_at] if lead and turned else None,
        until=match.deals[lead.until] if lead and turned else None,
        behind=match.deals[lead.behind_at] if lead and lead.behind and lead.behind_at >= 0 else None,
        first=tuple(seat.bot for seat in ranked if seat.rank == 1),
        moments=moments,
        featured=featured_moment(found),
        chart=match_chart(
            totals,
            match.deals,
            [seat.bot for seat in ranked],
            lead if turned else None,
            [lead.taken_at, *named] if lead and turned else named,
        ),
    )


def _chosen(found: Moments) -> Iterator[Moment]:
    """Yields the weightiest moment of each kind, then more of those that moved most, and no deal twice."""
    ranked = [
        (place, -moment.moved, moment)
        for kind, kept in found.kept.items()
        if kind != MomentKind.COMEBACK
        for place, moment in enumerate(kept[: 1 if kind == MomentKind.POT else MOST_ALIKE])
    ]
    seen: set[tuple[int, int]] = set()
    for *_, moment in sorted(ranked, key=lambda one: (one[0] > 0, one[1], one[0])):
        if len(seen) < MOST_TOLD and _place(moment) not in seen:
            seen.add(_place(moment))
            yield moment


def _place(moment: Moment) -> tuple[int, int]:
    return moment.played.number, moment.played.seating or 0
