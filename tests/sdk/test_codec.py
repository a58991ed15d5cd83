"""What one end of the wire sends, the other receives, and nothing that a bot may send raises."""

from __future__ import annotations

import asyncio
import copy
import pickle
import random
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, fields, replace
from textwrap import wrap
from typing import get_args

import pytest
from google.protobuf.text_format import MessageToString
from hypothesis import given
from hypothesis import strategies as st

from bourre import codec
from bourre.connection.bot_tables import Tables
from bourre.messages import Answer, Ask, Bundle, Hello, MatchEnd, Seating, Welcome
from bourre.notes import MOST_COST, MOST_NOTE_BYTES, Usage
from bourre.rules import events
from bourre.rules.actions import Action, Declare, Draw, Fault, HandOver, Missing, NameTrump, Play, Recall, Stay, Unasked
from bourre.rules.cards import DECK, Card, Suit, parse_cards, show
from bourre.rules.deck import SeededChance
from bourre.rules.errors import InvalidAction
from bourre.rules.events import AntePaid, Event, Faulted
from bourre.rules.house import CHOICES, PRESETS, HouseRules
from bourre.rules.match import Match
from bourre.rules.visibility import Renege, View, visible_to
from bourre.testing import view as view_of
from bourre.v1.referee_pb2 import Answer as WireAnswer
from bourre.v1.referee_pb2 import BotMessage, RefereeMessage
from bourre.v1.referee_pb2 import Usage as WireUsage
from tests.sdk.bots import Keen
from tests.sdk.random_answers import play_randomly
from tests.strategies import houses

HOUSE = HouseRules.preset("limit")
DEALS = 8


def asks_of_a_match(seed: int, seats: int, house: HouseRules = HOUSE) -> Iterator[tuple[Ask, Action]]:
    """Every ask of a random match, with the events that its seat may see of the last step, and then its answer."""
    match = Match(seats, DEALS, house, SeededChance(bytes([seed]) * 32))
    ask: Ask | None = None
    steps = play_randomly(match, random.Random(seed), mischief=0.2)
    for number, (_, action, following) in enumerate(steps, 1):
        if ask is not None and action is not None:
            yield ask, action
        if not match.over:
            view = match.view(match.to_act)
            ask = Ask(7, number, view, 5000, tuple(visible_to(view.seat, following)), 600_000)


def over_the_wire(bundle: Bundle, seatings: dict[int, Seating]) -> Bundle:
    data = codec.bundle_to_wire(bundle).SerializeToString()
    return codec.bundle_from_wire(RefereeMessage.FromString(data), seatings)


def said(message: BotMessage) -> list[Answer]:
    return codec.answers_from_wire(BotMessage.FromString(message.SerializeToString()))


def seating(seat: int, seats: int, house: HouseRules = HOUSE) -> Seating:
    return Seating(7, "m0001", seat, seats, DEALS, house)


def kinds_heard(seed: int, seats: int, house: HouseRules) -> set[type]:
    """The kinds of events and actions in a match; asserts that each arrives as it was sent."""
    kinds: set[type] = set()
    writer = codec.BundleWriter()
    for ask, action in asks_of_a_match(seed, seats, house):
        bundle = Bundle(asks=[ask])
        message = codec.bundle_to_wire(bundle)
        assert writer.write(bundle) == message, "what was written for another seat before changes no ask"
        arrived = codec.bundle_from_wire(message, {7: seating(ask.view.seat, seats, house)})
        assert arrived.asks[0].view.rng_seed() == ask.view.rng_seed()
        assert arrived == bundle
        kinds |= {type(event) for event in ask.events} | {type(action)}
        if not isinstance(action, Missing | Unasked | HandOver):
            answer = Answer(7, ask.id, action, spent_us=ask.id)
            assert said(codec.answers_to_wire([answer])) == [answer]
    return kinds


