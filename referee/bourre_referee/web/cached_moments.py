"""Cache the moments of a run: matches are read as they finish, no record twice, and many only in the background."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from threading import Lock

from bourre.record import read
from bourre.rules.errors import BourreError
from bourre_referee.contest.stages import match_number
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.folder_location import FolderLocation
from bourre_referee.storage.process_pool import compute_in_process
from bourre_referee.storage.rooms_in_play import SeatedRoom, read_rooms
from bourre_referee.storage.run import Run
from bourre_referee.storage.run_location import RunLocation
from bourre_referee.web.cached_document import start_thread
from bourre_referee.web.cached_run import RunState
from bourre_referee.web.data.event_page import EventData, Moments, event_data, moments_of
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


@dataclass(frozen=True, slots=True)
class MomentTask:
    """Matches whose moments are to be found."""

    place: RunLocation
    numbers: Sequence[int]


def find_moments(task: MomentTask) -> Moments:
    """Replay these matches; what is damaged is left out, because the match's own page says so."""
    found = Moments()
    if not task.numbers:
        return found
    with suppress(BourreError), closing(Run.open(task.place).packed_records(task.numbers)) as records:
        for packed in records:
            with suppress(BourreError):
                found = found.join(moments_of(packed.number, read(packed.text())))
    return found


def find_in_process(task: MomentTask) -> Moments:
    """Find them in a process of its own, so that no answer waits for it; none if it dies."""
    try:
        return compute_in_process(find_moments, task)
    except ContestError:
        return Moments()


class CachedMoments:
    """Keeps the moments of one run; thread-safe."""

    def __init__(
        self,
        start: Callable[[Callable[[], None]], None] = start_thread,
        find: Callable[[MomentTask], Moments] = find_in_process,
        at_once: int = AT_ONCE,
    ) -> None:
        """`start` runs a task in the background, where `find` finds the moments of more than `at_once` matches."""
        self._start = start
        self._find = find
        self._at_once = at_once
        self._lock = Lock()
        self._busy = False
        """Whether the background finds some."""
        self._tag = ""
        """The state that has been taken in."""
        self._event: Event | None = None
        self._found = Moments()
        self._known: dict[str, str] = {}
        """The hash of the record of each match that was looked into, by its id."""
        self._older: frozenset[str] = frozenset()
        """The matches that were too old to be looked into at the start."""

    def event(self, state: RunState) -> Event:
        """Return this state as an event, with the moments as far as they have been found; begin to find more."""
        with self._lock:
            if state.tag != self._tag and state.data.whole and not self._busy:
                self._look(state)
            found, matches, tables = self._found, len(self._known), _tables(state)
            tag = tag_of(f"{state.tag} {matches} {tables}")
            if self._event is None or self._event.tag != tag:
                secret = not state.run.shows_remarks
                self._event = Event(tag, event_data(state.data, found, matches, secret=secret, tables=tables))
            return self._event

    def _look(self, state: RunState) -> None:
        now = {line.match: line.sha256 for line in state.data.matches}
        if not self._known.items() <= now.items():  # a match was voided
            self._found, self._known, self._older = Moments(), {}, frozenset()
        if not self._known:
            self._older = frozenset([*now][:-MOST_MATCHES])
        missing = {match: now[match] for match in now.keys() - self._known.keys() - self._older}
        if len(missing) <= self._at_once:
            self._take(missing, find_moments(_task(state, missing)))
            self._tag = state.tag
        else:
            self._busy = True
            self._start(lambda: self._look_in_background(state, missing))

    def _look_in_background(self, state: RunState, missing: dict[str, str]) -> None:
        try:
            found = self._find(_task(state, missing))
            with self._lock:
                self._take(missing, found)
        finally:
            self._busy = False

    def _take(self, matches: dict[str, str], found: Moments) -> None:
        self._found = self._found.join(found)
        self._known |= matches


def _tables(state: RunState) -> tuple[SeatedRoom, ...]:
    folder = state.run.place.folder
    return () if folder is None or state.data.complete else read_rooms(FolderLocation(folder).rooms)


def _task(state: RunState, matches: dict[str, str]) -> MomentTask:
    return MomentTask(state.run.place, sorted(map(match_number, matches)))
