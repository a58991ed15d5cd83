"""Reads the epochs from a ladder's log."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from bourre_referee.ladder.host.ladder_storage import LOG
from bourre_referee.ladder.log.event_log import LogReader
from bourre_referee.ladder.log.events import (
    EpochAbandoned,
    EpochClosed,
    EpochOpened,
    Event,
    MatchVoided,
    RoomFinished,
    RoomPaired,
    RoomVoided,
    TermsSet,
)
from bourre_referee.ladder.log.shared_log import LogStorage
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.ladder.log.waiting_list import PAIRING
from bourre_referee.model.errors import ContestError


@dataclass(slots=True)
class LoggedRooms:
    """The rated or the unrated rooms of an epoch, by the numbers of their matches."""

    line_ups: list[tuple[str, ...]] = field(default_factory=list)
    """The entrants by seat, in the order in which the rooms were called."""
    finished: set[int] = field(default_factory=set)
    voided: set[int] = field(default_factory=set)
    """The matches that the host failed."""
    taken_back: dict[int, str] = field(default_factory=dict)
    """By match of a finished room, the reason why the host annulled it."""


@dataclass(slots=True)
class LoggedEpoch:
    """The log of one epoch, as far as it was read."""

    opened: EpochOpened
    terms: TermsSet | None
    """The terms at its start. None in a log that does not have them."""
    closed: EpochClosed | None = None
    rated: LoggedRooms = field(default_factory=LoggedRooms)
    unrated: LoggedRooms = field(default_factory=LoggedRooms)
    challenges: int = 0
    """How many of the unrated rooms an owner requested."""
    abandoned: bool = False


class LoggedLadder:
    """The log of all epochs, or of one, as far as it was read."""

    def __init__(self, only: int | None = None) -> None:
        self.epochs: dict[int, LoggedEpoch] = {}
        """The epochs by number, or `only` that one."""
        self.state = LadderState()
        self._only = only

    def note(self, event: Event) -> None:
        """Adds the next event. Raises LadderError for an impossible event, ContestError for one of a newer version."""
        if isinstance(event, TermsSet):
            _check_pairing(event)
        self.state.apply(event)
        match event:
            case EpochOpened(epoch=number) if self._only in (None, number):
                self.epochs[number] = LoggedEpoch(event, self.state.terms_set)
            case EpochAbandoned(epoch=number) if number in self.epochs:
                self.epochs[number].abandoned = True
            case EpochClosed(epoch=number) if number in self.epochs:
                self.epochs[number].closed = event
            case RoomPaired() | RoomFinished() | RoomVoided() | MatchVoided():
                self._note_room(event)

    def _note_room(self, event: RoomPaired | RoomFinished | RoomVoided | MatchVoided) -> None:
        place = self.state.seasons.place_of(event.room)
        epoch = self.epochs.get(place.epoch) if place else None
        if place is None or epoch is None:
            return
        rooms = epoch.rated if place.rated else epoch.unrated
        match event:
            case RoomPaired():
                epoch.challenges += event.asked_by != ""
                rooms.line_ups.append(tuple(self.state.bots[bot].name for bot in event.line_up))
            case RoomFinished():
                rooms.finished.add(place.match)
            case RoomVoided():
                rooms.voided.add(place.match)
            case MatchVoided():
                rooms.taken_back[place.match] = event.reason


def _check_pairing(terms: TermsSet) -> None:
    """Raises ContestError if rooms are paired by a later rule than this version has."""
    rule = dict(terms.others).get("pairing", "")
    if rule.isascii() and rule.isdigit() and len(rule) < 9 and int(rule) > PAIRING:
        text = f"its rooms are paired by rule {rule}, which this version does not have.\nhint: install a newer bourre"
        raise ContestError(f"{LOG}: {text}")


class LogReading:
    """One pass over a log that may grow. It leaves a last line that is still being written for another pass."""

    def __init__(self, lines: LogStorage, ladder: LoggedLadder, wanted: Collection[str] = ()) -> None:
        """`wanted` are the hashes of lines to look for."""
        self.reader = LogReader()
        self.met: set[str] = set()
        """The wanted hashes that lines have."""
        self._lines = lines
        self._ladder = ladder
        self._wanted = frozenset(wanted)

    def events(self) -> Iterator[Event]:
        """Yields the events after adding them to the ladder. Raises LadderError at the first wrong line."""
        for line, _ in self._lines.read_after(0):
            event = self.reader.read(line.decode("ascii", "replace").removesuffix("\n")).event
            self._ladder.note(event)
            if self.reader.head in self._wanted:
                self.met.add(self.reader.head)
            yield event
