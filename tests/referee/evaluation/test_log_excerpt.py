"""What a student reads of the own bot's log: each error once, and only the own part of a traceback."""

from __future__ import annotations

from bourre_referee.evaluation.grade.sheets.log_excerpt import excerpt, warnings_in

ERROR = """\
bourre: bot.py, line 13, return view.leagl[0]: AttributeError: a view has no 'leagl'. Did you mean 'legal'?
Traceback (most recent call last):
  File "/bot/submission/bot.py", line 13, in play
    return view.leagl[0]
           ^^^^^^^^^^
  File "/sdk/bourre/codec/views.py", line 60, in __getattr__
    raise AttributeError(f"a view has no {name!r}", name=name, obj=self)
AttributeError: a view has no 'leagl'
"""
UNANSWERED = "bourre: no answer to play in deal {deal} at table 1. The referee acts for this seat (R8.5).\n"
CRASH = """\
Fatal Python error: Segmentation fault

Thread 0x00007f76a4de96c0 (most recent call first):
  File "/python/lib/python3.11/threading.py", line 982 in run

Current thread 0x00007f76a8406b80 (most recent call first):
  File "/bot/submission/bot.py", line 6 in play
  File "/sdk/bourre/bot_code/decisions.py", line 89 in _ask

Extension modules: grpc._cython.cygrpc, google._upb._message (total: 2)
"""


def test_a_repeated_error_is_shown_once_and_without_the_sdk() -> None:
    shown = excerpt(f"hello\n{ERROR}{UNANSWERED.format(deal=1)}bye\n{ERROR}{UNANSWERED.format(deal=2)}bye\n")
    own = [line for line in ERROR.splitlines() if "__getattr__" not in line and "raise " not in line]
    first, second = (UNANSWERED.format(deal=deal).strip() for deal in (1, 2))
    assert shown == ["hello", *own, first, "bye", second, "bye"]


def test_a_line_that_is_late_again_is_shown_once() -> None:
    late = (
        "bourre: bot.py, line 6, `sleep(9)`: play took longer than {} s, and no reserve time was left. hint: sleep less"
    )
    assert excerpt(f"{late.format('1.2')}\n{late.format('1')}\nbye\n") == [late.format("1.2"), "bye"]


def test_a_crash_leaves_what_the_bot_printed() -> None:
    noise = "E1128 09:26:04.743584       2 thd.cc:157] pthread_create failed: Resource temporarily unavailable\n"
    assert excerpt(f"hello\n{noise}{CRASH}{CRASH}[bourre] SIGSEGV ended it; see it all: bourre replay x\n") == [
        "hello",
        "[bourre] SIGSEGV ended it",
    ]


def test_a_decision_without_an_answer_is_shown_three_times() -> None:
    shown = excerpt("".join(UNANSWERED.format(deal=deal) for deal in range(12)) + "bye\n")
    assert [line[-60:] for line in shown[3:]] == ["bye", "[bourre] more decisions without an answer: 9"]


def test_a_bot_that_prints_more_than_is_kept_is_told_to_print_less() -> None:
    cut = "[bourre kept the first 262144 of 1820182 bytes]\n"
    misnamed = "bourre: warning: Mine.Play is never called"
    assert list(warnings_in(f"{misnamed}\nhello\n")) == [misnamed]
    assert list(warnings_in(f"{misnamed}\nhello\n{cut}")) == [
        misnamed,
        "bourre: warning: the bot printed 1777 KiB, and its log keeps 256: remove prints, which take time",
    ]
