"""Plans of assignments for tests, and evidence to mark."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bourre.rules.pot import UNIT
from bourre_referee.evaluation.grade.marks.marking import MarkEvidence
from bourre_referee.evaluation.grade.plan.grading_plan import SUBMISSION, Plan, load
from bourre_referee.model.results import DealResult, MatchResult, SeatResult, ranks_of

EXAMPLES = Path(__file__).parents[2] / "examples"

PLAN = """\
[assignment]
name = "week-3"
seed = 5823946712389

[table]
seats = 3
deals = 12

[isolation]
level = "none"

[[staff]]
name = "coin"
bot = "random"

[[staff]]
name = "tight"
bot = "tight"

[conformance]
legal = 20
no_faults = 10
on_time = 10

[[mark]]
points = 30
against = "coin"
per_100 = 50
zero_at = -50

[[mark]]
points = 30
per_100 = 10
"""


def written(folder: Path, text: str = PLAN) -> Path:
    """A plan file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "grade.toml"
    path.write_text(text)
    return path


def plan(folder: Path, text: str = PLAN) -> Plan:
    """The plan of this text."""
    return load(written(folder, text), [EXAMPLES])


def evidence(
    chips: Sequence[int],
    faults: tuple[tuple[str, int], ...] = (),
    broken: tuple[tuple[str, int], ...] = (),
    house_deals: int = 0,
    deals: int = 4,
) -> MarkEvidence:
    """One duplicate match of `deals` deals in each of which submission, coin and tight win these whole chips."""
    blocks = (DealResult(tuple(UNIT * won for won in chips), (0, 0, 0)),) * deals
    totals = [UNIT * deals * won for won in chips]
    reneges = sum(times for _, times in broken)
    first = SeatResult(
        SUBMISSION, totals[0], ranks_of(totals)[0], 0, 0, reneges, sum(t for _, t in faults), house_deals, broken
    )
    others = (
        SeatResult(bot, totals[seat], ranks_of(totals)[seat], 0, 0, 0, 0, 0)
        for seat, bot in ((1, "coin"), (2, "tight"))
    )
    return MarkEvidence((MatchResult("m0001", deals, (first, *others), UNIT, blocks),), faults)
