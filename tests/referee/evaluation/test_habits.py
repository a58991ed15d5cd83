"""The habits of a bot: mistakes of one kind are told together, wherever a review is told."""

from __future__ import annotations

import json

import pytest

from bourre.record import RecordedAsk
from bourre.rules.actions import Choice, Declare, Draw, NameTrump, Play, Stay
from bourre.rules.cards import Card, Suit, parse_cards
from bourre.testing import view
from bourre_lab.review import LIMITS, ReviewedDecision
from bourre_referee.evaluation.review.habits import habits_of
from bourre_referee.evaluation.review.review_text import habit_words, review_json, review_lines
from bourre_referee.evaluation.review.reviewed_play import Review

FIVE = "hand='JS AS KH 2C 3C' trump=S pot=9 seats=4"
LEAD = "play hand='JS AS KH 2C' trump=S pot=9 seats=4"
FOLLOW = "play hand='JS AS KS' trick=QS trump=S pot=9 seats=4"


def judged(line: str, said: Choice, better: Choice, cost: float = 3.0, error: float = 0.3) -> ReviewedDecision:
    return ReviewedDecision("m0002", RecordedAsk(3, None, view(line), (), said, None, 9), better, cost, error, 128, 0.0)


def come(cards: str) -> Declare:
    return Declare(True, parse_cards(cards))


DEEDS: dict[str, tuple[str, Choice, Choice]] = {
    "passed a good hand": (f"declare {FIVE}", Declare(False), come("2C 3C")),
    "came in with a poor hand": (f"declare {FIVE}", come("2C 3C"), Declare(False)),
    "left with a good hand": (f"stay {FIVE}", Stay(False), Stay(True)),
    "stayed with a poor hand": (f"stay {FIVE}", Stay(True), Stay(False)),
    "named a poor trump": (f"name_trump {FIVE}", NameTrump(Suit(0)), NameTrump(Suit(3))),
    "threw its highest trump": (f"declare {FIVE}", come("2C AS"), come("2C 3C")),
    "threw a trump": (f"declare {FIVE}", come("2C JS"), come("2C 3C")),
    "threw the wrong cards": (f"draw {FIVE}", Draw(parse_cards("KH")), Draw(parse_cards("2C"))),
    "threw too many cards": (f"draw {FIVE}", Draw(parse_cards("2C 3C KH")), Draw(parse_cards("2C 3C"))),
    "threw too few cards": (f"draw {FIVE}", Draw(), Draw(parse_cards("2C 3C"))),
    "chose wrongly about the turned card": (f"draw {FIVE}", Draw(parse_cards("2C"), True), Draw(parse_cards("2C"))),
    "led with its highest trump": (LEAD, Play(Card("AS")), Play(Card("KH"))),
    "led with a trump": (LEAD, Play(Card("JS")), Play(Card("KH"))),
    "led with no trump": (LEAD, Play(Card("KH")), Play(Card("AS"))),
    "led too low": (LEAD, Play(Card("JS")), Play(Card("AS"))),
    "led with the wrong suit": (LEAD, Play(Card("KH")), Play(Card("2C"))),
    "followed with its highest trump": (FOLLOW, Play(Card("AS")), Play(Card("KS"))),
    "followed too high": (FOLLOW, Play(Card("KS")), Play(Card("JS"))),
}


@pytest.mark.parametrize("name", DEEDS)
def test_two_mistakes_of_a_kind_are_a_habit(name: str) -> None:
    one = judged(*DEEDS[name])
    assert habits_of([one]) == ()
    (habit,) = habits_of([one, judged(*DEEDS[name], cost=0.1), one])
    assert (habit.name, habit.times, habit.cost) == (name, 2, 6.0)
    assert habit.error == pytest.approx(0.3 * 2**0.5)


def test_habits_are_told_in_text_and_data_the_worst_first() -> None:
    low, thrown = judged(*DEEDS["led too low"]), judged(*DEEDS["threw its highest trump"], cost=4.0)
    review = Review("ada", 50, (low, low, thrown, thrown, thrown), (), LIMITS)
    lines = list(review_lines(review))
    start = lines.index("Habits:")
    assert lines[start - 1 : start + 4] == [
        "",
        "Habits:",
        "  threw its highest trump 3 times, 12.0 ± 0.5 chips in all",
        "  led too low 2 times, 6.0 ± 0.4 chips in all",
        "",
    ]
    assert json.loads(review_json(review))["habits"] == [
        {"habit": "threw its highest trump", "times": 3, "cost": 12.0, "error": 0.5196},
        {"habit": "led too low", "times": 2, "cost": 6.0, "error": 0.4243},
    ]
    assert habit_words(habits_of(review.decisions)[0]) == lines[start + 1].strip()
