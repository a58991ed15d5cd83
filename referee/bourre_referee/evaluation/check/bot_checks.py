"""The checks of a whole bot: its start and end, speed, memory and output, and equal answers in repetitions."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from bourre.bot_code.lookalike_methods import WARNING_PREFIX
from bourre.bot_code.start_diagnosis import ending
from bourre.rules.actions import Decision, Fault
from bourre.rules.cards import show
from bourre_referee.evaluation.check.answer_checks import complaints, findings_in
from bourre_referee.evaluation.check.answer_judge import Area
from bourre_referee.evaluation.check.check_report import Check, CheckVerdict, Finding, make_check
from bourre_referee.evaluation.check.check_room import MAX_LATE, CheckedRoom
from bourre_referee.evaluation.check.finding_context import MAX_LINES, Context, lines_about, own_lines
from bourre_referee.evaluation.check.transcript import Exchange
from bourre_referee.sandbox.bot_log import LIMIT
from bourre_referee.storage.run.start_failures import start_failure_in
from bourre_referee.text.names import printable

_START = "start", "says hello in time, with this version of the protocol"
_NAMES = "names", "has no misnamed method, which would never be called"
_END = "end", "stays to the end of the room, then exits"


def start_check(context: Context) -> Check:
    """Checks that the bot said hello."""
    hello = context.played.hello
    if hello is None:
        return make_check(*_START, "", [_absence_finding(context)])
    client = f" as {hello.client!r}" if hello.client else ""
    return make_check(*_START, f"said hello{client} after {context.played.hello_seconds:.2f} s", [])


def names_check(context: Context) -> Check:
    """Checks that the SDK reported no misnamed methods."""
    lines = context.played.printed.decode(errors="replace").splitlines()
    detail = [printable(line.removeprefix(WARNING_PREFIX)) for line in lines if line.startswith(WARNING_PREFIX)]
    cost = "the default of `bourre.Bot` decides instead"
    return make_check(*_NAMES, "the SDK reported none", [Finding(line, cost=cost) for line in detail])


def end_check(context: Context) -> Check:
    """Checks that the bot stayed, and ended after the goodbye."""
    played = context.played
    if played.gone in (Fault.CRASHED, Fault.DISCONNECTED, Fault.OVER_LIMIT) and not played.chatter:
        return make_check(*_END, "", [_departure_finding(context, played.gone)])
    if played.gone:
        return Check(*_END, CheckVerdict.SKIPPED, "not tried, because the referee closed its connection")
    if played.exit_status is None:
        hint = "end the program when the referee says goodbye, or when the stream ends"
        return make_check(*_END, "", [_finding("did not end within 2 s of the goodbye", context, hint)])
    if played.exit_status:
        found = _finding(f"{ending(played.exit_status)} after the goodbye", context, "end with status 0")
        return make_check(*_END, "", [found], CheckVerdict.WARNED)
    return make_check(*_END, "ended with status 0 after the goodbye", [])


def _absence_finding(context: Context) -> Finding:
    played = context.played
    if played.turned_away:
        return _finding(f"its hello was refused: {played.turned_away}", context)
    return _finding(start_failure_in(played.printed) or "it never said hello", context)


def _departure_finding(context: Context, fault: Fault) -> Finding:
    played = context.played
    what = {
        Fault.OVER_LIMIT: "was killed for using more memory, time or files than allowed",
        Fault.CRASHED: f"{_ending(played.exit_status)} before the last match was over",
    }.get(fault, "left before the last match was over, and did not come back")
    last = played.exchanges[-1] if played.exchanges else None
    return Finding(
        what=what,
        where=f"after {len(played.exchanges)} questions" + (f", the last one: {context.where(last)}" if last else ""),
        cost="the referee plays its seat to the end, at the price of a missing answer (R8.5)",
        printed=_last_lines(context),
        again=context.again(last.match) if last else "",
    )


def _finding(what: str, context: Context, hint: str = "") -> Finding:
    return Finding(what, mend=hint, printed=_last_lines(context))


def _last_lines(context: Context) -> str:
    return "\n".join(list(own_lines(context.played.printed))[-MAX_LINES:])


def _ending(status: int | None) -> str:
    return "it ended" if status is None else ending(status)


MAX_GROWTH_KIB = 64 * 1024
"""Growth above this, from the end of the first match to the end of the last, is a warning."""


def speed_check(context: Context) -> Check:
    """Compares the median, 99th percentile and longest decision with the limit."""
    limit = context.terms.decision_ms
    spent = sorted(each.spent_ms for each in context.played.exchanges if each.answer and not each.late)
    good = _times(spent, limit) if spent else "no decision was timed"
    found = list(complaints(context.played.exchanges))
    findings = findings_in(Area.SPEED, context, found)
    title = f"decides within {limit} ms, without reserve time"
    check = make_check("speed", title, good, findings)
    if not findings:
        return check
    ended = ", then no longer asked" if len(findings) >= MAX_LATE else ""
    summary = f"late {len(findings)} times{ended}. Its other answers: {good}"
    return Check(check.name, title, check.verdict, summary, check.findings, check.times)


def _times(spent: Sequence[float], limit: int) -> str:
    return (
        f"median {_quantile(spent, 0.5):.2f} ms, 99th percentile {_quantile(spent, 0.99):.2f} ms, "
        f"longest {spent[-1]:.2f} ms of {limit}"
    )


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Returns the least value that this share of all values does not exceed."""
    return ordered[max(0, -int(-len(ordered) * share // 1) - 1)]


def output_check(context: Context) -> Check:
    """Checks how much the bot printed. Output beyond the limit is lost, although its author may need it."""
    printed, title = context.played.printed, "prints no more than the log holds"
    if len(printed) <= LIMIT:
        own = "\n".join(own_lines(printed))
        return make_check("output", title, f"{len(own.encode())} bytes" if own else "nothing", [])
    last = printed.decode(errors="replace").rstrip().rpartition("\n")[2]
    detail = last.strip("[]").removeprefix("bourre ") if last.startswith("[bourre kept") else f"kept {LIMIT} bytes"
    found = Finding(
        f"printed too much: the referee {detail}",
        mend="print less, because the part that is cut off may contain the error",
    )
    return make_check("output", title, "", [found], CheckVerdict.WARNED)


def memory_check(context: Context) -> Check:
    """Compares its memory at the end of the first match and of the last."""
    sizes, title = [size for size in context.played.memory_kib if size], "does not grow from match to match"
    if not sizes:
        return make_check("memory", title, "not measured", [])
    detail = f"{sizes[0] / 1024:.0f} MiB after the first match, {sizes[-1] / 1024:.0f} MiB after {len(sizes)} matches"
    grew = sizes[-1] - sizes[0] > MAX_GROWTH_KIB
    findings = [Finding(detail, mend="free a match's data when it is over")] if grew else []
    return make_check("memory", title, detail, findings, CheckVerdict.WARNED)


def determinism_check(name: str, title: str, hint: str, context: Context, other: CheckedRoom) -> Check:
    """Compares the first matches of a room with the same ones in another."""
    outcomes = context.played.outcomes[: len(other.outcomes)]
    here, there = (digest(outcome.record for outcome in room) for room in (outcomes, other.outcomes))
    if here == there:
        return make_check(name, title, f"digest {here[:12]} of {len(outcomes)} matches, both times", [])
    return make_check(name, title, "", [_first_difference(context, other, hint)])


def digest(records: Iterable[str]) -> str:
    """Returns the SHA-256 of the records, in the order of the matches."""
    return hashlib.sha256("".join(records).encode()).hexdigest()


def _first_difference(context: Context, other: CheckedRoom, hint: str) -> Finding:
    """Finds the first decision, in the order of the matches, whose answers differ."""
    here, there = _by_match(context.played), _by_match(other)
    for outcome in other.outcomes:
        match = outcome.result.match
        for one, two in zip_longest(here[match], there[match]):
            if answer_text(one) != answer_text(two):
                return _difference(context, one, two, other, hint)
    return Finding("in the second room its answers came at other times, late or never", mend=hint)


def _by_match(played: CheckedRoom) -> dict[str, list[Exchange]]:
    found: dict[str, list[Exchange]] = defaultdict(list)
    for exchange in played.exchanges:
        found[exchange.match].append(exchange)
    return found


def _difference(context: Context, one: Exchange | None, two: Exchange | None, other: CheckedRoom, hint: str) -> Finding:
    exchange = one or two
    assert exchange is not None
    view = exchange.ask.view
    return Finding(
        what=f"{view.decision}: answered {answer_text(one)!r} the first time, {answer_text(two)!r} the second",
        where=context.where(exchange),
        hand=show(view.hand),
        legal=show(view.legal) if view.decision == Decision.PLAY else "",
        cost="no match with this bot can be reproduced",
        mend=hint,
        printed=lines_about(other.printed, exchange),
        again=context.again(exchange.match),
    )


def answer_text(exchange: Exchange | None) -> str:
    """Returns the answer to a question. None stands for a question that was not asked."""
    if exchange is None:
        return "never asked"
    return str(exchange.answer.action) if exchange.answer else "nothing"
