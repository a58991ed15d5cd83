"""Leaving never pays more than staying, passing when allowed, and playing the lowest legal card."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre.rules.actions import Choice, Decision, Declare, Draw, Fault, HandOver, Missing, Play, Stay
from bourre.rules.deck import SeededChance
from bourre.rules.events import DealEnded, Event
from bourre.rules.house import PRESETS, HouseRules
from bourre.rules.match import Match
from bourre.rules.visibility import View
from tests import strategies
from tests.sdk.random_answers import legal_answer

FAULTS = (Fault.DISCONNECTED, Fault.CRASHED, Fault.STALLED, Fault.OVER_LIMIT, Fault.START_FAILURE)


def modest(match: Match, view: View) -> Choice:
    """Passes when it may, stands pat, and plays the lowest legal card."""
    match view.decision:
        case Decision.DECLARE:
            return Declare(False)
        case Decision.DRAW:
            return Draw()
        case Decision.STAY:
            return Stay(False)
        case Decision.PLAY:
            return Play(view.legal[0])
    return match.deal.default()


def lively(view: View, dice: Random) -> Choice:
    """Mostly legal; now and then any card of the hand."""
    if view.decision == Decision.PLAY and dice.random() < 0.2:
        return Play(dice.choice(view.hand))
    return legal_answer(view, dice)


class Table:
    """A match of one deal, in which a seat answers `asks` times and then leaves or stays."""

    def __init__(self, house: HouseRules, seats: int, seed: bytes, asks: int, fault: Fault | None) -> None:
        self.match = Match(seats, 1, house, SeededChance(seed))
        self._asks = asks
        self._fault = fault
        self._seed = seed
        self.amid_renege = False
        """Whether it left or stayed when it was asked to correct its own renege."""

    def play(self, leaving: int) -> Iterator[Event]:
        """The events of the match."""
        match = self.match
        yield from match.start()
        while not match.over:
            seat = match.to_act
            if seat == leaving and not self._asks:
                self._asks = -1
                self.amid_renege = match.view(seat).correcting is not None
            if seat == leaving and self._asks < 0:
                yield from self._without_it(seat)
                continue
            self._asks -= seat == leaving
            view = match.view(seat)
            dice = Random(f"{self._seed.hex()} {seat} {view.decision} {view.hand} {view.correcting}")
            yield from match.apply(seat, lively(view, dice))

    def _without_it(self, seat: int) -> Iterator[Event]:
        """The house's answer for the seat, and the reason; or its modest twin's answer."""
        match, fault = self.match, self._fault
        if fault is None:
            yield from match.apply(seat, modest(match, match.view(seat)))
            return
        yield from match.apply(seat, Missing(fault))
        if not match.over:
            yield from match.apply(seat, HandOver())
        while not match.over and match.to_act == seat:
            yield from match.apply(seat, match.deal.default())
        self._fault = None


def chips_of(house: HouseRules, seats: int, seed: bytes, asks: int, leaving: int, fault: Fault | None) -> list[int]:
    """What the seat has when the deal is settled, and when the pot that was left has been shared out (R7.6).

    The latter not where it left instead of correcting a renege: then its first card stands, as it may have it by
    staying too, and the cards go another way, in which more of the pot may be left for all.
    """
    table = Table(house, seats, seed, asks, fault)
    (settled,) = [event for event in table.play(leaving) if isinstance(event, DealEnded)]
    chips = [settled.balances[leaving], table.match.ledger.balances[leaving]]
    return chips[:1] if table.amid_renege else chips


def assert_leaving_never_pays(house: HouseRules, seats: int, seed: bytes, fault: Fault) -> None:
    """For a seat, after a number of its decisions; the seed says which."""
    leaving, asks = seed[0] % seats, seed[1] % 8
    left = chips_of(house, seats, seed, asks, leaving, fault)
    stayed = chips_of(house, seats, seed, asks, leaving, None)
    assert all(lost <= kept for lost, kept in zip(left, stayed, strict=True)), (leaving, asks, left, stayed)


SEEDS = st.binary(min_size=32, max_size=32)


@pytest.mark.parametrize("preset", PRESETS)
@given(seats=st.integers(2, 7), seed=SEEDS, fault=st.sampled_from(FAULTS))
def test_by_no_preset_does_leaving_pay(preset: str, seats: int, seed: bytes, fault: Fault) -> None:
    assert_leaving_never_pays(HouseRules.preset(preset), seats, seed, fault)


@given(house=strategies.houses(), seats=st.integers(2, 7), seed=SEEDS)
def test_by_no_house_rules_does_leaving_pay(house: HouseRules, seats: int, seed: bytes) -> None:
    assert_leaving_never_pays(house, seats, seed, Fault.DISCONNECTED)
