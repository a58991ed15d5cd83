"""What a player gains by branching deals is what it gains by playing each deal again in every seat."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from bourre.rules.house import HouseRules
from bourre_lab.batch_deals import CARD_ACTIONS, Asked, LockstepDeals, random_decks
from bourre_lab.batch_deals.card_sets import Ints, highest
from bourre_lab.batch_deals.table import BatchPlayer, play_deals, settled_chips
from bourre_lab.champion.batch_actions import BatchChampion
from bourre_lab.policy_gains import FirstDifference, SettledTable, measure_gains
from research.champion.examples import EXAMPLES

LIMIT = HouseRules.preset("limit")
DECKS = 1500
ENTRY = [FirstDifference.PASSES, FirstDifference.COMES_IN]
CARDS = [kind for kind in FirstDifference if kind >= FirstDifference.TRICK_1]


@dataclass(frozen=True, slots=True)
class HighCards(BatchPlayer):
    """Comes in as another player, but plays its highest legal card."""

    entry: BatchPlayer

    def actions(self, deals: LockstepDeals, rows: Ints, rng: np.random.Generator) -> Ints:
        if deals.asked[rows[0]] == Asked.PLAY:
            return highest(deals.legal_cards(rows)) + CARD_ACTIONS
        return self.entry.actions(deals, rows, rng)


def played_again(
    table: SettledTable, new: BatchPlayer, old: BatchPlayer, decks: Ints, seating: Ints
) -> NDArray[np.float32]:
    """What the new player wins more in each deal, the mean over the old one's seats; each is played for itself."""
    players = [old, *table.others, new]
    rng = np.random.default_rng(9)

    def chips(seated: Ints) -> NDArray[np.float32]:
        deals = LockstepDeals(table.house, table.seats)
        deals.reset(decks, table.seats)
        play_deals(deals, seated, players, rng)
        return settled_chips(deals)

    before, gains = chips(seating), np.zeros(len(decks), dtype=np.float32)
    for seat in range(table.seats):
        taken = seating[:, seat] == 0
        seated = seating.copy()
        seated[taken, seat] = len(players) - 1
        gains += np.where(taken, (chips(seated) - before)[:, seat], 0)
    shares: NDArray[np.float32] = gains / (seating == 0).sum(axis=1)
    return shares


@pytest.mark.parametrize("seats", [3, 6])
def test_where_only_cards_differ_each_deal_gains_exactly_what_it_does_played_again(seats: int) -> None:
    old = EXAMPLES["drawer"]
    table = SettledTable(LIMIT, seats)
    found = measure_gains(table, HighCards(old), old, 300, seed=4)
    decks = random_decks(300, np.random.default_rng([4, 0]))
    known = played_again(table, HighCards(old), old, decks, np.zeros((300, seats), dtype=np.int64))
    np.testing.assert_allclose(found.chips.sum(axis=1), known, atol=1e-5)
    assert known.any()
    assert found.counts[CARDS].sum() == found.counts.sum() > 50


@pytest.mark.parametrize(
    ("house", "others"),
    [("limit", ()), ("limit", ("counter", "follower")), ("separate_dead", ()), ("simultaneous", ()), ("indiana", ())],
)
def test_where_the_entry_differs_the_mean_is_that_of_deals_played_again(house: str, others: tuple[str, ...]) -> None:
    table = SettledTable(HouseRules.preset(house), 3, tuple(EXAMPLES[name] for name in others))
    new, old = EXAMPLES["loose"], EXAMPLES["tight"]
    found = measure_gains(table, new, old, DECKS, seed=1)
    rng = np.random.default_rng(2)
    seating = rng.random((DECKS, 3)).argsort(axis=1) if others else np.zeros((DECKS, 3), dtype=np.int64)
    known = played_again(table, new, old, random_decks(DECKS, rng), seating) * 100
    error = np.hypot(found.total.half_width / 1.96, known.std() / np.sqrt(DECKS))
    assert abs(found.total.mean - known.mean()) < 3 * error
    assert abs(known.mean()) > 4 * error
    assert found.of(ENTRY).mean + found.of(set(FirstDifference) - set(ENTRY)).mean == pytest.approx(found.total.mean)
    assert found.counts[ENTRY].sum() > 150


def test_the_same_player_gains_exactly_nothing_with_the_same_dice_and_something_with_a_known_weakness() -> None:
    blurred = BatchChampion(blur=0.1)
    table = SettledTable(LIMIT, 4, (EXAMPLES["drawer"], EXAMPLES["tight"], blurred))
    same = measure_gains(table, blurred, blurred, 100, seed=3)
    assert not same.chips.any()
    assert not same.counts.any()
    sure = BatchChampion()
    champion, again = (measure_gains(SettledTable(LIMIT, 4), sure, blurred, 500, seed=3) for _ in range(2))
    np.testing.assert_array_equal(again.chips, champion.chips)
    assert champion.total.mean > 2 * champion.total.half_width > 0
