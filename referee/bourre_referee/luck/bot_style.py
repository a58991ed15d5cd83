"""What is expected of a bot in a deal, and how that is learned from its earlier deals."""

from __future__ import annotations

from typing import Final, NamedTuple

from bourre.rules.house import HouseRules
from bourre_referee.luck.card_style import CardStyle, StyleCounts
from bourre_referee.luck.discard_style import DiscardCounts
from bourre_referee.luck.entry_style import EntryLessons, EntryStyle, describe_hand, describe_place
from bourre_referee.luck.first_hands import Declaration, FirstHands

_TRUST: Final = 8
"""As many declarations are taken to have come as expected before the first one."""


class BotStyle(NamedTuple):
    """How a bot is expected to declare, discard and play."""

    entry: EntryStyle
    kept_rank: int
    cards: CardStyle
    trust: tuple[int, int]
    """A share from 0 to 1, as two whole numbers: how often the bot declared as expected, less how often it did not."""


class BotLessons:
    """All that was learned of one bot."""

    def __init__(self) -> None:
        self.cards = StyleCounts()
        self._entry = EntryLessons()
        self._discards = DiscardCounts()
        self._declared = self._expected = 0
        self._style = self._make_style()

    @property
    def style(self) -> BotStyle:
        """What is expected in the next deal: what the deals up to the last call of `learn` show."""
        return self._style

    def hear_declaration(self, first: FirstHands, said: Declaration) -> None:
        """Note a declaration of the present deal."""
        facts = describe_hand(first.hands[said.seat], first.trump) | describe_place(said.rivals, said.to_come)
        self._declared += 1
        self._expected += self._style.entry.plays(facts) == said.plays
        self._entry.add(facts, said.plays)

    def hear_discard(self, first: FirstHands, hand: int, thrown: int, house: HouseRules) -> None:
        """Note a discard of the present deal."""
        self._discards.count(hand, first.trump, thrown, house.most_discards(len(first.hands)))

    def learn(self) -> None:
        """Learn from all that was noted."""
        self._entry.learn()
        self._style = self._make_style()

    def _make_style(self) -> BotStyle:
        surplus = max(0, 2 * self._expected - self._declared + _TRUST)
        trust = (surplus, self._declared + _TRUST)
        return BotStyle(self._entry.style, self._discards.kept_rank, self.cards.style, trust)
