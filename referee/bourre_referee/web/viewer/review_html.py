"""Renders a review as one HTML file: its figures, and the worst mistakes on the card table, with better choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from shlex import quote
from typing import TYPE_CHECKING

from bourre.words.table_words import choice_words, show_glyphs
from bourre_referee.evaluation.review.habits import habits_of
from bourre_referee.evaluation.review.review_text import (
    DOUBT,
    WORST,
    cost_words,
    habit_words,
    lost_per_100,
    place_text,
    position_lines,
    summary_line,
)
from bourre_referee.evaluation.review.reviewed_play import Review, summarize, worst
from bourre_referee.text.names import printable
from bourre_referee.text.narration.events_by_deal import EventText, deal_of
from bourre_referee.web.viewer.replay_html import ViewerDeal, prepare_deal, render_page, render_viewer
from bourre_referee.web.viewer.replay_steps import JudgedMove

if TYPE_CHECKING:
    from bourre_lab.review import ReviewedDecision


@dataclass(frozen=True, slots=True)
class MistakeText:
    """A mistake, prepared for the template."""

    place: str
    fragment: str
    """The address of the moment in this page."""
    position: str
    """The seat's view, in words."""
    chosen: str
    better: str
    cost: str
    doubt: str
    """The mark of a doubtful one, or nothing."""
    command: str
    """The command that prints its deal. Empty without a run."""


@dataclass(frozen=True, slots=True)
class KindText:
    """The decisions of one kind, prepared for the template."""

    name: str
    decisions: int
    mistakes: int
    lost: str


Deal = tuple[str, int, int | None]
"""A deal by match, number and seating."""


def render_review(review: Review, run: str = "") -> str:
    """Renders the page, which requests nothing else. `run` is the run's place, for commands, if it is of a run."""
    found = worst(review.decisions, WORST)
    deals = tuple(dict.fromkeys(map(_deal, found)))
    shown = [_viewer_deal(review, f"d{number}", deal, found) for number, deal in enumerate(deals, start=1)]
    return render_page(
        "review.html",
        bot=printable(review.bot),
        summary=summary_line(review),
        kinds=[
            KindText(one.kind, one.decisions, one.mistakes, lost_per_100(one, review.deals))
            for one in summarize(review.decisions)
        ],
        habits=[habit_words(habit) for habit in habits_of(review.decisions)],
        mistakes=[_mistake(one, shown[deals.index(_deal(one))], run) for one in found],
        viewer=render_viewer(shown),
        limits=review.limits,
        warnings=review.warnings,
    )


def _deal(one: ReviewedDecision) -> Deal:
    return one.match, one.ask.view.deal, one.ask.seating


def _place(one: ReviewedDecision) -> str:
    return f"Match {place_text(one).removeprefix('match ')}"


def _viewer_deal(review: Review, anchor: str, deal: Deal, found: Sequence[ReviewedDecision]) -> ViewerDeal:
    match, number, seating = deal
    record = next(record for record in review.records if record.header.match == match)
    played = deal_of(record, number, seating)
    assert played is not None
    here = sorted((one for one in found if _deal(one) == deal), key=lambda one: one.ask.place)
    prepared = prepare_deal(played, {}, alone=False, judged=tuple(map(_judged, here)))
    named = replace(prepared, title=_place(here[0]), anchor=anchor, prefix=f"{anchor}-")
    return replace(named, begins=_fragment(here[0], named))


def _cost(one: ReviewedDecision) -> str:
    """Returns the cost, which no line break divides."""
    return cost_words(one).replace(" ", "\N{NO-BREAK SPACE}")


def _judged(one: ReviewedDecision) -> JudgedMove:
    text = f"The review: to {choice_words(one.better, show_glyphs)} brings {_cost(one)} chips more"
    return JudgedMove(one.ask.place, EventText(text, "", one.ask.view.seat))


def _fragment(one: ReviewedDecision, deal: ViewerDeal) -> str:
    """Returns the fragment of the step before the answer, from the view of its seat."""
    verdict = _judged(one).verdict
    step = next(number for number, step in enumerate(deal.steps) if verdict in step.verdicts)
    return f"#{deal.prefix}step-{max(1, step)}-as-{one.ask.view.seat}"


def _mistake(one: ReviewedDecision, deal: ViewerDeal, run: str) -> MistakeText:
    number = one.ask.view.deal
    return MistakeText(
        place=_place(one),
        fragment=_fragment(one, deal),
        position="; ".join(position_lines(one.ask.view, show_glyphs)),
        chosen=choice_words(one.chosen, show_glyphs),
        better=choice_words(one.better, show_glyphs),
        cost=_cost(one),
        doubt=DOUBT.capitalize() if one.is_doubtful else "",
        command=f"bourre replay {quote(run)} {one.match} --deal {number}" if run else "",
    )
