"""What is long, in parts: some of it in every run, all of it with `--long`."""

from __future__ import annotations

import pytest
from _pytest.mark import ParameterSet
from hypothesis import settings


def parts(every_run: int, whole: int) -> list[ParameterSet]:
    """The numbers of so many parts, as parameters; from `every_run` on they are marked `long`."""
    return [pytest.param(part, marks=[pytest.mark.long] * (part >= every_run)) for part in range(whole)]


def examples(share: float) -> settings:
    """This share of the examples that the run tries of a property: for one whose examples are dear."""
    return settings(max_examples=round(share * settings().max_examples))
