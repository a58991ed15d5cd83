"""The end of a person's game: the result, and the dearest decisions as the champion judges them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bourre.extras import install_command
from bourre.record import Record, asks
from bourre.rules.actions import Declare
from bourre.rules.view import View
from bourre.words.table_words import choice_words, show_glyphs, sort_hand
from bourre_referee.evaluation.review.reviewed_play import worst
from bourre_referee.model.lab import open_lab
from bourre_referee.model.results import MatchResult
from bourre_referee.text.narration.events_by_deal import deals_of
from bourre_seats.seat.ending import DearDecision, Ending, EndingSeat

if TYPE_CHECKING:
    from bourre_lab.review import ReviewedDecision

MOST_SHOWN: Final = 3
"""The number of decisions that are shown."""
AT_ONCE: Final = 12
"""The decisions that are judged in one step, which takes seconds. A person who leaves waits for one step."""


def ending_of(record: Record, result: MatchResult, names: Sequence[str], own: int) -> Ending:
    """Returns the end of a game of the person in seat `own`, before its decisions are judged. `names` are by seat."""
    ranked = sorted(enumerate(result.seats), key=lambda one: (one[1].rank, one[0]))
    before = [deal.balances[own] for deal in deals_of(record)]
    return Ending(
        seats=tuple(EndingSeat(names[seat], one.chips, one.rank, seat == own) for seat, one in ranked),
        entered=sum(any(_enters(one, own) for one in deal.actions) for deal in record.deals),
        bourres=result.seats[own].bourres,
        curve=(*before[1:], record.final[own]),
    )


def _enters(said: tuple[int, object], own: int) -> bool:
    seat, action = said
    return seat == own and isinstance(action, Declare) and action.plays


async def judge_ending(ending: Ending, record: Record, own: int) -> AsyncIterator[Ending]:
    """Yields the end of the game with more and more decisions judged, and at last with the dearest ones."""
    try:
        lab = await asyncio.to_thread(open_lab)
    except ModuleNotFoundError:
        yield replace(ending, unknown=f"To see where it was lost, install the champion: {install_command('champion')}")
        return
    decisions = list(lab.reviewable(record.header.match, asks(record, own)))
    found: list[ReviewedDecision] = []
    for start in range(0, len(decisions), AT_ONCE):
        yield replace(ending, decisions=len(decisions), judged=start)
        found += await asyncio.to_thread(lab.review_decisions, decisions[start : start + AT_ONCE])
    mistakes = worst(found, len(found))
    yield replace(
        ending,
        decisions=len(decisions),
        judged=len(decisions),
        mistakes=len(mistakes),
        lost=tuple(map(_dear, mistakes[:MOST_SHOWN])),
    )


def _dear(one: ReviewedDecision) -> DearDecision:
    view = one.ask.view
    return DearDecision(
        deal=view.deal,
        hand=tuple(map(str, sort_hand(view.hand, view.named))),
        trump="" if view.named is None else str(view.named),
        situation=_situation(view),
        chosen=choice_words(one.chosen, show_glyphs),
        better=choice_words(one.better, show_glyphs),
        chips=one.chips,
        cost=one.cost,
        error=one.error,
        step=f"#deal-{view.deal}-step-1-as-{view.seat}",
    )


def _situation(view: View) -> str:
    others = [plays for seat, plays in enumerate(view.plays) if seat != view.seat]
    return f"pot {view.pot}, {_counted(others, True, 'in')}{_counted(others, None, 'to declare', ', ')}"


def _counted(others: Sequence[bool | None], wanted: bool | None, word: str, before: str = "") -> str:
    number = sum(plays is wanted for plays in others)
    return "" if before and not number else f"{before}{number or 'nobody'} {word}"
