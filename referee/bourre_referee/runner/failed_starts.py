"""Stops starting bots that failed to start several times in the same way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bourre.rules.actions import Fault
from bourre_referee.model.spec import RoomSpec
from bourre_referee.runner.room_reports import RoomPlayed
from bourre_referee.storage.run.start_failures import read_start_failure
from bourre_referee.text.names import printable

ENOUGH = 3
"""The number of equal failures in a row after which a bot is not started again."""


class FailedStarts:
    """Counts the failed starts of each bot in this process. A match without a start has the same record."""

    def __init__(self, logs: Path) -> None:
        """`logs` is the folder of the bots' logs."""
        self._logs = logs
        self._causes: dict[str, list[str]] = {}
        """By bot, the causes in the last rooms in which it did not start. All causes of a bot are equal."""

    def take(self, report: RoomPlayed) -> Iterator[str]:
        """Counts the failed starts of a room, and yields a notice for each bot that will not start again."""
        failed = {
            outcome.result.seats[fault.seat].bot
            for outcome in report.outcomes
            for fault in outcome.faults
            if fault.fault is Fault.START_FAILURE
        }
        for entry in report.room.entries:
            bot, causes = entry.name, self._causes.get(entry.name, [])
            if len(causes) >= ENOUGH:
                continue
            cause = read_start_failure(self._logs, bot, report.room.room) if bot in failed else ""
            self._causes[bot] = [cause, *(each for each in causes if each == cause)] if cause else []
            if len(self._causes[bot]) == ENOUGH:
                yield (
                    f"{printable(bot)} failed to start {ENOUGH} times in the same way, so the stand-in plays for it "
                    f"until the run is continued: {cause}"
                )

    def leave_out(self, room: RoomSpec) -> RoomSpec:
        """Returns the room without a start of the bots that failed often enough."""
        bots = (entry.name for entry in room.entries)
        absent = tuple(bot for bot in bots if len(self._causes.get(bot, ())) >= ENOUGH)
        return replace(room, absent=absent) if absent else room
