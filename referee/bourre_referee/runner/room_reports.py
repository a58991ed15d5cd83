"""The tasks of an executor, each an attempt at a room, and its reports."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from bourre.rules.actions import Fault
from bourre_referee.model.spec import MatchOutcome, RoomSpec
from bourre_referee.text.names import printable

ATTEMPTS = 3
"""The attempts at a room before it is given up."""


@dataclass(frozen=True, slots=True)
class RoomPlayed:
    """All matches of a room are finished."""

    room: RoomSpec
    attempt: int
    """The attempt's number, starting at 1."""
    outcomes: tuple[MatchOutcome, ...]
    """The outcomes in the order of the room's matches."""


@dataclass(frozen=True, slots=True)
class RoomLost:
    """The host, or a model's server, failed a room. Its matches are discarded.

    It is played again unless this attempt was the last.
    """

    room: RoomSpec
    attempt: int
    reason: str
    away: tuple[str, ...] = ()
    """The remote bots that were away at its start. A ladder then gives it up at once, and blames no host."""

    @property
    def is_last(self) -> bool:
        """Whether the room is given up."""
        return bool(self.away) or self.attempt >= ATTEMPTS


class RefusedHellos(NamedTuple):
    """How often a listener refused a bot for the same reason."""

    kind: str
    """The reason, which no stranger can choose."""
    bot: str
    """The bot; empty for strangers."""
    times: int


@dataclass(frozen=True, slots=True)
class RemotePresence:
    """Which remote bots are connected.

    The listener's process tells `remote_rooms`, which reports it through the executor. A contest shows it as progress.
    A ladder pairs bots by it (`rooms_in_play`).
    """

    expected: tuple[str, ...]
    here: frozenset[str] = frozenset()
    change: str = ""
    """A sentence about the latest change; empty if there was none."""
    refused: tuple[RefusedHellos, ...] = ()
    """The refused hellos since the last report, for a ladder."""

    @property
    def missing(self) -> tuple[str, ...]:
        """The bots that are not connected yet."""
        return tuple(bot for bot in self.expected if bot not in self.here)


@dataclass(frozen=True, slots=True)
class WorkerNews:
    """A notice about a worker or the listener that loses no room."""

    text: str


Report = RoomPlayed | RoomLost | RemotePresence | WorkerNews
"""A report of an executor."""


@dataclass(frozen=True, slots=True)
class RoomTask:
    """A room and the number of the attempt at it, starting at 1."""

    room: RoomSpec
    attempt: int = 1
    since: float = 0.0
    """When a listener's queue got it, in seconds."""

    def played(self, outcomes: tuple[MatchOutcome, ...]) -> tuple[RoomPlayed | RoomLost, RoomTask | None]:
        """Returns the report, and a new room with the unplayed matches, if any, named after the first of them.

        If a model's server failed and the contest voids that, the room is lost. The last attempt counts: an outage can
        neither stop a contest nor cost ever more calls.
        """
        room, left = self.room, self.room.matches[len(outcomes) :]
        done = replace(room, matches=room.matches[: len(outcomes)]) if left else room
        if trouble := _trouble_of_models(done, outcomes):
            if self.attempt < ATTEMPTS:
                return RoomLost(done, self.attempt, trouble), replace(self, attempt=self.attempt + 1)
            notice = f"room {room.room} counts after {ATTEMPTS} attempts, with faults: {trouble}"
            outcomes = (replace(outcomes[0], notices=(*outcomes[0].notices, notice)), *outcomes[1:])
        return RoomPlayed(done, self.attempt, outcomes), RoomTask(room.rest(left)) if left else None

    def lost(self, reason: str, away: tuple[str, ...] = ()) -> tuple[RoomLost, RoomTask | None]:
        """Returns the report of a failed attempt, and the next attempt unless the room is given up."""
        report = RoomLost(self.room, self.attempt, reason, away)
        return report, None if report.is_last else replace(self, attempt=self.attempt + 1)


def _trouble_of_models(room: RoomSpec, outcomes: tuple[MatchOutcome, ...]) -> str:
    """Says which models' servers failed, among those whose trouble voids a match; empty if none did."""
    failed = [
        outcome.result.seats[fault.seat].bot
        for outcome in outcomes
        for fault in outcome.faults
        if fault.fault is Fault.PROVIDER
    ]
    models = [printable(entry.name) for entry in room.entries if entry.voids_trouble and entry.name in failed]
    return f"the model's server failed {' and '.join(models)}" if models else ""


class WorkerLoad(NamedTuple):
    """The work of one worker, or of all workers that share a queue."""

    worker: str
    slots: int
    """The most rooms that it plays at once; 0 for rooms that wait for any worker."""
    playing: int
    waiting: int
    """The rooms in its queue."""
