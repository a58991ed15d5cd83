"""The stock: undealt cards, made anew from what was thrown away when it runs out (R4.4)."""

from collections.abc import Callable

from bourre.rules.cards import Card, card_set, cards_in


class Stock:
    """The undealt cards of one deal, and the pile from which they are made again."""

    __slots__ = ("_cards", "_discards", "_folded_first", "_gather", "_passed")

    def __init__(
        self, cards: list[Card], gather: Callable[[tuple[Card, ...]], list[Card]], folded_first: bool = False
    ) -> None:
        """`folded_first`: passed hands are gathered before any discard is."""
        self._cards = cards[::-1]
        self._gather = gather
        self._folded_first = folded_first
        self._discards = 0
        self._passed = 0

    def discard(self, cards: int) -> None:
        """Puts the discards of a seat that has been served on the pile."""
        self._discards |= cards

    def fold(self, cards: int) -> None:
        """Puts a passed hand on the pile."""
        self._passed |= cards

    def serve(self, number: int) -> tuple[int, list[int]]:
        """Deals that many cards: their set, and the size of each pile that had to be gathered for them."""
        served: list[Card] = []
        gathered = []
        while len(served) < number:
            if not self._cards:
                pile = self._take_pile()
                gathered.append(pile.bit_count())
                self._cards = self._gather(cards_in(pile))[::-1]
            served.append(self._cards.pop())
        return card_set(served), gathered

    def _take_pile(self) -> int:
        if self._folded_first and self._passed:
            pile, self._passed = self._passed, 0
            return pile
        pile, self._passed, self._discards = self._passed | self._discards, 0, 0
        return pile
