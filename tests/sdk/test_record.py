"""A match recorded, read back and replayed: the same bytes for the same answers, and no false record is accepted."""

from __future__ import annotations

import json
import zlib
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bourre.bot import Bot
from bourre.practice import practice
from bourre.record import Header, Recorder, RecordError, asks, asks_of_all, read, replay
from bourre.rules.actions import Choice, Decision, Declare, Draw, HandOver, Missing, NameTrump, Play, Stay, Unasked
from bourre.rules.cards import DECK, Suit
from bourre.rules.deck import SeededChance
from bourre.rules.events import DealStarted, Drew
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.visibility import visible_to
from tests.sdk.random_answers import play_randomly
from tests.sdk.recorded import LIMIT, header, recorded
from tests.strategies import houses


def test_a_small_match_has_this_very_text() -> None:
    """The format is a promise to strangers: this text may change only together with the version."""
    match = Header("m1", ("tight", "Bourré"), 2, bytes(range(32)), HouseRules.preset("limit", ante=2))
    text, _ = recorded(match, dice=0, mischief=0.15)
    assert text.splitlines() == SMALL


SMALL = [
    '{"bourre":1,"match":"m1","bots":["tight","Bourr\\u00e9"],"deals":2,'
    '"seed":"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f","house":{"ante":2,"pot_limit":20}}',
    '{"deal":1,"dealer":0,"dealt":["2S 5D 9H QH AD","7D 8S TD JD AS"],"turned":"5D","received":["5H TS","2H 8H JC"],'
    '"actions":["1 in 7D TD JD","0 in QH 9H","1 AS","1 !premature","0 2S","1 2H","0 5H","0 5D","1 8S","0 AD","1 JC",'
    '"0 TS","1 ?late"],"taken":[4,1],"balances":[2,-6],"pot":4}',
    '{"deal":2,"dealer":1,"dealt":["4H 6H 7H 7S AH","2C 3S 7D QH AD"],"turned":"3S","received":["5C JC JH",""],'
    '"actions":["0 in 4H 7S 6H","1 in","0 7H","1 QH","1 AD","0 AH","1 7D","0 JH","1 3S","0 JC","1 2C","0 5C"],'
    '"taken":[1,4],"balances":[0,0],"pot":0}',
    '{"final":[0,0]}',
]


@given(
    seats=st.integers(2, 8),
    deals=st.integers(1, 4),
    seed=st.integers(),
    house=houses(),
    dice=st.integers(0, 2**32),
    mischief=st.sampled_from([0.0, 0.05, 0.5]),
)
@settings(max_examples=60)
def test_a_record_replays_to_what_happened(
    seats: int, deals: int, seed: int, house: HouseRules, dice: int, mischief: float
) -> None:
    text, noted = recorded(header(seats, deals, seed, house), dice, mischief)
    record = read(text)
    assert [tuple(step) for step in replay(record)] == noted
    assert record.header == header(seats, deals, seed, house)


@pytest.mark.parametrize("mode", ["turn", "separate", "simultaneous"])
def test_the_text_of_any_answer_says_all_that_is_judged(mode: str) -> None:
    """All that the wire can carry of the kind asked for, such as passes with discards, or cards that no seat holds."""
    house = HouseRules(declare_mode=mode, trump_card="dealer_chooses", second_pass=True, second_ante=1, fault_fine=1)
    spec, dice = header(deals=30, house=house), Random(3)
    match, recorder = Match(5, 30, house, SeededChance(spec.seed)), Recorder(spec)
    happened = [match.start()]
    recorder.note(None, None, happened[0])
    while not match.over:
        seat, action = match.to_act, any_answer(match.decision, dice)
        happened.append(match.apply(seat, action))
        recorder.note(seat, action, happened[-1])
    assert [step.events for step in replay(read(recorder.text()))] == happened


def any_answer(decision: Decision, dice: Random) -> Choice:
    """A random answer of the kind that is asked for, legal or not."""
    discards, takes = tuple(dice.choices(DECK, k=dice.randrange(4))), dice.random() < 0.3
    match decision:
        case Decision.NAME_TRUMP:
            return NameTrump(dice.choice(list(Suit)))
        case Decision.DECLARE:
            return Declare(dice.random() < 0.6, discards, takes)
        case Decision.DRAW:
            return Draw(discards, takes)
        case Decision.STAY:
            return Stay(dice.random() < 0.8)
        case Decision.PLAY:
            return Play(dice.choice(DECK))


