"""Adds up counts and moments in the records of a run as its matches finish, without reading a record twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from operator import iadd
from threading import Lock
from typing import Generic, Protocol, TypeVar

from bourre.record import Record, read
from bourre.rules.errors import BourreError
from bourre_referee.contest.stages import match_number
from bourre_referee.derived.counts_cache import counted_matches
from bourre_referee.derived.result_cache import NOTHING_KEPT, ResultCache
from bourre_referee.model.errors import ContestError
from bourre_referee.statistics.match_counts import BotCounts
from bourre_referee.statistics.model_board import Groups
from bourre_referee.statistics.play_style import Style
from bourre_referee.statistics.rule_following import RuleFollowing
from bourre_referee.storage.files.process_pool import compute_in_process
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.rooms_file import SeatedRoom, read_rooms
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.run_location import RunLocation
from bourre_referee.web.background import Background, Start, start_thread
from bourre_referee.web.cached_run import RunState, tag_of
from bourre_referee.web.data.event_page import EventData, event_data
from bourre_referee.web.data.moments import Moments, moments_of
from bourre_referee.web.data.run_page import RunData

S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RecordTask:
    """Matches whose records are to be read, and the cache for their counts."""

    place: RunLocation
    numbers: Sequence[int]
    cache: ResultCache = NOTHING_KEPT


class RecordSums(Generic[S]):
    """The sum over the read matches. A caller of `look`, or of its sums, holds `lock`."""

    def __init__(
        self,
        find: Callable[[RecordTask], S],
        nothing: Callable[[], S],
        join: Callable[[S, S], S],
        at_once: int,
        cache: ResultCache = NOTHING_KEPT,
        rest: float = 4.0,
        start: Start = start_thread,
    ) -> None:
        """`find` reads matches, in a separate process if there are many. `join` adds up, in any order.

        More than `at_once` matches are read in the background.
        """
        self.lock = Lock()
        self.found = nothing()
        self.known: dict[str, str] = {}
        """The hash of the record of each read match, by its id."""
        self._find, self._nothing, self._join = find, nothing, join
        self._at_once = at_once
        self._cache = cache
        self._background = Background(rest, start=start)
        self._older: frozenset[str] | None = None
        """The matches that were too old for `look_newest` when it was first called. None before."""

    def look_newest(self, state: RunState) -> bool:
        """Does as `look`, for the newest `MOST_MATCHES` of the first call and all later ones."""
        records = {line.match: line.sha256 for line in state.data.matches}
        if self._older is None:
            self._older = frozenset([*records][:-MOST_MATCHES])
        newer = {match: sha256 for match, sha256 in records.items() if match not in self._older}
        return self.look(state.run.place, newer)

    def look(self, place: RunLocation, records: Mapping[str, str]) -> bool:
        """Reads the new matches, by id with the hash of their records. Returns whether all are known."""
        if self._background.is_busy:
            return False
        if not self.known.items() <= records.items():  # a match was annulled
            self.found, self.known = self._nothing(), {}
        missing = {match: sha256 for match, sha256 in records.items() if match not in self.known}
        numbers = sorted(map(match_number, missing))
        if len(missing) <= self._at_once:
            if missing:
                self._take(missing, self._find(RecordTask(place, numbers)))
            return True
        self._background.begin(partial(self._look_in_process, missing, RecordTask(place, numbers, self._cache)))
        return False

    def _look_in_process(self, missing: Mapping[str, str], task: RecordTask) -> None:
        with suppress(ContestError):  # the process died, and a later look starts another
            found = compute_in_process(self._find, task)
            with self.lock:
                self._take(missing, found)

    def _take(self, missing: Mapping[str, str], found: S) -> None:
        self.found = self._join(self.found, found)
        self.known |= missing


COUNTED_AT_ONCE = 20
"""The most records counted while a visitor waits. More are counted in a process, and the page says so."""


def count_matches(task: RecordTask) -> BotCounts:
    """Counts in these matches, in any order."""
    found = BotCounts()
    # The match's own page reports the error. Here the matches from it on are left out.
    with suppress(BourreError):
        run = Run.open(task.place)
        with closing(counted_matches(run, task.numbers, task.cache, jobs=1)) as counted:
            for match in counted:
                found += match.counts
    return found


class CachedCounts:
    """Counts styles of play and reneges. It is thread-safe: one thread counts at a time."""

    def __init__(
        self,
        cache: ResultCache = NOTHING_KEPT,
        at_once: int = COUNTED_AT_ONCE,
        rest: float = 4.0,
        start: Start = start_thread,
    ) -> None:
        self._sums = RecordSums(count_matches, BotCounts, iadd, at_once, cache, rest, start)

    def styles(self, run: Run, data: RunData) -> tuple[Style, ...] | None:
        """Returns all bots' styles in the order of the standings. None while many records are uncounted."""
        return self._summary(run, data, lambda counts, bots: counts.style.summarise(bots))

    def rules(self, run: Run, data: RunData) -> tuple[RuleFollowing, ...] | None:
        """Returns all bots' rule following. None while many records are uncounted."""
        return self._summary(run, data, lambda counts, bots: counts.rules.summarise(bots))

    def pooled_rules(self, run: Run, data: RunData, groups: Groups) -> tuple[RuleFollowing, ...] | None:
        """Returns the rule following of these groups of bots. None while many records are uncounted."""
        return self._summary(run, data, lambda counts, _: counts.rules.pool(groups).summarise([*groups]))

    def _summary(self, run: Run, data: RunData, summarise: Callable[[BotCounts, Sequence[str]], T]) -> T | None:
        with self._sums.lock:
            if not self._sums.look(run.place, {line.match: line.sha256 for line in data.matches}):
                return None
            return summarise(self._sums.found, [row.bot for row in data.standings.rows])


