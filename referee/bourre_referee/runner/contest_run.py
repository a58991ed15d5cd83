"""Plays a contest to its end, or continues it from where it stopped."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

from bourre_referee.contest.contest import Contest
from bourre_referee.contest.contest_plan import fill_jobs, remaining_rooms
from bourre_referee.contest.schedule_section import ScheduleChoice
from bourre_referee.derived.run_standings import standings_file
from bourre_referee.model.errors import RESTORE, ContestError, Interrupted
from bourre_referee.model.site import Site
from bourre_referee.model.spec import MatchOutcome, RoomSpec
from bourre_referee.runner.adaptive_rounds import adaptive_round
from bourre_referee.runner.board_collector import BoardCollector, make_pool, planned_matches
from bourre_referee.runner.disk_watch import DiskWatch
from bourre_referee.runner.executor import Executor, MakeExecutor, Workplace, play_all
from bourre_referee.runner.failed_starts import FailedStarts
from bourre_referee.runner.gateway.model_gateway import open_gateway
from bourre_referee.runner.interrupt import InterruptibleWait, Stop
from bourre_referee.runner.local_executor import local_rooms
from bourre_referee.runner.os_errors import explain_os_error
from bourre_referee.runner.progress import Watch
from bourre_referee.runner.progress_reporter import ProgressReporter
from bourre_referee.runner.remote_process import open_listener
from bourre_referee.runner.remote_rooms import RemoteRooms
from bourre_referee.runner.room_reports import ATTEMPTS, RemotePresence, Report, RoomLost, WorkerNews
from bourre_referee.runner.run_changes import BotFiles
from bourre_referee.runner.start import RunStart, begin, open_store
from bourre_referee.runner.stored_lessons import lessons_of, set_unknown_luck
from bourre_referee.runner.temp_dir import run_temp_dir
from bourre_referee.runner.worker import PlayRoom
from bourre_referee.storage.database.store import Store
from bourre_referee.storage.files.process_pool import usable_cores
from bourre_referee.storage.files.waiting import until_back
from bourre_referee.storage.run.contest_terms import terms_of
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.rooms_file import RoomsFile, seated
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.run_location import RunLocation
from bourre_referee.storage.run.run_writer import RunWriter
from bourre_referee.storage.run.versions import versions

GOODBYE = "the contest is over"


def _tell_on_stderr(text: str) -> None:
    """Prints a warning. As the default, it keeps a caller from dropping warnings by mistake."""
    print(text, file=sys.stderr)


def run(
    contest: Contest,
    place: Path | RunLocation,
    *,
    jobs: int | None = None,
    fresh: bool = False,
    change_bots: bool = False,
    watch: Watch = lambda progress: None,
    tell: Callable[[str], None] = _tell_on_stderr,
    play_room: PlayRoom | None = None,
    executor: MakeExecutor | None = None,
    stop: Stop | None = None,
) -> Run:
    """Plays the rest of a contest in its run folder, or in a database.

    Writes `manifest.json`, `run.db`, the bots' output in `logs/` and, at the end, `standings.json`.

    An `executor` plays the rooms; `play_room` replaces the function that plays one on this machine. `watch` gets the
    progress before the first card and after every match. `tell` gets warnings, such as bots without isolation, and the
    reason of a wait: another referee leads, or the database is gone. `fresh` removes an earlier run. `change_bots`
    continues a run even if bots joined or left. Raises ContestError if a folder, file or database cannot be used,
    ContestFailed if the host fails, LeadLost if another referee took over, and Interrupted on `stop` or
    KeyboardInterrupt. In all cases, finished matches are stored.
    """
    given = FolderLocation(place.absolute()) if isinstance(place, Path) else place
    terms = terms_of(contest)
    with explain_os_error(given):
        given.make()
    patience = InterruptibleWait(tell, stop)
    with explain_os_error(given), given.hold(patience) as held, run_temp_dir(held) as temporary:
        if fresh:
            held.clear()
        start = begin(contest, terms, held, datetime.now(UTC), tell, change_bots)
        with open_store(start) as store:
            options = _PlayOptions(
                executor or local_rooms(jobs or usable_cores(), play_room),
                needs_listener=play_room is None,
                stop=stop,
                environment={"TMPDIR": str(temporary)},
                site=replace(start.site, copies=temporary / "bots"),
            )
            _Run(start, store, watch).play(options)
    return until_back(patience, lambda: Run.open(place))


@dataclass(frozen=True, slots=True)
class _PlayOptions:
    """Options that affect no result."""

    executor: MakeExecutor
    needs_listener: bool
    """Whether remote bots connect to a listener. Tests that play rooms in another way need none."""
    stop: Stop | None
    environment: Mapping[str, str]
    site: Site


class _Run:
    """A running contest."""

    def __init__(self, start: RunStart, store: Store, watch: Watch) -> None:
        self._start = start
        self._run = RunWriter(start.place, store, start.manifest)
        self._store = store
        self._files = BotFiles(start.contest, start.manifest)
        self._reporter = ProgressReporter(watch, start, self._run, store.results())
        self._lessons = lessons_of(store, planned_matches(start.rooms)) if self._keeps_lessons else None
        pool = make_pool if start.manifest.matches > 1 else None
        self._collector = BoardCollector(start.manifest.terms.baseline, pool, self._reporter.tell, self._lessons)
        self._failed_starts = FailedStarts(start.layout.logs)
        self._disk = DiskWatch(start.layout.folder, self._reporter.tell)
        self._reached_caps: Callable[[], Mapping[str, str]] = dict
        """Returns the cap that stopped each language model so far."""

    @property
    def _keeps_lessons(self) -> bool:
        manifest = self._start.manifest
        return manifest.terms.baseline == "bot styles 2" and not manifest.complete

    def play(self, options: _PlayOptions) -> None:
        """Plays the remaining rooms, and completes the run folder."""
        left = tuple(remaining_rooms(self._start.rooms, frozenset(self._run.finished)))
        if left and self._run.manifest.complete:
            raise ContestError(
                f"{self._start.place.database} lacks matches that manifest.json lists as finished.\n{RESTORE}"
            )
        if not self._run.manifest.complete and self._start.continued:
            self._run.log("continued")
        self._reporter.announce()
        if not self._run.manifest.complete:
            try:
                rooms_file = RoomsFile(self._start.layout.rooms)
                plays = bool(left) or self._due_round() is not None
                with self._collector, self._executor(options, trial=plays) as executor, rooms_file as spectators:
                    self._play(left, executor, spectators)
                    while rooms := self._next_adaptive_round():
                        self._play(rooms, executor, spectators)
                    if executor.summary:
                        self._reporter.tell(*executor.summary)
                self._run.finish(standings_file, self._start.master)
            except KeyboardInterrupt:
                self._stop_early()
        self._run.seal()  # an earlier run may have been killed before this

    @contextmanager
    def _executor(self, options: _PlayOptions, *, trial: bool) -> Iterator[Executor]:
        """Starts the executor, after a trial of the language models. A stop takes effect between two reports."""
        gateway = open_gateway(self._start.contest, self._start.layout.model_calls, os.environ)
        deferred = options.stop.defer() if options.stop else nullcontext()
        with deferred, self._listener(options) as listener, gateway as models:
            self._reached_caps = models.reached
            if trial and (notices := models.trial()):
                self._reporter.tell(*notices)

            def brief(room: RoomSpec) -> RoomSpec:
                return self._failed_starts.leave_out(models.admit(room))

            place = Workplace(options.site, options.stop, options.environment, listener, brief)
            with options.executor(place) as executor:
                yield executor

    @contextmanager
    def _listener(self, options: _PlayOptions) -> Iterator[RemoteRooms | None]:
        """Opens a listener if there are remote bots, and reports it."""
        contest = self._start.contest
        if not contest.remote_bots or not options.needs_listener:
            yield None
            return
        with open_listener(contest, self._start.layout, options.environment) as opened:
            self._reporter.invite(opened.listener.presence(""), opened.notices, opened.invitations)
            yield RemoteRooms(opened.listener, options.site)
            opened.listener.say_goodbye(GOODBYE)

    def _play(self, left: Sequence[RoomSpec], executor: Executor, spectators: RoomsFile) -> None:
        self._run.save(versions=versions(), ratings=self._run.manifest.computed_method, digest=None)
        try:
            rooms = fill_jobs(left, executor.free)
            for report in play_all(rooms, executor, lambda rooms: self._go_on(rooms, spectators)):
                self._take(report)
        finally:
            self._keep(self._collector.wait())
        self._set_unknown_luck()

    def _set_unknown_luck(self) -> None:
        """Computes the luck of matches that finished before earlier ones, in a run that was interrupted then."""
        if self._lessons:
            for result in set_unknown_luck(self._store, self._start.manifest.terms.baseline, self._lessons):
                self._reporter.show(result)

    def _go_on(self, rooms: Sequence[RoomSpec], spectators: RoomsFile) -> None:
        """Stores finished matches, looks at the disk, and tells spectators which rooms are in play."""
        self._keep(self._collector.finished())
        self._disk.look()
        spectators.tell(list(map(seated, rooms)))

    def _next_adaptive_round(self) -> tuple[RoomSpec, ...]:
        """Returns the rooms of the next adaptive round, if one is due, and adds the round to the manifest."""
        manifest, pairing = self._run.manifest, self._due_round()
        if pairing is None or pairing.line_ups is None:
            return ()
        added = (*manifest.added, pairing)
        stage = manifest.model_copy(update={"added": added}).stages[-1]
        self._run.save(added=added, matches=manifest.matches + stage.places)
        number, most = len(added), manifest.terms.schedule.adaptive
        sizes = f"{stage.places} matches in {len(pairing.line_ups)} line-ups"
        self._reporter.tell(f"adaptive round {number} of at most {most}: neighbours are undecided, {sizes}")
        rooms = self._start.rooms_of(stage)
        if self._lessons:
            self._lessons.extend(planned_matches(rooms))
        return rooms

    def _due_round(self) -> ScheduleChoice | None:
        return adaptive_round(self._run.manifest, self._store.results)

    def _stop_early(self) -> NoReturn:
        self._run.count_again()
        self._run.save()
        raise Interrupted(len(self._run.finished), self._run.manifest.matches, self._start.place) from None

    def _take(self, report: Report) -> None:
        if isinstance(report, RemotePresence):
            self._reporter.note_presence(report)
            return
        if isinstance(report, WorkerNews):
            self._reporter.tell(report.text)
            return
        if isinstance(report, RoomLost):
            self._run.lose(list(dict.fromkeys(match.match for match in report.room.matches)), report.reason)
            void = f"room {report.room.room} is void (attempt {report.attempt} of {ATTEMPTS})"
            self._reporter.tell(f"{void}: {report.reason}", room_failed=True)
            return
        self._files.check()
        reported = [notice for outcome in report.outcomes for notice in outcome.notices]
        reported += self._failed_starts.take(report)
        reported += map(str, self._run.reach(self._reached_caps()))
        self._reporter.tell_new(reported)
        self._keep(self._collector.collect(report))

    def _keep(self, matches: Iterator[MatchOutcome]) -> None:
        outcomes = list(matches)
        if not outcomes:
            return
        self._run.add(*outcomes)
        for outcome in outcomes:
            self._reporter.finish(outcome.result)
        self._run.save()
