"""What `bourre check` reports of a bot that does not exit, answers differently the second time, or is at fault."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bourre.bot_code.lookalike_methods import WARNING_PREFIX
from bourre.messages import Answer, Ask, Hello
from bourre.rules.actions import Choice, Declare, Fault, Play
from bourre.rules.cards import Card
from bourre.rules.view import View
from bourre.testing import view
from bourre_referee.evaluation.check.answer_checks import answer_checks
from bourre_referee.evaluation.check.bot_checks import (
    determinism_check,
    end_check,
    memory_check,
    names_check,
    output_check,
    speed_check,
    start_check,
)
from bourre_referee.evaluation.check.check_report import Check, CheckVerdict, Finding, make_check
from bourre_referee.evaluation.check.check_room import CheckedRoom
from bourre_referee.evaluation.check.finding_context import Context, lines_about
from bourre_referee.evaluation.check.transcript import Exchange
from bourre_referee.evaluation.check.trial_matches import CORRECTION, TESTED_BOT, TrialMatch, TrialTerms
from bourre_referee.model.packed_text import pack
from bourre_referee.model.results import MatchResult, SeatResult
from bourre_referee.model.spec import MatchOutcome, SeatFault
from bourre_referee.sandbox.bot_log import LIMIT

DECLARE = view("declare hand='AS KH 2C 3C 4C' trump=S pot=9 seats=4")
ENDED = CheckedRoom((), (), (), Hello("token"), 0.1, "", None, False, 0, (), b"its last words\n")


def context(played: CheckedRoom) -> Context:
    """The room in which this was heard."""
    matches = [CORRECTION, *(outcome.result.match for outcome in played.outcomes)]
    trials = {match: TrialMatch(match, "limit", 4, 10) for match in matches}
    return Context(TrialTerms(("limit",), (4,), 500, 7, 1000), ("bourre", "check", "bot.py"), trials, played)


def outcome(match: str, record: str = "", *faults: SeatFault, broken: tuple[tuple[str, int], ...] = ()) -> MatchOutcome:
    """The outcome of a match between an in-process bot and the tested bot."""
    reneges = sum(times for _, times in broken)
    seats = (SeatResult("guest-1", 0, 1, 0, 0, 0, 0, 0), SeatResult(TESTED_BOT, 0, 1, 0, 0, reneges, 0, 0, broken))
    return MatchOutcome(MatchResult(match, 10, seats), faults, pack(record), ())


def room(record: str, *said: Choice, matches: Sequence[str] = ("m1",)) -> CheckedRoom:
    """One in which the bot said this in the last of these matches, whose record is another one then."""
    asks = (
        Exchange(matches[-1], Ask(0, number, DECLARE, 0), Answer(0, number, one)) for number, one in enumerate(said)
    )
    outcomes = [outcome(match) for match in matches[:-1]]
    return replace(ENDED, exchanges=tuple(asks), outcomes=(*outcomes, outcome(matches[-1], record)))


def compared(first: CheckedRoom, second: CheckedRoom) -> Check:
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
        "in the second room its answers came at other times, late or never",
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
    assert check.verdict == (CheckVerdict.WARNED if status else CheckVerdict.FAILED)
    (finding,) = check.findings
    assert (finding.what, finding.printed) == (told, "its last words")
    assert finding.mend.startswith(fix)


MIB = 1024


@pytest.mark.parametrize(
    ("sizes", "verdict", "told"),
    [
        ((), CheckVerdict.PASSED, "not measured"),
        ((0, 0), CheckVerdict.PASSED, "not measured"),
        ((100 * MIB, 0, 164 * MIB), CheckVerdict.PASSED, "100 MiB after the first match, 164 MiB after 2 matches"),
        (
            (100 * MIB, 90 * MIB, 164 * MIB + 1),
            CheckVerdict.WARNED,
            "100 MiB after the first match, 164 MiB after 3 matches",
        ),
    ],
)
def test_memory_is_judged_by_its_growth_where_the_system_tells_it(
    sizes: tuple[int, ...], verdict: CheckVerdict, told: str
) -> None:
    check = memory_check(context(replace(ENDED, memory_kib=sizes)))
    assert (check.verdict, check.summary) == (verdict, told)


TIMES = "median 2.00 ms, 99th percentile 10.00 ms, longest 10.00 ms of 1000"


@pytest.mark.parametrize(
    ("spent", "late", "verdict", "told"),
    [
        ((3, 1, 10, 2), 0, CheckVerdict.PASSED, TIMES),
        ((3, 1, 10, 2), 4, CheckVerdict.FAILED, f"late 4 times. Its other answers: {TIMES}"),
        ((3, 1, 10, 2), 5, CheckVerdict.FAILED, f"late 5 times, then no longer asked. Its other answers: {TIMES}"),
        ((), 0, CheckVerdict.PASSED, "no decision was timed"),
    ],
)
def test_speed_is_that_of_the_answers_in_time(
    spent: Sequence[float], late: int, verdict: CheckVerdict, told: str
) -> None:
    ask = Ask(0, 1, DECLARE, 0)
    answered = [Exchange("m1", ask, Answer(0, 1, Declare(False)), None, took) for took in spent]
    exchanges = (*answered, *[Exchange("m1", ask, None, Fault.LATE, 1000)] * late)
    check = speed_check(context(replace(ENDED, exchanges=exchanges, outcomes=(outcome("m1"),))))
    assert (check.verdict, check.summary, check.times) == (verdict, told, late)


@pytest.mark.parametrize(
    ("printed", "verdict", "told"),
    [
        (b"hi\n[bourre] a note\nthere\n", CheckVerdict.PASSED, "8 bytes"),
        (b"[bourre] a note\n", CheckVerdict.PASSED, "nothing"),
        (b"x" * (LIMIT + 1), CheckVerdict.WARNED, f"printed too much: the referee kept {LIMIT} bytes"),
        (
            b"x" * LIMIT + b"\n[bourre kept the first]\n",
            CheckVerdict.WARNED,
            "printed too much: the referee kept the first",
        ),
    ],
)
def test_what_it_printed_is_counted_without_notes_of_the_referee(
    printed: bytes, verdict: CheckVerdict, told: str
) -> None:
    check = output_check(context(replace(ENDED, printed=printed)))
    assert (check.verdict, check.summary) == (verdict, told)


def test_a_bot_that_came_or_did_not_is_told_of_with_its_last_words() -> None:
    came = start_check(context(replace(ENDED, hello=Hello("token", client="mine"))))
    assert (came.verdict, came.summary) == (CheckVerdict.PASSED, "said hello as 'mine' after 0.10 s")
    for turned_away, told in (("", "it never said hello"), ("no token", "its hello was refused: no token")):
        (absent,) = start_check(context(replace(ENDED, hello=None, turned_away=turned_away))).findings
        assert (absent.what, absent.printed) == (told, "its last words")
    gone = replace(ENDED, gone=Fault.CRASHED, exit_status=3)
    (left,) = end_check(context(gone)).findings
    assert (left.what, left.where) == ("it ended with status 3 before the last match was over", "after 0 questions")
    for closed in (replace(gone, chatter=True), replace(gone, gone=Fault.LATE)):
        assert end_check(context(closed)).verdict == CheckVerdict.SKIPPED
    (name,) = names_check(context(replace(ENDED, printed=f"hi\n{WARNING_PREFIX}plai is no method\n".encode()))).findings
    assert name.what == "plai is no method"


def test_what_was_asked_and_answered_is_judged_in_four_checks() -> None:
    """Two of three cards are reneges; the third corrects a card that the referee misplayed."""
    middle = "play hand='AS KH 2C' trick=QH trump=S pot=9 seats=4"
    said: list[tuple[View, Choice]] = [
        *((DECLARE, Declare(plays)) for plays in (True, False)),
        *((view(middle), Play(Card("2C"))) for _ in range(2)),
        (view(f"{middle} correcting='2C R5.2 9'"), Play(Card("KH"))),
    ]
    exchanges = tuple(Exchange("m1", Ask(0, at, seen, 0), Answer(0, at, one)) for at, (seen, one) in enumerate(said))
    played = replace(ENDED, exchanges=exchanges, outcomes=(outcome("m1"),))
    checks = list(answer_checks(context(played)))
    assert [(check.name, check.verdict, check.summary) for check in checks] == [
        ("protocol", CheckVerdict.PASSED, "5 answers to 5 questions"),
        ("decisions", CheckVerdict.PASSED, "2 declare, 1 draw, 3 play"),
        ("legality", CheckVerdict.FAILED, "2 in 20 deals: R5.2 2 times"),
        ("correction", CheckVerdict.PASSED, "1 times, after the referee misplayed a card for it"),
    ]
    assert (len(checks[2].findings), checks[2].times) == (1, 2)
    left = list(answer_checks(context(replace(played, exchanges=exchanges[1:2], gone=Fault.CRASHED))))
    assert [(check.verdict, check.summary) for check in left[1:]] == [
        (CheckVerdict.WARNED, "1 declare, never asked: draw and play (try more --deals)"),
        (CheckVerdict.PASSED, "no renege and no illegal discard in 20 deals of 2 matches, as long as it played"),
        (CheckVerdict.SKIPPED, "not tried, because the bot left too early"),
    ]


def test_of_many_kinds_of_findings_the_first_five_are_told() -> None:
    check = make_check("legality", "by the rules", "", [Finding(f"kind {kind} (seen)") for kind in range(7)] * 2)
    assert ([one.what for one in check.findings], check.times) == ([f"kind {kind} (seen)" for kind in range(5)], 14)


def test_what_the_sdk_printed_of_a_decision_is_quoted_or_else_the_last_lines() -> None:
    cause = "bourre: mine.py, line 4\n  of a trace"
    told = f"bourre: no answer to declare in deal {DECLARE.deal} at table 0: it raised"
    printed = "\n".join(["bourre: older", "[bourre] a note", cause, told, *map(str, range(19)), "x" * 130])
    assert lines_about(printed.encode(), Exchange("m1", Ask(0, 1, DECLARE, 0))) == cause
    elsewhere = lines_about(printed.encode(), Exchange("m1", Ask(1, 1, DECLARE, 0)))
    assert elsewhere.splitlines() == [*map(str, range(19)), "x" * 120]


def test_what_the_referee_alone_holds_against_the_bot_fails_it() -> None:
    """No check sees it, but a contest would count it. Reneges that the referee plays for the bot do not count."""
    broken = (("R5.2", 2),)
    outcomes = (
        outcome("m1", "", SeatFault(0, Fault.LATE, 4), SeatFault(1, Fault.ILLEGAL_DISCARD, 3), broken=broken),
        outcome(CORRECTION, broken=(("R6.2", 1),)),
    )
    protocol = next(iter(answer_checks(context(replace(ENDED, outcomes=outcomes)))))
    assert protocol.verdict == CheckVerdict.FAILED
    assert [finding.what for finding in protocol.findings] == [
        "3 times illegal_discard in match m1",
        "2 reneges (R5.2) in match m1",
    ]
