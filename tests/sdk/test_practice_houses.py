"""Practice under house rules: secret declarations stay secret, cards are taken back in time, mistakes are named."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import cycle, pairwise

import pytest

from bourre.bot import Bot
from bourre.practice import PracticeError, practice
from bourre.record import read
from bourre.rules.actions import Play, Recall
from bourre.rules.cards import Card, Suit
from bourre.rules.events import DealStarted, Event, Faulted, RenegeCorrected, Reneged, Stayed, TrumpNamed, TurnedTaken
from bourre.rules.house import CHOICES, PRESETS, HouseRules
from bourre.rules.visibility import View
from tests.sdk.bots import events_of

SILENT = HouseRules.preset("limit", renege_policy="silent")


class Keen(Bot):
    """In whenever it may be; answers all the questions that only some house rules ask."""

    def declare(self, view: View) -> bool:
        return True

    def draw(self, view: View) -> Iterable[Card]:
        return [card for card in view.hand if card.suit != view.trump][: view.max_discards]

    def take_turned(self, view: View) -> bool:
        return True

    def name_trump(self, view: View) -> Suit:
        return view.rng.choice(list(Suit))

    def stay(self, view: View) -> bool:
        return view.rng.random() < 0.8

    def play(self, view: View) -> Card:
        return view.rng.choice(view.legal)


class Wild(Keen):
    """Plays any card of its hand, and takes some back."""

    def play(self, view: View) -> Card:
        return view.rng.choice(view.hand)

    def recall(self, view: View, card: Card) -> Card | None:
        return view.rng.choice([None, view.legal[0]])


@pytest.mark.parametrize(("preset", "policy"), [*zip(PRESETS, cycle(CHOICES["renege_policy"]), strict=False)])
def test_every_house_is_practised_and_recorded_truly(preset: str, policy: str) -> None:
    house = HouseRules.preset(preset, renege_policy=policy)
    assert practice([Keen, Bot, Keen], deals=10, house=house).problems == ()
    wild = practice([Wild, Keen, Wild, Bot], deals=10, house=house, strict=False)
    reneges = sum(isinstance(event, Reneged) for event in events_of(wild.matches[0]))
    assert reneges == sum(row.reneges for row in wild.bots) > 0


@pytest.mark.parametrize("trump_card", CHOICES["trump_card"])
@pytest.mark.parametrize("mode", CHOICES["declare_mode"])
def test_every_way_to_trumps_is_practised_in_every_mode(trump_card: str, mode: str) -> None:
    house = HouseRules(trump_card=trump_card, declare_mode=mode, second_pass=True, second_ante=1, max_discards=4)
    events = events_of(practice([Keen] * 4, deals=30, house=house).matches[0])
    kinds = {type(event) for event in events}
    assert Stayed in kinds
    assert (TrumpNamed in kinds) == (trump_card == "dealer_chooses")
    assert (TurnedTaken in kinds) == (trump_card == "separate_dealer_option")


def test_where_all_declare_at_once_nobody_knows_of_the_others() -> None:
    asked: list[int] = []

    class Secret(Keen):
        def declare(self, view: View) -> bool:
            others = [plays for seat, plays in enumerate(view.plays) if seat != view.dealer]
            assert others == [None] * 3  # a dealer with an ace is in, as all know (R4.5)
            asked.append(view.seat)
            return view.seat % 2 == 0

    practice([Secret] * 4, deals=20, house=HouseRules.preset("simultaneous"))
    assert {0, 1, 2, 3} == set(asked)


def test_where_all_declare_at_once_nobody_hears_of_another_s_fault_before() -> None:
    class Silent(Keen):
        def declare(self, view: View) -> bool:
            raise KeyError("lost")

    class Listening(Keen):
        faulted = False

        def on_event(self, event: Event) -> None:
            self.faulted = isinstance(event, Faulted) or (self.faulted and not isinstance(event, DealStarted))

        def declare(self, view: View) -> bool:
            assert not self.faulted
            return True

    result = practice([Silent, Listening, Keen], deals=12, house=HouseRules.preset("simultaneous"), strict=False)
    assert result.bots[0].faults > 6
    assert result.bots[1].faults == 0


def test_a_card_is_taken_back_before_the_next_seat_is_asked() -> None:
    class Repentant(Keen):
        def play(self, view: View) -> Card:
            return next((card for card in view.hand if card not in view.legal), view.legal[0])

        def recall(self, view: View, card: Card) -> Card:
            assert card not in view.legal
            return view.legal[0]

    result = practice([Repentant, Keen, Keen], deals=30, house=SILENT, strict=False)
    events = events_of(result.matches[0])
    assert sum(isinstance(event, RenegeCorrected) for event in events) == result.bots[0].reneges > 0
    assert not any(isinstance(event, Faulted) for event in events)
    assert all("play returned" in problem for problem in result.problems)
    for deal in read(result.matches[0].record).deals:
        for (before, played), (seat, action) in pairwise(deal.actions):
            assert not isinstance(action, Recall) or (isinstance(played, Play) and before == seat)


class Confused(Wild):
    """Replaces a card by one that is no better."""

    def recall(self, view: View, card: Card) -> Card | None:
        return next(other for other in view.hand if other not in view.legal)


class Cheating(Wild):
    def recall(self, view: View, card: Card) -> Card | None:
        return next(other for other in (Card("2C"), Card("2D"), Card("2H")) if other not in view.hand)


class Broken(Wild):
    def recall(self, view: View, card: Card) -> Card | None:
        raise KeyError("lost")


@pytest.mark.parametrize(
    ("mine", "words"),
    [
        (Confused, "Confused: recall returned {card}, which breaks R"),
        (Cheating, "Cheating: recall returned {card}, which is not in its hand (R8.5)"),
        (Broken, "Broken: recall (line "),
    ],
)
def test_a_bad_recall_is_named_and_changes_nothing(mine: type[Bot], words: str) -> None:
    result = practice([mine, Keen, Keen], deals=30, house=SILENT, strict=False)
    start, _, rest = words.partition("{card}")
    told = [problem for problem in result.problems if problem.startswith(start) and rest in problem]
    assert told
    assert not any(isinstance(event, RenegeCorrected) for event in events_of(result.matches[0]))


def test_a_bot_that_breaks_while_it_names_trumps_is_told_so() -> None:
    class Speechless(Keen):
        def name_trump(self, view: View) -> Suit:
            raise KeyError("lost")

    words = r"Speechless: name_trump \(line \d+\) raised KeyError: 'lost' .+\n.+\n  hand .+, trump not named\n"
    with pytest.raises(PracticeError, match=words):
        practice([Speechless, Keen], deals=2, house=HouseRules.preset("nba"))
    lenient = practice([Speechless, Keen], deals=2, house=HouseRules.preset("nba"), strict=False)
    assert lenient.bots[0].faults == 1
