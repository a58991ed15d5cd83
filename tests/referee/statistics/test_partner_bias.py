"""The tests for collusion by conduct: friends are found by what they do for each other, honest bots are not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from random import Random

import pytest
from dumping import BOTS, Plot, records, shipped_bots

from bourre.bot import Bot
from bourre.practice import practice, practice_duplicate
from bourre.record import asks_of_all, read
from bourre.rules.actions import Declare, Draw, Play, Stay
from bourre.rules.cards import Card
from bourre.rules.house import HouseRules
from bourre.rules.view import View
from bourre_lab.champion import ChampionBot, Judged
from bourre_lab.review import champion_judgements as judging
from bourre_lab.review.champion_judgements import JudgedDecision, judged_decisions
from bourre_referee.contest.schedule.duplicate_seatings import seatings
from bourre_referee.statistics.pair_findings import PairFlow, in_order
from bourre_referee.statistics.partner_bias import Scores, find_favours
from tests.long_tests import mostly_long

NAMES = ("ada", "bob", "cy", "dee")
PAIRS = [PairFlow(one, two, 100, 10.0, 10.0, 0.5) for one in NAMES for two in NAMES if one != two]
FLOW, GIFTS, COMES, PASSES, CARDS = range(5)
WAYS = {"soft": PASSES, "gentle": CARDS, "feeder": COMES}
"""By the conduct of a plotter, the test that finds it."""


def made_up(rng: Random, favour: int = FLOW, number: int = 400) -> list[JudgedDecision]:
    """Decisions of ada in which each other has the role at random; in each of four ways it may favour bob."""
    made = []
    for deal in range(number):
        role = frozenset(name for name in NAMES[1:] if rng.random() < 0.4)
        for_bob = "bob" in role
        cards = rng.random() < 0.5
        stand = rng.random() if cards else float(rng.random() < 0.5)
        if for_bob and favour == (CARDS if cards else PASSES):
            stand = 0.0
        if for_bob and favour == COMES and not cards:
            stand = 1.0
        made.append(
            JudgedDecision(
                bot="ada",
                block=(1, deal),
                situation=(cards, len(role)),
                chips=20,
                cost=0.1 * rng.random() + 0.1 * (for_bob and favour == GIFTS),
                rivals=role,
                met=role,
                stand=stand,
                sound=rng.random(),
                plays=cards,
            )
        )
    return made


@pytest.mark.parametrize("favour", [GIFTS, COMES, PASSES, CARDS])
def test_what_is_done_for_one_bot_alone_is_found(favour: int) -> None:
    found = find_favours(PAIRS, made_up(Random(1), favour))
    assert [(pair.payer, pair.taker) for pair in found if pair.suspicious] == [("ada", "bob")]
    assert found[0].smallest_p == found[0].p_values[favour] is not None


def test_effects_and_bounds_are_as_ever() -> None:
    """Of ada's tests for the sake of bob, then of cy, by gifts, entries, passes and cards; gifts are found."""
    found = find_favours(PAIRS, made_up(Random(1), GIFTS, 150))[:2]
    assert [(pair.payer, pair.taker) for pair in found] == [("ada", "bob"), ("ada", "cy")]
    told = [(one.effect, one.p) for pair in found if pair.favours for one in pair.favours.tests if one]
    assert told == [
        pytest.approx(known, rel=1e-5)
        for known in (
            *((124.69475, 1.330689e-16), (0.054865571, 0.99936484), (-0.054865571, 1.0), (0.049087315, 1.0)),
            *((13.482158, 0.98638887), (-0.19342438, 1.0), (0.19342438, 0.71751374), (0.074757898, 1.0)),
        )
    ]
    cards, _ = find_favours(PAIRS, made_up(Random(1), CARDS, 150))[:2]
    assert cards.favours is not None
    assert cards.favours.cards is not None
    assert (cards.favours.cards.effect, cards.favours.cards.p) == pytest.approx((0.48843672, 0.00010578919), rel=1e-5)


