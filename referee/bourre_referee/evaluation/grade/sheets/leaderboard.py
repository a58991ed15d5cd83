"""The leaderboard of a class, which everyone sees: pseudonyms, and no name."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from math import floor
from pathlib import Path
from typing import NamedTuple

from bourre_referee.evaluation.grade.record.counted_marks import CountedMark
from bourre_referee.evaluation.grade.sheets.csv_sheet import csv_sheet
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files import atomic

_BYTES = 32
_LOST_SALT = "hint: restore it, or remove it to give all students new names on the leaderboard"
_COLOURS = (
    *("amber", "azure", "black", "blond", "bronze", "brown", "coral", "cream"),
    *("green", "grey", "ivory", "olive", "pearl", "plum", "ruby", "white"),
)
_ANIMALS = (
    *("badger", "bear", "crane", "deer", "eagle", "egret", "falcon", "heron"),
    *("ibis", "lynx", "marten", "otter", "raven", "seal", "stork", "swift"),
)


def read_salt(file: Path) -> bytes:
    """Reads the secret in this file, or creates it if there is no file. Raises ContestError if it is damaged."""
    if not file.exists():
        atomic.write(file, f"{secrets.token_hex(_BYTES)}\n", mode=0o600)
    try:
        salt = bytes.fromhex(file.read_text("ascii"))
    except (OSError, ValueError) as error:
        raise ContestError(f"Cannot read {file} ({error}).\n{_LOST_SALT}") from error
    if len(salt) < _BYTES:
        raise ContestError(f"{file} is damaged.\n{_LOST_SALT}")
    return salt


def pseudonym(student: str, salt: bytes) -> str:
    """Returns a pseudonym such as amber-heron-41c09be2."""
    drawn = hmac.digest(salt, student.encode(errors="surrogatepass"), hashlib.sha256)
    return f"{_COLOURS[drawn[0] % 16]}-{_ANIMALS[drawn[1] % 16]}-{drawn[2:6].hex()}"


LEADERBOARD = ("rank", "name", "points", "of", "chips_per_100")

_STEPS = 20
"""Points are rounded to this part of all points."""
_CHIPS = 10
"""Chips are rounded to this many, about half of their 95 % interval.

Equal digits told who had copied from whom: of 2,278 pairs of different bots, none had the same points and chips. After
rounding, 8.4 % of the pairs are equal, about 36 in a class of 30, so that an equal line proves nothing.
"""


def rounded_points(points: float, of: float) -> float:
    """Returns the points as everyone may see them."""
    return round(floor(points / of * _STEPS + 0.5) / _STEPS * of, 2) if of else 0.0


def rounded_chips(per_100: float) -> int:
    """Returns the chips per 100 deals as everyone may see them."""
    return floor(per_100 / _CHIPS + 0.5) * _CHIPS


def leaderboard(marks: Sequence[CountedMark]) -> str:
    """Writes a CSV for everyone, best first, without student names and without bots that did not play most deals.

    Ties share a rank, and pseudonyms order them. Late days cost nothing here.
    """
    found = [one for one in (_line(mark) for mark in marks) if one]
    found.sort(key=lambda line: (-line.points, -line.chips, line.name))
    first = {(line.points, line.chips): rank for rank, line in reversed(list(enumerate(found, start=1)))}
    rows = ((first[line.points, line.chips], line.name, line.points, line.of, line.chips) for line in found)
    return csv_sheet(LEADERBOARD, rows)


class _Line(NamedTuple):
    name: str
    points: float
    of: float
    chips: int


def _line(mark: CountedMark) -> _Line | None:
    if mark.counts is None or not (rates := mark.counts.version.chips_per_100):
        return None
    version = mark.counts.version
    chips = rounded_chips(rates["all"].less_luck.per_100)
    return _Line(mark.who.leaderboard_name, rounded_points(version.points, version.of), version.of, chips)
