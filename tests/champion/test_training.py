"""The training learns, repeats itself from its seed, and resumes; its examples play as those of `examples/`."""

from __future__ import annotations

from dataclasses import replace
from math import erfc, sqrt
from pathlib import Path

import numpy as np
import pytest

from bourre.bot_code.bot_file import load
from bourre.bot_code.decisions import decide_now
from bourre.rules.house import HouseRules
from bourre_lab.batch_deals import CARD_ACTIONS, Asked, LockstepDeals, random_decks
from bourre_lab.batch_deals.action_numbers import COME_IN
from bourre_lab.batch_deals.card_sets import SUIT_SETS, count, lowest
from bourre_lab.batch_deals.table import play_deals, settled_chips
from bourre_lab.champion.entered_hands import EnteredHands
from bourre_lab.champion.network_inputs import entry_features
from bourre_lab.champion.weights import CHAMPION, frozen_networks
from bourre_lab.policy_gains import FirstDifference, SettledTable, measure_gains
from research.champion import checkpoint, imitation, lessons, train
from research.champion.adam import Trained
from research.champion.examples import EXAMPLES
from research.champion.league import POT, Tables
from research.champion.monte_carlo import MonteCarlo, sample_play
from research.champion.network_players import Judge
from research.champion.random_network import new_network
from research.champion.searching_player import SearchingPlayer
from tests.batch_deals.rule_matches import SameDeals, choice_of, never

COMPANY = train.company()
EXAMPLE = Path(__file__).parents[2] / "examples/monte_carlo.py"


def test_a_network_learns_the_known_values() -> None:
    rng = np.random.default_rng(2)
    inputs = rng.standard_normal((256, 4)).astype(np.float32)
    known = rng.random((256, 4)) < 0.5
    targets = np.where(known, inputs, 99).astype(np.float32)
    trained = Trained(new_network((4, 32, 4), rng))
    errors = [trained.fit(inputs, known, targets, 5e-3) for _ in range(200)]
    assert errors[-1] < errors[0] / 10


def test_differences_are_learnt_first() -> None:
    rng = np.random.default_rng(3)
    inputs = rng.standard_normal((512, 4)).astype(np.float32)
    known = np.ones((512, 2), dtype=np.bool_)
    luck = rng.standard_normal((512, 1)) * 3
    targets = (luck + np.stack([inputs[:, 0], -inputs[:, 0]], axis=1)).astype(np.float32)
    errors = []
    for contrast in (1.0, 10.0):
        trained = Trained(new_network((4, 32, 2), np.random.default_rng(4)), averaged=0.9)
        for _ in range(60):
            trained.fit(inputs, known, targets, 3e-3, contrast)
        outputs = trained.average(inputs)
        errors.append(((outputs - targets) @ [1, -1]).std())
    assert errors[1] < 0.7 * errors[0]


def test_a_training_resumed_is_the_training_unbroken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"SEATS": 1500, "SIZES": 2, "ANCESTOR_EVERY": 1}.items():
        monkeypatch.setattr(train, name, value)
    path, end = tmp_path / "checkpoint.npz", tmp_path / "end.npz"
    plan = train.Plan(iterations=2, cards_hidden=(64, 32))
    unbroken, broken = train.start(path, plan), train.start(path, plan)
    train.learn(broken, plan, COMPANY)
    checkpoint.save(broken, path)
    for learner in (unbroken, resumed := train.start(path, plan)):
        while learner.iteration < 2:
            train.learn(learner, plan, COMPANY)
        checkpoint.save(learner, end if learner is resumed else path)
    assert len(resumed.ancestors) == 3
    with np.load(path) as one, np.load(end) as other:
        assert one.files == other.files
        for name in one.files:
            np.testing.assert_array_equal(one[name], other[name], name)


def test_a_response_begins_as_a_copy_alone_among_those_it_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"SEATS": 1500, "SIZES": 1}.items():
        monkeypatch.setattr(train, name, value)
    plan, before = train.Plan(response_to="champion_1"), frozen_networks("champion_1").cards.weights[0].copy()
    learner = train.start(Path("none"), plan)
    np.testing.assert_array_equal(learner.cards.network.weights[0], before)
    train.learn(learner, plan, COMPANY)
    assert not np.array_equal(learner.cards.network.weights[0], before)
    np.testing.assert_array_equal(frozen_networks("champion_1").cards.weights[0], before)


def test_a_copy_that_goes_on_as_the_deal_brings_what_the_deal_brings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lessons, "EPSILON", 0.0)
    monkeypatch.setattr(lessons, "NOISE", 0.0)
    monkeypatch.setattr(lessons, "COPIED", {False: 1.0, True: 1.0})
    networks, seats = frozen_networks(CHAMPION), 4
    nothing = np.zeros(1, dtype=np.float32)
    tables = Tables(HouseRules.preset("limit"), seats, np.zeros((1, seats), dtype=np.int64), nothing)
    others = 0
    for seed in range(20):
        deals = LockstepDeals(tables.house, seats)
        deals.reset(random_decks(1, np.random.default_rng(seed)), POT)
        judge = Judge(networks.entry, networks.cards)
        play_deals(deals, tables.seating, [judge], np.random.default_rng(seed))
        ends = settled_chips(deals)[0] / POT
        found = lessons.branched_lessons(tables, networks, lambda _: [], np.random.default_rng(seed))
        for network, kind in zip((networks.entry, networks.cards), found, strict=True):
            counts = kind.tried.sum(axis=1)
            assert ((counts > 1) & (counts <= lessons.TRIED)).all()
            best = np.where(kind.tried, network(kind.inputs), -np.inf).argmax(axis=1)
            taken = kind.brought[np.arange(len(best)), best]
            assert np.isclose(taken[:, None], ends).any(axis=1).all()
            others += int((kind.tried & ~np.isclose(kind.brought, taken[:, None])).sum())
    assert others > 100


