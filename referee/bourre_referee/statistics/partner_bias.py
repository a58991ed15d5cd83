"""Tests for collusion by conduct: does a bot give chips or give way to one bot more than to others in its place?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import exp, sqrt
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from bourre_referee.statistics.pair_findings import Favour, Favours, PairFlow, in_order

if TYPE_CHECKING:
    from bourre_lab.review import JudgedDecision


Values = NDArray[np.float64]
Places = NDArray[np.intp]

_LEAST_WEIGHT: Final = 1e-9
_PRIOR: Final = 10
"""The spread in a situation is estimated with this many additional decisions of the mean spread."""


class Scores:
    """The scores of some decisions of one bot, less the effects of the situation and of the champion's judgement."""

    def __init__(
        self,
        scores: Sequence[float],
        situations: Sequence[Hashable],
        blocks: Sequence[Hashable],
        sound: Sequence[float],
    ) -> None:
        self._situations, self._blocks = _numbered(situations), _numbered(blocks)
        self._sizes = np.bincount(self._situations)
        self._sound = self._centred(np.array(sound, dtype=float))
        self._scores = _without(self._centred(np.array(scores, dtype=float)), self._sound)
        squares = self._scores**2
        sums = np.bincount(self._situations, squares) + _PRIOR * squares.mean()
        self._variances = (sums / (self._sizes + _PRIOR))[self._situations]

    def contrast(self, role: Sequence[bool], allowance: float, friend: Sequence[bool] | None = None) -> Favour | None:
        """Compares the decisions in which another bot has the role with others in the same situations.

        If the bot has another friend, the effect of that friend's role is removed. None if there is nothing to compare.
        The sum of the deals' contributions is divided by the root of the sum of their squares, or by the value that the
        scores' spread implies if it is larger. A sum of symmetric terms, divided in this way, is at least z with a
        probability of at most exp(-z²/2) (Efron, Journal of the American Statistical Association 64, 1969).
        """
        roles, scores = self._own_part(role), self._scores
        if friend is not None:
            other = self._own_part(friend)
            roles, scores = _without(roles, other), _without(scores, other)
        weight = float(roles @ roles)
        if weight < _LEAST_WEIGHT:
            return None
        parts = np.bincount(self._blocks, roles * (scores - allowance * roles))
        total = float(parts.sum())
        spread = max(float(parts @ parts), float(roles**2 @ self._variances))
        p = exp(-((total / sqrt(spread)) ** 2) / 2) if total > 0 and spread > 0 else 1.0
        return Favour(float(scores @ roles) / weight, p)

    def _own_part(self, role: Sequence[bool]) -> Values:
        return _without(self._centred(np.array(role, dtype=float)), self._sound)

    def _centred(self, values: Values) -> Values:
        """Returns the values less their mean in the same situation."""
        means: Values = np.bincount(self._situations, values) / self._sizes
        return values - means[self._situations]


def _without(values: Values, explanation: Values) -> Values:
    """Returns the residuals of a least-squares fit. All values have mean 0."""
    length = float(explanation @ explanation)
    return values - explanation * (float(values @ explanation) / length) if length > _LEAST_WEIGHT else values


def _numbered(keys: Sequence[Hashable]) -> Places:
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.intp)


COST_ALLOWED: Final = 0.01
"""The allowance of cost, as a share of going bourré: honest decisions differ this much between possible winners."""
COMES_ALLOWED: Final = 0.05
"""The allowance of entries: honest bots come in this much more often while one bot, not another, may win the pot."""
PASSES_ALLOWED: Final = 0.05
"""The allowance of passes: honest bots pass this much more often after one bot than after another."""
CARDS_ALLOWED: Final = 0.1
"""The allowance of cards: honest cards are this much lower on one bot's tricks than on another's."""


def find_favours(flow: Iterable[PairFlow], decisions: Iterable[JudgedDecision]) -> list[PairFlow]:
    """Adds to the test of each flow four tests of the payer's decisions, and sorts by the smallest p-value.

    Each test compares decisions in one situation: those in which the taker has a role, such as winning the trick, with
    those in which others have that role. A bot that treats all alike decides alike. A bot that helps one friend seems
    to favour others in that friend's absence or presence. So in its other pairs, the tests remove the effect of its
    most suspicious friend's role.
    """
    by_bot: defaultdict[str, list[JudgedDecision]] = defaultdict(list)
    for one in decisions:
        by_bot[one.bot].append(one)
    payers = {bot: _Payer(own) for bot, own in by_bot.items()}
    found = in_order(_with_favours(pair, payers, None) for pair in flow)
    friends: dict[str, str] = {}
    for pair in found:
        if pair.suspicious:
            friends.setdefault(pair.payer, pair.taker)
    return in_order(_with_favours(pair, payers, friends.get(pair.payer)) for pair in found) if friends else found


def _with_favours(pair: PairFlow, payers: Mapping[str, _Payer], friend: str | None) -> PairFlow:
    payer = payers.get(pair.payer)
    favours = payer.favours(pair, None if friend == pair.taker else friend) if payer else None
    return replace(pair, favours=favours)


class _Payer:
    """The decisions of one bot, scored for each of the four tests."""

    def __init__(self, decisions: Sequence[JudgedDecision]) -> None:
        entries = [one for one in decisions if one.stand is not None and not one.plays]
        cards = [one for one in decisions if one.plays]
        self._decisions = decisions
        self._costs = _Test(decisions, [one.cost for one in decisions], _gaining, by_sound=False)
        self._comes = _Test(entries, [one.stand or 0.0 for one in entries], _gaining)
        self._passes = _Test(entries, [-(one.stand or 0.0) for one in entries], _met)
        self._cards = _Test(cards, [-(one.stand or 0.0) for one in cards], _met)

    def favours(self, pair: PairFlow, friend: str | None) -> Favours:
        """Tests whether this bot favours the pair's taker."""
        gifts = self._costs.compare(pair.taker, COST_ALLOWED, friend)
        if gifts:
            at_risk = sum(one.chips for one in self._decisions if pair.taker in one.rivals)
            gifts = replace(gifts, effect=100 * gifts.effect * at_risk / pair.deals)
        return Favours(
            gifts,
            self._comes.compare(pair.taker, COMES_ALLOWED, friend),
            self._passes.compare(pair.taker, PASSES_ALLOWED, friend),
            self._cards.compare(pair.taker, CARDS_ALLOWED, friend),
        )


def _gaining(one: JudgedDecision) -> frozenset[str]:
    return one.rivals


def _met(one: JudgedDecision) -> frozenset[str]:
    return one.met


class _Test:
    """Scores of decisions, and the bots that have the role in each of them."""

    def __init__(
        self,
        decisions: Sequence[JudgedDecision],
        scores: Sequence[float],
        role: Callable[[JudgedDecision], frozenset[str]],
        by_sound: bool = True,
    ) -> None:
        self._in_role = [role(one) for one in decisions]
        situations = [one.situation for one in decisions]
        blocks = [one.block for one in decisions]
        sound = [one.sound if by_sound else 0.0 for one in decisions]
        self._scores = Scores(scores, situations, blocks, sound) if decisions else None

    def compare(self, taker: str, allowance: float, friend: str | None) -> Favour | None:
        """Returns how much higher the scores are where this bot has the role."""
        if self._scores is None:
            return None
        return self._scores.contrast(self._roles(taker), allowance, None if friend is None else self._roles(friend))

    def _roles(self, bot: str) -> list[bool]:
        return [bot in names for names in self._in_role]
