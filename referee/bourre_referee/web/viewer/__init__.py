"""The replay viewer: a deal on a card table, step by step, and in words."""

from bourre_referee.web.viewer.replay_html import SCRIPT, STYLE, deal_section, match_section
from bourre_referee.web.viewer.standalone_replay import standalone

__all__ = ["SCRIPT", "STYLE", "deal_section", "match_section", "standalone"]
