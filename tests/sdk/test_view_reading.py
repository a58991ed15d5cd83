"""Which seat is winning the trick, and which cards have not been seen."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from bourre.rules.cards import DECK, parse_cards
from bourre.rules.events import CardPlayed, TrickReopened, TrickTaken
from bourre.rules.match import Match
from bourre.sampling.view_reading import played_cards, remaining, winner
from tests.sdk.random_answers import play_randomly
from tests.sdk.rules.table import Table, stacked
from tests.strategies import matches


def test_the_best_card_so_far_wins() -> None:
    deck = stacked("2C 9D 4H 5S AH", "3C KD 7H 6S JH", "4C QD 9H 2S TH", dealer=2)
    table = Table(deck, seats=3, dealer=2)
    match = table.match
    for text in ("0 in", "1 in", "2 in"):
        table.say(text)
    assert winner(match.view(0)) is None
    table.say("0 9D")
    assert winner(match.view(1)) == 0
    table.say("1 KD")
    assert winner(match.view(2)) == 1


@given(match=matches(), dice=st.integers(0, 2**32))
def test_the_winner_takes_the_trick_unless_the_last_card_does(match: Match, dice: int) -> None:
    leading: int | None = None
    last: int | None = None
    for _, _, events in play_randomly(match, Random(dice), 0.1):
        for event in events:
            if isinstance(event, CardPlayed):
                last = event.seat
            if isinstance(event, TrickReopened):  # the card that completed the trick was taken back
                break
            if isinstance(event, TrickTaken):
                assert event.seat in (leading, last)
        leading = None if match.over else winner(match.view(0))


@given(match=matches(), dice=st.integers(0, 2**32))
def test_every_card_is_seen_or_remains(match: Match, dice: int) -> None:
    for _ in play_randomly(match, Random(dice), 0.1):
        seats = [] if match.over else [seat for seat in range(match.seats) if match.deal.entry.plays[seat] is not False]
        for seat in seats:  # a passed hand may have been gathered, and dealt to others
            view = match.view(seat)
            recalled = {card for _, card in view.recalled}
            is_back = view.house.trump_card == "separate_returned"
            turned = set() if view.turned is None or is_back else {view.turned}
            seen = {*view.hand, *view.discarded, *turned, *played_cards(view), *recalled}
            assert seen.isdisjoint(remaining(view))
            assert seen | set(remaining(view)) == set(DECK)
            hidden = {card for other in seats if other != seat for card in match.view(other).hand}
            assert hidden <= {*remaining(view), *turned, *recalled, *view.discarded}


def test_remaining_cards_are_told_lowest_first() -> None:
    table = Table(stacked("2C 9D 4H 5S AH", "3C KD 7H 6S JH"), seats=2)
    seen = parse_cards("2C 9D 4H 5S AH")
    assert remaining(table.match.view(0)) == tuple(card for card in DECK if card not in seen)
