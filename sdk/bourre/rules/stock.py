"""The stock: the undealt cards, replenished from the discards when it runs out (R4.4)."""

from collections.abc import Callable

from bourre.rules.cards import Card, card_set, cards_in
from bourre.rules.compiled_class import mypyc_attr

Gather = Callable[[int, tuple[Card, ...]], list[Card]]
"""A function that shuffles the cards of a pile, given the number of the gathering in this deal, from 1."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Stock:
    """The undealt cards of one deal, dealt from the top, and the pile that replenishes them."""

    __slots__ = ("_cards", "_discards", "_folded_first", "_gather", "_gatherings", "_passed")

    def __init__(self, cards: list[Card], gather: Gather, folded_first: bool = False) -> None:
        """With `folded_first`, passed hands are gathered before any discards."""
        self._cards = list(cards)
        self._gather = gather
        self._gatherings = 0
        self._folded_first = folded_first
        self._discards = 0
        self._passed = 0

    def discard(self, cards: int) -> None:
        """Puts on the pile the discards of a seat that has been served."""
        self._discards |= cards

    def fold(self, cards: int) -> None:
        """Puts a passed hand on the pile."""
        self._passed |= cards

    def serve(self, seat: int, number: int) -> tuple[int, list[int]]:
        """Deals a seat that many cards; returns their set, and the size of each pile that had to be gathered."""
        served = self._take_cards(seat, number)
        gathered = []
        while len(served) < number:
            pile = self._take_pile()
            assert pile, "52 cards suffice for every seat"
            gathered.append(pile.bit_count())
            self._gatherings += 1
            self._cards = self._gather(self._gatherings, cards_in(pile))
            served += self._take_cards(seat, number - len(served))
        return card_set(served), gathered

    def _take_cards(self, _seat: int, number: int) -> list[Card]:
        """Takes that many cards off the stock, or as many as are left."""
        dealt = self._cards[:number]
        del self._cards[:number]
        return dealt

    def _take_pile(self) -> int:
        if self._folded_first and self._passed:
            pile, self._passed = self._passed, 0
            return pile
        pile, self._passed, self._discards = self._passed | self._discards, 0, 0
        return pile


@mypyc_attr(allow_interpreted_subclasses=True)
class SeatStock(Stock):
    """The stock of format `duplicate`: what a seat draws does not depend on the others, as long as cards last.

    Of k seats, seat s gets as its j-th card (from 0) the one at place j * k + s of the stock, or the last one left if
    that place is beyond the end or taken. Places do not depend on the cards, so hands are distributed as if dealt from
    the top. A replenished stock is dealt from the top.
    """

    __slots__ = ("_places", "_seats", "_served")

    def __init__(
        self,
        cards: list[Card],
        gather: Gather,
        folded_first: bool = False,
        *,
        seats: int,
    ) -> None:
        super().__init__([], gather, folded_first)
        self._places = dict(enumerate(cards))
        self._seats = seats
        self._served = [0] * seats

    def _take_cards(self, seat: int, number: int) -> list[Card]:
        if not self._places:
            return super()._take_cards(seat, number)
        return [self._pick(seat) for _ in range(min(number, len(self._places)))]

    def _pick(self, seat: int) -> Card:
        place = self._served[seat] * self._seats + seat
        self._served[seat] += 1
        return self._places.pop(place if place in self._places else max(self._places))
