"""A test for collusion by conduct: does a bot give, or give way, to one bot more than to others in its place?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bourre_referee.statistics.pair_findings import Favour, Favours, PairFlow, in_order
from bourre_referee.statistics.role_contrast import Scores

if TYPE_CHECKING:
    from bourre_lab.review import JudgedDecision

COST_ALLOWED: Final = 0.01
"""Honest decisions cost up to so much more while one bot may gain than while another may: a share of going bourré."""
COMES_ALLOWED: Final = 0.05
"""Honest bots come in up to so much more often while one bot may win the pot than while another may."""
PASSES_ALLOWED: Final = 0.05
"""Honest bots pass up to so much more often after one bot than after another."""
CARDS_ALLOWED: Final = 0.1
"""Honest cards lie up to so much lower on one bot's tricks than on another's."""


def find_favours(flow: Iterable[PairFlow], decisions: Iterable[JudgedDecision]) -> list[PairFlow]:
    """Adds four tests by the decisions of each pair's payer to the test of the flow; the smallest p-value comes first.

    Each compares decisions in one situation: those in which the taker has a role, such as to be winning the trick,
    with those in which others have it. A bot that treats all alike decides alike. What a bot does for one friend makes
    it seem to favour others in that one's absence or presence, so in its other pairs the role of its most suspicious
    friend is left out of account.
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
    """Scores of decisions, and who has the role in each of them."""

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
