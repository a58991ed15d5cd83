"""The address of a contest in a PostgreSQL database: `postgresql://user@host/database#contest`."""

from __future__ import annotations

from dataclasses import dataclass

from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files.address_text import split_address, without_password


@dataclass(frozen=True, slots=True)
class DatabaseAddress:
    """A database of contests; its text leaves out the password."""

    url: str
    """A connection URI as PostgreSQL's own programs read it (libpq)."""

    def __str__(self) -> str:
        return without_password(self.url)


@dataclass(frozen=True, slots=True)
class ContestAddress:
    """A contest in a database; its text leaves out the password."""

    database: DatabaseAddress
    contest: str

    def __str__(self) -> str:
        return f"{self.database}#{self.contest}"


def parse_database(text: str) -> DatabaseAddress:
    """Reads the address of a database; raises ContestError for any other text, and for one with a contest."""
    url, contest = _split(text)
    if contest:
        raise ContestError(f"{DatabaseAddress(text)} names a contest.\nhint: write it without the # and what follows")
    return DatabaseAddress(url)


def parse_contest(text: str) -> ContestAddress:
    """Reads the address of a contest; raises ContestError if it is not one, or if the contest's name is missing."""
    url, contest = _split(text)
    if not contest:
        raise ContestError(
            f"{DatabaseAddress(url)} lacks the contest's name.\nhint: add it after a #, in quotes: "
            f"'{DatabaseAddress(url)}#NAME'"
        )
    return ContestAddress(DatabaseAddress(url), contest)


def _split(text: str) -> tuple[str, str]:
    """Returns the URL of the database, and the contest's name or ""."""
    found = split_address(text)
    if found is None:
        raise ContestError(
            f"{DatabaseAddress(text)} is not the address of a PostgreSQL database.\nhint: use "
            "postgresql://USER@HOST/DATABASE; in a name or a password, write @ : / ? # % as %40 %3A %2F %3F %23 %25"
        )
    return found
