"""The tables `deals` and `decisions`: they agree with the record, with the rules, and with what a referee counts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bourre.record import Record, read, replay
from bourre.record.counters import Counters, SeatCounts
from bourre.rules.house import PRESETS, HouseRules
from bourre.rules.pot import UNIT
from bourre_referee.export.record_rows import record_rows
from bourre_referee.export.table_rows import DealRow
from bourre_referee.model.errors import ContestError
from tests.referee.exported_records import duplicate, rows, session
from tests.sdk.recorded import changed
from tests.strategies import houses


def counted(record: Record) -> dict[str, SeatCounts]:
    """What a referee counts of each bot while the match is played again."""
    counts: defaultdict[str, SeatCounts] = defaultdict(SeatCounts)
    bots, seats = record.header.bots, len(record.header.bots)
    tallies: list[Counters] = []
    for step in replay(record):
        if step.action is None:
            tallies.append(Counters(seats))
        tallies[-1].hear(step.events)
    line_ups = [deal.line_up or range(seats) for deal in record.deals] if len(tallies) > 1 else [range(seats)]
    for tally, line_up in zip(tallies, line_ups, strict=True):
        for seat, number in enumerate(line_up):
            counts[bots[number]] += tally.seats[seat]
    return dict(counts)


@given(st.integers(2, 6), houses(), st.integers(0, 99), st.booleans())
@settings(max_examples=60, deadline=None)
def test_the_deals_add_up_to_what_a_referee_counts(seats: int, house: HouseRules, dice: int, twice: bool) -> None:
    text = duplicate(seats, house, dice, deals=1) if twice else session(seats, house, dice)
    deals, decisions = rows(text)
    for bot, tally in counted(read(text)).items():
        own = [row for row in deals if row.bot == bot]
        assert sum(row.won for row in own) == tally.wins
        assert sum(row.bourred for row in own) == tally.bourres
        assert sum(row.reneges for row in own) == tally.reneges.total()
        assert sum(row.faults for row in own) == tally.faults.total()
        assert sum(row.by_house for row in own) == tally.house_deals
        answers = [row for row in decisions if row.bot == bot]
        assert Counter(row.fault for row in answers if row.fault) == {k.value: n for k, n in tally.faults.items()}
        assert Counter(row.renege for row in answers if row.renege) == tally.reneges


@given(st.integers(2, 6), houses(), st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_the_chips_of_a_session_add_up_to_its_balances(seats: int, house: HouseRules, dice: int) -> None:
    text = session(seats, house, dice)
    record, (deals, _) = read(text), rows(text)
    final = [sum(row.chips_840 for row in deals if row.seat == seat) for seat in range(seats)]
    assert final == [UNIT * chips for chips in record.final]
    pot = 0
    for _, group in groupby(deals, key=lambda row: row.deal):
        own = list(group)
        antes = own[0].pot - pot
        assert 0 <= antes <= sum(row.paid for row in own)
        if own[0].deal < record.header.deals:
            assert sum(row.chips_840 for row in own) == UNIT * (pot - own[0].pot_after)
        pot = own[0].pot_after


@given(st.integers(2, 6), houses(), st.integers(0, 99))
@settings(max_examples=30, deadline=None)
def test_the_chips_of_a_duplicate_match_add_up_to_its_totals(seats: int, house: HouseRules, dice: int) -> None:
    text = duplicate(seats, house, dice, deals=1)
    record, (deals, _) = read(text), rows(text)
    for number, bot in enumerate(record.header.bots):
        assert sum(row.chips_840 for row in deals if row.bot == bot) == record.final[number]
    for _, group in groupby(deals, key=lambda row: row.seating):
        assert sum(row.chips_840 for row in group) == 0


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("text_of", [session, duplicate])
def test_every_action_of_the_record_has_its_row(text_of: Callable[..., str], preset: str) -> None:
    text = text_of(seats=4, house=HouseRules.preset(preset))
    record, (_, decisions) = read(text), rows(text)
    told = [
        (deal.deal, deal.seating, number, seat, str(action))
        for deal in record.deals
        for number, (seat, action) in enumerate(deal.actions, start=1)
    ]
    assert [(row.deal, row.seating, row.number, row.seat, row.action) for row in decisions] == told


@given(st.integers(2, 6), houses(), st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_a_renege_is_one_of_the_record_with_as_many_legal_cards(seats: int, house: HouseRules, dice: int) -> None:
    text = session(seats, house, dice)
    record, (_, decisions) = read(text), rows(text)
    told = [(deal.deal, one.seat, one.rule, len(one.legal or ())) for deal in record.deals for one in deal.reneges]
    found = [(row.deal, row.seat, row.renege, row.legal) for row in decisions if row.renege]
    assert sorted(found) == sorted(told)
    if house.renege_policy in ("prompt", "retract", "retract_renege"):
        assert [row.kind for row in decisions].count("correct") == len(told)


SUMMED = (
    *("dealer", "plays", "obliged", "left", "took_turned", "tricks", "won", "bourred", "reneges", "faults", "by_house"),
    *("pot", "paid", "pot_after", "chips_840"),
)
SESSIONS: dict[str, int] = {
    "dealer": 1308, "plays": 6437, "obliged": 344, "left": 118, "took_turned": 109, "tricks": 7448,
    "won": 804, "bourred": 1634, "reneges": 66, "faults": 2586, "by_house": 1474, "pot": 390870,
    "paid": 88903, "pot_after": 611400, "chips_840": 15882720, "dealt": 38860, "discarded": 15532,
    "received": 15423, "trump": 14360, "declare": 620, "draw": 322, "play": 2552, "house": 44,
    "play for the house": 270, "declare for the house": 53, "house for the house": 18,
    "draw for the house": 27, "correct": 14, "unasked for the house": 11, "unasked": 6, "name_trump": 9,
    "name_trump for the house": 2, "stay": 30, "stay for the house": 5,
}  # fmt: skip
DUPLICATES: dict[str, int] = {
    "dealer": 2640, "plays": 13304, "obliged": 0, "left": 316, "took_turned": 79, "tricks": 19082,
    "won": 2192, "bourred": 4370, "reneges": 198, "faults": 6619, "by_house": 2119, "pot": 110060,
    "paid": 77723, "pot_after": 233120, "chips_840": -2873640, "dealt": 78880, "discarded": 27476,
    "received": 27397, "trump": 52080, "declare": 912, "play": 3487, "house": 141, "play for the house": 484,
    "declare for the house": 48, "unasked": 49, "correct": 10, "draw": 461, "draw for the house": 28,
    "name_trump": 12, "stay": 65, "stay for the house": 4,
}  # fmt: skip


@pytest.mark.parametrize(("text_of", "seats", "known"), [(session, 5, SESSIONS), (duplicate, 4, DUPLICATES)])
def test_deals_and_decisions_come_to_what_they_always_came_to(
    text_of: Callable[..., str], seats: int, known: dict[str, int]
) -> None:
    """Each number is weighed with its seat, counted from 1, and with the deal's place among all."""
    sums = Counter[str]()
    for preset in PRESETS:
        deals, decisions = rows(text_of(seats, HouseRules.preset(preset)))
        for place, row in enumerate(deals, start=1):
            found = {name: int(getattr(row, name)) for name in SUMMED}
            found |= {name: len(getattr(row, name).split()) for name in ("dealt", "discarded", "received")}
            found["trump"] = " CDHS".index(row.trump or " ")
            sums.update({name: place * (row.seat + 1) * number for name, number in found.items()})
        for answer in decisions:
            sums[f"{answer.kind}{' for the house' if answer.by_house else ''}"] += answer.seat + 1
    assert dict(sums) == known


