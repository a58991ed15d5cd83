"""Reneges per 100 decisions: planted shares are found, what is counted is what was asked, and nothing is lost."""

from __future__ import annotations

import pytest

from bourre.bot import Bot
from bourre.practice import PracticeResult, practice, practice_duplicate
from bourre.record import asks, read
from bourre.rules.actions import Missing
from bourre.rules.cards import DECK, Card
from bourre.rules.house import HouseRules
from bourre.rules.visibility import View
from bourre_referee.contest.schedule.duplicate_seatings import seatings
from bourre_referee.statistics.match_counts import RunCounts, count_record
from bourre_referee.statistics.rule_following import ALL, FAULTS, RuleFollowing, RuleRate
from tests.long_tests import mostly_long

PLANTED = 0.05


class Model(Bot):
    """Breaks a rule on five of a hundred decisions: if it cannot at once, as soon as it can."""

    corrects = True
    decided = 0
    owed = 0

    def _decide(self) -> None:
        Model.decided += 1
        if Model.decided % round(1 / PLANTED) == 0:
            Model.owed += 1

    def declare(self, view: View) -> bool:
        self._decide()
        return True

    def play(self, view: View) -> Card:
        wrong = [card for card in view.hand if card not in view.legal]
        if view.correcting:
            return view.legal[0] if self.corrects or not wrong else wrong[0]
        self._decide()
        if wrong and Model.owed:
            Model.owed -= 1
            return wrong[0]
        return view.legal[0]


class Clumsy(Bot):
    """Makes one fault of each kind that a readable answer can have, in one of twenty decisions of its kind."""

    cards = 0
    draws = 0

    def declare(self, view: View) -> bool:
        return True

    def draw(self, view: View) -> tuple[Card, ...]:
        Clumsy.draws += 1
        return (*view.hand, view.hand[0]) if Clumsy.draws % 20 == 0 else ()

    def play(self, view: View) -> Card:
        Clumsy.cards += 1
        return next(card for card in DECK if card not in view.hand) if Clumsy.cards % 20 == 0 else view.legal[0]


class Stubborn(Model):
    """Never corrects a renege if it has another wrong card."""

    corrects = False


class Silent(Bot):
    """Fails on every card."""

    def declare(self, view: View) -> bool:
        return True

    def play(self, view: View) -> Card:
        raise RuntimeError("no words")


def played(bot: type[Bot], policy: str = "prompt", deals: int = 20, matches: int = 20) -> PracticeResult:
    house = HouseRules.preset("limit", renege_policy=policy)
    return practice({"model": bot, "tight": "tight", "loose": "loose"}, deals, 3, house, matches, strict=False)


def followed(records: list[str]) -> dict[str, RuleFollowing]:
    """How the bots followed the rules in these records, counted in any order."""
    run = RunCounts()
    for number, record in reversed(list(enumerate(records))):
        run.add(number, count_record(record))
    return {following.bot: following for following in run.rules.summarise(["model", "tight", "loose"])}


def rate_of(following: RuleFollowing, rule: str) -> RuleRate:
    return next(rate for rate in following.rates if rate.rule == rule)


@pytest.mark.parametrize("first", range(4))
def test_a_planted_share_of_illegal_cards_is_within_its_interval(first: int) -> None:
    Model.decided, Model.owed = 5 * first, 0
    result = played(Model)
    found = followed([match.record for match in result.matches])["model"]
    every = rate_of(found, ALL)
    assert every.ci95 is not None
    assert every.ci95[0] <= 100 * PLANTED <= every.ci95[1]
    assert every.ci95[1] - every.ci95[0] < 3
    assert every.times == result.bots[0].reneges == sum(rate.times for rate in found.rates if rate.rule.startswith("R"))
    assert every.per_100 == pytest.approx(100 * every.times / found.decisions)


def test_a_card_not_held_and_too_many_discards_are_faults_of_their_kinds() -> None:
    Clumsy.cards = Clumsy.draws = 0
    found = followed([match.record for match in played(Clumsy).matches])["model"]
    planted = {"not_held": Clumsy.cards // 20, "illegal_discard": Clumsy.draws // 20}
    assert {kind: rate_of(found, kind).times for kind in planted} == planted
    assert min(planted.values()) > 3
    assert rate_of(found, FAULTS).times == sum(planted.values())
    assert rate_of(found, ALL).times == 0


def test_who_never_broke_a_rule_may_still_do_so() -> None:
    found = followed([match.record for match in played(Model).matches])["tight"]
    every = rate_of(found, ALL)
    assert (every.times, every.per_100) == (0, 0)
    assert every.ci95 is not None
    assert every.ci95[0] == 0 < every.ci95[1] < 1


@pytest.mark.parametrize(
    "policy", mostly_long({one: one for one in ("prompt", "retract", "retract_renege")}, {"retract"})
)
def test_corrections_are_told_from_reneges_that_stand(policy: str) -> None:
    patient = followed([match.record for match in played(Model, policy).matches])["model"]
    stubborn = followed([match.record for match in played(Stubborn, policy).matches])["model"]
    assert patient.corrected == rate_of(patient, ALL).times > 0
    assert stubborn.corrected < rate_of(stubborn, ALL).times / 2


def test_without_a_second_try_nothing_is_corrected() -> None:
    found = followed([match.record for match in played(Model, "strict").matches])["model"]
    assert found.corrected == 0 < rate_of(found, ALL).times


@pytest.mark.parametrize("bot", [Model, Silent])
def test_the_decisions_are_those_that_the_bot_was_asked_for(bot: type[Bot]) -> None:
    """Forced cards and corrections do not count."""
    record = played(bot, matches=1).matches[0].record
    asked = [ask for ask in asks(read(record), 0) if ask.view.correcting is None]
    found = followed([record])["model"]
    assert found.decisions == len(asked)
    assert rate_of(found, FAULTS).times == sum(isinstance(ask.action, Missing) for ask in asked)
    assert rate_of(found, ALL).ci95 is None


def test_the_blocks_of_a_duplicate_match_are_its_deals() -> None:
    bots = {"model": Bot, "tight": Bot}
    record = practice_duplicate(bots, 12, seatings, b"seed" * 8, HouseRules.preset("limit"), (0,), "m1")
    counts = count_record(record).rules.bots["model"]
    assert len(counts.decisions) == 12
    asked = [ask for ask in asks(read(record), 0) if ask.view.correcting is None]
    assert sum(counts.decisions) == len(asked)
