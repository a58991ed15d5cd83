"""The beginning of a run, or of going on with one: everything that is settled before the first card."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bourre_referee.contest.changes import changes
from bourre_referee.contest.contest import Contest
from bourre_referee.contest.isolation import IsolationSettled, settle
from bourre_referee.contest.layout import Layout
from bourre_referee.contest.manifest import Manifest, Seed, Terms, versions
from bourre_referee.contest.plan import PLAIN, plan
from bourre_referee.contest.seed import commitment, master_of
from bourre_referee.errors import ContestError
from bourre_referee.spec import RoomSpec
from bourre_referee.store.store import Store


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a run stands on."""

    layout: Layout
    manifest: Manifest
    master: bytes
    rooms: tuple[RoomSpec, ...]
    """All of the contest, also those that are finished."""
    isolation: IsolationSettled | None
    """How bots are kept apart from now on; None when there is nothing left to play."""


def begin(contest: Contest, terms: Terms, layout: Layout) -> Beginning:
    """Draws or reads the seed, plans, and writes or checks the manifest. Call it under the lock.

    ContestError when the folder holds a run on other terms, or a damaged one, and when its bots cannot be kept apart
    here as the contest asks.
    """
    known = layout.read_manifest() if layout.manifest.exists() else None
    if known:
        _check_same(known, contest.name, terms, layout)
    elif layout.database.exists():
        raise ContestError(f"{layout.manifest}: it is missing; put it back, or start again with --fresh")
    master = _master(contest.seed, layout, known)
    settled = None if known and known.complete else settle(contest.isolation, contest.entries)
    rooms = plan(contest, master, layout.logs, settled.isolation if settled else PLAIN)
    manifest = known or _manifest(contest, terms, master, _matches_in(rooms))
    if not known:
        layout.write_manifest(manifest)
    return Beginning(layout, manifest, master, rooms, settled)


def open_store(beginning: Beginning) -> Store:
    """The run's database, made when no match can be in it yet."""
    path, manifest = beginning.layout.database, beginning.manifest
    if path.exists():
        return Store.open(path, manifest.seed.commitment, writing=True)
    if manifest.finished:
        raise ContestError(f"{path}: it is gone, with {manifest.finished} matches; put it back, or use --fresh")
    return Store.create(path, manifest.contest, manifest.seed.commitment)


def _manifest(contest: Contest, terms: Terms, master: bytes, matches: int) -> Manifest:
    public = contest.seed is not None
    return Manifest(
        contest=contest.name,
        versions=versions(),
        seed=Seed(
            note="practice seed, not secret" if public else "secret until all matches are done",
            commitment=commitment(master),
            revealed=master.hex() if public else None,
        ),
        terms=terms,
        matches=matches,
        finished=0,
        digest=None,
        chain=commitment(master),
    )


def _matches_in(rooms: Iterable[RoomSpec]) -> int:
    return len({match.match for room in rooms for match in room.matches})


def _check_same(known: Manifest, name: str, terms: Terms, layout: Layout) -> None:
    found = changes(known, name, terms)
    if not known.complete and known.versions.bourre != versions().bourre:
        found.append(f"bourre was {known.versions.bourre}, is {versions().bourre}")
    if found:
        raise ContestError(
            f"{layout.folder}: the run in it was begun on other terms: {'; '.join(found)}. Put that back to go on, "
            "start again with --fresh, or give another folder with --out"
        )


def _master(public: int | None, layout: Layout, known: Manifest | None) -> bytes:
    if known and known.seed.revealed:
        return bytes.fromhex(known.seed.revealed)
    if known and public is None and not layout.seed.exists():
        raise ContestError(f"{layout.seed}: the secret seed is gone; put it back, or start again with --fresh")
    master = master_of(public, layout.seed)
    if known and commitment(master) != known.seed.commitment:
        raise ContestError(f"{layout.seed}: it is not the seed of this run; put that back, or start again with --fresh")
    return master
