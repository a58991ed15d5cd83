"""What is said on one end of the wire is heard at the other, and nothing that a bot may say raises."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre import codec
from bourre.messages import Answer, Ask, Bundle, Hello, MatchEnd, Seating, Welcome
from bourre.rules.actions import Choice, Decision, Declare, Draw, Fault, Missing, Play
from bourre.rules.cards import DECK, Card
from bourre.rules.deck import SeededChance
from bourre.rules.events import AntePaid, Event
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.view import View, visible_to
from bourre.v1.referee_pb2 import Answer as WireAnswer
from bourre.v1.referee_pb2 import BotMessage, RefereeMessage

HOUSE = HouseRules.preset("limit")
DEALS = 30


def random_choice(view: View, rng: random.Random) -> Choice:
    """Any decision, illegal ones too."""
    discards = tuple(rng.sample(view.hand, rng.randint(0, len(view.hand))))
    if view.decision == Decision.PLAY:
        return Play(rng.choice(view.legal if rng.random() < 0.8 else view.hand))
    if view.decision == Decision.DRAW:
        return Draw(discards)
    return Declare(True, discards) if rng.random() < 0.7 else Declare(False)


def asks_of_a_match(seed: int, seats: int) -> Iterator[tuple[Ask, Choice]]:
    """Every ask of a random match, with the events that its seat may see of the last step, and the answer."""
    rng = random.Random(seed)
    match = Match(seats, DEALS, HOUSE, SeededChance(bytes([seed]) * 32))
    events = match.start()
    number = 0
    while not match.over:
        number += 1
        view = match.view(match.to_act)
        choice = random_choice(view, rng)
        yield Ask(7, number, view, 5000, tuple(visible_to(view.seat, events))), choice
        events = match.apply(view.seat, choice)


def over_the_wire(bundle: Bundle, seatings: dict[int, Seating]) -> Bundle:
    data = codec.bundle_to_wire(bundle).SerializeToString()
    return codec.bundle_from_wire(RefereeMessage.FromString(data), seatings)


def said(message: BotMessage) -> list[Answer]:
    return codec.answers_from_wire(BotMessage.FromString(message.SerializeToString()))


def seating(seat: int, seats: int) -> Seating:
    return Seating(7, "m0001", seat, seats, DEALS, HOUSE)


@pytest.mark.parametrize("seats", [2, 5, 8])
def test_every_ask_of_a_match_is_heard_as_it_was_said(seats: int) -> None:
    kinds: set[type[Event]] = set()
    for ask, choice in asks_of_a_match(seats, seats):
        place = seating(ask.view.seat, seats)
        heard = over_the_wire(Bundle(asks=[ask]), {7: place})
        assert heard == Bundle(asks=[ask])
        assert said(codec.answers_to_wire([Answer(7, ask.id, choice)])) == [Answer(7, ask.id, choice)]
        kinds |= {type(event) for event in ask.events}
    assert len(kinds) >= 15


def test_a_bundle_holds_all_that_is_ready() -> None:
    ask, _ = next(asks_of_a_match(1, 3))
    bundle = Bundle(
        welcome=Welcome("tight", "m0001", 1000, 5000),
        seatings=[seating(ask.view.seat, 3)],
        asks=[ask, ask],
        match_ends=[MatchEnd(7, (3, -1, -2), (AntePaid(1, 1),))],
        goodbye="done",
    )
    assert over_the_wire(bundle, {}) == bundle
    assert over_the_wire(Bundle(refusal="no"), {}) == Bundle(refusal="no")


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
    assert hash(view) == hash(wire_view())
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
    )
)
def test_whatever_a_bot_says_is_a_choice_or_a_fault(answer: WireAnswer) -> None:
    (heard,) = said(BotMessage(answers=[answer]))
    assert isinstance(heard.action, Play | Draw | Declare | Missing)
    if answer.HasField("error"):
        assert heard.action == Missing(Fault.ERROR)
    elif answer.HasField("card") and not answer.HasField("plays") and not answer.HasField("discards"):
        known = answer.card in {str(card) for card in DECK}
        assert heard.action == (Play(Card(answer.card)) if known else Missing(Fault.UNDECODABLE))


def test_an_answer_that_says_two_things_or_none_is_undecodable() -> None:
    for answer in (WireAnswer(card="AS", plays=True), WireAnswer(), WireAnswer(discards="2C " * 60)):
        assert said(BotMessage(answers=[answer]))[0].action == Missing(Fault.UNDECODABLE)


def test_a_view_survives_pickling() -> None:
    ask, _ = next(asks_of_a_match(1, 3))
    assert pickle.loads(pickle.dumps(ask.view)) == ask.view
