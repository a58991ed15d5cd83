"""Read a ladder's log for what it says of one epoch."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from bourre_referee.ladder.log.event_log import LogReader
from bourre_referee.ladder.log.events import (
    EpochClosed,
    EpochOpened,
    Event,
    MatchVoided,
    RoomFinished,
    RoomPaired,
    RoomVoided,
    TermsSet,
)
from bourre_referee.ladder.log.lines import Lines
from bourre_referee.ladder.log.state import LadderState


@dataclass(slots=True)
class LoggedRooms:
    """The rated or the unrated rooms of an epoch, by the numbers of their matches."""

    line_ups: list[tuple[str, ...]] = field(default_factory=list)
    """The entrants by seat, in the order in which the rooms were called."""
    finished: set[int] = field(default_factory=set)
    voided: set[int] = field(default_factory=set)
    """Those that the host failed."""
    taken_back: dict[int, str] = field(default_factory=dict)
    """Why the host took back the match of a finished room."""


class LoggedEpoch:
    """What a log says of one epoch, as far as it was read."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.opened: EpochOpened | None = None
        self.terms: TermsSet | None = None
        """The terms under which it was opened; None in a log that does not have them."""
        self.closed: EpochClosed | None = None
        self.rated = LoggedRooms()
        self.unrated = LoggedRooms()
        self.challenges = 0
        """How many of the unrated rooms an owner asked for."""
        self.state = LadderState()

    def note(self, event: Event) -> None:
        """Take in the next event; raises LadderError if it cannot have happened."""
        self.state.apply(event)
        match event:
            case EpochOpened(epoch=self.number):
                self.opened, self.terms = event, self.state.terms_set
            case EpochClosed(epoch=self.number):
                self.closed = event
            case RoomPaired() | RoomFinished() | RoomVoided() | MatchVoided():
                self._note_room(event)

    def _note_room(self, event: RoomPaired | RoomFinished | RoomVoided | MatchVoided) -> None:
        place = self.state.seasons.place_of(event.room)
        if place is None or place.epoch != self.number:
            return
        rooms = self.rated if place.rated else self.unrated
        match event:
            case RoomPaired():
                self.challenges += event.asked_by != ""
                rooms.line_ups.append(tuple(self.state.bots[bot].name for bot in event.line_up))
            case RoomFinished():
                rooms.finished.add(place.match)
            case RoomVoided():
                rooms.voided.add(place.match)
            case MatchVoided():
                rooms.taken_back[place.match] = event.reason


class LogReading:
    """One pass over a log that may grow: a last line that is still being written is left for another pass."""

    def __init__(self, lines: Lines, epoch: LoggedEpoch, wanted: Collection[str] = ()) -> None:
        """`wanted` are the hashes of lines to look for."""
        self.reader = LogReader()
        self.met: set[str] = set()
        """Those of the wanted hashes that lines have."""
        self._lines = lines
        self._epoch = epoch
        self._wanted = frozenset(wanted)

    def events(self) -> Iterator[Event]:
        """Yield the events after the epoch noted them; raises LadderError at the first line that is wrong."""
        for line, _ in self._lines.read_after(0):
            event = self.reader.read(line.decode("ascii", "replace").removesuffix("\n")).event
            self._epoch.note(event)
            if self.reader.head in self._wanted:
                self.met.add(self.reader.head)
            yield event
