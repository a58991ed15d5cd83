"""Cache a run folder for a server: read it again only when its files have changed."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from threading import Lock

from bourre.rules.errors import BourreError
from bourre_referee.model.errors import ContestError
from bourre_referee.statistics.analysis import Analysis, analyse
from bourre_referee.storage.run_folder import RunFolder
from bourre_referee.storage.run_layout import Layout
from bourre_referee.web.data.run_page import RunData, read_run

Signature = tuple[tuple[int, ...], ...]
"""Identity, size and modification time of each file of a run; empty for a missing file."""

LONGEST_REST_S = 60.0
"""The longest time without a look at the files."""


@dataclass(frozen=True, slots=True)
class RunState:
    """The state of a run at one moment."""

    tag: str
    """A tag that differs between states."""
    run: RunFolder
    data: RunData


class Unreadable(BourreError):
    """The run cannot be read now; the message says why and how to fix it, without the folder's path."""


class CachedRun:
    """Caches one run folder; thread-safe: one thread reads at a time."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic, rest: float = 4.0) -> None:
        """After reading, wait `rest` times as long as the read took, to leave the machine to the bots."""
        self._folder = folder
        self._clock = clock
        self._rest = rest
        self._reading, self._analysing = Lock(), Lock()
        self._signature: Signature = ()
        self._rests_until: float | None = None
        self._state: RunState | None = None
        self._trouble = ""
        self._analysis: tuple[str, Analysis] | None = None

    def current(self) -> RunState:
        """Return the newest state, or the last one during a rest; raises Unreadable."""
        with self._reading:
            if self._rests_until is None or self._clock() >= self._rests_until:
                signature = signature_of(self._folder)
                if signature != self._signature or self._trouble or self._state is None:
                    # The signature is from before the read, so later writes change it.
                    self._signature = signature
                    self._read(f"{signature}")
            if self._trouble or self._state is None:
                raise Unreadable(self._trouble)
            return self._state

    def analysis(self) -> tuple[RunState, Analysis]:
        """Return the analysis of `bourre stats` for the current state; the first call takes a while."""
        state = self.current()
        with self._analysing:
            if self._analysis is None or self._analysis[0] != state.tag:
                self._analysis = (state.tag, self._analyse(state))
            return state, self._analysis[1]

    def record(self, state: RunState, match: str) -> str:
        """Return the record of a match that is finished in this state; raises Unreadable."""
        try:
            return state.run.record(match)
        except BourreError as error:
            raise Unreadable(self._without_path(error)) from error

    def _read(self, signature: str) -> None:
        began = self._clock()
        self._trouble = ""
        try:
            run = RunFolder.open(self._folder)
            self._state = RunState(tag_of(signature), run, read_run(run))
        except BourreError as error:
            self._trouble = self._without_path(error)
        except OSError as error:
            self._trouble = f"{self._folder.name}: {error.strerror}: restore the run folder, or check its permissions"
        ended = self._clock()
        self._rests_until = ended + min(self._rest * (ended - began), LONGEST_REST_S)

    def _analyse(self, state: RunState) -> Analysis:
        shown = {match.match for match in state.data.matches}
        try:
            with closing(state.run.stored_matches()) as matches:
                kept = (match for match in matches if match.match in shown) if shown else ()
                return analyse(state.data.standings.rows, state.data.results, kept)
        except BourreError as error:
            raise Unreadable(self._without_path(error)) from error

    def _without_path(self, error: BourreError) -> str:
        """Remove the path of the folder, which visitors must not see."""
        return str(error).replace(str(self._folder), self._folder.name)


def signature_of(folder: Path) -> Signature:
    """Return the state of the files that change with every match of a run."""
    layout = Layout(folder)
    database = layout.database
    return tuple(map(_stamp, (layout.manifest, database, database.with_name(f"{database.name}-wal"))))


def _stamp(file: Path) -> tuple[int, ...]:
    try:
        status = file.stat()
    except OSError:  # missing or forbidden: reading will report which
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns


def tag_of(signature: str) -> str:
    """Return a short tag for a state, as this version shows it."""
    return sha256(f"{version('bourre')} {signature}".encode()).hexdigest()[:16]


def open_run(folder: Path) -> CachedRun:
    """Open the run in this folder and read it once; raises ContestError if it is missing or damaged."""
    absolute = folder.absolute()
    if not absolute.is_dir():
        raise ContestError(f"{folder}: there is no such folder; give a run folder, such as runs/demo")
    cached = CachedRun(absolute)
    try:
        cached.current()
    except Unreadable as error:
        raise ContestError(str(error).replace(absolute.name, str(folder), 1)) from error
    return cached