def test_every_kind_of_event_and_answer_is_heard_as_it_was_said() -> None:
    kinds: set[type] = set()
    policies, keys = CHOICES["renege_policy"], {"first_dealer": "low_card", "fault_fine": 1}
    for seed, preset in enumerate(PRESETS):
        house = HouseRules.preset(preset, renege_policy=policies[seed % 5], **keys)
        kinds |= kinds_heard(seed, 2 + seed % 7, house)
    for seed, (trump_card, policy) in enumerate(zip(CHOICES["trump_card"], policies, strict=True)):
        house = HouseRules.preset("indiana", trump_card=trump_card, cards=5, renege_policy=policy, **keys)
        kinds |= kinds_heard(seed, 7, house)
    for seed in range(4):
        kinds |= kinds_heard(seed, 2, HouseRules.preset("limit", renege_policy="silent"))
    last = {events.PotShared, events.MatchEnded}  # they come with the end of the match, to which nobody is asked
    assert set(get_args(Event)) - kinds == last
    assert {NameTrump, Declare, Draw, Stay, Play, Recall} <= kinds


def test_before_trumps_are_named_a_view_has_dice_and_no_trump() -> None:
    house = HouseRules.preset("nba")
    ask, _ = next(asks_of_a_match(1, 3, house))
    view = over_the_wire(Bundle(asks=[ask]), {7: seating(ask.view.seat, 3, house)}).asks[0].view
    assert (view.named, view.tricks) == (None, ())
    assert view.rng.random() == ask.view.rng.random()
    with pytest.raises(InvalidAction, match="the trump suit is not named yet"):
        view.trump  # noqa: B018


def test_a_copy_of_a_view_from_the_wire_can_be_asked_for_its_draw() -> None:
    view = wire_view()
    assert replace(view, pot=9).for_draw() == replace(view.for_draw(), pot=9)


