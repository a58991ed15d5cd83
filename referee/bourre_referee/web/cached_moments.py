"""Cache the moments of a run: matches are read as they finish, no record twice, and many only in the background."""

from __future__ import annotations

from contextlib import closing, suppress
from dataclasses import dataclass

from bourre.record import read
from bourre.rules.errors import BourreError
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.rooms_in_play import SeatedRoom, read_rooms
from bourre_referee.storage.run.run import Run
from bourre_referee.web.background import Start, start_thread
from bourre_referee.web.cached_run import RunState
from bourre_referee.web.data.event_page import EventData, Moments, event_data, moments_of
from bourre_referee.web.record_sums import Adding, RecordSums, RecordTask
from bourre_referee.web.state_tags import tag_of

AT_ONCE = 10
"""The most records that are replayed while a visitor waits."""

MOST_MATCHES = 500
"""The most matches, newest first, that are replayed when the server starts; later ones are added as they finish."""


@dataclass(frozen=True, slots=True)
class Event:
    """A state of the run as an event."""

    tag: str
    """A tag that differs between states, also of the moments."""
    data: EventData


def find_moments(task: RecordTask) -> Moments:
    """Replay these matches; what is damaged is left out, because the match's own page says so."""
    found = Moments()
    with suppress(BourreError), closing(Run.open(task.place).packed_records(task.numbers)) as records:
        for packed in records:
            with suppress(BourreError):
                found = found.join(moments_of(packed.number, read(packed.text())))
    return found


class CachedMoments:
    """Keeps the moments of one run; thread-safe."""

    def __init__(self, start: Start = start_thread, at_once: int = AT_ONCE) -> None:
        """`start` runs a task in the background, which finds the moments of more than `at_once` matches."""
        self._sums = RecordSums(Adding(find_moments, Moments, Moments.join), at_once, start=start)
        self._tag = ""
        """The state that has been taken in."""
        self._event: Event | None = None
        self._older: frozenset[str] | None = None
        """The matches that were too old to be looked into at the start; None before."""

    def event(self, state: RunState) -> Event:
        """Return this state as an event, with the moments as far as they have been found; begin to find more."""
        with self._sums.lock:
            if state.tag != self._tag and state.data.whole and self._look(state):
                self._tag = state.tag
            found, matches, tables = self._sums.found, len(self._sums.known), _tables(state)
            tag = tag_of(f"{state.tag} {matches} {tables}")
            if self._event is None or self._event.tag != tag:
                secret = not state.run.shows_remarks
                self._event = Event(tag, event_data(state.data, found, matches, secret=secret, tables=tables))
            return self._event

    def _look(self, state: RunState) -> bool:
        records = {line.match: line.sha256 for line in state.data.matches}
        if self._older is None:
            self._older = frozenset([*records][:-MOST_MATCHES])
        newer = {match: sha256 for match, sha256 in records.items() if match not in self._older}
        return self._sums.look(state.run.place, newer)


def _tables(state: RunState) -> tuple[SeatedRoom, ...]:
    folder = state.run.place.folder
    return () if folder is None or state.data.complete else read_rooms(FolderLocation(folder).rooms)
