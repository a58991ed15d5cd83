"""The guide over whole matches: each lesson comes once, when its rule first binds, and every lesson really comes."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from random import Random

import pytest

from bourre.rules.actions import Decision
from bourre.rules.deck import SeededChance, derive, master_seed
from bourre.rules.events import CardPlayed, DealStarted, Declared, Event, MatchPaid, PotTaken, RenegeCorrected, Reneged
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.tricks import broken_rule
from bourre.rules.view import View
from bourre.rules.visibility import visible_to
from bourre_seats.seat.guide import LESSONS, Guide, Lesson
from tests.sdk.random_answers import play_randomly

SEEDS = range(12)
DEALS = 25
OF_EVENTS = {Reneged: "R8.1", RenegeCorrected: "R8.2"}


def rules(lessons: tuple[Lesson, ...]) -> list[str]:
    return [lesson.rule for lesson in lessons]


class ChipCurve:
    """The lessons of one seat in a match, beside the moments at which rules bind, found in another way."""

    def __init__(self, seat: int) -> None:
        self.guide, self.seat = Guide(teaches=True), seat
        self.told: list[str] = []
        self._bound: set[str] = set()
        self._cards = 0

    def hear(self, event: Event) -> None:
        """Hears an event, and checks that what binds for the first time is told now."""
        told = rules(self.guide.hear(event))
        self.told += told
        self._cards = 0 if isinstance(event, DealStarted) else self._cards + isinstance(event, CardPlayed)
        binds = {OF_EVENTS[kind] for kind in OF_EVENTS if isinstance(event, kind)}
        binds |= {"R4.6"} if isinstance(event, Declared) and event.obliged and event.plays else set()
        binds |= {"R7.3"} if isinstance(event, MatchPaid) and event.bourred else set()
        binds |= {"R7.1" if self._cards else "R4.8"} if isinstance(event, PotTaken) else set()
        self._check(binds, told)

    def look(self, view: View) -> None:
        """Looks at a question, and checks that each rule that forbids a card for the first time is told now."""
        told = rules(self.guide.look(view))
        self.told += told
        if view.decision == Decision.PLAY:
            self._check({broken_rule(card, view.position) for card in view.hand if card not in view.legal}, told)

    def _check(self, binds: set[str], told: list[str]) -> None:
        new = (binds & set(LESSONS)) - self._bound
        assert new <= set(told)
        self._bound |= new


def course(preset: str, seed: int) -> ChipCurve:
    """A guided match of random answers, some of them wrong."""
    match = Match(4, DEALS, HouseRules.preset(preset), SeededChance(derive(master_seed(seed), preset)))
    pupil = ChipCurve(1)
    for _, _, events in play_randomly(match, Random(seed), mischief=0.1):
        for event in visible_to(1, events):
            pupil.hear(event)
        if not match.over and match.to_act == 1:
            pupil.look(match.view(1))
    return pupil


@pytest.mark.parametrize("preset", ["limit", "nba"])
def test_each_lesson_comes_once_and_when_its_rule_first_binds(preset: str) -> None:
    told = [course(preset, seed).told for seed in SEEDS]
    assert all(max(Counter(one).values()) == 1 for one in told)
    other = {"limit": "R3.2", "nba": "R3.1"}[preset]
    assert set(LESSONS) - set(chain(*told)) == {other}
