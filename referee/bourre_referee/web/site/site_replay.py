"""The deals of a match, ready to be stepped through on one page."""

from __future__ import annotations

from bourre.record import Record
from bourre_referee.web.render import Viewer
from bourre_referee.web.viewer import SCRIPT, STYLE, match_section


def whole_replay(record: Record) -> Viewer:
    """All deals of this match; RecordError where the rules contradict it."""
    return Viewer(match_section(record), STYLE.name, SCRIPT.name)
