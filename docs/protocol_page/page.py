"""docs/protocol.md: its prose is written by hand, and the sections between marks are made anew."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from docs.protocol_page.messages import messages_of
from docs.protocol_page.transcript import transcript

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "protocol.md"
SECTIONS: Mapping[str, Callable[[], str]] = {
    "transcript": transcript,
    "messages of referee.proto": lambda: messages_of(ROOT / "proto", "bourre/v1/referee.proto"),
    "messages of game.proto": lambda: messages_of(ROOT / "proto", "bourre/v1/game.proto"),
}
_SECTION = re.compile(r"^<!-- made: ([^>]+) -->\n.*?^<!-- end of made -->$", re.DOTALL | re.MULTILINE)


class WrongMarks(Exception):
    """The page lacks a mark, or has one that nothing is made for."""


def refreshed(text: str) -> str:
    """The page with everything between marks made anew; raises WrongMarks."""
    marks = _SECTION.findall(text)
    if sorted(marks) != sorted(SECTIONS):
        raise WrongMarks(f"{PAGE.name} needs the marks {sorted(SECTIONS)}, each once, and has {sorted(marks)}")
    return _SECTION.sub(lambda found: _section(found[1]), text)


def _section(name: str) -> str:
    return f"<!-- made: {name} -->\n\n{SECTIONS[name]()}\n\n<!-- end of made -->"
