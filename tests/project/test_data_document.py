"""docs/data.md has every column of every table, in its order and of its type, and no other."""

from __future__ import annotations

import re

import dev
from bourre_referee.export.export_tables import TABLES, Column, columns_of

DOCUMENT = (dev.ROOT / "docs" / "data.md").read_text("utf-8")
TYPES = {str: "text", int: "whole number", float: "number", bool: "flag"}
UNITS = {"", "chips", "1/840 chips", "1/26880 chips", "card", "cards", "deals", "matches"}


def section(table: str) -> str:
    """What the document says under the heading of a table."""
    (text,) = re.findall(rf"^## {table}\n(.*?)(?=^## |\Z)", DOCUMENT, re.DOTALL | re.MULTILINE)
    return str(text)


def rows(table: str) -> list[list[str]]:
    """The cells of its rows: column, type, unit, meaning."""
    lines = [line for line in section(table).splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def told(column: Column) -> tuple[str, str]:
    """The name and the type as the document writes them."""
    return f"`{column.name}`", TYPES[column.type] + (" or empty" if column.optional else "")


def test_the_dictionary_has_every_column() -> None:
    shown = {table: [(name, kind) for name, kind, *_ in rows(table)] for table in TABLES}
    assert shown == {table: [told(column) for column in columns_of(row)] for table, row in TABLES.items()}


def test_every_column_has_a_unit_that_is_known_and_a_meaning() -> None:
    columns = [(table, *row) for table in TABLES for row in rows(table)]
    self_evident = {"`deal`", "`seat`"}
    assert [column for column in columns if column[3] not in UNITS] == []
    assert [column for column in columns if not column[4] and column[1] not in self_evident] == []


def test_the_dictionary_has_no_table_beside() -> None:
    headed = {name for name in re.findall(r"^## ([a-z]+)$", DOCUMENT, re.MULTILINE) if rows(name)}
    assert headed == set(TABLES)
