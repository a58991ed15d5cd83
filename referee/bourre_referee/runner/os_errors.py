"""Explains errors of the system during a contest."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bourre_referee.model.errors import GO_ON, ContestError


@contextmanager
def explain_os_error(place: object) -> Iterator[None]:
    """Turns an OSError inside into a ContestError that names the file and gives a hint."""
    try:
        yield
    except OSError as error:
        raise ContestError(
            f"{error.filename or place}: {error.strerror}.\n"
            f"hint: check its permissions and the free disk space\n{GO_ON}"
        ) from error
