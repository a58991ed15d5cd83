"""A backup of a ladder's folder, made while it is served."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.ladder_storage import EPOCHS
from bourre_referee.ladder.log.event_log import Logged, LogReader
from bourre_referee.ladder.log.events import LadderError
from bourre_referee.ladder.log.log_file import LogFile
from bourre_referee.ladder.log.seasons import epoch_name
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.database.sqlite_connection import BESIDE, copy_database

_DATABASE, _MANIFEST = "run.db", "manifest.json"
_PASSING = (".lock", ".new", ".scratch", *BESIDE)
"""How the names of files end that belong to a running process."""


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup contains."""

    head: str
    """The hash of its last line of the log."""
    events: int
    rooms: int
    """The number of rooms in play, which a restored ladder makes void."""


def back_up(ladder: LadderFolder, target: Path) -> Backup:
    """Copies the folder of a ladder to a new folder. Raises ContestError if that is not possible.

    Most of it is copied first. Then the log is locked, so that no room begins or ends in it, and the rest is copied.
    The copy is as if the host had been killed at that moment, which loses nothing.
    """
    if target.exists() or target.resolve().is_relative_to(ladder.path.resolve()):
        raise ContestError(f"{target} already exists, or is in the ladder.\nhint: use a new folder elsewhere")
    part = target.with_name(f".{target.name}.part")
    try:
        made = _copy_ladder(ladder, part)
        part.rename(target)
    except OSError as error:
        why = f"{error.strerror}.\nhint: see that there is space"
        raise ContestError(f"Cannot copy {ladder.path} to {target}: {why}") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return made


def _copy_ladder(ladder: LadderFolder, part: Path) -> Backup:
    log = ladder.open_log()
    log.read()
    open_runs = _open_runs(log.state)
    _copy(ladder.path, part, leave_out=open_runs)
    with log.appending() as tail:
        _copy(ladder.path, part, again=_open_runs(tail.state))
        return Backup(tail.head, log.events, len(tail.state.rooms))


def later_events(ladder: LadderFolder, later: Path) -> list[Logged]:
    """Returns the events in a later copy of a ladder's log that the ladder lacks.

    Raises ContestError if that log is damaged, or does not continue the ladder's.
    """
    log, reader = ladder.open_log(), LogReader()
    log.read()
    missing: list[Logged] = []
    follows = log.events == 0
    try:
        for line, _ in LogFile(later).read_after(0):
            logged = reader.read(line.decode(errors="replace").removesuffix("\n"))
            if follows:
                missing.append(logged)
            follows |= reader.head == log.head
    except LadderError as error:
        raise ContestError(f"{later}: {error}") from error
    if not follows:
        raise ContestError(f"{later} does not continue the log of {ladder.path}.\nhint: use a later copy of it")
    return missing


def _open_runs(state: LadderState) -> Collection[str]:
    return [epoch_name(epoch.number, rated=rated) for epoch in state.seasons.unclosed for rated in (True, False)]


def _copy(source: Path, target: Path, *, leave_out: Collection[str] = (), again: Collection[str] = ()) -> None:
    """Copies the files that the target lacks or that changed. It leaves some runs out, or copies some once more."""
    for folder in _folders(source):
        if folder.parent.name == EPOCHS and folder.name in leave_out:
            continue
        copy = target / folder.relative_to(source)
        copy.mkdir(parents=True, exist_ok=True)
        shutil.copystat(folder, copy)
        if (folder / _MANIFEST).exists() and (folder.name in again or not (copy / _MANIFEST).exists()):
            _copy_run(folder, copy)
        for file in folder.iterdir():
            if file.is_file() and file.name not in (_DATABASE, _MANIFEST) and not file.name.endswith(_PASSING):
                _copy_file(file, copy / file.name)


def _folders(source: Path) -> Iterator[Path]:
    for name, folders, _ in os.walk(source):
        if Path(name) == source and "rooms" in folders:
            folders.remove("rooms")  # what onlookers see now
        yield Path(name)


def _copy_file(file: Path, copy: Path) -> None:
    found = file.stat()
    if copy.exists() and (copy.stat().st_mtime_ns, copy.stat().st_size) == (found.st_mtime_ns, found.st_size):
        return
    shutil.copy2(file, copy)


def _copy_run(run: Path, copy: Path) -> None:
    """Copies the database and the manifest of a run, again if the manifest changed meanwhile."""
    before = b""
    while before != (before := (run / _MANIFEST).read_bytes()):
        if (run / _DATABASE).exists():
            (copy / _DATABASE).unlink(missing_ok=True)
            copy_database(run / _DATABASE, copy / _DATABASE)
        shutil.copy2(run / _MANIFEST, copy / _MANIFEST)
