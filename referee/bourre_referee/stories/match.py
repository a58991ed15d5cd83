"""A match as lines of text, deal after deal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bourre.rules.events import Event
from bourre.rules.house import HouseRules
from bourre_referee.names import seat_names
from bourre_referee.stories.deal import LEGEND, deal_lines
from bourre_referee.stories.story import stories


def match_lines(
    events: Iterable[Event], bots: Sequence[str], deals: int, house: HouseRules, only: int | None = None
) -> Iterator[str]:
    """Every deal that these events tell of, or `only` that one (from 1), as lines without their line ends.

    `bots` by seat, `deals` in the whole match. A deal that does not exist yields nothing.
    """
    names = seat_names(bots)
    for story in stories(events, len(bots), house):
        if only in (None, story.number):
            yield from deal_lines(story, names, deals)
            yield ""
        if story.number == only:
            break
    yield LEGEND