LAW = HouseRules.preset("indiana", first_dealer=1, pot_limit=None, seven_player_limit=3, fault_fine=2, cards=5)
ASKED = (
    "play hand='AS KH 2C' trick='QH 2H' trump=S turned=3S dead=3S pot=17 balances='-3 -9 -5' drawn='2 0 1' deal=9 "
    "seed=99 discarded='4C 5C' barred='0 2' recalled='2:AC 0:2D' owed_turns='0 2 1' correcting='2C R5.2 4' "
    "seats=3 seat=1"
)
EVERYTHING = Bundle(
    welcome=Welcome("tight", "room 1", 1000, 5000, 600_000, 7000, True),
    refusal="full",
    seatings=[Seating(7, "m0001", 1, 3, 50, LAW)],
    asks=[Ask(7, 9, view_of(ASKED, house=LAW), 4000, (AntePaid(1, 2), events.Drew(0, 2, None, None)), 500_000)],
    match_ends=[MatchEnd(7, (3, -1, -2), (events.PotShared(2, 5), events.MatchEnded((3, -1, -2))))],
    goodbye="done",
    notice="you are 3rd",
)
ANSWERS = [
    Answer(7, 1, Play(Card("AS")), spent_us=5, note="why", usage=Usage(1, 2, 3, 4)),
    Answer(7, 2, Draw(parse_cards("2C 3D"), takes=True)),
    Answer(7, 3, Declare(True, parse_cards("4H"))),
    Answer(7, 4, Declare(False)),
    Answer(8, 5, NameTrump(Suit.H)),
    Answer(8, 6, Stay(False)),
    Answer(8, 7, Recall(Card("KH"))),
    Answer(8, 8, Missing(Fault.ERROR), "broken"),
]
WIRE = [
    'welcome { bot: "tight" room: "room 1" decision_ms: 1000 bank_ms: 5000 match_ms: 600000 reconnect_ms: 7000',
    'stays: true } refusal { reason: "full" } seatings { table: 7 match: "m0001" seat: 1 seats: 3 deals: 50 house {',
    'first_dealer: "1" ante: 1 second_ante: 1 ante_when: "always" exempt_bourre: true exempt_tied: true cards: 5',
    'trump_card: "separate_dead" declare_mode: "separate" max_discards: 3 seven_player_limit: 3 recycle: "together"',
    'must_hold: "trump_or_club" second_pass: true must_beat: true must_overtrump: true must_trump: "always"',
    'lead_honour: "none" lead_honour_when: "every" cinch: true cinch_adjacent: true tie: "carry" renege_multiple: 2',
    'renege_policy: "prompt" renege_pot: "carry" fault_fine: 2 } } asks { table: 7 id: 9 decision: DECISION_PLAY',
    'bank_ms: 4000 view { seat: 1 deal: 9 dealer: 1 hand: "2C KH AS" trump: "S" turned: "3S" pot: 17 balances: -3',
    "balances: -9 balances: -5 standings: STANDING_IN standings: STANDING_IN standings: STANDING_IN drawn: 2 drawn:",
    '0 drawn: 1 discarded: "4C 5C" tricks: "AD 2D 3D" tricks: "KD 4D 5D" leaders: 2 leaders: 2 leaders: 2 trick:',
    '"QH 2H" barred: 0 barred: 2 recalled: "AC 2D" recalled_by: 2 recalled_by: 0 owed_turns: 0 owed_turns: 2',
    'owed_turns: 1 legal: "KH" max_discards: 3 seed: 99 dead: "3S" } renege { card: "2C" rule: "R5.2" match: 4',
    'sentence: "R5.2, follow suit if you can" } events { ante_paid { seat: 1 chips: 2 } } events { drew { number: 2',
    "} } match_ms: 500000 } match_ends { table: 7 balances: 3 balances: -1 balances: -2 events { pot_shared { seat:",
    '2 chips: 5 } } events { match_ended { balances: 3 balances: -1 balances: -2 } } } goodbye { reason: "done" }',
    'notice: "you are 3rd"',
    'answers { table: 7 id: 1 card: "AS" spent_us: 5 note: "why" usage { tokens_in: 1 tokens_out: 2 calls: 3',
    'cost_millionths: 4 } } answers { table: 7 id: 2 discards: "2C 3D" takes: true } answers { table: 7 id: 3',
    'plays: true discards: "4H" } answers { table: 7 id: 4 plays: false discards: "" } answers { table: 8 id: 5',
    'trump: "H" } answers { table: 8 id: 6 stays: false } answers { table: 8 id: 7 recall: "KH" } answers { table:',
    '8 id: 8 error: "broken" }',
    'hello { protocol: 2 token: "token" client:',
    '"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" events:',
    "true }",
]
"""The messages above and a hello, as text."""


def test_everything_has_its_place_on_the_wire_and_arrives() -> None:
    """Bots in other languages read these messages: a place may change only together with the protocol's version."""
    writer, hello = codec.BundleWriter(), Hello("token", 2, "x" * 100, False, True)
    messages = (writer.write(EVERYTHING), codec.answers_to_wire(ANSWERS), codec.hello_to_wire(hello))
    assert [line for message in messages for line in wrap(MessageToString(message, as_one_line=True), 110)] == WIRE
    writer.write(Bundle(match_ends=EVERYTHING.match_ends))
    assert not writer._views, "what was kept of a table goes with its match"
    assert over_the_wire(EVERYTHING, {7: seating(0, 2)}) == EVERYTHING
    assert said(codec.answers_to_wire(ANSWERS)) == ANSWERS
    assert codec.hello_from_wire(codec.hello_to_wire(hello)) == hello
    assert codec.hello_from_wire(codec.hello_to_wire(hello._replace(client="x" * 101))) == hello
    assert codec.hello_from_wire(BotMessage()) is None
    unsaid = RefereeMessage()
    unsaid.refusal.SetInParent()
    unsaid.goodbye.SetInParent()
    assert codec.bundle_from_wire(unsaid, {}) == Bundle(refusal="refused", goodbye="goodbye")


