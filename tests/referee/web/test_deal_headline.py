"""The headline of a deal names what happened in it, and its result who took and paid what."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bourre.record import read
from bourre.rules.events import MatchPaid, PotCarried, PotTaken, Reneged
from bourre.rules.house import PRESETS, HouseRules
from bourre_referee.text.narration.events_by_deal import DealEvents, deals_of, story_of
from bourre_referee.web.data.deal_headline import deal_headline
from tests.referee.web.viewing import mischievous_match
from tests.sdk.recorded import header, recorded

ISOLATES = re.compile("[\u2068\u2069]")


def words_of(deal: DealEvents) -> tuple[str, str]:
    """Returns the headline and the result without the characters around names."""
    found = deal_headline(deal)
    return ISOLATES.sub("", found.title), ISOLATES.sub("", found.result)


def deals() -> Sequence[DealEvents]:
    """Returns deals of many kinds: with reneges, bourrés, ties, lone players, and without players."""
    houses = [HouseRules.preset(name) for name in PRESETS] + [HouseRules.preset("limit", tie="divide")]
    records = [read(recorded(header(4, 12, house=house), dice, 0.02)[0]) for dice, house in enumerate(houses)]
    return [deal for record in (*records, mischievous_match()) for deal in deals_of(record)]


def test_the_headline_tells_the_rarest_of_what_happened_and_the_result_who_took_and_paid() -> None:
    kinds = set[str]()
    for deal in deals():
        title, result = words_of(deal)
        story = story_of(deal)
        reneges = sum(isinstance(event, Reneged) for event in deal.events)
        paid = [event for event in deal.events if isinstance(event, MatchPaid)]
        taken = [event for event in deal.events if isinstance(event, PotTaken)]
        assert f"pot of {story.pot}" in title or title.endswith(f" of {story.pot}")
        assert ("renege" in title) == (reneges > 0)
        for event in paid:
            assert f"bot {event.seat} " in result
            assert result.count(f" {event.chips}")
        if len(taken) == 1:
            assert f"bot {taken[0].seat} takes " in result
        if any(isinstance(event, PotCarried) and event.tied for event in deal.events):
            assert " tie at " in result
        kinds |= {re.sub(r"bot \d|\d+", "_", title)} | {re.sub(r"bot \d|\d+", "_", part) for part in result.split("; ")}
    assert {
        "A renege in a pot of _",
        "_ goes bourré in a pot of _",
        "A split pot of _",
        "_ takes the pot of _",
    } <= kinds
    assert {"_ takes _ of _ with three tricks", "_ goes bourré and pays _", "_ takes the pot of _ alone"} <= kinds
    assert {"Two bourrés in a pot of _", "_ takes the pot of _"} <= kinds
