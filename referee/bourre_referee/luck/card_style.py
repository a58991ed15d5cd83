"""Predicts a bot's cards from its earlier deals, by simple ways to choose among the legal cards.

A choice is a function of the seat's own view. Cards are sets. `unseen` are the cards that may be in other hands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from bourre.rules.cards import HIGHER, SUIT_CARDS, Card, Suit, cards_in, highest, lowest
from bourre.rules.house import HouseRules
from bourre.rules.trick_play import TrickPlay
from bourre_referee.luck.luck_recorder import PlayedCards

_ALL_CARDS: Final = sum(SUIT_CARDS)

Choice = Callable[[int, int, int], Card]
"""Chooses one of these legal cards, given the unseen ones and the trumps."""


def masters(legal: int, unseen: int, trumps: int) -> int:
    """Returns the cards that no unseen card beats."""
    found = 0
    for card in cards_in(legal):
        if not HIGHER[card] & unseen and (trumps >> card & 1 or not trumps & unseen):
            found |= 1 << card
    return found


def _highest(legal: int, _unseen: int, _trumps: int) -> Card:
    return highest(legal)


def _lowest(legal: int, _unseen: int, _trumps: int) -> Card:
    return lowest(legal)


def _highest_trump(legal: int, _unseen: int, trumps: int) -> Card:
    return highest(legal & trumps or legal)


def _highest_side_card(legal: int, _unseen: int, trumps: int) -> Card:
    return highest(legal & ~trumps or legal)


def _lowest_trump(legal: int, _unseen: int, trumps: int) -> Card:
    return lowest(legal & trumps or legal)


def _lowest_side_card(legal: int, _unseen: int, trumps: int) -> Card:
    return lowest(legal & ~trumps or legal)


def _master_or_highest(legal: int, unseen: int, trumps: int) -> Card:
    safe = masters(legal, unseen, trumps)
    return highest(safe & trumps or safe or legal)


def _master_or_lowest(legal: int, unseen: int, trumps: int) -> Card:
    safe = masters(legal, unseen, trumps)
    return highest(safe & trumps or safe) if safe else lowest(legal & ~trumps or legal)


def _lowest_master(legal: int, unseen: int, trumps: int) -> Card:
    return lowest(masters(legal, unseen, trumps) or legal & ~trumps or legal)


LEADS: Final[tuple[Choice, ...]] = (
    _highest,
    _lowest,
    _highest_trump,
    _highest_side_card,
    _lowest_trump,
    _lowest_side_card,
    _master_or_highest,
    _master_or_lowest,
)
"""The ways to lead. The first one is assumed of an unknown bot."""

FOLLOWS: Final[tuple[Choice, ...]] = (_lowest, _highest, _lowest_side_card, _lowest_master)
"""The ways to follow. The first one is assumed of an unknown bot."""


class CardStyle(NamedTuple):
    """The choice by which a seat plays in each situation."""

    lead: Choice
    win: Choice
    """The choice of a following card that wins the trick so far."""
    lose: Choice
    """The choice of a following card if none wins."""


class StyleCounts:
    """Counts for one bot how often each way of choosing would have played the same card."""

    def __init__(self) -> None:
        self._lead = [0] * len(LEADS)
        self._win = [0] * len(FOLLOWS)
        self._lose = [0] * len(FOLLOWS)

    def count(self, tricks: TrickPlay, card: Card) -> None:
        """Counts a decision between two or more legal cards. `card` is the one played."""
        if not tricks.trick:
            choices, counts = LEADS, self._lead
        else:
            choices, counts = FOLLOWS, self._win if _can_win(tricks) else self._lose
        unseen = _unseen(tricks)
        for number, choice in enumerate(choices):
            counts[number] += choice(tricks.legal, unseen, tricks.trumps) == card

    @property
    def style(self) -> CardStyle:
        """The choices that agree most often. Of equal ones, the first in the list wins."""
        return CardStyle(_best(LEADS, self._lead), _best(FOLLOWS, self._win), _best(FOLLOWS, self._lose))


def _best(choices: Sequence[Choice], counts: Sequence[int]) -> Choice:
    return choices[counts.index(max(counts))]


def count_deal(played: PlayedCards, counts: Sequence[StyleCounts], house: HouseRules) -> None:
    """Counts all decisions of a deal. `counts` are by position in `played.hands`."""
    tricks = _tricks(played.hands, played.trump, house)
    for player, card in played.cards:
        if tricks.to_act != player or not tricks.legal >> card & 1:
            return  # after a renege the tricks no longer follow from the cards alone
        if tricks.legal & (tricks.legal - 1):
            counts[player].count(tricks, card)
        tricks.lay(card)


def play_tricks(hands: Sequence[int], trump: Suit, styles: Sequence[CardStyle], house: HouseRules) -> list[int]:
    """Counts the tricks of each hand, in the order of play from the first leader, if all play by these styles."""

    def choose(tricks: TrickPlay, legal: int) -> Card:
        style = styles[tricks.to_act]
        choice = style.lead if not tricks.trick else style.win if _can_win(tricks) else style.lose
        return choice(legal, _unseen(tricks), tricks.trumps)

    tricks = _tricks(hands, trump, house)
    tricks.run(choose)
    return [*tricks.won.values()]


def _tricks(hands: Sequence[int], trump: Suit, house: HouseRules) -> TrickPlay:
    """Returns the tricks of these hands, whose players are numbered in the order of play from the first leader."""
    return TrickPlay([*hands], tuple(range(len(hands))), trump, 0, house)


def _can_win(tricks: TrickPlay) -> bool:
    return bool(tricks.beating[tricks.best] & tricks.legal)


def _unseen(tricks: TrickPlay) -> int:
    return _ALL_CARDS & ~(tricks.shown | tricks.hands[tricks.to_act])
