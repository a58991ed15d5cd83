"""All choices of a decision in the champion's judgement, without playing them out: quick enough for a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bourre.record import RecordedAsk
from bourre.rules.actions import Missing
from bourre_lab.champion import Judged, judge_views
from bourre_lab.review.compared_choices import judged_alike
from bourre_lab.review.mistakes import reviewable


def weighed_choices(match: str, asks: Iterable[RecordedAsk]) -> Iterator[tuple[RecordedAsk, tuple[Judged, ...]]]:
    """Yields each decision that can be judged with its sensible choices, the best first."""
    asked = [one.ask for one in reviewable(match, asks)]
    for ask, judged in zip(asked, judge_views([ask.view for ask in asked]), strict=True):
        alike = judged_alike(judged, ask.action) if not isinstance(ask.action, Missing) else judged
        yield ask, tuple(sorted(alike, key=lambda one: one.chips, reverse=True))
