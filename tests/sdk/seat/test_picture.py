"""The picture of the table follows events to the same state as the views of the seat."""

from __future__ import annotations

from random import Random

import pytest

from bourre.rules.cards import Card
from bourre.rules.deck import SeededChance, derive, master_seed
from bourre.rules.events import CardPlayed, DealStarted, Declared, Drew, Event, Penalized, RenegeCorrected, Reneged
from bourre.rules.house import PRESETS, HouseRules
from bourre.rules.match import Match
from bourre.rules.visibility import visible_to
from bourre.words.table_words.deal_story import begin_match, follow, tell_story
from bourre.words.table_words.picture import Picture, TrickCard, picture_after, picture_of
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


def test_a_lead_that_is_taken_back_leaves_no_trick_and_a_card_of_the_referee_is_marked() -> None:
    house = HouseRules.preset("pagat", renege_policy="silent")
    two, three = Card("2C"), Card("3C")
    ready: list[Event] = [Declared(0, False), Declared(1, True), Drew(1, 0, (), ())]
    reneged: list[Event] = [CardPlayed(1, two), Reneged(1, two, "R5.6", None, 3), RenegeCorrected(1, two)]
    played: list[Event] = [Penalized(1, "R8.5", 3), CardPlayed(1, three)]
    story = tell_story(begin_match(2, house), [*ready, *reneged])
    back = picture_after(story, reneged[-1])
    assert (back.dealer, back.number, back.trick) == (None, 0, ())
    story = tell_story(begin_match(2, house), [DealStarted(1, 1), *ready, *played])
    shown_card = picture_after(story, played[-1])
    assert (shown_card.dealer, shown_card.number, shown_card.trick) == (1, 1, (TrickCard(1, three, wrong=True),))
