"""Errors of a contest, for the person who runs it.

BourreError
├── ContestError      a contest file, run folder or database cannot be used
│   ├── NoContest     a database has no contest of this name
│   ├── StoreError    the database cannot be read or written
│   │   ├── StoreGone     its server cannot be reached now, and may come back
│   │   └── DamagedValue  one value in the database cannot be right
│   ├── DamagedLine   one value in a line of an export cannot be right
│   └── DamagedFile   something in any other file cannot be right
├── ContestFailed     the host failed, not the contest
├── LeadLost          another referee leads the contest now, and this one can store nothing more
└── Interrupted       the run was stopped from outside, and the same command continues it
"""

from pathlib import Path

from bourre.rules.errors import BourreError

RESTORE = "hint: restore it from a backup, or set another folder with --out"
"""The hint for a damaged file of a run."""

GO_ON = "Finished matches are stored; run again to go on."
"""The last line of an error that stops a contest but loses nothing."""


class ContestError(BourreError):
    """A contest file or run folder cannot be used. The message has the place and a hint."""


class NoContest(ContestError):
    """A database has no contest of this name."""


class StoreError(ContestError):
    """The database cannot be read or written."""


class StoreGone(StoreError):
    """The database's server cannot be reached now, but may be later."""


class DamagedValue(StoreError):
    """A value in a database cannot be right."""

    def __init__(self, database: Path | str, text: str, match: str | None = None) -> None:
        where = f"{database}: match {match}" if match else str(database)
        super().__init__(f"{where}: {text}.\nhint: restore the database from a backup")
        self.text = text
        self.match = match
        """The match of the value; None if it has none, or if the match's name is unknown."""


class DamagedLine(ContestError):
    """A value in a line of an export cannot be right."""

    def __init__(self, path: Path, number: int, text: str) -> None:
        super().__init__(f"{path}:{number}: {text}.\nhint: export the run again")
        self.text = f"{path.name}:{number}: {text}"


class DamagedFile(ContestError):
    """Something in a file or folder cannot be right."""

    def __init__(self, path: object, text: str) -> None:
        super().__init__(f"{path}: {text}.\nhint: restore it from a backup, or get the folder again")
        self.text = f"{Path(str(path)).name}: {text}"


class ContestFailed(BourreError):
    """The host failed, so the contest could not end. Finished matches are stored."""


class LeadLost(BourreError):
    """Another referee has taken over the contest."""


class Interrupted(BourreError):
    """A contest was stopped from outside. Finished matches are stored."""

    def __init__(self, done: int, total: int, place: object) -> None:
        super().__init__(f"interrupted: {done} of {total} matches are stored in {place}. Run again to go on.")
        self.done = done
        self.total = total
        self.place = place
