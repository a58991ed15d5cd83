"""Writes a review as one JSON document."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from bourre.rules.cards import show
from bourre_referee.evaluation.review.reviewed_play import Review
from bourre_referee.evaluation.review.summary import summarize

if TYPE_CHECKING:
    from bourre_lab.review import ReviewedDecision

_DIGITS: Final = 4


def review_json(review: Review) -> str:
    """Returns the document: sums by kind, every decision with its cost in chips, and what the figures cannot know."""
    document = {
        "bot": review.bot,
        "deals": review.deals,
        "kinds": [
            {
                "kind": one.kind,
                "decisions": one.decisions,
                "mistakes": one.mistakes,
                "cost": round(one.cost, _DIGITS),
                "error": round(one.error, _DIGITS),
            }
            for one in summarize(review.decisions)
        ],
        "decisions": [_decision(one) for one in review.decisions],
        "limits": list(review.limits),
    }
    return json.dumps(document, indent=1)


def _decision(one: ReviewedDecision) -> dict[str, object]:
    view = one.ask.view
    return {
        "match": one.match,
        "deal": view.deal,
        "seating": one.ask.seating,
        "ask": one.ask.number,
        "decision": str(view.decision),
        "hand": show(view.hand),
        "pot": view.pot,
        "chosen": str(one.chosen),
        "better": str(one.better),
        "cost": round(one.cost, _DIGITS),
        "error": round(one.error, _DIGITS),
        "samples": one.samples,
        "mistake": one.is_mistake,
    }
