"""The replay viewer: a deal on a card table, step by step, and in words."""

from bourre_referee.web.viewer.dearest_move import DearestMove, dearest_move
from bourre_referee.web.viewer.replay_html import (
    SCRIPT,
    STYLE,
    DealView,
    render_deal,
    render_match,
    render_onlooker,
    render_standalone,
    single_file_policy,
)

__all__ = [
    "SCRIPT",
    "STYLE",
    "DealView",
    "DearestMove",
    "dearest_move",
    "render_deal",
    "render_match",
    "render_onlooker",
    "render_standalone",
    "single_file_policy",
]