@given(houses())
def test_the_rules_of_any_house_arrive(house: HouseRules) -> None:
    assert over_the_wire(Bundle(seatings=[seating(0, 3, house)]), {}).seatings == [seating(0, 3, house)]


def test_to_a_decision_added_since_the_bot_answers_an_error_and_plays_on(capsys: pytest.CaptureFixture[str]) -> None:
    ask, _ = next(asks_of_a_match(1, 3))
    tables = Tables(Keen)
    tables.follow(Bundle(seatings=[seating(ask.view.seat, 3)]))
    message = codec.bundle_to_wire(Bundle(asks=[ask, ask._replace(id=ask.id + 1)]))
    message.asks[0].decision = 6  # type: ignore[assignment]
    unknown, known = codec.bundle_from_wire(message, tables.seatings).asks
    (answer,) = asyncio.run(tables.answers(unknown))
    assert answer.action == Missing(Fault.ERROR)
    assert answer.error.endswith("that this version of bourre does not know.\nhint: install a newer version")
    assert "no answer to an unknown decision in deal 1" in capsys.readouterr().err
    assert isinstance(asyncio.run(tables.answers(known))[0].action, Declare)


def test_an_event_with_a_word_added_since_is_not_told() -> None:
    told = (Faulted(1, Fault.LATE), AntePaid(1, 1))
    message = codec.bundle_to_wire(Bundle(match_ends=[MatchEnd(7, (0, 0, 0), told)]))
    message.match_ends[0].events[0].faulted.fault = "asleep"
    (end,) = codec.bundle_from_wire(message, {7: seating(0, 3)}).match_ends
    assert end.events == told[1:]


def test_a_match_that_ends_unknown_to_the_bot_is_left_out() -> None:
    ends = [MatchEnd(7, (3, -1, -2)), MatchEnd(8, (0, 0, 0))]
    assert over_the_wire(Bundle(match_ends=ends), {7: seating(0, 3)}).match_ends == ends[:1]


def wire_view() -> View:
    ask, _ = next(asks_of_a_match(1, 3))
    return over_the_wire(Bundle(asks=[ask]), {7: seating(ask.view.seat, 3)}).asks[0].view


def test_a_view_from_the_wire_is_a_view_like_any_other() -> None:
    ask, _ = next(asks_of_a_match(1, 3))
    view = wire_view()
    assert view == ask.view
    assert ask.view == view
    assert view.for_draw() == ask.view.for_draw()
    assert repr(view).partition("(")[2] == repr(ask.view).partition("(")[2]
    assert copy.copy(view) == view
    assert replace(view).rng_seed() == ask.view.rng_seed()
    assert hash(view) == hash(wire_view()) == hash(ask.view)
    assert view.__eq__("view") is NotImplemented


def test_a_view_from_the_wire_cannot_be_changed() -> None:
    view = wire_view()
    for field in fields(View):
        with pytest.raises(FrozenInstanceError):
            setattr(view, field.name, None)
    with pytest.raises(AttributeError, match="no 'hidden_cards'"):
        view.hidden_cards  # type: ignore[attr-defined]  # noqa: B018


def test_numbers_beyond_what_the_wire_can_tell_are_told_as_the_largest_that_fit() -> None:
    huge, most = 10**30, 2**63 - 1
    view = view_of(ASKED, house=LAW, pot=huge, balances=(huge, -huge, 0), correcting=Renege(Card("2C"), "R5.2", huge))
    bundle = Bundle(asks=[Ask(7, 9, view, 0, (AntePaid(1, huge),))], match_ends=[MatchEnd(7, (huge, -huge))])
    heard = over_the_wire(bundle, {7: EVERYTHING.seatings[0]})
    seen = heard.asks[0].view
    assert (seen.pot, seen.balances, seen.correcting) == (most, (most, -most, 0), Renege(Card("2C"), "R5.2", most))
    assert (heard.asks[0].events, heard.match_ends[0].balances) == ((AntePaid(1, most),), (most, -most))
    assert said(codec.answers_to_wire([Answer(7, 1, Declare(False), spent_us=2**40)]))[0].spent_us == 2**32 - 1


