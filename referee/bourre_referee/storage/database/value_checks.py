"""Checks that every cell of a run's tables has a valid value, by the types in `schema`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError

from bourre_referee.storage.database.run_session import RunSession, select
from bourre_referee.storage.database.schema import Chips, Row
from bourre_referee.storage.files.sound_values import Digits
from bourre_referee.text.names import shorten

_TABLES: tuple[Any, ...] = tuple(Row.__subclasses__())


def find_wrong_value(session: RunSession, first: int = -(2**63)) -> str | None:
    """Describes the first cell with an invalid value, in matches from `first` on; None if there is none.

    For text it reads each distinct value of a column, and for numbers the smallest and the largest.
    """
    for table in _TABLES:
        for column, values in _values(session, table, first):
            try:
                _checks(table)[column].validate_python(values)
            except ValidationError as error:
                wrong = error.errors()[0]
                place = _place(session, table, column, values[int(wrong["loc"][0])], first)
                return f"{place}: {column}: {wrong['msg']}"
    return None


def _values(session: RunSession, table: Any, first: int) -> Iterator[tuple[str, Sequence[Any]]]:
    """Yields the values to check of each column."""
    rows, given = _rows(session, table, first)
    texts = [name for name in _checks(table) if _holds_text(table, name)]
    for name in texts:
        yield name, [value for (value,) in select(session, f"SELECT DISTINCT {name} FROM {rows}", given)]
    if numbers := [name for name in _checks(table) if name not in texts]:
        ends = ", ".join(f"min({name}), max({name})" for name in numbers)
        (found,) = select(session, f"SELECT {ends} FROM {rows}", given)
        if found[0] is not None:
            yield from zip(numbers, zip(found[::2], found[1::2], strict=True), strict=True)


def _rows(session: RunSession, table: Any, first: int) -> tuple[str, tuple[int, ...]]:
    """Returns which rows belong to the contest, after FROM, with the values of the question marks."""
    name, columns = table.__tablename__, table.__table__.columns
    rows = f"{name} WHERE {'contest' if 'contest' in columns else 'id'} = ?"
    return (f"{rows} AND number >= ?", (session.contest, first)) if "number" in columns else (rows, (session.contest,))


def _place(session: RunSession, table: Any, column: str, value: Any, first: int) -> str:
    rows, given = _rows(session, table, first)
    keys = [key.name for key in table.__table__.primary_key if key.name not in ("contest", "id", column)]
    query = f"SELECT {', '.join(keys or [column])} FROM {rows} AND {column} = ?"
    found = zip(keys, next(select(session, query, (*given, value))), strict=False)
    return f"table {table.__tablename__}" + "".join(f", {key} {shorten(repr(cell), 60)}" for key, cell in found)


def _holds_text(table: Any, column: str) -> bool:
    return table.__table__.columns[column].type.python_type is str


@cache
def _checks(table: Any) -> dict[str, TypeAdapter[Any]]:
    """Returns a check for each column whose type is stricter than SQL's."""
    hints: dict[str, Any] = get_type_hints(table, include_extras=True)
    hints |= {column.name: Digits for column in table.__table__.columns if isinstance(column.type, Chips)}
    return {name: TypeAdapter(list[hint]) for name, hint in hints.items() if hasattr(hint, "__metadata__")}  # type: ignore[valid-type]
