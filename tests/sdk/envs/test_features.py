"""The vector of what a seat knows, section by section."""

from __future__ import annotations

import re
from math import log1p

import numpy as np
import pytest

import dev
from bourre import View
from bourre.envs.action_space import ACTIONS, CARD, choice_of, recall_of
from bourre.envs.features import COUNTS, SECTIONS, SIZE, STARTS, chips_of
from bourre.envs.observation import observation_space, vector_of
from bourre.rules.actions import Action, Declare, Draw, HandOver, Missing, NameTrump, Play, Recall, Stay
from bourre.rules.actions import Fault as FaultOf
from bourre.rules.cards import DECK, Card, Suit
from bourre.rules.errors import InvalidAction
from bourre.rules.match import Match
from bourre.rules.visibility import view_of
from tests.sdk.envs.action_numbers import number_of
from tests.sdk.envs.tables import HOUSES


class Stacked:
    """Chance that deals this deck."""

    by_seat = False

    def __init__(self, top: str) -> None:
        cards = [Card(text) for text in top.split()]
        self._deck = [*cards, *(card for card in DECK if card not in cards)]

    def stake(self, deal: int) -> int:
        return 0

    def first_dealer(self, seats: int) -> int:
        return 2

    def draw_for_deal(self) -> list[Card]:
        return self._deck

    def deck(self, deal: int) -> list[Card]:
        return self._deck

    def shuffle_gathered(self, deal: int, time: int, cards: object) -> list[Card]:
        raise AssertionError("nothing is gathered here")

    def shuffle_returned(self, deal: int, cards: object) -> list[Card]:
        raise AssertionError("nothing is returned here")

    def seat_seed(self, deal: int, seat: int) -> int:
        return 0


def in_play() -> Match:
    """Seat 2 deals, spades are trump; all come in, seat 1 discards its 2C; seat 0 leads AH, seat 1 ruffs, 2 follows."""
    match = Match(3, 4, HOUSES["limit"], Stacked("AH 2C 3H KD 4S QD 3C 5C 6D 4C 7C 7D 5D 8D 9S"))
    match.start()
    for action in (Declare(True), Declare(True, (Card("2C"),)), Declare(True)):
        match.apply(match.to_act, action)
    for card in ("AH", "4S", "3H"):
        match.apply(match.to_act, Play(Card(card)))
    return match


def section(view: View, name: str) -> list[float]:
    start = STARTS[name]
    size = next(part.size for part in SECTIONS if part.name == name)
    return [round(float(number), 4) for number in vector_of(view)[start : start + size]]


def cards_of(view: View, name: str) -> set[Card]:
    return {card for card, flag in zip(DECK, section(view, name), strict=True) if flag}


def test_sections_follow_one_another() -> None:
    assert list(STARTS.values()) == [
        sum(part.size for part in SECTIONS[:number]) for number in range(len(SECTIONS) + 1)
    ]
    assert SIZE == sum(part.size for part in SECTIONS) == STARTS["end"]
    assert STARTS["pot"] == COUNTS


def test_a_seat_sees_the_play_from_its_own_place() -> None:
    match = in_play()
    match.apply(1, Play(Card("5C")))
    match.apply(2, Play(Card("9S")))
    view = match.view(0)
    assert cards_of(view, "hand") == set(view.hand)
    assert cards_of(view, "discarded") == set()
    assert cards_of(view, "played") == {Card("AH"), Card("4S"), Card("3H")}
    assert cards_of(view, "trick") == {Card("5C"), Card("9S")}
    assert cards_of(view, "turned") == {Card("9S")}
    absent = [0.0] * 5
    assert section(view, "present") == [1, 1, 1, *absent]
    assert section(view, "dealer") == [0, 0, 1, *absent]
    assert section(view, "in") == [1, 1, 1, *absent]
    assert section(view, "served") == [1, 1, 1, *absent]
    assert section(view, "drawn") == [0, 1, 0, *absent]
    assert section(view, "won") == [0, 1, 0, *absent]
    assert section(view, "leader") == [0, 1, 0, *absent]
    assert section(view, "winning") == [0, 0, 1, *absent]
    voids = np.array(section(view, "void")).reshape(8, 4)
    assert sorted(zip(*(places.tolist() for places in voids.nonzero()), strict=True)) == [
        (1, Suit.H.value),
        (2, Suit.C.value),
    ]
    assert section(view, "trump") == [0, 0, 0, 1]
    assert section(view, "decision") == [0, 0, 0, 0, 1, 0]
    assert section(view, "deals_left") == [3]
    assert section(view, "pot") == section(view, "match") == [round(log1p(3), 4)]
    assert section(view, "balances") == [*[round(-log1p(1), 4)] * 3, *absent]