def test_a_choice_of_one_card_is_forced_and_only_a_card_has_a_choice() -> None:
    _, decisions = rows(session(mischief=0.0))
    plays = [row for row in decisions if row.kind == "play"]
    assert {row.legal for row in plays} == {1, 2, 3, 4, 5}
    assert all(row.forced == (row.legal == 1) for row in plays)
    assert [row.trick for row in plays[:4]] == [1, 1, 1, 1]
    assert {(row.legal, row.forced, row.trick) for row in decisions if row.kind == "declare"} == {(None, None, None)}


def test_a_deal_reads_as_it_was_played() -> None:
    """Worked out by hand: each antes; seat 0 goes bourré and pays 2, and the 2 that are left are shared."""
    (dealer, other), decisions = rows(session(seats=2, deals=1, mischief=0.0))
    assert [f"{row.seat} {row.kind} {row.action} {row.legal}" for row in decisions] == [
        *("1 declare in 3H 7H 8C None", "0 declare in 5H 3D None"),
        *("1 play QH 5", "0 play 3C 5", "1 play 9S 4", "0 play 7S 1", "1 play JS 3", "0 play QC 3"),
        *("1 play 4H 1", "0 play 7D 2", "1 play 6C 1", "0 play 2D 1"),
    ]
    assert dealer == DealRow(
        match="demo-3",
        deal=1,
        seating=None,
        seat=0,
        bot="bot 0",
        dealer=True,
        dealt="2D 3C 3D 5H 7S",
        turned="5H",
        trump="H",
        plays=True,
        obliged=False,
        left=False,
        discarded="3D 5H",
        received="7D QC",
        took_turned=False,
        tricks=0,
        won=False,
        bourred=True,
        reneges=0,
        faults=0,
        by_house=False,
        pot=2,
        paid=3,
        pot_after=2,
        chips=-2.0,
        chips_840=-1680,
    )
    assert (other.dealer, other.tricks, other.won, other.bourred) == (False, 5, True, False)
    assert (other.paid, other.chips, other.chips_840) == (1, 2.0, 1680)


@pytest.mark.parametrize(
    ("line", "key", "value", "says"),
    [
        (2, "pot", 77, "deal 2 does not end as recorded"),
        (1, "actions", ["1 pass"], "here: deal 1 is not over after its last action"),
        (1, "actions", ["3 KS"], "here: seat 3 is not asked"),
        (1, "actions", [], "here: deal 1 is not over"),
        (1, "dealer", "nobody", "'dealer' must be a whole number.\nhint: run bourre verify for details"),
    ],
)
def test_a_record_that_cannot_be_is_refused(line: int, key: str, value: object, says: str) -> None:
    text = changed(session(), line, lambda values: values.update({key: value}))
    with pytest.raises(ContestError, match=says):
        list(record_rows(text, "here"))
