"""Measures how much luck a critic that sees all hands takes out of lessons: `python research/measurements/critic.py`.

After the draws, the hands alone decide what a deal brings, so the critic learns it from played deals. The luck of the
draws is what it says of these hands beyond the mean of what it says of the same hands with other draws. Without it, a
lesson before the play varies less, and its mean is the same.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import process_time
from typing import Final, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from bourre.rules.house import HouseRules
from bourre_lab.batch_deals import Asked, LockstepDeals, random_decks
from bourre_lab.batch_deals.card_sets import Flags, Ints, Sets, sets_of
from bourre_lab.batch_deals.table import chosen_actions, settled_chips
from bourre_lab.champion.network_inputs import one_hot, ordered_bits, suit_order
from bourre_lab.champion.weights import CHAMPION, Floats, NeuralNetwork, frozen_networks
from research.champion.adam import Trained
from research.champion.league import POT
from research.champion.lessons import EPSILON
from research.champion.network_players import Judge
from research.champion.random_network import new_network

HOUSE: Final = HouseRules.preset("limit", pot_limit=None, ante=0)
DEALS: Final = 50_000
"""The deals that are played at once."""
HIDDEN: Final = (512, 256)
PASSES: Final = 6
BATCH: Final = 512
FIRST_RATE, LAST_RATE = 1e-3, 2e-5


class Played(NamedTuple):
    """Deals when the play began, a row for each seat that was in; their arrays have a place for each seat of a deal."""

    hands: Sets
    plays: Flags
    drawn: Ints
    stock: Ints
    """The undealt cards before the draws, from the top, of shape (rows, cards)."""
    trump: Ints
    leader: Ints
    seats: Ints
    brought: Floats
    """What the deal brought the seat, as a share of the pot."""


def play(seats: int, rng: np.random.Generator) -> Played:
    """Plays deals among champions, who explore before the play as in training."""
    networks, nobody = frozen_networks(CHAMPION), np.zeros((DEALS, seats), dtype=np.int64)
    champion = Judge(networks.entry, networks.cards)
    explorer = Judge(networks.entry, networks.cards, epsilon=EPSILON)
    decks = random_decks(DEALS, rng)
    deals = LockstepDeals(HOUSE, seats)
    deals.reset(decks, POT)
    while (deals.asked < Asked.PLAY).any():
        actions = chosen_actions(deals, nobody, [explorer], rng)
        deals.step(actions, np.flatnonzero(deals.asked < Asked.PLAY))
    at = np.flatnonzero((deals.asked == Asked.PLAY) & ~deals.state.stocks.replenished)
    deals = deals.at(at)
    begun, leader = deals.at(np.arange(len(at))).state, deals.to_act.copy()
    while not deals.all_over:
        deals.step(chosen_actions(deals, nobody[at], [champion], rng))
    rows, own = np.nonzero(begun.plays == 1)
    return Played(
        begun.hands[rows],
        begun.plays[rows] == 1,
        np.maximum(begun.drawn[rows], 0),
        decks[at[rows], seats * HOUSE.cards :],
        begun.trump[rows],
        leader[rows],
        own,
        settled_chips(deals, POT)[rows, own],
    )


def features(played: Played, hands: Sets) -> Floats:
    """Returns what the critic sees: these hands from the seat on, who is in, and who leads."""
    rows, count = np.arange(len(hands)), hands.shape[1]
    order = suit_order(hands[rows, played.seats], played.trump)
    parts = [one_hot((played.leader - played.seats) % count, count)]
    for step in range(count):
        seats = (played.seats + step) % count
        plays = played.plays[rows, seats]
        parts += [ordered_bits(np.where(plays, hands[rows, seats], np.uint64(0)), order), plays[:, None]]
    return np.concatenate(parts, axis=1, dtype=np.float32)


def luck(critic: NeuralNetwork, played: Played, others: int) -> Floats:
    """Returns how much more these draws brought than the mean of so many others, as the critic says."""
    stock = sets_of(played.stock)
    drawn = played.drawn * played.plays
    ends = drawn.cumsum(axis=1)
    kept = played.hands & ~np.bitwise_or.reduce(stock, axis=1)[:, None]
    values: Floats = critic(features(played, played.hands))[:, 0]
    for number in range(1, others + 1):
        turned = np.roll(stock, number * stock.shape[1] // (others + 1), axis=1)
        tops = np.pad(np.bitwise_or.accumulate(turned, axis=1), ((0, 0), (1, 0)))
        fresh = np.take_along_axis(tops, ends, axis=1) & ~np.take_along_axis(tops, ends - drawn, axis=1)
        values -= critic(features(played, kept | fresh))[:, 0] / others
    return values


def trained(lessons: list[Played], rng: np.random.Generator) -> NeuralNetwork:
    """Returns a critic that has learnt these deals."""
    sizes = features(lessons[0], lessons[0].hands[:1]).shape[1], *HIDDEN, 1
    critic, steps = Trained(new_network(sizes, rng)), 0
    for part in [lessons[at] for _ in range(PASSES) for at in rng.permutation(len(lessons))]:
        rate = LAST_RATE + (FIRST_RATE - LAST_RATE) * (1 + np.cos(np.pi * steps / PASSES / len(lessons))) / 2
        order, steps = rng.permutation(len(part.seats)), steps + 1
        for begin in range(0, len(order), BATCH):
            some = Played(*(column[order[begin : begin + BATCH]] for column in part))
            known = np.ones((len(some.seats), 1), dtype=np.bool_)
            critic.fit(features(some, some.hands), known, some.brought[:, None], rate)
    return critic.average


def main() -> None:
    """Prints the variance with and without luck, and the processor time of both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seats", type=int, default=5)
    parser.add_argument("--parts", type=int, default=6, help=f"how many times {DEALS:,} deals it learns from")
    told = parser.parse_args()
    rng, begun = np.random.default_rng(told.seats), process_time()
    critic = trained([play(told.seats, rng) for _ in range(told.parts)], rng)
    print(f"{told.seats} seats, {told.parts * DEALS:,} deals learnt in {process_time() - begun:.0f} s")
    begun = process_time()
    fresh = play(told.seats, rng)
    playing = process_time() - begun
    all_luck, left = fresh.brought.var(), (fresh.brought - critic(features(fresh, fresh.hands))[:, 0]).var()
    print(f"the critic explains {1 - left / all_luck:.2f} of what deals bring")
    for others in (2, 4, 8):
        begun = process_time()
        without = (fresh.brought - luck(critic, fresh, others)).var()
        extra = (process_time() - begun) / playing
        print(f"{others} other draws: {without / all_luck:.2f} of the variance in {1 + extra:.2f} times the time")


if __name__ == "__main__":
    main()
