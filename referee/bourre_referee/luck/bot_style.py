"""Predicts a bot's declarations and play in a deal, from its earlier deals."""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from bourre.rules.cards import SUIT_CARDS, Suit, highest
from bourre.rules.house import MAX_SEATS, HouseRules
from bourre_referee.luck.card_style import CardStyle, StyleCounts
from bourre_referee.luck.luck_recorder import Declaration, FirstHands

_JACK, _QUEEN, _KING, _ACE = 11, 12, 13, 14
_FACTS_OF_HAND: Final = 14
_FACTS: Final = _FACTS_OF_HAND + 6
_PRIOR: Final = {0: 2, 1: 4, 2: 4, 5: 4, 13: -4}
"""The weights of an unknown bot: it plays two trumps, or one from the queen up."""
_PRIOR_VISITS: Final = 5
"""How many visits to an example the first weights count for in the average."""
_MARGIN: Final = 2
"""An example with at most this margin is learned again."""
_VISITS: Final = 8
"""How often each example is visited: after its own deal, and after later ones."""


def describe_hand(hand: int, trump: Suit) -> int:
    """Returns the facts about a hand, one bit for each."""
    trumps, side = hand & SUIT_CARDS[trump], hand & ~SUIT_CARDS[trump]
    number, best, best_side = trumps.bit_count(), trumps.bit_length() - 1 >> 2, side.bit_length() - 1 >> 2
    return (
        (number >= 1)
        | (number >= 2) << 1
        | (number >= 3) << 2
        | (number >= 4) << 3
        | (best >= _JACK) << 4
        | (best >= _QUEEN) << 5
        | (best >= _KING) << 6
        | (best >= _ACE) << 7
        | ((trumps >> 4 * _QUEEN).bit_count() >= 2) << 8
        | (best_side >= _JACK) << 9
        | (best_side >= _KING) << 10
        | (best_side >= _ACE) << 11
        | ((side >> 4 * _KING).bit_count() >= 2) << 12
        | 1 << 13
    )


def describe_place(rivals: int, to_come: int) -> int:
    """Returns the facts about a place in the declaring: the seats that are in, and the seats that follow."""
    several = (rivals >= 1) | (rivals >= 2) << 1 | (rivals >= 3) << 2
    return (several | (to_come == 0) << 3 | (to_come <= 1) << 4 | (to_come <= 3) << 5) << _FACTS_OF_HAND


@lru_cache(4096)
def _numbers(facts: int) -> tuple[int, ...]:
    return tuple(number for number in range(_FACTS) if facts >> number & 1)


class EntryStyle:
    """The hands that a bot plays in each place. It does not change."""

    def __init__(self, weights: tuple[int, ...]) -> None:
        self._weights = weights
        self._known: dict[int, bool] = {}

    def plays(self, facts: int) -> bool:
        """Returns whether the bot plays with these facts."""
        found = self._known.get(facts)
        if found is None:
            weights = self._weights
            found = self._known[facts] = sum([weights[number] for number in _numbers(facts)]) > 0
        return found


class EntryLessons:
    """The declarations of a bot so far, and the weights learned from them."""

    def __init__(self) -> None:
        self._weights = [_PRIOR.get(number, 0) for number in range(_FACTS)]
        self._sums = [_PRIOR_VISITS * weight for weight in self._weights]
        self._examples: deque[tuple[tuple[int, ...], int]] = deque(maxlen=_VISITS * MAX_SEATS)
        self._new = 0

    @property
    def style(self) -> EntryStyle:
        """The bot's predicted declarations."""
        return EntryStyle(tuple(self._sums))

    def add(self, facts: int, plays: bool) -> None:
        """Adds a declaration of the current deal."""
        self._examples.append((_numbers(facts), 1 if plays else -1))
        self._new += 1

    def learn(self) -> None:
        """Learns from the added declarations, and again from those of the last deals."""
        weights = self._weights
        begin = max(0, len(self._examples) - _VISITS * self._new)
        for numbers, answer in islice(self._examples, begin, None):
            if answer * sum([weights[number] for number in numbers]) <= _MARGIN:
                for number in numbers:
                    weights[number] += answer
            self._sums = [total + weight for total, weight in zip(self._sums, weights, strict=True)]
        self._new = 0


KEPT_RANKS: Final = (13, 14, 12, 11, 10, 15, 9, 8, 7, 6, 5, 4, 3, 2)
"""Ranks from which a bot may keep its side cards. The first one is assumed of an unknown bot."""


def choose_discards(hand: int, trump: Suit, kept_rank: int, most: int) -> int:
    """Returns the lowest side cards below a rank, at most `most`, as a set."""
    weak = hand & ~SUIT_CARDS[trump] & ((1 << 4 * kept_rank) - 1)
    while weak.bit_count() > most:
        weak ^= 1 << highest(weak)
    return weak


class DiscardCounts:
    """Counts for one bot how many cards each rank would have predicted wrongly."""

    def __init__(self) -> None:
        self._wrong = [0] * len(KEPT_RANKS)

    def count(self, hand: int, trump: Suit, thrown: int, most: int) -> None:
        """Counts a discard, perhaps of nothing."""
        for place, rank in enumerate(KEPT_RANKS):
            self._wrong[place] += (choose_discards(hand, trump, rank, most) ^ thrown).bit_count()

    @property
    def kept_rank(self) -> int:
        """The rank that explains most discards."""
        return KEPT_RANKS[self._wrong.index(min(self._wrong))]


_TRUST: Final = 8
"""The prior: this many declarations count as predicted correctly before the first one."""


class BotStyle(NamedTuple):
    """A bot's predicted declarations, discards and play."""

    entry: EntryStyle
    kept_rank: int
    cards: CardStyle
    trust: tuple[int, int]
    """The share of its declarations that were predicted, less the share of others, from 0 to 1: two whole numbers."""


class BotLessons:
    """All lessons from one bot."""

    def __init__(self) -> None:
        self.cards = StyleCounts()
        self._entry = EntryLessons()
        self._discards = DiscardCounts()
        self._declared = self._expected = 0
        self._style = self._make_style()

    @property
    def style(self) -> BotStyle:
        """The prediction for the next deal, from the deals up to the last call of `learn`."""
        return self._style

    def hear_declaration(self, first: FirstHands, said: Declaration) -> None:
        """Notes a declaration of the current deal."""
        facts = describe_hand(first.hands[said.seat], first.trump) | describe_place(said.rivals, said.to_come)
        self._declared += 1
        self._expected += self._style.entry.plays(facts) == said.plays
        self._entry.add(facts, said.plays)

    def hear_discard(self, first: FirstHands, hand: int, thrown: int, house: HouseRules) -> None:
        """Notes a discard of the current deal."""
        self._discards.count(hand, first.trump, thrown, house.most_discards(len(first.hands)))

    def learn(self) -> None:
        """Learns from all notes."""
        self._entry.learn()
        self._style = self._make_style()

    def _make_style(self) -> BotStyle:
        surplus = max(0, 2 * self._expected - self._declared + _TRUST)
        trust = (surplus, self._declared + _TRUST)
        return BotStyle(self._entry.style, self._discards.kept_rank, self.cards.style, trust)
