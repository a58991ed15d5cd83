"""The deals of a match, ready to be stepped through on one page."""

from __future__ import annotations

from markupsafe import Markup

from bourre.record import Record
from bourre_referee.web.render import Viewer
from bourre_referee.web.viewer import SCRIPT, STYLE
from bourre_referee.web.viewer.deals import played_deals
from bourre_referee.web.viewer.section import shown, viewer


def whole_replay(record: Record) -> Viewer:
    """All deals of this match; RecordError where the rules contradict it."""
    deals = (shown(deal, alone=False) for deal in played_deals(record))
    section: Markup = viewer(deals, len(record.header.bots))
    return Viewer(section, STYLE.name, SCRIPT.name)
