"""Tells versions of a submission apart, and plans that give other marks."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from bourre_referee.evaluation.grade.plan.grading_plan import Plan


def files_digest(folder: Path) -> str:
    """Returns the hash of the files in a folder, with their names and without Python's caches."""
    whole = sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
        name = file.relative_to(folder).as_posix().encode(errors="surrogateescape")
        whole.update(sha256(name).digest() + sha256(file.read_bytes()).digest())
    return whole.hexdigest()


def plan_digest(plan: Plan) -> str:
    """Returns the hash of what decides a mark: deals, rules, reference bots and points, but not [term]."""
    staff = [(bot.name, sha256(bot.file.read_bytes()).hexdigest()) for bot in plan.staff]
    thresholds = [threshold.model_dump_json() for threshold in plan.thresholds]
    deals = (plan.seed, plan.practice_seed, plan.seats, plan.deals, plan.house, plan.clock, plan.max_faults)
    text = repr((deals, staff, thresholds, plan.conformance.model_dump_json()))
    return sha256(text.encode()).hexdigest()[:16]
