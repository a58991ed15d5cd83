"""Errors of a contest, in words for the person who runs it.

BourreError
├── ContestError      a contest file, run folder or database cannot be used; names the place and gives a hint
│   ├── NoContest     a database has no contest of this name
│   ├── StoreError    the database cannot be read or written
│   │   ├── StoreGone     its server cannot be reached now, and may come back
│   │   └── DamagedValue  one value in the database cannot be right
│   ├── DamagedLine   one value in a line of an export cannot be right
│   └── DamagedFile   something in any other file cannot be right
├── ContestFailed     the host failed, not the contest; says why and how to go on
├── LeadLost          another referee leads the contest by now; nothing more is stored of what this one plays
└── Interrupted       the run was stopped from outside; the same command goes on from there
"""

from pathlib import Path

from bourre.rules.errors import BourreError


class ContestError(BourreError):
    """A contest file or run folder cannot be used; names the place and gives a hint."""


class NoContest(ContestError):
    """A database has no contest of this name."""


class StoreError(ContestError):
    """The database cannot be read or written."""


class StoreGone(StoreError):
    """The database's server cannot be reached now; the same may succeed later."""


class DamagedValue(StoreError):
    """A value in a database cannot be right; says where it is and what is wrong with it."""

    def __init__(self, database: Path | str, text: str, match: str | None = None) -> None:
        where = f"{database}: match {match}" if match else str(database)
        super().__init__(f"{where}: {text}: restore a copy of the database")
        self.text = text
        self.match = match
        """None if it belongs to no match, or to a match whose name is unknown."""


class DamagedLine(ContestError):
    """A value in a line of an export cannot be right; says where it is and what is wrong with it."""

    def __init__(self, path: Path, number: int, text: str) -> None:
        super().__init__(f"{path}:{number}: {text}; export the run again")
        self.text = f"{path.name}:{number}: {text}"


class DamagedFile(ContestError):
    """Something in a file or folder cannot be right; says where it is and what is wrong with it."""

    def __init__(self, path: object, text: str) -> None:
        super().__init__(f"{path}: {text}; restore a copy, or get the folder again")
        self.text = f"{Path(str(path)).name}: {text}"


class ContestFailed(BourreError):
    """The host failed, so the contest could not end; finished matches are stored."""


class LeadLost(BourreError):
    """Another referee has taken over the contest."""


class Interrupted(BourreError):
    """A contest was stopped from outside; finished matches are stored."""

    def __init__(self, done: int, total: int, place: object) -> None:
        super().__init__(f"interrupted: {done} of {total} matches are stored in {place}; run again to go on from there")
        self.done = done
        self.total = total
        self.place = place
