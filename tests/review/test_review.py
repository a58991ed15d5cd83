"""A review finds what decisions cost: exactly where nothing is left to judge, and the same figures every time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Final

import numpy as np
import pytest

from bourre.bot import Bot
from bourre.practice import practice
from bourre.record import RecordedAsk, asks, read
from bourre.rules.actions import Choice, Declare, Draw, Fault, Missing, Play, Recall, Stay
from bourre.rules.cards import DECK, Card, show
from bourre.rules.deck import SeededChance
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.view import Renege, View
from bourre.sampling import sample_deals
from bourre.testing import view as view_of
from bourre_lab.batch_deals.choice_actions import action_of
from bourre_lab.champion import judge
from bourre_lab.review import (
    Reviewed,
    ReviewedDecision,
    mistakes,
    review_decisions,
    reviewable,
    unjudged,
    weighed_choices,
)
from bourre_lab.review.compared_choices import compared_choices
from bourre_lab.review.entered_deals import likely_deals
from bourre_lab.review.mistakes import LARGEST_POT
from bourre_lab.review.playing_out import Chips, ReviewQuestion, chips_of_choices
from bourre_referee.evaluation.review.habits import habits_of
from bourre_referee.evaluation.review.reviewed_play import KINDS, KindSummary, kind_of, summarize, worst
from tests.batch_deals.rule_matches import choice_of
from tests.sdk.random_answers import legal_answer

STRONG = "declare hand='AS KS QS JS TS' trump=S turned=5S seats=4 seat=1 dealer=3 pot=20"


class Anything(Bot):
    """Decides by its dice."""

    def declare(self, view: View) -> bool:
        return view.rng.random() < 0.8

    def draw(self, view: View) -> list[Card]:
        return [card for card in view.hand if view.rng.random() < 0.5][: view.max_discards]

    def play(self, view: View) -> Card:
        return view.rng.choice(view.legal)


def played(house: HouseRules, deals: int, seats: int = 3) -> Iterator[RecordedAsk]:
    """Returns the asks of the first seat in deals between bots that decide by their dice."""
    bots = {f"bot {number}": Anything for number in range(seats)}
    result = practice(bots, deals=deals, seed=5, house=house)
    return asks(read(result.matches[0].record), 0)


def one_ask(seen: View, action: Choice | Missing) -> RecordedAsk:
    return RecordedAsk(1, None, seen, (), action, None, 1)


def chips_of(view: View, *choices: Choice) -> list[list[float]]:
    """What each choice brings in each sample."""
    (chips,) = chips_of_choices([ReviewQuestion(view, choices, "a seed")], 4)
    assert chips.shape == (len(choices), 4)
    return [[float(one) for one in row] for row in chips]


@pytest.mark.parametrize("preset", ["limit", "booray", "indiana", "bicycle"])
def test_a_last_choice_brings_what_the_rules_say(preset: str) -> None:
    """With two cards left, who plays last to a trick leaves no choice to anybody."""
    house = replace(HouseRules.preset(preset), exempt_bourre=False, exempt_tied=False)
    last = [
        ask
        for ask in played(house, 60)
        if ask.view.decision == "play"
        and len(ask.view.hand) == 2
        and len(ask.view.trick) == len(ask.view.playing) - 1 < ask.view.pot <= LARGEST_POT
    ]
    assert last
    questions = [ReviewQuestion(one.view, tuple(map(Play, one.view.legal)), f"deal {one.view.deal}") for one in last]
    for question, chips in zip(questions, chips_of_choices(questions, 8), strict=True):
        view = question.view
        for sample, deal in enumerate(likely_deals(view, 8, question.seed)):
            for number, choice in enumerate(question.choices):
                assert isinstance(choice, Play)
                ended = deal.play_out(card=choice.card)
                left = (view.pot - sum(ended)) / view.seats
                assert chips[number, sample] == pytest.approx(ended[view.seat] + left)


@pytest.mark.parametrize(
    ("words", "brings"),
    [
        ({"tricks_won": "0"}, -20 + 30 / 2 + 2),
        ({"tricks_won": "0", "pot_limit": "none"}, -30 + 30 / 2 + 2),
        ({"tricks_won": "0", "exempt_bourre": "false"}, -20 + 30 / 2),
        ({"tricks_won": "0", "ante_when": "pot_empty"}, -20 + 30 / 2),
        ({"tricks_won": "0", "balances": "-15 -15"}, -20 + 30 / 2),
        ({"tricks_won": "1"}, (30 - 20) / 2),
        ({"tricks_won": "3"}, 20 + (30 - 20) / 2),
        ({"tricks_won": "2", "cards": "4"}, 30 / 2 + 2),
        ({"tricks_won": "2", "cards": "4", "exempt_tied": "false"}, 30 / 2),
    ],
)
def test_the_last_card_brings_the_settlement_with_its_exemption(words: dict[str, str], brings: float) -> None:
    last = view_of("play hand=2C trick=AH trump=S seats=2 pot=30 balances='-10 -20' ante=2", **words)
    assert chips_of(last, Play(Card("2C"))) == [[pytest.approx(brings)] * 4]


@pytest.mark.parametrize(
    ("text", "choices", "brings"),
    [
        # Seat 0 is in. Coming in costs 1: 4 chips are won, and seat 0 pays 4 into the next pot.
        ("declare plays='in ?' drawn='0 -' pot=3 preset=double_ante", (Declare(True), Declare(False)), [5, 0]),
        # Staying costs 3: 13 chips are won, and seat 0 pays as many.
        ("stay pot=10 declare_mode=separate second_ante=3 second_pass=true", (Stay(True), Stay(False)), [16.5, 0]),
        ("draw pot=10 plays='in in' drawn='0 -' declare_mode=separate", (Draw(),), [15]),
    ],
)
def test_what_is_paid_to_come_in_or_to_stay_is_taken_off(
    text: str, choices: tuple[Choice, ...], brings: list[float]
) -> None:
    best = "hand='AS KS QS JS TS' trump=S turned=2S trump_card=separate_dead seats=2 dealer=1 seat=1"
    assert chips_of(view_of(f"{text} {best}"), *choices) == [[pytest.approx(one)] * 4 for one in brings]


def test_nobody_knows_what_the_others_declare_at_the_same_time() -> None:
    """Seat 0 is asked first; where it comes in, it pays 10 into the next pot."""
    best = "hand='AS KS QS JS TS' trump=S turned=2S trump_card=separate_dead seats=2 dealer=1 seat=1"
    (chips,) = chips_of(view_of(f"declare pot=10 preset=simultaneous {best}"), Declare(True))
    assert 15 in chips


def test_passing_a_hand_that_takes_every_trick_is_a_mistake() -> None:
    ask = one_ask(view_of(STRONG), Declare(False))
    (judged,) = review_decisions([Reviewed("m0001", ask)])
    assert judged.is_mistake
    assert isinstance(judged.better, Declare)
    assert judged.better.plays
    assert judged.cost > 5
    pat = replace(ask, action=Declare(True))
    (kept,) = review_decisions([Reviewed("m0001", pat)])
    assert kept.cost < judged.cost
    favourite = max(judge(ask.view), key=lambda one: one.chips).choice
    (own,) = review_decisions([Reviewed("m0001", replace(ask, action=favourite))])
    assert (judged.defended, own.defended) == (False, True)
    assert (own.lost, own.lost_error) == (0, 0)
    assert judged.lost > 5 * judged.lost_error > 0
    assert worst([kept, judged], 10)[0] is judged


KNOWN: dict[str, dict[str, tuple[int, float, float]]] = {
    "limit": {"entry": (2, 2.375, 1.290), "follow": (2, 0.438, 0.388)},
    "separate_dealer_option": {"entry": (2, 0.125, 0.562), "lead": (1, -0.125, 0.085), "follow": (1, 0.000, 0.000)},
    "simultaneous": {"entry": (2, 2.219, 1.394), "draw": (1, 0.375, 0.523), "follow": (2, 1.000, 0.437)},
    "nba": {
        "entry": (2, 5.000, 1.038),
        "draw": (1, 0.875, 0.554),
        "lead": (1, 0.000, 0.000),
        "follow": (2, 0.188, 0.277),
    },
    "indiana": {
        "entry": (2, 9.729, 3.125),
        "draw": (1, -0.330, 0.715),
        "stay": (1, 1.938, 1.034),
        "lead": (2, 0.000, 0.000),
    },
    "double_ante": {"entry": (2, 9.500, 3.691), "follow": (2, 0.375, 0.858)},
}
"""By house and kind of decision: how many there are, what they lost, and the error of that sum."""


@pytest.mark.parametrize("preset", KNOWN)
def test_every_decision_of_every_house_can_be_reviewed_and_costs_what_it_does_today(preset: str) -> None:
    decisions = list(reviewable("m0001", played(HouseRules.preset(preset), 2, seats=4)))
    judged = review_decisions(decisions)
    assert len(judged) == len(decisions) > 0
    for one in judged:
        assert one.better in compared_choices(judge(one.ask.view), one.chosen, 99)
    kinds = summarize(judged)
    assert [one.kind for one in kinds] == [kind for kind in KINDS if kind in {one.kind for one in kinds}]
    assert {one.kind: one.decisions for one in kinds} == {kind: known[0] for kind, known in KNOWN[preset].items()}
    for summary, (_, *known) in zip(kinds, KNOWN[preset].values(), strict=True):
        assert [summary.lost, summary.error] == pytest.approx(known, rel=0.02, abs=0.1)


def test_decisions_cost_the_same_however_many_are_played_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    decisions = list(reviewable("m0001", played(HouseRules.preset("limit"), 2, seats=4)))
    together = review_decisions(decisions)
    sizes: list[int] = []

    def played_at_once(questions: list[ReviewQuestion], samples: int) -> list[Chips]:
        sizes.append(len(questions))
        return chips_of_choices(questions, samples)

    monkeypatch.setattr(mistakes, "_ROWS", 100)
    monkeypatch.setattr(mistakes, "chips_of_choices", played_at_once)
    apart = review_decisions(decisions)
    assert max(sizes[1:]) > 1
    assert [(one.better, one.samples) for one in apart] == [(one.better, one.samples) for one in together]
    assert [one.cost for one in apart] == pytest.approx([one.cost for one in together])


def test_only_lawful_answers_to_plain_questions_about_countable_pots_are_reviewed() -> None:
    seen = view_of("play hand='AS KH 2C' trick=QH trump=S")
    ask = one_ask(seen, Play(Card("KH")))
    troubles: dict[str, object] = {
        "barred": (1,),
        "recalled": ((1, Card("AC")),),
        "correcting": Renege(Card("2C"), "R5.2", 4),
        "pot": LARGEST_POT + 1,
    }
    text = "play hand='AS KH 2C' trick=QH trump=S"
    refused = [replace(ask, view=view_of(text, **{key: value})) for key, value in troubles.items()]
    refused += [replace(ask, action=Missing(Fault.LATE)), replace(ask, action=Play(Card("AS")))]
    refused += [replace(ask, recall=Recall(Card("AS")))]
    reasons = (
        ["after a renege or a fault"] * 3 + ["about a pot over 1,000,000,000 chips"] + ["without a legal answer"] * 2
    )
    assert list(map(unjudged, [*refused, ask])) == [*reasons, "about a card that was taken back", ""]
    large = replace(ask, view=replace(seen, pot=LARGEST_POT))
    assert [one.ask for one in reviewable("m0001", [*refused, ask, large])] == [ask, large]


def test_equal_choices_cost_nothing() -> None:
    """The ace and king of trumps are one as good as the other."""
    view = view_of("play hand='AS KS' trump=S turned=5S seats=4 pot=12")
    (judged,) = review_decisions([Reviewed("m0001", replace(one_ask(view, Play(Card("KS"))), number=5))])
    assert (judged.cost, judged.error) == (0, 0)


def test_the_chosen_the_most_promising_and_passing_are_compared() -> None:
    for text in (STRONG, "declare hand='2C 3D 4H 5C 7D' trump=S turned=5S seats=4 seat=1 dealer=3 pot=20"):
        seen, passing = view_of(text), Declare(False)
        judged = judge(seen)
        ranked = [one.choice for one in sorted(judged, key=lambda one: -one.chips)]
        for chosen in (passing, ranked[0], ranked[1], ranked[-1]):
            others = [choice for choice in ranked if choice != chosen]
            best = others[:4] if passing in (chosen, *others[:4]) else [*others[:3], passing]
            assert compared_choices(judged, chosen, 5) == (chosen, *best)
    assert len(compared_choices(judge(view_of("play hand='AS KH 2C' trump=S")), Play(Card("2C")), 2)) == 3


@pytest.mark.parametrize("preset", ["separate_dealer_option", "nba", "indiana"])
def test_the_number_of_a_choice_stands_for_that_choice(preset: str) -> None:
    match, dice = Match(4, 12, HouseRules.preset(preset), SeededChance(bytes(32))), Random(1)
    match.start()
    while not match.over:
        seen = match.view(match.to_act)
        choice = legal_answer(seen, dice)
        if isinstance(choice, Declare | Draw):
            choice = replace(choice, discards=tuple(sorted(choice.discards)))
        assert choice_of(action_of(choice, seen.hand), match, seen.seat) == choice
        match.apply(seen.seat, choice)


LIKELY: dict[str, list[str]] = {
    "seats=4 dealer=3 seat=2 plays='in pass ? ?' drawn='3 - - -'": [
        "4S 7C 7S JS QC |  | 2C 3D 9S KH AS | 2S 3S 4H 8C TC",
        "7H 8S TS AC AH |  | 2C 3D 9S KH AS | 2S 3H 5D 5S KC",
    ],
    "seats=4 dealer=3 seat=2 plays='in pass ? ?' preset=bicycle": [
        "3C 4D 6H TD JS |  | 2C 3D 9S KH AS | 4H 9C JH QD KS",
        "2D 5S 7S 8H QH |  | 2C 3D 9S KH AS | 6C 6S 7H JC KS",
    ],
    "seats=4 dealer=3 seat=3 plays='in in pass ?' preset=nba": [
        "6S TC TS JC QC | 3C 5D 9D JH KS |  | 2C 3D 9S KH AS",
        "2D 4S 9C 9H KS | 5S 7H 7S 9D TS |  | 2C 3D 9S KH AS",
    ],
    "seats=3 dealer=2 seat=2 plays='in in ?' drawn='2 1 -' turned=9S": [
        "6S 7S TD JS QS | 2S 4C 5S 8S KD | 2C 3D 9S KH AS",
        "4S 8S TC JH QS | 2S 3H 8D TS AC | 2C 3D 9S KH AS",
    ],
}
"""The hands of the first and the last of 40 sampled deals; those of the seats that came in are better than chance."""


@pytest.mark.parametrize("words", LIKELY)
def test_earlier_seats_hold_what_the_champion_would_have_come_in_with(words: str) -> None:
    seen = view_of(f"declare hand='AS KH 2C 3D 9S' trump=S {words}")
    deals = likely_deals(seen, 40, "a seed")
    assert len(deals) == 40
    assert [" | ".join(map(show, deal.hands)) for deal in deals[::39]] == LIKELY[words]
    for deal in deals:
        dead = () if seen.dead is None else (seen.dead,)
        assert sorted([*deal.rest, *dead, *(card for hand in deal.hands for card in hand)]) == list(DECK)
    assert likely_deals(seen, 40, "a seed") == deals != likely_deals(seen, 40, "another seed")


@pytest.mark.parametrize(
    "text",
    [
        "declare hand='AS KH 2C 3D 9S' trump=S preset=simultaneous",
        "declare hand='AS KH 2C 3D 9S' trump=S seat=0 dealer=3",
        "declare hand='AS KH 2C 3D 9S' trump=S seat=2 dealer=3 plays='pass pass ? ?'",
    ],
)
def test_where_nobody_came_in_before_any_deal_that_fits_will_do(text: str) -> None:
    assert likely_deals(view_of(text), 3, "a seed") == list(sample_deals(view_of(text), 3, Random("a seed")))


def judged_at(view: View, cost: float, error: float, samples: int = 128) -> ReviewedDecision:
    ask = one_ask(view, Declare(False))
    return ReviewedDecision("m0001", ask, Declare(True), cost, error, samples, 0.0, cost, error)


def test_half_of_the_samples_choose_and_the_other_half_measures() -> None:
    ask, chips = one_ask(view_of(STRONG), Declare(False)), np.array([[0.0, 0, 0, 0], [4, -2, 4, -6]])
    judged = mistakes._judge(Reviewed("m0001", ask), (Declare(False), Declare(True)), chips)
    assert (judged.better, judged.samples) == (Declare(False), 4)
    assert (judged.cost, judged.error) == pytest.approx((-2, math.sqrt(8) / 2))  # of -2, -6, 0 and 0


def test_what_a_decision_lost_is_told_by_the_first_samples_against_the_choice_made_without_any(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where only chance tells choices apart, the sum is neither too low nor too high, as the cost is."""
    asks = [replace(ask, action=Declare(False)) for ask, _, _ in islice(entries(), 24)]
    rng = np.random.default_rng(3)

    def by_chance(questions: list[ReviewQuestion], samples: int) -> list[Chips]:
        return [rng.normal(0, 10, (len(one.choices), samples)) for one in questions]

    monkeypatch.setattr(mistakes, "chips_of_choices", by_chance)
    judged = [one for seed in range(20) for one in review_decisions([Reviewed(f"{seed}", ask) for ask in asks])]
    (summary,) = summarize(judged)
    assert abs(summary.lost) < 3 * summary.error
    assert summary.error == pytest.approx(10 * math.sqrt(2 / 16 * len(judged)), rel=0.1)
    assert sum(one.cost for one in judged) < -2 * summary.error