ANY_TEXT = st.text(max_size=300) | st.sampled_from([str(card) for card in DECK]) | st.just("2C 2C")


@given(
    st.builds(
        WireAnswer,
        table=st.integers(0, 2**32 - 1),
        id=st.integers(0, 2**32 - 1),
        plays=st.none() | st.booleans(),
        discards=st.none() | ANY_TEXT,
        card=st.none() | ANY_TEXT,
        error=st.none() | ANY_TEXT,
        trump=st.none() | ANY_TEXT | st.sampled_from("CDHS"),
        stays=st.none() | st.booleans(),
        takes=st.none() | st.booleans(),
        recall=st.none() | ANY_TEXT,
        note=st.none() | st.text(max_size=3000),
        usage=st.none()
        | st.builds(WireUsage, calls=st.integers(0, 2**32 - 1), cost_millionths=st.integers(0, 2**64 - 1)),
    )
)
def test_whatever_a_bot_says_is_a_choice_or_a_fault(answer: WireAnswer) -> None:
    (heard,) = said(BotMessage(answers=[answer]))
    assert isinstance(heard.action, Play | Draw | Declare | NameTrump | Stay | Recall | Missing)
    assert len(heard.note.encode()) <= MOST_NOTE_BYTES
    assert answer.note.startswith(heard.note)
    assert (heard.usage is not None) == answer.HasField("usage")
    assert heard.usage is None or heard.usage.cost_millionths == min(answer.usage.cost_millionths, MOST_COST)
    said_fields = {field.name for field, _ in answer.ListFields()} - {"table", "id", "note", "usage"}
    if "error" in said_fields:
        assert heard.action == Missing(Fault.ERROR)
    elif said_fields == {"card"}:
        known = answer.card in {str(card) for card in DECK}
        assert heard.action == (Play(Card(answer.card)) if known else Missing(Fault.UNDECODABLE))
    elif said_fields == {"trump"}:
        known = answer.trump in ("C", "D", "H", "S")
        assert heard.action == (NameTrump(Suit.parse(answer.trump)) if known else Missing(Fault.UNDECODABLE))
    elif len(said_fields & {"trump", "stays", "card", "recall"}) > 1:
        assert heard.action == Missing(Fault.UNDECODABLE)


def test_an_answer_that_says_two_things_or_none_is_undecodable() -> None:
    two_things = (
        WireAnswer(card="AS", plays=True),
        WireAnswer(card="AS", recall="2C"),
        WireAnswer(trump="S", stays=True),
        WireAnswer(stays=True, takes=True),
    )
    for answer in (*two_things, WireAnswer(), WireAnswer(discards="2C " * 60), WireAnswer(trump="SPADES")):
        assert said(BotMessage(answers=[answer]))[0].action == Missing(Fault.UNDECODABLE)

    assert "'SPADES' is not a suit" in said(BotMessage(answers=[WireAnswer(trump="SPADES")]))[0].error
    assert said(BotMessage(answers=[WireAnswer(discards=show(DECK))]))[0].action == Draw(DECK)
    assert said(BotMessage(answers=[WireAnswer(error="x" * 2001)]))[0].error == "x" * 2000
    assert len(codec.answers_to_wire([Answer(7, 1, Missing(Fault.ERROR), "x" * 2001)]).answers[0].error) == 2000


def test_a_view_survives_pickling() -> None:
    ask, _ = next(asks_of_a_match(1, 3))
    assert pickle.loads(pickle.dumps(ask.view)) == ask.view
