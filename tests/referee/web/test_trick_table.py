"""A deal as a table of cards: each at its seat, trick and step, with what was thrown, refused, led and won."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bourre.record import read
from bourre.rules.events import Drew, HandDealt, PotShared, Reneged
from bourre.rules.visibility import public_event
from bourre_referee.export.record_rows import record_rows
from bourre_referee.export.table_rows import DealRow
from bourre_referee.text.narration.event_rows import rows_of
from bourre_referee.text.narration.events_by_deal import deals_of
from bourre_referee.web.data.trick_table import trick_table
from bourre_referee.web.viewer.replay_steps import steps_of
from tests.referee.web.viewing import HOUSES
from tests.sdk.recorded import header, recorded
from tests.sdk.test_record_duplicate import text_of

TEXTS = {name: recorded(header(4, 4, house=house), dice, 0.25)[0] for name, (house, dice) in HOUSES.items()}
TEXTS["duplicate"] = text_of(deals=2)


@pytest.mark.parametrize("name", TEXTS)
def test_each_card_lies_on_the_table_at_its_step(name: str) -> None:
    for deal in deals_of(read(TEXTS[name])):
        pictures = [step.table for step in steps_of(deal)]
        table = trick_table(deal)
        for row in table.rows:
            for number, played in enumerate(row.played, start=1):
                if played is None:
                    continue
                picture = pictures[played.card.step - 1]
                assert picture.number == number
                assert (row.seat, played.card.card) in [(one.seat, one.card) for one in picture.trick]
                assert played.led == (picture.trick[0].seat == row.seat)


@pytest.mark.parametrize("name", TEXTS)
def test_only_the_last_deal_tells_that_the_rest_of_the_pot_was_shared_out(name: str) -> None:
    *earlier, last = deals_of(read(TEXTS[name]))
    assert [deal.number for deal in earlier if trick_table(deal).shared] == []
    shares = [event.chips for event in last.events if isinstance(event, PotShared)]
    assert sum(trick_table(last).shared) == sum(shares)
    assert bool(shares) == (name != "duplicate")


@pytest.mark.parametrize("name", TEXTS)
def test_hands_refused_cards_and_tricks_are_those_of_the_events(name: str) -> None:
    refused = 0
    for deal in deals_of(read(TEXTS[name])):
        steps = [(step, event) for step, row in enumerate(rows_of(deal.events), start=1) for event in row]
        for row in trick_table(deal).rows:
            dealt = next(event for _, event in steps if isinstance(event, HandDealt) and event.seat == row.seat)
            assert dealt.cards is not None
            assert sorted(one.card for one in row.dealt) == sorted(dealt.cards)
            drew = [event for _, event in steps if isinstance(event, Drew) and event.seat == row.seat]
            thrown = [card for event in drew for card in event.discarded or ()]
            assert sorted(one.card for one in row.dealt if one.kind == "thrown") == sorted(thrown)
            reneged = {(step, e.card) for step, e in steps if isinstance(e, Reneged) and e.seat == row.seat}
            shown = {(one.step, one.card) for played in row.played if played for one in played.refused}
            stood = {played.card.card for played in row.played if played and played.broke_rule}
            assert shown <= reneged
            assert {card for _, card in shown} | stood == {card for _, card in reneged}
            assert row.tricks == sum(played.won for played in row.played if played)
            refused += len(shown)
    assert refused or name == "duplicate"


@pytest.mark.parametrize("name", TEXTS)
def test_results_are_those_of_the_exports(name: str) -> None:
    rows = {(row.deal, row.seating, row.seat): row for row in record_rows(TEXTS[name], "") if isinstance(row, DealRow)}
    found = 0
    for deal in deals_of(read(TEXTS[name])):
        for row in trick_table(deal).rows:
            exported = rows[deal.number, deal.seating, row.seat]
            assert (row.bot, row.chips, row.tricks) == (exported.bot, exported.chips, exported.tricks)
            assert (row.bourred, row.plays, row.is_dealer) == (exported.bourred, exported.plays, exported.dealer)
            assert row.takes_pot == exported.won
            found += 1
    assert found == len(rows)


def test_an_onlooker_sees_no_hidden_card() -> None:
    for deal in deals_of(read(TEXTS["prompt"])):
        whole, public = (
            trick_table(one) for one in (deal, replace(deal, events=tuple(map(public_event, deal.events))))
        )
        for row, seen in zip(whole.rows, public.rows, strict=True):
            assert seen == replace(row, dealt=(), drew=())
