"""Finds the ratios that fell since an earlier measurement. Seconds are not compared: they depend on the machine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.report import Report
from bourre_referee.model.errors import ContestError

RATIOS = (
    "wire.ratio_to_echo",
    "wire.asks_to_echo",
    "wire.ratio_to_single",
    "wire.one_table_ratio_to_echo",
    "wire.one_table_asks_to_echo",
    "engine.ratio_to_openspiel",
    "contest.ratio_to_wire",
)
_FIX = "give what `python3 dev.py bench --json` printed"
TOLERANCE = 0.1
"""A ratio may fall by a tenth, because that is noise."""


@dataclass(frozen=True, slots=True)
class Regression:
    """A ratio that fell."""

    ratio: str
    before: float
    now: float

    def __str__(self) -> str:
        """A line that tells it."""
        return f"{self.ratio} fell from {self.before} to {self.now}, by {100 * (1 - self.now / self.before):.0f} %"


Ratios = Mapping[str, float]


def ratios_in(file: Path) -> Ratios:
    """Reads the measured ratios of an earlier `python3 dev.py bench --json`; raises ContestError."""
    try:
        document = json.loads(file.read_bytes())
    except OSError as error:
        raise ContestError(f"{file}: {error.strerror}: {_FIX}") from error
    except (ValueError, RecursionError) as error:
        raise ContestError(f"{file}: this is not JSON ({error}): {_FIX}") from error
    return _ratios(document, f"{file}: ")


def regressions(before: Ratios, report: Report) -> list[Regression]:
    """Returns the ratios that fell by more than a tenth; only ratios in both measurements are compared."""
    now = _ratios(asdict(report), "")
    both = [(name, before[name], now[name]) for name in RATIOS if name in before and name in now]
    return [Regression(*each) for each in both if each[2] < each[1] * (1 - TOLERANCE)]


def _ratios(document: object, place: str) -> Ratios:
    found = {name: _number(document, name, place) for name in RATIOS}
    return {name: number for name, number in found.items() if number is not None}


def _number(document: object, name: str, place: str) -> float | None:
    value = document
    for key in name.split("."):
        if not isinstance(value, dict) or key not in value:
            raise ContestError(f"{place}there is no {name} in it: {_FIX}")
        value = value[key]
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise ContestError(f"{place}{name} is {value!r}, not a number: {_FIX}")
    return value
