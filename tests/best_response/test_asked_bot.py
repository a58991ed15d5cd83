"""A bot in step sees what it sees in a match, answers as there, and is told apart where it fails."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bourre import Bot, Card, View
from bourre.practice import PracticeError
from bourre.rules.cards import card_set
from bourre.rules.house import HouseRules
from bourre_lab.batch_deals import Asked, LockstepDeals, random_decks
from bourre_lab.batch_deals.card_sets import NONE
from bourre_lab.batch_deals.table import play_deals
from bourre_lab.best_response.asked_bot import AskedBot
from bourre_lab.best_response.seat_views import seat_view
from bourre_lab.champion import ChampionBot
from bourre_lab.champion.batch_actions import BatchChampion
from bourre_lab.champion.bots.novice import Novice
from tests.batch_deals.rule_matches import SameDeals

LIMIT = HouseRules.preset("limit")


@pytest.mark.parametrize("preset", ["limit", "wikipedia", "simultaneous", "separate_dead", "nba", "indiana", "booray"])
@pytest.mark.parametrize("seats", [3, 7])
def test_a_deal_in_step_is_seen_as_in_a_match(preset: str, seats: int) -> None:
    same = SameDeals(HouseRules.preset(preset), seats, 8, np.random.default_rng(seats))
    seen = 0
    for _ in same.steps():
        for row in same.open_rows():
            match = same.matches[row]
            known = match.view(match.to_act)
            view = seat_view(same.deals, row, card_set(known.legal), known.seed)
            if same.deals.asked[row] == Asked.PLAY:
                assert int(same.deals.legal_cards(np.array([row]))[0]) == card_set(known.legal)
            assert replace(view, deals=2, house=known.house) == known
            seen += 1
    assert seen > 8 * seats


class Watched(ChampionBot):
    """The champion, which counts how often it is asked."""

    asked = 0

    def play(self, view: View) -> Card:
        Watched.asked += 1
        return super().play(view)


def played(player: AskedBot | BatchChampion, deals: int = 12, house: HouseRules = LIMIT) -> LockstepDeals:
    """Returns deals in which this player had all seats."""
    table = LockstepDeals(house, 4)
    table.reset(random_decks(deals, np.random.default_rng(4)), 4)
    play_deals(table, np.zeros((deals, 4), dtype=np.int64), [player], np.random.default_rng(0))
    return table


def test_a_bot_plays_in_step_as_in_a_match_and_is_asked_once_for_what_it_knows() -> None:
    bot = AskedBot("watched", Watched, 4)
    first = played(bot)
    np.testing.assert_array_equal(first.state.sequence, played(BatchChampion()).state.sequence)
    asked = Watched.asked
    assert asked > 12
    np.testing.assert_array_equal(played(bot).state.sequence, first.state.sequence)
    assert Watched.asked == asked


@pytest.mark.parametrize("preset", ["separate_dealer_option", "separate_rounds", "simultaneous", "separate_dead"])
def test_by_other_rules_the_champion_plays_in_step_as_in_a_match(preset: str) -> None:
    house = HouseRules.preset(preset)
    asked, in_step = (played(player, 40, house) for player in (AskedBot("own", ChampionBot, 4), BatchChampion()))
    np.testing.assert_array_equal(asked.state.sequence, in_step.state.sequence)
    assert (in_step.state.dead == NONE).any() == (house.dealer_may_take_turned or not house.keeps_turned_apart)


class Fickle(Bot):
    """Comes in three of the seven times that it is asked."""

    asked = 0

    def declare(self, view: View) -> bool:
        self.asked += 1
        return self.asked % 7 < 3

    def play(self, view: View) -> Card:
        return view.legal[0]


def test_a_bot_that_remembers_changes_answers_when_it_is_asked_again() -> None:
    fickle, steady = AskedBot("fickle", Fickle, 4), AskedBot("steady", ChampionBot, 4)
    played(fickle, 400)
    played(steady, 40)
    assert fickle.changed_answers() > 0.05
    assert steady.changed_answers() == 0


def test_errors_of_judgement_in_step_change_who_comes_in_as_often_as_those_of_the_bot() -> None:
    sure, asked, in_step = (
        played(player, 400).state.plays
        for player in (BatchChampion(), AskedBot("novice", Novice, 4), BatchChampion(blur=Novice.blur))
    )
    often, as_often = ((plays != sure).any(axis=1).mean() for plays in (asked, in_step))
    assert often == pytest.approx(as_often, abs=0.1)
    assert often > 0.5


class Dicey(Bot):
    """Tosses a coin of its own for each card."""

    def declare(self, view: View) -> bool:
        return True

    def play(self, view: View) -> Card:
        return view.rng.choice(view.legal)


def test_the_chance_of_a_bot_follows_from_what_its_seat_knows() -> None:
    first, again = (played(AskedBot("dicey", Dicey, 4)).state.sequence for _ in range(2))
    np.testing.assert_array_equal(first, again)


class Breaks(Bot):
    def declare(self, view: View) -> bool:
        raise KeyError("no plan")


class Cheats(Bot):
    def declare(self, view: View) -> bool:
        return True

    def play(self, view: View) -> Card:
        return Card("2C") if view.legal[0] != Card("2C") else Card("3C")


@pytest.mark.parametrize(
    ("bot", "words"), [(Breaks, r"bot: declare .*no plan.*deal 1, seat \d"), (Cheats, r"bot: play returned [23]C")]
)
def test_a_bot_that_fails_is_named_with_its_method_and_seat(bot: type[Bot], words: str) -> None:
    with pytest.raises(PracticeError, match=words):
        played(AskedBot("bot", bot, 4))
