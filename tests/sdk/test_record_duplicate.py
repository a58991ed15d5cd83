"""Records of duplicate matches, and of houses where nobody may play: replayed, read back, and refused if false."""

from __future__ import annotations

from fractions import Fraction

import pytest

from bourre import Bot
from bourre.practice import practice_duplicate
from bourre.record import Recorder, RecordError, asks, asks_of_all, duplicate_text, read, replay
from bourre.record.played_record import play, play_exactly, play_text
from bourre.rules.actions import Recall
from bourre.rules.cards import Card
from bourre.rules.deck import SeededChance
from bourre.rules.events import PotCarried, TrickReopened
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.pot import UNIT
from bourre.rules.visibility import View
from tests.sdk.random_answers import RandomStep
from tests.sdk.recorded import changed, header, recorded

PAGAT = HouseRules.preset("pagat")


class Chancy(Bot):
    """Plays at random, by the dice of its seat."""

    def declare(self, view: View) -> bool:
        return view.rng.random() < 0.7

    def draw(self, view: View) -> list[Card]:
        return [card for card in view.hand if card.suit != view.trump]

    def play(self, view: View) -> Card:
        return view.legal[0]


def squares(seats: int, _deal: int) -> list[list[int]]:
    return [[(seat + shift) % seats for seat in range(seats)] for shift in range(seats)]


def text_of(deals: int = 3, seats: int = 3, stakes: tuple[int, ...] = (0, 2), house: HouseRules = PAGAT) -> str:
    bots = {f"bot{number}": Chancy for number in range(seats)}
    return practice_duplicate(bots, deals, squares, seed=7, house=house, stakes=stakes)


def test_it_is_read_back_and_replayed() -> None:
    record = read(text_of())
    assert record.header.format == "duplicate"
    assert record.header.stakes == (0, 2)
    assert [(deal.deal, deal.seating) for deal in record.deals] == [(d, s) for d in (1, 2, 3) for s in (1, 2, 3)]
    assert sum(1 for _ in replay(record)) > 9
    assert sum(record.final) == 0
    assert play_exactly(text_of()) == play(record)


def test_all_seatings_of_a_deal_deal_the_same_cards_to_the_same_seats() -> None:
    record = read(text_of())
    for deal in (1, 2, 3):
        playings = [playing for playing in record.deals if playing.deal == deal]
        assert len({(playing.dealer, playing.dealt, playing.turned) for playing in playings}) == 1
        assert len({playing.line_up for playing in playings}) == 3


def test_bots_that_differ_in_nothing_end_equal_when_their_dice_are_those_of_the_seat() -> None:
    assert read(text_of(deals=4)).final == (0, 0, 0)


def test_totals_are_exact_where_a_pot_cannot_be_shared_in_whole_chips() -> None:
    record = read(text_of(seats=7, deals=2, house=HouseRules.preset("pagat", second_ante=1)))
    assert any(deal.pot % 7 for deal in record.deals)
    totals = [Fraction(0)] * 7
    for deal in record.deals:
        for seat, bot in enumerate(deal.line_up or ()):
            totals[bot] += deal.balances[seat] + Fraction(deal.pot, 7)
    assert [UNIT * total for total in totals] == list(record.final)


@pytest.mark.parametrize(
    ("line", "change", "complaint"),
    [
        (0, lambda values: values.update(stakes=[0, 3]), "deal 1, seating 1"),
        (0, lambda values: values.update(stakes=[]), "'stakes' must hold whole numbers from 0 up"),
        (0, lambda values: values.update(format="knockout"), "'format' must be 'duplicate'"),
        (2, lambda values: values.update(seating=1), "seating 2 of deal 1 is expected here, not 1"),
        (2, lambda values: values.update(line_up=[0, 0, 1]), "'line_up' must hold the numbers of all bots"),
        (5, lambda values: values["received"].__setitem__(0, "2C"), "deal 2, seating 2"),
        (-1, lambda values: values.update(final=[840, -840, 0]), "the final balances are 0 0 0, not 840 -840 0"),
    ],
)
def test_a_lie_is_found(line: int, change: object, complaint: str) -> None:
    with pytest.raises(RecordError, match=complaint):
        play_text(changed(text_of(), line, change))  # type: ignore[arg-type]


