"""How a bot plays its cards, as far as its earlier deals show it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bourre.rules.cards import Card
from bourre.rules.house import HouseRules
from bourre_referee.luck.card_choices import FOLLOWS, LEADS, Choice
from bourre_referee.luck.played_cards import PlayedCards
from bourre_referee.luck.trick_playout import Situation, TrickPlayout


class CardStyle(NamedTuple):
    """The choice by which a seat plays in each situation."""

    lead: Choice
    win: Choice
    """When following with a card that wins the trick so far."""
    lose: Choice
    """When following without one."""


class StyleCounts:
    """Counts for one bot how often each way of choosing would have played the card that it played."""

    def __init__(self) -> None:
        self._lead = [0] * len(LEADS)
        self._win = [0] * len(FOLLOWS)
        self._lose = [0] * len(FOLLOWS)

    def count(self, situation: Situation, trumps: int, card: Card) -> None:
        """Count a decision between two or more legal cards; `card` is the one played."""
        if not situation.follows:
            choices, counts = LEADS, self._lead
        else:
            choices, counts = FOLLOWS, self._win if situation.can_win else self._lose
        for number, choice in enumerate(choices):
            counts[number] += choice(situation.legal, situation.unseen, trumps) == card

    @property
    def style(self) -> CardStyle:
        """The choices that agree most often, of equal ones those that are listed first."""
        return CardStyle(_best(LEADS, self._lead), _best(FOLLOWS, self._win), _best(FOLLOWS, self._lose))


def _best(choices: Sequence[Choice], counts: Sequence[int]) -> Choice:
    return choices[counts.index(max(counts))]


def count_deal(played: PlayedCards, counts: Sequence[StyleCounts], house: HouseRules) -> None:
    """Count all decisions of a deal; `counts` are by position in `played.hands`."""
    playout = TrickPlayout(played.hands, played.trump, house)
    for player, card in played.cards:
        situation = playout.situation
        if playout.to_act != player or not situation.legal >> card & 1:
            return  # after a renege the tricks no longer follow from the cards alone
        if situation.legal & (situation.legal - 1):
            counts[player].count(situation, playout.trumps, card)
        playout.play(card)
