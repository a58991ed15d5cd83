"""A refusal: what whoever serves an address says where there is nothing to give."""

from __future__ import annotations

from starlette.exceptions import HTTPException


class Refused(HTTPException):
    """What was asked for cannot be given: why, and what can be."""

    def __init__(self, status: int, detail: str, mend: str) -> None:
        super().__init__(status, detail)
        self.mend = mend
