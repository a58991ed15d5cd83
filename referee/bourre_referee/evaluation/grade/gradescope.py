"""Write `results.json` for Gradescope: https://gradescope-autograders.readthedocs.io/en/latest/specs/.

Students may see all of it, whatever the settings of the assignment are.
"""

from __future__ import annotations

import json

from bourre_referee.evaluation.grade.feedback import NO_MARK, GradingResult, feedback
from bourre_referee.evaluation.grade.grading_plan import Plan
from bourre_referee.evaluation.grade.marking import Item, rate


def results_json(plan: Plan, graded: GradingResult) -> str:
    """Write the results of one submission; without a mark they have no score, and Gradescope reports a failure."""
    if graded.mark is None:
        return as_json({"output": NO_MARK, "stdout_visibility": "hidden"})
    document = {
        "score": graded.mark.points,
        "output": feedback(plan, graded),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [_test(number, item) for number, item in enumerate(graded.mark.items, start=1)],
        "leaderboard": _leaderboard(plan, graded),
        "extra_data": {"assignment": plan.name, "max_score": graded.mark.max_points},
    }
    return as_json(document)


def as_json(document: dict[str, object]) -> str:
    """Write a document as JSON with a newline at the end."""
    return f"{json.dumps(document, indent=2)}\n"


def _test(number: int, item: Item) -> dict[str, object]:
    return {
        "number": str(number),
        "name": item.name,
        "score": item.points,
        "max_score": item.max_points,
        "status": "passed" if item.passed else "failed",
        "output": item.explanation,
        "output_format": "text",
        "visibility": "visible",
    }


def _leaderboard(plan: Plan, graded: GradingResult) -> list[dict[str, object]]:
    """List points, then chips per 100 deals; Gradescope itself asks the students for names."""
    assert graded.mark is not None
    board: list[dict[str, object]] = [{"name": "points", "value": graded.mark.points}]
    if graded.evidence.is_ranked:
        board.append({"name": "chips per 100 deals", "value": round(rate(graded.evidence).chips_per_100, 1)})
        strongest = plan.staff[-1].name
        ahead = rate(graded.evidence, strongest).chips_per_100
        board.append({"name": f"ahead of {strongest}", "value": round(ahead, 1)})
    return board
