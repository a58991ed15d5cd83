"""A host that plays an epoch from wherever it was stopped; as a program it is killed at each of the moments given."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from signal import SIGKILL

from bourre_referee.ladder.host.epoch_run import EpochRun
from bourre_referee.storage.database.store import Store
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.manifest import Terms
from tests.referee.ladder.host.played_ladders import epoch_terms
from tests.referee.realistic_rooms import played
from tests.referee.signal_moments import signalling

ROOMS = (("a.1", "b.1", "c.1"), ("d.1", "a.1", "b.2"), ("c.1", "d.1", "a.1"), ("b.2", "c.1", "d.1"))
"""Those that the log called: first two, then all; the host fails the third."""

STEPS = {
    "manifest": (FolderLocation, "write_manifest"),
    "database": (Store, "create"),
    "match": (Store, "add"),
    "loss": (Store, "add_lost"),
    "standings": (FolderLocation, "write_standings"),
    "seal": (Store, "seal"),
}
"""The steps of an epoch, and the function that does each."""


def go_on(folder: Path, terms: Terms) -> None:
    """Plays what is left of the epoch, and closes it."""
    layout = FolderLocation(folder)
    epoch = EpochRun.open(layout) if layout.manifest.exists() else EpochRun.create(layout, "ladder", terms)
    for rooms in (ROOMS[:2], ROOMS):
        if not epoch.is_closed and (epoch.manifest.rooms_called or 0) <= len(rooms):
            epoch.call(rooms)
            play(epoch, len(rooms))
    epoch.close_epoch()
    epoch.close()


def play(epoch: EpochRun, rooms: int) -> None:
    """Plays those of the first rooms that are neither stored nor given up."""
    for number in {*range(1, rooms + 1)} - epoch.finished() - epoch.given_up():
        if number != 3:
            epoch.take(played(epoch.spec(number)))
            continue
        while epoch.attempts(number) < 3:
            epoch.lose(number, "the disk is full")
        epoch.give_up(number)


def live(folder: Path, terms: Terms, moment: str) -> None:
    """Does the same, until this process is killed at this moment."""
    when, name, *nth = moment.split()
    owner, step = STEPS[name]
    setattr(owner, step, signalling(getattr(owner, step), when, int(nth[0]) if nth else 1, SIGKILL))
    go_on(folder, terms)


def main() -> None:
    """Lives in a folder of its own for each moment, named after it, in a process of its own."""
    place, *moments = sys.argv[1:]
    terms = epoch_terms(Path(place, "contest"))
    for moment in moments:
        child = os.fork()
        if not child:
            live(Path(place, moment), terms, moment)
            sys.exit("it was not killed")
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
