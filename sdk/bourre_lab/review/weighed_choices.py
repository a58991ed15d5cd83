"""All choices of a decision in the champion's judgement, without playing them out: quick enough for a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bourre.record import RecordedAsk
from bourre_lab.champion import Judged, judge_views
from bourre_lab.review.compared_choices import judged_alike
from bourre_lab.review.mistakes import reviewable


def weighed_choices(match: str, asks: Iterable[RecordedAsk]) -> Iterator[tuple[RecordedAsk, tuple[Judged, ...]]]:
    """Yields each decision that can be judged with its sensible choices, the best first."""
    found = list(reviewable(match, asks))
    for one, judged in zip(found, judge_views([one.ask.view for one in found]), strict=True):
        alike = judged_alike(judged, one.chosen)
        yield one.ask, tuple(sorted(alike, key=lambda judged: judged.chips, reverse=True))
