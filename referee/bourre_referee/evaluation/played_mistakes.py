"""Describes the mistakes of bots in their own processes: their last output, and mistakes in the words of practice."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import islice
from pathlib import Path

from bourre.bot_code.lookalike_methods import WARNING_PREFIX
from bourre.bot_code.printed_error import UNANSWERED, busy_frame, last_error
from bourre.connection.fork_watch import FORKED
from bourre.practice.recorded_mistakes import recorded_mistakes
from bourre.record import read
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.start_failures import find_start_failure

_RAISED = re.compile(rf"^(?!{UNANSWERED}|{WARNING_PREFIX})bourre: (.+)\n(?:Traceback |{UNANSWERED})", re.MULTILINE)
"""The SDK's line about an exception in a bot, before its traceback, or about an answer that is none."""
_FORKED = re.compile(rf"^{WARNING_PREFIX}(.+ {re.escape(FORKED)}.+)", re.MULTILINE)

_FOLLOWS_FORK = re.compile(r" took longer than |: BlockingIOError")
"""What happens to a bot with too many copies."""


def trouble_lines(run: Run, bots: Collection[str], seed: str, most: int) -> Iterator[str]:
    """Yields for each bot with faults the cause in its log, then the first mistakes, one of them in full.

    There are at most `most` log lines and mistakes. Raises the errors of reading the run.
    """
    results = run.results()
    failed = {seat.bot for match in results for seat in match.seats if seat.faults}
    for bot in bots:
        if bot in failed:
            yield from (f"{bot}: {line}" for line in _causes(run.path / "logs", bot, most))
    wrong = [match.match for match in results if any(seat.reneges or seat.faults for seat in match.seats)]
    mistakes = (found for match in wrong for found in recorded_mistakes(read(run.record(match)), seed))
    for number, (mistake, place) in enumerate(islice((one for one in mistakes if one[0].bot in bots), most)):
        yield mistake.in_one_line(place) if number else mistake.in_full(place)


def _causes(logs: Path, bot: str, most: int) -> Iterator[str]:
    """Yields the reason why a bot never started, or else its last exception and the end of its logs."""
    if why := find_start_failure(logs, bot):
        yield f"never started: {why}"
        return
    printed = "".join(log.read_text("utf-8", "replace") for log in sorted((logs / bot).glob("*.log")))
    yield from last_words(printed, most)


def last_words(printed: str, most: int) -> Iterator[str]:
    """Yields a bot's last exception and last line, or if it raised nothing, at most `most` last lines."""
    raised = last_raised(printed)
    yield from filter(None, [raised])
    yield from printed.splitlines()[-1 if raised else -most :]


def last_raised(printed: str) -> str:
    """Returns a bot's last exception, impossible answer or crash, with file and line, from its log; empty if none."""
    crashed, told, error = busy_frame(printed), _RAISED.findall(printed), last_error(printed)
    if (forked := _FORKED.search(printed)) and (crashed or all(map(_FOLLOWS_FORK.search, told))):
        return forked[1]
    if told or error or not crashed:
        return told[-1] if told else str(error or "")
    return f"{crashed}: the program crashed there"
