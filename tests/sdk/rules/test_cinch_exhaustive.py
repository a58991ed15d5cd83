"""The formula of R6.1 against every hand and every play of small decks: no cinch is missed, and none is false."""

from __future__ import annotations

import pytest

from tests.sdk.rules.cinch_check import Findings, Table, compare, tables

LONG = pytest.mark.long


@pytest.mark.parametrize(
    "table",
    [
        Table(5, (4,), held=3, playing=2, laid=0),
        Table(5, (4,), held=3, playing=3, laid=0),
        Table(5, (4,), held=2, playing=3, laid=1),
        pytest.param(Table(7, (4,), held=4, playing=2, laid=0), marks=LONG),
        pytest.param(Table(8, (4,), held=5, playing=2, laid=0), marks=LONG),
        pytest.param(Table(6, (3, 2), held=4, playing=2, laid=0), marks=LONG),
        pytest.param(Table(5, (3, 2), held=3, playing=3, laid=1), marks=LONG),
        pytest.param(Table(6, (3,), held=2, playing=4, laid=2), marks=LONG),
        pytest.param(Table(5, (5,), held=2, playing=4, laid=2), marks=LONG),
    ],
    ids=str,
)
def test_r6_1_the_formula_is_exact(table: Table) -> None:
    found = compare(table)
    assert 0 < found.cinches < found.asked


@pytest.mark.parametrize("size", range(4, 8))
def test_r6_1_the_formula_is_exact_on_every_small_deck(size: int) -> None:
    """`python -m tests.sdk.rules.cinch_check --cards 9` goes further."""
    found = Findings()
    for table in tables(size):
        found.add(compare(table))
    assert 0 < found.cinches < found.asked
