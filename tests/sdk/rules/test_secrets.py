"""No seat can tell which of two hidden cards is where: with the two exchanged, it sees exactly the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest

from bourre.rules.actions import Action, Decision, Declare, Draw, Missing, Play
from bourre.rules.cards import DECK, Card
from bourre.rules.deck import Chance, SeededChance
from bourre.rules.events import CardPlayed, Drew, Event, HandDealt, Reneged, StockGathered, TrickTaken, TrumpTurned
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.visibility import View, visible_to
from tests.sdk.random_answers import random_answer
from tests.sdk.rules.table import of

Step = tuple[int, Action]
HOUSES = [
    HouseRules(),
    HouseRules.preset("simultaneous"),
    HouseRules.preset("nba"),
    HouseRules.preset("indiana", must_hold="none"),  # `must_hold` passes a seat without trumps for all to see
    HouseRules.preset("separate_dealer_option", renege_policy="silent"),
    HouseRules(trump_card="separate_returned", declare_mode="simultaneous", renege_policy="retract"),
    HouseRules(
        trump_card="dealer_chooses", declare_mode="simultaneous", recycle="folded_first", first_dealer="low_card"
    ),
]


class Exchanged:
    """A chance like another in which two cards have changed places everywhere."""

    def __init__(self, chance: Chance, one: Card, other: Card) -> None:
        self.chance = chance
        self.place = {one: other, other: one}

    def swap(self, cards: Iterable[Card]) -> list[Card]:
        return [self.place.get(card, card) for card in cards]

    def action(self, action: Action) -> Action:
        """The same action by a seat that holds the other card."""
        match action:
            case Declare(plays, discards, takes):
                return Declare(plays, tuple(self.swap(discards)), takes)
            case Draw(discards, takes):
                return Draw(tuple(self.swap(discards)), takes)
            case Play(card):
                return Play(self.place.get(card, card))
        return action

    by_seat = False

    def stake(self, deal: int) -> int:
        return 0

    def first_dealer(self, seats: int) -> int:
        return self.chance.first_dealer(seats)

    def draw_for_deal(self) -> list[Card]:
        return self.chance.draw_for_deal()

    def deck(self, deal: int) -> list[Card]:
        return self.swap(self.chance.deck(deal))

    def shuffle_gathered(self, deal: int, time: int, cards: Iterable[Card]) -> list[Card]:
        return self.swap(self.chance.shuffle_gathered(deal, time, self.swap(cards)))

    def shuffle_returned(self, deal: int, cards: Iterable[Card]) -> list[Card]:
        return self.swap(self.chance.shuffle_returned(deal, self.swap(cards)))

    def seat_seed(self, deal: int, seat: int) -> int:
        return self.chance.seat_seed(deal, seat)


class Deal:
    """One deal played at random or repeated from its steps, and what a seat saw of it after each step."""

    def __init__(self, seats: int, house: HouseRules, chance: Chance, spy: int) -> None:
        self.match = Match(seats, 1, house, chance)
        self.spy = spy
        self.steps: list[Step] = []
        self.choices: list[tuple[Card, ...]] = []
        self.events: list[Event] = []
        self.shown: list[tuple[View | None, list[Event]]] = []
        self.show(self.match.start())

    def show(self, events: list[Event]) -> None:
        self.events += events
        view = None if self.match.over else self.match.view(self.spy)
        self.shown.append((view, list(visible_to(self.spy, events))))

    def put(self, action: Action) -> None:
        """Applies one step; stores which cards the seat could have played, because that decides what all will see."""
        view = self.match.view(self.match.to_act)
        playing = view.decision == Decision.PLAY
        self.choices.append(view.legal if playing else ())
        self.steps.append((self.match.to_act, action))
        self.show(self.match.apply(self.match.to_act, action))

    def play_some(self, dice: Random) -> None:
        """Plays to a random moment of the deal, mostly by the rules."""
        until = dice.randrange(60)
        while len(self.steps) < until and not self.match.over:
            self.put(random_answer(self.match.view(self.match.to_act), dice))

    def hidden(self) -> list[Card]:
        """The cards that the spy has not seen."""
        seen = {card for event in of(HandDealt, self.events) if event.seat == self.spy for card in event.cards or ()}
        seen |= {card for event in of(Drew, self.events) if event.seat == self.spy for card in event.received or ()}
        seen |= {event.card for event in self.events if isinstance(event, TrumpTurned | CardPlayed | Reneged)}
        return [card for card in DECK if card not in seen]


@pytest.mark.parametrize("chunk", range(len(HOUSES)))
def test_r1_2_a_seat_sees_the_same_when_two_cards_hidden_from_it_are_exchanged(chunk: int) -> None:
    dice = Random(f"secrets {chunk}")
    met = Counter[str]()
    for _ in range(400 if chunk == 0 else 200):
        seats = dice.randint(2, 8)
        deal = Deal(seats, HOUSES[chunk], SeededChance(dice.randbytes(32)), dice.randrange(seats))
        deal.play_some(dice)
        for _ in range(4):
            met.update(compare(deal, *dice.sample(deal.hidden(), 2)))
    assert min(met[name] for name in ("compared", "in the play", "all tricks")) > 200, met
    assert met["gathered"] > 20 or HOUSES[chunk].cards == 4, met


def compare(deal: Deal, one: Card, other: Card) -> list[str]:
    """Repeats a deal with two cards exchanged, as long as the rules see no difference in what the others may play."""
    chance = Exchanged(deal.match._chance, one, other)
    twin = Deal(deal.match.seats, deal.match.house, chance, deal.spy)
    assert twin.shown[0] == deal.shown[0], (one, other)
    for step, ((seat, action), choices) in enumerate(zip(deal.steps, deal.choices, strict=True)):
        assert twin.match.to_act == seat
        view = twin.match.view(seat)
        legal = view.legal if choices else ()
        if choices != tuple(sorted(chance.swap(legal))):
            return []  # the exchange turns a legal play into a renege, or the reverse, which all will see
        if isinstance(action, Missing) and view.decision == Decision.NAME_TRUMP and {one, other} & {*view.hand}:
            return []  # the lowest card, whose suit is named for the seat, may be another
        if choices[:1] != legal[:1] and (isinstance(action, Missing) or view.correcting):
            return []  # the lowest legal card, which may be played for the seat, is another
        twin.put(chance.action(action))
        assert twin.shown[step + 1] == deal.shown[step + 1], (one, other, deal.steps)
    tricks = len(of(TrickTaken, twin.events))
    names = {"compared": True, "in the play": tricks > 0, "all tricks": tricks == deal.match.house.cards}
    names["gathered"] = bool(of(StockGathered, twin.events))
    return [name for name, holds in names.items() if holds]
