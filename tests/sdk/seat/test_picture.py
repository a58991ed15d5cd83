"""The picture of the table follows events to the same state as the views of the seat."""

from __future__ import annotations

from random import Random

import pytest

from bourre.rules.deck import SeededChance, derive, master_seed
from bourre.rules.house import PRESETS, HouseRules
from bourre.rules.match import Match
from bourre.rules.visibility import visible_to
from bourre.words.table_words.deal_story import begin_match, follow
from bourre.words.table_words.picture import Picture, picture_after, picture_of
from tests.sdk.random_answers import play_randomly

SEAT = 1


@pytest.mark.parametrize("policy", ["prompt", "silent", "retract", "strict"])
@pytest.mark.parametrize("preset", PRESETS)
def test_the_events_lead_to_the_table_that_each_view_shows(preset: str, policy: str) -> None:
    house = HouseRules.preset(preset, renege_policy=policy)
    match = Match(4, 12, house, SeededChance(derive(master_seed(5), preset)))
    story, asked = begin_match(4, house), 0
    for _, _, events in play_randomly(match, Random(preset), mischief=0.1):
        for event in visible_to(SEAT, events):
            story = follow(story, event)
            picture = picture_after(story, event)
        if not match.over and match.to_act == SEAT:
            asked += 1
            assert shown(picture) == shown(picture_of(match.view(SEAT)))
    assert asked > 12


def shown(picture: Picture) -> tuple[object, ...]:
    """What a person reads from a picture; the last trick still lies there until the next is led."""
    trick = () if picture.winner is not None else tuple((played.seat, played.card) for played in picture.trick)
    return picture.deal, picture.dealer, picture.pot, picture.trump, picture.seats, trick
