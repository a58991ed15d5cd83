"""Judges the cost of a bot's decisions by playing out its choices over sampled deals (extra `champion`)."""

from bourre_lab.best_response import exploit
from bourre_lab.champion.training_tables import training_gap
from bourre_lab.review.champion_judgements import JudgedDecision, judged_decisions
from bourre_lab.review.mistakes import LIMITS, Reviewed, ReviewedDecision, review_decisions, reviewable, unjudged
from bourre_lab.review.weighed_choices import weighed_choices

__all__ = [
    "LIMITS",
    "JudgedDecision",
    "Reviewed",
    "ReviewedDecision",
    "exploit",
    "judged_decisions",
    "review_decisions",
    "reviewable",
    "training_gap",
    "unjudged",
    "weighed_choices",
]
