"""Check how fast a bot is, how much it prints, and whether its memory grows."""

from __future__ import annotations

from collections.abc import Sequence

from bourre_referee.evaluation.check.answer_checks import complaints, findings_in
from bourre_referee.evaluation.check.answer_judge import Area
from bourre_referee.evaluation.check.check_report import Check, Finding, Verdict, make_check
from bourre_referee.evaluation.check.check_room import MAX_LATE
from bourre_referee.evaluation.check.finding_context import Context, own_lines
from bourre_referee.sandbox.bot_log import LIMIT

MAX_GROWTH_KIB = 64 * 1024
"""More growth than this, from the end of the first match to the end of the last, is a warning."""


def speed_check(context: Context) -> Check:
    """Compare the median, 99th percentile and longest decision with the limit."""
    limit = context.terms.decision_ms
    spent = sorted(each.spent_ms for each in context.played.exchanges if each.answer and not each.late)
    good = _times(spent, limit) if spent else "no decision was timed"
    found = list(complaints(context.played.exchanges))
    findings = findings_in(Area.SPEED, context, found)
    title = f"decides within {limit} ms, without a bank"
    check = make_check("speed", title, good, findings)
    if not findings:
        return check
    ended = ", then no longer asked" if len(findings) >= MAX_LATE else ""
    summary = f"late {len(findings)} times{ended}; its other answers: {good}"
    return Check(check.name, title, check.verdict, summary, check.findings, check.times)


def _times(spent: Sequence[float], limit: int) -> str:
    return (
        f"median {_quantile(spent, 0.5):.2f} ms, 99th percentile {_quantile(spent, 0.99):.2f} ms, "
        f"longest {spent[-1]:.2f} ms of {limit}"
    )


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Return the least value that this share of all values does not exceed."""
    return ordered[max(0, -int(-len(ordered) * share // 1) - 1)]


def output_check(context: Context) -> Check:
    """Check how much it printed; output beyond the limit is lost, and may be what its author needs."""
    printed, title = context.played.printed, "prints no more than the log holds"
    if len(printed) <= LIMIT:
        own = "\n".join(own_lines(printed))
        return make_check("output", title, f"{len(own.encode())} bytes" if own else "nothing", [])
    last = printed.decode(errors="replace").rstrip().rpartition("\n")[2]
    detail = last.strip("[]").removeprefix("bourre ") if last.startswith("[bourre kept") else f"kept {LIMIT} bytes"
    found = Finding(
        f"printed too much: the referee {detail}",
        mend="print less: what went wrong may be in the part that is cut off",
    )
    return make_check("output", title, "", [found], Verdict.WARNED)


def memory_check(context: Context) -> Check:
    """Compare its memory at the end of the first match and of the last."""
    sizes, title = [size for size in context.played.memory_kib if size], "does not grow from match to match"
    if not sizes:
        return make_check("memory", title, "not measured", [])
    detail = f"{sizes[0] / 1024:.0f} MiB after the first match, {sizes[-1] / 1024:.0f} MiB after {len(sizes)} matches"
    grew = sizes[-1] - sizes[0] > MAX_GROWTH_KIB
    findings = [Finding(detail, mend="free a match's data when it is over")] if grew else []
    return make_check("memory", title, detail, findings, Verdict.WARNED)