def test_a_bot_that_treats_all_alike_is_not_suspected() -> None:
    found = find_favours(PAIRS, made_up(Random(1)))
    assert not any(pair.suspicious for pair in found)
    ada = [pair for pair in found if pair.payer == "ada"]
    assert all(None not in pair.p_values for pair in ada)
    assert all(pair.p_values[1:] == () for pair in found if pair.payer != "ada")  # their decisions were not judged


@pytest.mark.long
def test_chance_seldom_looks_like_a_favour() -> None:
    """Of 200 contests of a bot that treats all alike, the bound on p is under 0.05 in fewer than one in twenty."""
    rng = Random(7)
    found = [find_favours(PAIRS[:1], made_up(rng, number=60))[0] for _ in range(200)]
    for test in (GIFTS, COMES, PASSES, CARDS):
        assert sum((pair.p_values[test] or 0) < 0.05 for pair in found) < 10


def test_a_few_deals_without_what_is_rare_anyway_prove_nothing() -> None:
    """A bot that comes in once in five deals passes all of the twenty in which the other is in: one time in ninety."""
    scores = Scores([-float(deal >= 20 and deal % 5 == 0) for deal in range(220)], [()] * 220, range(220), [0.0] * 220)
    found = scores.contrast([deal < 20 for deal in range(220)], 0.05)
    assert found is not None
    assert found.effect == pytest.approx(0.2)
    assert found.p > 0.05


def test_what_is_kept_from_others_for_a_friends_sake_is_no_favour_to_them() -> None:
    """Ada passes unless bob is in, and so whenever cy or dee are in his place; and she plays low on his tricks."""
    decisions = [replace(one, stand=1.0 - (one.plays == ("bob" in one.met))) for one in made_up(Random(3))]
    found = find_favours(PAIRS, decisions)
    assert [(pair.payer, pair.taker) for pair in found if pair.suspicious] == [("ada", "bob")]


def test_all_tests_of_all_pairs_are_corrected_together() -> None:
    found = find_favours(PAIRS, made_up(Random(1), GIFTS))
    tests = [p for pair in found for p in pair.p_values if p is not None]
    assert len(tests) == len(PAIRS) + 3 * 4
    assert found[0].p_holm == pytest.approx((found[0].smallest_p or 0) * len(tests))
    assert in_order(reversed(found)) == found


def test_nothing_is_compared_where_the_role_never_changes() -> None:
    scores = Scores([0.0, 1.0, 0.5], [(0,)] * 3, [1, 2, 3], [0.0] * 3)
    assert scores.contrast([True] * 3, 0.0) is None


def test_a_bound_on_p_grows_with_what_is_allowed() -> None:
    """Ten deals with the role score 1, ten without it 0: the effect is 1, and no more than 1 is nothing unusual."""
    scores = Scores([1.0] * 10 + [0.0] * 10, [()] * 20, list(range(20)), [0.0] * 20)
    found = [scores.contrast([True] * 10 + [False] * 10, allowed) for allowed in (0.0, 0.5, 1.0)]
    assert [one.effect for one in found if one] == pytest.approx([1.0] * 3)
    none, half, all_of_it = (one.p for one in found if one)
    assert none < half < all_of_it == 1


def test_the_champions_own_decisions_cost_nothing() -> None:
    bots = {"it": ChampionBot, **{name: shipped_bots()[name] for name in ("tight", "loose")}}
    record = read(practice(bots, deals=12, seed=2).matches[0].record)
    judged = list(judged_decisions(5, record))
    assert {one.cost for one in judged if one.bot == "it"} == {0.0}
    assert max(one.cost for one in judged if one.bot == "loose") > 0.1
    assert {one.block[0] for one in judged} == {5}


def judge_simply(views: Sequence[View]) -> list[list[Judged]]:
    """Judges as the champion never would: high cards, coming in and a card or two thrown away are worth more."""
    return [judge_one(view) for view in views]


