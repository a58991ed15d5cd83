"""Lines in, lines out: one answer for each question, in constant memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator

from bourre.rules.errors import BourreError

LONGEST = 500
"""Characters of an error: it may quote what it was given."""


def answers(lines: Iterable[bytes], answer: Callable[[str], dict[str, object]]) -> Iterator[str]:
    """For each line its answer as JSON, `{"error": ...}` for a bad one; blank lines are skipped."""
    for line in lines:
        if line.strip():
            yield json.dumps(_answered(line, answer), ensure_ascii=False, separators=(",", ":"))


def _answered(line: bytes, answer: Callable[[str], dict[str, object]]) -> dict[str, object]:
    try:
        return answer(line.decode("utf-8-sig"))  # some editors put a mark before the first line
    except UnicodeDecodeError as error:
        return {"error": f"this line is no UTF-8 (byte {error.start + 1}): write it as UTF-8"}
    except BourreError as error:
        text = str(error)
        return {"error": text if len(text) <= LONGEST else f"{text[:LONGEST]}..."}
