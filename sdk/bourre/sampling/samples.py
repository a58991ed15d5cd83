"""Samples of the hidden cards, true to everything that a seat has seen."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from bourre.rules.cards import SUIT_CARDS, card_set, cards_in
from bourre.rules.errors import BourreError
from bourre.rules.visibility import View
from bourre.sampling.dealing import Dealing
from bourre.sampling.evidence import Evidence, evidence
from bourre.sampling.sampled import SampledDeal


class ImpossibleView(BourreError, ValueError):
    """No cards could lie so that all of this view is true: no match can have given it."""


def sample_deals(view: View, n: int, rng: Random | None = None) -> Iterator[SampledDeal]:
    """`n` ways in which the hidden cards may lie, at random: with `view.rng` unless another is given.

    In every one all that the seat has seen is true, and every deal for which that holds can come. Hands have their
    sizes; cards shown in a renege, or turned up and kept, are where they were; and every card played was legal from the
    hand that it left behind (R5, R6), so that a seat which did not follow has nothing of that suit. A seat barred from
    the pot may have reneged, so its plays prove nothing, nor does the last card under `renege_policy="silent"`. Own
    discards come back only if the stock was gathered (R4.4). A turned card is where the house has it (R3.2): with the
    dealer, nobody's, or in the stock from which others drew.

    Deals that fit are equally likely, but for the card turned up: a dealer who drew some cards, not all, is taken to
    have kept it in 19 cases of 20, as few throw a trump away. Why others passed, drew or led is not asked. Before
    trumps are named, `SampledDeal.named` says which they shall be. Raises ImpossibleView for a view that no match can
    give.
    """
    dice = rng or view.rng
    trumps = 0 if view.named is None else SUIT_CARDS[view.named]
    ways = [Dealing(way, trumps) for way in _ways(view)]
    for _ in range(n):
        yield _sample(view, ways, dice)


def _ways(view: View) -> tuple[Evidence, ...]:
    ways = evidence(view)
    if not ways or any(holding.unknown < 0 for way in ways for holding in way.holdings):
        raise ImpossibleView("in this view a seat has shown cards that it cannot have held")
    return ways


def _sample(view: View, ways: list[Dealing], dice: Random) -> SampledDeal:
    """A sample of one of these ways; a way in which nothing fits is struck off."""
    while ways:
        way = dice.choices(ways, [way.evidence.likelihood for way in ways])[0] if len(ways) > 1 else ways[0]
        filled = way.deal(dice)
        if filled is not None:
            return _sampled(view, way.evidence, filled, dice)
        ways.remove(way)
    raise ImpossibleView("in this view no hands of the others are true to what they played")


def _sampled(view: View, way: Evidence, filled: dict[int, int], dice: Random) -> SampledDeal:
    hands = [0] * view.seats
    hands[view.seat] = card_set(view.hand)
    for holding in way.holdings:
        hands[holding.seat] = holding.known | filled[holding.seat]
    rest = list(cards_in((way.pool | way.thrown) & ~sum(filled.values())))
    dice.shuffle(rest)
    return SampledDeal(view, tuple(map(cards_in, hands)), tuple(rest))