def test_the_best_choices_are_judged_again() -> None:
    choices = (Declare(False), Declare(True), Declare(True, (Card("2C"),)), Declare(True, (Card("3C"),)))
    chips = np.array([[9.0, 9], [1, 3], [4, 2], [2, 2]])
    assert mistakes._best(choices, chips, 1) == (choices[0], choices[2])
    assert mistakes._best(choices, chips, 2) == (choices[0], choices[2], choices[1])


def test_the_seed_of_the_samples_names_the_decision_and_its_purpose() -> None:
    one = Reviewed("m0007", RecordedAsk(5, 2, view_of(STRONG), (), Declare(False), None, 1))
    question = mistakes._question(one, (one.chosen,), "second")
    assert (question.seed, question.choices[0]) == ("m0007 1 2 5 second", Declare(False))


def test_a_mistake_costs_more_than_chance_explains_and_a_share_of_the_pot() -> None:
    large, small = view_of(STRONG), view_of(STRONG.replace("pot=20", "pot=4"))
    assert judged_at(large, 2.1, 0.6).is_mistake
    for cost, error, samples in ((2.0, 0.1, 128), (3.0, 1.0, 128), (3.0, 0.1, 127)):
        assert not judged_at(large, cost, error, samples).is_mistake
    assert judged_at(small, 1.9, 0.18).is_mistake
    assert not judged_at(small, 0.4, 0.1).is_mistake


