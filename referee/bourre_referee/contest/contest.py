"""A contest as its file describes it, checked."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

from bourre.rules.house import HouseRules
from bourre_referee.contest.isolation_choice import IsolationAsked
from bourre_referee.contest.pairing import Pairing
from bourre_referee.model.spec import Clock, Entry


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot as the contest file enters it; paths are relative to the file's folder, as written."""

    name: str
    command: tuple[str, ...] | None
    """None: its author starts it, and it connects."""
    files: tuple[str, ...]
    """What it is made of: hashed, so that a change is seen. Files, or folders with all that is in them."""
    venv: str | None = None
    """The environment that its `python` runs in; None: that of this program."""
    trusted: bool = False
    """Its author starts it, and may see every hand of a deal in format `duplicate`."""

    def entry(self, folder: Path) -> Entry:
        """How to start it on this machine: `python` is that of its environment, else the one of this program."""
        venv = folder / self.venv if self.venv else None
        if self.command is None:
            return Entry(self.name, None, folder, self.files, venv)
        program, *arguments = self.command
        path = program_path(program, folder, venv) or program
        return Entry(self.name, (path, *arguments), folder, self.files, venv)


@dataclass(frozen=True, slots=True)
class Contest:
    """Everything that decides how a contest is played, apart from a secret seed."""

    name: str
    seed: int | None
    """A public practice seed; None: a secret one is drawn."""
    seats: int
    deals: int
    """In each match."""
    format: str
    tables: int
    """At how many tables a room plays at once; no part of any result."""
    stakes: tuple[int, ...]
    """In format `duplicate`: what every seat may have to pay before a deal; the seed chooses."""
    house: HouseRules
    schedule: Pairing
    clock: Clock
    max_faults: int
    entrants: tuple[Entrant, ...]
    folder: Path
    """Where the contest file stands, absolute."""
    isolation: IsolationAsked = field(default_factory=IsolationAsked)
    doubts: tuple[str, ...] = ()
    """What in its house rules can be played, but is hardly meant."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The bots as rooms start them."""
        return tuple(entrant.entry(self.folder) for entrant in self.entrants)

    @property
    def names(self) -> tuple[str, ...]:
        """The bots' names in the order of the file."""
        return tuple(entrant.name for entrant in self.entrants)


def program_path(program: str, folder: Path, venv: Path | None = None) -> str | None:
    """The absolute path of the program that a command starts with; None when there is none."""
    if program == "python":
        return shutil.which(str(venv / "bin" / "python")) if venv else sys.executable
    # A path is meant from the contest file's folder; a bare word is looked up as a shell would.
    return shutil.which(str(folder / program) if "/" in program else program)
