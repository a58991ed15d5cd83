"""A run that is half finished, as if the process had been killed."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from bourre_referee.runner.start import begin, open_store
from bourre_referee.storage.database.store import Finished
from bourre_referee.storage.run.contest_terms import terms_of
from bourre_referee.storage.run.folder_location import FolderLocation
from tests.referee import contests


def half_run(folder: Path) -> Path:
    """The folder of a run with five of ten matches of four deals, three bots at a table."""
    contest, layout = contests.small_contest(folder / "contest"), FolderLocation(folder / "run")
    layout.make()
    beginning = begin(contest, terms_of(contest), layout, datetime.now(UTC), print)
    with open_store(beginning) as store:
        for number, room in enumerate(beginning.rooms[:5], start=1):
            store.add(Finished(number, 1, contests.played(room.matches[0])))
    return layout.folder