@pytest.mark.parametrize(
    ("cost", "error", "samples", "close"),
    [
        (-1.0, 1.4, 16, False),
        (1.0, 0.6, 16, True),
        (9.0, 0.6, 16, True),
        (9.0, 0.6, 128, False),
        (2.5, 0.3, 128, True),
        (2.5, 0.2, 128, False),
        (1.7, 0.2, 128, True),
        (1.5, 0.2, 128, False),
    ],
)
def test_a_close_judgement_is_made_again(cost: float, error: float, samples: int, close: bool) -> None:
    assert judged_at(view_of(STRONG), cost, error, samples).is_close == close


def test_a_dealer_s_discards_are_weighed_as_it_chose_with_the_turned_card_or_without() -> None:
    """The champion takes it, and the networks do not tell the two apart."""
    seen = view_of(
        "draw hand='2C 3D 4H 5C 9S' trump=S turned=AS seat=0 dealer=0 preset=separate_dealer_option "
        "declare_mode=separate"
    )
    best = max(judge(seen), key=lambda one: one.chips)
    assert isinstance(best.choice, Draw)
    assert best.choice.takes
    for takes in (False, True):
        ((_, weighed),) = weighed_choices("m0001", [one_ask(seen, replace(best.choice, takes=takes))])
        assert weighed[0] == (replace(best.choice, takes=takes), best.chips)
        assert len(weighed) == len(judge(seen))


