"""Check that a bot connects, stays to the end, and then ends."""

from __future__ import annotations

from bourre.bot_code.lookalike_methods import WARNING_PREFIX
from bourre.bot_code.start_diagnosis import ending
from bourre.rules.actions import Fault
from bourre_referee.evaluation.check.check_report import Check, Finding, Verdict, make_check
from bourre_referee.evaluation.check.finding_context import MAX_LINES, Context, own_lines
from bourre_referee.storage.start_failures import start_failure_in
from bourre_referee.text.names import printable

_START = "start", "says hello in time, with this version of the protocol"
_NAMES = "names", "has no misnamed method, which would never be called"
_END = "end", "stays to the end of the room, then exits"


def start_check(context: Context) -> Check:
    """Check that the bot said hello."""
    hello = context.played.hello
    if hello is None:
        return make_check(*_START, "", [_absence_finding(context)])
    client = f" as {hello.client!r}" if hello.client else ""
    return make_check(*_START, f"said hello{client} after {context.played.hello_seconds:.2f} s", [])


def names_check(context: Context) -> Check:
    """Check that the SDK reported no misnamed methods."""
    lines = context.played.printed.decode(errors="replace").splitlines()
    detail = [printable(line.removeprefix(WARNING_PREFIX)) for line in lines if line.startswith(WARNING_PREFIX)]
    cost = "the default of `bourre.Bot` decides instead"
    return make_check(*_NAMES, "the SDK reported none", [Finding(line, cost=cost) for line in detail])


def end_check(context: Context) -> Check:
    """Check that the bot stayed, and ended after the goodbye."""
    played = context.played
    if played.gone in (Fault.CRASHED, Fault.DISCONNECTED, Fault.OVER_LIMIT) and not played.chatter:
        return make_check(*_END, "", [_departure_finding(context, played.gone)])
    if played.gone:
        return Check(*_END, Verdict.SKIPPED, "not tried: the referee closed its connection")
    if played.exit_status is None:
        hint = "end the program when the referee says goodbye, or when the stream ends"
        return make_check(*_END, "", [_finding("did not end within 2 s of the goodbye", context, hint)])
    if played.exit_status:
        found = _finding(f"{ending(played.exit_status)} after the goodbye", context, "end with status 0")
        return make_check(*_END, "", [found], Verdict.WARNED)
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
        where=f"after {len(played.exchanges)} questions" + (f"; the last: {context.where(last)}" if last else ""),
        cost="the house plays its seat to the end, at the price of a missing answer (R8.5)",
        printed=_last_lines(context),
        again=context.again(last.match) if last else "",
    )


def _finding(what: str, context: Context, hint: str = "") -> Finding:
    return Finding(what, mend=hint, printed=_last_lines(context))


def _last_lines(context: Context) -> str:
    return "\n".join(list(own_lines(context.played.printed))[-MAX_LINES:])


def _ending(status: int | None) -> str:
    return "it ended" if status is None else ending(status)
