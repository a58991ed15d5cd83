"""What a match is remembered for: a headline, and its result in a line. Names are isolated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bourre_referee.text.names import isolated
from bourre_referee.web.data.match_highlights import MatchHighlights
from bourre_referee.web.data.match_page import MatchData
from bourre_referee.web.template_filters import number, short, signed

MOST_NAMED = 4
"""The most seats that the line names, best first."""


@dataclass(frozen=True, slots=True)
class MatchHeadline:
    """A match in a few words."""

    title: str
    """Such as `drawer took the lead at deal 38 and never gave it back`."""
    result: str
    """Such as `drawer +89, tight +54, loose -143`."""


def match_headline(match: MatchData, told: MatchHighlights, decimals: int) -> MatchHeadline:
    """Returns the headline of a finished match, with chips of so many decimals."""
    seats = match.line.seats_by_rank
    named = [f"{_name(seat.bot)} {signed(match.line.chips(seat), decimals)}" for seat in seats[:MOST_NAMED]]
    more = f" and {len(seats) - MOST_NAMED} more" if len(seats) > MOST_NAMED else ""
    return MatchHeadline(_title(match, told, decimals), f"{', '.join(named)}{more}.")


def _title(match: MatchData, told: MatchHighlights, decimals: int) -> str:
    lead = told.lead
    if len(told.first) > 1:
        return f"{_listed([_name(bot) for bot in told.first])} share the first place"
    if lead is None:
        return f"{_name(told.first[0])} wins by {number(match.line.margin, decimals)} chips"
    if told.turn is None:
        return f"{_name(lead.bot)} led from the first deal to the last"
    if lead.taken_at + 1 == len(match.deals):
        return f"{_name(lead.bot)} took the lead with the last deal"
    return f"{_name(lead.bot)} took the lead at deal {told.turn.deal} and never gave it back"


def _name(bot: str) -> str:
    return isolated(short(bot))


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
