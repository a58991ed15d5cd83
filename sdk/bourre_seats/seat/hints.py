"""Hints for a person: the legal cards, and the value of each choice over sampled deals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from math import sqrt

from bourre.rules.actions import Choice, Decision, Declare, Draw, NameTrump, Play, Stay
from bourre.rules.cards import Card, Suit
from bourre.rules.view import View
from bourre.sampling import SampledDeal, sample_deals

SAMPLES = 200
"""The sampled deals of a hint. With so many, a difference of one chip between choices is seldom chance."""
CLOSE_ERRORS = 2.0
"""Choices within this many standard errors of the best one count as equally good."""
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
    lag: float = 0.0
    """The chips by which the best choice is better."""
    error: float = 0.0
    """The standard error of the lag."""

    @property
    def is_best(self) -> bool:
        """Whether no other choice is better, as far as the samples can tell."""
        return self.lag <= CLOSE_ERRORS * self.error


@dataclass(frozen=True, slots=True)
class Hint:
    """The estimates over the sampled deals, the best choice first."""

    legal: tuple[Card, ...]
    """The legal cards; empty unless the question is for a card."""
    estimates: tuple[HintEstimate, ...]
    samples: int


Trial = Callable[[SampledDeal], tuple[int, ...]]
"""Plays a sampled deal to its end after a choice, and returns the chips of each seat."""


def give_hint(view: View, samples: int = SAMPLES, also: Iterable[Choice] = ()) -> Hint:
    """Estimates every sensible choice, and `also` these, over the same sampled deals, so that all have the same luck.

    Takes up to a second. Raises ImpossibleView for a view that cannot be from a match.
    """
    choices = list(dict.fromkeys([*_sensible(view), *map(with_sorted_cards, also)]))
    trials = [_trial(view, choice) for choice in choices]
    gains: list[list[int]] = [[] for _ in trials]
    for deal in sample_deals(view, samples):
        for play_out, gained in zip(trials, gains, strict=True):
            gained.append(play_out(deal)[view.seat])
    best = max(gains, key=sum)
    estimates = [_estimate(choice, gained, best) for choice, gained in zip(choices, gains, strict=True)]
    estimates.sort(key=lambda one: -one.chips)
    return Hint(view.legal if view.decision == Decision.PLAY else (), tuple(estimates), samples)


def with_sorted_cards(choice: Choice) -> Choice:
    """Returns the choice with its discards in order, so that equal choices compare equal."""
    return replace(choice, discards=tuple(sorted(choice.discards))) if isinstance(choice, Declare | Draw) else choice


def _estimate(choice: Choice, gains: list[int], best: list[int]) -> HintEstimate:
    samples = len(gains)
    lags = [most - gain for most, gain in zip(best, gains, strict=True)]
    lag = sum(lags) / samples
    spread = sum((one - lag) ** 2 for one in lags) / max(1, samples - 1)
    return HintEstimate(choice, sum(gains) / samples, lag, sqrt(spread / samples))


def _sensible(view: View) -> Iterable[Choice]:
    match view.decision:
        case Decision.PLAY:
            return map(Play, view.legal)
        case Decision.DECLARE if view.house.declares_in_turn:
            return (Declare(False), *(Declare(True, cards) for cards in _discards(view)))
        case Decision.DECLARE:
            return (Declare(False), Declare(True))
        case Decision.DRAW:
            return map(Draw, _discards(view))
        case Decision.NAME_TRUMP:
            return map(NameTrump, Suit)
        case Decision.STAY:
            return (Stay(True), Stay(False))


def _trial(view: View, choice: Choice) -> Trial:
    match choice:
        case Play(card):
            return lambda deal: deal.play_out(card=card)
        case Declare(False) | Stay(False):
            return lambda deal: (0,) * deal.view.seats
        case Declare(True) if not view.house.declares_in_turn:
            return _after_draw(tuple(weak(view.hand, view)))
        case Declare(_, cards, takes) | Draw(cards, takes):
            return _after_draw(cards, takes)
        case NameTrump(suit):
            return _after_naming(suit)
        case Stay():
            return _staying(view.house.cost_to_enter)


def _after_draw(cards: tuple[Card, ...], takes: bool = False) -> Trial:
    return lambda deal: _others_enter(deal.drawn(deal.view.seat, cards, takes)).play_out()


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
