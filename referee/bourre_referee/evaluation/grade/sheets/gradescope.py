"""The results of one submission, as Gradescope reads them."""

from __future__ import annotations

import json

from bourre_referee.evaluation.grade.marks.grading_result import GradingResult
from bourre_referee.evaluation.grade.marks.marking import Item, Mark, MarkEvidence, rate
from bourre_referee.evaluation.grade.plan.grading_plan import Plan
from bourre_referee.evaluation.grade.sheets.feedback import NO_MARK, feedback
from bourre_referee.evaluation.grade.sheets.leaderboard import rounded_chips, rounded_points


def results_json(plan: Plan, graded: GradingResult) -> str:
    """Writes the results of one submission. Without a mark there is no score, and Gradescope reports a failure."""
    if graded.mark is None:
        output = feedback(plan, graded) if graded.waiting else NO_MARK
        return _as_json({"output": output, "stdout_visibility": "hidden"})
    document: dict[str, object] = {
        "score": graded.points,
        "output": feedback(plan, graded),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [_test(number, item) for number, item in enumerate(graded.mark.items, start=1)],
        "leaderboard": _leaderboard(graded.mark, graded.evidence),
        "extra_data": {"assignment": plan.name, "max_score": graded.mark.max_points},
    }
    return _as_json(document)


def _as_json(document: dict[str, object]) -> str:
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


def _leaderboard(mark: Mark, evidence: MarkEvidence) -> list[dict[str, object]]:
    """Lists points, then chips per 100 deals, both rounded. Gradescope itself asks the students for names."""
    board: list[dict[str, object]] = [{"name": "points", "value": rounded_points(mark.points, mark.max_points)}]
    if evidence.is_ranked:
        board.append({"name": "chips per 100 deals", "value": rounded_chips(rate(evidence).chips_per_100)})
    return board
