"""Judges what each decision of a bot cost, by playing out its choices over sampled deals (extra `champion`)."""

from bourre_lab.review.mistakes import Reviewed, ReviewedDecision, review_decisions, reviewable
from bourre_lab.review.summary import KindSummary, summarize

__all__ = ["KindSummary", "Reviewed", "ReviewedDecision", "review_decisions", "reviewable", "summarize"]
