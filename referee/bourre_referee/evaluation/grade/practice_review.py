"""What a review says of a submission's decisions in the practice deals, in words; it is no part of the mark."""

from __future__ import annotations

from collections.abc import Iterator

from bourre.rules.errors import BourreError
from bourre_referee.evaluation.grade.feedback import NOT_REVIEWED
from bourre_referee.evaluation.grade.grading_contests import PRACTICE_DEALS
from bourre_referee.evaluation.grade.grading_plan import SUBMISSION
from bourre_referee.evaluation.review.review_text import mistake_lines
from bourre_referee.evaluation.review.reviewed_play import Review, review_run, worst
from bourre_referee.storage.run.run import Run


def review_of(folder: Run, most: int) -> tuple[str, ...]:
    """Return the review of the practice deals as lines, with so many mistakes; the same run gives the same lines.

    Of the hidden deals it knows nothing. A run that cannot be reviewed costs nobody the mark.
    """
    try:
        review = review_run(folder, SUBMISSION, PRACTICE_DEALS)
    except BourreError:
        return (NOT_REVIEWED,)
    return tuple(_lines(review, most)) if review.decisions else (NOT_REVIEWED,)


def _lines(review: Review, most: int) -> Iterator[str]:
    found = worst(review.decisions, most)
    judged = f"{len(review.decisions)} decisions in {review.deals} practice deals"
    if not found:
        yield f"A review of your {judged} by the champion found no mistake. It is no part of the mark."
    else:
        yield f"What cost most of your {judged}, as the champion judges; it is no part of the mark:"
    for number, one in enumerate(found, start=1):
        yield from mistake_lines(number, one)
    yield from review.limits