def test_places_turn_with_the_seat_that_looks() -> None:
    view = in_play().view(1)
    assert cards_of(view, "discarded") == {Card("2C")}
    assert section(view, "dealer")[:3] == [0, 1, 0]
    assert section(view, "drawn")[:3] == [1, 0, 0]
    assert section(view, "won")[:3] == [1, 0, 0]


def test_a_passed_seat_and_the_question_are_seen() -> None:
    match = Match(3, 1, HOUSES["limit"], Stacked("AH 2C 3H"))
    match.start()
    match.apply(0, Declare(False))
    view = match.view(1)
    assert section(view, "passed")[:3] == [0, 0, 1]
    assert section(view, "decision") == [0, 1, 0, 0, 0, 0]
    assert section(view, "max_discards") == [5]


@pytest.mark.parametrize(
    ("chips", "number"), [(0, 0), (20, log1p(20)), (5_000, log1p(5_000)), (10**400, 127), (-7, -log1p(7))]
)
def test_chips_are_logarithms_without_end(chips: int, number: float) -> None:
    match = in_play()
    match.ledger.pay(0, -1 - chips)  # it has paid an ante
    view = view_of(match.deal, 0, 4, (0, 0, 0), 0)
    assert view.balances[0] == chips
    assert chips_of(view)[2] == number
    assert observation_space()["observation"].contains(vector_of(view))


CHOICES: list[Action] = [
    Declare(False),
    Declare(True),
    Draw((Card("2C"),)),
    Draw((Card("2C"),), takes=True),
    NameTrump(Suit.H),
    Stay(True),
    Stay(False),
    Play(Card("AS")),
    Recall(Card("2C")),
]


def test_each_choice_has_its_number() -> None:
    match = Match(3, 1, HOUSES["limit"], Stacked("AH 2C 3H"))
    match.start()
    match.apply(0, Declare(False))
    view = match.view(1)  # its lowest card is 2C
    assert [number_of(choice, view) for choice in CHOICES] == [0, 1, 2, 89, 87, 1, 0, CARD + 51, CARD]
    assert recall_of(CARD) == Recall(Card("2C"))
    assert recall_of(0) is None


@pytest.mark.parametrize("action", [Missing(FaultOf.LATE), HandOver()])
def test_what_no_bot_chooses_has_no_number(action: Action) -> None:
    with pytest.raises(InvalidAction, match="no action stands for it"):
        number_of(action, in_play().view(1))


@pytest.mark.parametrize("action", [-1, 0, 1, 85, 89, ACTIONS])
def test_an_answer_to_another_question_is_refused(action: int) -> None:
    with pytest.raises(InvalidAction, match="does not answer the question to play"):
        choice_of(action, in_play().view(1))


def test_the_document_lists_every_section() -> None:
    text = (dev.ROOT / "docs/learn.md").read_text("utf-8")
    rows = [f"| {STARTS[part.name]} | {part.size} | `{part.name}` | {part.meaning} |" for part in SECTIONS]
    assert re.findall(r"^\| \d+ \| \d+ \| `\w+` \|.*\|$", text, re.MULTILINE) == rows
    assert f"`observation` holds {SIZE} numbers" in text
