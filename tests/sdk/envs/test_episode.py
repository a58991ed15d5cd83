"""An environment plays what a match plays: the same deals, questions, legal actions and chips."""

from __future__ import annotations

from random import Random

import pytest

from bourre import Decision, HouseRules, View
from bourre.envs.action_space import ACTIONS, CARD, FIRST_CARD, PASS, choice_of
from bourre.envs.episode import Episode, Terms
from bourre.practice.seat import objection
from bourre.rules.actions import Choice, Declare, Draw, NameTrump, Play, Recall, Stay
from bourre.rules.deck import SeededChance
from bourre.rules.errors import InvalidAction
from bourre.rules.match import Match
from tests.sdk.envs.action_numbers import number_of
from tests.sdk.envs.tables import HOUSES, sizes
from tests.sdk.random_answers import illegal_cards, legal_answer


def questions(match: Match) -> None:
    """Plays the forced cards of a match up to its next question."""
    while not match.over and (forced := match.deal.forced) is not None:
        match.apply(match.to_act, forced)


def answers(view: View, choice: Choice) -> bool:
    """Whether a choice is a lawful answer, by the SDK's own judgement and the questions of R3 and R4."""
    match view.decision, choice:
        case (Decision.PLAY, Play()) | (Decision.NAME_TRUMP, NameTrump()) | (Decision.STAY, Stay()):
            return objection(choice, view) is None
        case (Decision.DECLARE, Declare(plays=False)):
            return True
        case (Decision.DECLARE, Declare(_, discards, takes)) if view.house.declare_mode != "turn":
            return not discards and not takes
        case (Decision.DECLARE, Declare(_, discards, takes)) | (Decision.DRAW, Draw(discards, takes)):
            takes_lawfully = not takes or (view.may_take_turned and bool(discards))
            return takes_lawfully and objection(choice, view) is None
    return False


@pytest.mark.parametrize("preset", HOUSES)
def test_a_match_and_its_environment_never_differ(preset: str) -> None:
    house = HOUSES[preset]
    for seats in sizes(preset):
        chance, dice = SeededChance(bytes([seats])), Random(seats)
        match = Match(seats, 3, house, chance)
        match.start()
        episode = Episode(Terms(seats, 3, house), chance)
        questions(match)
        while not match.over:
            view = match.view(match.to_act)
            assert episode.view() == view
            choice = legal_answer(view, dice)
            episode.step(number_of(choice, view))
            match.apply(match.to_act, choice)
            questions(match)
        assert episode.over
        assert episode.match.ledger.balances == match.ledger.balances


@pytest.mark.parametrize("preset", HOUSES)
def test_masks_are_the_legal_actions(preset: str) -> None:
    seats = max(sizes(preset))
    episode = Episode(Terms(seats, 2, HOUSES[preset]), SeededChance(b"masks"))
    dice, decisions = Random(4), set()
    while not episode.over:
        view = episode.view()
        decisions.add(view.decision)
        lawful = []
        for action in range(ACTIONS):
            try:
                choice = choice_of(action, view)
            except InvalidAction:
                continue
            assert number_of(choice, view) == action
            if answers(view, choice):
                lawful.append(action)
        assert [action for action, flag in enumerate(episode.legal()) if flag] == lawful
        episode.step(number_of(legal_answer(view, dice), view))
    assert Decision.PLAY in decisions
    assert not any(episode.legal())


@pytest.mark.parametrize("policy", ["prompt", "silent", "retract", "retract_renege", "strict"])
def test_reneges_cost_what_they_cost_in_a_match(policy: str) -> None:
    """One action in two is a renege where there is one; silent ones are recalled one time in two."""
    house = HouseRules.preset("limit", renege_policy=policy)
    chance, dice = SeededChance(b"reneges"), Random(5)
    match, reneges = Match(4, 20, house, chance), 0
    match.start()
    episode = Episode(Terms(4, 20, house, reneges=True), chance)
    questions(match)
    while not match.over:
        view = match.view(match.to_act)
        assert episode.view() == view
        illegal = illegal_cards(view)
        assert all(episode.legal()[CARD + card - FIRST_CARD] for card in illegal)
        card = dice.choice(illegal) if illegal and dice.random() < 0.5 else None
        choice = legal_answer(view, dice) if card is None else Play(card)
        episode.step(number_of(choice, view))
        match.apply(view.seat, choice)
        if card is not None:
            reneges += 1
            if policy == "silent":
                recall_or_not(episode, match, view, dice)
        questions(match)
    assert reneges > 10
    assert episode.match.ledger.balances == match.ledger.balances


def recall_or_not(episode: Episode, match: Match, view: View, dice: Random) -> None:
    """Answers the question whether a silent renege is corrected, in both."""
    assert episode.to_act == view.seat
    cards = [CARD + card - FIRST_CARD for card in view.legal]
    assert [action for action, flag in enumerate(episode.legal()) if flag] == [PASS, *cards]
    if dice.random() < 0.5:
        episode.step(PASS)
    else:
        recall = Recall(dice.choice(view.legal))
        match.apply(view.seat, recall)
        episode.step(number_of(recall, view))


def test_masked_reneges_are_never_offered() -> None:
    house = HouseRules.preset("limit")
    episode = Episode(Terms(4, 20, house), SeededChance(b"reneges"))
    dice, met = Random(5), 0
    while not episode.over:
        view = episode.view()
        for card in illegal_cards(view):
            met += 1
            with pytest.raises(InvalidAction, match="is not legal"):
                episode.step(CARD + card - FIRST_CARD)
        episode.step(number_of(legal_answer(view, dice), view))
    assert met > 10


def test_a_finished_match_takes_no_action() -> None:
    house = HouseRules.preset("limit")
    episode = Episode(Terms(2, 1, house), SeededChance(b"end"))
    while not episode.over:
        episode.step(episode.legal().index(1))
    with pytest.raises(InvalidAction, match="the match is over, call reset"):
        episode.step(0)
