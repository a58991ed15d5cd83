"""What `bourre check` reports of a bot that does not exit, answers differently the second time, or is at fault."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bourre.messages import Answer, Ask, Hello
from bourre.rules.actions import Choice, Declare, Fault
from bourre.testing import view
from bourre_referee.evaluation.check.answer_checks import answer_checks
from bourre_referee.evaluation.check.check_report import Check, Verdict
from bourre_referee.evaluation.check.check_room import PlayedRoom
from bourre_referee.evaluation.check.determinism_check import determinism_check
from bourre_referee.evaluation.check.finding_context import Context
from bourre_referee.evaluation.check.performance_checks import memory_check
from bourre_referee.evaluation.check.presence_checks import end_check
from bourre_referee.evaluation.check.transcript import Exchange
from bourre_referee.evaluation.check.trial_matches import CORRECTION, TESTED_BOT, TrialMatch, TrialTerms
from bourre_referee.model.results import MatchResult, SeatResult
from bourre_referee.model.spec import MatchOutcome, SeatFault

DECLARE = view("declare hand='AS KH 2C 3C 4C' trump=S pot=9 seats=4")
ENDED = PlayedRoom((), (), (), Hello("token"), 0.1, "", None, False, 0, (), b"its last words\n")


def context(played: PlayedRoom) -> Context:
    """The room in which this was heard."""
    matches = [CORRECTION, *(outcome.result.match for outcome in played.outcomes)]
    trials = {match: TrialMatch(match, "limit", 4, 10) for match in matches}
    return Context(TrialTerms(("limit",), (4,), 500, 7, 1000), ("bourre", "check", "bot.py"), trials, played)


def outcome(match: str, record: str = "", *faults: SeatFault, broken: tuple[tuple[str, int], ...] = ()) -> MatchOutcome:
    """The outcome of a match between an in-process bot and the tested bot."""
    reneges = sum(times for _, times in broken)
    seats = (SeatResult("guest-1", 0, 1, 0, 0, 0, 0, 0), SeatResult(TESTED_BOT, 0, 1, 0, 0, reneges, 0, 0, broken))
    return MatchOutcome(MatchResult(match, 10, seats), faults, record, ())


def room(record: str, *said: Choice, matches: Sequence[str] = ("m1",)) -> PlayedRoom:
    """One in which the bot said this in the last of these matches, whose record is another one then."""
    asks = (
        Exchange(matches[-1], Ask(0, number, DECLARE, 0), Answer(0, number, one)) for number, one in enumerate(said)
    )
    outcomes = [outcome(match) for match in matches[:-1]]
    return replace(ENDED, exchanges=tuple(asks), outcomes=(*outcomes, outcome(matches[-1], record)))


def compared(first: PlayedRoom, second: PlayedRoom) -> Check:
    return determinism_check("again", "gives the same answers", "look at no clock", context(first), second)


def test_the_first_other_answer_is_told_with_both() -> None:
    one, other = (room(str(plays), Declare(True), Declare(plays), matches=("m1", "m2")) for plays in (True, False))
    (finding,) = compared(one, other).findings
    assert (
        finding.what == f"declare: answered {str(Declare(True))!r} the first time, {str(Declare(False))!r} the second"
    )
    assert "(table 0, ask 1)" in finding.where


def test_a_question_that_one_room_alone_has_is_told() -> None:
    (finding,) = compared(room("a", Declare(True)), room("b")).findings
    assert finding.what == f"declare: answered {str(Declare(True))!r} the first time, 'never asked' the second"


def test_where_only_the_times_differ_that_is_told() -> None:
    (finding,) = compared(room("a", Declare(True)), room("b", Declare(True))).findings
    assert (finding.what, finding.mend) == (
        "in the second room its answers came at other times, late or not at all",
        "look at no clock",
    )


@pytest.mark.parametrize(
    ("status", "told", "fix"),
    [
        (None, "did not end within 2 s of the goodbye", "end the program when the referee says goodbye"),
        (139, "SIGSEGV ended it after the goodbye", "end with status 0"),
        (3, "it ended with status 3 after the goodbye", "end with status 0"),
    ],
)
def test_how_a_bot_ended_is_told_with_the_fix(status: int | None, told: str, fix: str) -> None:
    check = end_check(context(replace(ENDED, exit_status=status)))
    assert check.verdict == (Verdict.WARNED if status else Verdict.FAILED)
    (finding,) = check.findings
    assert (finding.what, finding.printed) == (told, "its last words")
    assert finding.mend.startswith(fix)


@pytest.mark.parametrize("sizes", [(), (0, 0)])
def test_memory_that_the_system_does_not_tell_is_not_judged(sizes: tuple[int, ...]) -> None:
    check = memory_check(context(replace(ENDED, memory_kib=sizes)))
    assert (check.verdict, check.summary) == (Verdict.PASSED, "not measured")


def test_what_the_referee_alone_holds_against_the_bot_fails_it() -> None:
    """No check sees it, but a contest would count it. Reneges that the referee plays for the bot do not count."""
    broken = (("R5.2", 2),)
    outcomes = (
        outcome("m1", "", SeatFault(0, Fault.LATE, 4), SeatFault(1, Fault.ILLEGAL_DISCARD, 3), broken=broken),
        outcome(CORRECTION, broken=(("R6.2", 1),)),
    )
    protocol = next(iter(answer_checks(context(replace(ENDED, outcomes=outcomes)))))
    assert protocol.verdict == Verdict.FAILED
    assert [finding.what for finding in protocol.findings] == [
        "3 times illegal_discard in match m1",
        "2 reneges (R5.2) in match m1",
    ]
