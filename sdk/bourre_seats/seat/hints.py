"""Hints for a person: the legal cards, and the value of each choice over sampled deals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bourre.rules.actions import Choice, Decision, Declare, Draw, NameTrump, Play, Stay
from bourre.rules.cards import Card, Suit
from bourre.rules.view import View
from bourre.sampling import SampledDeal, sample_deals

SAMPLES = 200
"""The sampled deals of a hint. With so many, a difference of one chip between choices is seldom chance."""
KING, ACE = 13, 14
ENTRY = "Others are guessed to come in with three trumps or a high one."
PLAYOUT = "Everyone then leads high and wins cheaply."
"""The assumptions of an estimate about all seats."""


@dataclass(frozen=True, slots=True)
class HintEstimate:
    """A choice and its average outcome."""

    choice: Choice
    chips: float
    """The average gain from here on, in chips. Past payments do not count."""


@dataclass(frozen=True, slots=True)
class Hint:
    """The estimates over the sampled deals, the best choice first."""

    legal: tuple[Card, ...]
    """The legal cards; empty unless the question is for a card."""
    estimates: tuple[HintEstimate, ...]
    samples: int


Trial = Callable[[SampledDeal], tuple[int, ...]]
"""Plays a sampled deal to its end after a choice, and returns the chips of each seat."""


def give_hint(view: View, samples: int = SAMPLES) -> Hint:
    """Estimates every sensible choice over the same sampled deals, so that all choices have the same luck.

    Takes up to a second. Raises ImpossibleView for a view that cannot be from a match.
    """
    trials = _trials(view)
    totals = [0] * len(trials)
    for deal in sample_deals(view, samples):
        for number, (_, play_out) in enumerate(trials):
            totals[number] += play_out(deal)[view.seat]
    estimates = [HintEstimate(choice, total / samples) for (choice, _), total in zip(trials, totals, strict=True)]
    estimates.sort(key=lambda one: -one.chips)
    return Hint(view.legal if view.decision == Decision.PLAY else (), tuple(estimates), samples)


def _trials(view: View) -> list[tuple[Choice, Trial]]:
    match view.decision:
        case Decision.PLAY:
            return [(Play(card), _after_card(card)) for card in view.legal]
        case Decision.DECLARE if view.house.declares_in_turn:
            plays = [(Declare(True, cards), _after_draw(cards)) for cards in _discards(view)]
            return [(Declare(False), _leaving), *plays]
        case Decision.DECLARE:
            return [(Declare(False), _leaving), (Declare(True), _after_draw(tuple(weak(view.hand, view))))]
        case Decision.DRAW:
            return [(Draw(cards), _after_draw(cards)) for cards in _discards(view)]
        case Decision.NAME_TRUMP:
            return [(NameTrump(suit), _after_naming(suit)) for suit in Suit]
        case Decision.STAY:
            return [(Stay(True), _staying(view.house.cost_to_enter)), (Stay(False), _leaving)]


def _leaving(deal: SampledDeal) -> tuple[int, ...]:
    return (0,) * deal.view.seats


def _after_card(card: Card) -> Trial:
    return lambda deal: deal.play_out(card=card)


def _after_draw(cards: tuple[Card, ...]) -> Trial:
    return lambda deal: _others_enter(deal.drawn(deal.view.seat, cards)).play_out()


def _after_naming(suit: Suit) -> Trial:
    def play_out(deal: SampledDeal) -> tuple[int, ...]:
        named = deal.named(suit)
        own = weak(named.hands[named.view.seat], named.view)
        return _others_enter(named.drawn(named.view.seat, own)).play_out()

    return play_out


def _staying(ante: int) -> Trial:
    return lambda deal: tuple(chips - ante for chips in deal.play_out())


def _discards(view: View) -> Iterator[tuple[Card, ...]]:
    """Yields sensible exchanges: none, then one or more of the weakest cards, other suits before trumps."""
    order = sorted(view.hand, key=lambda card: (card.suit == view.trump, card))
    most = len(weak(view.hand, view)) + 1
    return (tuple(sorted(order[:number])) for number in range(min(most, view.max_discards) + 1))


def _others_enter(deal: SampledDeal) -> SampledDeal:
    """Returns the deal after the later seats have passed, or come in and drawn."""
    view = deal.view
    for turn in range(1, view.seats):
        seat = (view.seat + turn) % view.seats
        hand = deal.hands[seat]
        if view.plays[seat] and view.drawn[seat] is None:
            deal = deal.drawn(seat, weak(hand, view))
        elif view.plays[seat] is None:
            deal = deal.drawn(seat, weak(hand, view)) if _comes_in(hand, view) else deal.passed(seat)
    return deal


def _comes_in(hand: tuple[Card, ...], view: View) -> bool:
    trumps = [card for card in hand if card.suit == view.trump]
    return len(trumps) >= 3 or any(card.rank >= KING for card in trumps)


def weak(hand: tuple[Card, ...], view: View) -> list[Card]:
    """Returns the cards other than trumps and aces, which most players would exchange."""
    return [card for card in hand if card.suit != view.trump and card.rank < ACE][: view.max_discards]