def test_mischief_is_in_the_records_that_were_tested() -> None:
    text, noted = recorded(header(deals=40), mischief=0.5)
    actions = [action for _, action, _ in noted]
    for kind in (Missing, Unasked, HandOver):
        assert any(isinstance(action, kind) for action in actions)
    assert {"?late", "!premature", "house", "pass"} <= {action.partition(" ")[2] for action in all_actions(text)}


def all_actions(text: str) -> list[str]:
    return [action for line in text.splitlines()[1:-1] for action in json.loads(line)["actions"]]


def test_same_seed_and_same_answers_give_the_same_bytes() -> None:
    assert recorded(header())[0] == recorded(header())[0]
    assert recorded(header())[0] != recorded(header(seed=8))[0]
    assert recorded(header())[0] != recorded(header(), dice=1)[0]


def test_a_deal_costs_few_bytes() -> None:
    text = practice([Bot] * 5, deals=50, seed=1).matches[0].record
    assert len(zlib.compress(text.encode())) < 250 * 50


def test_a_record_is_ascii_and_has_no_space_between() -> None:
    text, _ = recorded(Header("é\ud800\u2028", ("é", "\n"), 2, b"seed", LIMIT))
    assert text.isascii()
    assert read(text).header.match == "é\ud800\u2028"
    assert [json.dumps(json.loads(line), separators=(",", ":")) for line in text.splitlines()] == text.splitlines()


def test_the_header_names_the_keys_that_differ() -> None:
    text, _ = recorded(header(house=HouseRules.preset("limit", cinch=False)))
    assert json.loads(text.splitlines()[0])["house"] == {"cinch": False, "pot_limit": 20}


def test_every_deal_tells_what_a_stranger_needs() -> None:
    text, noted = recorded(header(), mischief=0.0)
    record = read(text)
    dealers = [event.dealer for _, _, events in noted for event in events if isinstance(event, DealStarted)]
    assert [deal.dealer for deal in record.deals] == dealers
    for deal in record.deals:
        assert sum(deal.balances) + deal.pot == 0
        assert deal.turned in deal.dealt[deal.dealer]
        for seat, action in deal.actions:
            if isinstance(action, Declare) and action.plays:
                assert len(deal.received[seat]) == len(action.discards)
    assert sum(record.final) == 0


def test_a_recorder_takes_no_action_before_the_start_or_after_the_end() -> None:
    recorder = Recorder(header())
    with pytest.raises(RecordError, match="match demo-3: seat 2 answers 'house', but the match has not started"):
        recorder.note(2, HandOver(), [])
    match = Match(5, 6, LIMIT, SeededChance(header().seed))
    for seat, action, events in play_randomly(match, Random(0), 0.0):
        recorder.note(seat, action, events)
    with pytest.raises(RecordError, match="match demo-3: seat 2 answers 'house', but the match is over"):
        recorder.note(2, HandOver(), [])


def test_half_a_match_has_no_record() -> None:
    match, recorder = Match(5, 6, LIMIT, SeededChance(header().seed)), Recorder(header())
    recorder.note(None, None, match.start())
    with pytest.raises(RecordError, match="match demo-3 is not over: its record is incomplete"):
        recorder.text()


def test_what_one_seat_may_see_makes_no_record() -> None:
    match, recorder = Match(5, 6, LIMIT, SeededChance(header().seed)), Recorder(header())
    for _, _, events in play_randomly(match, Random(0), 0.0):
        seen = [*visible_to(0, events)]
        if any(isinstance(event, Drew) and event.received is None for event in seen):
            break
        recorder.note(None, None, seen)
    with pytest.raises(RecordError, match=r"seat \d discards \d cards?: a record needs all events"):
        recorder.note(None, None, seen)


def test_a_recorder_may_keep_no_text() -> None:
    record = read(recorded(header(), dice=0)[0])
    recorder = Recorder(record.header, keep_text=False)
    for seat, action, events in replay(record):
        recorder.note(seat, action, events)
    assert recorder.final == record.final
    with pytest.raises(RecordError, match=f"match {record.header.match} keeps no text"):
        recorder.text()


@pytest.mark.parametrize("policy", ["prompt", "silent"])
def test_the_asks_of_all_bots_are_those_of_each(policy: str) -> None:
    """With missing answers, reneges, recalled cards and seats that the house takes over."""
    house = HouseRules.preset("limit", renege_policy=policy)
    record = read(recorded(header(4, 30, 5, house), dice=3, mischief=0.1)[0])
    together = list(asks_of_all(record))
    assert [ask.view.deal for _, ask in together] == sorted(ask.view.deal for _, ask in together)
    for bot in range(4):
        own = [ask for number, ask in together if number == bot]
        assert own == list(asks(record, bot))
        assert own
