"""What can be wrong with a contest, in words for the person who runs it.

BourreError
├── ContestError      a contest file, a run folder or its database that cannot be used: names the place and the mend
│   ├── StoreError    the database alone
│   │   └── DamagedValue  one value in it, which can be none of ours
│   ├── DamagedLine   a line of an export, in which one value can be none of ours
│   └── DamagedFile   any other file, in which something can be none of ours
├── ContestFailed     the host failed, not the contest: names what, and how to go on
└── Interrupted       stopped from outside; the same command goes on from there
"""

from pathlib import Path

from bourre.rules.errors import BourreError


class ContestError(BourreError):
    """A contest file or run folder that cannot be used: names the place and the mend."""


class StoreError(ContestError):
    """A database that cannot be read or written."""


class DamagedValue(StoreError):
    """A value in a database that can be none of ours: where, and what is wrong with it."""

    def __init__(self, database: Path, text: str, match: str | None = None) -> None:
        where = f"{database}: match {match}" if match else str(database)
        super().__init__(f"{where}: {text}: put a copy of the database back")
        self.text = text
        self.match = match
        """None: it is of no match, or of a match whose name cannot be known."""


class DamagedLine(ContestError):
    """A value in a line of an export that can be none of ours: where, and what is wrong with it."""

    def __init__(self, path: Path, number: int, text: str) -> None:
        super().__init__(f"{path}:{number}: {text}; export the run anew")
        self.text = f"{path.name}:{number}: {text}"


class DamagedFile(ContestError):
    """Something in a file, or in a folder, that can be none of ours: where, and what is wrong with it."""

    def __init__(self, path: Path, text: str) -> None:
        super().__init__(f"{path}: {text}; put a copy back, or get the folder anew")
        self.text = f"{path.name}: {text}"


class ContestFailed(BourreError):
    """The host kept a contest from its end; what is finished is stored."""


class Interrupted(BourreError):
    """A contest was stopped from outside; what is finished is stored."""

    def __init__(self, done: int, total: int, folder: Path) -> None:
        super().__init__(
            f"interrupted: {done} of {total} matches are stored in {folder}; run again to go on from there"
        )
        self.done = done
        self.total = total
        self.folder = folder
