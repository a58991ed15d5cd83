"""The stock: undealt cards, made anew from what was thrown away when it runs out (R4.4)."""

from collections.abc import Callable

from bourre.rules.cards import Card, card_set, cards_in


class Stock:
    """The undealt cards of one deal, and the pile from which they are made again."""

    __slots__ = ("_cards", "_gather", "_pile")

    def __init__(self, cards: list[Card], gather: Callable[[tuple[Card, ...]], list[Card]]) -> None:
        self._cards = cards[::-1]
        self._gather = gather
        self._pile = 0

    def throw(self, cards: int) -> None:
        """Puts the discards or the passed hand of a seat that has acted on the pile."""
        self._pile |= cards

    def serve(self, number: int) -> tuple[int, list[int]]:
        """Deals that many cards: their set, and the size of each pile that had to be gathered for them."""
        served: list[Card] = []
        gathered = []
        while len(served) < number:
            if not self._cards:
                gathered.append(self._pile.bit_count())
                self._cards = self._gather(cards_in(self._pile))[::-1]
                self._pile = 0
            served.append(self._cards.pop())
        return card_set(served), gathered
