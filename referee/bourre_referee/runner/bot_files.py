"""The files of the bots, which must stay as they were when the run began."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bourre_referee.contest.contest import Contest
from bourre_referee.model.errors import ContestError
from bourre_referee.runner.term_changes import changes
from bourre_referee.storage.manifest import Manifest, terms_of

Traces = tuple[tuple[str, int, int, int, int], ...]


class BotFiles:
    """Looks at them again and again: at their dates each time, at their contents where a date is new."""

    def __init__(self, contest: Contest, manifest: Manifest) -> None:
        self._contest = contest
        self._manifest = manifest
        self._known: Traces = ()

    def check(self) -> None:
        """ContestError naming what was changed since the run began.

        Called when a room is played and not yet stored: a bot that was started after the change, or read one of its
        files later, has not been stored by then.
        """
        now = self._traces()
        if now == self._known:
            return
        if found := changes(self._manifest, self._contest.name, terms_of(self._contest)):
            raise ContestError(
                f"{self._contest.folder}: while the contest ran: {'; '.join(found)}. What was finished before is "
                "stored; put that back to go on, or start again with --fresh"
            )
        self._known = now

    def _traces(self) -> Traces:
        return tuple(trace for entrant in self._contest.entrants for path in entrant.files for trace in self._of(path))

    def _of(self, path: str) -> Iterator[tuple[str, int, int, int, int]]:
        place = self._contest.folder / path
        for file in [place, *sorted(place.rglob("*"))] if place.is_dir() else [place]:
            if "__pycache__" not in file.parts:
                yield _trace(file)


def _trace(file: Path) -> tuple[str, int, int, int, int]:
    try:
        status = file.stat()
    except OSError:
        return str(file), 0, 0, 0, 0  # it went away: its contents are asked for, which says so
    return str(file), status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
