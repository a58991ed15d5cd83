"""The replay viewer: a deal on a card table, step by step, and in words."""

from bourre_referee.web.viewer.files import SCRIPT, STYLE
from bourre_referee.web.viewer.section import deal_section, match_section
from bourre_referee.web.viewer.standalone import standalone

__all__ = ["SCRIPT", "STYLE", "deal_section", "match_section", "standalone"]
