"""What one end of the wire sends, the other receives, and nothing that a bot may send raises."""

from __future__ import annotations

import asyncio
import copy
import pickle
import random
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, fields, replace
from itertools import product
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre import codec
from bourre.bot_tables import Tables
from bourre.messages import Answer, Ask, Bundle, Hello, MatchEnd, Seating, Welcome
from bourre.remarks import MOST_COST, MOST_NOTE_BYTES
from bourre.rules import events
from bourre.rules.actions import Action, Declare, Draw, Fault, HandOver, Missing, NameTrump, Play, Recall, Stay, Unasked
from bourre.rules.cards import DECK, Card, Suit
from bourre.rules.deck import SeededChance
from bourre.rules.errors import InvalidAction
from bourre.rules.events import AntePaid, Event, Faulted
from bourre.rules.house import CHOICES, PRESETS, HouseRules
from bourre.rules.match import Match
from bourre.rules.visibility import View, visible_to
from bourre.v1.referee_pb2 import Answer as WireAnswer
from bourre.v1.referee_pb2 import BotMessage, RefereeMessage
from bourre.v1.referee_pb2 import Usage as WireUsage
from tests.sdk.bots import Keen
from tests.sdk.random_answers import play_randomly

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
    for ask, action in asks_of_a_match(seed, seats, house):
        heard = over_the_wire(Bundle(asks=[ask]), {7: seating(ask.view.seat, seats, house)})
        assert heard == Bundle(asks=[ask])
        kinds |= {type(event) for event in ask.events} | {type(action)}
        if not isinstance(action, Missing | Unasked | HandOver):
            answer = Answer(7, ask.id, action, spent_us=ask.id)
            assert said(codec.answers_to_wire([answer])) == [answer]
    return kinds


@pytest.mark.parametrize("seats", [2, 5, 8])
def test_every_ask_of_a_match_is_heard_as_it_was_said(seats: int) -> None:
    assert len(kinds_heard(seats, seats, HOUSE)) >= 15


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_heard_as_it_was_said(preset: str) -> None:
    for seed, policy in enumerate(CHOICES["renege_policy"]):
        kinds_heard(seed, 4, HouseRules.preset(preset, renege_policy=policy))


@pytest.mark.parametrize("policy", CHOICES["renege_policy"])
def test_what_was_written_for_another_seat_before_changes_no_ask(policy: str) -> None:
    house = HouseRules.preset("limit", trump_card="separate_dealer_option", renege_policy=policy)
    for seed in range(3):
        writer = codec.BundleWriter()
        for ask, _ in asks_of_a_match(seed, 5, house):
            bundle = Bundle(asks=[ask])
            assert writer.write(bundle) == codec.bundle_to_wire(bundle)


def test_every_kind_of_event_and_answer_is_heard() -> None:
    kinds: set[type] = set()
    for seed, (trump_card, policy) in enumerate(product(CHOICES["trump_card"], CHOICES["renege_policy"])):
        house = HouseRules(
            trump_card=trump_card,
            renege_policy=policy,
            second_pass=True,
            second_ante=1,
            first_dealer="low_card",
            fault_fine=1,
        )
        kinds |= kinds_heard(seed, 7, house)
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


def test_a_bundle_holds_all_that_is_ready() -> None:
    ask, _ = next(asks_of_a_match(1, 3))
    bundle = Bundle(
        welcome=Welcome("tight", "m0001", 1000, 5000, 600_000, 5000),
        seatings=[seating(ask.view.seat, 3)],
        asks=[ask, ask],
        match_ends=[MatchEnd(7, (3, -1, -2), (AntePaid(1, 1),))],
        goodbye="done",
    )
    assert over_the_wire(bundle, {}) == bundle
    assert over_the_wire(Bundle(refusal="no"), {}) == Bundle(refusal="no")
    assert over_the_wire(Bundle(notice="you are 3rd"), {}) == Bundle(notice="you are 3rd")


def test_to_a_decision_added_since_the_bot_answers_an_error_and_plays_on(capsys: pytest.CaptureFixture[str]) -> None:
    ask, _ = next(asks_of_a_match(1, 3))
    tables = Tables(Keen)
    tables.follow(Bundle(seatings=[seating(ask.view.seat, 3)]))
    message = codec.bundle_to_wire(Bundle(asks=[ask, ask._replace(id=ask.id + 1)]))
    message.asks[0].decision = 6  # type: ignore[assignment]
    unknown, known = codec.bundle_from_wire(message, tables.seatings).asks
    (answer,) = asyncio.run(tables.answers(unknown))
    assert answer.action == Missing(Fault.ERROR)
    assert "that this version of bourre does not know: install a newer version" in answer.error
    assert "no answer to a decision that this bourre does not know in deal 1" in capsys.readouterr().err
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


def test_a_thought_longer_than_the_wire_can_tell_is_told_as_the_longest() -> None:
    (heard,) = said(codec.answers_to_wire([Answer(7, 1, Declare(False), spent_us=2**40)]))
    assert heard.spent_us == 2**32 - 1


def test_a_hello_is_heard_as_it_was_said() -> None:
    hello = Hello("token", client="me 1.0", forced_plays=False, events=True)
    assert codec.hello_from_wire(codec.hello_to_wire(hello)) == hello
    assert codec.hello_from_wire(BotMessage()) is None


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
    assert hash(view) == hash(wire_view()) == hash(ask.view)
    assert view.__eq__("view") is NotImplemented


def test_a_view_from_the_wire_cannot_be_changed() -> None:
    view = wire_view()
    for field in fields(View):
        with pytest.raises(FrozenInstanceError):
            setattr(view, field.name, None)
    with pytest.raises(AttributeError, match="no 'hidden_cards'"):
        view.hidden_cards  # type: ignore[attr-defined]  # noqa: B018


def test_chips_beyond_64_bits_are_told_as_the_largest_number_that_fits() -> None:
    end = over_the_wire(Bundle(match_ends=[MatchEnd(7, (10**30, -(10**30)))]), {7: seating(0, 2)})
    assert end.match_ends[0].balances == (2**63 - 1, -(2**63) + 1)


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


def test_a_view_survives_pickling() -> None:
    ask, _ = next(asks_of_a_match(1, 3))
    assert pickle.loads(pickle.dumps(ask.view)) == ask.view