REPLAYED_AT_ONCE = 10
"""The most records that are replayed while a visitor waits."""

MOST_MATCHES = 500
"""The most matches, newest first, that are replayed when the server starts. Later ones are added as they finish."""


@dataclass(frozen=True, slots=True)
class Event:
    """A state of the run with its moments."""

    tag: str
    """A tag that differs between states, also of the moments."""
    data: EventData


class Joined(Protocol):
    """What is found in matches, and adds up."""

    def join(self: J, more: J) -> J:
        """Adds what was found in other matches."""


J = TypeVar("J", bound=Joined)


def replay_matches(task: RecordTask, nothing: J, find: Callable[[int, Record], J]) -> J:
    """Replays these matches. It leaves out damaged ones, because the match's own page reports them."""
    found = nothing
    with suppress(BourreError), closing(Run.open(task.place).packed_records(task.numbers)) as records:
        for packed in records:
            with suppress(BourreError):
                found = found.join(find(packed.number, read(packed.text())))
    return found


def find_moments(task: RecordTask) -> Moments:
    """Finds the moments of these matches."""
    return replay_matches(task, Moments(), moments_of)


class CachedMoments:
    """Keeps the moments of one run. It is thread-safe."""

    def __init__(self, start: Start = start_thread, at_once: int = REPLAYED_AT_ONCE) -> None:
        """`start` runs a task in the background, which finds the moments of more than `at_once` matches."""
        self._sums = RecordSums(find_moments, Moments, Moments.join, at_once, start=start)
        self._tag = ""
        """The last state added."""
        self._event: Event | None = None

    def event(self, state: RunState) -> Event:
        """Returns this state with the moments found so far, and begins to find more."""
        with self._sums.lock:
            if state.tag != self._tag and state.data.whole and self._sums.look_newest(state):
                self._tag = state.tag
            found, matches, tables = self._sums.found, len(self._sums.known), _tables(state)
            tag = tag_of(f"{state.tag} {matches} {tables}")
            if self._event is None or self._event.tag != tag:
                secret = not state.run.shows_remarks
                self._event = Event(
                    tag, event_data(state.data, found, matches, state.run.record, secret=secret, tables=tables)
                )
            return self._event


def _tables(state: RunState) -> tuple[SeatedRoom, ...]:
    folder = state.run.place.folder
    return () if folder is None or state.data.complete else read_rooms(FolderLocation(folder).rooms)
