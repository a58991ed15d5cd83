"""Writes rows as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from bourre_referee.statistics.standing import FORMULA_SIGNS, escape_cell


def csv_sheet(headings: Sequence[str], rows: Iterable[Sequence[object]], *, are_ids_kept: bool = False) -> str:
    """Returns the sheet. No text in it is a formula, and none is a number unless a gradebook looks for ids."""
    escape = _without_formula if are_ids_kept else escape_cell
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in (headings, *rows):
        writer.writerow([escape(cell) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue()


def _without_formula(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA_SIGNS) else text
