"""An environment plays what a match plays: the same deals, questions, legal actions and chips."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest

from bourre import Decision, HouseRules, View
from bourre.rules.actions import Play, Recall
from bourre.rules.deck import SeededChance
from bourre.rules.errors import InvalidAction
from bourre.rules.match import Match
from bourre_lab.envs.action_space import ACTIONS, CARD, FIRST_CARD, PASS, choice_of
from bourre_lab.envs.episode import Episode, EpisodeTerms
from bourre_lab.envs.features import STARTS
from tests.sdk.envs.tables import HOUSES, number_of, sizes
from tests.sdk.random_answers import illegal_cards, legal_answer


def questions(match: Match) -> None:
    """Plays the forced cards of a match up to its next question."""
    while not match.over and (forced := match.deal.forced) is not None:
        match.apply(match.to_act, forced)


@pytest.mark.parametrize("preset", HOUSES)
def test_a_match_and_its_environment_never_differ(preset: str) -> None:
    house = HOUSES[preset]
    for seats in sizes(preset):
        chance, dice = SeededChance(bytes([seats])), Random(seats)
        match = Match(seats, 3, house, chance)
        match.start()
        episode = Episode(EpisodeTerms(seats, 3, house), chance)
        questions(match)
        while not match.over:
            view = match.view(match.to_act)
            assert episode.view() == view
            other = (view.seat + 1) % seats
            assert episode.look(other) == match.view(other)
            choice = legal_answer(view, dice)
            episode.step(number_of(choice, view))
            match.apply(match.to_act, choice)
            questions(match)
        assert episode.over
        assert episode.match.ledger.balances == match.ledger.balances
        ends = [(end.seat, end.balances) for end in map(episode.look, range(seats))]
        assert ends == [(seat, tuple(match.ledger.balances)) for seat in range(seats)]


@pytest.mark.parametrize("preset", HOUSES)
def test_legal_actions_and_no_others_answer_the_question(preset: str) -> None:
    """Which of the answers are legal is told by the same deals in step (`test_vector`)."""
    seats = max(sizes(preset))
    episode = Episode(EpisodeTerms(seats, 4, HOUSES[preset]), SeededChance(b"masks"))
    dice, decisions = Random(4), set()
    while not episode.over:
        view, answers = episode.view(), []
        decisions.add(view.decision)
        for action in range(ACTIONS):
            with suppress(InvalidAction):
                assert number_of(choice_of(action, view), view) == action
                answers.append(action)
        legal = [action for action, flag in enumerate(episode.legal()) if flag]
        assert set(legal) <= set(answers)
        episode.step(dice.choice(legal))
    assert Decision.PLAY in decisions
    assert not any(episode.legal())


@pytest.mark.parametrize("policy", ["prompt", "silent", "retract", "retract_renege", "strict"])
def test_reneges_cost_what_they_cost_in_a_match(policy: str) -> None:
    """One action in two is a renege where there is one; silent ones are recalled one time in two."""
    house = HouseRules.preset("limit", renege_policy=policy)
    chance, dice = SeededChance(b"reneges"), Random(5)
    match, reneges = Match(4, 20, house, chance), 0
    match.start()
    episode = Episode(EpisodeTerms(4, 20, house, reneges=True), chance)
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
    assert (episode.to_act, episode.view(), episode.rewarded) == (view.seat, view, False)
    recalls = [episode.counts(seat)[STARTS["decision"] + 5] for seat in range(view.seats)]
    assert recalls == [seat == view.seat for seat in range(view.seats)]
    cards = [CARD + card - FIRST_CARD for card in view.legal]
    assert [action for action, flag in enumerate(episode.legal()) if flag] == [PASS, *cards]
    if dice.random() < 0.5:
        episode.step(PASS)
    else:
        recall = Recall(dice.choice(view.legal))
        match.apply(view.seat, recall)
        episode.step(number_of(recall, view))


def test_a_finished_match_takes_no_action() -> None:
    house = HouseRules.preset("limit")
    episode = Episode(EpisodeTerms(2, 1, house), SeededChance(b"end"))
    while not episode.over:
        episode.step(episode.legal().index(1))
    with pytest.raises(InvalidAction, match="because the match is over: call reset"):
        episode.step(0)
    with pytest.raises(InvalidAction, match="this match is over"):
        episode.view()
