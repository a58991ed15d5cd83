"""Lines in, lines out: one answer for each question, in constant memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator

from bourre.rules.errors import BourreError


def answers(lines: Iterable[str], answer: Callable[[str], dict[str, object]]) -> Iterator[str]:
    """For each line its answer as JSON, `{"error": ...}` for a bad one; blank lines are skipped."""
    for line in lines:
        if line.strip():
            yield json.dumps(_answered(line, answer), ensure_ascii=False, separators=(",", ":"))


def _answered(line: str, answer: Callable[[str], dict[str, object]]) -> dict[str, object]:
    try:
        return answer(line)
    except BourreError as error:
        return {"error": str(error)}
