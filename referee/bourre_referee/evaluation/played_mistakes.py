"""What went wrong with bots in processes of their own: last words, and mistakes in the words of practice."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import islice
from pathlib import Path

from bourre.bot_code.printed_error import last_error
from bourre.practice.recorded_mistakes import recorded_mistakes
from bourre.record import read
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.start_failures import find_start_failure

_RAISED = re.compile(r"^bourre: (.+)\nTraceback ", re.MULTILINE)
"""The line in which the SDK tells what a bot raised, before its traceback."""


def trouble_lines(run: Run, bots: Collection[str], seed: str, most: int) -> Iterator[str]:
    """Yields for each bot that made faults the cause that its log tells, then the first mistakes, one of them in full.

    Log lines and mistakes are at most so many. Raises what reading the run raises.
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
    """Yields why a bot never started, or else what it raised last and how its logs end."""
    if why := find_start_failure(logs, bot):
        yield f"never started: {why}"
        return
    printed = "".join(log.read_text("utf-8", "replace") for log in sorted((logs / bot).glob("*.log")))
    yield from last_words(printed, most)


def last_words(printed: str, most: int) -> Iterator[str]:
    """Yields what a bot raised last and the last line of its log; if it raised nothing, at most so many last lines."""
    raised = last_raised(printed)
    yield from filter(None, [raised])
    yield from printed.splitlines()[-1 if raised else -most :]


def last_raised(printed: str) -> str:
    """Returns what a bot raised last, with its file and line, as its log tells it; empty if it raised nothing."""
    told, error = _RAISED.findall(printed), last_error(printed)
    return told[-1] if told else str(error or "")
