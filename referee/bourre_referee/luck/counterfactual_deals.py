"""Plays deals by the bots' predicted styles from the first hands on, with the real cards or with others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bourre.rules.cards import DECK, Card, Suit, card_set, highest
from bourre.rules.deck import derive, shuffle
from bourre.rules.house import HouseRules
from bourre_referee.luck.bot_style import BotStyle, choose_discards, describe_hand, describe_place
from bourre_referee.luck.card_style import play_tricks
from bourre_referee.luck.draw_luck import settled_value
from bourre_referee.luck.luck_recorder import FirstHands


@dataclass(frozen=True, slots=True)
class Cards:
    """The cards of a deal before the first declaration. Hands are sets, from the dealer's left."""

    hands: tuple[int, ...]
    facts: tuple[int, ...]
    """The facts for each hand on which a bot's entry may depend."""
    trump: Suit
    dealer_is_obliged: bool
    stock: dict[int, Card]
    """The card at each place of the stock."""
    known: dict[tuple[object, ...], tuple[int, ...]] = field(default_factory=dict)
    """The values found so far, because several seatings often lead to the same tricks."""


def real_cards(first: FirstHands, turned: Card, seed: bytes, label: str, house: HouseRules) -> Cards:
    """Returns the real hands, with another order of the stock."""
    seats = len(first.hands)
    hands = [first.hands[(first.dealer + 1 + turn) % seats] for turn in range(seats)]
    return _cards(hands, turned, shuffle(derive(seed, label), first.undealt), house)


def other_cards(seats: int, seed: bytes, label: str, house: HouseRules) -> Cards:
    """Deals another deck."""
    deck, dealt = shuffle(derive(seed, label), DECK), seats * house.cards
    hands = [card_set(deck[turn:dealt:seats]) for turn in range(seats)]
    if house.dealer_holds_turned:
        return _cards(hands, deck[dealt - 1], deck[dealt:], house)
    stock = deck[dealt:] if house.returns_turned else deck[dealt + 1 :]
    return _cards(hands, deck[dealt], stock, house)


def _cards(hands: Sequence[int], turned: Card, stock: Sequence[Card], house: HouseRules) -> Cards:
    facts = tuple([describe_hand(hand, turned.suit) for hand in hands])
    return Cards(tuple(hands), facts, turned.suit, house.obliges_dealer(turned), dict(enumerate(stock)))


@dataclass(frozen=True, slots=True)
class CounterfactualTable:
    """The bots at their seats in one seating."""

    dealer: int
    pot: int
    """The pot before the first declaration."""
    styles: Sequence[BotStyle]
    """By seat."""
    house: HouseRules

    def value(self, cards: Cards) -> tuple[int, ...]:
        """Returns the chips that each seat wins, in 1/840 chips, without its payments before it declared."""
        entered = self._enter(cards)
        hands = self._draw(cards, entered) if len(entered) > 1 else [cards.hands[turn] for turn in entered]
        order = [self._seat(turn) for turn in entered]
        styles = [self.styles[seat].cards for seat in order]
        key = (*order, *hands, *styles)
        found = cards.known.get(key)
        if found is None:
            found = cards.known[key] = self._settle(order, hands, cards.trump)
        return found

    def _seat(self, turn: int) -> int:
        return (self.dealer + 1 + turn) % len(self.styles)

    def _enter(self, cards: Cards) -> list[int]:
        """Returns the hands that come in, counted from the dealer's left."""
        entered: list[int] = []
        last = len(self.styles) - 1
        for turn, facts in enumerate(cards.facts):
            obliged = turn == last and (cards.dealer_is_obliged or not entered)
            place = describe_place(len(entered), last - turn)
            if obliged or self.styles[self._seat(turn)].entry.plays(facts | place):
                entered.append(turn)
        return entered

    def _draw(self, cards: Cards, entered: Sequence[int]) -> list[int]:
        """Returns the hands after the draw. When the stock ends, a seat keeps the best of its discards."""
        hands, stock, seats = [], dict(cards.stock), len(self.styles)
        most = self.house.most_discards(seats)
        for turn in entered:
            place = self._seat(turn)
            thrown = choose_discards(cards.hands[turn], cards.trump, self.styles[place].kept_rank, most)
            hand = cards.hands[turn] & ~thrown
            for _ in range(thrown.bit_count()):
                if stock:
                    hand |= 1 << stock.pop(place if place in stock else max(stock))
                    place += seats
                else:
                    hand |= 1 << highest(thrown)
                    thrown ^= 1 << highest(thrown)
            hands.append(hand)
        return hands

    def _settle(self, order: Sequence[int], hands: Sequence[int], trump: Suit) -> tuple[int, ...]:
        extra, seats = self.house.cost_to_enter, len(self.styles)
        if len(order) > 1:
            won = play_tricks(hands, trump, [self.styles[seat].cards for seat in order], self.house)
        else:
            won = [self.house.cards] * len(order)
        values = settled_value(order, won, self.pot + extra * len(order), seats, self.house)
        return tuple([value - 840 * extra * (seat in order) for seat, value in enumerate(values)]) if extra else values