JACK: Final = 11


def entries() -> Iterator[tuple[RecordedAsk, Declare, Card]]:
    """Asks that the champion answers by coming in with its highest trump, at least a jack; its answer; that trump."""
    for one in reviewable("m0001", played(HouseRules.preset("limit"), 80)):
        best = max(judge(one.ask.view), key=lambda judged: judged.chips).choice
        if not isinstance(best, Declare) or not best.plays:
            continue
        trumps = [card for card in one.ask.view.hand if card.suit == one.ask.view.trump]
        if trumps and trumps[-1].rank >= JACK and trumps[-1] not in best.discards:
            yield one.ask, best, trumps[-1]


def test_throws_of_the_highest_trump_are_marked_whatever_decides_the_samples() -> None:
    planted = []
    for ask, best, highest in islice(entries(), 12):
        discards = (*best.discards[: ask.view.max_discards - 1], highest)
        planted.append(replace(ask, action=Declare(True, tuple(sorted(discards)))))
    assert len(planted) == 12
    one, other = (review_decisions([Reviewed(seed, ask) for ask in planted]) for seed in ("one", "other"))
    marks = [judged.is_mistake for judged in one]
    assert marks == [judged.is_mistake for judged in other]
    assert sum(marks) >= 11
    (habit,) = habits_of(one)
    assert (habit.name, habit.times) == ("threw its highest trump", sum(marks))
    assert habit.cost == pytest.approx(sum(judged.cost for judged in one if judged.is_mistake))


def test_a_good_bot_gets_few_marks() -> None:
    judged = review_decisions([Reviewed("one", replace(ask, action=best)) for ask, best, _ in islice(entries(), 24)])
    assert len(judged) == 24
    assert sum(one.is_mistake for one in judged) <= 1


def test_a_summary_adds_up_each_kind_and_the_worst_come_first() -> None:
    lead, follow = (view_of(f"play hand='AS KH 2C' trump=S {trick}") for trick in ("", "trick=QH"))
    judged = [judged_at(follow, 10, 3), judged_at(follow, -1, 4, 16), judged_at(lead, 2, 1), judged_at(follow, 50, 0)]
    assert summarize(judged) == (KindSummary("lead", 1, 2, 1, 0), KindSummary("follow", 3, 59, 5, 2))
    assert [one.cost for one in worst(judged, 9)] == [50, 10]
    assert [one.cost for one in worst(judged, 1)] == [50]
    before = {"name_trump": "name trump", "declare": "entry", "draw": "draw", "stay": "stay"}
    assert {asked: kind_of(view_of(f"{asked} hand='AS KH 2C 3D 9S' trump=S")) for asked in before} == before