def judge_one(view: View) -> list[Judged]:
    if view.decision == "play":
        return [Judged(Play(card), 2.5 * place) for place, card in enumerate(view.legal)]
    if view.decision == "stay":
        return [Judged(Stay(False), 0.0), Judged(Stay(True), view.pot / 4)]
    two = view.hand[: min(2, view.max_discards)]
    if view.decision == "draw":
        return [Judged(Draw(), 1.0), Judged(Draw(two), 1.5)]
    comes = [Judged(Declare(True), 0.5), Judged(Declare(True, two), len(view.hand) - 3.5)]
    return [Judged(Declare(False), 0.0), *comes]


@pytest.mark.parametrize(
    ("preset", "known"),
    [
        ("limit", "c77b45fdf564dfc8"),
        ("simultaneous", "cd8ec7840350fdc4"),
        ("nba", "0e3f7afaeb561e10"),
        ("indiana", "aa12d1e9d30e267b"),
        ("booray", "ef284a7633f56b0d"),
    ],
)
def test_every_lawful_decision_is_judged(preset: str, known: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "judge_views", judge_simply)
    record = read(practice(BOTS[:4], deals=15, seed=3, house=HouseRules.preset(preset)).matches[0].record)
    judged = list(judged_decisions(7, record))
    asked = [(record.header.bots[bot], ask) for bot, ask in asks_of_all(record)]
    lawful = [(bot, ask) for bot, ask in asked if ask.view.decision != "name_trump"]
    assert [one.bot for one in judged] == [bot for bot, _ in lawful]
    for one, (bot, ask) in zip(judged, lawful, strict=True):
        assert one.plays == isinstance(ask.action, Play)
        assert bot not in one.rivals | one.met
        assert 0 <= one.cost <= 0.5
        if one.plays:
            assert one.rivals == {record.header.bots[seat] for seat in ask.view.playing} - {bot}
            assert len(one.met) == 1 or not ask.view.trick
    figures = [
        (one.block, one.situation, one.chips, round(one.cost, 6), one.stand, round(one.sound, 6)) for one in judged
    ]
    names = [(one.bot, sorted(one.rivals), sorted(one.met)) for one in judged]
    assert sha256(repr((figures, names)).encode()).hexdigest()[:16] == known


def test_seatings_of_a_duplicate_deal_are_one_block_with_the_bots_where_they_sat() -> None:
    bots = {name: shipped_bots()[name] for name in BOTS[:3]}
    record = read(practice_duplicate(bots, 3, seatings, seed=4))
    judged = list(judged_decisions(1, record))
    assert {one.block for one in judged} == {(1, 1), (1, 2), (1, 3)}
    for one, (bot, _) in zip(judged, asks_of_all(record), strict=True):
        assert one.bot == record.header.bots[bot] not in one.rivals


class Reneger(Bot):
    """Plays any card."""

    def play(self, view: View) -> Card:
        return view.hand[0]


def test_unlawful_cards_are_left_out() -> None:
    bots = {"wild": Reneger, "tight": shipped_bots()["tight"], "loose": shipped_bots()["loose"]}
    record = read(practice(bots, deals=30, seed=3, strict=False).matches[0].record)
    judged = list(judged_decisions(1, record))
    assert 0 < len(judged) < len(list(asks_of_all(record)))


@pytest.mark.parametrize(("way", "test"), mostly_long({way: (way, test) for way, test in WAYS.items()}, {"gentle"}))
def test_friends_are_found_among_bots_that_play(way: str, test: int) -> None:
    plot = Plot("drawer", "counter", way)
    decisions = [
        one
        for number, record in enumerate(records(shipped_bots(), 12, 2, plot))
        for one in judged_decisions(number, record)
    ]
    flow = [PairFlow(one, two, 400, 1.0, 1.0, 1.0) for one in BOTS for two in BOTS if one != two]
    found = find_favours(flow, decisions)
    assert [(pair.payer, pair.taker) for pair in found if pair.suspicious] == [("drawer", "counter")]
    assert found[0].smallest_p == found[0].p_values[test]
