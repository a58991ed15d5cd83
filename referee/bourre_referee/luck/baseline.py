"""The baselines of the luck: which one corrects a contest's results is fixed in its terms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from bourre.rules.house import HouseRules
from bourre_referee.luck.draw_luck import luck
from bourre_referee.luck.draw_observer import PlayedBoard
from bourre_referee.luck.style_luck import style_luck

Baseline = Literal["bot styles 1"]
"""A name and a version; None in terms older than the key, whose luck is `draw_luck.luck`."""

BASELINE: Final = "bot styles 1"
"""The baseline of contests that begin now."""


def luck_of_match(
    boards: Sequence[PlayedBoard], house: HouseRules, seed: bytes, baseline: Baseline | None
) -> list[tuple[int, ...]]:
    """Compute the luck by seat of each board of a duplicate match, in the order given."""
    if baseline is None:
        return [luck(board.drawing, len(board.line_up), house, seed) for board in boards]
    return style_luck(boards, house, seed)