def test_the_asks_of_all_bots_are_those_of_each() -> None:
    record = read(text_of())
    together = list(asks_of_all(record))
    assert {bot for bot, _ in together} == {0, 1, 2}
    line_ups = {(deal.deal, deal.seating): deal.line_up or () for deal in record.deals}
    assert all(line_ups[ask.view.deal, ask.seating][ask.view.seat] == bot for bot, ask in together)
    for bot in range(3):
        assert [ask for number, ask in together if number == bot] == list(asks(record, bot))


def test_a_deal_or_a_seating_can_be_chosen_and_the_order_of_the_seatings_does_not_matter() -> None:
    text = text_of()
    record = read(text)
    for deal, seating in ((2, None), (None, 3), (2, 3)):
        chosen = [one for one in asks(record, 1) if deal in (None, one.view.deal) and seating in (None, one.seating)]
        assert list(asks(record, 1, deal, seating)) == chosen != []
    assert duplicate_text(record.header, reversed(record.deals)) == text


SPADES_OR_CLUBS = HouseRules.preset("indiana", ante=2)


def with_deals_that_nobody_plays() -> tuple[str, list[RandomStep]]:
    """Two seats, and hands of four that mostly may not play: often no seat is asked (R4.6)."""
    return recorded(header(2, 300, 3, SPADES_OR_CLUBS), mischief=0.0)


def test_deals_that_nobody_may_play_are_recorded_without_an_action() -> None:
    text, noted = with_deals_that_nobody_plays()
    record = read(text)
    assert [tuple(step) for step in replay(record)] == noted
    assert play_exactly(text) == play(record)
    unplayed = [deal for deal in record.deals if not deal.actions and deal.turned]
    nobody = [event for _, _, events in noted for event in events if isinstance(event, PotCarried) and not event.played]
    assert len(unplayed) >= len(nobody) > 0
    assert any(sum(isinstance(event, PotCarried) for event in events) > 1 for _, _, events in noted)


def test_a_match_of_deals_that_nobody_may_play_has_a_record() -> None:
    """All deals are settled at the start; the record is complete and true."""
    for seed in range(2000):
        spec = header(2, 2, seed, SPADES_OR_CLUBS)
        match = Match(2, 2, SPADES_OR_CLUBS, SeededChance(spec.seed))
        recorder = Recorder(spec)
        recorder.note(None, None, match.start())
        if match.over:
            break
    record = read(recorder.text())
    assert [deal.actions for deal in record.deals] == [(), ()]
    assert [step.action for step in replay(record)] == [None]
    assert play_exactly(recorder.text()) == play(record)
    assert [deal.deal for deal in recorder.finished] == [1, 2]


@pytest.mark.parametrize("key", ["pot", "dealer", "turned"])
def test_a_lie_about_a_deal_that_nobody_played_is_found(key: str) -> None:
    text, _ = with_deals_that_nobody_plays()
    number = next(deal.deal for deal in read(text).deals if not deal.actions)
    lies = {"pot": -1, "dealer": 5, "turned": None}
    with pytest.raises(RecordError, match=rf"deal {number}: {key} is .+ by seed and rules, but recorded as"):
        play_text(changed(text, number, lambda deal: deal.update({key: lies[key]})))


def test_an_action_in_a_deal_that_nobody_played_cannot_be() -> None:
    text, _ = with_deals_that_nobody_plays()
    number = next(deal.deal for deal in read(text).deals if not deal.actions)
    with pytest.raises(RecordError, match=rf"deal {number}: the deal ends before action 1, 0 in"):
        play_text(changed(text, number, lambda deal: deal["actions"].append("0 in")))


def test_a_trick_opened_again_counts_once() -> None:
    spec = header(3, 60, 5, HouseRules(renege_policy="silent"))
    text, noted = recorded(spec, mischief=0.3)
    record = read(text)
    assert any(isinstance(event, TrickReopened) for _, _, events in noted for event in events)
    assert any(isinstance(action, Recall) for _, action, _ in noted)
    assert {sum(deal.taken) for deal in record.deals} <= {0, 5}
    assert [tuple(step) for step in replay(record)] == noted
