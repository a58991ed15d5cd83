"""Long tests in parts: some parts run every time, all of them with `--long`."""

from __future__ import annotations

from collections.abc import Container, Mapping

import pytest
from _pytest.mark import ParameterSet
from hypothesis import settings


def parts(every_run: int, whole: int) -> list[ParameterSet]:
    """Parameters 0 to `whole` - 1; those from `every_run` on are marked `long`."""
    return [pytest.param(part, marks=[pytest.mark.long] * (part >= every_run)) for part in range(whole)]


def mostly_long(cases: Mapping[str, object], every_run: Container[str]) -> list[ParameterSet]:
    """Parameters with these ids; those that are not named in `every_run` are marked `long`."""
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)), id=name, marks=[pytest.mark.long] * (name not in every_run)
        )
        for name, case in cases.items()
    ]


def share_of_examples(share: float) -> settings:
    """Tries only this share of the usual number of examples, for a property whose examples are slow."""
    return settings(max_examples=round(share * settings().max_examples))
