"""Starts or continues a run, up to the first card."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bourre_referee.contest.bot_permissions import check_environment
from bourre_referee.contest.contest import Contest
from bourre_referee.contest.contest_plan import PLAIN, plan, scheduled
from bourre_referee.contest.isolation_choice import Tell, choose_isolation
from bourre_referee.contest.schedule import Schedule
from bourre_referee.contest.schedule_section import matches_in
from bourre_referee.contest.stages import Stage
from bourre_referee.derived.answers_cache import schedule_searches
from bourre_referee.derived.result_cache import open_result_cache
from bourre_referee.model.errors import RESTORE, ContestError
from bourre_referee.model.site import Site
from bourre_referee.model.spec import Isolation, RoomSpec
from bourre_referee.runner.field_changes import FLAG, begin_stage, mended_bots, only_bots_changed, replace_bots
from bourre_referee.runner.gateway.model_gateway import check_keys
from bourre_referee.runner.run_changes import as_begun, changes
from bourre_referee.sandbox.levels import find_exposing_folder
from bourre_referee.storage.database.store import Store
from bourre_referee.storage.run.bot_archive import archive_files
from bourre_referee.storage.run.contest_terms import terms_of
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.manifest import Manifest, Terms
from bourre_referee.storage.run.missing_store import missing_store
from bourre_referee.storage.run.run_location import RunLocation
from bourre_referee.storage.run.run_writer import begin_run, log_event
from bourre_referee.storage.run.seed_commitment import commitment
from bourre_referee.storage.run.versions import newer_release, versions


@dataclass(frozen=True, slots=True)
class RunStart:
    """The starting point of a run."""

    contest: Contest
    place: RunLocation
    layout: FolderLocation
    """The files on this machine: a run folder, or the files that a run in a database needs."""
    manifest: Manifest
    master: bytes
    rooms: tuple[RoomSpec, ...]
    """All rooms of the contest, including finished ones."""
    isolation: Isolation | None
    """The bots' isolation; None if no matches are left."""
    schedule: Schedule
    """The schedule of the current stage."""
    continued: bool
    """Whether an earlier process wrote the manifest."""

    @property
    def site(self) -> Site:
        """Where rooms are played on this machine."""
        return Site(self.contest.folder, self.layout.logs)

    def rooms_of(self, stage: Stage) -> tuple[RoomSpec, ...]:
        """Returns the rooms of another stage of the same bots."""
        schedules = scheduled([stage], self.contest.seats, self.master)
        return plan(self.contest, self.master, self.isolation or PLAIN, schedules)


def begin(
    contest: Contest, terms: Terms, place: RunLocation, now: datetime, tell: Tell, change_bots: bool = False
) -> RunStart:
    """Draws or reads the seed, plans, and writes or checks the manifest. `now` is in UTC. It needs the run's lock.

    `tell` gets a warning if bots run without isolation. With `change_bots`, a run continues even if bots joined, left
    or were replaced before they played. Raises ContestError if the folder has a damaged run or a run with other
    settings, or if the isolation is not available here.
    """
    layout = FolderLocation(place.folder or Path("runs", contest.name))
    written = known = place.read_manifest() if place.has_manifest() else None
    if known:
        contest, terms = _as_begun(contest, terms, known, change_bots)
        if change_bots:
            known = _with_changed_bots(known, contest.name, terms, place, now, tell)
        _check_same(known, contest.name, terms, place)
        if not known.complete and known.versions.bourre != versions().bourre:
            before, now_playing = known.versions.bourre, versions().bourre
            tell(f"bourre {before} has played this run so far, and bourre {now_playing} continues it.")
    elif place.has_store():
        raise ContestError(f"{place.manifest} is missing.\n{RESTORE}")
    master = _master(contest.seed, place, known)
    isolation = None if known and known.complete else _choose_isolation(contest, layout, tell)
    matches = matches_in(contest.schedule, len(contest.names), contest.seats)
    manifest = known or begin_run(contest.name, terms, master, matches, now)
    if known and known is not written:
        manifest = log_event(known, "bots changed", now)
    searches = schedule_searches(open_result_cache(os.environ))
    schedules = scheduled(manifest.stages, contest.seats, master, searches)
    rooms = plan(contest, master, isolation or PLAIN, schedules)
    if manifest is not written:
        if terms.archive:
            archive_files(manifest.bot_files, contest.folder, layout.bots)
        # The manifest comes first, so that the next run can repair the folder if this process is killed.
        place.write_manifest(manifest)
        place.remove_standings()
    return RunStart(
        contest,
        place,
        layout,
        manifest,
        master,
        rooms,
        isolation,
        schedule=schedules[-1][1],
        continued=manifest is written,
    )


def _as_begun(contest: Contest, terms: Terms, known: Manifest, change_bots: bool) -> tuple[Contest, Terms]:
    """Returns contest and terms of a run that began with fewer default files, unless the bots are being changed."""
    begun = as_begun(contest, known)
    if begun == contest:
        return contest, terms
    fewer = terms_of(begun)
    return (contest, terms) if change_bots and not changes(known, contest.name, fewer) else (begun, fewer)


def _with_changed_bots(
    known: Manifest, name: str, terms: Terms, place: RunLocation, now: datetime, tell: Tell
) -> Manifest:
    """Returns the manifest after bots joined, left or were replaced; the same manifest if none did."""
    if only_bots_changed(known, name, terms):
        return begin_stage(known, terms, place)
    mended = mended_bots(known, name, terms)
    return replace_bots(known, terms, mended, place, now, tell) if mended else known


def _choose_isolation(contest: Contest, layout: FolderLocation, tell: Tell) -> Isolation:
    check_environment(contest.entries, os.environ)
    check_keys(contest, os.environ)
    usual = choose_isolation(contest.isolation, contest.entries, tell)
    for isolation in {entry.isolation.over(usual) for entry in contest.entries} | {usual}:
        if holder := find_exposing_folder(isolation, layout.folder):
            raise ContestError(
                f"Bots could read {layout.folder}, because sandboxes contain {holder}.\nhint: set another with --out"
            )
    return usual


def open_store(start: RunStart) -> Store:
    """Opens the run's database, or creates it if no match is finished yet."""
    place, manifest = start.place, start.manifest
    if place.has_store():
        return place.open_to_write(manifest.seed.commitment)
    if manifest.finished:
        raise missing_store(place, manifest)
    return place.create_store(manifest.contest, manifest.seed.commitment)


def _check_same(known: Manifest, name: str, terms: Terms, place: RunLocation) -> None:
    if not known.complete and (newer := newer_release(known.versions.bourre)):
        raise ContestError(f"{place} cannot continue here: {newer}")
    found = changes(known, name, terms)
    if not known.complete and known.added and not known.rated_as_now:
        found.append("its adaptive rounds were chosen by another rating method")
    if found:
        kept = (
            f", add {FLAG} to go on with these bots and keep what was played"
            if only_bots_changed(known, name, terms) or mended_bots(known, name, terms)
            else ""
        )
        raise ContestError(
            f"{place} was started with different settings: {', '.join(found)}.\nhint: undo the changes{kept}, "
            "or set another folder with --out"
        )


def _master(public: int | None, place: RunLocation, known: Manifest | None) -> bytes:
    if known and known.seed.revealed:
        return bytes.fromhex(known.seed.revealed)
    if known and public is None and not place.has_seed():
        raise ContestError(f"{place.seed}, the secret seed, is missing.\n{RESTORE}")
    master = place.draw_seed(public)
    if known and commitment(master) != known.seed.commitment:
        raise ContestError(f"{place.seed} is not the seed of this run.\n{RESTORE}")
    return master
