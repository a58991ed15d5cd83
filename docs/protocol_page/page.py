"""docs/protocol.md: its prose is written by hand, and the sections between marks are generated."""

from __future__ import annotations

from pathlib import Path

from docs.made import Sections, regenerate
from docs.protocol_page.messages import messages_of
from docs.protocol_page.transcript import transcript

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "protocol.md"
SECTIONS: Sections = {
    "transcript": transcript,
    "messages of referee.proto": lambda: messages_of(ROOT / "proto", "bourre/v1/referee.proto"),
    "messages of game.proto": lambda: messages_of(ROOT / "proto", "bourre/v1/game.proto"),
}


def refresh(text: str) -> str:
    """Returns the page with its generated sections rewritten; raises WrongMarks."""
    return regenerate(text, PAGE.name, SECTIONS)
