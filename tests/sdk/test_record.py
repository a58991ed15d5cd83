"""A match recorded, read back and replayed: the same bytes for the same answers, and no false record is accepted."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bourre.bot import Bot
from bourre.practice import practice
from bourre.record import Header, Recorder, RecordError, asks, asks_of_all, chance_of, read, replay
from bourre.record.played_record import play_exactly
from bourre.rules.actions import Action, Choice, Decision, Declare, Draw, HandOver, NameTrump, Play, Recall, Stay
from bourre.rules.cards import DECK, Suit
from bourre.rules.deck import SeededChance
from bourre.rules.events import Drew, Event
from bourre.rules.house import CHOICES, PRESETS, HouseRules
from bourre.rules.match import Match
from bourre.rules.visibility import visible_to
from tests.sdk.random_answers import illegal_cards, play_randomly, random_answer
from tests.sdk.recorded import LIMIT, header, recorded, recorded_duplicate
from tests.strategies import houses


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:12]


def test_a_small_match_has_this_very_text() -> None:
    """The format is a promise to strangers: this text may change only together with the version."""
    match = Header("m1", ("tight", "Bourré"), 2, bytes(range(32)), HouseRules.preset("limit", ante=2))
    text, _ = recorded(match, dice=0, mischief=0.15)
    assert text.splitlines() == SMALL
    assert "<br>4 tricks, +2<" in read(text)._repr_html_()
    assert "<br>1 trick, +0<" in read(text)._repr_html_()


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

RECORDS = {
    "pagat": ("154f93c42f6c", "3161fa1f32fe"),
    "limit": ("c99343a30dd6", "f3817c808dad"),
    "double_ante": ("beaeb8935b53", "f6265428717b"),
    "separate_rounds": ("9f80ee58cc29", "404fd866c8cd"),
    "simultaneous": ("b8ccc38569df", "b7a4b18b99f7"),
    "separate_dead": ("12153ebe7b1b", "b3a74dd7ff90"),
    "separate_dealer_option": ("83f3f05c2101", "155b58f945f6"),
    "wikipedia": ("390bc061c1d4", "a400853da474"),
    "bicycle": ("f45053b2c90e", "52f916a45092"),
    "nba": ("33d344aaf458", "e46c2c8cfb59"),
    "indiana": ("b2d45cce1e55", "9073f39e5e96"),
    "booray": ("57cdfbc76232", "12d7a8598a1d"),
}
"""The digests of two matches by house: a session, and a duplicate of another policy for reneges."""


@pytest.mark.parametrize("preset", PRESETS)
def test_a_match_of_each_house_has_this_very_text(preset: str) -> None:
    """What was played once can be verified for ever: a digest may change only together with the version."""
    number, policies = list(PRESETS).index(preset), CHOICES["renege_policy"]
    one, other = (HouseRules.preset(preset, renege_policy=policies[(number + at) % 5], fault_fine=at) for at in (0, 1))
    duplicate = replace(header(3, 2, 8, other), format="duplicate", stakes=(0, 3))
    texts = recorded(header(4, 6, 7, one))[0], recorded_duplicate(duplicate, mischief=0.2)
    assert tuple(map(digest, texts)) == RECORDS[preset]
    assert all(words in read(texts[1])._repr_html_() for words in ("2, seating 3", "seat 2"))
    for text in texts:
        assert sum(1 for _ in replay(read(text))) > 50


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
    assert play_exactly(text) == (record, [[event for _, _, events in noted for event in events]])
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


def test_a_deal_costs_few_bytes() -> None:
    text = practice([Bot] * 5, deals=50, seed=1).matches[0].record
    assert len(zlib.compress(text.encode())) < 250 * 50


def test_a_record_is_ascii_and_has_no_space_between() -> None:
    text, _ = recorded(Header("é\u2028", ("é", "\n"), 2, b"seed", LIMIT))
    assert text.isascii()
    assert read(text).header.match == "é\u2028"
    assert [json.dumps(json.loads(line), separators=(",", ":")) for line in text.splitlines()] == text.splitlines()


def test_a_recorder_needs_all_events_and_no_action_before_the_start_or_after_the_end() -> None:
    match, recorder = Match(5, 6, LIMIT, SeededChance(header().seed)), Recorder(header())
    with pytest.raises(RecordError, match="match demo-3: seat 2 answers 'house', but the match has not started"):
        recorder.note(2, HandOver(), [])
    for number, (seat, action, events) in enumerate(play_randomly(match, Random(0), 0.0)):
        seen = [*visible_to(0, events)]
        if any(isinstance(event, Drew) and event.number and event.received is None for event in seen):
            with pytest.raises(RecordError, match=r"seat \d discards \d cards?: a record needs all events"):
                recorder.note(None, None, seen)
        if number == 1:
            with pytest.raises(RecordError, match="match demo-3 is not over: its record is incomplete"):
                recorder.text()
        recorder.note(seat, action, events)
    with pytest.raises(RecordError, match="match demo-3: seat 2 answers 'house', but the match is over"):
        recorder.note(2, HandOver(), [])


def test_a_recorder_may_keep_no_text() -> None:
    record = read(recorded(header(), dice=0)[0])
    recorder = Recorder(record.header, keep_text=False)
    for step in replay(record):
        recorder.note(*step)
    assert recorder.final == record.final
    assert [deal.deal for deal in recorder.finished] == [6]
    with pytest.raises(RecordError, match=f"match {record.header.match} keeps no text"):
        recorder.text()


ASKED = {
    "prompt": "531b0303f59f",
    "silent": "c7b14f5ac705",
    "retract": "b79555927dc1",
    "retract_renege": "056a5d504afb",
    "strict": "f79e273ad6b0",
}
"""The digests of all that the bots of a match were asked, by policy for reneges."""


@pytest.mark.parametrize("policy", ASKED)
def test_the_asks_of_all_bots_are_those_of_each(policy: str) -> None:
    """With missing answers, reneges, recalled cards and seats that the house takes over."""
    house = HouseRules.preset("limit", renege_policy=policy)
    record = read(recorded(header(4, 12, 5, house), dice=3, mischief=0.1)[0])
    together = list(asks_of_all(record))
    assert digest(repr(together)) == ASKED[policy]
    for bot in range(4):
        own = [ask for number, ask in together if number == bot]
        assert own == list(asks(record, bot))
        assert own


@pytest.mark.parametrize("policy", ["prompt", "silent"])
def test_an_ask_holds_what_its_seat_knew_when_it_answered(policy: str) -> None:
    spec, dice = header(4, 12, house=HouseRules.preset("limit", renege_policy=policy)), Random(4)
    match, recorder = Match(4, 12, spec.house, chance_of(spec)), Recorder(spec)
    heard: list[tuple[Event, ...]] = [()] * 4
    answered, decided, places, numbers = [], [False], Counter[int](), Counter[tuple[int, int]]()

    def tell(seat: int | None, action: Action | None, events: list[Event]) -> None:
        recorder.note(seat, action, events)
        heard[:] = [(*known, *visible_to(other, events)) for other, known in enumerate(heard)]

    tell(None, None, match.start())
    while not match.over:
        seat, deal, forced, seen = match.to_act, match.deal.number, match.deal.forced, match.view(match.to_act)
        illegal = illegal_cards(seen) if dice.random() < 0.4 else []
        answer = Play(illegal[0]) if illegal else random_answer(seen, dice)
        action = answer if forced is None else forced
        decided.append(forced is None and seen.correcting is None)
        places[deal] += 1
        recall: Recall | None = None
        known = heard[seat]
        tell(seat, action, match.apply(seat, action))
        reneged = isinstance(action, Play) and action.card not in seen.legal
        if policy == "silent" and reneged and not match.over and match.deal.number == deal and dice.random() < 0.7:
            recall = Recall(seen.legal[0])
            decided.append(False)
            tell(seat, recall, match.apply(seat, recall))
        if forced is None:
            numbers[seat, deal] += 1
            answered.append((seat, numbers[seat, deal], seen, known, action, recall, places[deal]))
        places[deal] += recall is not None
    record = read(recorder.text())
    told: list[tuple[Event, ...]] = [()] * 4
    assert [step.decides for step in replay(record)] == decided
    for (bot, ask), expected in zip(asks_of_all(record), answered, strict=True):
        told[bot] += ask.events
        assert (bot, ask.number, ask.view, told[bot], ask.action, ask.recall, ask.place) == expected
    assert any(one[-2] for one in answered) == (policy == "silent")
