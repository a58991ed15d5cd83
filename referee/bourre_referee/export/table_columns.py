"""Which tables there are, and of what type each of their columns is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import get_args, get_type_hints

from bourre_referee.export.table_rows import BlockRow, DealRow, DecisionRow, MatchRow, RatingRow, Row, SeatRow

TABLES: Mapping[str, type[Row]] = {
    "matches": MatchRow,
    "seats": SeatRow,
    "blocks": BlockRow,
    "deals": DealRow,
    "decisions": DecisionRow,
    "ratings": RatingRow,
}
"""Each by the name of its file."""

Cell = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    name: str
    type: type[str] | type[int] | type[float] | type[bool]
    optional: bool
    """Whether a cell may be empty."""


def columns_of(table: type[Row]) -> tuple[Column, ...]:
    """The columns of a table, in their order."""
    hints = get_type_hints(table)
    return tuple(_column(field.name, hints[field.name]) for field in fields(table))


def cells_of(table: type[Row]) -> Callable[[Row], tuple[Cell, ...]]:
    """What takes the cells out of a row, in the order of the columns."""
    return attrgetter(*(field.name for field in fields(table)))


def _column(name: str, hint: type) -> Column:
    kinds = [kind for kind in get_args(hint) if kind is not type(None)] or [hint]
    return Column(name, kinds[0], optional=len(get_args(hint)) > 0)