def test_the_lockstep_monte_carlo_mostly_decides_as_the_example() -> None:
    bot, player, rng = load(str(EXAMPLE))(), MonteCarlo(), np.random.default_rng(4)
    same = SameDeals(HouseRules.preset("limit"), 4, 6, rng)
    agreed: dict[bool, list[bool]] = {False: [], True: []}
    for legal in same.steps():
        for row in same.open_rows():
            if legal[row].sum() < 2:
                continue
            match = same.matches[row]
            (action,) = player.actions(same.deals, np.array([row]), rng).tolist()
            chosen = decide_now(bot, match.view(match.to_act), never)
            agreed[same.deals.asked[row] == Asked.PLAY].append(choice_of(action, match, match.to_act) == chosen)
    assert len(agreed[False]) > 15
    assert len(agreed[True]) > 15
    assert np.mean(agreed[False]) > 0.75
    assert np.mean(agreed[True]) > 0.6


def test_an_imitator_errs_alike_in_copies_of_a_deal_and_normally_between_deals() -> None:
    player, deals, rows = imitation.load(), LockstepDeals(HouseRules.preset("limit"), 4), np.arange(4000)
    deals.reset(random_decks(len(rows), np.random.default_rng(6)), 4)
    entered, again = (player.actions(deals, rows, np.random.default_rng(seed)) for seed in (1, 2))
    np.testing.assert_array_equal(entered, again)
    sure = replace(player, entry_error=0.0).actions(deals, rows, np.random.default_rng(1))
    inputs, _ = entry_features(deals.state, rows, np.zeros(len(rows), dtype=np.float32), deals.house)
    chances = [erfc(abs(value) / player.entry_error / sqrt(2)) / 2 for value in player.entry(inputs)[:, 0].tolist()]
    assert np.mean(entered != sure) == pytest.approx(np.mean(chances), abs=0.012)
    assert np.mean(chances) > 0.05


def test_sampled_hands_favour_no_seat() -> None:
    rng = np.random.default_rng(5)
    deals = LockstepDeals(HouseRules.preset("limit"), 5)
    deals.reset(random_decks(1, rng), 5)
    for _ in range(5):
        deals.step(np.full(1, COME_IN))
    while not deals.state.barred_cards[0].any() or deals.state.in_trick[0]:
        deals.step(lowest(deals.legal_cards(np.arange(1))) + CARD_ACTIONS)
    state, me = deals.state, int(deals.to_act[0])
    free = [seat for seat in range(4) if seat != me and not state.barred_cards[0, seat]]
    barred = np.bitwise_or.reduce(state.barred_cards[0])
    assert len(free) > 1
    sampled = sample_play(deals, np.zeros(5000, dtype=np.int64), rng)
    first, second = (count(sampled.hands[:, seat] & barred).mean() for seat in free[:2])
    assert first > 0.3
    assert abs(first - second) < 0.05


FOLDER = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("seats", [3, 6])
def test_an_example_decides_as_its_bot(name: str, seats: int) -> None:
    bot = load(str(FOLDER / f"{name}.py"))()
    player, rng = EXAMPLES[name], np.random.default_rng(seats)
    same = SameDeals(HouseRules.preset("limit"), seats, 25, rng)
    plays = 0
    for _ in same.steps():
        for row in same.open_rows():
            match = same.matches[row]
            (action,) = player.actions(same.deals, np.array([row]), rng).tolist()
            chosen = decide_now(bot, match.view(match.to_act), never)
            assert choice_of(action, match, match.to_act) == chosen
            plays += int(same.deals.asked[row] == Asked.PLAY)
    assert plays > 80


def test_a_search_plays_other_cards_only_in_its_tricks_and_only_where_several_are_promising() -> None:
    networks = frozen_networks(CHAMPION)
    champion, house = Judge(networks.entry, networks.cards), HouseRules.preset("limit")
    entered = EnteredHands(champion, house, 4, np.random.default_rng(1), decks=500)
    table = SettledTable(house, 4)
    search = SearchingPlayer(champion, entered, {1}, 8, margin=0.3, errors=-1.0)
    counts = measure_gains(table, search, champion, 60, seed=5).counts
    assert counts[FirstDifference.TRICK_2] == counts.sum() > 5
    alone = SearchingPlayer(champion, entered, {0, 1, 2, 3}, 8, margin=0.0)
    assert not measure_gains(table, alone, champion, 60, seed=5).counts.any()


def test_hands_with_more_trumps_are_likelier_where_few_cards_were_drawn() -> None:
    networks = frozen_networks(CHAMPION)
    champion, house = Judge(networks.entry, networks.cards), HouseRules.preset("limit")
    entered = EnteredHands(champion, house, 3, np.random.default_rng(1), decks=3000)
    deals = LockstepDeals(house, 3)
    deals.reset(random_decks(4000, np.random.default_rng(2)), 3)
    state = deals.state
    state.plays[:], state.drawn[:], me = [1, 1, 0], [5, 1, -1], np.zeros(4000, dtype=np.int64)
    trumps = count(state.hands[:, 1] & SUIT_SETS[state.trump])
    weights = entered.log_weights(state, me)
    assert weights[trumps >= 3].mean() > 1 > -1 > weights[trumps == 0].mean()
    state.drawn[:, 1] = 5
    assert np.ptp(entered.log_weights(state, me)) < np.ptp(weights)
    state.plays[:], state.drawn[:, 2] = [1, 0, 1], 5
    assert np.ptp(entered.log_weights(state, me)) < 0.01, "a dealer who draws five, as the champion never does"
